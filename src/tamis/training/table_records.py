"""Tables of elements as pages to learn from: what the thesis trains on, made by ``tamis annotate`` or by others.

A table has a row for every element below ``body`` in document order, so that its depths say what is inside what. Only
the family ``thesis`` can be computed from it; other features, and whether the page was rendered, are not known.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tamis import urls
from tamis.errors import InputError
from tamis.extractors.elements.features import NAMES
from tamis.extractors.elements.groups import IMAGE, MAX_SECTION_DEPTH, TAGS
from tamis.page.text import Bools, Floats, Ints
from tamis.training.annotations import MAIN
from tamis.training.element_records import LabelledElements
from tamis.training.element_tables import (
    LABEL,
    PAGE,
    PAGE_WORDS,
    TableRow,
    derived_features,
    page_words,
    parents,
    read_table,
)

_NUMBERS = (
    *("doc_dom_depth", "num_siblings", "distance_to_root", "num_child_elements", "dom_subtree_depth"),
    *("normalized_top", "normalized_bottom", "is_middle", "is_leftmost", "is_rightmost", "rect_size"),
)
_GROUP = {tag.upper(): number for number, tags in enumerate(TAGS.values()) for tag in tags}
_SECTIONS = ("DIV", "TD", "TH")
_MAX_OUTSIDE = 0.2  # of the words; ours, not swept


def table_records(file: Path, tell: Callable[[str], None] = lambda _: None) -> list[LabelledElements]:
    """The pages of a table: one, or as many as its column ``page`` names.

    It is told when much of their text is in no content element: there are no rows to learn that from.
    """
    rows = read_table(file)
    grouped = itertools.groupby(rows, key=lambda row: row.get(PAGE, file.stem))
    pages = [(page, list(own)) for page, own in grouped]
    records = [_record(file, page, own) for page, own in pages]
    words = sum(page_words(own) for _, own in pages)
    outside = 1 - sum(int(record.own_words.sum()) for record in records) / max(words, 1)
    if outside > _MAX_OUTSIDE:
        tell(
            f"{outside:.0%} of the words in {file.name} stand in no content element, and a table cannot teach what they"
            " are: train on pages.jsonl, which tamis annotate writes beside it"
        )
    return records


def _record(file: Path, page: str, rows: Sequence[TableRow]) -> LabelledElements:
    if PAGE_WORDS in rows[0]:
        _column(file, rows, PAGE_WORDS)
    numbers = {name: _column(file, rows, name) for name in _NUMBERS}
    parent = parents(numbers["distance_to_root"].tolist())
    derived = derived_features(rows)
    words = np.array([found["inner_text_length"] for found in derived], dtype=np.int64)
    group = _groups(rows, parent, words, numbers["dom_subtree_depth"])
    chosen = np.flatnonzero(group >= 0)
    features = np.full((len(NAMES), len(rows)), np.nan, dtype=np.float32)
    for name, values in numbers.items():
        features[NAMES.index(name)] = values
    for name in derived[0]:
        features[NAMES.index(name)] = [found[name] for found in derived]
    return LabelledElements(
        id=page,
        dataset=file.stem,
        host=urls.host(rows[0]["url"]) or page,
        page_type="",
        group=group[chosen],
        words=words[chosen],
        own_words=_own_words(parent, words, group >= 0)[chosen],
        features=features[:, chosen],
        is_main=np.array([row[LABEL] == MAIN for row in rows], dtype=np.bool_)[chosen],
        oracle=1.0,  # the labels are what is learned
    )


def _column(file: Path, rows: Sequence[TableRow], name: str) -> Floats:
    """A column of numbers; empty fields are not known."""
    try:
        return np.array([float(row[name] or "nan") for row in rows])
    except ValueError as error:
        raise InputError(
            f"{str(file)!r}: the column {name} contains something that is not a number: {error}"
        ) from error


def _groups(rows: Sequence[TableRow], parent: Sequence[int], words: Ints, depth: Floats) -> npt.NDArray[np.int8]:
    """The group of each element; -1 for those that are not judged, as ``find_elements`` says for a page."""
    tags = [row["tag_name"].upper() for row in rows]
    group = np.array([_GROUP.get(tag, -1) for tag in tags], dtype=np.int8)
    group[(group != IMAGE) & (words == 0)] = -1
    holds_others = np.zeros(len(rows) + 1, dtype=np.bool_)  # the last for what nothing is around
    for place in reversed(range(len(rows))):
        holds_others[parent[place]] |= holds_others[place] | (0 <= group[place] != IMAGE)
    group[np.isin(tags, _SECTIONS) & (holds_others[:-1] | (depth > MAX_SECTION_DEPTH))] = -1
    return group


def _own_words(parent: Sequence[int], words: Ints, is_judged: Bools) -> Ints:
    """The words of each element that are in no judged element inside it."""
    own = words.copy()
    judged_around: list[int] = []
    for place, above in enumerate(parent):
        around = -1 if above < 0 else above if is_judged[above] else judged_around[above]
        judged_around.append(around)
        if is_judged[place] and around >= 0:
            own[around] -= words[place]
    return np.maximum(own, 0)
