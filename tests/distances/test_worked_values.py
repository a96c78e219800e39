"""The trees of Gottron's measures, worked out by hand."""

from __future__ import annotations

import math

import pytest

import tamis
from tamis import distances
from tamis.distances import bag_of_paths
from tests.distances.outlines import page_of

T1 = page_of("html(body(div(p,p),ul(li,li)))")
T2 = page_of("html(body(div(p),ul(li,li,li)))")  # lists of other lengths
T3 = page_of("html(body(div(p,p),ol(li,li)))")  # one name changed
T4 = page_of("html(body(ul(li,li),div(p,p)))")  # blocks swapped

ROOT2 = math.sqrt(2)


@pytest.mark.parametrize(
    ("method", "options", "expected"),
    [
        ("rtdm", {}, (2, 1, 6)),
        ("rtdm", {"table": "full"}, (2, 1, 6)),
        ("rtdm", {"literal": True}, (2, 0, 4)),
        ("rtdm", {"normalised": True}, (2 / 16, 1 / 16, 6 / 16)),
        ("common_paths", {}, (0, 0.5, 0)),
        ("common_path_shingles", {}, (0, 0.5, 0)),
        ("common_path_shingles", {"length": 2}, (0, 0.4, 0)),
        ("tag_vector", {}, (ROOT2, ROOT2, 0)),
        ("longest_common_tag_subsequence", {}, (0.125, 0.125, 0.375)),
        ("common_tag_sequence_shingles", {}, (8 / 9, 8 / 9, 1)),
        ("common_tag_sequence_shingles", {"length": 3}, (1 / 7, 3 / 7, 3 / 7)),
        ("bag_of_paths", {}, (1 - 3 / 5, 1 - 2 / 6, 0)),
        ("bottom_up", {}, (1 - 3 / 8, 1 - 5 / 8, 1 - 6 / 8)),
    ],
)
def test_worked_values(method: str, options: dict[str, int | bool | str], expected: tuple[float, float, float]) -> None:
    found = distances.matrix([T1, T2, T3, T4], method, **options)
    assert found[0, 1:].tolist() == pytest.approx(expected)
    for place, other in enumerate((T1, T2, T3, T4)):
        assert distances.distance(T1, other, method, **options) == pytest.approx(found[0, place])


@pytest.mark.parametrize("tags_from", ["tree", "source"])
def test_two_pages_of_different_web_components_have_no_run_of_tags_in_common(tags_from: str) -> None:
    cards, rows = (
        tamis.parse("<body>" + f"<{name}-list><{name}-item></{name}-item></{name}-list>" * 9)
        for name in ("card", "row")
    )
    assert distances.distance(cards, rows, "common_tag_sequence_shingles", tags_from=tags_from, length=3) > 0.5
    assert distances.distance(cards, rows, "tag_vector", tags_from=tags_from) == math.sqrt(4 * 9**2)


def test_shares_of_tags_differ_by_the_mean_of_squares() -> None:
    """Half div and half p against a quarter and three quarters, in percent: 625 of at most 10,000."""
    page, other = page_of("div(p)"), page_of("div(p,p,p)")
    assert distances.distance(page, other, "weighted_tag_frequency") == pytest.approx(0.0625)
    assert distances.distance(page_of("div"), page_of("p"), "weighted_tag_frequency") == pytest.approx(1)


def test_a_block_may_weigh_more_than_a_line() -> None:
    page, other = page_of("div(b)"), page_of("div(b,b,b)")
    usual = distances.distance(page, other, "weighted_tag_frequency")
    assert distances.distance(page, other, "weighted_tag_frequency", block_weight=9) == pytest.approx(usual)
    one_block = distances.distance(page_of("div(p,b,b)"), page_of("div(p,p,b)"), "weighted_tag_frequency")
    heavier = distances.distance(page_of("div(p,b,b)"), page_of("div(p,p,b)"), "weighted_tag_frequency", block_weight=9)
    assert one_block == pytest.approx(2 * 0.25**2 / 3)
    assert heavier == pytest.approx((9 + 1) * 0.25**2 / 19)


def test_bags_of_paths_share_the_smaller_counts() -> None:
    """Paths x twice and y once against x once and z once: 1 in common of 4."""
    page, other = page_of("div(p,p,ul)"), page_of("div(p,ol)")
    assert distances.distance(page, other, "bag_of_paths") == pytest.approx(0.75)


def test_paths_on_few_or_on_most_pages_can_be_left_out() -> None:
    pages = [page_of("div(p,ul)"), page_of("div(p,ol)"), page_of("div(p,ol)")]
    assert distances.matrix(pages, "bag_of_paths", min_pages=2)[0].tolist() == pytest.approx([0, 0.5, 0.5])
    assert distances.matrix(pages, "bag_of_paths", max_share=0.7)[0].tolist() == pytest.approx([0, 1, 1])
    assert bag_of_paths.Options(max_share=1.0) == bag_of_paths.Options()


def test_pieces_of_a_small_tree() -> None:
    """a(b) has the pieces (a | b), (b | -) for p = 1, q = 1; a(c) shares none of them, a(b,b) all but one b."""
    tree, other, longer = page_of("div(p)"), page_of("div(ul)"), page_of("div(p,p)")
    assert distances.distance(tree, other, "pq_grams", p=1, q=1) == 1
    # (div|p) (p|-) against (div|p) twice and (p|-) twice: 2 shared, 6 in all
    assert distances.distance(tree, longer, "pq_grams", p=1, q=1) == pytest.approx(1 - 2 * 2 / 6)


def test_tags_of_the_source_are_those_that_are_written() -> None:
    written, complete = "<p>one<p>two", "<html><head></head><body><p>one</p><p>two</p></body></html>"
    pages = tamis.parse(written), tamis.parse(complete)
    for method in ("tag_vector", "longest_common_tag_subsequence", "common_tag_sequence_shingles"):
        assert distances.distance(*pages, method) == 0
        assert distances.distance(*pages, method, tags_from="source") > 0


def test_giving_up_early_makes_pages_no_nearer() -> None:
    usual = distances.distance(T1, T4, "rtdm")
    assert distances.distance(T1, T4, "rtdm", max_cost=100) == usual
    assert distances.distance(T1, T4, "rtdm", max_cost=0) >= usual


def test_only_the_first_elements_and_tags_are_read() -> None:
    long, longer = page_of("div(p,p,p)"), page_of("div(p,p,p,ul)")
    assert distances.distance(long, longer, "rtdm", max_elements=4) == 0
    assert distances.distance(long, longer, "rtdm", max_elements=5) == 1
    assert distances.distance(long, longer, "longest_common_tag_subsequence", max_tags=7) == 0
    assert distances.distance(long, longer, "longest_common_tag_subsequence", max_tags=8) > 0
