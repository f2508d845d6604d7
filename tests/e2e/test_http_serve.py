"""`youju serve` as a process: ready, refused, stopped."""

from __future__ import annotations

import signal
import socket
import subprocess
import time

import httpx
import pytest

import apps
from http_service import free_port


def ready(process: subprocess.Popen[str]) -> str:
    """The address, once it is told."""
    line = process.stdout.readline()
    assert "已就绪" in line, line + process.stderr.read()
    return line.split("：")[1].split("（")[0]


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_in_order(tmp_path, sign):
    process = apps.started(["serve", "--port", "0"], tmp_path)
    address = ready(process)
    assert httpx.get(f"{address}/healthz", trust_env=False).json() == {"status": "alive"}
    process.send_signal(sign)
    ran = apps.ran(process)
    assert (ran.code, ran.err) == (0, "已停止。\n")


@pytest.mark.slow
def test_an_open_stream_does_not_keep_it_from_ending(tmp_path):
    process = apps.started(["serve", "--port", "0"], tmp_path)
    host, port = ready(process).removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as idle:
        idle.sendall(b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n")
        process.send_signal(signal.SIGTERM)
        began = time.perf_counter()
        ran = apps.ran(process)
    assert ran.code == 0
    assert time.perf_counter() - began < 15


@pytest.mark.slow
def test_a_port_that_is_taken_is_told_before_a_model_is_loaded(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = apps.ran(apps.started(["serve", "--port", str(port)], tmp_path))
    assert ran.code == 1
    assert f"端口 {port} 已被占用" in ran.err
    assert "--port" in ran.err
    assert not (tmp_path / ".youju").exists()


@pytest.mark.slow
def test_the_readiness_of_a_service_is_told_apart_from_its_life(tmp_path):
    port = free_port()
    process = apps.started(["serve"], tmp_path, YOUJU_SERVER__PORT=str(port))
    address = ready(process)
    assert address == f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=address, trust_env=False) as client:
        while (answer := client.get("/readyz")).status_code != 200:
            assert answer.json()["reasons"]
        assert client.get("/healthz").status_code == 200
    process.terminate()
    assert apps.ran(process).code == 0


@pytest.mark.slow
def test_requests_are_logged_where_that_is_asked_for(tmp_path):
    process = apps.started(["serve", "--port", "0", "--access-log"], tmp_path)
    httpx.get(f"{ready(process)}/healthz?q=%E7%A7%98%E5%AF%86", trust_env=False)
    process.terminate()
    assert "GET /healthz" in apps.ran(process).err


@pytest.mark.slow
def test_it_does_not_start_where_others_could_reach_it(tmp_path):
    ran = apps.ran(apps.started(["serve", "--host", "0.0.0.0"], tmp_path))  # noqa: S104 - refused
    assert ran.code == 1
    assert "密钥" in ran.err
    assert "SSH 隧道" in ran.err
