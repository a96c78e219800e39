from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis import registry
from tamis.clusterers import minhash
from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes, mixed
from tamis.errors import OptionError
from tests.sites.generator import make_corpus


def bag(first: int, last: int) -> Hashes:
    return bags.distinct(mixed(np.arange(first, last)))


@pytest.mark.parametrize("distance", ["common_paths", "common_path_shingles", "common_tag_sequence_shingles"])
def test_its_groups_are_those_of_single_linkage_or_parts_of_them(distance: str) -> None:
    pages = [tamis.parse(page.html) for page in make_corpus(5, 3, 4, seed=2)]
    found = tamis.cluster(pages, method="minhash", distance=distance)
    whole = tamis.cluster(pages, method="single_linkage", distance=distance)
    assert all(len({whole.labels[page] for page in group}) == 1 for group in found.groups)
    assert distance != minhash.Options().distance or found.groups == whole.groups


@pytest.mark.parametrize(("apart", "groups"), [(59, 1), (60, 1), (61, 2)])
def test_bags_exactly_at_the_threshold_belong_together(apart: int, groups: int) -> None:
    found = minhash.cluster_features([bag(0, 100), bag(apart, 100 + apart)], minhash.Options(threshold=0.6))
    assert len(found.groups) == groups


def test_a_page_near_to_another_is_not_kept() -> None:
    kept = minhash._Kept(0.6)
    for shift in (0, 10, 30, 35, 90):
        kept.add(bag(shift, 100 + shift))
    assert kept.owner[:2] == [0, 0]
    assert len(kept.bags) < 5


def test_a_chain_of_pages_is_one_group() -> None:
    found = minhash.cluster_features([bag(shift, 100 + shift) for shift in range(0, 500, 40)], minhash.Options())
    assert len(found.groups) == 1


def test_sketches_of_equal_bags_are_equal_and_of_unlike_bags_are_not() -> None:
    assert np.array_equal(minhash.sketch(bag(0, 300)), minhash.sketch(bag(0, 300)))
    assert not (minhash.sketch(bag(0, 300)) == minhash.sketch(bag(1000, 1300))).any()


@given(size=st.integers(1, 400), shared=st.floats(0, 1))
def test_the_share_of_equal_places_estimates_what_two_bags_share(size: int, shared: float) -> None:
    common = round(size * shared)
    first, second = bag(0, size), bag(size - common, 2 * size - common)
    equal = float((minhash.sketch(first) == minhash.sketch(second)).mean())
    jaccard = common / (2 * size - common)
    assert abs(equal - jaccard) < (0.25 if size > 60 else 1)


def test_empty_bags_are_one_group() -> None:
    nothing: Hashes = np.zeros(0, dtype=np.uint64)
    assert minhash.cluster_features([nothing, bag(0, 9), nothing], minhash.Options()).groups == ((0, 2), (1,))


def test_features_may_come_one_by_one() -> None:
    measure = registry.load("distances", minhash.Options().distance)
    pages = (tamis.parse(page.html) for page in make_corpus(2, 1, 3))
    found = minhash.cluster_features((measure.features(page, measure.Options()) for page in pages), minhash.Options())
    assert found.groups == ((0, 1, 2), (3, 4, 5))


def test_too_many_kept_pages_are_not_compared_all_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = minhash._Kept(0.6)
    kept.bags, kept.parent = [bag(0, 100), bag(40, 140)], [0, 1]
    with monkeypatch.context() as patch:
        patch.setattr(minhash, "_MAX_KEPT", 1)
        kept.compare_all()
    assert kept.root(0) != kept.root(1)
    kept.compare_all()
    assert kept.root(0) == kept.root(1)


def test_a_threshold_outside_its_range_is_refused() -> None:
    with pytest.raises(OptionError):
        minhash.Options(threshold=1.5)
