from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given, settings

import tamis
from tamis.extractors.sieve.features import NAMES
from tamis.extractors.sieve.model import SieveModel
from tamis.extractors.sieve.reading import read_page
from tamis.extractors.sieve.reasons import explain_blocks
from tamis.models.trees import ObliviousTrees
from tamis.page.model import Page
from tests.block_pages import FILLED_PAGES
from tests.toy_model import listening_to, silent_trees, toy_model

MODEL = toy_model()


def reasons(markup: str, model: SieveModel) -> list[list[str]]:
    page = tamis.parse(markup).revealed()
    return explain_blocks(page, model, read_page(page, model))


def parts(reason: str) -> tuple[float, str]:
    weight, _, words = reason.partition(" ")
    return float(weight), words


@given(FILLED_PAGES)
@settings(max_examples=40)
def test_every_block_has_its_probability_and_up_to_three_reasons_strongest_first(page: Page) -> None:
    reading = read_page(page, MODEL)
    told = explain_blocks(page, MODEL, reading)
    assert len(told) == len(page.blocks)
    for (chance, *why), expected in zip(told, reading.chances.tolist(), strict=True):
        assert chance == f"probability {expected:.2f}"
        assert len(why) <= 3
        weights = [abs(parts(reason)[0]) for reason in why]
        assert weights == sorted(weights, reverse=True)
        assert all(weight >= 0.3 and re.match(r"[+-]\d", reason) for weight, reason in zip(weights, why, strict=True))


@pytest.mark.parametrize(
    ("family", "markup", "expected"),
    [
        ("names", "<div class='box sidebar'><p class=x>one two</p></div>", "class token sidebar"),
        ("names", "<div id=main class=y><p>one two</p></div>", "class token #main"),
        ("names", "<p>one two</p>", "no telling class tokens"),
        ("links", "<p>one two three <a href=x>four</a></p>", "25% of its words are links"),
        ("markup", "<nav><ul><li>one</li></ul></nav>", "inside nav, list"),
        ("markup", "<p>one</p>", "in no telling element"),
        ("text", "<p>One two. Three!</p>", "3 words, 2 sentence marks"),
        ("title", "<title>Rivers north</title><h1>Rivers north</h1>", "matches the title"),
        ("title", "<h1>Rivers north</h1>", "no heading that matches the title"),
        ("hidden", "<p hidden>one</p>", "hidden"),
        ("groups", "<ul>" + "<li class=card><p>one</p></li>" * 24 + "</ul>", "card repeated 24 times"),
        ("groups", "<p>one</p>", "nothing else looks like it"),
        ("place", "<h1>a</h1><p>b</p><p>c</p><p>d</p>", "0% down the page"),
        ("candidate", f"<div><p>{'Some words, and more. ' * 9}</p></div>", "inside the best candidate"),
        ("containers", f"<p>{'word ' * 20}</p>", "its container holds 100% of the page's running text"),
    ],
)
def test_a_family_is_put_into_words(family: str, markup: str, expected: str) -> None:
    first = reasons(markup, listening_to(family))[0]
    assert [parts(reason)[1] for reason in first[1:]] == [expected]


def test_a_plus_speaks_for_content_and_a_minus_against_it() -> None:
    markup = "<p><a href=x>one two three</a></p>"
    signs = [parts(reasons(markup, listening_to("links", sign=sign))[0][1])[0] > 0 for sign in (1, -1)]
    assert signs == [True, False]


def test_trees_have_reasons_too() -> None:
    quiet = listening_to()
    question = np.array([[NAMES.index("link_density")]])
    trees = ObliviousTrees(question, np.array([[0.5]], np.float32), np.array([[4, -4]], np.float32), 0.0)
    told = reasons("<p>one two</p><div><a href=x>one two</a></div>", dataclasses.replace(quiet, trees=trees))
    assert told[0] == ["probability 0.88"]  # what is usual is not above the border either
    assert [parts(reason) for reason in told[1][1:]] == [(-4.0, "100% of its words are links")]


def test_what_lies_outside_the_candidate_is_told_so() -> None:
    text = "Some words, and more of them. " * 9
    told = reasons(f"<div><p>{text}</p><p>{text}</p></div><div><p>one two</p></div>", listening_to("candidate"))
    assert parts(told[0][1])[1] == "inside the best candidate"
    assert parts(told[2][1])[1] == "outside the best candidate"


def test_weak_reasons_are_no_reasons() -> None:
    network = dataclasses.replace(MODEL.network, out=MODEL.network.out * 0)
    quiet = dataclasses.replace(MODEL, network=network, trees=silent_trees())
    assert reasons("<p>one two</p>", quiet)[0][1:] == []
