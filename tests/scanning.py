"""PDFs as a scanner makes them: each page a picture, askew and noisy; pieces of PDFs."""

from __future__ import annotations

import io
from collections.abc import Iterable

import cv2
import numpy as np
import pypdfium2
from PIL import Image

QUALITY = 80  # of JPEG


def saved(made: pypdfium2.PdfDocument) -> bytes:
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def pages_of(data: bytes, numbers: Iterable[int]) -> bytes:
    """A PDF of these pages, counted from 1."""
    made = pypdfium2.PdfDocument.new()
    made.import_pages(pypdfium2.PdfDocument(data), [n - 1 for n in numbers])
    return saved(made)


def picture_of(page: pypdfium2.PdfPage, dpi: int = 200) -> Image.Image:
    return page.render(scale=dpi / 72).to_pil().convert("RGB")


def place(made: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, picture: Image.Image) -> None:
    """The picture over all of the page."""
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG", quality=QUALITY)
    jpeg.seek(0)
    one = pypdfium2.PdfImage.new(made)
    one.load_jpeg(jpeg)
    width, height = page.get_size()
    one.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
    page.insert_obj(one)
    page.gen_content()


def scanned(data: bytes, dpi: int = 200, *, degrees: float = 0.0, noise: float = 0.0, seed: int = 7) -> bytes:
    """The pages as pictures, turned by so many degrees to the left and to the right in turn.

    `noise`: standard deviation in grey levels of 255; with any, white paper is a little grey and letters a little soft.
    """
    made = pypdfium2.PdfDocument.new()
    chance = np.random.default_rng(seed)
    for at, page in enumerate(pypdfium2.PdfDocument(data)):
        picture = np.asarray(picture_of(page, dpi))
        picture = askew(picture, degrees if at % 2 else -degrees) if degrees else picture
        picture = noisy(picture, noise, chance) if noise else picture
        place(made, made.new_page(*page.get_size()), Image.fromarray(picture))
    return saved(made)


def askew(picture: np.ndarray, degrees: float) -> np.ndarray:
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    return cv2.warpAffine(picture, turn, (width, height), flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))


def noisy(picture: np.ndarray, sigma: float, chance: np.random.Generator) -> np.ndarray:
    soft = cv2.GaussianBlur(picture, (0, 0), 0.6).astype(np.float32) * 0.9 + 15
    grain = chance.normal(0, sigma, soft.shape[:2]).astype(np.float32)
    return np.clip(soft + grain[:, :, None], 0, 255).astype(np.uint8)
