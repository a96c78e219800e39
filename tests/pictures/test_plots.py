from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from tamis.pictures import plots

FIGURES = {
    "box plot": lambda name: plots.box_plot({name: [0.1, 0.5, 0.9], "empty": []}, name),
    "scatter": lambda name: plots.scatter({name: (0.5, 0.5)}, name, name, name),
    "curves": lambda name: plots.curves({name: [(0, 0.1), (1, 0.9)], "one point": [(2, 0.5)]}, name, name),
    "no curves": lambda name: plots.curves({}, name, name),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_well_formed_whatever_the_names(figure: str) -> None:
    root = ElementTree.fromstring(FIGURES[figure]('<b> & "quotes"'))  # noqa: S314 - our own text
    assert root.tag.endswith("svg")
    assert '<b> & "quotes"' in "".join(root.itertext())


def test_better_scores_stand_further_right() -> None:
    low, high = (plots.box_plot({"a": [value] * 3}, "t") for value in (0.2, 0.8))
    place = [float(svg.split('<rect x="')[1].split('"')[0]) for svg in (low, high)]
    assert place[0] < place[1]
