"""The tour in a real browser: example pages one after the other, by mouse and by keys, on any screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

from tamis.service.demo import PATH, examples  # noqa: E402
from tests.service.barriers import needs_axe, serious_barriers  # noqa: E402
from tests.service.inspector_tab import Inspector  # noqa: E402
from tests.service.running import TOKEN  # noqa: E402

pytestmark = pytest.mark.proof  # tours of the pages in a browser; test_inspector_browser.py runs every day

EXAMPLES = examples()


@pytest.fixture(name="place")
def _place(private_service: httpx.Client) -> str:
    """The address that ``tamis demo`` prints."""
    return f"{private_service.base_url}{PATH}?token={TOKEN}"


@pytest.fixture(name="tour")
def _tour(browser: Any, place: str) -> Iterator[Inspector]:
    tour = Inspector(browser, place)
    yield tour
    tour.context.close()
    assert tour.faults == []


def shows(tour: Inspector, name: str) -> bool:
    """Whether this example is shown, told of, and marked in the list."""
    example = next(one for one in EXAMPLES if one.name == name)
    tour.expect(f"[data-example={name}][aria-current=true]")
    tour.expect(f"#source-name:text-is('{example.title}')")
    tour.settle()
    return bool(tour.page.locator("#tour-look").inner_text() == example.look)


def test_every_page_is_one_click_away(tour: Inspector) -> None:
    page = tour.open().page
    assert page.locator("#tour-pages button").all_inner_texts() == [example.kind for example in EXAMPLES]
    assert shows(tour, "news")
    for example in EXAMPLES[1:]:
        page.locator(f"[data-example={example.name}]").click()
        assert shows(tour, example.name)
        tour.expect("[aria-current=true]", 1)
    assert {url.split("/")[2] for url in tour.requests if url.startswith("http")} == {tour.home.split("/")[2]}


def test_keys_lead_through_the_tour(tour: Inspector) -> None:
    page = tour.open().page
    page.keyboard.press("]")
    assert shows(tour, "forum")
    page.keyboard.press("[")
    assert shows(tour, "news")
    page.keyboard.press("[")
    assert shows(tour, EXAMPLES[-1].name)
    page.locator("[data-example=shop]").focus()
    page.keyboard.press("Enter")
    assert shows(tour, "shop")
    page.keyboard.press("?")
    assert "the next example" in tour.expect("#help-dialog[open]").inner_text()


def test_a_link_brings_back_the_example(tour: Inspector) -> None:
    page = tour.open("#x=german&m=bte").page
    assert shows(tour, "german")
    assert page.locator("#method").input_value() == "bte"
    page.reload()
    assert shows(tour, "german")


def test_an_unknown_example_is_the_first_one(tour: Inspector) -> None:
    tour.open("#x=nothing")
    assert shows(tour, "news")


def test_a_page_of_ones_own_can_be_opened_and_left_again(tour: Inspector) -> None:
    page = tour.open().page
    page.locator("#block-list [data-block='40']").click()
    tour.paste("<p>Pasted words, enough of them to be a sentence.</p>")
    tour.expect("[aria-current=true]", 0)
    assert "Your own page" in page.locator("#tour-look").inner_text()
    page.keyboard.press("]")
    assert shows(tour, "news")
    assert page.locator("#block-list .kept").first.get_attribute("aria-selected") == "true"
    assert page.locator("#block-list [aria-selected=true]").count() == 1, "the block of the other page is not chosen"


def test_what_is_written_from_right_to_left_is_shown_so(tour: Inspector) -> None:
    page = tour.open("#x=arabic").page

    def starts_right(selector: str) -> bool:
        """Whether a short text stands at the right edge of its panel, and not at the left one."""
        return bool(
            page.evaluate(
                """(selector) => {
                  const element = document.querySelector(selector);
                  const range = document.createRange();
                  range.selectNodeContents(element);
                  const lines = [...range.getClientRects()].filter((line) => line.width);
                  const box = element.closest(".panel").getBoundingClientRect();
                  return lines[0].right > box.right - 60 && lines[0].left > box.left + 60;
                }""",
                selector,
            )
        )

    assert starts_right("#block-list [data-block='1'] .block-text")
    heading = "#panel-text [data-block='15']"
    assert "بطاقة الإعارة" in page.locator(heading).inner_text()
    assert starts_right(heading)
    assert page.evaluate("() => document.querySelector('#sheet iframe').contentDocument.documentElement.dir") == "rtl"


def test_the_inspector_alone_has_no_tour(inspector: Inspector) -> None:
    page = inspector.open("#x=german").page
    assert page.locator("#tour").is_hidden()
    assert not [url for url in inspector.requests if "/static/demo/" in url]
    page.keyboard.press("?")
    page.locator("#help-dialog a[href='/demo']").click()
    inspector.expect("#tour [aria-current=true]")


def test_nothing_sticks_out_on_a_phone(tour: Inspector) -> None:
    tour.page.set_viewport_size({"width": 390, "height": 844})
    page = tour.open().page
    for example in EXAMPLES:
        page.locator(f"[data-example={example.name}]").click()
        assert shows(tour, example.name)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert page.locator("#panel-look").bounding_box()["height"] > 300  # the tour leaves room for the page


@needs_axe
@pytest.mark.parametrize(("scheme", "width", "name"), [("light", 1280, "news"), ("dark", 390, "arabic")])
def test_axe_finds_no_serious_violation(browser: Any, place: str, scheme: str, width: int, name: str) -> None:
    tour = Inspector(browser, place, color_scheme=scheme, bypass_csp=True)
    tour.page.set_viewport_size({"width": width, "height": 900})
    tour.open(f"#x={name}")
    assert serious_barriers(tour.page) == []
    tour.context.close()
