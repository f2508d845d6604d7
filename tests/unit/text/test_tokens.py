"""Terms of the index and of queries."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.text.tokens import Term, index_terms, query_terms, variants

WORDS = [
    "第三章", "第 3 章", "第一千二百六十条", "第二十条之一", "例1", "表3-1", "附录A", "3.2节", "QW-4031",
    "route.retry.max_attempts", "maxConn", "MAX_CONN", "v3.2.1", "三天", "30 秒", "512MiB", "百分之五",
    "1.5万元", "2025年3月1日", "「弹性伸缩」", "“退款”", "《劳动合同法》", "退款", "锁", "的", "是什么",
    "怎么", "，", "。", " ", "\n", '"a b"', "C++", "ＡＢＣ", "㎡", "😀", "\x00", "\ud800",
]  # fmt: skip
BUILT = st.lists(st.sampled_from(WORDS), max_size=12).map("".join)
ANY = st.text(st.characters(exclude_categories=()), max_size=60)


def strong(text, dictionary=frozenset()):
    return [term.text for term in query_terms(text, dictionary) if term.strong]


def weak(text):
    return [term.text for term in query_terms(text) if not term.strong]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("第三章讲了什么", "第3章"),
        ("第 三 章", "第3章"),
        ("第３章", "第3章"),
        ("第一千二百六十条", "第1260条"),
        ("第1260条", "第1260条"),
        ("第〇章", "第0章"),
        ("第两百条", "第200条"),
        ("第廿三回", "第23回"),
        ("第壹章", "第1章"),
        ("第二十条之一", "第20条之1"),
        ("第20条之一", "第20条之1"),
        ("例 1", "例1"),
        ("定义3.1", "定义3.1"),
        ("见图 2", "图2"),
        ("表3-1", "表3-1"),
        ("附录 A", "附录a"),
        ("§ 3.2", "§3.2"),
        ("3.2 节", "§3.2"),
        ("第3.2节", "§3.2"),
        ("Chapter 3", "第3章"),
        ("三天内", "3天"),
        ("３天", "3天"),
        ("3 天", "3天"),
        ("两年", "2年"),
        ("百分之五", "5%"),
        ("５％", "5%"),
        ("30 秒", "30秒"),
        ("512MiB", "512mib"),
        ("3.5 元", "3.5元"),
        ("1.5万元", "15000元"),
        ("2025/3/1", "2025年3月1日"),
        ("错误码QW-4031怎么办", "qw-4031"),
        ("ＱＷ－４０３１", "qw-4031"),
        ("route.retry.max_attempts", "route.retry.max_attempts"),
        ("max-conn", "max-conn"),
        ("升级到v3.2.1", "v3.2.1"),
        ("升级到v3.2.1", "3.2.1"),
        ("3.2.0版", "3.2.0"),
        ("maxRetryCount", "maxretrycount"),
        ("MAX_CONN", "max_conn"),
        ("打开/etc/hosts文件", "etc/hosts"),
        ("用VPN吗", "vpn"),
        ("C++", "c++"),
    ],
)
def test_a_strong_signal_is_one_canonical_term_on_both_sides(text, expected):
    assert expected in strong(text)
    assert expected in index_terms(text)


def test_the_parts_of_a_key_are_weaker_terms():
    assert {"route", "retry", "max", "attempts", "max_attempts"} <= set(weak("route.retry.max_attempts"))
    assert {"max", "retry", "count"} <= set(weak("maxRetryCount"))
    assert "route" in index_terms("route.retry.max_attempts")


def test_a_question_of_function_words_and_punctuation_has_no_terms():
    for text in ["什么是怎么如何？", "！？😀", "  ", "请问为什么呢", "的了是", "What is the", "\x00\ud800"]:
        assert query_terms(text) == []


def test_question_words_leave_only_the_matter():
    assert query_terms("退款需要多少天？") == [Term("退款", strong=False), Term("天", strong=False)]


def test_a_word_next_to_a_comma_is_found():
    for text in ["备份，数据，锁。", "备份,数据,锁."]:
        assert [t.text for t in query_terms(text)] == ["备份", "数据", "锁"]


def test_full_width_letters_are_letters():
    assert query_terms("ＶＰＮ") == query_terms("VPN")


def test_an_upper_case_name_is_no_function_word_in_a_chinese_question():
    assert strong("WHO的规定") == ["who"]


def test_quoted_words_are_strong_and_in_the_index():
    assert set(strong("「弹性伸缩」怎么配")) == {"弹性", "伸缩"}
    assert {"弹性", "伸缩"} <= set(index_terms("支持弹性伸缩"))


def test_a_long_quotation_is_not_strong():
    assert strong("他说“我们明天上午一起去图书馆借书看书”") == []


def test_a_word_of_the_users_dictionary_stays_whole():
    own = frozenset({"有据平台", "A股"})
    assert set(strong("有据平台与A股", own)) == {"有据平台", "a股"}
    assert "有据平台" in index_terms("在有据平台上", own)


def test_a_latin_word_of_the_dictionary_is_not_found_inside_another():
    own = frozenset({"api"})
    assert "api" not in index_terms("capital", own)
    assert strong("用API吗", own) == ["api"]


def test_the_same_words_count_as_often_as_they_stand_in_the_index():
    assert index_terms("数据，数据。") == ["数据", "数据"]


def test_an_unknown_word_is_cut_alike_in_every_context():
    for text in ["何敏之", "老组长何敏之有办法", "问何敏之去"]:
        assert {"何", "敏"} <= set(index_terms(text))


def test_a_unit_apart_from_its_number_is_no_name():
    assert strong("上限为 9 MiB") == ["9mib"]


def test_a_casual_count_is_no_exact_signal():
    assert strong("改过两次密码") == []
    assert "2次" in weak("改过两次密码")


def test_variants_name_what_was_recognised():
    found = variants("第三章里QW-4031和QW-4032的区别，30秒内")
    assert found["强信号"] == ["qw-4031", "qw-4032"]
    assert found["数字条件"] == ["30秒"]
    assert found["章节表达"] == ["第3章"]
    assert found["意图词"] == ["区别"]


def test_variants_without_anything_special_are_empty():
    assert variants("锁") == {}


@given(st.one_of(BUILT, ANY))
def test_every_query_term_is_an_index_term_of_the_same_text(text):
    index = index_terms(text)
    assert {term.text for term in query_terms(text)} <= set(index)
    for term in index:
        assert term
        assert not any(c.isspace() or c in "\"'" for c in term)
        assert any(c.isalnum() for c in term)
        term.encode("utf-8")


@given(BUILT, BUILT)
def test_own_words_are_found_wherever_they_stand(before, after):
    own = frozenset({"有据平台"})
    assert "有据平台" in index_terms(f"{before}，有据平台，{after}", own)


@pytest.mark.parametrize(
    "text",
    ["一" * 10000, "1" * 10000, "第一" * 5000, " " * 10000, "a-" * 5000, "“甲" * 5000, "二次函数的图象。" * 1250],
)
def test_ten_thousand_characters_take_linear_time(text):
    index_terms("一")  # loads the dictionary
    begin = time.process_time()
    index_terms(text)
    assert time.process_time() - begin < 2
