from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import InputError
from tamis.extractors.elements.features import NAMES, THESIS, element_features
from tamis.extractors.elements.groups import find_elements
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tamis.training.element_tables import joined_rows, page_table, write_table
from tamis.training.element_trees import train_elements
from tamis.training.table_records import table_records
from tests.training.pages import sample

UNKNOWN = {"is_rendered"}
"""A feature that a table does not have: it is not known."""


def labelled(markup: str) -> tuple[Page, list[dict[str, str]]]:
    page = tamis.parse(markup, "https://a.example/x")
    page = page.with_boxes(estimate_boxes(page))
    is_main = page.nodes.inside(np.isin(np.arange(len(page.nodes)), page.select("div[class]")))
    return page, page_table(page, is_main)


def tables(folder: Path, hosts: int = 6) -> dict[str, Path]:
    found = {f"{host}.html": folder / f"{host}.csv" for host in range(hosts)}
    for host, file in enumerate(found.values()):
        page = tamis.parse(sample(host, 0).html, f"https://host{host}.example/")
        page = page.with_boxes(estimate_boxes(page))
        is_main = page.nodes.inside(page.nodes.named("h1", "p"))
        write_table(file, page_table(page, is_main))
    return found


TAGS = (
    "div",
    "div class=x",
    "div class='has-nav ads'",
    "a href=y",
    "p",
    "li",
    "td",
    "h2 id=nav",
    "pre",
    "section",
    "b",
)
pieces = st.lists(
    st.sampled_from(
        [f"<{tag}>" for tag in TAGS] + [f"</{tag.split()[0]}>" for tag in TAGS] + ["<img src=a>", "one two ", "three "]
    ),
    max_size=25,
)


@given(pieces)
def test_a_table_gives_the_elements_words_and_features_of_its_page(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    page, rows = labelled("<body><table><tr><td>first " + " ".join(parts))
    file = tmp_path_factory.mktemp("table") / "a.csv"
    write_table(file, rows)
    (record,) = table_records(file)
    elements = find_elements(page, with_rest=False)
    assert record.group.tolist() == elements.group.tolist()
    assert record.words.tolist() == elements.words.tolist()
    owned = np.bincount(elements.owner[elements.owner >= 0], page.flow.words[elements.owner >= 0], len(elements))
    assert record.own_words.tolist() == owned.tolist()
    names = [name for name in THESIS if name not in UNKNOWN]
    told = record.features[[NAMES.index(name) for name in names]]
    counted = element_features(page, elements, names).astype(np.float32)
    for name, mine, theirs in zip(names, told, counted, strict=True):
        np.testing.assert_array_equal(mine, theirs, err_msg=name)


@pytest.mark.parametrize(("told", "is_part"), [("12", 1), ("11", 0), ("", 0), (None, 0)])
def test_words_directly_in_body_count_where_the_table_tells_them(
    tmp_path: Path, told: str | None, is_part: float
) -> None:
    _, rows = labelled("<div class=has-nav><p>one two three four five six</p></div>" + "<br>loose words" * 3)
    assert {row["page_words"] for row in rows} == {"12"}
    rows = [{name: value for name, value in row.items() if name != "page_words"} for row in rows]
    write_table(tmp_path / "a.csv", rows if told is None else [{**row, "page_words": told} for row in rows])
    (record,) = table_records(tmp_path / "a.csv")
    assert record.features[NAMES.index("is_desc_nav")].tolist() == [is_part]


@pytest.mark.parametrize(("outside", "is_told"), [(1, False), (2, True)])
def test_it_is_told_when_much_of_the_text_is_in_no_content_element(tmp_path: Path, outside: int, is_told: bool) -> None:
    _, rows = labelled(f"<p>one two three four</p><dl><dd>{'loose ' * outside}</dl>")
    write_table(tmp_path / "a.csv", rows)
    said: list[str] = []
    table_records(tmp_path / "a.csv", said.append)
    assert [text.startswith("33% of the words in a.csv stand in no content element") for text in said] == (
        [True] if is_told else []
    )


def test_labels_and_host_are_those_of_the_table(tmp_path: Path) -> None:
    _, rows = labelled("<div><p>noise</div><div class=x><p>one<p>two</div>")
    write_table(tmp_path / "a.csv", rows)
    (record,) = table_records(tmp_path / "a.csv")
    assert record.is_main.tolist() == [False, True, True]
    assert (record.host, record.dataset, record.id) == ("a.example", "a", "a")


def test_a_joined_table_holds_several_pages(tmp_path: Path) -> None:
    found = tables(tmp_path, 3)
    write_table(tmp_path / "all.csv", joined_rows(found))
    assert [record.id for record in table_records(tmp_path / "all.csv")] == list(found)


def test_trees_are_learned_from_tables(tmp_path: Path) -> None:
    write_table(tmp_path / "all.csv", joined_rows(tables(tmp_path)))
    trained = train_elements([str(tmp_path / "all.csv")], tmp_path / "work")
    assert trained.model.features == THESIS
    assert trained.page_f1 == {"all": 1.0}
    assert not (tmp_path / "work").exists()


def test_what_cannot_be_learned_from_is_named(tmp_path: Path) -> None:
    write_table(tmp_path / "all.csv", joined_rows(tables(tmp_path)))
    whole = (tmp_path / "all.csv").read_text()
    (tmp_path / "one.csv").write_text(whole.replace('"main"', '"noisy"'))
    with pytest.raises(InputError, match="one class"):
        train_elements([str(tmp_path / "one.csv")], tmp_path)
    (tmp_path / "bad.csv").write_text(whole.replace('"rect_size"', '"size"'))
    with pytest.raises(InputError, match="has no column rect_size"):
        train_elements([str(tmp_path / "bad.csv")], tmp_path)
    _, rows = labelled("<p>one")
    for column in ("rect_size", "normalized_top", "page_words"):
        write_table(tmp_path / "word.csv", [{**row, column: "large"} for row in rows])
        with pytest.raises(InputError, match=f"the column {column} contains something that is not a number"):
            train_elements([str(tmp_path / "word.csv")], tmp_path)
    write_table(tmp_path / "none.csv", [])
    with pytest.raises(InputError, match="no labelled elements"):
        train_elements([str(tmp_path / "none.csv")], tmp_path)
