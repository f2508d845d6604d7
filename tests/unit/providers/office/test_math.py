from __future__ import annotations

import io

import pytest

from office import M
from youju.providers.office.math import formula
from youju.providers.office.xml import parsed


def told(inside: str) -> str:
    return formula(parsed(io.BytesIO(f'<m:oMath xmlns:m="{M}">{inside}</m:oMath>'.encode())))


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def of(name: str, **parts: str) -> str:
    return f"<m:{name}>{''.join(f'<m:{part}>{inside}</m:{part}>' for part, inside in parts.items())}</m:{name}>"


@pytest.mark.parametrize(
    "inside, text",
    [
        (of("f", num=r("a"), den=r("b")), "a/b"),
        (of("f", num=r("a+1"), den=r("2b")), "(a+1)/2b"),
        (of("sSup", e=r("x"), sup=r("2")), "x²"),
        (of("sSup", e=r("x"), sup=r("n+1")), "xⁿ⁺¹"),
        (of("sSup", e=r("a+b"), sup=r("2")), "(a+b)²"),
        (of("sSub", e=r("a"), sub=r("1")), "a₁"),
        (of("sSubSup", e=r("x"), sub=r("1"), sup=r("2")), "x₁²"),
        (of("rad", deg="", e=r("2")), "√2"),
        (of("rad", deg=r("3"), e=r("x+1")), "∛(x+1)"),
        (of("d", e=r("x+1")), "(x+1)"),
        ('<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e>' + r("x") + "</m:e></m:d>", "|x|"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>' + f"<m:sub>{r('i=1')}</m:sub><m:sup>{r('n')}</m:sup>"
            f"<m:e>{r('i')}</m:e></m:nary>",
            "∑ᵢ₌₁ⁿ i",
        ),
        (of("func", fName=r("sin"), e=r("x")), "sin x"),
        ("<m:m>" + of("mr", e=r("1")) + of("mr", e=r("0")) + "</m:m>", "[1; 0]"),
    ],
)
def test_a_formula_is_one_line_of_plain_text(inside, text):
    assert told(inside) == text
