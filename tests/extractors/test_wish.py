"""WISH keeps the largest group of siblings that are built alike."""

from __future__ import annotations

from typing import Any

import pytest

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract
from tamis.extractors.wish import Options, locate_records

PRODUCT = "<li><h3>A product</h3><p>It costs <b>nine</b> coins and does what it says.</p></li>"
PRODUCTS = f"<ul>{PRODUCT * 4}</ul>"
MENU = f"<nav>{'<div><a href=x>a menu entry that is rather long</a></div>' * 30}</nav>"
ADVERTISEMENTS = f"<aside>{'<div><img>buy this wonderful thing before it is gone</div>' * 30}</aside>"


def records(markup: str, **options: Any) -> list[str]:
    page = tamis.parse(markup)
    return [page.name(node) for node in locate_records(page, Options(**options))]


def texts(markup: str, **options: Any) -> str:
    page = tamis.parse(markup)
    return " ".join(page.text[start:end] for start, end in extract(page, "wish", **options).spans)


def test_products_are_chosen_over_menus_and_advertisements() -> None:
    assert records(f"{MENU}{ADVERTISEMENTS}{PRODUCTS}") == ["li"] * 4


def test_only_the_text_of_the_records_is_kept() -> None:
    assert "heading" not in texts(f"<h1>heading</h1>{PRODUCTS}<footer>foot</footer>")
    assert texts(PRODUCTS).count("A product") == 4


@pytest.mark.parametrize(("count", "is_region"), [(2, False), (3, True), (4, True)])
def test_three_records_make_a_region(count: int, is_region: bool) -> None:
    assert bool(records(f"<ul>{PRODUCT * count}</ul>")) == is_region


@pytest.mark.parametrize(
    ("record", "is_region"),
    [
        ("<li><b>two tags</b></li>", False),
        ("<li><b>three</b> <i>tags</i></li>", True),
        ("<li><b>four</b> <i>tags</i> <u>here</u></li>", True),
        ("<li><b>two tags</b><script>x</script><template><p>y</p></template></li>", False),
        ("<li><b>two tags</b><svg><path/><path/></svg></li>", False),
    ],
)
def test_records_have_three_tags_that_a_reader_sees_the_effect_of(record: str, is_region: bool) -> None:
    assert bool(records(f"<ul>{record * 3}</ul>")) == is_region


@pytest.mark.parametrize(("min_similarity", "is_region"), [(0.74, True), (0.75, True), (0.76, False)])
def test_records_are_alike_when_their_levels_have_as_many_distinct_tags(min_similarity: float, is_region: bool) -> None:
    """Level by level the records have 2, 1 and 1 distinct tags, then 2 and 1: three of four are shared, twice."""
    deep, flat = "<li><h3>x</h3><p>y <b>z <i>i</i></b></p></li>", "<li><p>y <b>z</b></p><hr></li>"
    assert bool(records(f"<ul>{deep}{flat}{deep}</ul>", min_similarity=min_similarity)) == is_region


def test_levels_are_compared_by_the_number_of_names_not_by_the_names() -> None:
    mixed = "<li><h3>x</h3><p>y</p></li><li><b>x</b><i>y</i></li><li><u>x</u><s>y</s></li>"
    assert records(f"<ul>{mixed}</ul>", min_similarity=1.0) == ["li"] * 3


def test_records_are_compared_down_to_ten_levels() -> None:
    def record(last: str) -> str:
        return f"<li>{'<div>' * 10}{last}{'</div>' * 10}</li>"

    unlike = record("x") + record("<b>x</b><i>y</i>") + record("x")
    assert records(f"<ul>{unlike}</ul>", min_similarity=1.0) == ["li"] * 3


LONG = "<p>several words</p><b>x</b>"
SHORT = "<p>a few words</p><b>x</b>"


@pytest.mark.parametrize(
    ("addition", "option"), [("<img>", "image_characters"), ("<br>", "break_characters"), ("<hr>", "break_characters")]
)
def test_images_and_breaks_take_room(addition: str, option: str) -> None:
    page = f"<ul>{f'<li>{LONG}</li>' * 3}</ul><div>{f'<section>{SHORT}{addition}</section>' * 3}</div>"
    assert records(page, **{option: 0}) == ["li"] * 3
    assert records(page, **{option: 10}) == ["section"] * 3


def test_hidden_images_take_no_room() -> None:
    hidden = f"<section>{SHORT}<i hidden><img></i></section>"
    assert records(f"<ul>{f'<li>{LONG}</li>' * 3}</ul><div>{hidden * 3}</div>") == ["li"] * 3


@pytest.mark.parametrize(("depth_characters", "name"), [(0, "li"), (1, "section")])
def test_of_equal_regions_the_deeper_is_chosen(depth_characters: int, name: str) -> None:
    page = f"<ul>{f'<li>{LONG}</li>' * 3}</ul><div><div>{f'<section>{LONG}</section>' * 3}</div></div>"
    assert records(page, depth_characters=depth_characters) == [name] * 3


def test_the_paragraphs_of_an_article_are_no_records() -> None:
    assert texts(f"<article>{'<p>A paragraph of the article with <b>bold</b> words.</p>' * 9}</article>") == ""


def test_of_records_made_of_several_siblings_only_one_part_is_found() -> None:
    terms = "<dt><b>term</b> <i>kind</i></dt><dd><p>The <b>definition</b> of it.</p></dd>" * 4
    assert records(f"<dl>{terms}</dl>") == ["dd"] * 4


@pytest.mark.parametrize("markup", ["", "<div> </div>", "<p>one paragraph</p>"])
def test_nothing_is_extracted_from_a_page_without_records(markup: str) -> None:
    assert extract(tamis.parse(markup), "wish").spans == ()


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("min_records", 1, "2 to 1000000"),
        ("min_tags", 0, "1 to 1000000"),
        ("min_similarity", 1.1, "0 to 1"),
        ("image_characters", -1, "0 to 1000000"),
        ("break_characters", 10**7, "0 to 1000000"),
        ("depth_characters", -1, "0 to 1000000"),
    ],
)
def test_options_out_of_range_are_refused(name: str, value: float, allowed: str) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(OptionError, match=f"{name} is {value}, but must be from {allowed}"):
        Options(**options)
