"""The examples in the documentation are methods like any other."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import tamis
from tamis.scoring.layout import estimate_boxes

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-method.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(name="module")
def _module(request: pytest.FixtureRequest) -> Iterator[types.ModuleType]:
    module = types.ModuleType("guide_method")
    sys.modules["guide_method"] = module  # dataclasses look their module up
    exec(compile(EXAMPLES[request.param], str(GUIDE), "exec"), vars(module))  # noqa: S102 - our own documentation
    yield module
    del sys.modules["guide_method"]


@pytest.mark.parametrize("module", [0], indirect=True)
def test_the_extractor_of_the_guide_works(module: types.ModuleType) -> None:
    page = tamis.parse("<p>short</p><p>the longest block of this page by far</p>")
    assert module.extract(page, module.Options()).text == "the longest block of this page by far"
    assert module.extract(page, module.Options(min_words=9)).status == "empty"


@pytest.mark.parametrize("module", [1], indirect=True)
def test_the_segmenter_of_the_guide_works(module: types.ModuleType) -> None:
    page = tamis.parse("<table><tr><td>one</td><td>two</td></tr></table>")
    root = module.segment(page.with_boxes(estimate_boxes(page)), module.Options()).root
    left, right = ({page.node_text(node) for node in half.nodes} for half in root.parts)
    assert "one" in left - right
    assert "two" in right - left
