"""Tables of elements as pages to learn from: what the thesis trains on, made by ``tamis annotate`` or by others.

A table has a row for every element below ``body`` in document order, so that its depths say what is inside what. Only
the family ``thesis`` can be computed from it; other features, and whether the page was rendered, are not known.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from tamis.errors import InputError
from tamis.page.text import Bools, Floats, Ints
from tamis.scoring.element_features import NAMES
from tamis.scoring.element_groups import GROUPS, IMAGE, MAX_SECTION_DEPTH, TAGS
from tamis.training.annotations import MAIN
from tamis.training.element_records import Record
from tamis.training.element_tables import LABEL, PAGE, Row, derived_features, read_table

_NUMBERS = (
    *("doc_dom_depth", "num_siblings", "distance_to_root", "num_child_elements", "dom_subtree_depth"),
    *("normalized_top", "normalized_bottom", "is_middle", "is_leftmost", "is_rightmost", "rect_size"),
)
_GROUP = {tag.upper(): number for number, tags in enumerate(TAGS.values()) for tag in tags}
_SECTIONS = ("DIV", "TD", "TH")


def table_records(file: Path) -> list[Record]:
    """The pages of a table: one, or as many as its column ``page`` names."""
    rows = read_table(file)
    pages = itertools.groupby(rows, key=lambda row: row.get(PAGE, file.stem))
    return [_record(file, page, list(own)) for page, own in pages]


def _record(file: Path, page: str, rows: Sequence[Row]) -> Record:
    depth = _column(file, rows, "distance_to_root").astype(np.int64)
    derived = [derived_features(row) for row in rows]
    words = np.array([found["inner_text_length"] for found in derived], dtype=np.int64)
    group = _groups(file, rows, depth, words)
    chosen = np.flatnonzero(group >= 0)
    features = np.full((len(NAMES), len(rows)), np.nan, dtype=np.float32)
    for name in _NUMBERS:
        features[NAMES.index(name)] = _column(file, rows, name)
    for name in derived[0]:
        features[NAMES.index(name)] = [found[name] for found in derived]
    return Record(
        id=page,
        dataset=file.stem,
        host=urlsplit(rows[0]["url"]).hostname or page,
        page_type="",
        group=group[chosen],
        words=words[chosen],
        own_words=_own_words(depth, words, group >= 0)[chosen],
        features=features[:, chosen],
        is_main=np.array([row[LABEL] == MAIN for row in rows], dtype=np.bool_)[chosen],
        oracle=1.0,  # the labels are what is learned
    )


def _column(file: Path, rows: Sequence[Row], name: str) -> Floats:
    """A column of numbers; empty fields are not known."""
    try:
        return np.array([float(row[name] or "nan") for row in rows])
    except ValueError as error:
        raise InputError(f"{str(file)!r}: the column {name} holds something that is no number: {error}") from error


def _groups(file: Path, rows: Sequence[Row], depth: Ints, words: Ints) -> npt.NDArray[np.int8]:
    """The group of each element; -1 for those that are not judged, as ``find_elements`` says for a page."""
    tags = [row["tag_name"].upper() for row in rows]
    group = np.array([_GROUP.get(tag, -1) for tag in tags], dtype=np.int8)
    group[(group != IMAGE) & (words == 0)] = -1
    holds_others = _subtree_sums(depth, (group >= 0) & (group != IMAGE)) > 0
    is_deep = _column(file, rows, "dom_subtree_depth") > MAX_SECTION_DEPTH
    group[np.isin(tags, _SECTIONS) & (holds_others | is_deep)] = -1
    return group


def _own_words(depth: Ints, words: Ints, is_judged: Bools) -> Ints:
    """The words of each element that are in no judged element inside it."""
    own = words.copy()
    around: list[int] = []
    for place in np.flatnonzero(is_judged).tolist():
        while around and not _holds(depth, around[-1], place):
            around.pop()
        if around:
            own[around[-1]] -= words[place]
        around.append(place)
    return np.maximum(own, 0)


def _holds(depth: Ints, outer: int, inner: int) -> bool:
    return bool((depth[outer + 1 : inner + 1] > depth[outer]).all())


def _subtree_sums(depth: Ints, marked: Bools) -> Ints:
    """How many marked elements each one holds below it."""
