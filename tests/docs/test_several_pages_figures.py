from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from bench import clusterer_figures, distance_figures
from bench.figures import FOLDER, SEVERAL_PAGES
from bench.pages import documented
from tamis import distances

pytestmark = pytest.mark.proof

DRAWN = [(kind, name) for kind, figures in SEVERAL_PAGES.items() for name in figures]
MAX_BYTES = 25_000


@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_every_figure_is_a_small_image_whose_parts_lie_inside_it(kind: str, name: str) -> None:
    drawn = SEVERAL_PAGES[kind][name]()
    assert len(drawn.encode()) <= MAX_BYTES
    image = ElementTree.fromstring(drawn)  # noqa: S314 - our own
    _, _, width, height = map(float, image.attrib["viewBox"].split())
    boxes = [part.attrib for part in image.iter() if "height" in part.attrib and "x" in part.attrib]
    for box in boxes:
        assert 0 <= float(box["x"]) <= float(box["x"]) + float(box["width"]) <= width
        assert 0 <= float(box["y"]) <= float(box["y"]) + float(box["height"]) <= height


@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_the_folder_holds_what_is_drawn_now(kind: str, name: str) -> None:
    kept = (FOLDER / kind / f"{name}.svg").read_text(encoding="utf-8")
    assert _words(SEVERAL_PAGES[kind][name]()) == _words(kept), "run python -m bench.figures"


def _words(figure: str) -> str:
    """A figure without its digits: the last one of a number may depend on the machine."""
    return re.sub(r"[\d.]+", "0", figure)


@pytest.mark.parametrize("kind", SEVERAL_PAGES)
def test_every_method_has_a_figure(kind: str) -> None:
    assert set(SEVERAL_PAGES[kind]) == set(documented(kind))


@pytest.mark.parametrize("name", distance_figures.LISTED)
def test_what_a_figure_lists_makes_the_distance(name: str) -> None:
    shared, size, other = distance_figures.counts_of(name)
    formula = distance_figures.LISTED[name].formula(shared, size, other)
    terms = re.fullmatch(r"1 - (?:(2) \* )?(\d+) / (\d+)", formula)
    assert terms
    distance = 1 - int(terms[1] or 1) * int(terms[2]) / int(terms[3])
    assert distances.distance(*distance_figures.both(), name) == pytest.approx(distance)


def test_the_trees_side_by_side_differ_by_as_many_elements_as_rtdm_says() -> None:
    cost, rows = distance_figures.edits(*distance_figures.trees())
    assert cost == distances.distance(*distance_figures.both(), "rtdm")
    assert sum(row.left != row.right for row in rows) == cost


def test_the_three_templates_are_told_apart() -> None:
    names = list(clusterer_figures.pages())
    for method in ("single_linkage", "average_linkage", "k_median", "minhash"):
        groups = clusterer_figures.clustered(method).groups
        assert [{names[page].split()[0] for page in group} for group in groups] == [{"article"}, {"list"}, {"product"}]
