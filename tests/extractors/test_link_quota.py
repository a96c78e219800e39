from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors._link_quota import damped_totals, own_text
from tamis.page.model import Page

PIECES = "<div> </div> <b> </b> <i> </i> <p> word".split()
PAGES = st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join).map(tamis.parse)


def test_text_counts_for_the_nearest_block_and_for_no_other() -> None:
    page = tamis.parse("<div>ab <b>c</b><p>def <a href=x>gh</a></p></div>out")
    own = own_text(page, page.nodes.named("div", "p"), page.nodes.visible_texts)
    sizes = {
        page.name(node): (own.characters[node], own.link_characters[node])
        for node in np.flatnonzero(own.characters).tolist()
    }
    assert sizes == {"#document": (3, 0), "div": (3, 0), "p": (5, 2)}


def test_texts_that_are_left_out_do_not_count() -> None:
    page = tamis.parse("<p>ab<b>c</b></p>")
    own = own_text(page, page.nodes.named("p"), page.nodes.visible_texts[1:])
    assert own.characters.sum() == 1


@given(PAGES, st.sampled_from([0.0, 0.5, 1.0]))
def test_damped_totals_follow_the_recursion(page: Page, damping: float) -> None:
    values = np.arange(len(page.nodes), dtype=np.float64)
    expected = values.copy()
    for node in range(len(page.nodes) - 1, 0, -1):
        expected[page.nodes.parent[node]] += damping * expected[node]
    assert damped_totals(page.nodes, values, damping) == pytest.approx(expected)
