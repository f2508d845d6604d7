"""An honest judge by string rules behind /v1/chat/completions, for runs of the lab without a model.

A claim is founded where it stands word for word, contradicted where much the same is said with other numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from youju.text import sentences
from youju.text.align import best_span, bigrams, locate
from youju.text.numbers import quantities

ENDS = "。.!！ \n"
SAME, RELATED, ABOUT = 0.7, 0.6, 0.3


@dataclass
class Judging:
    """A running judge; `asked` counts its calls by task."""

    address: str = ""
    knows_schema: bool = True
    asked: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    @property
    def calls(self) -> int:
        return self.asked.total()

    def answer(self, body: dict) -> tuple[int, dict]:
        """The status and the reply to a request."""
        if "response_format" in body and not self.knows_schema:
            return 400, {"error": {"message": "response_format json_schema is not supported"}}
        payload = json.loads(next(one["content"] for one in body["messages"] if one["role"] == "user"))
        with self.lock:
            self.asked[payload["task"]] += 1
        text = json.dumps(said(payload), ensure_ascii=False)
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": len(str(body["messages"])), "completion_tokens": len(text)}
        return 200, {"choices": [choice], "usage": usage}


@contextmanager
def scripted_judge(*, knows_schema: bool = True) -> Iterator[Judging]:
    """The judge in a thread of its own, so that it also answers a command that blocks."""
    judging = Judging(knows_schema=knows_schema)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, reply = judging.answer(body)
            data = json.dumps(reply, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    judging.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield judging
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def said(payload: dict) -> dict:
    """What an honest judge says to a question of `youju.lab.judge.tasks`."""
    task = payload["task"]
    if task == "claims":
        return {"claims": _claims(payload["answer"])}
    if task in {"founded", "right"}:
        texts = payload["context" if task == "founded" else "reference"]
        return {"claims": [{"id": one["id"], **_grounded(one["text"], texts)} for one in payload["claims"]]}
    if task == "facts":
        return {"facts": _facts(payload)}
    if task == "relevance":
        return {"relevance": [_relevance(payload)]}
    return {
        "claims": [_weighed(one, payload) for one in _claims(payload["answer"])],
        "facts": _facts(payload),
        "relevance": [_relevance(payload)],
    }


def _claims(answer: str) -> list[dict]:
    """Its sentences that are neither questions nor headings."""
    found = [answer[span.start : span.end].strip() for span in sentences.split(answer)]
    told = [one for one in found if not one.endswith(("？", "?", "：", ":")) and bigrams(one)]
    return [{"id": f"c{n}", "text": one} for n, one in enumerate(told, start=1)]


def _grounded(claim: str, texts: list[dict]) -> dict:
    bare = claim.strip(ENDS)
    holding = [one["n"] for one in texts if locate(bare, one["text"])]
    if holding:
        return {"chunks": holding, "quote": bare[:60], "verdict": "yes"}
    for one in texts:
        span, share = best_span(claim, one["text"])
        evidence = one["text"][span.start : span.end]
        if share >= RELATED and not _numbers(claim) <= _numbers(evidence):
            return {"chunks": [one["n"]], "quote": evidence[:60], "verdict": "contradicted"}
    return {"chunks": [], "quote": "", "verdict": "not_found"}


def _numbers(text: str) -> set[object]:
    return {(one.value, one.unit) for one in quantities(text)}


def _weighed(claim: dict, payload: dict) -> dict:
    right = _grounded(claim["text"], payload["reference"])
    told = {"reference_chunks": right["chunks"], "reference_quote": right["quote"], "right": right["verdict"]}
    return {**claim, **_grounded(claim["text"], payload["context"]), **told}


def _facts(payload: dict) -> list[dict]:
    return [_fact(one, payload["answer"], payload["context"]) for one in payload["facts"]]


def _fact(fact: dict, answer: str, context: list[dict]) -> dict:
    share = _shared(fact["text"], answer)
    verdict = "covered" if share >= SAME else "partially_covered" if share >= ABOUT else "not_covered"
    span, _ = best_span(fact["text"], answer)
    quote = "" if verdict == "not_covered" else answer[span.start : span.end].strip()[:60]
    chunks = [one["n"] for one in context if _shared(fact["text"], one["text"]) >= SAME]
    return {"id": fact["id"], "chunks": chunks, "quote": quote, "verdict": verdict}


def _relevance(payload: dict) -> dict:
    share = _shared(payload["question"], payload["answer"])
    verdict = "relevant" if share >= ABOUT else "partially_relevant" if share else "not_relevant"
    return {"id": "answer", "quote": payload["answer"][:60] if share else "", "verdict": verdict}


def _shared(text: str, other: str) -> float:
    wanted = bigrams(text)
    return len(wanted & bigrams(other)) / len(wanted) if wanted else 0.0
