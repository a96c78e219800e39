"""Fetchers for the server of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpcore
import pytest

from tamis.fetching.http import Fetcher, Options
from tests.fetching.web import Web

PAGE = "<title>One</title><p>Grüße</p>"
PUBLIC = "93.184.216.34"


def local(host: str, _: int) -> list[str]:
    """Every name is this machine."""
    return ["127.0.0.1"]


def fetcher(*, resolve: Any = local, sleep: Any = lambda _: None, keep: Path | None = None, **options: Any) -> Fetcher:
    """A fetcher for the server of the test, as impatient as tests are."""
    chosen = {"allow_private": True, "respect_robots": False, "deadline_seconds": 20.0, "delay_seconds": 0.0, **options}
    return Fetcher(Options(**chosen), resolve=resolve, sleep=sleep, keep=keep)


def record_connections(monkeypatch: pytest.MonkeyPatch, web: Web) -> list[str]:
    """The machines that are connected to; in their place answers the server of the test."""
    asked: list[str] = []
    connect = httpcore.SyncBackend.connect_tcp

    def connect_here(self: httpcore.SyncBackend, host: str, _: int, **options: Any) -> httpcore.NetworkStream:
        asked.append(host)
        return connect(self, "127.0.0.1", web.port, **options)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_here)
    return asked
