"""Floors that a change may not cross, pinned to the exact data they were measured on.

A gate file is TOML, one table per check::

    [articles]
    dataset = "public/dragnet"
    digest = "…"
    limit = 40
    measure = "bag"
    floors = { bte = 0.71, keep_all = 0.55 }
"""

from __future__ import annotations

import statistics
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.batch import Progress
from tamis.errors import InputError, OptionError
from tamis.evaluation.datasets import Dataset, open_dataset
from tamis.evaluation.evaluate import EvaluationPlan, evaluate
from tamis.files import write_text

_MARGIN = 0.002  # a page more or less, as the rounding of another processor may decide; smaller losses are noise
_KEYS: dict[str, type] = {"dataset": str, "digest": str, "limit": int, "measure": str, "floors": dict}


@dataclass(frozen=True, kw_only=True)
class Check:
    """One dataset and the least that systems must reach on it."""

    name: str
    dataset: str
    digest: str
    limit: int
    measure: str
    floors: dict[str, float]


def read_gate(path: Path) -> list[Check]:
    """The checks of a gate file; a mistake is answered with the file, the table and what was expected."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: {error}") from error
    return [_check(path, name, table) for name, table in tables.items()]


def run_gate(path: Path, out: Path, *, workers: int = 2, progress: Progress = lambda *_: None) -> list[str]:
    """What is wrong, one line each; nothing when every floor holds."""
    problems = []
    for check in read_gate(path):
        dataset = open_dataset(check.dataset)
        if dataset.digest() != check.digest:
            problems.append(
                f"{check.name}: {check.dataset} is not the data the floors were measured on (digest differs)"
            )
            continue
        for system, (reached, floor) in _measured(check, out, workers, progress).items():
            if reached < floor:
                problems.append(f"{check.name}: {system} reached {reached:.4f}, below its floor {floor:.4f}")
    return problems


def update_gate(
    path: Path, out: Path, *, lower: bool = False, workers: int = 2, progress: Progress = lambda *_: None
) -> list[str]:
    """Write what is reached now as the new floors; a floor is lowered only when that was asked for."""
    checks = read_gate(path)
    changes, lines = [], []
    for check in checks:
        dataset = open_dataset(check.dataset)
        floors = {}
        for system, (reached, floor) in _measured(check, out, workers, progress).items():
            new = round(reached - _MARGIN, 4)
            if new < floor and not lower:
                raise OptionError(
                    f"{check.name}: {system} reached {reached:.4f}, below its floor {floor:.4f}; "
                    "pass --lower-floors to lower it"
                )
            if new != floor:
                changes.append(f"{check.name}: {system} {floor:.4f} -> {new:.4f}")
            floors[system] = new
        lines.append(_written(check, dataset, floors))
    write_text(path, "\n".join(lines))
    return changes


def _measured(check: Check, out: Path, workers: int, progress: Progress) -> dict[str, tuple[float, float]]:
    plan = EvaluationPlan(
        datasets=(check.dataset,),
        systems=tuple(check.floors),
        measures=(check.measure,),
        limit=check.limit,
        workers=workers,
    )
    rows = evaluate(plan, out / check.name, progress)
    return {
        system: (statistics.fmean(row.f1 for row in rows if row.system == system), floor)
        for system, floor in check.floors.items()
    }


def _check(path: Path, name: str, table: Any) -> Check:
    if not isinstance(table, dict):
        raise InputError(f"{path}: {name} is {table!r}, but a table with {', '.join(_KEYS)} is expected")
    for key, kind in _KEYS.items():
        if not isinstance(table.get(key), kind):
            raise InputError(f"{path}: [{name}] {key} is {table.get(key)!r}, but {kind.__name__} is expected")
    unknown = set(table) - set(_KEYS)
    if unknown:
        raise InputError(f"{path}: [{name}] does not know {', '.join(sorted(unknown))}; it has {', '.join(_KEYS)}")
    return Check(name=name, **table)


def _written(check: Check, dataset: Dataset, floors: dict[str, float]) -> str:
    pairs = ", ".join(f'"{system}" = {floor:.4f}' for system, floor in floors.items())
    return (
        f'[{check.name}]\ndataset = "{check.dataset}"\ndigest = "{dataset.digest()}"\n'
        f'limit = {check.limit}\nmeasure = "{check.measure}"\nfloors = {{ {pairs} }}\n'
    )
