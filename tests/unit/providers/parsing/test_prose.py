"""What nobody wrote is told from what only looks so."""

from __future__ import annotations

import base64
import hashlib
import random
from pathlib import Path

import pytest

from youju.errors import DocumentError
from youju.providers.parse_csv import CsvParser
from youju.providers.parse_markdown import MarkdownParser
from youju.providers.parse_text import TextParser
from youju.providers.parsing.prose import check_prose

SAID = "仓库的门每天二十二点锁上，钥匙由值班的人保管。\n"
CHANCE = random.Random(7)  # noqa: S311 - to be the same each time
DATA = CHANCE.randbytes(6_000)
CLASSICAL = (
    "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜金生丽水玉出昆冈剑号巨阙珠称夜光"
    "果珍李柰菜重芥姜海咸河淡鳞潜羽翔龙师火帝鸟官人皇始制文字乃服衣裳推位让国有虞陶唐吊民伐罪周发殷汤坐朝问道垂拱平章"
    "爱育黎首臣伏戎羌遐迩一体率宾归王鸣凤在竹白驹食场化被草木赖及万方盖此身发四大五常恭惟鞠养岂敢毁伤女慕贞洁男效才良"
    "知过必改得能莫忘罔谈彼短靡恃己长信使可复器欲难量墨悲丝染诗赞羔羊景行维贤克念作圣德建名立形端表正"
)
LEGAL = (
    "本办法所称用人单位与劳动者协商一致可以变更劳动合同约定的内容而变更劳动合同应当采用书面形式并且由双方各执一份保存"
    "但是法律行政法规另有规定或者当事人另有约定并且该约定不违反强制性规定也不损害第三人合法权益的除外而且任何一方不得因为"
    "变更之前已经履行的部分主张返还或者拒绝支付已经到期的报酬以及按照国家规定应当缴纳的各项社会保险费用和住房公积金"
)


def wrapped(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


UNWRITTEN = {
    "one letter": "a" * 3_000,
    "a phrase without end": "很长而没有标点" * 500,
    "base64 in one line": base64.b64encode(DATA).decode(),
    "base64 in lines": wrapped(base64.b64encode(DATA).decode(), 76),
    "hexadecimal": wrapped(DATA.hex(), 64),
    "genes": wrapped("".join(CHANCE.choices("ACGT", k=5_000)), 60),  # known and accepted: see the module
    "accents": "a" + "\u0301" * 3_000,
    "a little said": SAID * 5 + base64.b64encode(DATA).decode(),
}
WRITTEN = {
    "prose": SAID * 200,
    "classical Chinese without stops": CLASSICAL * 12,
    "a long sentence of a law": LEGAL * 15,
    "code": Path(__file__).read_text(encoding="utf-8") * 2,
    "long names in code": "def the_amount_that_is_due_at_the_end_of_the_month_for_rent(self) -> None: ...\n" * 60,
    "rules of signs": ("=" * 300 + "\n" + "-" * 300 + "\n" + SAID) * 20,
    "checksums with names": "".join(
        f"{hashlib.sha512(bytes([n])).hexdigest()}  file{n}.iso\n" for n in range(60)
    ),
    "names under checksums": "".join(f"{hashlib.sha256(bytes([n])).hexdigest()}\nfile{n}\n" for n in range(60)),
    "accented letters": "Le café de l’été à l’hôtel où l’on dîne\n" * 90,
    "letters with a mark each": "e\u0301t\u0323a\u0302 " * 800,
    "nothing": "",
}  # fmt: skip


@pytest.mark.parametrize("text", UNWRITTEN.values(), ids=UNWRITTEN)
def test_what_nobody_wrote_is_refused_with_a_remedy(text):
    with pytest.raises(DocumentError) as caught:
        check_prose(text)
    assert caught.value.code == "no_prose"
    assert caught.value.remedy


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_what_somebody_wrote_passes_without_a_word(text):
    assert check_prose(text) == ()


def test_a_book_with_an_appendix_of_numbers_is_read_with_a_warning():
    appendix = wrapped(DATA[:1_000].hex(), 64)  # 2000 characters beside 200 × 23
    assert check_prose(SAID * 200 + appendix) == ("文字有 30% 不像人写的话（编码后的数据或反复的字），问不出内容",)


def test_a_short_file_is_no_proof():
    (warning,) = check_prose("a" * 1_999)
    assert "100%" in warning


def test_the_parsers_of_plain_files_ask(tmp_path):
    path = tmp_path / "file"
    for parser in (TextParser(), MarkdownParser(), CsvParser()):
        path.write_text("名,值\n" + base64.b64encode(DATA).decode())
        with pytest.raises(DocumentError) as caught:
            parser.parse(path)
        assert caught.value.code == "no_prose"


def test_a_picture_inside_a_text_is_no_part_of_it(tmp_path):
    path = tmp_path / "file"
    path.write_text(f"# 仓库\n\n{SAID * 9}\n![门](data:image/png;base64,{base64.b64encode(DATA).decode()})\n")
    assert MarkdownParser().parse(path).warnings == ()
