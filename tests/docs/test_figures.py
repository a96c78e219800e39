from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bench.figures import EXAMPLE, FIGURES, FOLDER
from tamis.page.load import parse

pytestmark = pytest.mark.proof


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_an_image_whose_parts_lie_inside_it(name: str) -> None:
    image = ElementTree.fromstring(FIGURES[name](parse(EXAMPLE)))  # noqa: S314 - our own
    _, _, width, height = map(float, image.attrib["viewBox"].split())
    boxes = [part.attrib for part in image.iter() if "height" in part.attrib and "x" in part.attrib]
    assert boxes or name == "ratio_scatter"
    for box in boxes:
        assert 0 <= float(box["x"]) <= float(box["x"]) + float(box["width"]) <= width
        assert 0 <= float(box["y"]) <= float(box["y"]) + float(box["height"]) <= height


def test_the_folder_holds_the_figures_that_are_drawn_and_no_others() -> None:
    assert {file.stem for file in FOLDER.glob("*.svg")} == set(FIGURES)
