"""The inspector in a real browser: without a mouse, on a phone, in the dark, and read by axe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

from tests.service.barriers import needs_axe, serious_barriers  # noqa: E402
from tests.service.inspector_tab import Inspector  # noqa: E402

pytestmark = pytest.mark.proof  # tours of the pages in a browser; test_inspector_browser.py runs every day


def test_the_keyboard_is_enough(inspector: Inspector) -> None:
    page = inspector.open().page
    page.keyboard.press("n")
    kept = page.locator("[role=option][aria-selected=true]")
    first = int(kept.get_attribute("data-block"))
    assert "kept" in kept.get_attribute("class")
    page.keyboard.press("j")
    assert int(page.locator("[role=option][aria-selected=true]").get_attribute("data-block")) == first + 1
    page.locator("#block-list").focus()
    page.keyboard.press("ArrowUp")
    assert page.locator("#block-list").get_attribute("aria-activedescendant") == f"block-{first}"
    page.keyboard.press("End")
    assert page.locator("#block-list").get_attribute("aria-activedescendant") == "block-36"
    page.keyboard.press("Escape")
    inspector.expect("[role=option][aria-selected=true]", 0)
    page.locator("#tab-blocks").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#tab-tree").get_attribute("aria-selected") == "true"
    page.locator("[role=treeitem]").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=treeitem]").first.get_attribute("aria-expanded") == "false"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.textContent") == "head"
    page.keyboard.press("?")
    inspector.expect("#help-dialog[open] kbd")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    inspector.expect("#open-dialog[open]")


def test_light_and_dark_follow_the_system_and_the_button(browser: Any, home: str) -> None:
    inspector = Inspector(browser, home, color_scheme="dark")
    page = inspector.open().page

    def darkness() -> int:
        return int(re.findall(r"\d+", page.evaluate("() => getComputedStyle(document.body).backgroundColor"))[0])

    assert darkness() < 60
    page.keyboard.press("t")
    assert darkness() > 200
    page.reload()
    inspector.settle()
    assert darkness() > 200
    inspector.context.close()


def test_a_phone_shows_one_pane_at_a_time(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 390, "height": 844})
    page = inspector.open().page
    for name in ("structure", "output", "page"):
        page.locator(f".pane-tabs [data-pane={name}]").click()
        assert [pane for pane in ("page", "structure", "output") if page.locator(f"#{pane}").is_visible()] == [name]
    page.locator(".pane-tabs [data-pane=output]").click()
    page.locator("#panel-text [data-block]").first.click()
    assert "Kept" in inspector.expect("#details:visible").inner_text()
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390


STATES = {
    "compared": ("#r=bte&v=compare", "nn"),
    "curves": ("#m=cetr&r=bte&v=curves.json", "n"),
    "tree and options": ("#v=tree.facts", "np"),
    "layout": ("#v=layout.regions.markdown", "n"),
    "opening": ("", "o"),
    "shortcuts": ("", "?"),
}


@needs_axe
@pytest.mark.parametrize(
    ("scheme", "width", "states"),
    [
        ("light", 1440, ("compared", "layout", "opening")),
        ("dark", 1440, ("curves", "tree and options", "shortcuts")),
        ("light", 390, ("compared",)),
    ],
)
def test_axe_finds_no_serious_violation(
    browser: Any, home: str, scheme: str, width: int, states: Iterable[str]
) -> None:
    inspector = Inspector(browser, home, color_scheme=scheme, bypass_csp=True)
    page = inspector.page
    page.set_viewport_size({"width": width, "height": 900})
    for state in states:
        link, keys = STATES[state]
        page.goto("about:blank")
        inspector.open(link)
        for key in keys:
            page.keyboard.press(key)
        assert (state, serious_barriers(page)) == (state, [])
    inspector.context.close()
