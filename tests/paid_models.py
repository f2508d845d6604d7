"""A model that answers and one that judges behind one /v1/chat/completions, which counts what it is asked.

What a run pays for passes here, so a test can say how often, and can end the one who asks at a chosen call.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from scripted_judge import said

WRITES, JUDGES = "writes", "judges"
"""The names of the two models."""
Spoil = Callable[[dict, int], tuple[int, object, dict[str, str]]]


@dataclass
class Models:
    """`asked` counts the requests by model and messages; `watch` is told of each before it is answered.

    `spoil` is given the judge's honest reply and how often the same was judged before, and says what is sent instead:
    status, body (a float is a silence of so many seconds), headers.
    """

    address: str = ""
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    watch: Callable[[int], None] = lambda _: None
    spoil: Spoil | None = None
    judged: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def of(self, model: str) -> int:
        return sum(n for (name, _), n in self.asked.items() if name == model)

    def forget(self) -> None:
        self.asked, self.judged = Counter(), Counter()

    def answer(self, body: dict) -> tuple[int, object, dict[str, str]]:
        told = json.dumps(body["messages"], ensure_ascii=False)
        payload = next(one["content"] for one in body["messages"] if one["role"] == "user")
        with self.lock:
            self.asked[body["model"], told] += 1
            number, before = self.asked.total(), self.judged[payload]
            self.judged[payload] += 1
        self.watch(number)
        if body["model"] == WRITES:
            return 200, completion(written(told), told), {}
        honest = said(json.loads(payload))
        if self.spoil is not None:
            return self.spoil(honest, before)
        return 200, completion(json.dumps(honest, ensure_ascii=False), told), {}


def written(told: str) -> str:
    """An answer that no other prompt gets, so that one in the place of another shows."""
    number = int(hashlib.sha256(told.encode()).hexdigest()[:6], 16)
    return f"出差住宿费的上限是每晚三百二十元[1]。这份答复的编号是 {number}[1]。"


def completion(text: str, told: str = "", finish: str = "stop") -> dict:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {"choices": [choice], "usage": {"prompt_tokens": len(told), "completion_tokens": len(text)}}


@contextmanager
def paid_models() -> Iterator[Models]:
    """Both models in threads of their own, so that they also answer a command that blocks."""
    models = Models()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, reply, headers = models.answer(body)
            if isinstance(reply, float):
                time.sleep(reply)
                self.close_connection = True
                return
            data = json.dumps(reply, ensure_ascii=False).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Who was killed hears no answer."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    models.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield models
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def environment(models: Models, *, judge: bool = True, prices: bool = True) -> dict[str, str]:
    """The settings under which a command asks these models."""
    found = {"NO_PROXY": "127.0.0.1"}
    for section, model in (("LLM", WRITES), ("JUDGE", JUDGES))[: 1 + judge]:
        named = {"BASE_URL": models.address, "MODEL": model, "STREAM": "false", "RETRIES": "0"}
        if prices:
            named |= {"PROMPT_PRICE": "1", "COMPLETION_PRICE": "2"}
        found |= {f"YOUJU_{section}__{name}": value for name, value in named.items()}
    return found
