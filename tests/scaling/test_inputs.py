"""Inputs: every kind of file gives the same records, and what cannot be read is named where it stands."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tamis.errors import InputError, OptionError
from tamis.scaling.inputs import InputRecord, read_shard
from tamis.scaling.job import Columns, Job, RecordLimits
from tamis.scaling.shard_plan import FOLDER_FILES, part_of, plan
from tests.scaling.archives import page, warc_record, write_warc

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("fsspec")


def read(path: Path | str, job: Job | None = None) -> list[InputRecord]:
    return [record for shard in plan([str(path)]) for record in read_shard(shard, job or Job())]


def test_a_web_archive_gives_its_answers(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    latin = "<p>caf\xe9".encode("latin-1")
    parts = [
        warc_record(page("one"), "https://a.example/1"),
        warc_record(b"gone", "https://a.example/2", status="404 Not Found"),
        warc_record(latin, "https://a.example/3", "text/html; charset=latin1"),
        warc_record(b"%PDF", "https://a.example/4", "application/pdf"),
        b"WARC/1.1\r\nWARC-Type: request\r\nContent-Length: 3\r\n\r\nGET\r\n\r\n",
    ]
    path.write_bytes(b"".join(map(gzip.compress, parts)))
    one, gone, latin_one, pdf = read(path)
    assert (one.url, one.html, one.offset, one.skip, one.problem) == ("https://a.example/1", page("one"), 0, "", "")
    assert gone.skip == "status: 404"
    assert (latin_one.encoding, latin_one.html) == ("windows-1252", latin)
    assert pdf.skip == "content_type: application/pdf"
    assert gone.offset == len(gzip.compress(parts[0]))


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_wherever_an_archive_was_cut_off_its_last_record_says_so(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    first, second = (pack(warc_record(page(name))) for name in ("one", "two"))
    whole = len(first) + len(second)
    ends = range(len(first) + 1, whole - (4 if pack is bytes else 0))  # the line ends behind a plain record say nothing
    for end in ends:
        path = tmp_path / "a.warc"
        path.write_bytes((first + second)[:end])
        one, *cut = read(path)
        assert (one.html, one.cut) == (page("one"), "")
        told = [record.problem or record.cut for record in cut]
        assert told == ["the file ends in the middle of it"] or (not cut and end <= len(first) + 2), end


def test_the_text_of_a_wet_file_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.wet.gz"
    text = "Ünï text".encode()
    head = "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\n"
    head += f"Content-Length: {len(text)}\r\n\r\n"
    path.write_bytes(gzip.compress(head.encode() + text + b"\r\n\r\n"))
    assert [(record.url, record.html, record.encoding) for record in read(path)] == [
        ("http://a.example/", text, "UTF-8")
    ]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "jsonl.xz", "jsonl.zst"])
def test_json_lines_are_read_however_they_are_packed(tmp_path: Path, ending: str) -> None:
    lines = [
        json.dumps({"html": "<p>one", "url": "https://a.example/", "id": 7}),
        "",
        "{broken",
        '"text"',
        '{"url": 1}',
    ]
    data = "\n".join(lines).encode()
    if ending.endswith("zst"):
        zstandard = pytest.importorskip("zstandard")
        data = zstandard.ZstdCompressor().compress(data)
    packers: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress}
    path = tmp_path / f"a.{ending}"
    path.write_bytes(packers.get(ending.rpartition(".")[2], bytes)(data))
    good, *bad = read(path)
    assert good == InputRecord("7", str(path), 0, "https://a.example/", "<p>one")
    assert [record.problem.partition(":")[0] for record in bad] == [
        "no JSON",
        "no JSON object",
        "its column 'html' holds no page",
    ]
    assert bad[0].offset == len(lines[0]) + 2


def test_a_packed_file_that_ends_early_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = [json.dumps({"html": f"<p>{number}"}) for number in range(2000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode())[:-200])
    *good, last = read(path)
    assert len(good) > 100
    assert not any(record.problem for record in good)
    assert last.problem.startswith("cannot be unpacked")


def test_parquet_columns_are_read_by_name(tmp_path: Path) -> None:
    import pyarrow.parquet

    path = tmp_path / "a.parquet"
    table = pyarrow.table({"content": [b"<p>one", None], "warc_url": ["https://a.example/", None]})
    pyarrow.parquet.write_table(table, path)
    job = Job(columns=Columns(html="content", url="warc_url"))
    one, none = read(path, job)
    assert (one.html, one.url, one.offset) == (b"<p>one", "https://a.example/", 0)
    assert none.problem == "its column 'content' holds no page"
    (wrong,) = read(path)
    assert "there is no column 'html', only content, warc_url" in wrong.problem


def test_a_damaged_parquet_file_is_one_record_with_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    (record,) = read(path)
    assert record.problem.startswith("cannot be read: not a Parquet")


def test_the_files_of_a_folder_are_pages(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.htm").write_bytes(b"<p>b")
    (tmp_path / "a.html").write_bytes(b"<p>a")
    (tmp_path / "notes.txt").write_bytes(b"no page")
    assert [(record.id, record.html) for record in read(tmp_path)] == [("a.html", b"<p>a"), ("deep/b.htm", b"<p>b")]


def test_an_address_of_another_file_system_is_read(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", [page("one")])
    for address in (f"file://{tmp_path}/a.warc.gz", f"file://{tmp_path}", f"file://{tmp_path}/*.gz"):
        (record,) = read(address)
        assert record.html == page("one")


@pytest.mark.parametrize(("size", "is_cut"), [(99, False), (100, False), (101, True)])
def test_no_more_than_the_limit_of_a_page_is_read(tmp_path: Path, size: int, is_cut: bool) -> None:
    job = Job(limits=RecordLimits(bytes=100))
    (tmp_path / "a.html").write_bytes(b"x" * size)
    (tmp_path / "b.jsonl").write_text(json.dumps({"html": "x" * size}))
    write_warc(tmp_path / "c.warc.gz", [b"x" * size])
    for record in read(tmp_path, job):
        assert (len(record.html), bool(record.cut)) == (min(size, 100), is_cut)


def test_shards_have_the_same_names_whatever_else_is_given(tmp_path: Path) -> None:
    first, second = (write_warc(tmp_path / f"{name}.warc.gz", []) for name in "ab")
    alone, both = plan([str(second)]), plan([str(first), str(second), str(first)])
    assert [shard.name for shard in both][1] == alone[0].name
    assert len(both) == 2


def test_a_file_that_is_named_in_two_ways_is_one_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / "a.warc.gz", [])
    shards = plan(["a.warc.gz", "./a.warc.gz", str(tmp_path), "*.warc.gz"])
    assert [shard.sources for shard in shards] == [("a.warc.gz",)]


def test_a_file_whose_name_is_no_utf_8_is_read(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.warc.gz"))
    write_warc(path, [page("one")])
    (record,) = read(tmp_path)
    assert record.html == page("one")


def test_a_folder_of_many_pages_makes_several_shards(tmp_path: Path) -> None:
    for number in range(FOLDER_FILES + 1):
        (tmp_path / f"{number:05}.html").touch()
    assert [len(shard.sources) for shard in plan([str(tmp_path)])] == [FOLDER_FILES, 1]


def test_parts_share_the_shards_out(tmp_path: Path) -> None:
    shards = plan([str(write_warc(tmp_path / f"{number}.warc.gz", [])) for number in range(7)])
    parts = [part_of(shards, f"{number}/3") for number in (1, 2, 3)]
    assert sorted(shard.name for part in parts for shard in part) == sorted(shard.name for shard in shards)
    for wrong in ("0/3", "4/3", "1", "a/b", "1/0"):
        with pytest.raises(OptionError, match="--shard is"):
            part_of(shards, wrong)


def test_nothing_that_matches_is_an_error_that_says_what_would(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    for given in (tmp_path / "none.warc.gz", tmp_path / "*.warc", tmp_path):
        with pytest.raises(InputError, match=r"nothing matches .*pass files, folders or patterns of \.warc"):
            plan([str(given)])
    with pytest.raises(InputError, match="has none of the endings"):
        plan([str(tmp_path / "a.txt")])
