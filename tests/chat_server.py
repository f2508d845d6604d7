"""What a chat service sends, well or badly; `servers.Server` sends it."""

from __future__ import annotations

import json

from servers import Reply, in_json


def event(data) -> bytes:
    return f"data: {data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)}\n\n".encode()


def delta(text=None, finish=None, **more) -> bytes:
    """One chunk of a stream."""
    return event({"choices": [{"index": 0, "delta": {"content": text, **more}, "finish_reason": finish}]})


def usage(asked: int, answered: int) -> bytes:
    return event({"choices": [], "usage": {"prompt_tokens": asked, "completion_tokens": answered}})


DONE = event("[DONE]")


def streamed(*texts: str, tokens: tuple[int, int] = (7, 5)) -> Reply:
    """A whole answer as a well-behaved server streams it."""
    first = delta("", role="assistant")
    return Reply((first, *(delta(text) for text in texts), delta(finish="stop"), usage(*tokens), DONE))


def whole(text: str, finish: str = "stop", tokens: tuple[int, int] = (7, 5)) -> Reply:
    """A whole answer in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    reply = {"choices": [choice], "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}}
    # Over several lines, as some servers send it.
    return in_json(json.dumps(reply, ensure_ascii=False, indent=1).encode())


def refused(status: int, message: str = "", code=None, kind: str = "", **headers: str) -> Reply:
    """An error; Retry_After="7" becomes the header Retry-After."""
    return in_json({"error": {"message": message, "code": code, "type": kind}}, status, **headers)
