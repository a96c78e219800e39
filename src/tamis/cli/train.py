"""``tamis train``: from labelled pages to a model file with its card."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from tamis.cli import streams
from tamis.cli.delivery import write_file
from tamis.cli.flags import Input
from tamis.errors import OptionError
from tamis.processes import ONE_THREAD
from tamis.ranges import COUNT, check_range
from tamis.training import check_extra


def train(
    *datasets: Annotated[
        Input,
        Parameter(
            help="Labelled pages, by path or name (tamis dataset info), for elements also .csv tables; default: those "
            "of the shipped model."
        ),
    ],
    model: Annotated[Literal["sieve", "mesh", "elements"], Parameter(help="What to train.")] = "sieve",
    out: Annotated[
        Path | None, Parameter(help="The model file (.npz, for elements .json); default: named after the model.")
    ] = None,
    work: Annotated[Path, Parameter(help="Folder for finished stages; run again to continue.")] = Path("train-work"),
    workers: Annotated[int, Parameter(help="Number of processes.")] = 2,
    taught: Annotated[
        Path | None, Parameter(help="Predictions of a teacher model (bench/teach.py), to distil; only for sieve.")
    ] = None,
) -> int:
    """Train a model on labelled pages, and measure it on hosts it has not seen.

    Also writes a model card: what the model was trained on, and its scores.

    Examples:
      tamis train pages.jsonl --out my.npz
      tamis train pages.jsonl --model elements --out my.json --workers 4
    """
    suffix = ".json" if model == "elements" else ".npz"
    out = out or Path(f"{model}{suffix}")
    if out.suffix != suffix:
        raise OptionError(f"the model file must end in {suffix}, not {out.name!r}")
    check_range("--workers", workers, COUNT)
    if taught and model != "sieve":
        raise OptionError(f"--taught is only for sieve, not for {model}: remove it")
    check_extra()
    # Processes are the threads here; and sums come out the same only if they are split the same way.
    os.environ.update(ONE_THREAD)
    if model == "mesh":
        card = _train_mesh(datasets, out, work)
    elif model == "sieve":
        card = _train_sieve(datasets, out, work, workers, taught)
    else:
        card = _train_elements(datasets, out, work, workers)
    write_file(out.with_suffix(".md"), card)
    streams.say(f"{model} written to {out}, its card to {out.with_suffix('.md')}")
    return 0


def _train_sieve(datasets: tuple[str, ...], out: Path, work: Path, workers: int, taught: Path | None) -> str:
    from tamis.training.card import write_card
    from tamis.training.sieve import train_sieve, write_model

    trained = train_sieve(datasets, work, workers=workers, taught=taught, progress=streams.say)
    write_model(trained, out)
    return write_card(trained, out)


def _train_mesh(datasets: tuple[str, ...], out: Path, work: Path) -> str:
    from tamis.training.mesh import train_mesh, write_model
    from tamis.training.mesh_card import write_card

    if len(datasets) > 1:
        raise OptionError(f"mesh is trained on one archive of labelled pages, but {len(datasets)} are given")
    trained = train_mesh(Path(datasets[0]) if datasets else None, work, streams.say)
    write_model(trained, out)
    return write_card(trained, out)


def _train_elements(datasets: tuple[str, ...], out: Path, work: Path, workers: int) -> str:
    from tamis.training.element_card import write_card
    from tamis.training.element_trees import train_elements, write_model
    from tamis.training.tree_rules import tree_picture

    trained = train_elements(datasets, work, workers=workers, progress=streams.say)
    write_model(trained.model, out)
    for name in trained.model.trees:
        write_file(out.with_name(f"{out.stem}-{name}.svg"), tree_picture(trained.model, name))
    return write_card(trained, out)
