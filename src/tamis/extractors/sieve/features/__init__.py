"""Blocks as rows of named numbers: what the literature found telling, counted once and without a second pass.

One file per family, each with one function that returns ``{name: column}``. What features there are, in which order,
and which of them are one reason together follows from these files and is written down nowhere else: to add a feature
is to add an entry to such a dictionary. None of them knows a language: the lists of class
names and of words are learned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.features import (
    candidate,
    containers,
    groups,
    hidden,
    links,
    markup,
    names,
    page,
    place,
    text,
    title,
    wording,
)
from tamis.extractors.sieve.features.material import Columns, Material, look_groups
from tamis.extractors.sieve.features.names import NameScores
from tamis.extractors.sieve.features.wording import WordTable
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Bools, Ints

__all__ = [
    "FAMILIES",
    "NAMES",
    "PLACES",
    "STATIC",
    "Evidence",
    "NameScores",
    "look_groups",
    "name_columns",
    "page_evidence",
    "word_columns",
]

Matrix = npt.NDArray[np.float32]

_READ = {
    "text": text.columns,
    "markup": markup.columns,
    "hidden": hidden.columns,
    "place": place.columns,
    "title": title.columns,
    "links": links.columns,
    "containers": containers.columns,
    "candidate": candidate.columns,
    "groups": groups.columns,
    "page": page.columns,
}
"""Families that are read from the page alone; ``names`` and ``wording`` need learned tables as well."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The blocks of a page in numbers, and what the decision needs besides."""

    columns: Matrix  # a row for each of STATIC, an entry per block
    groups: Ints  # blocks with the same number look alike, and so do all containers around them
    in_comments: Bools


def page_evidence(page: Page, containers: Containers) -> Evidence:
    """All features of all blocks but those of names and of wording; there must be at least one block."""
    material = Material(page, containers)
    columns = np.empty((len(STATIC), len(page.blocks)), dtype=np.float32)
    for family, read in _READ.items():
        _write(columns, read(material), FAMILIES[family])
    return Evidence(columns, material.alike.of, material.in_comments)


def name_columns(containers: Containers, scores: NameScores) -> Matrix:
    """The features that tell what the containers of a block are called."""
    found = names.columns(containers, scores)
    return np.stack([np.asarray(column) for column in found.values()]).astype(np.float32)


def word_columns(codes: Ints, counts: Ints, table: WordTable) -> Matrix:
    """The features that tell what blocks say."""
    return np.stack([np.asarray(column) for column in wording.columns(codes, counts, table).values()]).astype(
        np.float32
    )


def _write(matrix: Matrix, columns: Columns, expected: tuple[str, ...]) -> None:
    for name, column in columns.items():
        matrix[PLACES[name]] = column
    if tuple(columns) != expected:
        raise AssertionError(f"a family has other features on this page: {set(columns) ^ set(expected)}")


def _families() -> dict[str, tuple[str, ...]]:
    """The names in each family, as the smallest page has them: a family has the same on every page."""
    smallest = parse("<p>word")
    held = build_containers(smallest)
    nothing = np.zeros(len(held), dtype=np.int64)
    material = Material(smallest, held)
    found = {family: tuple(read(material)) for family, read in _READ.items()}
    called = tuple(names.columns(held, NameScores(nothing, nothing)))
    said = tuple(wording.columns(nothing[:0], nothing[:1], WordTable(nothing[:0], nothing[:0])))
    return {**found, "names": called, "wording": said}


FAMILIES = _families()
"""The features of each family."""

STATIC = tuple(name for family in _READ for name in FAMILIES[family])
NAMES = (*STATIC, *FAMILIES["names"], *FAMILIES["wording"])
PLACES = {name: place for place, name in enumerate(NAMES)}
"""The row of each feature."""
