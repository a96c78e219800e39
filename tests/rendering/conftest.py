"""One browser for all tests of a process; without one they are skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tamis.errors import MissingExtraError, MissingProgramError
from tamis.rendering.browser import Browser, check_browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        check_browser()
    except (MissingExtraError, MissingProgramError) as error:
        pytest.skip(f"no page can be rendered here: {error}")
    with Browser() as found:
        yield found
