"""``tamis serve`` and ``tamis proxy`` as processes: what they print, and how they end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tamis.cli import main
from tamis.service.settings import Settings


@contextlib.contextmanager
def _started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A process, and the addresses it prints at its start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        printed = "".join(process.stdout.readline() for _ in range(2))
        yield process, re.findall(r"http://\S+", printed)
    finally:
        process.kill()
        process.communicate()


def test_serve_prints_its_addresses_with_a_token_and_ends_in_order() -> None:
    with _started("serve", "--port", "0", "--workers", "1") as (process, (address, reader)):
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?token=([\w-]{24,})", address)
        assert found is not None
        home, token = found.groups()
        assert reader == f"{home}/read?token={token}"
        assert httpx.get(f"{home}/api/methods", trust_env=False).status_code == 401
        answers: list[httpx.Response] = []

        def ask() -> None:
            page = "<p>one two three " * 20_000
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "text/html"}
            answers.append(
                httpx.post(
                    f"{home}/api/extract?format=text", content=page, headers=headers, trust_env=False, timeout=60
                )
            )

        thread = threading.Thread(target=ask)
        thread.start()
        _wait_for_job(home, token)
        process.send_signal(signal.SIGTERM)
        thread.join(60)
        output = process.communicate(timeout=60)[1]
        assert answers[0].status_code == 200
        entries = [json.loads(line) for line in output.splitlines()]
        assert any(entry["event"] == "request" and entry["path"] == "/api/extract" for entry in entries)
        assert token not in output


def _wait_for_job(home: str, token: str) -> None:
    for _ in range(600):
        with contextlib.suppress(httpx.TransportError):
            text = httpx.get(f"{home}/metrics", headers={"Authorization": f"Bearer {token}"}, trust_env=False).text
            if 'tamis_jobs{state="running"} 1' in text or 'route="/api/extract"' in text:
                return
    raise AssertionError("the job never began")


def test_workers_end_when_the_service_is_killed() -> None:
    with _started("serve", "--port", "0", "--workers", "1", "--no-token") as (process, (address, _)):
        httpx.post(f"{address}api/score", json={}, trust_env=False, timeout=60)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        workers = [int(worker) for worker in children.split()]
        assert workers
        process.kill()
        process.wait()
        for worker in workers:
            _wait_until_gone(worker)


def _wait_until_gone(process: int) -> None:
    for _ in range(300):
        try:
            os.kill(process, 0)
            if Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return  # gone, and not yet buried by whoever inherited it
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.1)
    raise AssertionError(f"the worker {process} lives on")


def test_proxy_prints_both_of_its_addresses() -> None:
    with _started("proxy", "--port", "0", "--workers", "1", "--mode", "mark") as (_, (address,)):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/read\?token=[\w-]{24,}", address)
        home = address.partition("/read")[0]
        assert httpx.get(f"{home}/healthz", trust_env=False).text == "ok\n"


@pytest.mark.parametrize("command", ["serve", "proxy"])
def test_a_token_of_ones_own_is_taken_from_the_flag_or_the_environment(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def announce_alone(_: Any, settings: Settings, announce: Callable[[Settings], None], **options: Any) -> None:
        announce(settings)

    monkeypatch.setattr("tamis.service.server.serve", announce_alone)
    assert main([command, "--token", "from-the-flag"]) == 0
    assert "/read?token=from-the-flag\n" in capsys.readouterr().out
    monkeypatch.setenv("TAMIS_TOKEN", "from-the-environment")
    assert main([command]) == 0
    assert "/read?token=from-the-environment\n" in capsys.readouterr().out
    assert main([command, "--no-token"]) == 0
    assert "/read\n" in capsys.readouterr().out


def test_an_empty_variable_does_not_open_the_service(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_TOKEN", "")
    assert main(["serve", "--port", "0"]) == 2
    assert "the token is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--workers", "0"], "workers is 0, but must be at least 1"),
        (["serve", "--port", "70000"], "port is 70000"),
        (["proxy", "--mode", "marks"], "did you mean mark"),
        (["proxy", "--method", "siev"], "did you mean sieve"),
        (["serve", "--prot", "1"], "did you mean --port"),
        (["serve", "--token", "short"], "at least 8 characters"),
    ],
)
def test_wrong_flags_are_answered_with_what_to_do(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert says in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert main(["serve", "--port", str(listener.getsockname()[1])]) == 2
    assert "choose another with --port" in capsys.readouterr().err
