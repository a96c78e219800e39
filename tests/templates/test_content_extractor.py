"""Blocks that few pages have are content, also when blocks differ a little."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.templates.content_extractor import _Index, cosine

MENU = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda my ny xi omikron pi rho sigma tau ypsilon"


def test_a_block_with_a_small_change_is_the_same_block() -> None:
    pages = [f"<p>{MENU} counter{n}</p><p>content{n} of page{n} alone{n}</p>" for n in range(6)]
    template = tamis.learn_template(pages, method="content_extractor")
    assert template.extract(tamis.parse(pages[2])).text == "content2 of page2 alone2"
    assert template.extract(tamis.parse(f"<p>{MENU} other</p><p>new</p>")).text == "new"


def test_with_a_stricter_cosine_it_is_another_one() -> None:
    pages = [f"<p>{MENU} counter{n}</p><p>content{n}</p>" for n in range(6)]
    template = tamis.learn_template(pages, method="content_extractor", min_cosine=0.96)
    assert "alpha" in template.extract(tamis.parse(pages[0])).text


def test_a_block_on_at_most_a_third_of_the_other_pages_is_kept() -> None:
    pages = [f"<p>own{n} words{n}</p>" + "<p>shared block here</p>" * (n < 3) for n in range(7)]
    template = tamis.learn_template(pages, method="content_extractor")
    assert "shared" in template.extract(tamis.parse(pages[0])).text
    pages = [f"<p>own{n} words{n}</p>" + "<p>shared block here</p>" * (n < 4) for n in range(7)]
    template = tamis.learn_template(pages, method="content_extractor")
    assert "shared" not in template.extract(tamis.parse(pages[0])).text


def test_text_beside_the_blocks_is_a_block_too() -> None:
    pages = [f"<div>beside {n}<table><tr><td>cell {n}</td></tr></table></div>" for n in range(5)]
    assert (
        tamis.learn_template(pages, method="content_extractor").extract(tamis.parse(pages[1])).text
        == "beside 1\n\ncell 1"
    )


BLOCKS = st.sets(st.sampled_from("abcdefghijkl"), min_size=1).map(lambda words: tuple(sorted(words)))


@given(st.dictionaries(BLOCKS, st.sets(st.integers(0, 5), min_size=1).map(sorted), min_size=1, max_size=30), BLOCKS,
       st.sampled_from([0.5, 0.8, 0.9, 0.95]))  # fmt: skip
@settings(max_examples=60)
def test_the_index_finds_what_comparing_with_all_finds(
    holders: dict[tuple[str, ...], list[int]], block: tuple[str, ...], limit: float
) -> None:
    expected = set()
    for other, pages in holders.items():
        if other == block or cosine(frozenset(block), other) > limit:
            expected.update(pages)
    assert _Index(holders, limit).pages_with(block) == expected
