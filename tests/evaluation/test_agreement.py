from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.evaluation.agreement import b_cubed, kappa

LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=12)


def test_kappa_of_the_textbook_table() -> None:
    """20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: 0.7 observed, 0.5 by chance."""
    first = "y" * 25 + "n" * 25
    second = "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15
    assert kappa(first, second) == pytest.approx(0.4)


def test_chance_gives_zero_and_opposition_is_negative() -> None:
    assert kappa("mmnn", "mnmn") == pytest.approx(0)
    assert kappa("mn", "nm") == pytest.approx(-1)


def test_one_label_throughout_is_full_agreement() -> None:
    assert kappa("mm", "mm") == 1
    assert kappa("", "") == 1


def test_items_count_by_their_weights() -> None:
    assert kappa("mn" + "m", "mn" + "n", [3, 3, 0]) == 1
    assert kappa("mmn", "mnn", [2, 1, 1]) == pytest.approx(kappa("mmmn", "mmnn"))
    assert b_cubed("aab", "xyy", [2, 1, 1]) == pytest.approx(b_cubed("aaab", "xxyy"))


def test_b_cubed_of_a_group_that_was_split() -> None:
    score = b_cubed("aabb", "xxxx")
    assert (score.precision, score.recall) == (1.0, 0.5)


@given(LABELS)
def test_b_cubed_is_what_counting_item_by_item_gives(pairs: list[tuple[str, str]]) -> None:
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    total = 0.0
    for one, two in pairs:
        group = [pair for pair in pairs if pair[0] == one]
        total += sum(pair[1] == two for pair in group) / len(group)
    assert b_cubed(first, second).precision == pytest.approx(total / len(pairs))
    assert b_cubed(second, first).recall == pytest.approx(total / len(pairs))


@given(LABELS)
def test_agreement_does_not_depend_on_who_comes_first(pairs: list[tuple[str, str]]) -> None:
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert kappa(first, second) == pytest.approx(kappa(second, first))
    assert b_cubed(first, second).f1 == pytest.approx(b_cubed(second, first).f1)
    assert kappa(first, first) == pytest.approx(1)
    assert b_cubed(first, first).f1 == pytest.approx(1)


def test_labels_of_different_items_are_refused() -> None:
    with pytest.raises(InputError, match="3 labels are compared with 2"):
        kappa("abc", "ab")
