"""PDFs: locked, cut, damaged, and made to have no end."""

from __future__ import annotations

import hashlib
import random
import zlib
from collections.abc import Iterator, Sequence

from hostile.file import FAILED, READY, File
from pdfs import assembled, lines, pdf, stream

PAD = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
IDENTITY = bytes(range(16))
CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
MARKS = b"BT /F 12 Tf 50 500 Td (Some ordinary words of a page) Tj ET"
FONT = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"


def documents() -> Iterator[File]:
    good = book(3)
    yield File("locked.pdf", locked(b"open sesame"), FAILED)
    yield File("owned.pdf", locked(b""))
    yield from (File(f"cut{n}.pdf", good[: len(good) * n // 14]) for n in range(1, 14))
    yield from (File(f"flipped{seed}.pdf", flipped(good, seed)) for seed in range(14))
    yield File("headless.pdf", b"\n" * 3000 + good[9:], FAILED)
    yield File("tailed.pdf", good + b"\0" * 100_000)
    yield from bombs()
    yield from trees()
    yield File("many-pages.pdf", book(500), READY)


def book(pages: int) -> bytes:
    said = "本页说的是第{}个测量点，它的读数每天记录两次，超过规定的数值时应当报告。"
    return pdf([lines(50, 60 + n % 7, [said.format(n * 3 + k) for k in range(3)]) for n in range(pages)])


def flipped(data: bytes, seed: int) -> bytes:
    """With a few dozen bytes changed."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    changed = bytearray(data)
    for _ in range(4 * (seed + 1)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def one_page(content: bytes, *more: bytes, resources: bytes = FONT) -> bytes:
    """A page with the stream object `content`; `more` objects are numbered from 5."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Contents 4 0 R%s>>" % resources
    return assembled([CATALOG, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, content, *more])


def deflated(times: int, size: int) -> bytes:
    """`size` MiB of line feeds, compressed again and again."""
    packing = zlib.compressobj(9)
    block = b"\n" * (1 << 20)
    data = b"".join(packing.compress(block) for _ in range(size)) + packing.flush()
    for _ in range(times - 1):
        data = zlib.compress(data, 9)
    return data


def bombs() -> Iterator[File]:
    twice, thrice = deflated(2, 512), deflated(3, 512)
    yield File("deflated-twice.pdf", one_page(stream(twice, b"/FlateDecode/FlateDecode")))
    yield File("deflated-thrice.pdf", one_page(stream(thrice, b"/FlateDecode/FlateDecode/FlateDecode")))
    yield File("laughs.pdf", laughs())
    yield File("selfish-form.pdf", selfish())
    yield File("nested-arrays.pdf", one_page(stream(zlib.compress(b"[" * 400_000))))
    yield File("nested-objects.pdf", assembled([b"<</Type/Catalog/Pages 2 0 R/X" + b"[" * 50_000, CATALOG]))
    yield File("unending-states.pdf", one_page(stream(zlib.compress(b"q " * 1_000_000 + MARKS))))
    yield File(
        "huge-picture.pdf", one_page(stream(zlib.compress(b"q 400 0 0 600 0 0 cm /I Do Q")), picture(), resources=USED)
    )
    yield File("much-text.pdf", one_page(stream(zlib.compress(MARKS * 60_000))))
    yield File(
        "all-in-one-place.pdf",
        one_page(stream(zlib.compress(b"BT /F 1 Tf 1 1 Td (" + b"word " * 400_000 + b") Tj ET"))),
    )
    yield File("script.pdf", scripted())


USED = b"/Resources<</XObject<</I 5 0 R>>>>"


def picture() -> bytes:
    head = b"<</Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB"
    return head + b"/Filter/FlateDecode/Length 8>>stream\n" + zlib.compress(b"") + b"\nendstream"


def laughs() -> bytes:
    """Ten forms, each of which draws the next one ten times."""
    forms = []
    for n in range(10):
        drawn = b"/X Do " * 10 if n < 9 else MARKS
        inner = b"/Resources<</XObject<</X %d 0 R>>>>" % (6 + n) if n < 9 else FONT
        head = b"<</Type/XObject/Subtype/Form/BBox[0 0 400 600]%s/Length %d>>" % (inner, len(drawn))
        forms.append(head + b"stream\n" + drawn + b"\nendstream")
    return one_page(stream(zlib.compress(b"/X Do " * 10)), *forms, resources=b"/Resources<</XObject<</X 5 0 R>>>>")


def selfish() -> bytes:
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Length 5>>"
    form = head + b"stream\n/X Do\nendstream"
    return one_page(stream(zlib.compress(b"/X Do")), form, resources=b"/Resources<</XObject<</X 5 0 R>>>>")


def scripted() -> bytes:
    catalog = b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL('http://127.0.0.1:9'))>>>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Contents 4 0 R%s>>" % FONT
    return assembled([catalog, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, stream(zlib.compress(MARKS))])


def trees() -> Iterator[File]:
    def tree(pages: bytes, *more: bytes) -> bytes:
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Contents 4 0 R%s>>" % FONT
        return assembled([CATALOG, pages, page, stream(zlib.compress(MARKS)), *more])

    yield File("kids-are-parents.pdf", tree(b"<</Type/Pages/Count 9/Kids[2 0 R 2 0 R 3 0 R]>>"))
    yield File(
        "kids-in-a-ring.pdf", tree(b"<</Type/Pages/Count 9/Kids[5 0 R]>>", b"<</Type/Pages/Count 9/Kids[2 0 R]>>")
    )
    for count in (-1, 0, 2, 70_000, 2_000_000_000):
        yield File(f"count{count}.pdf", tree(b"<</Type/Pages/Count %d/Kids[3 0 R]>>" % count))
    yield File("one-page-often.pdf", tree(b"<</Type/Pages/Count 20000/Kids[%s]>>" % (b"3 0 R " * 20_000)))
    yield File("no-kids.pdf", tree(b"<</Type/Pages/Count 1/Kids[]>>"), FAILED)
    lone = [b"<</Type/Pages/Count 1/Kids[3 0 R]/Parent 2 0 R>>", b"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>"]
    yield File("parent-of-itself.pdf", assembled([CATALOG, *lone, stream(zlib.compress(MARKS))]))
    ring = assembled([CATALOG, b"<</Type/Pages/Count 1/Kids[3 0 R]>>"], b"/Prev 9")
    yield File("tables-in-a-ring.pdf", ring.replace(b"/Prev 9", b"/Prev %d" % ring.rindex(b"xref\n0")))
    yield File("vast.pdf", boxed(b"0 0 1e30 1e30"))
    yield File("backwards.pdf", boxed(b"600 400 0 0"))
    yield File("flat.pdf", boxed(b"0 0 0 0"))


def boxed(box: bytes) -> bytes:
    return one_page(stream(zlib.compress(MARKS))).replace(b"[0 0 400 600]", b"[" + box + b"]")


# --- locks -----------------------------------------------------------------------------------------------------------


def locked(password: bytes) -> bytes:
    """A page under the oldest of the standard locks, 40 bits of RC4; opens without a word where it is empty."""
    owner = rc4(hashlib.md5(padded(b"the owner")).digest()[:5], padded(password))  # noqa: S324 - what the format says
    allowed = (-4).to_bytes(4, "little", signed=True)
    key = hashlib.md5(padded(password) + owner + allowed + IDENTITY).digest()[:5]  # noqa: S324 - as above
    content = rc4(object_key(key, 4), MARKS)
    lock = b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>" % (owner.hex().encode(), rc4(key, PAD).hex().encode())
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Contents 4 0 R%s>>" % FONT
    held = b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)
    named = IDENTITY.hex().encode()
    trailer = b"/Encrypt 5 0 R/ID[<%s><%s>]" % (named, named)
    return assembled([CATALOG, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, held, lock], trailer)


def padded(password: bytes) -> bytes:
    return (password + PAD)[:32]


def object_key(key: bytes, number: int) -> bytes:
    mixed = key + number.to_bytes(3, "little") + b"\0\0"
    return hashlib.md5(mixed).digest()[: len(key) + 5]  # noqa: S324 - what the format says


def rc4(key: Sequence[int], data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
