"""SECURITY.md: every promise names the tests that hold it, and they are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)
PROMISES = TEXT.partition("## What is promised")[2].partition("\n## ")[0]


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_test_that_is_named_is_there(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_has_tests() -> None:
    parts = re.split(r"^(?=\*\*)", PROMISES, flags=re.MULTILINE)[1:]
    assert len(parts) >= 9
    assert all("::test_" in part for part in parts)
