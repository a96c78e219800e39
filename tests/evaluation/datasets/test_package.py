from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path

import pytest

from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, open_dataset, package

A = Sample(id="a", html="<p>ä", gold="ä", url="http://a.example/", extra={"linked_pages": {"http://b.example/": "<p>"}})
B = Sample(id="b/2", html=b"<p>\xff", gold=None, page_type="forum", extra={"date": "2020"})
C = Sample(id="c", html="<p>c", gold="")


def read(path: Path) -> list[Sample]:
    """The samples as they were before they belonged to a dataset."""
    return [dataclasses.replace(sample, dataset="") for sample in open_dataset(path)]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    package.create(tmp_path / "two.zip", [A, B], name="Two", text="Two pages.")
    return tmp_path / "two.zip"


def test_pages_come_back_in_order_as_they_were(two: Path) -> None:
    assert read(two) == [A, B]


def test_source_gold_text_and_metadata_have_a_common_name(two: Path) -> None:
    with zipfile.ZipFile(two) as archive:
        assert archive.namelist() == ["a.html", "a.txt", "a.json", "b%2F2.html", "b%2F2.json", "description.json"]
        description = json.loads(archive.read("description.json"))
    assert description == {"name": "Two", "text": "Two pages.", "pages": ["a", "b%2F2"]}


def test_iterating_unpacks_nothing_to_disk_and_reads_page_by_page(two: Path) -> None:
    pages = iter(open_dataset(two))
    assert next(pages).id == "a"
    assert [file.name for file in two.parent.iterdir()] == ["two.zip"]


def test_the_same_pages_give_the_same_bytes(two: Path) -> None:
    before = two.read_bytes()
    package.create(two, [A, B], name="Two", text="Two pages.")
    assert two.read_bytes() == before


def test_adding_replaces_a_page_with_the_same_id_in_its_place(two: Path) -> None:
    changed = dataclasses.replace(A, gold="new")
    assert package.add(two, [C, changed]) == 3
    assert read(two) == [changed, B, C]


def test_removing_keeps_the_others_and_the_description(two: Path) -> None:
    assert package.remove(two, ["a", "unknown"]) == 1
    assert read(two) == [B]
    with zipfile.ZipFile(two) as archive:
        assert json.loads(archive.read("description.json"))["text"] == "Two pages."


def test_selecting_takes_the_wanted_pages_of_several_packages(two: Path, tmp_path: Path) -> None:
    package.create(tmp_path / "one.zip", [C])
    assert package.select([two, tmp_path / "one.zip"], tmp_path / "new.zip", lambda page: page.gold is not None) == 2
    assert read(tmp_path / "new.zip") == [A, C]


def test_joining_keeps_pages_that_share_an_id(two: Path, tmp_path: Path) -> None:
    package.create(tmp_path / "one.zip", [dataclasses.replace(C, id="a")])
    assert package.join([two, tmp_path / "one.zip"], tmp_path / "new.zip") == 3
    assert [sample.id for sample in read(tmp_path / "new.zip")] == ["a", "b/2", "a#2"]


def test_creating_with_one_id_twice_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'a'"):
        package.create(tmp_path / "new.zip", [A, A])
    assert not list(tmp_path.iterdir())


def test_a_damaged_page_costs_itself_when_reading_and_stops_a_change(two: Path) -> None:
    with zipfile.ZipFile(two) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name != "a.html"}
    with zipfile.ZipFile(two, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    dataset = open_dataset(two)
    assert [sample.id for sample in dataset] == ["b/2"]
    assert [problem.place for problem in dataset.problems] == [f"{two}, a"]
    before = two.read_bytes()
    with pytest.raises(InputError, match=r"a\.html"):
        package.add(two, [C])
    assert two.read_bytes() == before


def test_a_damaged_description_is_an_error(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("description.json", "{}")
    with pytest.raises(InputError, match="expected an object with pages"):
        list(open_dataset(tmp_path / "bad.zip"))


def test_a_page_that_unpacks_to_very_much_is_not_unpacked(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = open_dataset(str(two))
    monkeypatch.setattr(package, "MAX_BYTES", 400)
    package.add(two, [Sample(id="bomb", html="<p>" + "zero " * 1000, gold="zero")])
    assert "bomb" not in [sample.id for sample in dataset]
    assert "has more than 400 bytes" in dataset.problems[-1].reason


def test_a_description_that_names_no_pages_is_an_error(tmp_path: Path) -> None:
    for pages in ("[1]", '{"a": 1}', "[" * 100_000):
        with zipfile.ZipFile(tmp_path / "odd.tamis", "w") as written:
            written.writestr("description.json", f'{{"pages": {pages}}}')
        with pytest.raises(InputError, match=r"description\.json is damaged"):
            list(open_dataset(str(tmp_path / "odd.tamis")))
