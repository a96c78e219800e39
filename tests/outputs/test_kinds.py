"""Blocks that are no main content are named after what speaks for them."""

from __future__ import annotations

import pytest

import tamis
from tamis.about.related import RELATED
from tamis.outputs._kinds import (
    COMMERCIAL,
    FUNCTIONAL,
    KINDS,
    LINK_LIST,
    MAIN,
    NAVIGATION,
    OTHER,
    TEMPLATE,
    block_kinds,
)
from tamis.page.blocks import kept_shares
from tamis.page.spans import Span

MAIN_TEXT = "<article><p>Main words stand here.</p></article>"


def kind_of(markup: str, said: str = "said") -> str:
    """The kind of the block that says so, on a page of which ``Main words stand here.`` is kept."""
    page = tamis.parse(markup)
    start = page.text.find("Main words")
    kept = (Span(start, start + len("Main words stand here.")),) if start >= 0 else ()
    kinds = dict(zip((block.text for block in page.blocks), block_kinds(page, kept), strict=True))
    return kinds[said]


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<nav><p>said</p></nav>", NAVIGATION),
        ("<div role=navigation>said</div>", NAVIGATION),
        ("<div class='top main-nav'>said</div>", NAVIGATION),
        ("<ol id=breadcrumbs><li>said</ol>", NAVIGATION),
        ("<div class=most-popular>said</div>", LINK_LIST),
        ("<div class=related-stories>said</div>", RELATED),
        ("<nav><ul class=related><li>said</ul></nav>", RELATED),
        ("<div class='box ad'>said</div>", COMMERCIAL),
        ("<div id=sponsored>said</div>", COMMERCIAL),
        ("<form>said</form>", FUNCTIONAL),
        ("<button>said</button>", FUNCTIONAL),
        ("<div><a href=x role=button>said</a></div>", FUNCTIONAL),
        ("<ul class=share-buttons><li>said</ul>", FUNCTIONAL),
        ("<footer>said</footer>", TEMPLATE),
        ("<header>said</header>", TEMPLATE),
        ("<div class=masthead>said</div>", TEMPLATE),
        ("<div class=header>said</div>", TEMPLATE),
        ("<div class=shader>said</div>", OTHER),
        ("<div class=padding>said</div>", OTHER),
        ("<p>said</p>", OTHER),
    ],
)
def test_an_element_speaks_for_its_blocks_by_name_role_or_class(markup: str, kind: str) -> None:
    assert kind_of(MAIN_TEXT + markup) == kind


def test_the_nearest_element_that_says_something_counts() -> None:
    assert kind_of(f"{MAIN_TEXT}<footer><nav><p>said</p></nav></footer>") == NAVIGATION
    assert kind_of(f"{MAIN_TEXT}<nav><form><p>said</p></form></nav>") == FUNCTIONAL


def test_an_element_that_holds_main_content_says_nothing() -> None:
    assert kind_of(f"<div class=menu>{MAIN_TEXT}<p>said</p></div>") == OTHER
    assert kind_of(f"<form><div>{MAIN_TEXT}</div><nav>said</nav></form>") == NAVIGATION


def test_classes_of_the_body_say_nothing() -> None:
    assert kind_of("<body class=has-menu><p>said</p>") == OTHER


def test_the_header_of_an_article_is_no_part_of_the_template() -> None:
    assert kind_of(f"<article><header>said</header>{MAIN_TEXT}</article>") == OTHER


def test_an_inline_element_speaks_only_for_a_block_that_is_all_in_it() -> None:
    assert kind_of(f"{MAIN_TEXT}<p><span class=share>said</span></p>") == FUNCTIONAL
    assert kind_of(f"{MAIN_TEXT}<p><span class=share>said</span> and more</p>", "said and more") == OTHER


def test_links_that_nothing_speaks_for_are_navigation_before_the_main_content_and_a_list_after_it() -> None:
    links = "<p><a href=a>said</a></p>"
    assert kind_of(links + MAIN_TEXT) == NAVIGATION
    assert kind_of(MAIN_TEXT + links) == LINK_LIST


@pytest.mark.parametrize(("rest", "kind"), [("|", LINK_LIST), ("||", LINK_LIST), ("|||", OTHER)])
def test_two_thirds_of_link_text_make_a_link_list(rest: str, kind: str) -> None:
    assert kind_of(f"{MAIN_TEXT}<p><a href=a>said</a> {rest}</p>", f"said {rest}") == kind


@pytest.mark.parametrize(
    "text", ["© 2024 Someone", "Copyright by someone", "ALL RIGHTS RESERVED", "\u0130\u0130 © now"]
)
def test_a_notice_of_rights_is_part_of_the_template(text: str) -> None:
    assert kind_of(f"{MAIN_TEXT}<p>{text}</p><p>said</p>", text) == TEMPLATE
    assert kind_of(f"{MAIN_TEXT}<p>{text}</p><p>said</p>") == OTHER


def test_a_block_is_main_content_if_more_than_half_of_it_is_kept() -> None:
    page = tamis.parse("<nav>1234567890</nav>")
    assert block_kinds(page, (Span(0, 6),)) == (MAIN,)
    assert block_kinds(page, (Span(0, 5),)) == (OTHER,)  # it holds main content, so that its name says nothing
    assert block_kinds(page, ()) == (NAVIGATION,)


def test_shares_count_what_is_kept_of_each_block() -> None:
    page = tamis.parse("<p>1234</p><p>56<i hidden>no</i>78</p><p>90</p>")
    assert kept_shares(page, (Span(0, 4), Span(8, 9))).tolist() == [1.0, 0.25, 0.0]


def test_every_block_has_one_of_the_kinds() -> None:
    page = tamis.parse(f"<nav>a</nav>{MAIN_TEXT}<p>b<footer>c</footer>")
    kinds = block_kinds(page, ())
    assert len(kinds) == len(page.blocks)
    assert set(kinds) <= set(KINDS)
    assert block_kinds(tamis.parse(""), ()) == ()
