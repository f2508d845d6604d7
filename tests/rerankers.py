"""A real rerank server on this machine, which can be told to misbehave, and the three clients that ask it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from youju.providers.rerank_http import DashScopeReranker, HttpReranker, JinaReranker, TeiReranker
from youju.text.align import bigrams

FORMS: dict[str, type[HttpReranker]] = {"dashscope": DashScopeReranker, "jina": JinaReranker, "tei": TeiReranker}

Row = Mapping[str, object]
Reply = tuple[int, object, Mapping[str, str]]


def shaped(form: str, rows: object) -> object:
    """`rows` as the form's server sends them; a row has an `index` and a `score`."""
    if form == "tei":
        return rows
    if isinstance(rows, list):
        rows = [
            {"relevance_score" if name == "score" else name: value for name, value in row.items()}
            if isinstance(row, dict)
            else row
            for row in rows
        ]
    return {"output": {"results": rows}, "request_id": "r"} if form == "dashscope" else {"results": rows}


def good(rows: object) -> Callable[[str], Reply]:
    return lambda form: (200, shaped(form, rows), {})


def rows(*scores: object) -> list[Row]:
    return [{"index": index, "score": score} for index, score in enumerate(scores)]


class Server(ThreadingHTTPServer):
    """Answers with `replies` in turn, then well; keeps the requests as (path, headers, body).

    A reply is (status, body, headers), a function of the form that gives one, or "silence", "trickle", "hangup".
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reset()

    def reset(self) -> None:
        self.replies: list[object] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, object]]] = []
        self.arrived, self.gate = threading.Event(), threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        form = "dashscope" if "input" in body else "tei" if "texts" in body else "jina"
        reply = self.server.replies.pop(0) if self.server.replies else good(_overlaps(body))
        if isinstance(reply, str):
            self._not_answer(reply)
            return
        status, content, headers = reply(form) if callable(reply) else reply
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self._head(status, {"content-length": str(len(data)), **headers})
        with suppress(OSError):  # the client may have had enough
            self.wfile.write(data)

    def _not_answer(self, how: str) -> None:
        self.close_connection = True
        self.server.arrived.set()
        if how == "silence":
            self.server.gate.wait(10)
        elif how == "trickle":
            self._head(200, {"content-length": "1000000"})
            with suppress(OSError):
                while not self.server.gate.wait(0.02):
                    self.wfile.write(b" ")

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def _overlaps(body: Mapping[str, object]) -> list[Row]:
    """The share of the query's bigrams that a document holds, best first as real servers send them."""
    asked = body.get("input", body)
    documents: Sequence[str] = asked["texts"] if "texts" in asked else asked["documents"]  # type: ignore[index, operator]
    wanted = bigrams(asked["query"])  # type: ignore[index]
    scores = [len(wanted & bigrams(document)) / max(1, len(wanted)) for document in documents]
    return sorted(rows(*scores), key=lambda row: -float(str(row["score"])))


@contextmanager
def running() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.gate.set()
        server.shutdown()
        thread.join()
        server.server_close()
