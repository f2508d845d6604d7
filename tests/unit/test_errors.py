from __future__ import annotations

import re
from inspect import getmembers, isclass
from typing import get_args

import pytest

from youju import errors
from youju.errors import InputError, Mender, ProviderError, YoujuError

CLASSES = {name: cls for name, cls in getmembers(errors, isclass) if issubclass(cls, YoujuError)}
DRAWN = re.compile(
    r"^(?P<branch>[│├└─ ]*)(?P<name>\w+Error) +(?P<status>\d{3}) +(?:the )?(?P<mender>\w+):", re.MULTILINE
)


def drawn() -> dict[str, tuple[str, int, str]]:
    """Name → parent, status and mender, as the docstring draws them."""
    found: dict[str, tuple[str, int, str]] = {}
    above = ["YoujuError"]
    for match in DRAWN.finditer(errors.__doc__ or ""):
        depth = len(match["branch"]) // 4
        above[depth:] = [match["name"]]
        found[match["name"]] = (above[depth - 1], int(match["status"]), match["mender"])
    return found


def test_the_tree_in_the_docstring_is_that_of_the_classes():
    assert drawn() == {
        name: (cls.__mro__[1].__name__, cls.status, cls.mender)
        for name, cls in CLASSES.items()
        if cls is not YoujuError
    }


@pytest.mark.parametrize("cls", CLASSES.values())
def test_every_error_has_a_status_a_mender_and_a_code(cls):
    assert 400 <= cls.status < 600
    assert cls.mender in get_args(Mender)
    assert re.fullmatch("[a-z_]+", cls.default_code)
    # What the server did wrong no caller can mend, and the other way round.
    assert cls.mender != ("operator" if cls.status < 500 else "caller")


def test_codes_tell_the_classes_apart():
    assert len({cls.default_code for cls in CLASSES.values()}) == len(CLASSES)


def test_an_error_is_read_with_its_remedy():
    assert str(InputError("问题是空的", remedy="请输入问题")) == "问题是空的（请输入问题）"
    assert str(InputError("问题是空的")) == "问题是空的"


def test_a_code_of_its_own_replaces_that_of_the_class():
    assert InputError("x").code == "bad_input"
    assert InputError("x", code="empty_question").code == "empty_question"


def test_a_failing_provider_names_its_part():
    error = ProviderError("超时", part="reranker", code="timeout")
    assert (error.part, error.code, error.message, error.remedy) == ("reranker", "timeout", "超时", "")
