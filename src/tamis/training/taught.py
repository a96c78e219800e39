"""What a larger model says of pages: log odds for each block, from which the network learns as well as from gold text.

A teacher (``bench/teach.py``) is far too large to ship, but can read any page, also those without gold text. Its
answers are one file: an eighth of log odds per step, a byte per block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from tamis.models.files import as_bytes, lines
from tamis.page.text import Floats
from tamis.stored import DamageError, reading
from tamis.stored.arrays import Field, read, write
from tamis.training.block_records import LabelledBlocks, length_weights

SHARE = 0.7  # of the teacher where gold text is known; from published notes, not swept
_STEPS = 8  # of a unit of log odds
_LEAST_WORDS = 20  # of a page that the teacher takes for empty
_LAYOUT = {
    "pages": Field("uint8", ("characters",)),
    "sizes": Field("int64", ("pages",)),
    "odds": Field("int8", ("blocks",)),
}
_MAX_BYTES = 64 << 20  # ours: the shipped model learned from one of 1 MB

Taught = Mapping[str, Floats]
"""Log odds of the blocks of pages, by the key of the page."""


def page_key(record: LabelledBlocks) -> str:
    """What a page is called in a file of answers."""
    return f"{record.dataset.rpartition('/')[2]} {record.id}"


def write_taught(file: Path, answers: Iterable[tuple[LabelledBlocks, Floats]]) -> None:
    """Write what a teacher says of pages: the whole file or none."""
    found = [(page_key(record), np.rint(np.clip(odds * _STEPS, -127, 127))) for record, odds in answers]
    keys, odds = [key for key, _ in found], [own for _, own in found]
    joined = np.concatenate([np.zeros(0), *odds]).astype(np.int8)
    write(file, {"pages": as_bytes(keys), "sizes": np.array([len(own) for own in odds], np.int64), "odds": joined})


def read_taught(file: Path) -> Taught:
    """What ``write_taught`` wrote."""
    with reading("the answers of the teacher", file, "make them again with bench/teach.py"):
        arrays = read(file, _LAYOUT, {}, _MAX_BYTES)
        keys, ends = lines(arrays["pages"]), np.cumsum(arrays["sizes"])
        if len(keys) != len(ends) or (arrays["sizes"] < 0).any() or ends[-1:].sum() != len(arrays["odds"]):
            raise DamageError("is damaged (it does not say of which pages its answers are)")
        parts = np.split(arrays["odds"].astype(np.float64) / _STEPS, ends[:-1])
    return dict(zip(keys, parts, strict=False))


def lesson(record: LabelledBlocks, taught: Taught) -> tuple[Floats, Floats] | None:
    """Labels and weights of the blocks of a page; None if nothing is known of it.

    Answers to another version of the page, with other blocks, do not count.
    """
    odds = taught.get(page_key(record))
    if odds is None or len(odds) != len(record.words):
        return (record.labels, record.weights) if record.weights.any() else None
    chances: Floats = 1 / (1 + np.exp(-odds))
    mixed = np.where(record.weights > 0, SHARE * chances + (1 - SHARE) * record.labels, chances)
    if record.gold is not None:
        return mixed, record.weights
    return mixed, length_weights(record.words, max(float((chances * record.words).sum()), _LEAST_WORDS))
