"""Text read in the wrong encoding is told from text in any language."""

from __future__ import annotations

import pytest

from youju.providers.parsing.decoding import decode, garbage_ratio, read_text

RULES = (
    "第一条 员工应当在每月五日以前提交考勤记录，由人力资源部审核后归档保存。第二条 报销单据应当附有发票原件，"
    "金额超过三千元的须经总经理批准。"
)
TRADITIONAL = "第一條 員工應當在每月五日以前提交考勤記錄，由人力資源部審核後歸檔保存。"


@pytest.mark.parametrize(
    "text",
    [
        RULES.encode().decode("gbk", "ignore"),
        RULES.encode().decode("gb18030", "replace"),
        RULES.encode().decode("latin-1"),
        RULES.encode().decode("cp1252", "replace"),
        RULES.encode("gbk").decode("latin-1"),
        RULES.encode("gbk").decode("cp1252", "replace"),
        "锟斤拷" * 30,
        "内容锟斤拷锟斤拷锟斤拷后面",
        "CafÃ© crÃ¨me",
        "烫烫烫烫烫烫",
    ],
)
def test_what_was_read_in_a_wrong_encoding_is_garbage(text):
    assert garbage_ratio(text) > 0.2


@pytest.mark.parametrize(
    "text",
    [
        RULES,
        TRADITIONAL,
        "联通的信号不好。中国联通，联想，通联",
        "唵嘛呢叭咪吽。魑魅魍魉，饕餮貔貅，踯躅徘徊，蟾蜍蜈蚣蚂蟥鹧鸪。",
        "龙行龘龘，前程朤朤。",
        "Café crème à la carte, où l’élève naïf reçut un œuf : « ÉTÉ À PÂQUES », 5 € — déjà vu…",
        "Größe, Übermaß, Äußerung, Straße – „Schöne Grüße“ für Müßiggänger.",
        "MANHÃ, São Paulo, ação e coração; ¡¿Qué?! Año; Łódź, žluťoučký kůň.",
        "これは日本語の文書です。社員は毎月五日までに勤怠記録を提出する。",
        "이것은 한국어 문서입니다. 직원은 매월 근태 기록을 제출해야 합니다.",
        "±5°C，×10³，½，§ 3，«…»，£20，¥30，α ≤ β",
        "Русский текст и ελληνικά γράμματα.",
    ],
)
def test_real_text_in_any_language_is_none(text):
    assert garbage_ratio(text) == 0


def test_one_damaged_byte_costs_one_character(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(RULES.encode() * 50 + b"\xff\n" + "违约金为百分之九。".encode())
    text, ratio = read_text(path, 0.05)
    assert text.endswith("违约金为百分之九。")
    assert 0 < ratio < 0.001


def test_bytes_that_are_half_in_one_encoding_and_half_in_another_are_garbled():
    assert garbage_ratio(decode(RULES.encode() + b"\n" + RULES.encode("gbk"))) > 0.05
