from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes

FAMILIES = st.lists(st.lists(st.integers(0, 30), max_size=20), max_size=8)


def hashed(items: list[int]) -> Hashes:
    return np.array(items, dtype=np.uint64)


@pytest.mark.parametrize("dense_from", [0.0, 0.4, 2.0], ids=["by products", "both ways", "by pairs"])
@given(family=FAMILIES)
def test_shared_items_are_those_of_sets(dense_from: float, family: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags, "_DENSE_FROM", dense_from)
        patch.setattr(bags, "_DENSE_COLUMNS", 3)
        patch.setattr(bags, "_DENSE_ROWS", 2)
        patch.setattr(bags, "_PAIRS", 10)
        found = bags.overlaps([bags.distinct(hashed(items)) for items in family])
    assert found.tolist() == [[len({*items} & {*others}) for others in family] for items in family]


@given(family=FAMILIES)
def test_repeated_items_share_the_smaller_count(family: list[list[int]]) -> None:
    counted = [bags.counted(hashed(items)) for items in family]
    assert bags.overlaps(counted).tolist() == [
        [(Counter(items) & Counter(others)).total() for others in family] for items in family
    ]


@given(first=st.lists(st.integers(0, 30)), second=st.lists(st.integers(0, 30)))
def test_a_pair_is_counted_as_in_the_table_of_all(first: list[int], second: list[int]) -> None:
    pair = bag, other = bags.distinct(hashed(first)), bags.distinct(hashed(second))
    assert bags.overlap(bag, other) == bags.overlaps(pair)[0, 1]
    assert bags.for_pair(bag, other, bags.missing) == bags.for_all_pairs(pair, bags.missing)[0, 1]


def test_bags_are_sorted_and_keep_their_number_of_items() -> None:
    bag = bags.counted(hashed([5, 3, 5, 5]))
    assert len(bag) == len({*bag.tolist()}) == 4
    assert sorted(bag.tolist()) == bag.tolist()
    assert not len(bags.counted(hashed([])))
