from __future__ import annotations

import socket

import pytest

from youju.api.binding import listening, resolved
from youju.api.running import address
from youju.errors import ConfigError


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "10.0.0.1", "8.8.8.8", "255.255.255.255"])  # noqa: S104 - refused
def test_an_address_others_can_reach_is_refused_with_a_way_out(host):
    with pytest.raises(ConfigError) as caught:
        listening(host, 8710)
    assert caught.value.code == "public_address"
    assert "ssh -L 8710" in caught.value.remedy
    assert "反向代理" in caught.value.remedy


def test_a_name_that_leads_outside_is_refused(monkeypatch):
    def both(*_, **__):
        return [(socket.AF_INET, 1, 6, "", (one, 80)) for one in ("127.0.0.1", "192.168.1.7")]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(ConfigError, match="别的机器"):
        resolved("mine", 80)


@pytest.mark.parametrize("host", ["no-such-name.invalid", "长" * 300, "a..b", "127.0.0.1 ", ""])
def test_a_name_that_is_none_is_refused(host):
    with pytest.raises(ConfigError):
        listening(host, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_this_machine_is_listened_on(host):
    with listening(host, 0) as one:
        assert address(one).startswith("http://127.0.0.")


def test_a_port_that_was_just_used_is_free_again():
    with listening("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            first.accept()[0].close()
    with listening("127.0.0.1", port):
        pass


def test_two_services_do_not_share_a_port():
    with listening("127.0.0.1", 0) as first, pytest.raises(ConfigError) as caught:
        listening("127.0.0.1", first.getsockname()[1])
    assert caught.value.code == "port_taken"
