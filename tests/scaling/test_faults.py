"""Faults: archives that lie, end early or hold too much, disks that are full or closed, cost no more than they must."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import random
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.errors import InputError
from tamis.scaling.inputs import read_shard
from tamis.scaling.job import Job, RecordLimits
from tamis.scaling.run import run
from tamis.scaling.shard_plan import plan
from tamis.scaling.shard_work import process_shard
from tests.scaling.archives import page, warc_record, write_warc

PLAIN = Job(method="keep_all", metadata=False, output="jsonl")
GIGABYTE = 1 << 30


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(folder.iterdir()) for line in file.read_text().splitlines()]


def lying(record: bytes, by: int) -> bytes:
    head, _, rest = record.partition(b"\r\n\r\n")
    name, _, length = head.rpartition(b" ")
    return name + b" %d\r\n\r\n" % (int(length) + by) + rest


@pytest.mark.parametrize("packed", [True, False])
def test_the_rest_of_a_damaged_file_is_processed(tmp_path: Path, packed: bool) -> None:
    parts = [warc_record(page(name), f"https://a.example/{name}") for name in ("one", "two", "three", "four", "five")]
    parts[1], parts[2] = lying(parts[1], 1000), lying(parts[2], -100)
    path = tmp_path / ("a.warc.gz" if packed else "a.warc")
    members = [gzip.compress(part) if packed else part for part in parts]
    if packed:
        members[3] = members[3][: len(members[3]) // 2]  # a member that was cut off, with another one behind it
        members.append(gzip.compress(warc_record(page("six")))[:-20])  # and one at the end
    path.write_bytes(b"".join(members))
    report = run([str(path)], PLAIN, tmp_path / "out", workers=1)
    counts = {status: count for status, count in report.counts.items() if count}
    rows = {row["url"].rpartition("/")[2]: row["status"] for row in lines(tmp_path / "out" / "data")}
    assert rows["one"] == rows["five"] == "ok"
    assert rows["two"] == rows["three"] == "truncated"  # their pages are there, and it is said that they are not whole
    assert report.records == sum(counts.values()) == len(members)
    if packed:
        assert len([line for line in lines(tmp_path / "out" / "rejected") if line["status"] == "failed"]) >= 1


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    """An archive with a record of 2 GB between two others, most of which is a hole in the file."""
    path = tmp_path / "a.warc"
    large = warc_record(page("large"), "https://a.example/large")
    with path.open("wb") as file:
        file.write(warc_record(page("one"), "https://a.example/one"))
        file.write(lying(large, 2 * GIGABYTE).removesuffix(b"\r\n\r\n"))
        file.seek(2 * GIGABYTE, os.SEEK_CUR)
        file.write(b"\r\n\r\n" + warc_record(page("two"), "https://a.example/two"))
    assert path.stat().st_size > 2 * GIGABYTE
    return path


def test_of_a_record_of_2_gb_no_more_than_the_limit_is_held(sparse: Path) -> None:
    (shard,) = plan([str(sparse)])
    tracemalloc.start()
    sizes = [
        (len(record.html), bool(record.cut)) for record in read_shard(shard, Job(limits=RecordLimits(bytes=1 << 20)))
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [cut for _, cut in sizes] == [False, True, False]
    assert sizes[1][0] == 1 << 20
    assert peak < 16 << 20


def test_a_record_of_2_gb_is_cut_and_its_neighbours_are_whole(tmp_path: Path, sparse: Path) -> None:
    (shard,) = plan([str(sparse)])
    limits = RecordLimits(bytes=len(page("large")))  # what follows is no text
    manifest = process_shard(shard, dataclasses.replace(PLAIN, limits=limits), tmp_path / "out")
    assert [row["status"] for row in lines(tmp_path / "out" / "data")] == ["ok", "truncated", "ok"]
    assert manifest.records == 3


def test_a_packed_record_that_unpacks_to_much_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    bomb = warc_record(page("bomb") + bytes(64 << 20))
    path.write_bytes(gzip.compress(bomb, 1) + gzip.compress(warc_record(page("two"))))
    (shard,) = plan([str(path)])
    first, second = read_shard(shard, Job(limits=RecordLimits(bytes=1 << 20)))
    assert (len(first.html), bool(first.cut), second.html) == (1 << 20, True, page("two"))


def test_a_file_that_is_gone_is_one_failed_record(tmp_path: Path) -> None:
    (shard,) = plan([str(write_warc(tmp_path / "a.warc.gz", [page("one")]))])
    Path(shard.sources[0]).unlink()
    manifest = process_shard(shard, PLAIN, tmp_path / "out")
    assert manifest.counts["failed"] == manifest.records == 1
    assert "No such file" in lines(tmp_path / "out" / "rejected")[0]["reason"]


def _mounted(folder: Path, options: str) -> Iterator[Path]:
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)  # noqa: S607


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    yield from _mounted(tmp_path / "small", "size=64k")


@pytest.fixture
def closed_disk(tmp_path: Path) -> Iterator[Path]:
    if os.getuid():
        folder = tmp_path / "closed"
        folder.mkdir(mode=0o500)
        yield folder
    else:
        yield from _mounted(tmp_path / "closed", "ro")


def test_a_full_disk_fails_the_shard_and_a_rerun_with_room_completes(tmp_path: Path, small_disk: Path) -> None:
    chance = random.Random(1)
    bodies = [b"<p>" + chance.randbytes(4000).hex(" ").encode() for _ in range(20)]
    sources = [str(write_warc(tmp_path / "a.warc.gz", bodies)), str(write_warc(tmp_path / "b.warc.gz", [page("one")]))]
    report = run(sources, PLAIN, small_disk / "out", workers=1)
    ((name, error),) = report.failures
    assert name.startswith("a.warc.gz")
    assert "No space left on device" in error
    assert report.counts["ok"] == 1  # the other shard is done
    assert [file.name for file in (small_disk / "out" / "data").iterdir()] == [f"{plan(sources[1:])[0].name}.jsonl"]
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)  # noqa: S607
    again = run(sources, PLAIN, small_disk / "out", workers=1)
    assert (again.resumed, again.counts["ok"], again.failures) == (1, 21, ())


def test_a_folder_without_permission_is_an_error_that_names_it(tmp_path: Path, closed_disk: Path) -> None:
    source = str(write_warc(tmp_path / "a.warc.gz", [page("one")]))
    with pytest.raises(InputError, match=r"cannot write to .*closed"):
        run([source], PLAIN, closed_disk / "out")
