"""Pages sent by a real browser: by the bookmarklet, and by the extension."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("playwright")

from tamis.rendering.browser import find_browser
from tests.fetching.web import Web, answer
from tests.service.running import TOKEN

EXTENSION = Path(__file__).parents[2] / "extension"
# The article is written by a script: fetched without a browser, the page has none.
PAGE = """<!doctype html><html lang=en><title>Tides</title><nav><a href=/>Home</a></nav><article></article><script>
document.querySelector("article").innerHTML = "<h1>Tides</h1>" + "<p>" + "The sea at Brest was measured. ".repeat(9)
  + "<p>Größe & mehr: 100%+ of it, at <a href='b'>the other</a> place, was written down by hand each day.";
</script>"""


def _check(page: Any) -> None:
    page.wait_for_selector(".content")
    assert page.inner_text("h1") == "Tides"
    assert "Größe & mehr: 100%+ of it" in page.inner_text(".content")
    assert page.locator("text=the other").get_attribute("href").startswith("/read?url=http%3A%2F%2F127.0.0.1")


def test_the_bookmarklet_shows_the_page_as_the_browser_has_it(
    browser: Any, private_service: httpx.Client, web: Web
) -> None:
    web.answers["/page"] = answer(PAGE)
    context = browser.new_context()
    try:
        reader = context.new_page()
        reader.goto(f"{private_service.base_url}/read?token={TOKEN}")
        bookmarklet = reader.locator("text=Read with Tamis").get_attribute("href")
        tab = context.new_page()
        tab.goto(web.url("/page", "127.0.0.1"))
        with context.expect_page() as opened:
            tab.evaluate("address => { location.href = address }", bookmarklet)
        _check(opened.value)
        assert tab.locator("form").count() == 0
        assert TOKEN not in bookmarklet
    finally:
        context.close()


@pytest.fixture(scope="module")
def extended(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser with the extension, which may read pages of this machine without a click on its button.

    No program can click that button; what the click grants (activeTab) is granted by the manifest here.
    """
    folder = tmp_path_factory.mktemp("extension") / "unpacked"
    shutil.copytree(EXTENSION, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert "host_permissions" not in manifest
    (folder / "manifest.json").write_text(json.dumps({**manifest, "host_permissions": ["http://127.0.0.1/*"]}))
    program = find_browser()
    if "headless-shell" in program:
        pytest.skip("Chromium without windows takes no extensions: name another in TAMIS_BROWSER")
    flags = [f"--disable-extensions-except={folder}", f"--load-extension={folder}", "--disable-background-networking"]
    context = browser.browser_type.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=program,
        args=[*flags, *(["--no-sandbox"] if os.geteuid() == 0 else [])],
        ignore_default_args=["--disable-extensions"],
    )
    yield context
    context.close()


def test_the_extension_shows_the_page_as_the_browser_has_it(
    extended: Any, private_service: httpx.Client, web: Web
) -> None:
    web.answers["/page"] = answer(PAGE)
    worker = extended.service_workers[0] if extended.service_workers else extended.wait_for_event("serviceworker")
    home = worker.url.removesuffix("background.js")
    reader = extended.new_page()
    reader.goto(f"{private_service.base_url}/read?token={TOKEN}")
    address = reader.inner_text("code")
    click = "async () => chrome.action.onClicked.dispatch((await chrome.tabs.query({ url: '*://*/page' }))[0])"
    tab = extended.new_page()
    tab.goto(web.url("/page", "127.0.0.1"))

    with extended.expect_page() as opened:  # the first click asks where to send pages
        worker.evaluate(click)
    assert opened.value.url == f"{home}options.html"
    opened.value.fill("input", address)
    opened.value.click("text=Save")
    opened.value.wait_for_selector("text=Saved.")

    with extended.expect_page() as opened:
        worker.evaluate(click)
    _check(opened.value)
    assert opened.value.url.startswith(f"{private_service.base_url}/read")
