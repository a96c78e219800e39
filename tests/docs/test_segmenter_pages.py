from __future__ import annotations

import re

import pytest

from bench.pages import documented
from bench.scores import ROOT
from bench.segmenter_pages import FOLDER, page_path, refreshed

SEGMENTERS = documented("segmenters")


@pytest.mark.proof
@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_segmenter_has_a_page_that_says_what_the_code_says(name: str) -> None:
    page = page_path(name).read_text(encoding="utf-8")
    assert refreshed(page, name) == page, "run python -m bench.segmenter_pages"


@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_page_has_the_same_parts_in_the_same_order(name: str) -> None:
    lines = page_path(name).read_text(encoding="utf-8").splitlines()
    expected = ["## How it works", "## Where it fails", "## Options", "## Scores", "## How to cite"]
    assert lines[0].startswith(f"# `{name}`: ")
    assert [line for line in lines if line in expected] == expected


@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_page_has_a_figure_and_scores(name: str) -> None:
    page = page_path(name).read_text(encoding="utf-8")
    assert f"(../figures/segments/{name}.svg)" in page
    assert (ROOT / "docs" / "figures" / "segments" / f"{name}.svg").is_file()
    assert len(re.findall(r"^\| \w+ \| \d\.\d{3} \| \d\.\d{3} \|$", page, re.MULTILINE)) == 5


def test_no_page_is_left_of_a_segmenter_that_is_gone() -> None:
    assert {file.stem for file in FOLDER.glob("*.md")} <= set(SEGMENTERS)
