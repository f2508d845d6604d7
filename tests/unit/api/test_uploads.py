from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.api.uploads import bare, disposition


@pytest.mark.parametrize(
    "value, name, file_name",
    [
        (b'form-data; name="title"', "title", None),
        (b'form-data; name="file"; filename="a.md"', "file", "a.md"),
        (b"form-data; name=file; filename=a.md", "file", "a.md"),
        (b'form-data; name="file"; filename=""', "file", ""),
        ('form-data; name="file"; filename="手册 v1.md"'.encode(), "file", "手册 v1.md"),
        ('form-data; name="file"; filename="手册.md"'.encode("gb18030"), "file", "手册.md"),
        (b'form-data; name="file"; filename="a.md"; filename*=UTF-8\'\'%E6%89%8B.md', "file", "手.md"),
        (b'form-data; name="file"; filename*=UTF-8\'zh\'%E6%89%8B.md; filename="a.md"', "file", "手.md"),
        (b'form-data; name="file"; filename="a.md"; filename*=klingon\'\'%41.md', "file", "a.md"),
        (b'form-data; name="file"; filename="a.md"; filename*=UTF-8\'\'%FF.md', "file", "a.md"),
        (b'form-data; name="file"; filename="a\\"b;c.md"', "file", 'a"b;c.md'),
        (b"", "", None),
    ],
)
def test_the_names_of_a_part_are_read(value, name, file_name):
    assert disposition(value) == (name, file_name)


@pytest.mark.parametrize(
    "name, kept",
    [
        ("a/b/c.md", "c.md"),
        ("c:\\x\\y.md", "y.md"),
        ("/", ""),
        ("../..", ".."),
        ("x" * 300 + ".pdf", "x" * 251 + ".pdf"),
        ("x" * 300, "x" * 255),
        ("a\0b\n.md", "ab .md"),
        ("  .md ", ".md"),
        ("\ud800.md", ".md"),
    ],
)
def test_a_name_is_the_last_part_of_a_path(name, kept):
    assert bare(name) == kept


@given(st.text())
def test_a_name_never_leaves_its_folder_and_is_never_too_long(name):
    made = bare(name)
    assert "/" not in made
    assert "\\" not in made
    assert "\0" not in made
    assert len(made) <= 255


@given(st.binary())
def test_no_header_breaks_the_reading(value):
    disposition(value)
