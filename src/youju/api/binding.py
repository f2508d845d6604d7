"""Where the service listens: on this machine only, as long as there are no keys."""

from __future__ import annotations

import errno
import ipaddress
import socket

from youju.errors import ConfigError

UNREAD_MS = 120_000
"""Milliseconds after which the system drops a connection whose reader takes nothing."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens on a loopback address; port 0: any free one.

    Raises:
        ConfigError: the name does not resolve, leads outside this machine, or the port is taken or not allowed.
    """
    family, address = resolved(host, port)
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_REUSEADDR") and not _exclusive(sock):
            # A service that was just stopped must not keep its port.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        sock.bind(address)
        sock.listen(1024)
    except OSError as error:
        sock.close()
        raise _refused(host, port, error) from error
    return sock


def resolved(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    """The family and address of a host on this machine.

    Raises:
        ConfigError: it is none, or leads outside.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ConfigError(
            f"没有名为 {host!r} 的地址", remedy="请用 127.0.0.1 或 localhost", code="bad_address"
        ) from error
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in addresses):
        raise ConfigError(
            f"{host} 会让别的机器也能访问，而服务还没有访问密钥，所以不在这个地址上启动",
            remedy=f"请监听 127.0.0.1；要从别处使用，用 SSH 隧道（ssh -L {port}:127.0.0.1:{port} 这台机器），"
            "或在这台机器上用带登录的反向代理，并把它的域名写入 server.allowed_hosts",
            code="public_address",
        )
    # localhost may be both ::1 and 127.0.0.1: the older one is what people type.
    first = next((one for one in found if one[0] == socket.AF_INET), found[0])
    return first[0], (str(first[4][0]), port)


def _exclusive(sock: socket.socket) -> bool:
    """On Windows an address could be shared with another program, unless it is claimed."""
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    if option is not None:
        sock.setsockopt(socket.SOL_SOCKET, option, 1)
    return option is not None


def _refused(host: str, port: int, error: OSError) -> ConfigError:
    if error.errno == errno.EADDRINUSE:
        return ConfigError(
            f"端口 {port} 已被占用", remedy="请关闭占用它的程序，或用 --port 换一个端口（0 = 任选）", code="port_taken"
        )
    return ConfigError(
        f"不能在 {host}:{port} 上监听：{error.strerror}",
        remedy="请用 --port 换一个 1024 以上的端口",
        code="bad_address",
    )
