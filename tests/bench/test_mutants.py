"""The mutants that show whether the tests notice: what is changed, and what becomes of it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.mutants import ROOT, Mutant, Target, mutants_of, read_table

MODULE = '''\
"""The larger of two numbers."""


def larger(one: int, other: int) -> int:
    return one if one > other else other
'''
TEST = """\
from tamis.larger import larger


def test_the_larger_one_is_chosen() -> None:
    assert (larger(1, 2), larger(2, 1)) == (2, 2)
"""
TRIAL = """\
import sys
from pathlib import Path

from bench.mutants import Target, mutants_of, try_mutants

tree = Path(sys.argv[1])
target = Target(path="larger.py", tests=("tests/test_larger.py",))
chosen = mutants_of((tree / "src" / "tamis" / "larger.py").read_text())
try_mutants(target, chosen, tree, verbose=True)
"""


def becomes(source: str) -> list[str]:
    return [mutant.becomes for mutant in mutants_of(source)]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("x = a < b", ["x = (a <= b)", "x = (a >= b)"]),
        ("x = a + b", ["x = (a - b)"]),
        ("x = (a ** b) * c", ["x = (a ** b / c)", "x = ((a * b)) * c"]),
        ("x = a and b", ["x = (a or b)"]),
        ("x = not a", ["x = (a)"]),
        ("x = 1, True", ["x = 2, True", "x = 1, False"]),
        ("x = np.maximum(a, b)", ["x = np.minimum(a, b)"]),
        ("x = a[1:]", ["x = a[:]", "x = a[2:]"]),
        ("if a: b()", ["if (not (a)): b()", "if a: pass"]),
        ("x = [a for a in b if a]", ["x = [a for a in b if True]"]),
        ("for a in b: break", ["for a in b: continue"]),
        ("def f(): return g()", ["def f(): return None"]),
        ("x = '漢' + a < b", ["x = ('漢' + a <= b)", "x = ('漢' + a >= b)", "x = ('漢' - a) < b"]),
    ],
)
def test_each_mutant_changes_one_thing(source: str, mutants: list[str]) -> None:
    assert becomes(source) == mutants


@pytest.mark.parametrize("source", ['"""1 < 2."""', "x: Literal[1] | None", "x = f'{1 + 2}'", "x = 'a text'", "f = g"])
def test_what_decides_nothing_has_no_mutants(source: str) -> None:
    assert becomes(source) == []


@pytest.mark.parametrize("target", read_table(), ids=lambda target: target.path)
def test_the_table_names_modules_tests_and_mutants_that_exist(target: Target) -> None:
    mutants = mutants_of((ROOT / "src" / "tamis" / target.path).read_text(encoding="utf-8"))
    assert all((ROOT / test).is_file() for test in target.tests)
    known = {(mutant.was, mutant.becomes) for mutant in mutants}
    assert [entry for entry in target.equivalent if (entry["was"], entry["becomes"]) not in known] == []
    assert all(entry["reason"] for entry in target.equivalent)


def test_mutants_can_be_read() -> None:
    """Else the tests would notice a mutant for the wrong reason."""
    for mutant in mutants_of((ROOT / "src" / "tamis" / "evaluation" / "segmentations.py").read_text(encoding="utf-8")):
        ast.parse(mutant.source)


def test_only_the_very_same_change_is_excused() -> None:
    target = Target(path="a.py", tests=(), equivalent=({"was": "x = 1", "becomes": "x = 2", "reason": "unused"},))
    assert target.excuses(Mutant("x = 2", 1, "x = 1", "x = 2"))
    assert not target.excuses(Mutant("x = 3", 1, "x = 1", "x = 3"))


def test_a_mutant_that_does_harm_is_noticed_and_an_equivalent_one_survives(tmp_path: Path) -> None:
    (tmp_path / "src" / "tamis").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "src" / "tamis" / "__init__.py").touch()
    (tmp_path / "src" / "tamis" / "larger.py").write_text(MODULE)
    (tmp_path / "tests" / "test_larger.py").write_text(TEST)
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    trial = subprocess.run(
        [sys.executable, "-c", TRIAL, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    blocks = [block.splitlines() for block in trial.stdout.strip().split("\n\n")]
    assert {lines[2].removeprefix("+ "): lines[0].removeprefix("larger.py:5 ") for lines in blocks} == {
        "return None": "noticed",
        "return one if (one >= other) else other": "survived",
        "return one if (one <= other) else other": "noticed",
    }
    assert (tmp_path / "src" / "tamis" / "larger.py").read_text() == MODULE
