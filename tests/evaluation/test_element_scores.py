from __future__ import annotations

import numpy as np
import pytest

from tamis.evaluation.element_scores import THESIS, Confusion, confusion, element_report, report_table, sum_of


@pytest.mark.parametrize("name", THESIS)
def test_the_scores_of_the_thesis_follow_from_its_matrices(name: str) -> None:
    """Printed decimals are partly cut, not rounded."""
    cells, printed = THESIS[name]
    assert cells.score == pytest.approx(printed, abs=0.001)


def test_the_false_positives_that_were_lost_are_the_ones_that_fit() -> None:
    for name, lost in (("small images", 5), ("large images", 6)):
        cells, printed = THESIS[name]
        fitting = [fp for fp in range(50) if abs(cells._replace(fp=fp).score.precision - printed.precision) < 0.001]
        assert fitting == [lost]


def test_what_follows_from_the_matrices() -> None:
    totals = {name: sum(cells) for name, (cells, _) in THESIS.items()}
    assert totals == {"elements": 6131, "words": 709_101, "small images": 1027, "large images": 167}
    filtered = [round(cells.filtered, 3) for cells, _ in THESIS.values()]
    assert filtered == [0.956, 0.962, 0.994, 0.953]


def test_elements_and_words_are_counted_by_class() -> None:
    is_main, said = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert confusion(is_main, said) == Confusion(1, 1, 1, 1)
    assert confusion(is_main, said, np.array([4, 3, 2, 1])) == Confusion(tn=1, fp=2, fn=3, tp=4)


def test_counts_are_added_before_scores_are_computed_and_images_stay_apart() -> None:
    groups = np.array(["p", "p", "li", "img_small"])
    is_main, said = np.array([True, True, False, True]), np.array([True, False, True, False])
    report = element_report(groups, is_main, said, np.array([10, 1, 5, 0]))
    assert report.by_element["p"] == Confusion(0, 0, 1, 1)
    assert report.pooled() == Confusion(0, 1, 1, 1)
    assert report.pooled(words=True) == Confusion(0, 5, 1, 10)
    assert report.by_element["img_small"] == Confusion(0, 0, 1, 0)


def test_nothing_is_the_sum_of_nothing() -> None:
    assert sum_of([]) == Confusion(0, 0, 0, 0)
    assert Confusion().filtered == 1


def test_the_table_shows_the_thesis_beside_ours() -> None:
    report = element_report(np.array(["p"]), np.array([True]), np.array([True]), np.array([3]))
    table = report_table(report)
    assert "| thesis: words | 496,921 | 19,618 | 28,654 | 163,908 | 0.893 | 0.851 | 0.871 | 0.962 |" in table
    assert "| words | 0 | 0 | 0 | 3 | 1.000 | 1.000 | 1.000 | 1.000 |" in table
