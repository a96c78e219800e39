"""Tables of elements: one CSV file per page as in the thesis, and all pages in one.

A row is an element below ``body``, its raw features, and its label. From the same columns the derived features can be
computed again, so that trees can be trained on tables that come from somewhere else. They mean what they mean on a
page (``extractors.elements.features``): what is learned from a table holds for the pages that are extracted.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from tamis.errors import InputError
from tamis.extractors.elements.features import AD_PATTERNS, EDGE_SHARE, NAMES_AROUND, SAYINGS, SIBLINGS
from tamis.extractors.elements.raw import COLUMNS, NO_CLASSES, NO_ID, raw_features
from tamis.files import aside
from tamis.page.model import Page
from tamis.page.text import Bools
from tamis.training.annotations import MAIN, NOISY

LABEL = "label"
PAGE = "page"
PAGE_WORDS = "page_words"
"""A column of ours: all visible words of the page, those that stand directly in ``body`` too. May be missing."""
_AD = re.compile("|".join(AD_PATTERNS))
TableRow = Mapping[str, str]


def page_table(page: Page, is_main: Bools) -> list[dict[str, str]]:
    """A row for every element below ``body``, with a label for each node of the page."""
    bodies = np.flatnonzero(page.nodes.named("body"))
    if not len(bodies):
        return []
    body = int(bodies[0])
    nodes = np.flatnonzero(page.nodes.elements)
    nodes = nodes[(nodes > body) & (nodes < page.nodes.end[body])]
    table = raw_features(page, nodes)
    table[PAGE_WORDS] = [str(int(page.flow.words.sum()))] * len(nodes)
    table[LABEL] = [MAIN if is_main[node] else NOISY for node in nodes.tolist()]
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def write_table(file: Path, rows: Iterable[TableRow]) -> int:
    """Write rows as CSV, all fields quoted, aside and then in one step; how many."""
    count = 0
    with aside(file) as part, part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        writer: csv.DictWriter[str] | None = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(stream, list(row), quoting=csv.QUOTE_ALL)
                writer.writeheader()
            writer.writerow(row)
            count += 1
        if writer is None:
            csv.writer(stream, quoting=csv.QUOTE_ALL).writerow((*COLUMNS, LABEL))
    return count


def read_table(file: Path) -> list[dict[str, str]]:
    """The rows of a table; a missing column, or a row of another length, is an ``InputError`` that names it."""
    csv.field_size_limit(1 << 30)  # one field may hold the text of a page
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            found = reader.fieldnames or []
            if missing := [name for name in (*COLUMNS, LABEL) if name not in found]:
                raise InputError(f"{str(file)!r} has no column {', '.join(missing)}")
            rows = []
            for row in reader:
                if None in row or None in row.values():
                    raise InputError(f"{str(file)!r}, line {reader.line_num}: {len(found)} fields are expected")
                if row[LABEL] not in (MAIN, NOISY):
                    raise InputError(
                        f"{str(file)!r}, line {reader.line_num}: the label is {row[LABEL]!r}, not {MAIN!r} or {NOISY!r}"
                    )
                rows.append(row)
            return rows
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read the table {str(file)!r}: {error}") from error


def joined_rows(tables: Mapping[str, Path]) -> Iterator[dict[str, str]]:
    """The rows of the tables of several pages, each with the name of its page in the column ``page``."""
    for page, file in tables.items():
        for row in read_table(file):
            yield {PAGE: page, **row}


def derived_features(rows: Sequence[TableRow]) -> list[dict[str, float]]:
    """The derived features of section 3.8.4 of all elements of one page, from its rows; NaN what is not known.

    The rows are in document order, so that their depths say what is inside what. Names of what holds more than half of
    the words of the page call nothing a menu or an advertisement, as on a page. Without ``page_words`` the words that
    stand directly in ``body`` are not known, and do not count.
    """
    parent = parents([_number(row["distance_to_root"]) for row in rows])
    words = [len(row["inner_text"].split()) for row in rows]
    largest = page_words(rows) / 2
    in_nav, in_ad = ([False] * (len(rows) + 1) for _ in range(2))  # the last for what nothing is around
    found: list[dict[str, float]] = []
    for place, (row, above) in enumerate(zip(rows, parent, strict=True)):
        names = _tokens(row["class_name"], row["element_id"]) if words[place] <= largest else ()
        in_nav[place] = in_nav[above] or any("nav" in name for name in names)
        in_ad[place] = in_ad[above] or any(_AD.search(name) for name in names)
        is_thumbnail = above >= 0 and rows[above]["tag_name"].upper() == "A"
        is_thumbnail &= not (row["siblings_names"] or rows[above]["child_text"])
        own = {"is_desc_nav": in_nav[above], "is_desc_ad": in_ad[place], "is_thumbnail": is_thumbnail}
        found.append({**{name: float(value) for name, value in own.items()}, **_row_features(row)})
    return found


def page_words(rows: Sequence[TableRow]) -> float:
    """The words of a page, as its rows tell; without the column, those of the outermost elements."""
    told = _number(rows[0].get(PAGE_WORDS, "")) if rows else np.nan
    if not np.isnan(told):
        return told
    above = parents([_number(row["distance_to_root"]) for row in rows])
    return sum(len(row["inner_text"].split()) for row, parent in zip(rows, above, strict=True) if parent < 0)


def parents(depth: Sequence[float]) -> list[int]:
    """For each element the one it stands in; -1 if that has no row.

    >>> parents([2, 3, 3, 4, 2])
    [-1, 0, 0, 2, -1]
    """
    found: list[int] = []
    around: list[int] = []
    for place, own in enumerate(depth):
        while around and depth[around[-1]] >= own:
            around.pop()
        found.append(around[-1] if around else -1)
        around.append(place)
    return found


def _row_features(row: TableRow) -> dict[str, float]:
    """What one row says by itself."""
    above = [name.strip() for name in row["ancestors_names"].split(",")]
    names = _names(row, "ancestors")
    siblings = [name.strip() for name in row["siblings_names"].split(",")]
    text = row["inner_text"].lower()
    top, bottom, left, right = (
        _number(row[name]) for name in ("normalized_top", "normalized_bottom", "is_leftmost", "is_rightmost")
    )
    edge = np.nan if np.isnan(top) else float(bottom > 1 - EDGE_SHARE or top < EDGE_SHARE)
    return {
        "is_desc_a": float("A" in above),
        **{f"is_desc_{word}": float(any(word in name for name in names)) for word in NAMES_AROUND},
        "inner_text_length": float(len(row["inner_text"].split())),
        "child_text_length": float(len(row["child_text"].split())),
        **{f"contains_{name}": float(re.search(pattern, text) is not None) for name, pattern in SAYINGS.items()},
        **{f"is_sib_{name}": float(name.upper() in siblings) for name in SIBLINGS},
        "has_children": float(_number(row["num_child_elements"]) > 0),
        "is_link": float(row["children_names"] == "A" and not row["child_text"]),
        "is_uppermost_or_bottommost": edge,
        "is_on_side": max(left, right),
    }


def _names(row: TableRow, relation: str) -> Sequence[str]:
    """Classes and ids of relatives, in lower case."""
    return _tokens(row[f"{relation}_classes"].replace(",", " "), row[f"{relation}_ids"].replace(",", " "))


def _tokens(classes: str, identity: str) -> Sequence[str]:
    return [name.lower() for name in (*classes.split(), *identity.split()) if name not in (NO_CLASSES, NO_ID)]


def _number(value: str) -> float:
    return float(value) if value else np.nan
