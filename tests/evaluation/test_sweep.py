from __future__ import annotations

import pytest

from tamis.errors import OptionError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.sweep import sweep, to_markdown, to_svg

PAGE = (
    "<p><a href=/>many many words of a link</a> and text</p><p>Only text here, nothing else, and quite a lot of it.</p>"
)
SAMPLES = [Sample(id="1", html=PAGE, gold="Only text here, nothing else, and quite a lot of it.")]


def test_each_value_of_the_option_gets_its_scores() -> None:
    points = sweep(SAMPLES, "lqf", "threshold", [0.25, 1.0])
    assert [point.value for point in points] == [0.25, 1.0]
    assert points[0].precision == 1 > points[1].precision
    assert "| 0.25 | 1.000 | 1.000 | 1.000 |" in to_markdown(points, "threshold")
    assert to_svg(points, "LQF", "threshold").count("<polyline") == 3


def test_a_wrong_value_is_answered_before_any_work() -> None:
    with pytest.raises(OptionError, match="threshold"):
        sweep(SAMPLES, "lqf", "threshold", ["high"])


def test_pages_without_gold_text_cannot_be_swept() -> None:
    with pytest.raises(OptionError, match="gold"):
        sweep([Sample(id="1", html="<p>a")], "lqf", "threshold", [0.5])
