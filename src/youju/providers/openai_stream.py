"""From bytes to answer text: server-sent events, and thoughts that are no part of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A CR at the very end may be half of a CRLF. Not str.splitlines: it also splits at U+2028, which JSON may hold.
_LINE_END = re.compile(rb"\r\n|\n|\r(?=[^\n])")
_BOM = "\ufeff"
_OPEN, _CLOSE = "<think>", "</think>"


class Events:
    """The `data` of server-sent events, however the bytes are cut into packets.

    Comments and other fields are skipped. An event ends at an empty line, the last one also at the end of the stream.

    Source:
        WHATWG HTML, section 9.2, Server-sent events.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []

    def feed(self, packet: bytes) -> Iterator[str]:
        """The events that this packet completes, in order."""
        *lines, self._rest = _LINE_END.split(self._rest + packet)
        for line in lines:
            # Whole lines only, so no character is cut.
            name, _, value = line.decode("utf-8", "replace").removeprefix(_BOM).partition(":")
            if name == "data":
                self._data.append(value.removeprefix(" "))
            elif not line and self._data:
                event, self._data = "\n".join(self._data), []
                yield event

    def end(self) -> Iterator[str]:
        return self.feed(b"\n\n")


class Whole:
    """The one reply of a server that does not stream, once it is there; used like `Events`."""

    def __init__(self) -> None:
        self._packets: list[bytes] = []

    def feed(self, packet: bytes) -> Iterator[str]:
        self._packets.append(packet)
        return iter(())

    def end(self) -> Iterator[str]:
        yield b"".join(self._packets).decode("utf-8", "replace").removeprefix(_BOM)


class Thoughts:
    """Takes <think>…</think> from the beginning of an answer; later the same words are text like any other."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "before"

    def feed(self, text: str) -> str:
        """What of the answer is certain by now; the beginning of what may be a tag is held back."""
        if self._state == "after":
            return text
        self._held += text
        if self._state == "before":
            if self._held.lstrip().startswith(_OPEN):
                self._state = "inside"
            elif not _OPEN.startswith(self._held.lstrip()):
                return self._let_go()
        if self._state == "inside" and _CLOSE in self._held:
            self._state, self._held = "behind", self._held.partition(_CLOSE)[2]
        if self._state == "behind" and self._held.strip():
            # The blank lines between thoughts and answer belong to neither.
            self._held = self._held.lstrip()
            return self._let_go()
        return ""

    def end(self) -> str:
        """What was held back and turned out to be text; thoughts that never ended are none."""
        return self._let_go() if self._state == "before" else ""

    def _let_go(self) -> str:
        text, self._held, self._state = self._held, "", "after"
        return text
