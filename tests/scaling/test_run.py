"""Runs: every record is accounted for, whatever its neighbours do, and nothing is lost or done twice."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tamis.batch import STATUSES
from tamis.errors import InputError, OptionError
from tamis.scaling.job import Filter, Job, RecordLimits
from tamis.scaling.process import process_record
from tamis.scaling.run import RunProgress, run
from tamis.scaling.shard_plan import plan
from tamis.scaling.shard_work import finished, process_shard
from tests.scaling.archives import STAGES, page, warc_record, write_warc

parquet = pytest.importorskip("pyarrow.parquet")

QUICK = RecordLimits(seconds=3, memory_mb=2048)


def rows(out: Path) -> list[dict[str, Any]]:
    return [row for file in sorted((out / "data").glob("*.parquet")) for row in parquet.read_table(file).to_pylist()]


def rejected(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted((out / "rejected").iterdir()) for line in file.read_text().splitlines()]


@pytest.fixture
def stages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Filter, ...]:
    """A filter that does what the page says."""
    (tmp_path / "stages_of_tests.py").write_text(STAGES)
    monkeypatch.syspath_prepend(tmp_path)
    return (Filter(name="stages_of_tests:misbehave"),)


def test_rows_say_where_they_come_from(tmp_path: Path) -> None:
    source = write_warc(tmp_path / "a.warc.gz", [page("one"), page("two")])
    job = Job(format="markdown")
    report = run([str(source)], job, tmp_path / "out", workers=1)
    assert report.counts == {**dict.fromkeys(STATUSES, 0), "ok": 2}
    first, second = rows(tmp_path / "out")
    assert first["text"].startswith("This page says one in a sentence")
    assert first["markdown"].startswith("This page says one in a sentence")
    assert (first["id"], first["url"], first["offset"]) == (f"{source}@0", "https://example.org/0", 0)
    assert (first["method"], first["version"], first["status"]) == (job.method, job.version, "ok")
    assert first["title"] == "one"
    assert first["words"] == len(first["text"].split())
    assert second["offset"] > 0
    assert first["digest"].startswith("sha256:")
    assert 0.5 < first["score"] <= 1


def test_a_bad_record_costs_itself(tmp_path: Path, stages: tuple[Filter, ...]) -> None:
    bodies = [page(word) for word in ("one", "SEGFAULT", "two", "FOREVER", "three", "MEMORY", "four", "RAISE", "five")]
    bodies += [b"", page("short"), page("six")]
    source = write_warc(tmp_path / "a.warc.gz", bodies)
    source.write_bytes(
        source.read_bytes() + gzip.compress(warc_record(b"x", status="500 Sorry")) + b"\x1f\x8b\x08damage"
    )
    length = Filter(name="url", parameters={"deny": ["/10$"]})
    job = Job(filters=(*stages, length), limits=QUICK)
    report = run([str(source)], job, tmp_path / "out", workers=1)
    counts = {status: count for status, count in report.counts.items() if count}
    assert counts == {"ok": 6, "empty": 1, "skipped": 2, "failed": 2, "timed out": 1, "crashed": 2}
    assert report.skipped == {"status": 1, "url": 1}
    reasons = {line["url"] or "": (line["status"], line["reason"]) for line in rejected(tmp_path / "out")}
    assert reasons["https://example.org/1"] == ("crashed", "the process was ended by SIGSEGV")
    assert reasons["https://example.org/3"][0] == "timed out"
    assert reasons["https://example.org/5"][0] == "crashed"
    assert "MemoryError" in reasons["https://example.org/5"][1]
    assert reasons["https://example.org/7"] == ("failed", "ValueError: no reason")
    assert reasons["https://example.org/10"] == ("skipped", "url: its address holds /10$")
    assert all(isinstance(line["offset"], int) for line in rejected(tmp_path / "out"))
    assert report.records == len(bodies) + 2


def test_a_shard_done_twice_gives_the_same_files(tmp_path: Path) -> None:
    (shard,) = plan([str(write_warc(tmp_path / "a.warc.gz", [page("one"), b"", page("two")]))])
    outs = [tmp_path / "first", tmp_path / "second"]
    for out in outs:
        process_shard(shard, Job(), out)
    first, second = ([file.read_bytes() for file in sorted(out.glob("[dr]*/*"))] for out in outs)
    assert first == second
    assert len(first) == 2


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    first = write_warc(tmp_path / "a.warc.gz", [page("one")])
    run([str(first)], Job(), tmp_path / "out", workers=1)
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*") if file.is_file()}
    second = write_warc(tmp_path / "b.warc.gz", [page("two"), page("three")])
    report = run([str(first), str(second)], Job(), tmp_path / "out", workers=1)
    assert (report.shards, report.resumed, report.counts["ok"]) == (2, 1, 3)
    assert all(file.stat().st_mtime_ns == moment for file, moment in before.items())


def test_a_shard_whose_output_is_gone_is_done_again(tmp_path: Path) -> None:
    (shard,) = plan([str(write_warc(tmp_path / "a.warc.gz", [page("one")]))])
    process_shard(shard, Job(), tmp_path / "out")
    next((tmp_path / "out" / "data").iterdir()).unlink()
    assert finished(shard, Job(), tmp_path / "out", "pages") is None


def test_the_folder_of_another_job_is_refused(tmp_path: Path) -> None:
    source = str(write_warc(tmp_path / "a.warc.gz", [page("one")]))
    run([source], Job(), tmp_path / "out", workers=1)
    with pytest.raises(OptionError, match=r"belongs to another job \(format 'text' instead of 'html'\): pass another"):
        run([source], Job(format="html"), tmp_path / "out")
    with pytest.raises(OptionError, match="version"):
        run([source], Job(version="9"), tmp_path / "out")
    with pytest.raises(OptionError, match="contains other files"):
        run([source], Job(), tmp_path)
    (tmp_path / "out" / "job.json").write_text("{")
    with pytest.raises(InputError, match="damaged"):
        run([source], Job(), tmp_path / "out")


def test_a_folder_that_has_changed_is_refused_since_pages_would_be_written_twice(tmp_path: Path) -> None:
    pages, out = tmp_path / "pages", tmp_path / "out"
    pages.mkdir()
    (pages / "a.html").write_bytes(page("one"))
    job = Job(method="keep_all", metadata=False)
    assert run([str(pages)], job, out, workers=1).counts["ok"] == 1
    (pages / "b.html").write_bytes(page("two"))
    with pytest.raises(OptionError, match=r"the same pages in other shards.*pass another --out"):
        run([str(pages)], job, out)
    assert len(rows(out)) == 1


def test_a_full_disk_fails_the_shard_and_leaves_nothing_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shard,) = plan([str(write_warc(tmp_path / "a.warc.gz", [page("one")]))])
    out = tmp_path / "out"
    (out / "rejected").mkdir(parents=True)
    monkeypatch.setattr("tamis.files._write_through", _full)
    with pytest.raises(InputError, match=r"cannot write .*No space left on device"):
        process_shard(shard, Job(), out)
    assert [file for file in out.rglob("*") if file.is_file()] == []
    monkeypatch.undo()
    assert process_shard(shard, Job(), out).counts["ok"] == 1


def _full(_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    source = str(write_warc(tmp_path / "a.warc.gz", [page("one")]))
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot write to .*file"):
        run([source], Job(), tmp_path / "file" / "out")


def test_progress_counts_up_to_all_records(tmp_path: Path, stages: tuple[Filter, ...]) -> None:
    sources = [str(write_warc(tmp_path / f"{number}.warc.gz", [page("SLOW")] * 5)) for number in range(2)]
    seen: list[RunProgress] = []
    run(sources, Job(filters=stages), tmp_path / "out", workers=1, watch=seen.append)
    assert (seen[-1].done, seen[-1].counts.total(), seen[-1].fresh) == (2, 10, 10)
    assert [progress.counts.total() for progress in seen] == sorted(progress.counts.total() for progress in seen)


def test_a_worker_that_is_killed_is_replaced_and_its_shard_done_again(
    tmp_path: Path, stages: tuple[Filter, ...]
) -> None:
    source = write_warc(tmp_path / "a.warc.gz", [page("SLOW")] * 8)
    other = write_warc(tmp_path / "b.warc.gz", [page("one")] * 2)
    killed: list[int] = []

    def kill(progress: RunProgress) -> None:
        if not killed and progress.counts.total() >= 1:
            (pid,) = _children(os.getpid())[:1]
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    report = run([str(source), str(other)], Job(filters=stages), tmp_path / "out", workers=1, watch=kill)
    assert killed
    assert (report.counts["ok"], report.failures) == (10, ())
    assert len(rows(tmp_path / "out")) == 10


def test_a_driver_that_is_killed_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    sources = [write_warc(tmp_path / f"{number}.warc.gz", [page("SLOW")] * 4) for number in range(4)]
    (tmp_path / "stages_of_tests.py").write_text(STAGES)
    (tmp_path / "job.toml").write_text('[[filters]]\nname = "stages_of_tests:misbehave"\n')
    out = tmp_path / "out"
    command = [sys.executable, "-m", "tamis", "run", *map(str, sources), "--out", str(out), "--workers", "1"]
    command += ["--job", str(tmp_path / "job.toml")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    driver = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not list((out / "manifests").glob("*.json")) and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        driver.kill()
        driver.wait()
    done = {file.name: file.read_bytes() for file in (out / "data").glob("*.parquet")}
    assert 1 <= len(done) < 4
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "16 records: 16 ok" in again.stderr
    assert "done before" in again.stderr
    assert {name: (out / "data" / name).read_bytes() for name in done} == done
    assert len(rows(out)) == 16
    assert list(out.rglob(".*.part")) == []


def _children(pid: int) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(folder.name))
    return found


def test_one_record_needs_no_process_of_its_own(tmp_path: Path) -> None:
    from tamis.scaling.inputs import InputRecord

    outcome = process_record(InputRecord("a", "a", None, html=page("one")), Job(method="keep_all", metadata=False))
    assert (outcome.status, outcome.value["words"]) == ("ok", 60)
