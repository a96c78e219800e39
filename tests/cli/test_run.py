"""``tamis run``: what would be done, how far it is, what became of it; exit codes say whether all went well."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from tamis.cli import main
from tamis.cli.run import progress_line
from tamis.scaling.run import RunProgress
from tests.scaling.archives import page, warc_record, write_warc

PLAIN = ["--method", "keep_all", "--output", "jsonl", "--workers", "1"]


def test_a_run_says_what_became_of_every_record(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out, job = tmp_path / "a.warc", tmp_path / "out", tmp_path / "job.toml"
    source.write_bytes(warc_record(page("one")) + warc_record(b"", status="404 Not Found") + warc_record(b""))
    job.write_text('metadata = false\n[[filters]]\nname = "length"\nmin_words = 5\n')
    command = ["run", str(source), "--out", str(out), "--job", str(job), *PLAIN]
    assert main(command) == 0
    said = capfd.readouterr().err
    counts = "1 ok, 1 empty, 0 truncated, 1 skipped, 0 failed, 0 timed out, 0 crashed"
    assert f"3 records: {counts}" in said
    assert "1 skipped by status" in said
    assert re.search(rf"1 shard; 0:0\d:\d\d; output in {out / 'data'}", said)
    (file,) = (out / "data").iterdir()
    assert [json.loads(line)["method"] for line in file.read_text().splitlines()] == ["keep_all"]
    assert main(command) == 0
    assert "1 of them done before" in capfd.readouterr().err


def test_missing_extra_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "abc":
        write_warc(tmp_path / f"{name}.warc.gz", [page(name)])
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    assert main(["run", str(tmp_path / "*.warc.gz"), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "pip install 'tamis[scaling]'" in said
    assert not (tmp_path / "out").exists()


def test_failed_records_make_the_exit_code_1(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text("{broken\n")
    assert main(["run", str(source), "--out", str(tmp_path / "out"), *PLAIN]) == 1
    assert "1 failed" in capfd.readouterr().err


def test_a_dry_run_writes_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in "abc":
        write_warc(tmp_path / f"{name}.warc.gz", [page(name)])
    job = tmp_path / "job.toml"
    job.write_text('[[filters]]\nname = "language"\nonly = ["en"]\n[duplicates]\n[limits]\nseconds = 5\n')
    pattern = str(tmp_path / "*.warc.gz")
    assert main(["run", pattern, "--out", str(tmp_path / "out"), "--job", str(job), "--shard", "1/2", "--dry-run"]) == 0
    said = capfd.readouterr().out
    assert said.startswith("2 shards of 2 files, 0.0 MB on this machine; 0 done\nmethod sieve {}, format text")
    assert "filter language {'only': ['en']}\n" in said
    assert "stages: pages, kept\n" in said
    assert "at most 5 s," in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to read"),
        (["none.warc.gz"], "nothing matches 'none.warc.gz'"),
        (["a.warc.gz", "--engine", "rya"], "did you mean ray?"),
        (["a.warc.gz", "--method", "seive"], "did you mean sieve"),
        (["a.warc.gz", "--format", "pdf"], "'text' or 'markdown' or 'html' is expected"),
        (["a.warc.gz", "--workers", "0"], "workers is 0, but must be at least 1"),
        (["a.warc.gz", "--shard", "3/2"], "--shard is '3/2'"),
        (["a.warc.gz", "--job", "job.toml"], "job.toml, line 2: resemblance is 0.2, but must be from 0.5 to 1"),
        (["a.warc.gz", "--job", "none.toml"], "cannot read the job file"),
    ],
)
def test_wrong_usage_is_answered(
    arguments: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / "a.warc.gz", [page("one")])
    (tmp_path / "job.toml").write_text("[duplicates]\nresemblance = 0.2\n")
    assert main(["run", *arguments, "--out", "out"]) == 2
    assert said in capfd.readouterr().err


def test_progress_is_one_line_with_rate_remaining_time_and_errors() -> None:
    counts = Counter({"ok": 90, "failed": 8, "timed out": 2})
    progress = RunProgress(stage="pages", shards=10, done=3, failed=1, counts=counts, fresh=50, seconds=20)
    assert progress_line(progress) == (
        "pages: 4/10 shards · 100 records · 2.5/s · about 0:00:30 left · 8 failed · 2 timed out · 1 shard failed"
    )
    begin = RunProgress(stage="pages", shards=10, done=0, failed=0, counts=Counter(), fresh=0, seconds=0)
    assert progress_line(begin) == "pages: 0/10 shards · 0 records · 0.0/s"
