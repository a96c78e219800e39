from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.clusterers import _dendrogram, average_linkage, single_linkage
from tamis.errors import InputError, OptionError
from tamis.page.text import Floats

A, B, C, D, E, F, G, H = range(8)


def square(pairs: dict[tuple[int, int], float], count: int, otherwise: float) -> Floats:
    found = np.full((count, count), otherwise)
    for (first, second), distance in pairs.items():
        found[first, second] = found[second, first] = distance
    np.fill_diagonal(found, 0)
    return found


EIGHT = square({(A, B): 1, (F, G): 2, (D, E): 3, (B, C): 4, (G, H): 5, (C, D): 6, (E, F): 7}, 8, 9.0)
"""Eight pages whose joins, in order, are those of the dendrogram in Gottron's figure 7.3."""


@st.composite
def squares(draw: st.DrawFn) -> Floats:
    count = draw(st.integers(0, 7))
    values = draw(st.lists(st.integers(0, 10), min_size=count**2, max_size=count**2))
    half = np.triu(np.array(values, dtype=np.float64).reshape(count, count) / 10, 1)
    return half + half.T


def test_undoing_the_last_two_merges_leaves_three_groups() -> None:
    found = single_linkage.cluster_by(EIGHT, single_linkage.Options(k=3))
    assert found.groups == ((A, B, C), (D, E), (F, G, H))
    assert [merge.distance for merge in found.merges or ()] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("threshold", "groups"), [(5.9, 3), (6.0, 2), (6.1, 2), (0.0, 8), (7.0, 1)])
def test_pages_exactly_at_the_threshold_belong_together(threshold: float, groups: int) -> None:
    assert len(single_linkage.cluster_by(EIGHT, single_linkage.Options(threshold=threshold)).groups) == groups


@pytest.mark.parametrize(("k", "groups"), [(1, 1), (8, 8), (99, 8)])
def test_no_more_groups_than_pages(k: int, groups: int) -> None:
    assert len(single_linkage.cluster_by(EIGHT, single_linkage.Options(k=k)).groups) == groups


@given(distances=squares(), threshold=st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.9]))
def test_single_linkage_at_a_threshold_gives_the_connected_parts(distances: Floats, threshold: float) -> None:
    found = single_linkage.cluster_by(distances, single_linkage.Options(threshold=threshold))
    reached = np.linalg.matrix_power((distances <= threshold).astype(int), max(len(distances), 1)) > 0
    labels = found.labels
    for first, second in itertools.product(range(len(distances)), repeat=2):
        assert (labels[first] == labels[second]) == reached[first, second]


@given(distances=squares(), k=st.integers(1, 7))
def test_average_linkage_joins_the_nearest_groups_first(distances: Floats, k: int) -> None:
    """Whatever it joins in the end, heights rise and are means over pairs; without ties the groups are the twin's."""
    count = len(distances)
    merges = average_linkage.join(distances)
    assert [merge.distance for merge in merges] == sorted(merge.distance for merge in merges)
    found = average_linkage.cluster_by(distances, average_linkage.Options(k=k))
    assert sorted(page for group in found.groups for page in group) == list(range(count))
    assert len(found.groups) == min(k, count)
    distinct = distances + np.add.outer(np.arange(count) ** 2, np.arange(count) ** 2) * 1e-5
    np.fill_diagonal(distinct, 0)
    found = average_linkage.cluster_by(distinct, average_linkage.Options(k=k))
    assert [set(group) for group in found.groups] == _joined_by_mean(distinct, k)


def _joined_by_mean(distances: Floats, k: int) -> list[set[int]]:
    groups = [{page} for page in range(len(distances))]
    while len(groups) > k:
        first, second = min(
            itertools.combinations(groups, 2),
            key=lambda pair: distances[np.ix_(sorted(pair[0]), sorted(pair[1]))].mean(),
        )
        groups = [group for group in groups if group not in (first, second)] + [first | second]
    return sorted(groups, key=min)


def test_a_chain_links_two_groups_for_single_linkage_only() -> None:
    points = np.array([0, 1, 2, 3, 6, 9, 12, 13, 14, 15])
    distances = np.abs(points[:, None] - points[None, :]).astype(float)
    assert len(single_linkage.cluster_by(distances, single_linkage.Options(threshold=3)).groups) == 1
    assert len(average_linkage.cluster_by(distances, average_linkage.Options(threshold=3)).groups) > 1


def test_the_widest_gap_decides_between_near_and_far() -> None:
    near_and_far = square({(0, 1): 0.1, (2, 3): 0.2}, 4, 0.9)
    found = single_linkage.cluster_by(near_and_far, single_linkage.Options(largest_gap=True))
    assert found.groups == ((0, 1), (2, 3))
    assert 0.2 < (found.threshold or 0) < 0.9


def test_without_a_gap_the_usual_threshold_decides() -> None:
    everything_is_near = np.zeros((3, 3))
    assert _dendrogram.widest_gap(everything_is_near) is None
    found = single_linkage.cluster_by(everything_is_near, single_linkage.Options(largest_gap=True))
    assert found.groups == ((0, 1, 2),)


@given(distances=squares())
def test_no_distance_lies_in_the_widest_gap(distances: Floats) -> None:
    gap = _dendrogram.widest_gap(distances)
    if gap is not None:
        assert 0.3 * distances.max() <= gap <= 0.95 * distances.max() + 0.001
        assert not np.isclose(distances, gap, atol=1e-9, rtol=0).any()


@pytest.mark.parametrize("options", [{"k": 2, "threshold": 0.5}, {"k": 0}, {"threshold": -1.0}, {"distance": "rtdm"}])
@pytest.mark.parametrize("method", [single_linkage, average_linkage])
def test_options_that_make_no_sense_are_refused(method: object, options: dict[str, float | str]) -> None:
    with pytest.raises(OptionError):
        method.Options(**options)  # type: ignore[attr-defined]


def test_too_many_pages_are_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_dendrogram, "MAX_PAGES", 2)
    import tamis

    assert tamis.cluster(["<p>a", "<p>b"]).groups == ((0, 1),)
    with pytest.raises(InputError, match="minhash"):
        tamis.cluster(["<p>a", "<p>b", "<p>c"])
