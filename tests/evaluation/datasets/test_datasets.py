from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis import registry
from tamis.errors import InputError, OptionError
from tamis.evaluation import datasets
from tamis.evaluation.datasets import DATA_VARIABLE, Sample, describe, open_dataset, take


def write_lines(file: Path, *records: object) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def samples(count: int) -> list[Sample]:
    return [Sample(id=f"page {number}", html="<p>a", gold="a") for number in range(count)]


def test_a_dataset_is_found_by_its_name_below_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lines(tmp_path / "public" / "news.jsonl", {"id": 1, "html": "<p>a", "gold": "a"})
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    dataset = open_dataset("public/news")
    assert dataset.name == "public/news"
    assert [(sample.id, sample.dataset) for sample in dataset] == [("1", "public/news")]


def test_an_unknown_name_is_answered_with_those_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lines(tmp_path / "public" / "news.jsonl", {"id": 1, "html": "", "gold": ""})
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    with pytest.raises(InputError, match="there are public/news"):
        open_dataset("public/nws")


def test_without_a_data_folder_the_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "missing"))
    with pytest.raises(InputError, match=DATA_VARIABLE):
        open_dataset("public/news")


def test_a_folder_in_no_known_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "readme.md").write_text("nothing here")
    with pytest.raises(InputError, match="json_lines"):
        open_dataset(tmp_path)


def test_an_id_that_is_taken_gets_a_number_and_is_reported(tmp_path: Path) -> None:
    page = {"html": "<p>a", "gold": "a"}
    records = [{"id": name, **page} for name in ("x", "x", "x#2", "x")]
    dataset = open_dataset(write_lines(tmp_path / "d.jsonl", *records))
    assert [sample.id for sample in dataset] == ["x", "x#2", "x#2#2", "x#3"]
    assert [problem.place for problem in dataset.problems] == ["x", "x#2", "x"]


def test_a_page_without_any_label_is_read_and_reported(tmp_path: Path) -> None:
    records = [
        {"id": "bare", "html": "<p>a"},
        {"id": "dated", "html": "<p>a", "extra": {"date": "2020-01-01"}},
        {"id": "null", "html": "<p>a", "gold": None, "extra": {"title": None}},
    ]
    dataset = open_dataset(write_lines(tmp_path / "d.jsonl", *records))
    assert [sample.id for sample in dataset] == ["bare", "dated", "null"]
    assert [problem.place for problem in dataset.problems] == ["bare", "null"]


def test_problems_are_those_of_the_last_reading(tmp_path: Path) -> None:
    dataset = open_dataset(write_lines(tmp_path / "d.jsonl", {"id": "bare", "html": ""}))
    for _ in range(2):
        list(dataset)
        assert len(dataset.problems) == 1


def test_the_digest_changes_with_the_content_and_with_the_names(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.html").write_text("<p>a")
    (tmp_path / "d" / "a.txt").write_text("a")
    dataset = open_dataset(tmp_path / "d")
    first = dataset.digest()
    assert dataset.digest() == first
    (tmp_path / "d" / "a.txt").write_text("b")
    second = dataset.digest()
    (tmp_path / "d" / "a.html").rename(tmp_path / "d" / "b.html")
    assert len({first, second, dataset.digest()}) == 3


def test_take_chooses_the_same_pages_in_any_order() -> None:
    pages = samples(50)
    chosen = take(pages, 7)
    assert len(chosen) == 7
    assert {sample.id for sample in take(pages[::-1], 7)} == {sample.id for sample in chosen}
    assert [page for page in pages if page in chosen] == chosen


def test_take_depends_on_the_seed_and_smaller_samples_lie_in_larger_ones() -> None:
    pages = samples(50)
    assert take(pages, 10, seed=1) != take(pages, 10, seed=2)
    assert {page.id for page in take(pages, 5)} < {page.id for page in take(pages, 10)}


def test_take_gives_all_when_there_are_not_enough() -> None:
    assert take(samples(3), 10) == samples(3)


def test_describe_counts(tmp_path: Path) -> None:
    records = [
        {"id": 1, "html": "ab", "gold": "a", "page_type": "article"},
        {"id": 2, "html": "äöü", "gold": "a", "page_type": "article"},
        {"id": 3, "html": "", "extra": {"date": "2020-01-01"}},
        {"id": 4},
    ]
    dataset = open_dataset(write_lines(tmp_path / "d.jsonl", *records))
    summary = describe(dataset)
    assert (summary.count, summary.with_gold) == (3, 2)
    assert summary.mean_bytes == pytest.approx((2 + 6 + 0) / 3)
    assert summary.page_types == {"article": 2, "unknown": 1}
    assert summary.digest == dataset.digest()
    assert [problem.place for problem in summary.problems] == [f"{dataset.path}, line 4"]


@pytest.mark.parametrize("name", ["b.jsonl", "b.jsonl.gz", "b.jsonl.xz", "b.zip"])
def test_a_converted_dataset_holds_the_same_pages(tmp_path: Path, name: str) -> None:
    records = [
        {
            "id": "a/1 ä",
            "html": '<meta charset="latin-1"><p>Füße',
            "gold": "Füße",
            "url": "http://a.example/",
            "extra": {"with_": ["F"]},
        },
        {"id": "2", "html": "<p>b", "gold": "", "split": "test", "page_type": "forum"},
        {"id": "description", "html": "<p>c", "extra": {"date": "2020-01-01"}},
    ]
    dataset = open_dataset(write_lines(tmp_path / "a.jsonl", *records))
    assert datasets.convert(dataset, tmp_path / name) == 3
    assert list(open_dataset(tmp_path / name)) == list(dataset)
    assert not list(tmp_path.glob("*.part"))


def test_a_dataset_is_not_written_in_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"\.jsonl"):
        datasets.write(tmp_path / "b.csv", samples(1))


def test_bytes_are_read_as_utf8_where_they_are_and_else_as_a_browser_would() -> None:
    lying = '<meta charset="iso-8859-1"><p>Füße'.encode()
    honest = '<meta charset="iso-8859-1"><p>Füße'.encode("iso-8859-1")
    japanese = '<meta charset="iso-2022-jp"><p>日本'.encode("iso-2022-jp")
    assert datasets.decoded(lying).endswith("Füße")
    assert datasets.decoded(honest).endswith("Füße")
    assert datasets.decoded(japanese).endswith("日本")


def test_formats_of_other_packages_are_asked_last_and_take_no_name_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    own = datasets.formats()
    monkeypatch.setattr(registry, "foreign", {"datasets": {"a_format": None, "folder": None}}.get)
    assert datasets.formats() == [*own, "a_format"]
    assert datasets._format("folder").__name__ == "tamis.evaluation.datasets.folder"
