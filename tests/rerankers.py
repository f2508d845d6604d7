"""What rerank services send, well or badly, in the three forms; and the three clients that ask them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from servers import Reply, Server, in_json
from youju.providers.rerank_http import DashScopeReranker, HttpReranker, JinaReranker, TeiReranker
from youju.text.align import bigrams

FORMS: dict[str, type[HttpReranker]] = {"dashscope": DashScopeReranker, "jina": JinaReranker, "tei": TeiReranker}

TRICKLE = Reply((b" ", 0.02) * 100, headers={"Content-Length": "1000000"})
"""Two seconds of an answer that does not come."""

Row = Mapping[str, object]


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


def good(rows: object) -> Callable[[dict], Reply]:
    """A reply with these results, in the form of the one who asks."""
    return lambda body: in_json(shaped(form_of(body), rows))


def form_of(body: Mapping[str, object]) -> str:
    return "dashscope" if "input" in body else "tei" if "texts" in body else "jina"


def rows(*scores: object) -> list[Row]:
    return [{"index": index, "score": score} for index, score in enumerate(scores)]


def indexed(*places: object) -> Callable[[dict], Reply]:
    return good([{"index": place, "score": 0.5} for place in places])


def overlaps(body: dict) -> Reply:
    """The share of the query's bigrams that a document holds, best first as real servers send them."""
    asked = body.get("input", body)
    documents: Sequence[str] = asked["texts"] if "texts" in asked else asked["documents"]
    wanted = bigrams(asked["query"])
    scores = [len(wanted & bigrams(document)) / max(1, len(wanted)) for document in documents]
    return good(sorted(rows(*scores), key=lambda row: -float(str(row["score"]))))(body)


def rerank_server() -> Server:
    return Server(overlaps)
