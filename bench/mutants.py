"""Would the tests notice? Breaks a module in one place at a time and runs its tests.

    python -m bench.mutants                             every module that ``mutants.toml`` names, about half an hour
    python -m bench.mutants --sample 20                 some mutants of each, always the same ones
    python -m bench.mutants page/spans.py --line 40     those of one line, each with what became of it

Prints the mutants that no test noticed, as differences, and how many there were by module; exit status 1 if any is left
that the table does not call equivalent. The mutants are written to a copy of the tree: the tree itself is not touched.
Texts are left as they are: what a message says is not what these tests are about.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import copy
import importlib
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import TypeVar

ROOT = Path(__file__).parent.parent
TABLE = Path(__file__).with_suffix(".toml")
COPIED = ("src", "tests", "examples", "pyproject.toml")  # what the tests of the modules in the table read
LOADED = (
    "hypothesis",
    "httpx",
    "numpy",
    "pyarrow.parquet",
    "pytest",
    "rapidfuzz.distance",
)  # once, not for each mutant
SEED = 12  # any number; fixed so that two samples are equal

Kind = TypeVar("Kind")


def _both_ways(*pairs: tuple[Kind, Kind]) -> dict[Kind, Kind]:
    return dict(pairs) | {second: first for first, second in pairs}


BORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = _both_ways((ast.Lt, ast.LtE), (ast.Gt, ast.GtE))
OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = _both_ways(
    (ast.Lt, ast.GtE), (ast.LtE, ast.Gt), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)
)
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    **dict.fromkeys((ast.FloorDiv, ast.Mod, ast.Pow), ast.Mult),
    **_both_ways((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr), (ast.LShift, ast.RShift)),
}
NAMES = _both_ways(("min", "max"), ("any", "all"), ("minimum", "maximum"), ("argmin", "argmax"), ("zeros", "ones"))
SIDES = _both_ways(("left", "right"))  # the one text that decides something: NumPy's searchsorted
UNTOUCHED = ("annotation", "decorator_list", "returns")


@dataclass(frozen=True)
class Mutant:
    """A module's source with one place changed."""

    source: str
    line: int
    was: str
    becomes: str


@dataclass(frozen=True, kw_only=True)
class Target:
    """A module, the tests that answer for it, and its mutants that do the same as the module: line, change, reason."""

    path: str
    tests: tuple[str, ...]
    equivalent: tuple[dict[str, str], ...] = ()

    def excuses(self, mutant: Mutant) -> bool:
        return any((entry["was"], entry["becomes"]) == (mutant.was, mutant.becomes) for entry in self.equivalent)


def mutants_of(source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: dict[str, Mutant] = {}
    for node, text in _changes(ast.parse(source)):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start, end = starts[first] + node.col_offset, starts[last] + (node.end_col_offset or 0)
        changed = data[:start] + text.encode() + data[end:]
        was = data[starts[first] : starts[first + 1]]
        becomes = data[starts[first] : start] + text.encode() + data[end : starts[last + 1]]
        mutant = Mutant(changed.decode(), node.lineno, was.decode().strip(), becomes.decode().strip())
        found.setdefault(mutant.source, mutant)
    return sorted(found.values(), key=lambda mutant: mutant.line)


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Places of a tree, each with what is written there instead."""
    for node in _walk(tree):
        match node:
            case ast.Compare(ops=ops):
                for place, operator in enumerate(ops):
                    for other in filter(None, (BORDERS.get(type(operator)), OPPOSITES[type(operator)])):
                        changed = copy.deepcopy(node)
                        changed.ops[place] = other()
                        yield node, f"({ast.unparse(changed)})"
            case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
                yield node, f"({ast.unparse(ast.BinOp(left, OPERATORS[type(operator)](), right))})"
            case ast.BoolOp(operator, values):
                other_word = ast.Or() if isinstance(operator, ast.And) else ast.And()
                yield node, f"({ast.unparse(ast.BoolOp(other_word, values))})"
            case ast.UnaryOp(_, operand):
                yield node, f"({ast.unparse(operand)})"
            case ast.Constant(bool(value)):
                yield node, str(not value)
            case ast.Constant(int() | float() as value):
                yield node, str(value + 1)
            case ast.Constant(str(value)) if value in SIDES:
                yield node, repr(SIDES[value])
            case ast.Call(ast.Name(name) as function) if name in NAMES:
                yield function, NAMES[name]
            case ast.Call(ast.Attribute(value, name) as function) if name in NAMES:
                yield function, ast.unparse(ast.Attribute(value, NAMES[name]))
            case ast.Slice(lower, upper, step):
                for border in filter(None, (lower, upper)):
                    kept = (None if part is border else part for part in (lower, upper, step))
                    yield node, ast.unparse(ast.Slice(*kept))
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if _is_plain(test):
                yield test, f"(not ({ast.unparse(test)}))"
            case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
                yield value, "None"
            case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Delete():
                yield node, "pass"
            case ast.Break():
                yield node, "continue"
        for condition in getattr(node, "ifs", ()):  # of a comprehension
            yield condition, "True"


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree that are worth a mutant: no annotations, nothing inside f-strings (which have no places)."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in UNTOUCHED and not isinstance(node, ast.JoinedStr):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child)


def _is_plain(test: ast.expr) -> bool:
    """Whether turning a condition round is not what the other changes do anyway."""
    return not isinstance(test, ast.Compare | ast.UnaryOp | ast.BoolOp | ast.Constant)


def copied(folder: Path) -> Path:
    """A copy of what the tests need, compiled so that a changed module is never taken for the old one."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    compileall.compile_dir(folder, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return folder


def outcome(tree: Path, tests: Sequence[str], limit_seconds: float) -> str:
    """What the tests say of the tree: ``survived`` if all pass, ``noticed`` if not, ``hung`` if they do not end."""
    child = multiprocessing.get_context("fork").Process(target=_run_tests, args=(tree, tests))
    child.start()
    try:
        child.join(limit_seconds)
        hung = child.is_alive()
    finally:  # ends what the tests have started, too
        if child.pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    child.join()
    return "hung" if hung else "noticed" if child.exitcode else "survived"


def _run_tests(tree: Path, tests: Sequence[str]) -> None:
    os.setsid()
    os.chdir(tree)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.environ |= {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(tree / "src"))
    import pytest

    flags = "-x -q -p no:cacheprovider -p no:xdist --assert=plain --hypothesis-profile=mutants"
    os._exit(int(pytest.main([*flags.split(), *tests])))


def try_mutants(target: Target, chosen: Sequence[Mutant], tree: Path, *, verbose: bool = False) -> Counter[str]:
    """Run the tests of a module on each of the mutants; says what became of them, and names those that survived."""
    module = tree / "src" / "tamis" / target.path
    original = module.read_text(encoding="utf-8")
    tests = [str(module.relative_to(tree)), *target.tests]
    start = time.monotonic()
    if outcome(tree, tests, 600) != "survived":
        raise SystemExit(f"{target.path}: its tests fail before anything is changed: {' '.join(tests)}")
    limit_seconds = 30 + 10 * (time.monotonic() - start)
    counts: Counter[str] = Counter()
    for mutant in chosen:
        module.write_text(mutant.source, encoding="utf-8")
        found = outcome(tree, tests, limit_seconds)
        if found == "survived" and target.excuses(mutant):
            found = "equivalent"
        if found == "survived" or verbose:
            print(f"{target.path}:{mutant.line} {found}\n- {mutant.was}\n+ {mutant.becomes}\n", flush=True)
        counts[found] += 1
    module.write_text(original, encoding="utf-8")
    return counts


def read_table() -> list[Target]:
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))["module"]
    return [
        Target(path=table["path"], tests=tuple(table["tests"]), equivalent=tuple(table.get("equivalent", ())))
        for table in tables
    ]


def main() -> int:
    targets = {target.path: target for target in read_table()}
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="module", help="below src/tamis; without any, all of the table")
    parser.add_argument("--sample", type=int, help="how many mutants of each module; without, all")
    parser.add_argument("--line", type=int, help="only mutants of this line, and what became of each")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.modules if name not in targets]:
        parser.error(f"{unknown[0]} is not among {', '.join(targets)}")
    for name in LOADED:
        importlib.import_module(name)
    rows = ["| module | mutants | tried | noticed | equivalent | survived |", "|---|---:|---:|---:|---:|---:|"]
    has_survivors = False
    with tempfile.TemporaryDirectory() as folder:
        tree = copied(Path(folder))
        for path in arguments.modules or targets:
            mutants = mutants_of((tree / "src" / "tamis" / path).read_text(encoding="utf-8"))
            chosen = [mutant for mutant in mutants if arguments.line in (None, mutant.line)]
            if arguments.sample is not None and arguments.sample < len(chosen):
                picked = random.Random(f"{SEED} {path}").sample(range(len(chosen)), arguments.sample)
                chosen = [chosen[place] for place in sorted(picked)]
            counts = try_mutants(targets[path], chosen, tree, verbose=arguments.line is not None)
            noticed = counts["noticed"] + counts["hung"]
            numbers = (len(mutants), len(chosen), noticed, counts["equivalent"], counts["survived"])
            rows.append(f"| `{path}` | {' | '.join(map(str, numbers))} |")
            has_survivors |= counts["survived"] > 0
    print("\n".join(rows))
    return int(has_survivors)


if __name__ == "__main__":
    sys.exit(main())
