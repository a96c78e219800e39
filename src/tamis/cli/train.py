"""``tamis train``: from labelled pages to a model file with its card."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from tamis.cli import streams
from tamis.cli.batch import write_file
from tamis.errors import MissingExtraError, OptionError


def train(
    *datasets: Annotated[
        str, Parameter(help="Labelled pages, by path or name (tamis dataset info); else those of the shipped model.")
    ],
    model: Annotated[Literal["sieve"], Parameter(help="What to train.")] = "sieve",
    out: Annotated[Path, Parameter(help="The model file; its card is written beside it.")] = Path("sieve.npz"),
    work: Annotated[Path, Parameter(help="Where finished stages are kept; run again to go on.")] = Path("train-work"),
    workers: Annotated[int, Parameter(help="Processes at the same time.")] = 2,
) -> int:
    """Train the default extractor on labelled pages, and say how good it is on hosts it has not seen."""
    if out.suffix != ".npz":
        raise OptionError(f"the model file must end in .npz, not {out.name!r}")
    if workers < 1:
        raise OptionError(f"workers must be at least 1, not {workers}")
    if importlib.util.find_spec("scipy") is None:
        raise MissingExtraError("train", "training")
    # Processes are the threads here; and sums come out the same only if they are split the same way.
    os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    from tamis.training.card import write_card
    from tamis.training.sieve import train_sieve, write_model

    trained = train_sieve(datasets, work, workers=workers, progress=streams.say)
    write_model(trained, out)
    card = write_card(trained, out)
    write_file(out.with_suffix(".md"), card)
    streams.say(f"{model} written to {out}, its card to {out.with_suffix('.md')}")
    return 0
