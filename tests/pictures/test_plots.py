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


def test_a_histogram_has_a_bar_for_every_size_that_occurs_and_its_height_is_logarithmic() -> None:
    picture = plots.histogram([0.1] * 100 + [0.5] * 10 + [1.0], "Distances", "common paths", (0.6, "threshold 0.6"))
    image = ElementTree.fromstring(picture)  # noqa: S314 - our own
    bars = list(image.iter("{http://www.w3.org/2000/svg}rect"))
    assert [bar[0].text for bar in bars] == ["100", "10", "1"]
    heights = [float(bar.get("height") or 0) for bar in bars]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.2)
    texts = [text.text for text in image.iter("{http://www.w3.org/2000/svg}text")]
    assert {"threshold 0.6", "common paths", "1", "10", "100"} <= set(texts)


def test_a_histogram_of_nothing_is_a_picture() -> None:
    ElementTree.fromstring(plots.histogram([], "Distances", "common paths"))  # noqa: S314
