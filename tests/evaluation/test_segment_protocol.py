"""Zelený's protocol: every setting is judged, the best value of each measure counts."""

from __future__ import annotations

import pytest

from tamis import segmenters
from tamis.errors import OptionError
from tamis.evaluation.segment_protocol import SETTINGS, Trial, best_of, trials
from tamis.results import Region
from tests.segmenters.bcs_boxes import ARTICLE, EXAMPLE, FOOT, NAV, SIDE
from tests.segmenters.boxes_of import nodes_of, page_of


def marked() -> Region:
    nodes = nodes_of(page_of(EXAMPLE))
    return Region(nodes=(0,), parts=tuple(Region(nodes=tuple(nodes[list(part)].tolist())) for part in PARTS))


PARTS = (NAV, ARTICLE, SIDE, FOOT)


def test_a_page_is_divided_at_ten_thresholds() -> None:
    """Up to 0.4 the four segments are found; at 0.5 the footer joins the article, from 0.6 on all is one."""
    made = trials(page_of(EXAMPLE), marked(), "bcs")
    assert [trial.options["threshold"] for trial in made] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert [trial.segments for trial in made] == [4, 4, 4, 4, 3, 1, 1, 1, 1, 1]
    assert [trial.f1 for trial in made[:4]] == [1.0] * 4
    assert made[4].f1 == pytest.approx(2 * (3 / 4) / (3 / 4 + 1))  # precision (1 + 0.7 + 1 + 0.3) / 4, all is recalled
    assert made[5].f1 == pytest.approx(2 * (1 / 4) / (1 / 4 + 1))
    assert made[5].adjusted_rand == 0
    assert best_of(made) == (1.0, 1.0)


def test_the_best_of_each_measure_may_be_at_another_setting() -> None:
    one, other = (
        Trial(options={}, f1=f1, adjusted_rand=rand, segments=1, seconds=0.0) for f1, rand in ((0.9, 0.1), (0.2, 0.8))
    )
    assert best_of([one, other]) == (0.9, 0.8)


@pytest.mark.parametrize("method", SETTINGS)
def test_a_fixed_setting_is_what_the_method_does(method: str) -> None:
    page = page_of(EXAMPLE)
    assert len(SETTINGS[method]) == 10
    (trial,) = trials(page, marked(), method, [{}])
    assert trial.segments == len(segmenters.segment(page, method).leaves)


def test_methods_without_known_settings_need_some() -> None:
    with pytest.raises(OptionError, match="no settings are known for 'partition'"):
        trials(page_of(EXAMPLE), marked(), "partition")
    assert len(trials(page_of(EXAMPLE), marked(), "partition", [{}])) == 1
