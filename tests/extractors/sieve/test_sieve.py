from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import InputError, OptionError
from tamis.extractors import sieve
from tamis.extractors.sieve import TINY_WORDS, Options, extract
from tamis.extractors.sieve.choosing import choose
from tamis.extractors.sieve.model import load_model
from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.extractors.sieve.reading import read_page
from tamis.extractors.sieve.reasons import explain_blocks
from tamis.page.model import Page
from tamis.results import BlockChoice, Extraction
from tests.block_pages import PAGES
from tests.toy_model import listening_to

WORDS = "rain fell hills night morning river risen banks bridge closed ferry mooring nobody town flood mayor".split()
SOURCE = random.Random(7)


def sentence(length: int) -> str:
    return " ".join(SOURCE.choices(WORDS, k=length)).capitalize() + "."


def paragraphs(count: int) -> str:
    return "".join(f"<p>{sentence(12)} {sentence(15)} {sentence(9)}</p>\n" for _ in range(count))


def links(count: int) -> str:
    return "<ul>" + "".join(f"<li><a href=/{i}>{sentence(3)[:-1]}</a></li>\n" for i in range(count)) + "</ul>\n"


HEAD = "<!doctype html><html lang=en><head><title>A flood in the north</title></head><body>\n"
MENU = f"<nav class=menu>{links(6)}</nav>\n"
HIDDEN_MENU = f"<div class=mobile-menu style='display:none'>{links(6)}</div>\n"
STORY = f"<h1>A flood in the north</h1>\n{paragraphs(4)}"
ACCORDION = "".join(
    f"<h2>{sentence(4)[:-1]}?</h2>\n<div class=accordion-body hidden>{paragraphs(1)}</div>\n" for _ in range(3)
)
SIDEBAR = f"<div class=sidebar><h3>Related</h3>{links(5)}</div>\n"
COMMENTS = "<div id=comments><h3>3 comments</h3>" + "".join(
    f"<div class=comment><b>Ann</b><p>{sentence(12)}</p></div>\n" for _ in range(3)
)
FOOTER = "</div><footer class=footer>Copyright 2020. <a href=x>Terms</a> <a href=y>Privacy</a></footer>"
PAGE = HEAD + MENU + HIDDEN_MENU + f"<article>{STORY}{ACCORDION}</article>" + SIDEBAR + COMMENTS + FOOTER
CARDS = "<div class=grid>" + "".join(
    f"<div class=card><h3><a href=/p{i}>{sentence(3)}</a></h3><p>{sentence(8)}</p></div>\n" for i in range(24)
)
LISTING = f"{HEAD}{MENU}<main><h1>A flood in the north</h1>{CARDS}</div></main>{FOOTER}"
BODY = "\n\n".join(f"{sentence(14)} {sentence(17)} {sentence(11)}" for _ in range(5))


def linked_data(body: str = BODY) -> str:
    data = {"@type": "NewsArticle", "headline": "A flood in the north", "articleBody": body}
    return f"<script type=application/ld+json>{json.dumps(data)}</script>"


def sieved(markup: str | Page, **options: Any) -> Extraction:
    return tamis.extract(markup, method="sieve", **options)


def kept(result: Extraction) -> list[str]:
    return [block.text for block in result.blocks if block.kept]


def below(result: Extraction, selector: str) -> list[BlockChoice]:
    """The blocks of a result that lie in an element."""
    page = result.shown.page
    (node,) = page.select(selector)
    spans = zip(page.blocks.start, page.blocks.node, strict=True)
    held = [number for number, (_, at) in enumerate(spans) if node <= at < page.nodes.end[node]]
    return [result.blocks[number] for number in held]


def test_an_article_is_found_between_what_is_not() -> None:
    result = sieved(PAGE)
    assert all(block.kept for block in below(result, "article"))
    for selector in ("nav", ".mobile-menu", ".sidebar", "#comments", "footer"):
        assert not any(block.kept for block in below(result, selector)), selector
    assert (result.status, result.page_type, result.warnings) == ("ok", "article", ())


def test_every_block_has_a_probability_and_a_reason_and_the_page_a_type() -> None:
    for markup in (PAGE, LISTING, "<p>x", HEAD + MENU):
        result = sieved(markup)
        assert result.page_type in PAGE_TYPES
        assert result.scores is not None
        assert result.reasons is not None
        assert len(result.scores) == len(result.reasons) == len(result.blocks) > 0
        for block in result.blocks:
            assert 0 <= block.score <= 1
            rule = "kept: " if block.kept else "dropped: "
            assert block.reason.startswith(rule)
            assert f"(probability {block.score:.2f}" in block.reason


@pytest.mark.parametrize(
    ("family", "selector", "expected"),
    [
        ("names", ".sidebar", "class token sidebar"),
        ("candidate", "article", "inside the best candidate"),
        ("candidate", "footer", "outside the best candidate"),
        ("groups", "nav", "card repeated 6 times"),
        ("markup", "nav", "inside nav, list"),
        ("links", "nav", "100% of its words are links"),
        ("hidden", ".mobile-menu", "hidden"),
    ],
)
def test_reasons_are_in_words(family: str, selector: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve, "load_model", lambda _: listening_to(family))
    assert any(expected in block.reason for block in below(sieved(PAGE), selector))


def test_reasons_are_a_sequence_that_is_told_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    def listening(*arguments: Any) -> list[list[str]]:
        told.append(True)
        return explain_blocks(*arguments)

    monkeypatch.setattr(sieve, "explain_blocks", listening)
    reasons = sieved(PAGE).reasons
    assert isinstance(reasons, Sequence)
    assert (len(reasons) > 9, told) == (True, [])
    everything = list(reasons)
    assert [reasons[0], reasons[-1], *reasons[1:3]] == [everything[0], everything[-1], *everything[1:3]]
    assert told == [True]
    again = sieved(PAGE)
    assert again.reasons == reasons
    assert again.reasons != sieved(LISTING).reasons


@pytest.mark.parametrize("markup", [PAGE, LISTING, HEAD + MENU + STORY])
def test_more_bias_keeps_the_same_and_more(markup: str) -> None:
    found = [set(kept(sieved(markup, bias=bias))) for bias in (-1, -0.5, 0, 0.5, 1)]
    for less, more in itertools.pairwise(found):
        assert less <= more
    assert found[0]


@given(PAGES, st.floats(-1, 1), st.floats(-1, 1))
@settings(max_examples=40)
def test_more_bias_keeps_the_same_and_more_of_any_page(page: Page, one: float, other: float) -> None:
    spans = [sieved(page, bias=bias).spans for bias in sorted((one, other))]
    less, more = ({place for span in found for place in range(*span)} for found in spans)
    assert less <= more


@pytest.mark.parametrize("bias", [-1.01, 1.01, float("nan"), float("inf")])
def test_a_bias_beyond_its_ends_is_refused(bias: float) -> None:
    with pytest.raises(OptionError, match=r"bias is .*, but must be from -1 to 1"):
        Options(bias=bias)


@pytest.mark.parametrize("bias", [-1, 1])
def test_the_ends_of_the_bias_are_accepted(bias: float) -> None:
    assert sieved(PAGE, bias=bias).status == "ok"


def test_a_policy_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="comments"):
        sieved(PAGE, comments="perhaps")


def test_comments_are_kept_or_dropped_as_asked() -> None:
    keeping, dropping = (below(sieved(PAGE, comments=policy), "#comments") for policy in ("keep", "drop"))
    assert all(block.kept and block.reason.startswith("kept: comments=keep (") for block in keeping)
    assert not any(block.kept for block in dropping)
    assert all(block.reason.startswith("dropped: comments=drop (") for block in dropping)


def test_comments_are_content_of_a_forum_and_elsewhere_only_if_much_speaks_for_it() -> None:
    page = tamis.parse(HEAD + f"<div class=comments>{paragraphs(2)}</div><p>{sentence(9)}</p>")
    reading = read_page(page, load_model(""))
    clear = replace(reading, log_odds=np.array([1.0, 1.0, 1.0]), in_comments=np.array([True, True, False]))
    for kind, expected in (("forum", [True] * 3), ("article", [False, False, True])):
        chosen = choose(page, replace(clear, page_type=kind), Options())
        assert chosen.kept.tolist() == expected
    sure = replace(clear, log_odds=np.array([9.0, 9.0, 9.0]), page_type="article")
    assert choose(page, sure, Options()).kept.all()


def test_the_title_is_kept_or_dropped_as_asked() -> None:
    title = "A flood in the north"
    assert title in kept(sieved(PAGE, title="keep", bias=-1))
    dropping = sieved(PAGE, title="drop", bias=1)
    assert title not in kept(dropping)
    assert below(dropping, "h1")[0].reason.startswith("dropped: title=drop (")
    assert set(kept(sieved(PAGE, title="drop"))) == set(kept(sieved(PAGE))) - {title}


def test_hidden_answers_may_be_content_and_hidden_menus_are_not() -> None:
    answers = tamis.parse(PAGE).select(".accordion-body p")
    assert len(answers) == 3
    result = sieved(PAGE)
    kept_nodes = {result.shown.page.blocks.node[block.number] for block in result.blocks if block.kept}
    assert set(answers) <= kept_nodes
    assert not any(block.kept for block in below(result, ".mobile-menu"))


def test_hidden_text_is_not_read_when_it_is_to_be_dropped() -> None:
    page = tamis.parse(PAGE)
    result = sieved(page, hidden="drop")
    assert result.page is page
    assert [block.text for block in result.blocks] == [block.text for block in page.blocks]
    assert len(result.blocks) < len(sieved(PAGE).blocks)


def test_hidden_text_is_judged_as_if_it_were_shown_when_it_is_to_be_kept() -> None:
    auto, as_shown = sieved(PAGE), sieved(PAGE, hidden="keep")
    assert auto.scores != as_shown.scores
    assert not any(" hidden" in block.reason for block in as_shown.blocks)
    kept_nodes = {as_shown.shown.page.blocks.node[block.number] for block in as_shown.blocks if block.kept}
    assert set(as_shown.page.select(".accordion-body p")) <= kept_nodes


@pytest.mark.parametrize(("limit", "is_cut"), [(38, False), (37, False), (36, True), (1, True)])
def test_a_page_of_too_many_blocks_is_read_up_to_the_limit(
    limit: int, is_cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tamis.parse(PAGE)
    count = len(page.revealed().blocks)
    assert count == 37
    monkeypatch.setattr(sieve, "MAX_BLOCKS", limit)
    result = sieved(page)
    assert len(result.blocks) == min(limit, count)
    assert result.status == ("truncated" if is_cut else "ok")
    assert result.warnings == ((f"truncated: only the first {limit} blocks were read",) if is_cut else ())
    assert page.warnings == ()


def test_an_article_that_only_the_scripts_hold_is_found_there() -> None:
    for shown in ("", "<p>Please enable JavaScript.</p>"):
        result = sieved(HEAD + linked_data() + "<div id=root></div>" + shown)
        assert result.text.split() == BODY.split()
        assert result.status == "ok"
        assert "embedded: the page shows little text; this is from its JSON-LD articleBody" in result.warnings
        assert all(block.kept and block.reason.startswith("kept: ") for block in result.blocks)
        assert result.metadata.title == "A flood in the north"


def test_what_the_page_shows_is_preferred_to_its_scripts() -> None:
    assert sieved(HEAD + linked_data() + f"<article>{STORY}</article>").notes == ()


def test_a_script_must_hold_much_more_than_the_page() -> None:
    shown = "<p>" + "The river rose over its banks in the night. " * 3 + "</p>"
    short = "The ferry stayed at its mooring for a day, and nobody could cross the river. " * 4
    result = sieved(HEAD + linked_data(short) + shown)
    assert (result.notes, "ferry" in result.text) == ((), False)


@pytest.mark.parametrize(("count", "is_tiny"), [(TINY_WORDS - 1, True), (TINY_WORDS, False), (TINY_WORDS + 1, False)])
def test_scripts_are_searched_when_fewer_words_are_kept_than_a_few(count: int, is_tiny: bool) -> None:
    # Nothing stands between the paragraphs, so that what is kept is one stretch of the page's text.
    shown = f"<article><p>{'it is so ' * 5}</p><p>{'on ' * (count - 15)}</p></article>"
    undeclared = linked_data().replace("articleBody", "text")  # an article body would be taken for what is not shown
    result = sieved(undeclared + shown, bias=1)
    assert bool(result.notes) == is_tiny
    assert is_tiny or len(kept(result)) == 2


def test_what_a_self_closed_frame_swallowed_is_extracted() -> None:
    whole, repaired = sieved(HEAD + MENU + STORY + FOOTER), sieved(HEAD + MENU + "<iframe src=x />" + STORY + FOOTER)
    assert repaired.text == whole.text
    assert all(block.kept for block in repaired.blocks if block.text.count(".") == 3)


@pytest.mark.parametrize("markup", ["", "<p> </p>", "<script>x = 1</script>", "<title>only a title</title>"])
def test_a_page_without_text_is_empty(markup: str) -> None:
    result = sieved(markup)
    assert (result.status, result.spans, result.page_type) == ("empty", (), "")
    assert result.blocks == ()


def test_a_model_that_cannot_be_read_is_an_error_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"cannot read the model 'no/such\.npz': .*; train it again"):
        sieved(PAGE, model="no/such.npz")


def test_the_page_is_not_changed() -> None:
    page, untouched = tamis.parse(PAGE), tamis.parse(PAGE)
    extract(page, Options())
    assert np.array_equal(page.nodes.flags, untouched.nodes.flags)
    assert [block.text for block in page.blocks] == [block.text for block in untouched.blocks]
    assert page.description == untouched.description


def test_threads_and_repetitions_give_the_same() -> None:
    page = tamis.parse(PAGE)
    first = sieved(page)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda number: sieved(page if number % 2 else PAGE), range(24)))
    assert {result.text for result in results} == {first.text}
    assert {result.scores for result in results} == {first.scores}
    assert {tuple(result.reasons or ()) for result in results} == {tuple(first.reasons or ())}


_PROGRAM = """
import json, sys, tamis
for markup in json.load(sys.stdin):
    result = tamis.extract(markup, method="sieve")
    print(json.dumps([result.text, result.scores, list(result.reasons), result.page_type]))
"""


def test_processes_and_hash_seeds_give_the_same() -> None:
    markups = [PAGE, LISTING, "<title>河水上涨</title><h1>河水上涨</h1><p class='a b'>河水在夜里上涨。</p>"]

    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", _PROGRAM]
        done = subprocess.run(
            command, input=json.dumps(markups), env=environment, capture_output=True, check=True, encoding="utf-8"
        )
        return done.stdout

    first = run("1")
    assert run("2") == first
    assert json.loads(first.splitlines()[0])[0] == sieved(PAGE).text
