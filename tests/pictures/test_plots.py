from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def circles(svg: str) -> dict[str, tuple[float, float]]:
    """Where each point is drawn, by its name."""
    namespace = "{http://www.w3.org/2000/svg}"
    return {
        "".join(circle.itertext()).partition(":")[0]: (float(circle.get("cx", 0)), float(circle.get("cy", 0)))
        for circle in ElementTree.fromstring(svg).iter(f"{namespace}circle")  # noqa: S314 - our own text
    }


def test_points_that_lie_close_together_take_most_of_the_area() -> None:
    """Methods have precision and recall from 0.8 to 0.95 or so; the rest of the square would be empty."""
    places = circles(plots.scatter({"a": (0.81, 0.94), "b": (0.93, 0.82), "c": (0.9, 0.9)}, "t", "recall", "precision"))
    assert places["b"][0] - places["a"][0] > 250
    assert places["b"][1] - places["a"][1] > 200
    assert places["a"][0] < places["c"][0] < places["b"][0]


def test_names_of_points_that_coincide_stand_below_each_other() -> None:
    svg = plots.scatter({f"method {n}": (0.9, 0.9) for n in range(40)}, "t", "recall", "precision")
    rows = sorted(
        float(text.get("y", 0))
        for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314
        if (text.text or "").startswith("method")
    )
    assert len(rows) == 40
    assert min(after - before for before, after in itertools.pairwise(rows)) >= 12
    assert rows[-1] < float(ElementTree.fromstring(svg).get("viewBox", "").split()[3])  # noqa: S314


@given(st.dictionaries(st.text(max_size=3), st.tuples(*[st.floats(0, 1)] * 2), max_size=8))
def test_points_stay_inside_the_frame(points: dict[str, tuple[float, float]]) -> None:
    svg = plots.scatter(points, "t", "x", "y")
    for x, y in re.findall(r'cx="([-\d.]+)" cy="([-\d.]+)"', svg):
        assert 56 <= float(x) <= 446
        assert 30 <= float(y) <= 370


@pytest.mark.parametrize("count", [0, 1, 6, 7, 60, 300])
def test_no_two_colours_are_alike(count: int) -> None:
    colours = plots.palette(count)
    assert len(colours) == len(set(colours)) == count
    parts = [tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5)) for colour in colours[:24]]
    for one, other in itertools.combinations(parts, 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) > 30**2


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
