"""Stages: duplicates and templates need all records before, and give the same whatever came first."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tamis.errors import OptionError
from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Duplicates, Job, Templates
from tamis.scaling.memories import sketch_record
from tamis.scaling.run import RunReport, run
from tamis.scaling.samples import sample_records
from tests.scaling.archives import page, warc_record, write_warc
from tests.templates.pages import article

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

PLAIN: dict[str, Any] = {"method": "keep_all", "metadata": False, "duplicates": Duplicates()}


def contents(out: Path) -> dict[str, bytes]:
    return {
        f"{kind}/{file.name}": file.read_bytes()
        for kind in ("data", "rejected")
        for file in sorted((out / kind).iterdir())
    }


def rejected(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted((out / "rejected").iterdir()) for line in file.read_text().splitlines()]


@pytest.fixture
def sources(tmp_path: Path) -> list[str]:
    long = page("one") + b"".join(b"<p>%d %d %d" % (number, number * 7, number * 11) for number in range(100))
    bodies = {"a": [page("one"), page("two")], "b": [page("two"), long, b""], "c": [long + b" more", page("three")]}
    return [str(write_warc(tmp_path / f"{name}.warc.gz", pages)) for name, pages in bodies.items()]


def test_the_first_of_those_that_say_the_same_is_kept(tmp_path: Path, sources: list[str]) -> None:
    out = tmp_path / "out"
    report = run(sources, Job(output="jsonl", **PLAIN), out, workers=1)
    assert {status: count for status, count in report.counts.items() if count} == {"ok": 4, "skipped": 2, "empty": 1}
    assert (report.records, report.skipped, report.stage) == (7, {"duplicates": 2}, "kept")
    reasons = {line["id"]: line["reason"] for line in rejected(out) if line["status"] == "skipped"}
    first_two = next(line["reason"] for line in rejected(out)).removeprefix("duplicates: its text is that of ")
    assert reasons[f"{sources[1]}@0"] == f"duplicates: its text is that of {first_two}"
    assert first_two.startswith(f"{sources[0]}@")
    assert reasons[f"{sources[2]}@0"].startswith(f"duplicates: its text is that of {sources[1]}@")
    assert not any(b"signature" in data for data in contents(out).values())


def test_parts_wait_for_each_other_and_give_what_one_run_gives(tmp_path: Path, sources: list[str]) -> None:
    job, whole, parts = Job(**PLAIN), tmp_path / "whole", tmp_path / "parts"
    run(sources, job, whole, workers=2)

    def part(number: int) -> RunReport:
        return run(sources, job, parts, workers=1, part=f"{number}/2")

    second = part(2)
    assert (second.stage, second.waiting, second.shards) == ("pages", 2, 1)
    assert not (parts / "data").exists()
    first = part(1)
    assert (first.stage, first.waiting) == ("kept", 0)
    assert part(2).stage == "kept"
    assert contents(parts) == contents(whole)
    names = [pyarrow.parquet.read_schema(file).names for file in (whole / "data").iterdir()]
    assert all("status" in columns and "signature" not in columns for columns in names)


def test_an_input_that_is_added_changes_what_comes_after_it(tmp_path: Path, sources: list[str]) -> None:
    job, out = Job(**PLAIN), tmp_path / "out"
    assert run(sources[1:], job, out, workers=1).skipped == {"duplicates": 1}
    report = run(sources, job, out, workers=1)
    assert (report.skipped, report.counts["ok"]) == ({"duplicates": 2}, 4)
    assert report.resumed == 1  # only the file whose page has a copy before it now is written anew
    fresh = tmp_path / "fresh"
    run(sources, job, fresh, workers=1)
    assert contents(out) == contents(fresh)


def test_templates_are_learned_per_host_and_applied(tmp_path: Path) -> None:
    sources = []
    for name, first in (("a", 0), ("b", 3)):
        path = tmp_path / f"{name}.warc.gz"
        records = [
            warc_record(article(number).encode(), f"http://news.example/{number}") for number in range(first, first + 3)
        ]
        records.append(warc_record(page(name), f"http://{name}.example/"))
        path.write_bytes(b"".join(map(gzip.compress, records)))
        sources.append(str(path))
    job = Job(method="keep_all", metadata=False, output="jsonl", templates=Templates(method="slots", min_pages=6))
    out = tmp_path / "out"
    report = run(sources, job, out, workers=1)
    assert report.counts["ok"] == 8
    rows = [json.loads(line) for data in contents(out).values() for line in data.decode().splitlines()]
    assert {row["url"].partition("/")[2].partition("/")[2].split("/")[0]: row["method"] for row in rows} == {
        "news.example": "slots",
        "a.example": "keep_all",
        "b.example": "keep_all",
    }
    again = run(sources, job, out, workers=1)
    assert (again.resumed, again.counts) == (2, report.counts)
    more = run(sources[:1], job, out, workers=1)  # three pages of the host are too few
    assert (more.resumed, more.counts["ok"]) == (0, 4)
    assert {json.loads(line)["method"] for line in _data_of(out, "a").splitlines()} == {"keep_all"}


PITCH = (
    b"Subscribe to our newsletter today and receive the most important stories of the week in your inbox every single "
    b"Friday morning, free of charge and without any obligation."
)


def story(number: int) -> bytes:
    text = b"".join(
        b"<p>In part %d of story %d the river rose in the night, and the road to the village was closed because of it, "
        b"said the mayor, who had been there %d times before.</p>" % (part, number, part + number)
        for part in range(4)
    )
    return b"<h1>Story %d</h1>%s<div class=newsletter><p>%s</p></div>" % (number, text, PITCH)


def test_what_the_pages_of_a_host_repeat_is_known_in_every_shard(tmp_path: Path) -> None:
    hosts = ("news.example", "news.example", "other.example")
    shards = []
    for number, host in enumerate(hosts):
        path = tmp_path / f"{number}.warc.gz"
        stories = range(3 * number, 3 * number + (3 if host == "news.example" else 1))
        records = [warc_record(story(one), f"http://{host}/{one}") for one in stories]
        path.write_bytes(b"".join(map(gzip.compress, records)))
        shards.append(str(path))
    job = Job(metadata=False, output="jsonl", sites=True)
    report = run(shards, job, tmp_path / "out", workers=1)
    assert (report.counts["ok"], report.stage) == (7, "pages")
    rows = [json.loads(line) for number in range(3) for line in _data_of(tmp_path / "out", str(number)).splitlines()]
    kept = {row["url"]: PITCH.decode() in row["text"] for row in rows}
    assert kept == {f"http://{hosts[one // 3]}/{one}": one == 6 for one in range(7)}
    run(shards[::-1], job, tmp_path / "turned", workers=1)
    assert contents(tmp_path / "turned") == contents(tmp_path / "out")
    assert run(shards, job, tmp_path / "out", workers=1).resumed == 3


def test_records_that_are_no_whole_pages_are_not_remembered() -> None:
    whole = InputRecord("1", "s", None, "http://a.example/", story(1))
    assert sketch_record(whole).value["host"] == "a.example"
    others = (
        whole._replace(url=None),
        whole._replace(problem="damaged"),
        whole._replace(cut="the end"),
        whole._replace(html=b"<p> "),
    )
    assert [sketch_record(other).value for other in others] == [{}] * 4


def test_templates_and_sites_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="choose one"):
        Job(sites=True, templates=Templates())
    with pytest.raises(OptionError, match="the method bte does not use a site memory"):
        Job(sites=True, method="bte")


def _data_of(out: Path, name: str) -> str:
    (file,) = (out / "data").glob(f"{name}.*")
    return file.read_text()


def test_a_sample_is_the_same_in_any_order() -> None:
    records = [
        InputRecord(str(number), "s", None, f"http://a.example/{number}", b"<p>%d" % number) for number in range(50)
    ]
    chosen = Templates(min_pages=4, max_pages=5)

    def smallest(order: list[InputRecord]) -> list[int]:
        found = [outcome.value["rank"] for outcome in sample_records(order, chosen) if outcome.value]
        return sorted(found)[:5]

    assert smallest(records) == smallest(records[::-1]) == smallest(records * 2)
    assert len(set(smallest(records * 2))) == 5


def test_pages_that_cannot_be_learned_from_are_no_part_of_a_sample() -> None:
    url = "http://a.example/"
    records = [
        InputRecord("1", "s", None, None, b"<p>no address"),
        InputRecord("2", "s", None, url, problem="broken"),
        InputRecord("3", "s", None, url, b"<p>", skip="status: 404"),
        InputRecord("4", "s", None, url, b"<p>cut", cut="only 6 bytes"),
        InputRecord("5", "s", None, url, "<p>good"),
        InputRecord("6", "s", None, url, b"<p>good"),  # the same page again
    ]
    statuses = [outcome.status for outcome in sample_records(records, Templates())]
    assert statuses == ["skipped"] * 4 + ["ok", "skipped"]
