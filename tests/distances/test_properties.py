"""What always holds, and the measures beside slow twins that follow the words of their authors."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from bench.pages import documented
from tamis import distances, registry
from tamis.page.limits import Limits
from tests.distances.outlines import OUTLINES, Outline, page_of, paths, size, subtrees, tags

METHODS = registry.names("distances")
FAMILIES = st.lists(OUTLINES, min_size=1, max_size=5)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40)
@given(outlines=FAMILIES)
def test_a_matrix_is_symmetric_zero_on_its_diagonal_and_the_distance_of_every_pair(
    method: str, outlines: list[Outline]
) -> None:
    pages = [page_of(outline) for outline in outlines]
    found = distances.matrix(pages, method)
    assert np.array_equal(found, found.T)
    assert not found.diagonal().any()
    assert (found >= 0).all()
    for row, page in enumerate(pages):
        for column, other in enumerate(pages):
            assert distances.distance(page, other, method) == pytest.approx(found[row, column], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_pages_without_elements_are_alike_and_unlike_all_others(method: str) -> None:
    nothing = tamis.parse("<p>text", limits=Limits(max_nodes=1))
    page = tamis.parse("<p>text")
    assert distances.distance(nothing, nothing, method) == 0
    assert distances.distance(nothing, page, method) > 0
    assert distances.distance(nothing, page, method) == pytest.approx(distances.distance(page, nothing, method))
    assert distances.matrix([], method).shape == (0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_text_and_attributes_do_not_count(method: str) -> None:
    pages = tamis.parse("<div id=a><p>one</div><!-- c -->"), tamis.parse("<div class=b>two<p></p></div>")
    assert distances.distance(*pages, method) == 0


def twin_of_common_paths(first: Outline, second: Outline) -> float:
    return _missing(set(paths(first)), set(paths(second)))


def twin_of_common_path_shingles(first: Outline, second: Outline) -> float:
    return _missing(_pieces_of_paths(first, 4), _pieces_of_paths(second, 4))


def twin_of_common_tag_sequence_shingles(first: Outline, second: Outline) -> float:
    return _missing(set(_runs(tags(first), 8)), set(_runs(tags(second), 8)))


def twin_of_bag_of_paths(first: Outline, second: Outline) -> float:
    left, right = Counter(paths(first)), Counter(paths(second))
    return 1 - (left & right).total() / (left | right).total()


def twin_of_tag_vector(first: Outline, second: Outline) -> float:
    left, right = _names(first), _names(second)
    return math.dist(*([counts[name] for name in sorted({*left, *right})] for counts in (left, right)))


def twin_of_weighted_tag_frequency(first: Outline, second: Outline) -> float:
    left, right = _names(first), _names(second)
    names = {*left, *right}
    squares = [(100 * left[name] / left.total() - 100 * right[name] / right.total()) ** 2 for name in names]
    return sum(square / len(names) for square in squares) / 10_000


def twin_of_longest_common_tag_subsequence(first: Outline, second: Outline) -> float:
    left, right = tags(first), tags(second)
    row = [0] * (len(right) + 1)
    for tag in left:
        before = row[:]
        for place, other in enumerate(right, start=1):
            row[place] = before[place - 1] + 1 if tag == other else max(before[place], row[place - 1])
    return 1 - row[-1] / max(len(left), len(right))


def twin_of_bottom_up(first: Outline, second: Outline) -> float:
    """Pair the largest identical subtrees first, and with each all that is below."""
    waiting, partners, paired = [first], Counter(subtrees(second)), 0
    while waiting:
        waiting.sort(key=size)
        node = waiting.pop()
        if partners[node] > 0:
            partners.subtract(subtrees(node))
            paired += size(node)
        else:
            waiting += node[1]
    return 1 - paired / max(size(first), size(second))


def twin_of_pq_grams(first: Outline, second: Outline) -> float:
    left, right = Counter(_pq_grams(first, 2, 3)), Counter(_pq_grams(second, 2, 3))
    return 1 - 2 * (left & right).total() / (left.total() + right.total())


def twin_of_rtdm(first: Outline, second: Outline) -> float:
    return _rtdm(first, second, math.inf, False)


TWINS = {name.removeprefix("twin_of_"): twin for name, twin in list(globals().items()) if name.startswith("twin_of_")}


def test_every_measure_of_the_documentation_has_a_twin() -> None:
    assert sorted(TWINS) == list(documented("distances"))


@pytest.mark.parametrize("method", TWINS)
@settings(max_examples=80)
@given(first=OUTLINES, second=OUTLINES)
def test_a_measure_agrees_with_its_twin(method: str, first: Outline, second: Outline) -> None:
    assert distances.distance(page_of(first), page_of(second), method) == pytest.approx(
        TWINS[method](first, second), abs=1e-12
    )


@given(first=OUTLINES, second=OUTLINES, literal=st.booleans(), max_cost=st.sampled_from([None, 0, 1, 3]))
def test_both_tables_of_rtdm_follow_the_printed_algorithm(
    first: Outline, second: Outline, literal: bool, max_cost: float | None
) -> None:
    documents = ("#document", (first,)), ("#document", (second,))  # what the elements of a page stand below
    expected = _rtdm(*documents, math.inf if max_cost is None else max_cost, literal)
    for table in ("row", "full"):
        found = distances.distance(
            page_of(first), page_of(second), "rtdm", literal=literal, max_cost=max_cost, table=table
        )
        assert found == expected


def _missing(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> float:
    return 1 - len(left & right) / max(len(left), len(right))


def _runs(entries: list[str] | tuple[str, ...], length: int) -> list[tuple[str, ...]]:
    if len(entries) < length:
        return [tuple(entries)]
    return [tuple(entries[place : place + length]) for place in range(len(entries) - length + 1)]


def _pieces_of_paths(outline: Outline, length: int) -> set[tuple[str, ...]]:
    return {piece for path in paths(outline) for piece in _runs(path, length)}


def _names(outline: Outline) -> Counter[str]:
    return Counter(name for name, _ in subtrees(outline))


def _pq_grams(outline: Outline, p: int, q: int, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    stem = ("*",) * (p - 1 - len(above)) + above[len(above) - p + 1 :] if p > 1 else ()
    stem = (*stem[-(p - 1) :], outline[0]) if p > 1 else (outline[0],)
    if not outline[1]:
        return [stem + ("*",) * q]
    row = ("*",) * (q - 1) + tuple(name for name, _ in outline[1]) + ("*",) * (q - 1)
    here = [stem + row[place : place + q] for place in range(len(row) - q + 1)]
    return here + [gram for child in outline[1] for gram in _pq_grams(child, p, q, (*above, outline[0]))]


@cache
def _rtdm(first: Outline, second: Outline, give_up: float, literal: bool) -> float:
    """The algorithm of Reis et al. with the full table; taken literally, inner elements are renamed for free."""
    left, right = first[1], second[1]
    table = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, child in enumerate(left, start=1):
        table[i][0] = table[i - 1][0] + size(child)
    for j, child in enumerate(right, start=1):
        table[0][j] = table[0][j - 1] + size(child)
    for i, child in enumerate(left, start=1):
        for j, other in enumerate(right, start=1):
            kept = table[i - 1][j - 1]
            if kept > give_up:
                kept = math.inf
            elif child == other:
                pass
            elif not child[1] or not other[1]:
                kept += (child[0] != other[0]) + size(child) - 1 + size(other) - 1
            else:
                kept += _rtdm(child, other, give_up, literal)
            table[i][j] = min(table[i - 1][j] + size(child), table[i][j - 1] + size(other), kept)
    return table[-1][-1] + (0 if literal else first[0] != second[0])
