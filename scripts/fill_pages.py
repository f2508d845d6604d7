"""Write the physical pages into the evidence of the sample question sets: python scripts/fill_pages.py [--check].

The pages are looked up in the books as the PDF parser reads them, from 1; a span that runs over a page break gets both.
Evidence of books without pages is left alone. Running it twice changes nothing. `--check` writes nothing and fails when
a set is stale.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from youju.providers.parse_pdf import PdfParser

SAMPLES = Path(__file__).parent.parent / "src" / "youju" / "samples"
MARKDOWN = str.maketrans("", "", "|*`#")


def folded(text: str) -> str:
    """What is compared: NFKC, without white space and Markdown marks."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text).translate(MARKDOWN))


def books(folder: Path = SAMPLES / "books") -> dict[str, list[str]]:
    """Title → the folded text of each page, of every PDF book."""
    return {
        path.stem: [folded(page.text) for page in PdfParser().parse(path).pages]
        for path in sorted(folder.glob("*.pdf"))
    }


def places(text: str, pages: Sequence[str]) -> list[int]:
    """The page that holds the text, or the two it runs over; of several the first; empty if it stands nowhere."""
    wanted = folded(text)
    whole = [n for n, page in enumerate(pages, start=1) if wanted in page]
    broken = [[n, n + 1] for n, (one, two) in enumerate(pairwise(pages), start=1) if wanted in one + two]
    return whole[:1] or next(iter(broken), [])


def filled(case: dict[str, Any], pages: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Set the pages of one case; yields the evidence that stands nowhere in its book."""
    for evidence in case.get("evidence", ()):
        if evidence["doc"] not in pages:
            continue
        found = places(evidence["text"], pages[evidence["doc"]])
        if found:
            evidence["pages"] = found
        else:
            yield f"{case['id']} {evidence['text']}"


def main(arguments: Sequence[str]) -> int:
    """0, or 1 when a span was not found, or with `--check` when a set is stale."""
    pages = books()
    wrong: list[str] = []
    for path in sorted((SAMPLES / "questions").glob("*.jsonl")):
        before = path.read_text(encoding="utf-8")
        lines: list[str] = []
        for line in before.splitlines():
            case = json.loads(line)
            wrong += [f"{path.name}: not found: {one}" for one in filled(case, pages)]
            lines.append(json.dumps(case, ensure_ascii=False))
        after = "".join(f"{line}\n" for line in lines)
        if after != before and "--check" in arguments:
            wrong.append(f"{path.name}: stale, run scripts/fill_pages.py")
        elif after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{path.name}: written")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
