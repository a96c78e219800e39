"""The inspector in a real browser: its panes, used as a person would."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

from tests.service.inspector_tab import ARTICLE, Inspector  # noqa: E402


def test_pointing_in_one_pane_lights_up_the_others(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator(ARTICLE).hover()
    assert inspector.lit_in_page()[0].startswith("For a hundred and nine years")
    assert inspector.expect("#panel-text .lit").inner_text().startswith("For a hundred")
    page.locator("#panel-text [data-block='9']").hover()
    inspector.expect("#block-list .lit[data-block='9']")
    assert inspector.lit_in_page()[0].startswith("The crossing takes")
    place = page.frame_locator("#sheet iframe").locator("h1 tamis-text").bounding_box()
    page.mouse.move(place["x"] + 20, place["y"] + 10)
    inspector.expect("#block-list .lit[data-block='6']")
    page.mouse.move(2, 2)
    inspector.expect(".lit", 0)


def test_every_block_tells_its_score_its_features_and_why(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator(ARTICLE).click()
    details = inspector.expect("#details").inner_text()
    assert re.search(r"Kept.*score 0\.9\d", details, re.DOTALL)
    assert "probability" in details
    inspector.expect("#details .for")
    page.locator("#details summary").click()
    assert "link density" not in page.locator("#details .features").inner_text()  # it has no links
    page.locator("#block-list [data-block='1']").click()
    assert "Dropped" in page.locator("#details").inner_text()
    page.locator("#details summary").click()
    assert "link density" in page.locator("#details .features").inner_text()


def test_a_page_begins_at_its_first_kept_block(inspector: Inspector) -> None:
    page = inspector.open().page
    inspector.expect("#block-list .kept[data-block='6'][aria-selected=true]")
    assert page.locator("#block-list .kept").first.get_attribute("data-block") == "6"
    assert "Kept" in inspector.expect("#details strong").inner_text()
    page.keyboard.press("Escape")
    page.locator("#method").select_option("lqf")
    inspector.expect("#status:not(:has-text('page type'))")
    assert page.locator("#block-list [aria-selected=true]").count() == 0, "what was put away stays so"
    inspector.paste("<nav><a href=/>Home</a></nav>" + "<p>Here is a sentence that says something, at last.</p>" * 9)
    chosen = inspector.expect("#block-list .kept[aria-selected=true]")
    assert chosen.get_attribute("data-block") == page.locator("#block-list .kept").first.get_attribute("data-block")


def test_the_default_comes_first_and_choices_are_said_in_words(inspector: Inspector) -> None:
    page = inspector.open().page
    for menu, default in (("#method", "sieve"), ("#rival", "sieve")):
        group = page.locator(f"{menu} optgroup").first
        assert group.get_attribute("label") == "Default"
        assert group.locator("option").all_text_contents() == [default]
    page.locator("#tab-regions").click()
    assert page.locator("#segmenter optgroup").first.locator("option").all_text_contents() == ["mesh"]
    assert page.locator("#segmenter").input_value() == "mesh"
    assert page.get_by_label("Compare with", exact=True).first.locator("option").first.inner_text() == "nothing"


def test_methods_and_options_are_switched_live(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator("#method").select_option("lqf")
    inspector.expect("#status:has-text('blocks kept'):not(:has-text('page type'))")
    page.locator("#method").select_option("sieve")
    inspector.expect("#status:has-text('page type')")
    before = page.locator("#block-list .kept").count()
    page.keyboard.press("Tab")
    page.locator("#options-button").click()
    page.locator("#option-bias").fill("1")
    inspector.expect("#options-count:has-text('1')")
    inspector.settle()
    assert page.locator("#block-list .kept").count() > before
    page.locator("#option-bias").fill("7")
    problem = inspector.expect("#problem:not([hidden])").inner_text()
    assert "bias is 7, but must be from -1 to 1 (precision to recall)" in problem
    page.locator("#option-bias").fill("0")
    page.locator("#option-drop").fill("article")
    inspector.expect("#problem[hidden]", 1)
    inspector.expect(f"{ARTICLE}.dropped")
    page.locator("#options button:has-text('Reset')").click()
    inspector.expect(f"{ARTICLE}.kept")


def test_two_methods_are_compared_as_a_diff(inspector: Inspector) -> None:
    page = inspector.open().page
    page.locator("#rival").select_option("keep_all")
    page.locator("#tab-compare").click()
    assert "Storm warning" in " ".join(inspector.expect("#difference .diff del").all_inner_texts())
    page.locator(".filters label:has-text('disputed')").first.click()
    assert page.locator("#block-list .block:visible").count() == page.locator("#block-list .disputed").count() > 0
    assert "keep_all keeps it" in page.locator("#block-list .disputed").first.inner_text()
    page.locator("label:has-text('a gold text')").click()
    page.locator("#gold").fill("The crossing takes eleven minutes when the wind is kind. And more.")
    scores = inspector.expect("#difference .scores").inner_text()
    assert "bag of words" in scores
    assert "And more" in " ".join(page.locator("#difference del").all_inner_texts())


def test_curves_are_drawn_and_point_at_the_page(inspector: Inspector) -> None:
    page = inspector.open("#v=curves").page
    for method, shape in (("cetr", ".dot"), ("dsc", ".line"), ("ccb", ".strip")):
        page.locator("#method").select_option(method)
        inspector.expect(f".chart {shape}")
    chart = page.locator(".curve").first
    chart.hover()
    inspector.expect(".reading:has-text('·')")
    chart.focus()
    page.keyboard.press("Home")
    for _ in range(12):
        page.keyboard.press("PageDown")
    assert chart.get_attribute("aria-valuenow") == "241"
    assert "content around" in chart.get_attribute("aria-valuetext")
    inspector.expect("#details strong")  # the block there is chosen


def test_a_block_is_shown_on_the_curve(inspector: Inspector) -> None:
    page = inspector.open("#m=ccb&v=curves").page
    page.locator("#panel-text [data-block='8']").first.hover()
    assert inspector.expect(".curve .band:not(.selected)").first.get_attribute("d")


def test_a_block_is_found_in_the_tree(inspector: Inspector) -> None:
    page = inspector.open("#v=tree").page
    page.locator("#panel-text [data-block='8']").first.click()
    assert inspector.expect(".leaf.selected").inner_text().startswith("p")


def test_regions_and_boxes_light_up_with_the_blocks(inspector: Inspector) -> None:
    page = inspector.open("#v=layout").page
    inspector.expect(".layout .block-boxes rect[data-block='8'].kept")
    page.locator("#panel-text [data-block='8']").first.hover()
    inspector.expect(".layout rect.lit[data-block='8']")
    page.locator("#tab-regions").click()
    page.locator("#segmenter").select_option("text_nodes")
    page.locator(".regions .region:has-text('For a hundred and nine')").last.hover()
    inspector.expect(".layout .region-boxes rect")
    inspector.expect("#panel-text .lit")


def test_a_browser_renders_the_page_when_asked(inspector: Inspector) -> None:
    page = inspector.open("#v=layout").page
    inspector.expect("#panel-layout:has-text('Estimated')")
    page.locator("#render-button").click()
    inspector.expect("#panel-layout:has-text('As a browser shows it')")
    assert page.locator(".layout image").get_attribute("href").startswith("data:image/png;base64,")
