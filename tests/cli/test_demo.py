"""``tamis demo``: what it prints, what it opens, and how it ends."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")

from tamis.cli import demo, main  # noqa: E402
from tamis.service.demo import examples  # noqa: E402
from tests.service.running import BROWSER  # noqa: E402

WITHOUT_SCREEN = {name: value for name, value in os.environ.items() if "DISPLAY" not in name and name != "BROWSER"}


@contextlib.contextmanager
def _started(*flags: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command without a terminal, and what it prints at its start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", "demo", *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=WITHOUT_SCREEN | environment,
    )
    try:
        assert process.stdout is not None
        yield process, "".join(process.stdout.readline() for _ in range(1 + len(examples())))
    finally:
        process.kill()
        process.communicate()


def test_the_address_that_is_printed_just_works_and_control_c_ends_it() -> None:
    with _started("--no-browser") as (process, printed):
        first, *rest = printed.splitlines()
        assert [line.split(maxsplit=1) for line in rest] == [[one.kind, one.title] for one in examples()]
        address = re.findall(r"http://127\.0\.0\.1:\d+/demo\?token=[\w-]{24,}", first)[0]
        with httpx.Client(trust_env=False, follow_redirects=True, headers=BROWSER) as client:
            tour = client.get(address)
            assert tour.status_code == 200
            assert str(tour.url) == address.partition("?")[0]
            assert client.get(tour.url.join("/static/demo/tour.json")).json()[0]["name"] == "news"
        assert httpx.get(str(tour.url), trust_env=False).status_code == 401
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[1]
        assert process.returncode == 130
        assert output == "tamis: interrupted\n"  # and no log of requests


def test_a_browser_is_sent_to_the_address(tmp_path: Path) -> None:
    program, sent = tmp_path / "browser", tmp_path / "sent"
    program.write_text(f'#!/bin/sh\nprintf %s "$1" > "{sent}.new"\nmv "{sent}.new" "{sent}"\n')
    program.chmod(0o755)
    with _started(BROWSER=str(program)) as (_, printed):
        for _ in range(300):
            if sent.exists():
                break
            time.sleep(0.05)
        assert sent.read_text() in printed.splitlines()[0]


def test_without_a_browser_the_tour_is_there_all_the_same(tmp_path: Path) -> None:
    with _started(PATH=str(tmp_path)) as (process, printed):
        address = re.findall(r"http://\S+", printed)[0]
        assert httpx.get(address, trust_env=False, headers=BROWSER).status_code == 303
        process.send_signal(signal.SIGINT)
        assert "no browser found" in process.communicate(timeout=60)[1]


def test_browsers_for_terminals_are_left_alone_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would take over the terminal, and run no scripts."""
    opened: queue.Queue[str] = queue.Queue()
    in_terminal = webbrowser.GenericBrowser("lynx")
    monkeypatch.setattr(in_terminal, "open", opened.put)
    monkeypatch.setattr(webbrowser, "get", lambda: in_terminal)
    monkeypatch.delenv("BROWSER", raising=False)
    assert not demo._open("http://127.0.0.1:1/demo")
    monkeypatch.setenv("BROWSER", "lynx")
    assert demo._open("http://127.0.0.1:1/demo")
    assert opened.get(timeout=10) == "http://127.0.0.1:1/demo"
    assert opened.empty()


def test_a_wrong_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--port", "70000"]) == 2
    assert "port is 70000" in capsys.readouterr().err
