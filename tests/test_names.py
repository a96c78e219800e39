"""Names say one thing: no two classes, and no two modules that are easily taken for each other, share one."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import tamis

PACKAGE = Path(tamis.__file__).parent
ON_PURPOSE = {
    "Document",  # trafilatura and readability both have one
    "Model",  # what a template method learns, beside the method
    "Options",  # of a method, beside it
}


def test_a_class_has_a_name_of_its_own() -> None:
    found: Counter[str] = Counter()
    for file in PACKAGE.rglob("*.py"):
        tree = ast.parse(file.read_bytes())
        found.update(node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")
    assert found["Page"] == 1
    assert {name for name, count in found.items() if count > 1} == ON_PURPOSE


def test_no_folder_has_two_modules_that_differ_by_an_ending_alone() -> None:
    for folder in {file.parent for file in PACKAGE.rglob("*.py")}:
        stems = {file.stem for file in folder.glob("*.py")}
        for one in stems:
            assert not {f"{one}s", f"{one}ing", f"{one}ion"} & stems, (folder, one)
