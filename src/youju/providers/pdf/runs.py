"""Letters → runs: stretches of one line, with what is raised or lowered written as such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from youju.providers.parsing.html import lowered, raised
from youju.providers.pdf.glyphs import Glyph

_SMALL = 0.85
_SCRIPT = 0.8
_HIGH = (0.2, 0.8)  # how far above the base line an exponent stands, in sizes of the line
_LOW = (0.05, 0.4)
_SHORT = 6  # letters of a script
_BESIDE = 0.25
_NO_SPACE = 0.2
_TWICE = 0.12
_MANY = 300  # runs; a drawing has more, and comparing them all would take long


@dataclass(slots=True)
class Run:
    """Neighbouring characters of one line. Boxes are the font's, not the ink's, so lines have even heights.

    `bold` and `mono` are shares in [0, 1]; `starts[i]` is where `text[i]` begins.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: float = 0.0
    mono: float = 0.0
    starts: list[float] = field(default_factory=list)


def runs(glyphs: Iterable[Glyph]) -> Iterator[Run]:
    """The runs of upright letters, in the order in which they are drawn."""
    run: Run | None = None
    script: list[Glyph] = []
    side = ""
    for glyph in glyphs:
        scripts = _side(run, glyph) if run else ""
        if run and ((glyph.begins and not scripts and glyph.size == run.size) or not _continues(run, glyph)):
            _close(run, script, side)
            yield run
            run, script, scripts = None, [], ""
        if run is None:
            run = Run("", *glyph[1:5], glyph.base[1], glyph.size)
            glyph = glyph._replace(space=False)  # noqa: PLW2901 (nothing stands before it)
        if script and not scripts and glyph.space and glyph.x0 - run.x1 < _NO_SPACE * run.size:
            glyph = glyph._replace(space=False)  # noqa: PLW2901 (pdfium takes the side of a script for a space)
        if script and (scripts != side or glyph.space):
            _close(run, script, side)
            script = []
        if scripts:
            script.append(glyph)
            run.x1 = max(run.x1, glyph.x1)
        else:
            _extend(run, " " + glyph.char if glyph.space else glyph.char, glyph)
        side = scripts
    if run:
        _close(run, script, side)
        yield run


def unique(found: Iterable[Run]) -> Iterator[Run]:
    """The runs; what was drawn twice, a hair apart to look bold, is one and bold."""
    seen: dict[str, list[Run]] = {}
    for run in found:
        same = seen.setdefault(run.text, [])
        near = _TWICE * run.size
        first = next(
            (one for one in same[-_MANY:] if abs(one.x0 - run.x0) < near and abs(one.base - run.base) < near), None
        )
        if first:
            first.bold = 1.0
        else:
            same.append(run)
            yield run


def attached(found: Iterable[Run]) -> list[Run]:
    """The runs; scripts that were drawn by themselves, after the rest of the page, are put where they stand."""
    hosts = list(unique(found))
    largest = max((run.size for run in hosts), default=0.0)
    small = [run for run in hosts if len(run.text) <= _SHORT and run.size < _SCRIPT * largest]
    gone: set[int] = set()
    for script in small if len(small) <= _MANY else ():
        host = next((one for one in hosts if one is not script and id(one) not in gone and _holds(one, script)), None)
        if host:
            _insert(host, script)
            gone.add(id(script))
    return [run for run in hosts if id(run) not in gone]


def _holds(host: Run, script: Run) -> bool:
    inside = host.x0 < script.x0 <= host.x1 + _BESIDE * host.size
    return inside and len(host.starts) == len(host.text) and bool(_rise(host, script.size, script.base))


def _insert(host: Run, script: Run) -> None:
    side = _rise(host, script.size, script.base)
    text = raised(script.text) if side == "raised" else lowered(script.text)
    at = next((nth for nth, start in enumerate(host.starts) if start > script.x0), len(host.text))
    after = at
    while after < len(host.text) and host.text[after] == " ":  # where the gap was the script's place
        after += 1
    apart = after < len(host.text) and host.starts[after] - script.x1 >= _BESIDE * host.size
    text += " " if apart else ""
    host.starts[at:after] = [script.x0] * len(text)
    host.text = host.text[:at] + text + host.text[after:]
    host.x1 = max(host.x1, script.x1)


def _side(run: Run, glyph: Glyph) -> str:
    """Whether a letter is raised or lowered in the line of the run."""
    return _rise(run, glyph.size, glyph.base[1])


def _rise(run: Run, size: float, base: float) -> str:
    if size >= _SCRIPT * run.size:
        return ""
    rise = (run.base - base) / run.size
    if _HIGH[0] < rise < _HIGH[1]:
        return "raised"
    return "lowered" if _LOW[0] < -rise < _LOW[1] else ""


def _close(run: Run, script: list[Glyph], side: str) -> None:
    """Write a script at the end of the run: 10⁵ is not 105."""
    if not script:
        return
    text = "".join(glyph.char for glyph in script)
    text = raised(text) if side == "raised" else lowered(text)
    space = " " if script[0].space and side != "raised" else ""
    _extend(run, space + text, script[0])
    run.x1 = max(run.x1, script[-1].x1)


def _continues(run: Run, glyph: Glyph) -> bool:
    """Whether a character goes on the run: same line (a raised or lowered small one too), no jump."""
    size, base = max(run.size, glyph.size), glyph.base[1]
    same_line = abs(base - run.base) < 0.15 * size
    middle = (glyph.y0 + glyph.y1) / 2
    script = glyph.size < _SMALL * run.size and run.y0 <= middle <= run.y1 + 0.2 * run.size
    after_script = run.y0 <= run.base and abs(base - run.base) < 0.6 * size and glyph.size > run.size
    return (same_line or script or after_script) and run.x1 - size < glyph.x0 < run.x1 + 1.5 * size


def _extend(run: Run, text: str, glyph: Glyph) -> None:
    before, new = len(run.text), len(text)
    whole = before + new
    run.bold = (run.bold * before + glyph.bold * new) / whole
    run.mono = (run.mono * before + glyph.mono * new) / whole
    run.text += text
    run.starts.extend([glyph.x0] * new)
    run.x0, run.x1 = min(run.x0, glyph.x0), max(run.x1, glyph.x1)
    if glyph.size >= _SMALL * run.size:  # scripts do not stretch the line
        run.y0, run.y1 = min(run.y0, glyph.y0), max(run.y1, glyph.y1)
    if glyph.size > run.size:
        run.base = glyph.base[1] if run.size < _SCRIPT * glyph.size else run.base
        run.size = glyph.size
