"""A shard becomes one file of rows, one of reasons and a manifest, or nothing at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tamis.batch import STATUSES, Outcome
from tamis.errors import InputError
from tamis.scaling import shard_work
from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Duplicates, Filter, Job, RecordLimits, Templates
from tamis.scaling.shard_plan import Shard
from tamis.scaling.shard_work import finished, process_shard
from tamis.scaling.stages import Stage, places
from tests.scaling.archives import STAGES, page, write_warc

PLAIN = Job(method="keep_all", metadata=False, output="jsonl")
SHARD = Shard(name="a", kind="warc", sources=("a.warc.gz",))
OUTCOMES = [
    Outcome("ok", {"id": "1", "text": "one"}),
    Outcome("skipped", {"id": "2"}, "length: it has 3 words"),
    Outcome("truncated", {"id": "3", "text": "three"}),
    Outcome("skipped", {}, "samples: there are enough others"),
    Outcome("empty", {"id": "5"}, "nothing"),
    Outcome("skipped", {"id": "6"}, "length: it has 4 words"),
]


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Outcomes come from a list; the names of the shards that were worked on."""
    names: list[str] = []

    def outcomes(shard: Shard, *_: object) -> Iterator[Outcome[Any]]:
        names.append(shard.name)
        yield from OUTCOMES

    monkeypatch.setattr(shard_work, "_extracted", outcomes)
    return names


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def files_of(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def test_rows_are_written_and_of_all_others_there_is_a_reason(tmp_path: Path, worked: list[str]) -> None:
    manifest = process_shard(SHARD, PLAIN, tmp_path)
    assert lines(tmp_path / "data" / "a.jsonl") == [OUTCOMES[0].value, OUTCOMES[2].value]
    assert lines(tmp_path / "rejected" / "a.jsonl") == [
        {"id": "2", "status": "skipped", "reason": "length: it has 3 words"},
        {"id": "5", "status": "empty", "reason": "nothing"},
        {"id": "6", "status": "skipped", "reason": "length: it has 4 words"},
    ]
    assert (manifest.shard, manifest.version, manifest.sources) == ("a", PLAIN.version, SHARD.sources)
    assert (manifest.output, manifest.records) == ("data/a.jsonl", 6)
    assert manifest.counts == dict.fromkeys(STATUSES, 0) | {"ok": 1, "skipped": 3, "truncated": 1, "empty": 1}
    assert manifest.skipped == {"length": 2, "samples": 1}
    assert 0 <= manifest.seconds < 60
    assert files_of(tmp_path) == ["data/a.jsonl", "manifests/a.json", "rejected/a.jsonl"]


def test_a_shard_that_is_done_is_known_by_its_manifest(tmp_path: Path, worked: list[str]) -> None:
    assert finished(SHARD, PLAIN, tmp_path, "pages") is None
    manifest = process_shard(SHARD, PLAIN, tmp_path)
    assert finished(SHARD, PLAIN, tmp_path, "pages") == manifest == process_shard(SHARD, PLAIN, tmp_path)
    assert worked == ["a"], "it is worked off once"
    assert finished(SHARD, Job(method="bte", metadata=False, output="jsonl"), tmp_path, "pages") is None


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b"{}", b"[" * 100_000, b'{"sources": []}', b'{"sources": [], "other": 1}']
)
def test_a_damaged_manifest_is_none(tmp_path: Path, worked: list[str], damaged: bytes) -> None:
    manifest = process_shard(SHARD, PLAIN, tmp_path)
    (tmp_path / "manifests" / "a.json").write_bytes(damaged)
    assert finished(SHARD, PLAIN, tmp_path, "pages") is None
    assert process_shard(SHARD, PLAIN, tmp_path).counts == manifest.counts
    assert worked == ["a", "a"]


def test_without_its_rows_a_shard_is_not_done(tmp_path: Path, worked: list[str]) -> None:
    process_shard(SHARD, PLAIN, tmp_path)
    (tmp_path / "data" / "a.jsonl").unlink()
    assert finished(SHARD, PLAIN, tmp_path, "pages") is None


def test_how_far_it_is_is_said_at_once_and_then_every_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1.0]
    told: list[int] = []
    progress = places(SHARD, PLAIN, tmp_path, "pages").progress

    def outcomes(*_: object) -> Iterator[Outcome[Any]]:
        for now[0], outcome in zip([1.5, 2.0, 2.5, 2.75, 3.75, 4.0], OUTCOMES, strict=True):
            yield outcome
            told.append(sum(json.loads(progress.read_text()).values()))
        now[0] = 4.12345

    monkeypatch.setattr(shard_work, "_extracted", outcomes)
    monkeypatch.setattr(shard_work, "time", SimpleNamespace(monotonic=lambda: now[0]))
    manifest = process_shard(SHARD, PLAIN, tmp_path)
    assert told == [1, 1, 1, 4, 4, 6]
    assert manifest.seconds == 3.123
    assert list(progress.parent.iterdir()) == [], "what is done is said by the manifest"


def test_what_another_process_has_written_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []

    def fail(*given: Any) -> None:
        monkeypatch.undo()
        monkeypatch.setattr(shard_work, "_extracted", lambda *_: iter(OUTCOMES))
        written.append(shard_work._write(*given))
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr(shard_work, "_write", fail)
    assert [process_shard(SHARD, PLAIN, tmp_path)] == written


def test_a_disk_that_refuses_is_named_with_the_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shard_work, "_write", fail)
    with pytest.raises(InputError, match=f"cannot write 'a' to '{tmp_path}': No space left on device"):
        process_shard(SHARD, PLAIN, tmp_path)


def test_a_record_that_is_lost_keeps_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    record = InputRecord("a@0", "a", 0, html=b"<p>")
    monkeypatch.setattr(shard_work, "read_shard", lambda *_: [record])
    monkeypatch.setattr(
        shard_work,
        "run_supervised",
        lambda *_, **__: (pair for pair in [(record, Outcome("crashed", None, "SIGSEGV"))]),
    )
    (found,) = shard_work._worked_off(SHARD, PLAIN, lambda: lambda _: Outcome("ok", {}))
    assert (found.status, found.value["id"], found.reason) == ("crashed", "a@0", "SIGSEGV")


def test_each_stage_reads_what_it_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples are taken of the records, rows are made of them, and of the rows those that are no duplicates stay."""
    for name in ("_kept", "sample_records", "_extracted"):
        monkeypatch.setattr(shard_work, name, lambda *_, name=name: iter([name]))
    monkeypatch.setattr(shard_work, "read_shard", lambda *_: [])
    job = Job(method="keep_all", templates=Templates(), duplicates=Duplicates())
    stages: tuple[Stage, ...] = ("samples", "pages", "kept")
    read = [str(next(shard_work._outcomes(SHARD, job, tmp_path, stage))) for stage in stages]
    assert read == ["sample_records", "_extracted", "_kept"]


@pytest.mark.parametrize(
    ("stage", "duplicates", "kind"),
    [
        ("samples", Duplicates(), "lines"),
        ("pages", Duplicates(), "signed"),
        ("pages", None, "plain"),
        ("kept", Duplicates(), "plain"),
    ],
)
def test_only_rows_that_are_compared_later_are_signed(
    tmp_path: Path, stage: Any, duplicates: Duplicates | None, kind: str
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a"
    with shard_work._open_rows(path, Job(duplicates=duplicates), stage):
        pass
    if kind == "lines":
        assert path.read_bytes() == b""
    else:
        assert ("signature" in parquet.read_schema(path).names) == (kind == "signed")


def test_rows_stand_in_the_order_of_the_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stages_of_tests.py").write_text(STAGES)
    monkeypatch.syspath_prepend(tmp_path)
    source = write_warc(tmp_path / "a.warc.gz", [page("SLOW"), page("one"), page("RAISE"), page("two")])
    job = Job(
        method="keep_all",
        metadata=False,
        output="jsonl",
        filters=(Filter(name="stages_of_tests:misbehave"),),
        limits=RecordLimits(seconds=20),
    )
    process_shard(Shard(name="a", kind="warc", sources=(str(source),)), job, tmp_path / "out")
    assert [row["url"][-1] for row in lines(tmp_path / "out" / "data" / "a.jsonl")] == ["0", "1", "3"]
    (reason,) = lines(tmp_path / "out" / "rejected" / "a.jsonl")
    assert (reason["url"][-1], reason["status"], reason["reason"]) == ("2", "failed", "ValueError: no reason")
