"""Output: other programs read the folder as it is, and a file is whole or not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tamis.scaling.job import Job
from tamis.scaling.shard_plan import plan
from tamis.scaling.shard_work import process_shard
from tamis.scaling.writing import ROW_GROUP, open_rows, read_rows
from tests.scaling.archives import page, write_warc

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
JOB = Job(method="keep_all", metadata=False)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    for name, bodies in {"a": [page("one"), b"", page("two")], "b": [b""]}.items():
        (shard,) = plan([str(write_warc(folder / f"{name}.warc.gz", bodies))])
        process_shard(shard, Job(method="keep_all"), folder / "out")
    return folder / "out"


def test_duckdb_reads_the_folder(out: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.read_parquet(f"{out}/data/*.parquet").aggregate("title, count(*), max(words)").order("title")
    assert rows.fetchall() == [("one", 1, 60), ("two", 1, 60)]
    reasons = duckdb.read_json(f"{out}/rejected/*.jsonl").aggregate("status, count(*)")
    assert reasons.fetchall() == [("empty", 2)]


def test_pyarrow_reads_the_folder_as_a_dataset_also_with_shards_without_rows(out: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset").dataset(out / "data")
    table = dataset.to_table(columns=["url", "status", "authors"], filter=pyarrow.compute.field("words") > 10)
    assert table.column("status").to_pylist() == ["ok", "ok"]
    assert len(dataset.files) == 2


def row(number: int) -> dict[str, Any]:
    return {"id": f"{number:06}", "text": "text", "words": number, "authors": None, "warnings": [], "status": "ok"}


def test_row_groups_have_statistics(tmp_path: Path) -> None:
    rows = open_rows(tmp_path / "a.parquet", JOB)
    for number in range(ROW_GROUP + 1):
        rows.add(row(number))
    rows.close()
    described = parquet.ParquetFile(tmp_path / "a.parquet").metadata
    groups = [described.row_group(place) for place in range(described.num_row_groups)]
    assert [group.num_rows for group in groups] == [ROW_GROUP, 1]
    first = {group.column(place).path_in_schema: group.column(place) for group in groups[:1] for place in range(10)}
    assert (first["id"].statistics.min, first["id"].statistics.max) == ("000000", f"{ROW_GROUP - 1:06}")
    assert first["words"].statistics.max == ROW_GROUP - 1


def test_long_texts_are_written_before_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.scaling.writing._HELD_CHARS", 100)
    rows = open_rows(tmp_path / "a.parquet", JOB)
    for length in (99 - len("000000ok"), 100):
        rows.add({**row(0), "text": "x" * length})
    rows.close()
    assert parquet.ParquetFile(tmp_path / "a.parquet").metadata.num_row_groups == 1
    rows = open_rows(tmp_path / "b.parquet", JOB)
    for _ in range(3):
        rows.add({**row(0), "text": "x" * 100})
    rows.close()
    assert parquet.ParquetFile(tmp_path / "b.parquet").metadata.num_row_groups == 3


@pytest.mark.parametrize("output", ["parquet", "jsonl"])
def test_text_that_no_file_can_hold_costs_no_shard(tmp_path: Path, output: Any) -> None:
    job = Job(output=output)
    rows = open_rows(tmp_path / "a", job)
    odd = "a\ud800b"
    rows.add({**row(0), "text": odd, "authors": [odd]})
    rows.close()
    (found,) = read_rows(tmp_path / "a", job)
    expected = "a?b" if output == "parquet" else odd
    assert (found["text"], found["authors"]) == (expected, [expected])
