from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError
from tamis.extractors import extract
from tamis.extractors.crunch import FILTERS, Options, find_advertisements, find_link_lists, find_links
from tamis.extractors.crunch import extract as crunch
from tamis.page.model import Page
from tamis.page.text import Bools
from tamis.results import Extraction

PAGE = """
<ul class=menu><li><a href=/>Home</a><li><a href=/news>News</a></ul>
<div class="box ad-top">Buy now</div>
<p>Enough text without links to be an article.</p>
<p>See <a href=/more>more</a> in the long text that follows.</p>
"""
ARTICLE = "Enough text without links to be an article. See more in the long text that follows."


def kept(html: str, **options: Any) -> str:
    return words_of(extract(tamis.parse(html), "crunch", **options))


def words_of(extraction: Extraction) -> str:
    return " ".join(" ".join(extraction.page.text[start:end] for start, end in extraction.spans).split())


def names_of(page: Page, found: Bools) -> list[str]:
    return [page.name(node) for node in np.flatnonzero(found).tolist()]


def nothing(page: Page) -> Bools:
    return np.zeros(len(page.nodes), dtype=np.bool_)


def test_advertisements_and_link_lists_go_and_the_article_stays() -> None:
    assert kept(PAGE) == ARTICLE


def test_dropped_blocks_say_which_filter_dropped_them() -> None:
    blocks = extract(tamis.parse(PAGE), "crunch").blocks
    assert [block.reason for block in blocks] == ["link list", "link list", "advertisement", "", ""]


@pytest.mark.parametrize(
    "markup",
    [
        "<a href='http://ad.doubleclick.net/click?x'>text</a>",
        "<a href=//taboola.com>text</a>",
        "<div id=ads>text</div>",
        "<div class='top sponsored'>text</div>",
        "<iframe srcdoc='&lt;p&gt;text'></iframe>",
    ],
)
def test_what_points_to_an_advertiser_or_is_named_so_is_an_advertisement(markup: str) -> None:
    page = tamis.parse(f"<p>before</p>{markup}<p>after</p>")
    assert len(names_of(page, find_advertisements(page, nothing(page), Options()))) == 1
    assert words_of(crunch(page, Options())) == "before after"


@pytest.mark.parametrize(
    "markup",
    [
        "<p class=header>text</p>",
        "<p class=adam>text</p>",
        "<p><a href='http://notdoubleclick.net/'>text</a> words</p>",
        "<p><a href='http://example.org/?from=//taboola.community'>text</a> words</p>",
        "<article class='post ads'>text</article>",
        "<body class=has-ads>text",
    ],
)
def test_words_and_hosts_must_match_as_a_whole_and_never_take_the_whole_page(markup: str) -> None:
    page = tamis.parse(markup)
    assert names_of(page, find_advertisements(page, nothing(page), Options())) == []


@pytest.mark.parametrize(("link_letters", "is_list"), [(35, False), (36, True)])
def test_a_link_list_has_more_than_a_third_as_many_words_in_links_as_outside(link_letters: int, is_list: bool) -> None:
    page = tamis.parse(f"<p>{'t' * 100} <a href=x>{'l' * link_letters}</a></p>")
    assert find_link_lists(page, nothing(page), Options()).any() == is_list


def test_anchor_text_may_be_compared_with_all_text() -> None:
    html = f"<p>{'t' * 100} <a href=x>{'l' * 50}</a></p>"
    assert kept(html) == ""
    assert len(kept(html, denominator="all")) == 151


def test_longer_words_make_fewer_words_of_short_texts() -> None:
    html = f"<p>{'t' * 30} <a href=x>{'l' * 11}</a></p>"
    assert kept(html, characters_per_word=5) == ""
    assert kept(html, characters_per_word=11) != ""


def test_blocks_inside_a_link_list_are_judged_by_themselves() -> None:
    assert kept("<div><a href=x>menu of links</a><p>plain</p></div>") == "plain"


def test_advertisements_do_not_count_as_text_of_a_block() -> None:
    advertisement = "<span class=ad>many words of an advertisement that would outweigh the link if it counted</span>"
    assert kept(f"<div>{advertisement} <a href=x>all that is left</a></div>") == ""


def test_removed_links_can_be_saved() -> None:
    assert kept(PAGE, append_links=True) == f"HomeNews {ARTICLE}"
    assert kept("<p>Menu: <a href=x>first</a></p>", append_links=True) == "first"


def test_all_links_can_be_removed() -> None:
    assert kept(PAGE, remove_links=True) == ARTICLE.replace("more ", "")
    page = tamis.parse(PAGE)
    assert not find_links(page, nothing(page), Options()).any()


def test_what_is_left_of_a_block_is_not_only_white_space() -> None:
    extraction = extract(tamis.parse("<h1> <a href=x>headline</a> </h1>"), "crunch", remove_links=True)
    assert (extraction.spans, extraction.status) == ((), "empty")


def test_a_further_filter_can_be_plugged_in() -> None:
    def find_headings(page: Page, removed: Bools, options: Options) -> Bools:
        return page.nodes.named("h1")

    page = tamis.parse("<h1>Head</h1><p>text</p>")
    extraction = crunch(page, Options(), {**FILTERS, "heading": find_headings})
    assert words_of(extraction) == "text"
    assert [block.reason for block in extraction.blocks] == ["heading", ""]


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(OptionError, match=r"link_ratio is -0\.1, but must be at least 0"):
        Options(link_ratio=-0.1)
    with pytest.raises(OptionError, match="link_ratio is nan"):
        Options(link_ratio=float("nan"))
    with pytest.raises(OptionError, match="characters_per_word is 0, but must be at least 1"):
        Options(characters_per_word=0)
    with pytest.raises(OptionError, match="append_links is True, but False is expected when remove_links is True"):
        Options(append_links=True, remove_links=True)
