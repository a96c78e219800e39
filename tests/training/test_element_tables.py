from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import InputError
from tamis.extractors.elements.features import THESIS, element_features
from tamis.extractors.elements.groups import GROUPS, REST, find_elements
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tamis.training.element_tables import derived_features, joined_rows, page_table, read_table, write_table

MARKUP = """<body><div class="site-nav"><ul><li><a href=x>Home</a></li></ul></div>
<div id=main><h1>Head, "quoted"</h1><p>One likes <b>two</b>
three.</p><p class=ad-box>Buy</p></div><div class=page-footer><p>All rights reserved</p></div>"""


def rows() -> list[dict[str, str]]:
    page = tamis.parse(MARKUP)
    is_main = page.nodes.inside(np.isin(np.arange(len(page.nodes)), page.select("#main")))
    return page_table(page.with_boxes(estimate_boxes(page)), is_main)


def test_every_element_below_body_has_a_row() -> None:
    assert [row["tag_name"] for row in rows()] == "DIV UL LI A DIV H1 P B P DIV P".split()
    assert [row["label"] for row in rows()] == ["noisy"] * 4 + ["main"] * 5 + ["noisy"] * 2


def test_a_page_without_a_body_has_no_rows() -> None:
    page = tamis.parse("<frameset><frame></frameset>")
    assert page_table(page, np.zeros(len(page.nodes), dtype=np.bool_)) == []


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    assert write_table(file, rows()) == len(rows())
    assert read_table(file) == rows()
    assert file.read_text(encoding="utf-8").startswith('"url","title",')
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    assert write_table(tmp_path / "a.csv", []) == 0
    assert read_table(tmp_path / "a.csv") == []


def test_tables_are_joined_with_the_names_of_their_pages(tmp_path: Path) -> None:
    files = {"a.html": tmp_path / "a.csv", "deep/a.html": tmp_path / "b.csv"}
    for file in files.values():
        write_table(file, rows())
    joined = list(joined_rows(files))
    assert [row["page"] for row in joined] == ["a.html"] * len(rows()) + ["deep/a.html"] * len(rows())
    write_table(tmp_path / "all.csv", joined)
    assert read_table(tmp_path / "all.csv") == joined


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    write_table(
        file, [{key: value for key, value in row.items() if key not in ("rect_size", "label")} for row in rows()]
    )
    with pytest.raises(InputError, match="has no column rect_size, label"):
        read_table(file)


def test_a_row_that_is_too_short_or_too_long_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    write_table(file, rows()[:1])
    for line in ('"too short"', ",".join(['"x"'] * 40)):
        damaged = tmp_path / "b.csv"
        damaged.write_text(file.read_text() + line + "\n")
        with pytest.raises(InputError, match="line 3: 33 fields are expected"):
            read_table(damaged)


def test_a_label_that_is_none_is_named(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", [{**rows()[0], "label": "good"}])
    with pytest.raises(InputError, match="line 2: the label is 'good'"):
        read_table(tmp_path / "a.csv")


def test_a_file_that_is_no_table_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\x00")
    for name in ("a.csv", "none.csv"):
        with pytest.raises(InputError):
            read_table(tmp_path / name)


def test_any_text_survives(tmp_path: Path) -> None:
    row = {**rows()[0], "inner_text": 'a "b", c\n\u2028 é\x00'}
    write_table(tmp_path / "a.csv", [row])
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as stream:
        assert next(csv.DictReader(stream)) == row


def test_what_is_derived_from_a_table_is_what_is_counted_on_the_page() -> None:
    page = tamis.parse(MARKUP + "<a href=y><img src=z></a><div><p>a</p><input></div><p>Share</p>")
    page = page.with_boxes(estimate_boxes(page))
    elements = find_elements(page)
    counted = element_features(page, elements, THESIS)
    rows_of_page = page_table(page, page.nodes.elements)
    table = dict(zip(_below_body(page), derived_features(rows_of_page), strict=True))
    for position, node in enumerate(elements.node.tolist()):
        if GROUPS[elements.group[position]] == REST:
            continue
        for name, value in table[node].items():
            expected = counted[THESIS.index(name), position]
            assert value == expected or (math.isnan(value) and math.isnan(expected)), (name, page.name(node))


def _below_body(page: Page) -> list[int]:
    body = page.select("body")[0]
    return [node for node in np.flatnonzero(page.nodes.elements).tolist() if body < node < page.nodes.end[body]]
