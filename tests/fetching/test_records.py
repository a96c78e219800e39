"""Records of archives: every way of packing, and damage that costs one record."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.fetching.records import CUT, ArchiveRecord, read_records

zstandard = pytest.importorskip("zstandard")


def record(block: bytes, length: int | str | None = None) -> bytes:
    claimed = len(block) if length is None else length
    return f"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {claimed}\r\n\r\n".encode() + block + b"\r\n\r\n"


def frames(data: bytes) -> bytes:
    packed: bytes = zstandard.ZstdCompressor(write_checksum=True).compress(data)
    return packed


PACKERS: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "zstd": frames}


@pytest.fixture(params=PACKERS)
def pack(request: pytest.FixtureRequest) -> Callable[[bytes], bytes]:
    return PACKERS[request.param]


def read(data: bytes, max_block: int = 1000, start: int = 0) -> list[ArchiveRecord]:
    return list(read_records(io.BytesIO(data), max_block, start))


def blocks(data: bytes, max_block: int = 1000) -> list[bytes]:
    return [found.block for found in read(data, max_block)]


def test_records_are_read_however_they_are_packed(pack: Callable[[bytes], bytes]) -> None:
    parts = [pack(record(b"one")), pack(record(b"")), pack(record(b"three\r\n\r\n"))]
    found = read(b"".join(parts))
    assert [item.block for item in found] == [b"one", b"", b"three\r\n\r\n"]
    assert [item.place for item in found] == [0, len(parts[0]), len(parts[0] + parts[1])]
    assert not any(item.problem or item.truncated for item in found)


def test_reading_begins_anywhere(pack: Callable[[bytes], bytes]) -> None:
    parts = [pack(record(b"%d" % number)) for number in range(3)]
    assert [item.block for item in read(b"".join(parts), start=len(parts[0]))] == [b"1", b"2"]


def test_only_a_record_that_is_alone_in_its_member_can_be_begun_with() -> None:
    data = gzip.compress(record(b"one") + record(b"two")) + gzip.compress(record(b"three"))
    assert [item.start is None for item in read(data)] == [True, True, False]


def test_zstd_frames_may_need_the_dictionary_in_front_of_them() -> None:
    samples = [record(b"<p>the same words on every page %d</p>" % number) for number in range(300)]
    dictionary = zstandard.train_dictionary(2000, samples)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    for content in (dictionary.as_bytes(), frames(dictionary.as_bytes())):
        front = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
        data = front + b"".join(packer.compress(sample) for sample in samples[:3])
        assert len(blocks(data)) == 3
        assert read(data, start=read(data)[1].place)[0].block == blocks(data)[1]


@pytest.mark.parametrize("size", [999, 1000, 1001, 700_000])
def test_no_more_than_the_limit_of_a_record_is_held(pack: Callable[[bytes], bytes], size: int) -> None:
    first, second = read(pack(record(b"x" * size)) + pack(record(b"next")))
    assert (len(first.block), first.truncated) == (min(size, 1000), size > 1000)
    assert second.block == b"next"


@pytest.mark.parametrize("length", [3, 0, 8000, 10**14, "x", "-1", "9" * 30])
def test_a_wrong_length_harms_no_other_record(pack: Callable[[bytes], bytes], length: int | str) -> None:
    first, liar, last = read(pack(record(b"one")) + pack(record(b"<p>two</p>", length)) + pack(record(b"three")))
    assert (first.block, last.block) == (b"one", b"three")
    assert liar.block.strip() == b"<p>two</p>"
    assert liar.problem


def test_a_member_that_cannot_be_unpacked_harms_no_other_record() -> None:
    parts = [gzip.compress(record(b"%d" % number * 50)) for number in range(4)]
    damaged = bytearray(parts[1])
    damaged[len(damaged) // 2] ^= 0xFF
    found = read(parts[0] + bytes(damaged) + parts[2] + parts[3][:-9])
    good = [item.block[:1] for item in found if not item.problem]
    assert good == [b"0", b"2"]
    assert {item.place for item in found if item.problem} >= {len(parts[0])}
    assert found[-1].problem == CUT


def test_a_member_that_lost_its_end_harms_no_other_record() -> None:
    parts = [gzip.compress(record(bytes(range(256)) * 4)) for _ in range(3)]
    found = read(parts[0] + parts[1][:-40] + parts[2], max_block=5000)
    assert sum(not item.problem for item in found) == 2
    assert any(item.problem for item in found)


def test_garbage_between_records_is_named_and_gone_over() -> None:
    found = read(record(b"one") + b"<html>garbage\r\n" + record(b"two"))
    assert [item.block.strip() for item in found if item.block][-1] == b"two"
    assert any(item.problem for item in found)


def test_arc_files_are_read_like_warc_files() -> None:
    about = b"filedesc://a.arc 0.0.0.0 20080101000000 text/plain 4\n1 0\n\n"
    page = b"http://a.example/ 1.2.3.4 20080101000000 text/html 24\nHTTP/1.1 200 OK\r\n\r\n<p>a\n\n"
    page = page.replace(b" 24\n", b" %d\n" % len(b"HTTP/1.1 200 OK\r\n\r\n<p>a"))
    for data in (about + page + page, b"".join(map(gzip.compress, (about, page, page)))):
        found = read(data)
        assert [dict(item.headers)["WARC-Type"] for item in found] == ["warcinfo", "response", "response"]
        assert found[1].block == b"HTTP/1.1 200 OK\r\n\r\n<p>a"
        assert not any(item.problem for item in found)


@given(
    bodies=st.lists(st.binary(max_size=300), min_size=1, max_size=4),
    cut=st.integers(0, 400),
    noise=st.binary(max_size=40),
    packer=st.sampled_from(sorted(PACKERS)),
)
def test_any_file_is_read_to_its_end(bodies: list[bytes], cut: int, noise: bytes, packer: str) -> None:
    data = b"".join(PACKERS[packer](record(body)) for body in bodies)
    for variant in (data, data[:cut], data[:cut] + noise + data[cut:], noise):
        found = read(variant)
        assert all(0 <= item.place <= len(variant) for item in found)
        assert len(found) <= 10 * (len(bodies) + len(noise)) + 10


@given(bodies=st.lists(st.binary(max_size=300), max_size=5), packer=st.sampled_from(["gzip", "zstd"]))
def test_whole_files_come_back_as_written(bodies: list[bytes], packer: str) -> None:
    found = read(b"".join(PACKERS[packer](record(body)) for body in bodies))
    assert [item.block for item in found] == bodies
    assert not any(item.problem for item in found)
