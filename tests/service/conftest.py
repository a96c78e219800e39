from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tamis.service.settings import Settings
from tests.browsers import launched
from tests.fetching.web import Web, running_web
from tests.service.inspector_tab import Inspector
from tests.service.running import TOKEN, running


@pytest.fixture
def web() -> Iterator[Web]:
    with running_web() as server:
        yield server


@pytest.fixture(scope="session")
def service() -> Iterator[httpx.Client]:
    """A service that fetches from nowhere but the web, with two workers."""
    with running(Settings(port=0, token=TOKEN, workers=2)) as client:
        yield client


@pytest.fixture(scope="session")
def private_service() -> Iterator[httpx.Client]:
    """A service that also fetches from this machine."""
    with running(Settings(port=0, token=TOKEN, workers=1, allow_private=True)) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser, for the tests of one module: while it runs, no other event loop can."""
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def home(private_service: httpx.Client) -> str:
    """The address that a service prints when it starts."""
    return f"{private_service.base_url}/?token={TOKEN}"


@pytest.fixture
def inspector(browser: Any, home: str) -> Iterator[Inspector]:
    """The inspector in a tab; what went wrong in it fails the test."""
    inspector = Inspector(browser, home)
    yield inspector
    inspector.context.close()
    assert inspector.faults == []
