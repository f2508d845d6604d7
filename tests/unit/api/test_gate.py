from __future__ import annotations

import pytest

from youju.api.app import allowed_hosts
from youju.api.gate import check_host, check_origin, check_query
from youju.errors import ForbiddenError, InputError
from youju.settings import Settings

ALLOWED = frozenset({"kb.example.com"})


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LocalHost:8710",
        "127.0.0.1:1",
        "127.9.9.9",
        "[::1]:8710",
        "[::1]",
        "localhost.",
        "KB.example.com:443",
    ],
)
def test_this_machine_and_what_is_allowed_may_be_called(host):
    check_host([host], ALLOWED)


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [""],
        ["evil.example"],
        ["127.0.0.1.evil.example"],
        ["localhost.evil.example:8710"],
        ["192.168.1.7:8710"],
        ["0.0.0.0"],  # noqa: S104 - refused
        ["localhost@evil.example"],
        ["evil.example@localhost"],
        ["localhost/evil"],
        ["localhost#@evil"],
        ["localhost:99999"],
        ["localhost:x"],
        ["[::1"],
        ["2130706433"],
        ["sub.kb.example.com"],
        ["localhost", "localhost"],
        ["localhost, evil.example"],
        [" "],
    ],
)
def test_any_other_name_is_refused(hosts):
    with pytest.raises(ForbiddenError) as caught:
        check_host(hosts, ALLOWED)
    assert caught.value.code == "bad_host"


@pytest.mark.parametrize(
    "origins, host",
    [([], "localhost"), (["http://localhost:8710"], "localhost:8710"), (["https://KB.example.com"], "kb.example.com")],
)
def test_no_origin_and_the_same_one_may_ask(origins, host):
    check_origin(origins, host)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.example",
        "http://localhost",
        "http://localhost:1",
        "http://127.0.0.1:8710",
        "file://",
        "",
        "x",
    ],
)
def test_another_origin_may_not_ask(origin):
    with pytest.raises(ForbiddenError) as caught:
        check_origin([origin], "localhost:8710")
    assert caught.value.code == "bad_origin"


@pytest.mark.parametrize("query", [b"a=1&a=2", b"a&a", b"%61=1&a=2"])
def test_a_parameter_that_stands_twice_is_refused(query):
    with pytest.raises(InputError):
        check_query(query)


@pytest.mark.parametrize("query", [b"", b"a=1&b=1", b"&&", b"%ff=%ff", b"=&a="])
def test_parameters_that_stand_once_pass(query):
    check_query(query)


def test_allowed_hosts_are_names_with_or_without_a_port():
    chosen = Settings.model_validate({"server": {"allowed_hosts": " KB.example.com:443, ,b.example , a b@c"}})
    assert allowed_hosts(chosen) == {"kb.example.com", "b.example"}
