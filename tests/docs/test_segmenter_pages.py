from __future__ import annotations

import pytest

from bench.segmenter_pages import FOLDER, page_path, refreshed
from tamis import registry

SEGMENTERS = registry.names("segmenters")


@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_segmenter_has_a_page_that_says_what_the_code_says(name: str) -> None:
    page = page_path(name).read_text(encoding="utf-8")
    assert refreshed(page, name) == page, "run python -m bench.segmenter_pages"


@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_page_has_the_same_parts_in_the_same_order(name: str) -> None:
    lines = page_path(name).read_text(encoding="utf-8").splitlines()
    expected = ["## How it works", "## Where it fails", "## Options", "## How to cite"]
    assert lines[0].startswith(f"# `{name}`: ")
    assert [line for line in lines if line in expected] == expected


def test_no_page_is_left_of_a_segmenter_that_is_gone() -> None:
    assert {file.stem for file in FOLDER.glob("*.md")} <= set(SEGMENTERS)
