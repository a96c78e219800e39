"""What is kept when the probabilities are known: pages and log odds written by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.extractors.sieve import Options
from tamis.extractors.sieve.choosing import BEFORE_PENALTY, RULES, choose
from tamis.extractors.sieve.reading import read_page
from tamis.extractors.sieve.units import STRUCTURES, build_units
from tamis.page.model import Page
from tests.block_pages import FILLED_PAGES
from tests.toy_model import toy_model

MODEL = toy_model()
SURE, LIKELY, UNSURE, UNLIKELY, NEVER = 3.0, 1.0, 0.2, -1.8, -6.0
TEXT = "".join(
    f"<p>Rain fell on the {place} all night, and in the morning the river had risen over its banks.</p>\n"
    for place in ("hills", "town", "woods")
)


def chosen(markup: str, odds: dict[str, float], page_type: str = "article", **options: Any) -> dict[str, str]:
    """The rule for each block that the odds name; all other blocks are sure. Text is named by how it begins."""
    page = tamis.parse(markup)
    texts = [block.text for block in page.blocks]
    log_odds = np.array(
        [next((value for name, value in odds.items() if text.startswith(name)), SURE) for text in texts]
    )
    nobody = np.zeros(len(texts), dtype=np.bool_)
    reading = replace(read_page(page, MODEL), log_odds=log_odds, page_type=page_type, in_comments=nobody)
    choice = choose(page, reading, Options(**options))
    rules = [RULES[number] for number in choice.rules.tolist()]
    assert all(rule.startswith("kept" if kept else "dropped") for rule, kept in zip(rules, choice.kept, strict=True))
    return {text: rule for text, rule in zip(texts, rules, strict=True) if not text.startswith("Rain")}


def kept(markup: str, odds: dict[str, float], page_type: str = "article", **options: Any) -> list[str]:
    rules = chosen(markup, odds, page_type, **options)
    return [text for text, rule in rules.items() if rule.startswith("kept")]


HEAD = "<title>Rivers rise - Post</title>"


def test_the_headline_is_kept_however_unlikely_it_is() -> None:
    markup = f"{HEAD}<header><h1>Rivers rise</h1></header><article>{TEXT}</article>"
    assert chosen(markup, {"Rivers": NEVER}) == {"Rivers rise": "kept: the headline"}
    assert chosen(markup, {"Rivers": NEVER}, title="keep") == {"Rivers rise": "kept: title=keep"}
    assert chosen(markup, {"Rivers": SURE}, title="drop") == {"Rivers rise": "dropped: title=drop"}


def test_the_headline_may_be_on_any_kind_of_page() -> None:
    for page_type in ("listing", "forum", "product"):
        assert kept(f"{HEAD}<h1>Rivers rise</h1>{TEXT}", {"Rivers": NEVER}, page_type) == ["Rivers rise"]


def test_what_stands_before_the_headline_needs_more_to_be_kept() -> None:
    above, below = (
        f"{HEAD}<p>Share it</p><h1>Rivers rise</h1>{TEXT}",
        f"{HEAD}<h1>Rivers rise</h1>{TEXT}<p>Share it</p>",
    )
    assert kept(above, {"Share": UNSURE}) == ["Rivers rise"]
    assert kept(below, {"Share": UNSURE}) == ["Rivers rise", "Share it"]
    assert kept(above, {"Share": UNSURE + BEFORE_PENALTY}) == ["Share it", "Rivers rise"]


def test_much_content_before_the_headline_stays() -> None:
    assert "A lead" in kept(f"{HEAD}{TEXT}<p>A lead</p><h1>Rivers rise</h1>{TEXT}", {"A lead": UNSURE})


def test_a_list_that_holds_the_headline_is_judged_as_any() -> None:
    markup = f"{HEAD}<ul><li>Rivers rise</li><li>Lakes stay</li></ul>{TEXT}"
    assert kept(markup, {"Lakes": SURE}) == ["Rivers rise", "Lakes stay"]
    assert kept(markup, {"Rivers": NEVER, "Lakes": NEVER}) == ["Rivers rise"]


def test_the_headline_is_shown_once() -> None:
    markup = f"{HEAD}<div class=crumb>Rivers rise</div><h1>Rivers rise</h1>{TEXT}"
    page = tamis.parse(markup)
    reading = replace(read_page(page, MODEL), log_odds=np.full(5, SURE), in_comments=np.zeros(5, dtype=np.bool_))
    choice = choose(page, reading, Options())
    assert choice.kept.tolist() == [False, True, True, True, True]
    assert (RULES[choice.rules[0]], choice.headline) == (
        "dropped: says again what another block says",
        page.select("h1")[0],
    )


ROWS = "<table><tr><th>Name<th>Length<tr><td>Elbe<td>1094<tr><td>Oder<td>866</table>"


@pytest.mark.parametrize(("odds", "verb"), [(LIKELY, "kept"), (NEVER, "dropped")])
def test_a_table_stands_or_falls_with_its_head(odds: float, verb: str) -> None:
    parts = {"Name": NEVER, "Length": NEVER, "Elbe": odds, "1094": odds, "Oder": odds, "866": odds}
    assert set(chosen(TEXT + ROWS + TEXT, parts).values()) == {f"{verb}: with its table"}


LONG_ROWS = ROWS.replace("Elbe", "Elbe, which rises in the mountains of Bohemia and flows to the North Sea " * 2)


@pytest.mark.parametrize("markup", [ROWS + "<p>Rain fell.</p>", TEXT + LONG_ROWS + TEXT], ids=["most", "long"])
@pytest.mark.parametrize(("sure", "verb"), [(("Length", "Elbe", "1094"), "kept"), (("Length",), "dropped")])
def test_a_table_with_long_cells_or_most_of_the_page_is_not_divided(
    markup: str, sure: tuple[str, ...], verb: str
) -> None:
    odds = dict.fromkeys(("Name", "Length", "Elbe", "1094", "Oder", "866"), NEVER) | dict.fromkeys(sure, SURE)
    assert set(chosen(markup, odds, "listing").values()) == {f"{verb}: with its table"}


def test_a_list_of_which_most_items_are_likely_is_kept_whole() -> None:
    markup = TEXT + "<ul><li>first item<li>second item<li>third item</ul>" + TEXT
    assert set(chosen(markup, {"third": NEVER}).values()) == {"kept: with its list"}


def test_terms_are_kept_with_what_explains_them() -> None:
    markup = TEXT + "<dl><dt>Elbe<dd>a river in the north<dt>Share<dd>on all networks</dl>" + TEXT
    odds = {"Elbe": NEVER, "Share": NEVER, "on all": NEVER}
    assert kept(markup, odds) == ["Elbe", "a river in the north"]


@pytest.mark.parametrize(
    "structure",
    [
        "<blockquote>said so</blockquote>",
        "<ul><li>said so</ul>",
        "<div class=hl><pre>said so</pre></div>",
        "<figure><img src=a.png><figcaption>said so</figcaption></figure>",
    ],
)
def test_a_structure_between_kept_paragraphs_is_kept_with_them(structure: str) -> None:
    assert kept(TEXT + structure + TEXT, {"said": -0.8}) == ["said so"]
    assert kept(TEXT + structure, {"said": UNLIKELY - 3}) == []
    assert kept(TEXT + structure + TEXT, {"said": NEVER}) == []
    assert kept(TEXT + structure + TEXT, {"said": -0.8}, "listing", bias=-1) == []


def test_code_between_kept_paragraphs_is_kept_even_if_it_is_unlikely() -> None:
    assert kept(TEXT + "<pre>kind: Pod</pre>" + TEXT, {"kind": UNLIKELY - 1}) == ["kind: Pod"]


@pytest.mark.parametrize("colon", [":", "：", ":\n "])
def test_what_a_colon_announces_is_kept(colon: str) -> None:
    assert kept(
        f"{TEXT}<p>Do this{colon}</p><ul><li>one thing</ul><div>Share</div>", {"one": NEVER, "Share": NEVER}
    ) == [
        f"Do this{colon.strip()}",
        "one thing",
    ]


def test_a_heading_stands_or_falls_with_its_body() -> None:
    markup = f"<div>{TEXT}<h2>First</h2><p>a body of text</p><h2>Second</h2><p>more of it</p></div>"
    odds = {"First": -1.0, "more": NEVER}
    assert chosen(markup, odds) == {
        "First": "kept: with what it heads",
        "a body of text": "kept: part of the best expected F1",
        "Second": "dropped: heads nothing that is kept",
        "more of it": "dropped: below the cut",
    }


def test_a_heading_over_pictures_or_nothing_is_judged_by_itself() -> None:
    markup = f"{TEXT}<h2>The pictures</h2><img src=a.png><h2>Last</h2>"
    assert kept(markup, {}) == ["The pictures"]


def test_the_table_under_a_heading_is_kept_with_it() -> None:
    parts = dict.fromkeys(("Name", "Length", "Elbe", "1094", "Oder", "866"), -1.0)
    markup = f"{TEXT}<h2>How long</h2><div><p>Swipe to see all</p>{ROWS}</div><h2>End</h2>{TEXT}"
    assert kept(markup, {**parts, "Swipe": NEVER, "How": LIKELY}) == ["How long", *parts, "End"]


NOTE = """<p>As is known<sup><a href="#n1">1</a></sup> since long.</p>{}<div id=n1>Told by my uncle.</div>"""


@pytest.mark.parametrize(
    ("mark", "note", "expected"),
    [(SURE, -0.5, ["As", "Told"]), (SURE, NEVER, ["As"]), (NEVER, SURE, []), (SURE, SURE, ["As", "Told"])],
)
def test_a_note_is_kept_with_its_mark(mark: float, note: float, expected: list[str]) -> None:
    found = kept(NOTE.format(TEXT), {"As is": mark, "Told": note})
    assert [text.split()[0] for text in found] == expected


def test_the_name_of_the_site_is_not_kept_because_it_heads_the_page() -> None:
    markup = f"{HEAD}<div><h1>Post</h1></div><h2>Rivers rise</h2>{TEXT}"
    assert kept(markup, {"Post": -1.0}, bias=-1) == ["Rivers rise"]


@given(FILLED_PAGES, st.sampled_from(["article", "listing", "forum"]))
@settings(max_examples=60)
def test_structures_are_kept_whole_on_any_page(page: Page, page_type: str) -> None:
    reading = replace(read_page(page, MODEL), page_type=page_type)
    choice = choose(page, reading, Options())
    units = build_units(page, reading.containers)
    shares = np.bincount(units.of_block, weights=choice.kept) / np.bincount(units.of_block)
    rules = {RULES[number] for number in choice.rules.tolist()}
    assert all(rule.startswith(("kept", "dropped")) for rule in rules)
    if "kept: the headline" not in rules:
        assert np.isin(shares[STRUCTURES[units.kind]], (0, 1)).all()
