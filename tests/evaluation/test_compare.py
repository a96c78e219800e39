from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import tamis
from tamis import extractors
from tamis.evaluation import compare as comparing
from tamis.evaluation.compare import compare, disagreements, table, to_html
from tamis.evaluation.peers import run_peer
from tamis.evaluation.words import compare_words
from tamis.page.layout import estimate_boxes

PAGE = tamis.parse(
    "<nav><a href=/>Home</a> <a href=/a>About</a></nav><p>The <b>text</b> &amp; nothing but the text.</p>"
)


def test_every_method_has_a_row() -> None:
    methods = [one.method for one in compare(PAGE)]
    assert sorted(methods) == list(tamis.methods())
    assert methods[0] == "sieve"


def test_a_peer_is_compared_by_its_text() -> None:
    own, peer = compare(PAGE, ["keep_all", "turbohtml"])
    assert peer.text == (run_peer("turbohtml", PAGE.source, None) or "")
    assert peer.words == len(compare_words(peer.text))
    kept = [block.text for block in peer.extraction.blocks if block.kept]
    assert all(text in peer.text for text in kept)
    assert to_html(PAGE, [own, peer], "peers").count("<th scope=col><span>turbohtml") == 1


def test_only_blocks_with_different_fates_are_disagreements() -> None:
    found = compare(PAGE, ["keep_all", "bte"])
    assert disagreements(PAGE, found) == [("Home About", ["keep_all"], ["bte"])]
    page = to_html(PAGE, found, "both")
    assert page.count('<tr class="same">') == 1
    assert 'id="only"' in page


def test_shares_and_agreement_are_relative() -> None:
    everything, best = compare(PAGE, ["keep_all", "bte"])
    assert everything.share == 1
    assert best.agreement == 1
    assert best.share == best.words / everything.words < 1


def test_with_a_gold_text_the_best_comes_first() -> None:
    found = compare(PAGE, ["keep_all", "bte"], gold="The text & nothing but the text.")
    assert [one.method for one in found] == ["bte", "keep_all"]
    assert table(found)[1][0][-4:] == ["1.000", "1.000", "1.000", "1.000"]


def test_the_page_shows_each_block_once_and_who_keeps_it() -> None:
    page = to_html(PAGE, compare(PAGE, ["keep_all", "bte"]), "<title>")
    assert page.count("The text &amp; nothing but the text.") == 1
    assert page.count('class="kept"') == 3
    assert "<h1>&lt;title&gt;</h1>" in page
    assert "@" not in page


def test_a_page_without_blocks_can_be_compared() -> None:
    empty = tamis.parse(b"")
    assert "<tbody></tbody>" in to_html(empty, compare(empty, ["bte"]), "empty")


def test_methods_that_see_hidden_blocks_stand_beside_those_that_do_not() -> None:
    page = tamis.parse("<div hidden><p>An answer behind a click.</p></div><p>Text that everybody sees.</p>")
    html = to_html(page, compare(page, ["sieve", "keep_all"]), "A page")
    assert html.count("An answer behind a click.") == 1
    assert html.count("Text that everybody sees.") == 1


def test_time_is_taken_on_a_page_on_which_nothing_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def extract(page: tamis.Page, *arguments: Any) -> tamis.Extraction:
        seen.append(page)
        return extractors.extract(page, *arguments)

    monkeypatch.setattr(comparing, "extractors", SimpleNamespace(extract=extract, DEFAULT=extractors.DEFAULT))
    compare(PAGE, ["bte"])
    assert seen[-2] is PAGE
    assert (seen[-1] is not PAGE, seen[-1].source) == (True, PAGE.source)
    boxed = PAGE.with_boxes(estimate_boxes(PAGE))
    compare(boxed, ["bte"])
    assert seen[-1] is boxed
