"""One test for each feature, by the definitions of the thesis."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.elements.features import _AD, AD_PATTERNS, NAMES, RENDERED, element_features, names_of
from tamis.extractors.elements.groups import find_elements
from tamis.page.boxes import ELEMENT, Boxes
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tests.hostile import HOSTILE

Rect = tuple[float, float, float, float]
OTHER = "<h6>Most words of the page</h6>"


def values(page: Page | str, selector: str, feature: str, **options: bool) -> list[float]:
    page = tamis.parse(page) if isinstance(page, str) else page
    elements = find_elements(page)
    row = dict(zip(elements.node.tolist(), element_features(page, elements, [feature], **options)[0], strict=True))
    return [float(row[node]) for node in page.select(selector)]


def value(page: Page | str, selector: str, feature: str, **options: bool) -> float:
    (only,) = values(page, selector, feature, **options)
    return only


def boxed(markup: str, rects: dict[str, Rect], *, estimated: bool = False) -> Page:
    """A page of 1000 × 2000 pixels with boxes for some elements, one for each selector."""
    page = tamis.parse(markup)
    found = sorted((page.select(selector)[0], rect) for selector, rect in rects.items())
    count = len(found)
    boxes = Boxes(
        node=np.array([node for node, _ in found]),
        kind=np.full(count, ELEMENT, dtype=np.uint8),
        rect=np.array([rect for _, rect in found], dtype=np.float64),
        start=np.zeros(count, dtype=np.int64),
        end=np.zeros(count, dtype=np.int64),
        color=np.full((count, 3), 51, dtype=np.uint8),
        background=np.full((count, 3), 255, dtype=np.uint8),
        paints=np.zeros(count, dtype=np.bool_),
        font_size=np.full(count, 14.0),
        font_weight=np.full(count, 700),
        italic=np.ones(count, dtype=np.bool_),
        decorated=np.zeros(count, dtype=np.bool_),
        visible=np.ones(count, dtype=np.bool_),
        paint_order=np.arange(count),
        width=1000.0,
        height=2000.0,
        viewport=(1000, 800),
        estimated=estimated,
    )
    return page.with_boxes(boxes)


def placed(rect: Rect, feature: str) -> float:
    return value(boxed("<p>a", {"p": rect}), "p", feature)


def test_depths_count_ancestors_from_html() -> None:
    markup = "<html><body><div><ul><li>a <b><i>x</i></b></ul></div><p>b"
    assert values(markup, "li, p", "distance_to_root") == [4, 2]
    assert values(markup, "li, p", "doc_dom_depth") == [6, 6]
    assert values(markup, "li, p", "dom_subtree_depth") == [2, 0]


def test_siblings_and_children_are_elements() -> None:
    markup = "<div>loose<p>a <b>b</b> <i>c</i></p>text<ul><li>d</ul><!-- --><h2>e</h2></div>"
    assert values(markup, "p, li, h2", "num_siblings") == [2, 0, 2]
    assert values(markup, "p, li, h2", "num_child_elements") == [2, 0, 0]
    assert values(markup, "p, li, h2", "has_children") == [1, 0, 0]


@pytest.mark.parametrize(
    ("feature", "rect", "wanted"),
    [
        ("normalized_top", (0, 500, 10, 600), 0.25),
        ("normalized_bottom", (0, 500, 10, 600), 0.3),
        ("rect_size", (10, 20, 60, 40), 1000),
        ("is_middle", (0, 0, 499, 9), 0),
        ("is_middle", (0, 0, 500, 9), 1),
        ("is_middle", (500, 0, 900, 9), 1),
        ("is_middle", (501, 0, 900, 9), 0),
        ("is_leftmost", (1, 0, 400, 9), 1),
        ("is_leftmost", (1.5, 0, 400, 9), 0),
        ("is_leftmost", (0, 0, 600, 9), 0),
        ("is_rightmost", (700, 0, 999, 9), 1),
        ("is_rightmost", (700, 0, 998.5, 9), 0),
        ("is_rightmost", (300, 0, 1000, 9), 0),
        ("is_on_side", (0, 0, 400, 9), 1),
        ("is_on_side", (700, 0, 1000, 9), 1),
        ("is_on_side", (100, 0, 400, 9), 0),
        ("is_uppermost_or_bottommost", (0, 59, 9, 80), 1),
        ("is_uppermost_or_bottommost", (0, 60, 9, 80), 0),
        ("is_uppermost_or_bottommost", (0, 100, 9, 1940), 0),
        ("is_uppermost_or_bottommost", (0, 100, 9, 1941), 1),
        ("left", (250, 0, 500, 9), 0.25),
        ("width", (250, 0, 500, 9), 0.25),
        ("height", (0, 100, 9, 300), 0.1),
    ],
)
def test_places_and_sizes(feature: str, rect: Rect, wanted: float) -> None:
    assert placed(rect, feature) == wanted


def test_looks_come_from_the_box() -> None:
    page = boxed("<p>a", {"p": (0, 0, 9, 9)})
    assert [value(page, "p", name) for name in ("font_size", "font_weight", "is_italic")] == [14, 700, 1]
    assert value(page, "p", "darkness") == pytest.approx(0.8)


def test_without_boxes_places_are_not_known_and_with_estimates_they_are_flagged() -> None:
    page = tamis.parse("<p>a")
    assert all(math.isnan(value(page, "p", name)) for name in RENDERED if name != "is_rendered")
    assert value(page, "p", "is_rendered") == 0
    assert value(boxed("<p>a", {"p": (0, 0, 9, 9)}, estimated=True), "p", "is_rendered") == 0
    assert value(boxed("<p>a", {"p": (0, 0, 9, 9)}), "p", "is_rendered") == 1
    estimated = page.with_boxes(estimate_boxes(page))
    assert not any(math.isnan(value(estimated, "p", name)) for name in RENDERED)


def test_an_element_without_a_box_of_its_own_has_no_place() -> None:
    page = boxed("<p>a<p>b", {"p": (0, 0, 9, 9)})
    sizes = values(page, "p", "rect_size")
    assert sizes[0] == 81
    assert math.isnan(sizes[1])


def test_an_element_in_a_link() -> None:
    assert values("<a href=x><p>a</p></a><p>b <a href=y>c</a></p>", "p", "is_desc_a") == [1, 0]


@pytest.mark.parametrize("name", ["nav", "navbar", "main-nav", "navigation-menu", "NAV", "unavailable"])
def test_nav_is_found_anywhere_in_the_names_of_ancestors(name: str) -> None:
    assert value(f"<div class='x {name}'><p>a</div>{OTHER}", "p", "is_desc_nav") == 1
    assert value(f"<div id={name}><div><p>a</div></div>{OTHER}", "p", "is_desc_nav") == 1
    assert value(f"<div><p class={name}>a</div>{OTHER}", "p", "is_desc_nav") == 0


@pytest.mark.parametrize(("words", "wanted"), [(4, 1), (5, 1), (6, 0)])
@pytest.mark.parametrize(("name", "feature"), [("nav", "is_desc_nav"), ("ads", "is_desc_ad")])
def test_the_name_of_more_than_half_of_the_page_is_no_name_of_a_part(
    name: str, feature: str, words: int, wanted: float
) -> None:
    assert value(f"<div class={name}><p>{'w ' * words}</div><h6>a b c d e</h6>", "p", feature) == wanted


def test_body_is_no_ancestor() -> None:
    assert value("<html class=footer><body class='has-nav footer'><p>a" + OTHER, "p", "is_desc_footer") == 0


@pytest.mark.parametrize("name", ["comment", "main", "footer", "wrapper", "aside"])
def test_names_of_ancestors(name: str) -> None:
    feature = f"is_desc_{name}"
    assert value(f"<div class={name.upper()}><p>a</div>", "p", feature) == 1
    assert value(f"<div class=my-{name}s><p>a</div>", "p", feature) == 1
    assert value(f"<div class=my-{name}s><p>a</div>", "p", feature, exact_names=True) == 0
    assert value(f"<div class='x {name} y'><p>a</div>", "p", feature, exact_names=True) == 1
    assert value(f"<div id={name}><p>a</div>", "p", feature, exact_names=True) == 1
    assert value(f"<div><p class={name}>a</p></div><div class={name}><p id=b>b</div>", "p:not(#b)", feature) == 0


@pytest.mark.parametrize(
    "name",
    ["ad-box", "adblock", "advert-box", "img_ad", "ads-section", "ad_box", "box-ad", "top_adv", "x adv-1", "ADBOX"],
)
def test_names_of_advertisements(name: str) -> None:
    assert value(f"<div class='{name}'><p>a</div>{OTHER}", "p", "is_desc_ad") == 1
    assert value(f"<div id='{name}'><p>a</div>{OTHER}", "p", "is_desc_ad") == 1
    assert value(f"<p class='{name}'>a</p>{OTHER}", "p", "is_desc_ad") == 1


@pytest.mark.parametrize("name", ["header", "address", "badge", "breadcrumb", "gadget", "loading", "ad", "my_ads"])
def test_names_that_are_no_advertisements_by_the_table(name: str) -> None:
    assert value(f"<div class={name}><p>a</div>{OTHER}", "p", "is_desc_ad") == 0


def test_there_are_twelve_patterns_and_each_is_needed() -> None:
    samples = [
        "ad-x",
        "x-ad",
        "ad_x",
        "x_ad",
        "adv-x",
        "x-adv",
        "adv_x",
        "x_adv",
        "xadvert",
        "adsx",
        "xadblock",
        "xadbox",
    ]
    for pattern, sample in zip(AD_PATTERNS, samples, strict=True):
        assert re.search(pattern, sample)
        assert not any(re.search(other, sample) for other in AD_PATTERNS if other != pattern)


@given(st.text("adsvertblockx-_ ", max_size=12))
def test_the_quick_pattern_finds_what_the_table_finds(name: str) -> None:
    assert bool(re.search(_AD, name)) == any(re.search(pattern, name) for pattern in AD_PATTERNS)


def test_a_class_and_an_id_do_not_run_together() -> None:
    assert value(f"<div class=na id=v><p>a</div>{OTHER}", "p", "is_desc_nav") == 0


def test_lengths_are_words_of_the_whole_and_of_the_own_text() -> None:
    markup = "<p>one <b>two three</b> four<p>five"
    assert values(markup, "p", "inner_text_length") == [4, 1]
    assert values(markup, "p", "child_text_length") == [2, 1]


def test_hidden_words_do_not_count() -> None:
    assert value("<p>one <span hidden>two</span>", "p", "inner_text_length") == 1


def test_a_rest_element_counts_only_its_own_text() -> None:
    markup = "<section>loose words share<p>a b c like</section>"
    assert value(markup, "section", "inner_text_length") == 3
    assert value(markup, "section", "contains_share") == 1
    assert value(markup, "section", "contains_like") == 0


@pytest.mark.parametrize(
    ("feature", "text", "wanted"),
    [
        ("contains_rights_reserved", "All <b>Rights</b>\n reserved.", 1),
        ("contains_rights_reserved", "rights are reserved", 0),
        ("contains_like", "LIKELY", 1),
        ("contains_like", "<i>li</i>ke", 1),
        ("contains_like", "likİ", 0),
        ("contains_share", "İ İ Share", 1),
        ("contains_share", "<span hidden>share</span> x", 0),
    ],
)
def test_sayings_are_found_in_any_case(feature: str, text: str, wanted: float) -> None:
    assert values(f"<p>{text}</p><p>other</p>", "p", feature) == [wanted, 0]


@pytest.mark.parametrize("name", ["p", "a", "input"])
def test_siblings_by_name(name: str) -> None:
    assert value(f"<div><{name}></{name}><h2>a</h2></div>", "h2", f"is_sib_{name}") == 1
    assert value(f"<div><div><{name}></{name}></div><h2>a</h2></div>", "h2", f"is_sib_{name}") == 0


def test_an_element_is_not_its_own_sibling() -> None:
    assert values("<div><p>a</div><div><p>b<p>c</div>", "p", "is_sib_p") == [0, 1, 1]


@pytest.mark.parametrize(
    ("inside", "wanted"),
    [
        ("<a href=x>a</a>", 1),
        (" <a href=x>a</a>\n<!-- -->", 1),
        ("<a href=x>a</a>.", 0),
        ("<a href=x>a</a><a href=y>b</a>", 0),
        ("<b><a href=x>a</a></b>", 0),
        ("a", 0),
    ],
)
def test_a_link_is_an_element_with_nothing_but_a_link(inside: str, wanted: float) -> None:
    assert value(f"<p>{inside}</p>", "p", "is_link") == wanted


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<a href=x><img src=y></a>", 1),
        ("<a href=x>\n<img src=y> </a>", 1),
        ("<a href=x><img src=y>text</a>", 0),
        ("<a href=x><b><img src=y></b></a>", 0),
        ("<p><img src=y></p>", 0),
    ],
)
def test_a_thumbnail_is_alone_in_a_link(markup: str, wanted: float) -> None:
    assert value(markup, "img", "is_thumbnail") == wanted


def test_sections_under_noise_headings() -> None:
    assert values("<h2>Text</h2><p>a</p><h2>Related:</h2><p>b</p>", "p", "under_noise_header") == [0, 1]


def test_counts_of_song() -> None:
    markup = "<ul><li>a <img src=x><a href=y>b</a> <a href=z>c</a></ul>"
    assert [value(markup, "li", name) for name in ("num_images", "num_links", "num_characters")] == [1, 2, 5]


def test_stop_words_of_louvan() -> None:
    assert value("<p>The cat and <b>the</b> dog", "p", "stop_word_ratio") == pytest.approx(3 / 5)


def test_a_heading_shortly_before() -> None:
    markup = "<h2>a</h2><p>b</p>" + "<i></i>" * 20 + "<p>c</p>"
    assert values(markup, "p", "header_around") == [1, 0]


def test_characters_of_zhou_are_no_white_space() -> None:
    assert value("<p>a bc <b>d</b>\n", "p", "text_length") == 4


@pytest.mark.parametrize("name", ["nav", "header", "footer", "aside", "main", "article"])
def test_elements_around(name: str) -> None:
    assert values(f"<{name}><div><p>a</div></{name}><p>b", "p", f"in_{name}") == [1, 0]


def test_other_elements_around() -> None:
    markup = (
        "<form><p>a</form><dl><dd><p>b</dl><table><td><p>c</table><figure><p>d</figure><blockquote><p>e</blockquote>"
    )
    names = ("in_form", "in_list", "in_table", "in_figure", "in_quote")
    assert [values(markup, "p", name) for name in names] == np.eye(5).tolist()


def test_link_densities() -> None:
    markup = "<div><p>a <a href=x>b</a></p><p>c d</p><p><a href=y>e</a></p></div>"
    assert values(markup, "p", "link_density") == [0.5, 0, 1]
    assert values(markup, "p", "link_density_before") == [0, 0.5, 0]
    assert values(markup, "p", "link_density_after") == [0, 1, 0]
    assert values(markup, "p", "link_density_siblings") == [0.4, 0.4, 0.4]


def test_words_around() -> None:
    markup = "<div><p>a b</p><p>c</p></div><p>d e f g h i j</p>"
    assert values(markup, "p", "words_before") == [0, 2, 1]
    assert values(markup, "p", "words_after") == [1, 7, 0]
    assert values(markup, "p", "words_siblings") == [3, 3, 7]
    assert values(markup, "p", "words_share") == [0.3, 0.3, 0.7]
    assert values(markup, "p", "page_words") == [10, 10, 10]
    assert values(markup, "p", "position") == pytest.approx([0, 1 / 3, 2 / 3])


def test_running_text_around() -> None:
    text = "w " * 10
    main = f"<main><div><p>{text}</p><p>short</p></div><div><p>x</p></div></main>"
    markup = f"{main}<p><a href=x>{text}</a></p><p>{text * 3}</p>"
    assert values(markup, "p", "text_before") == [0, 10, 10, 10, 10]
    assert values(markup, "p", "text_after") == [30, 30, 30, 30, 0]
    assert values(markup, "p", "text_share_parent") == [0.25, 0.25, 0, 1, 1]
    assert values(markup, "p", "text_share_2") == [0.25, 0.25, 0.25, 1, 1]
    assert values(markup, "p", "text_share_3") == [1, 1, 1, 1, 1]
    assert values(f"<p>{'w ' * 9}<p>x", "p", "text_before") == [0, 0]


def test_text_further_than_five_elements_away_is_not_near() -> None:
    markup = f"<p>{'w ' * 10}</p>" + "<p>x</p>" * 6
    assert values(markup, "p", "text_before") == [0, 10, 10, 10, 10, 10, 0]


def test_every_feature_is_in_one_family_and_has_a_test() -> None:
    assert len(NAMES) == len(set(NAMES))
    assert names_of(["headings", "louvan"]) == ("under_noise_header", "stop_word_ratio", "header_around")
    source = Path(__file__).read_text(encoding="utf-8")
    made = ("is_desc_", "is_sib_", "in_")
    assert [name for name in NAMES if name not in source and not name.startswith(made)] == []


@pytest.mark.parametrize("markup", ["", "x", "<img>", "<p>", "<table><td>", "\0", "<p hidden>a"])
def test_any_page_has_features(markup: str) -> None:
    page = tamis.parse(markup)
    elements = find_elements(page)
    assert element_features(page, elements, NAMES).shape == (len(NAMES), len(elements))


@pytest.mark.parametrize("letters", ["İİİ", "ſK", "ΑΣ", "ẞ", "Ǆ"])
def test_letters_that_become_two_in_lower_case_move_nothing(letters: str) -> None:
    markup = f"<p>{letters} the and</p><p>SHARE this</p><p>{letters}</p>"
    assert values(markup, "p", "contains_share") == [0, 1, 0]
    assert values(markup, "p", "stop_word_ratio") == [pytest.approx(2 / 3), 0.5, 0]


@pytest.mark.parametrize("name", HOSTILE)
def test_every_feature_of_a_hostile_page_is_a_number(name: str) -> None:
    page = tamis.parse(HOSTILE[name].make(HOSTILE[name].small)).revealed()
    elements = find_elements(page)
    bare = element_features(page, elements, NAMES)
    assert bare.shape == (len(NAMES), len(elements))
    assert np.isnan(bare).any(axis=1).tolist() == [
        feature in RENDERED and feature != "is_rendered" and len(elements) > 0 for feature in NAMES
    ]
    shown = element_features(page.with_boxes(estimate_boxes(page)), elements, NAMES)
    assert not np.isinf(shown).any()
