"""A browser for tests that look at pages as people do."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import pytest

from tamis.errors import TamisError
from tamis.rendering.browser import find_browser


@contextlib.contextmanager
def launched(*flags: str) -> Iterator[Any]:
    """The system's Chromium, which asks the network for nothing by itself; without one the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api")
    try:
        program = find_browser()
    except TamisError as error:
        pytest.skip(str(error))
    given = ["--disable-background-networking", *flags, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=given)
        yield browser
        browser.close()
