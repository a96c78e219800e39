"""The page to try the API, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("playwright")

from tests.service.barriers import needs_axe, serious_barriers
from tests.service.running import TOKEN


@pytest.fixture(scope="module")
def page(browser: Any, service: httpx.Client) -> Iterator[Any]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{service.base_url}/api?token={TOKEN}")
    page.locator("#operation option").first.wait_for(state="attached")
    yield page
    context.close()


def _send(page: Any, operation: str) -> str:
    page.select_option("#operation", label=operation)
    page.click("text=Send")
    page.locator("#status", has_text=re.compile(r"^\d")).wait_for()
    status: str = page.inner_text("#status")
    return status


@pytest.mark.parametrize("name", ["extract", "compare", "segment", "score", "batch"])
def test_every_example_is_answered(page: Any, name: str) -> None:
    assert _send(page, f"POST /api/{name}").startswith("200 ")
    assert page.inner_text("#answer").strip()


def test_what_is_only_asked_for_has_no_body(page: Any) -> None:
    assert _send(page, "GET /healthz").startswith("200 ")
    assert page.inner_text("#answer") == "ok\n"
    assert not page.is_visible("#body")
    assert "--data-binary" not in page.inner_text("#command")


def test_fields_are_told_and_problems_are_shown(page: Any) -> None:
    page.select_option("#operation", label="POST /api/extract")
    assert "CSS selector of elements to drop" in page.inner_text("#fields")
    page.fill("#body", '{"html": "it\'s <b>me", "method": "siev"}')
    assert "'{\"html\": \"it'\\''s <b>me\"" in page.inner_text("#command")
    page.click("text=Send")
    page.locator("#status", has_text=re.compile("^422")).wait_for()
    assert "did you mean sieve" in page.inner_text("#answer")


@needs_axe
def test_the_page_keeps_nobody_out(browser: Any, service: httpx.Client) -> None:
    for scheme in ("light", "dark"):
        context = browser.new_context(bypass_csp=True, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{service.base_url}/api?token={TOKEN}")
        assert _send(page, "POST /api/extract").startswith("200 ")
        assert serious_barriers(page) == []
        context.close()
