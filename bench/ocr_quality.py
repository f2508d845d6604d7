"""How well scanned pages are read: errors a character, the decision a page, seconds and memory.

    python bench/ocr_quality.py read      # pages rendered from known text, clean, noisy, askew, turned, in columns
    python bench/ocr_quality.py decide    # 78 pages of eight kinds: which of them go to OCR

Whether a scanned book answers from the same pages as the book itself: `same_pages.py`.

Needs the extra `ocr` and, for `read`, a Chinese font: --font PATH (the Noto CJK fonts of fonts-noto-cjk by default).
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import cv2
import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageDraw, ImageFont

from scanning import picture_of, place, saved, scanned
from youju import samples
from youju.providers.ocr.engine import Engine
from youju.providers.ocr.layer import layer
from youju.providers.ocr.page import seen
from youju.providers.ocr.scans import Scans
from youju.providers.pdf import chars
from youju.providers.pdf.document import Scroll, document

FONT = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc")
A4 = (8.27, 11.69)  # inches
POINT = 10.5
PAGES = 2
SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("read", "decide"))
    parser.add_argument("--font", type=Path, default=FONT)
    parser.add_argument("--pages", type=int, default=PAGES)
    asked = parser.parse_args()
    if asked.what == "read":
        read(asked.font, asked.pages)
    else:
        decide()
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


# --- errors a character ----------------------------------------------------------------------------------------------


def read(font: Path, pages: int) -> None:
    engine = Engine()
    texts = prose(pages)
    print("| condition | characters | errors | confidence | CPU s/page | wall s/page |\n|---|---|---|---|---|---|")
    for name, dpi, columns, spoil in CONDITIONS:
        wrong = total = 0
        confidence = cpu = wall = 0.0
        for at, text in enumerate(texts):
            picture = spoil(typeset(text, font, dpi, columns), np.random.default_rng(SEED + at))
            began = time.process_time(), time.perf_counter()
            page = seen(picture, 1, 72 / dpi, engine)
            cpu, wall = cpu + time.process_time() - began[0], wall + time.perf_counter() - began[1]
            got = document(Scroll([page.sheet]), 1.0).pages[0].text if page.sheet.runs else ""
            wrong += distance(plain(text), plain(got))
            total += len(plain(text))
            confidence += page.confidence
        n = len(texts)
        print(f"| {name} | {total} | {wrong / total:.2%} | {confidence / n:.3f} | {cpu / n:.1f} | {wall / n:.1f} |",
              flush=True)  # fmt: skip


def prose(pages: int) -> list[str]:
    """So many pages of the sample books' sources, 38 characters a line, 40 lines; without their marks."""
    root = Path(__file__).resolve().parent.parent / "samples" / "source"
    whole = [(root / f"{name}.md").read_text(encoding="utf-8") for name in ("函数入门", "慢行集", "青梧网关技术手册")]
    found = []
    for at in range(pages):
        text = whole[at % len(whole)]
        paragraphs = [re.sub(r"[*`#>|\\$]|\[\^\d+\]:?", "", one).strip() for one in text.split("\n")[40:]]
        lines = [line for one in paragraphs[at * 7 :] if len(one) > 30 for line in wrapped(one, 38)]
        found.append("\n".join(lines[:40]))
    return found


def wrapped(text: str, wide: int) -> Iterator[str]:
    line, used = "", 0.0
    for char in text:
        used += 1.0 if unicodedata.east_asian_width(char) in "WF" else 0.6
        if used > wide:
            yield line
            line, used = "", 1.0
        line += char
    yield line


def typeset(text: str, font: Path, dpi: int, columns: int) -> np.ndarray:
    """The text on an A4 page; two columns hold 20 lines of the 40 each, in small print."""
    width, height = round(A4[0] * dpi), round(A4[1] * dpi)
    page = Image.new("L", (width, height), 255)
    draw = ImageDraw.Draw(page)
    size = POINT * dpi / 72 * (0.55 if columns == 2 else 1.0)
    type_ = ImageFont.truetype(str(font), size, index=2)
    lines = text.split("\n")
    each = -(-len(lines) // columns)
    for at, line in enumerate(lines):
        x = width * (0.1 + 0.42 * (at // each))
        draw.text((x, height * 0.08 + (at % each) * size * 1.75), line, fill=20, font=type_)
    return np.repeat(np.asarray(page)[:, :, None], 3, axis=2)


def clean(picture: np.ndarray, _chance: np.random.Generator) -> np.ndarray:
    return picture


def noisy(sigma: float, blur: float, quality: int) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    def spoil(picture: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.float32)
        soft = np.clip(soft * 0.85 + 25 + chance.normal(0, sigma, soft.shape[:2])[:, :, None], 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", soft, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))

    return spoil


def askew(degrees: float) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    def spoil(picture: np.ndarray, _chance: np.random.Generator) -> np.ndarray:
        height, width = picture.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        return cv2.warpAffine(picture, turn, (width, height), borderValue=(255, 255, 255))

    return spoil


def turned(quarters: int) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    return lambda picture, _chance: np.ascontiguousarray(np.rot90(picture, quarters))


CONDITIONS = [
    ("150 dpi", 150, 1, clean),
    ("200 dpi", 200, 1, clean),
    ("300 dpi", 300, 1, clean),
    ("200 dpi, noise 10, blur .8, JPEG 45", 200, 1, noisy(10, 0.8, 45)),
    ("200 dpi, noise 18, blur 1, JPEG 45", 200, 1, noisy(18, 1.0, 45)),
    ("200 dpi, 1° askew", 200, 1, askew(1)),
    ("200 dpi, 3° askew", 200, 1, askew(-3)),
    ("200 dpi, two columns of 5.8 pt", 200, 2, clean),
    ("300 dpi, two columns of 5.8 pt", 300, 2, clean),
    ("200 dpi, turned 90°", 200, 1, turned(1)),
    ("200 dpi, turned 180°", 200, 1, turned(2)),
]


def plain(text: str) -> str:
    """Without white space; what looks the same in print (−, full-width signs) is the same."""
    return re.sub(r"\s|[|]|-{3,}", "", unicodedata.normalize("NFKC", text).replace("\u2212", "-"))


def distance(a: str, b: str) -> int:
    """Levenshtein's."""
    codes = np.frombuffer(b.encode("utf-32-le"), np.uint32)
    row = np.arange(len(codes) + 1)
    for at, char in enumerate(a, start=1):
        best = np.minimum(row[:-1] + (codes != ord(char)), row[1:] + 1)
        # What insertions cost runs on from left to right: a running minimum of what is left after one a step.
        steps = np.concatenate(([at], best)) - np.arange(len(codes) + 1)
        row = np.minimum.accumulate(steps) + np.arange(len(codes) + 1)
    return int(row[-1])


# --- which pages are read --------------------------------------------------------------------------------------------


def decide() -> None:
    kinds = {
        "text": ("keep", text_pages(12)),
        "scan": ("read", scanned(text_pages(12))),
        "scan with a good layer": ("keep", under_picture(text_pages(12), lose=0.0)),
        "scan with half a layer": ("read", under_picture(text_pages(10), lose=0.5)),
        "scan with a garbage layer": ("read", under_picture(unmapped(text_pages(8)), lose=0.0)),
        "font without a map": ("read", unmapped(text_pages(8))),
        "empty": ("blank", empty(8)),
        "figure only": ("nothing", figures(8)),
    }
    right = total = 0
    for name, (expected, data) in kinds.items():
        outcomes = list(decisions(data, through=expected == "nothing"))
        fine = {expected, "blank"} if expected == "nothing" else {expected}
        hits = sum(one in fine for one in outcomes)
        wrong = [f"page {at} {one}" for at, one in enumerate(outcomes, start=1) if one not in fine]
        right, total = right + hits, total + len(outcomes)
        print(f"{name}: {hits} of {len(outcomes)} {'; '.join(wrong)}", flush=True)
    print(f"decisions right: {right} of {total} = {right / total:.3f}")


def decisions(data: bytes, *, through: bool) -> Iterator[str]:
    """keep, read, blank; with `through` pages are read, and nothing is said of those on which OCR finds nothing."""
    opened = pypdfium2.PdfDocument(data)
    scans = Scans(opened)
    for sheet in chars.sheets(opened)[0]:
        todo = scans.todo(sheet, layer(sheet))
        if todo == "read" and through:
            scans.readings.pages.clear()
            done = scans.read([sheet])[0]
            todo = "read" if done.text.strip() else "nothing"
        yield todo


def text_pages(count: int) -> bytes:
    made = pypdfium2.PdfDocument.new()
    books = [pypdfium2.PdfDocument(bytes(book.read_bytes())) for book in samples.books() if book.name.endswith(".pdf")]
    for at in range(count):
        book = books[at % len(books)]
        made.import_pages(book, [3 + at // len(books)])
    return saved(made)


def under_picture(data: bytes, lose: float) -> bytes:
    """The pages with a picture of themselves above their text, of which a share is lost."""
    made = pypdfium2.PdfDocument(data)
    chance = random.Random(SEED)  # noqa: S311 (no secret)
    for page in made:
        picture = picture_of(page)
        for one in list(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT])):
            if chance.random() < lose:
                page.remove_obj(one)
        place(made, page, picture)
    return saved(made)


def unmapped(data: bytes) -> bytes:
    """The pages without the maps from glyphs to characters."""
    return re.sub(rb"/ToUnicode \d+ 0 R", lambda found: b" " * len(found.group()), data)


def empty(count: int) -> bytes:
    """Nothing, or a scan of nothing."""
    made = pypdfium2.PdfDocument.new()
    chance = np.random.default_rng(SEED)
    for at in range(count):
        page = made.new_page(595, 842)
        if at % 2:
            paper = np.clip(chance.normal(236, 4, (1170, 827, 3)), 0, 255).astype(np.uint8)
            place(made, page, Image.fromarray(paper))
    return saved(made)


def figures(count: int) -> bytes:
    """Curves, bars and blurred patches, as pictures of a page; no letter among them."""
    made = pypdfium2.PdfDocument.new()
    chance = np.random.default_rng(SEED)
    for at in range(count):
        picture = np.full((1170, 827, 3), 255, np.uint8)
        if at % 2:
            spots = cv2.GaussianBlur(chance.integers(0, 256, (1170, 827, 3)).astype(np.uint8), (0, 0), 30 + 5 * at)
            picture = cv2.normalize(spots, None, 0, 255, cv2.NORM_MINMAX)
        else:
            xs = np.arange(100, 720)
            ys = (600 + 300 * np.sin(xs / (40 + 10 * at))).astype(int)
            cv2.polylines(picture, [np.stack([xs, ys], axis=1).astype(np.int32)], False, (30, 30, 160), 4)
            cv2.rectangle(picture, (100, 950), (100 + 60 * (at + 2), 1050), (90, 140, 60), -1)
        place(made, made.new_page(595, 842), Image.fromarray(picture))
    return saved(made)


if __name__ == "__main__":
    main()
