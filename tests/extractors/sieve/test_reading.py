from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.decide import levelled
from tamis.extractors.sieve.features import NAMES, name_columns, page_evidence, word_columns
from tamis.extractors.sieve.features.wording import said
from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.extractors.sieve.reading import TREE_SHARE, read_page
from tamis.page.model import Page
from tests.block_pages import FILLED_PAGES
from tests.hostile import HOSTILE
from tests.toy_model import toy_model

MODEL = toy_model()


@given(FILLED_PAGES)
@settings(max_examples=60)
def test_a_reading_is_features_network_and_levelling_one_after_the_other(page: Page) -> None:
    reading = read_page(page, MODEL)
    containers = build_containers(page)
    evidence = page_evidence(page, containers)
    names = name_columns(containers, MODEL.class_names.scores(containers))
    columns = np.concatenate((evidence.columns, names, word_columns(*said(page), MODEL.word_table)))
    assert np.array_equal(reading.columns, columns)
    words = page.blocks.words.astype(np.float32)
    by_network = MODEL.network.log_odds(MODEL.network.standardised(columns.T), words)
    raw = TREE_SHARE * MODEL.trees.log_odds(columns) + (1 - TREE_SHARE) * by_network
    expected = levelled(raw, words.astype(np.float64), evidence.groups)
    np.testing.assert_allclose(reading.log_odds, expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(reading.chances, 1 / (1 + np.exp(-expected)), atol=1e-4)
    assert reading.page_type in PAGE_TYPES


@pytest.mark.parametrize("name", HOSTILE)
def test_chances_are_between_0_and_1_whatever_the_page(name: str) -> None:
    page = tamis.parse(HOSTILE[name].make(HOSTILE[name].small)).revealed()
    if len(page.blocks):
        chances = read_page(page, MODEL).chances
        assert len(chances) == len(page.blocks)
        assert ((chances >= 0) & (chances <= 1)).all()


@pytest.mark.parametrize(
    ("markup", "titles"),
    [
        ("<p>a b</p><h1>Rivers</h1><h2>more</h2>", ["Rivers"]),
        ("<title>Rivers of the north</title><h1>The site</h1><p>Rivers of the north</p>", ["Rivers of the north"]),
        ("<title>Rivers</title><h2>one</h2><h2>two</h2>", ["one"]),
        ("<p>no heading</p><p>at all</p>", []),
    ],
)
def test_the_title_is_the_heading_that_matches_best(markup: str, titles: list[str]) -> None:
    page = tamis.parse(markup)
    is_title = read_page(page, MODEL).is_title
    assert [block.text for block, found in zip(page.blocks, is_title, strict=True) if found] == titles


def test_hidden_text_can_be_read_as_if_it_were_shown() -> None:
    hidden = tamis.parse("<div><p>one two three</p><p hidden>four five six</p></div>").revealed()
    shown = tamis.parse("<div><p>one two three</p><p>four five six</p></div>")
    column = NAMES.index("hidden")
    assert read_page(hidden, MODEL).columns[column].tolist() == [0, 1]
    as_shown = read_page(hidden, MODEL, shows_hidden=True).columns
    page_hidden = NAMES.index("page_hidden")
    others = [place for place in range(len(NAMES)) if place != page_hidden]
    assert np.array_equal(as_shown[others], read_page(shown, MODEL).columns[others])
