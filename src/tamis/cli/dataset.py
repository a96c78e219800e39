"""``tamis dataset``: look at a dataset, convert it, or take a sample of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input
from tamis.ranges import COUNT, check_range

_DATASET = Parameter(help="A file, a folder, or a name below the data folder such as public/dragnet.")
_TARGET = Parameter(help="The new file: .jsonl, .jsonl.gz, .jsonl.xz, or .zip for an evaluation package.")


def info(dataset: Annotated[Input, _DATASET], /) -> None:
    """Tell how many pages there are, of which types, and what is wrong with them.

    Examples:
      tamis dataset info pages.jsonl
      tamis dataset info public/dragnet
    """
    from tamis.evaluation.datasets import describe, open_dataset

    found = open_dataset(dataset)
    summary = describe(found)
    lines = [f"{name.replace('_', ' ')}\t{_cell(value)}" for name, value in vars(summary).items()]
    streams.write("\n".join([f"name\t{found.name}", f"format\t{found.format}", *lines]) + "\n")
    for problem in found.problems:
        streams.say(f"{problem.place}: {problem.reason}")


def convert(dataset: Annotated[Input, _DATASET], target: Annotated[Path, _TARGET], /) -> None:
    """Write all pages of a dataset in another format.

    Examples:
      tamis dataset convert pages.jsonl pages.zip
    """
    from tamis.evaluation.datasets import convert as write_all
    from tamis.evaluation.datasets import open_dataset

    streams.say(f"{counted(write_all(open_dataset(dataset), target), 'page')} written to {target}")


def sample(
    dataset: Annotated[Input, _DATASET],
    target: Annotated[Path, _TARGET],
    /,
    *,
    count: Annotated[int, Parameter(help="How many pages.")] = 100,
    seed: Annotated[int, Parameter(help="Another number takes other pages.")] = 0,
) -> None:
    """Write some pages of a dataset, the same ones every time.

    Examples:
      tamis dataset sample pages.jsonl some.jsonl --count 20
    """
    from tamis.evaluation.datasets import open_dataset, take, write

    check_range("--count", count, COUNT)
    streams.say(f"{counted(write(target, take(open_dataset(dataset), count, seed)), 'page')} written to {target}")


dataset = App(name="dataset", help="Look at a dataset, convert it, or take a sample of it.")
for _command in (info, convert, sample):
    dataset.command(_command)


def _cell(value: object) -> str:
    if isinstance(value, tuple | list | dict) and not value:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{name or 'not given'} {count}" for name, count in value.items())
    return f"{value:.0f}" if isinstance(value, float) else str(value)
