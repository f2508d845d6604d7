"""How well PDFs with a text layer are read: books with known truth through the parser, a line a book.

python bench/parse_quality.py                 # all books, about a minute
python bench/parse_quality.py tables law      # these
python bench/parse_quality.py --short         # all but the one of 500 pages
python bench/parse_quality.py tables --misses # and what was not found
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from corpus.books import every
from corpus.harder import more
from corpus.measure import added, measures, misses
from corpus.truth import Made
from youju.errors import DocumentError
from youju.providers.parse_pdf import PdfParser
from youju.types import ParsedDocument

SHORT = {"heading_recall": "h_rec", "heading_precision": "h_prec", "heading_levels": "h_lev", "tables_whole": "t_whole"}


def read(made: Made, folder: Path) -> ParsedDocument:
    path = folder / f"{made.name}.pdf"
    path.write_bytes(made.data)
    # The book whose font says nothing is garbage by half: here it is to be read all the same.
    return PdfParser(max_garbage_ratio=1.0).parse(path)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("books", nargs="*")
    options.add_argument("--short", action="store_true")
    options.add_argument("--misses", action="store_true")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    books = every(long=not chosen.short) | more()
    results, columns = {}, []
    seconds = pages = 0.0
    with tempfile.TemporaryDirectory() as name:
        for book in chosen.books or books:
            made = books[book]()
            began = time.process_time()
            try:
                document = read(made, Path(name))
            except DocumentError as error:
                print(f"{book}: {error.code} {error}")
                continue
            seconds += time.process_time() - began
            pages += len(document.pages)
            results[book] = measures(made, document)
            columns += [one for one in results[book] if one not in columns]
            if chosen.misses:
                print("\n".join(misses(made, document)))
    shown(results, columns)
    print(f"{pages:.0f} pages, {pages / max(seconds, 0.001):.0f} pages a CPU second")
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=1), "utf-8")


def shown(results: dict[str, dict[str, tuple[float, float]]], columns: list[str]) -> None:
    print("| book | " + " | ".join(SHORT.get(one, one) for one in columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name, result in [*results.items(), ("all", added(list(results.values())))]:
        cells = [
            f"{right / count:.3f}" if count else "" for right, count in (result.get(one, (0, 0)) for one in columns)
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
