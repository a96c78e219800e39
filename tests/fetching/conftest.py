from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fetching.web import Web, running_web


@pytest.fixture
def web() -> Iterator[Web]:
    with running_web() as server:
        yield server
