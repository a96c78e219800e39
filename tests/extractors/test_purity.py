from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors._purity import BLOCK_NAMES, purities, segment
from tamis.page.model import Page

PIECES = "<table> <tr> <td> </td> </tr> </table> <p> </p> <ul> </ul> <li> <hr> <b> </b> <div> </div> word two".split()
PAGES = st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join).map(tamis.parse)


def names(page: Page) -> list[str]:
    return [page.name(node) for node in range(len(page.nodes))]


def below(page: Page, node: int) -> set[int]:
    return set(range(node + 1, int(page.nodes.end[node])))


def printed_blocks(page: Page, overlap: bool) -> set[int]:
    """The printed algorithm, word by word."""
    blocks = {0}
    for name in BLOCK_NAMES:
        for block in sorted(blocks):
            pieces = {node for node in below(page, block) if names(page)[node] == name}
            if pieces:
                innermost = {piece for piece in pieces if not below(page, piece) & pieces}
                blocks = (blocks - {block}) | (pieces if overlap else innermost)
    return blocks


def printed_blocks_with_residual(page: Page) -> dict[int, set[int]]:
    """The printed algorithm, but what is left of a block stays one."""
    blocks = {0: below(page, 0)}
    for name in BLOCK_NAMES:
        for block, content in list(blocks.items()):
            pieces = {node for node in content if names(page)[node] == name}
            for piece in sorted(pieces):
                blocks[piece] = content & below(page, piece)
            for holder in (block, *pieces):
                for piece in pieces:
                    if piece in blocks[holder]:
                        blocks[holder] = blocks[holder] - below(page, piece) - {piece}
    return blocks


@given(PAGES, st.booleans())
def test_blocks_are_those_of_the_printed_algorithm(page: Page, overlap: bool) -> None:
    assert set(segment(page, overlap=overlap).roots.tolist()) == printed_blocks(page, overlap)


@given(PAGES)
def test_residual_blocks_are_what_the_printed_algorithm_loses(page: Page) -> None:
    segments = segment(page, keep_residual=True)
    found = {
        int(root): set(np.flatnonzero(segments.inside(np.array([position]))).tolist()) - {int(root)}
        for position, root in enumerate(segments.roots)
    }
    assert found == printed_blocks_with_residual(page)


@given(PAGES, st.booleans(), st.booleans())
def test_purity_is_the_share_of_words_in_words_and_elements(page: Page, keep_residual: bool, overlap: bool) -> None:
    segments = segment(page, keep_residual=keep_residual, overlap=overlap and not keep_residual)
    for position, purity in enumerate(purities(segments, "text").tolist()):
        inside = set(np.flatnonzero(segments.inside(np.array([position]))).tolist()) - {int(segments.roots[position])}
        words = sum(len(page.node_text(node).split()) for node in inside if names(page)[node] == "#text")
        elements = sum(not names(page)[node].startswith("#") for node in inside)
        assert purity == (words / (words + elements) if words else 0.0)


@pytest.mark.parametrize(
    ("block", "purity"),
    [
        ("<a href=x></a><a href=x>one</a> two three <img>", 0.5),
        ("<a href=x>four</a> five six seven", 0.8),
        ("<a href=x></a><img>", 0.0),
        ("", 0.0),
    ],
)
def test_purities_of_the_worked_example(block: str, purity: float) -> None:
    segments = segment(tamis.parse(f"<p>{block}</p>"))
    assert purities(segments, "text").tolist() == [purity]


def test_hidden_words_do_not_count() -> None:
    assert purities(segment(tamis.parse("<p>word <b hidden>hidden words</b></p>")), "text").tolist() == [0.5]


def test_a_rule_cuts_away_what_surrounds_it() -> None:
    page = tamis.parse("before<hr>after")
    assert [page.name(root) for root in segment(page).roots] == ["hr"]
