from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tamis.service.settings import Settings
from tests.fetching.web import Web, running_web
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
