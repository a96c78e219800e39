from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import TransferError
from tamis.fetching.bodies import Body, accepted_codings, read_body


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=3),
    "zstd": zstandard.compress,
}


def read(data: bytes, *codings: str, max_bytes: int = 1_000_000, size: int = 7) -> Body:
    chunks = [data[place : place + size] for place in range(0, len(data), size)]
    return read_body(chunks, codings, max_bytes, lambda: None)


@pytest.mark.parametrize("coding", PACKERS)
@given(data=st.binary(max_size=300), size=st.integers(1, 50))
def test_what_was_packed_is_unpacked(coding: str, data: bytes, size: int) -> None:
    assert read(PACKERS[coding](data), coding, size=size) == Body(data, False)


@given(data=st.binary(min_size=1, max_size=100))
def test_deflate_is_read_with_and_without_its_header(data: bytes) -> None:
    packed = _raw_deflate(data)
    if packed[0] & 0x0F != 8:
        assert read(packed, "deflate") == Body(data, False)


@pytest.mark.parametrize("coding", PACKERS)
def test_a_bomb_is_cut_at_the_limit_and_takes_no_more_memory_than_that(coding: str) -> None:
    bomb = PACKERS[coding](bytes(20_000_000))
    tracemalloc.start()
    try:
        body = read(bomb, coding, max_bytes=1_000_000, size=1 << 20)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (len(body.data), body.truncated) == (1_000_000, True)
    assert peak < 5_000_000


def test_a_bomb_in_a_bomb_is_ended_by_the_clock() -> None:
    ticks: Iterator[int] = iter(range(20))

    def tick() -> None:
        if next(ticks, None) is None:
            raise TransferError("time is over")

    nothing = gzip.compress(b"") * 1_000_000  # unpacks to nothing, for a long time
    with pytest.raises(TransferError, match="time is over"):
        read_body([gzip.compress(nothing)], ["gzip", "gzip"], 1000, tick)


def test_codings_are_undone_in_reverse_order() -> None:
    assert read(brotli.compress(gzip.compress(b"page")), "GZIP ", " br").data == b"page"
    assert read(b"page", "identity", "").data == b"page"
    with pytest.raises(TransferError, match="compressed 3 times"):
        read(b"", "gzip", "gzip", "gzip")


def test_gzip_members_follow_each_other_and_what_is_none_is_ignored() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two")
    assert read(packed, "gzip") == read(packed + b"\0\0\0garbage", "gzip") == Body(b"one two", False)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_a_body_that_ends_early_is_marked(coding: str) -> None:
    data = bytes(range(256)) * 20
    body = read(PACKERS[coding](data)[:-3], coding)
    assert body.truncated
    assert data.startswith(body.data)


@pytest.mark.parametrize("coding", PACKERS)
@given(data=st.binary(min_size=1, max_size=200))
def test_any_bytes_are_a_body_or_a_transfer_error(coding: str, data: bytes) -> None:
    try:
        body = read(data, coding, max_bytes=1000)
    except TransferError:
        return
    assert len(body.data) <= 1000


@pytest.mark.parametrize(("size", "truncated"), [(9, False), (10, False), (11, True)])
def test_what_is_sent_is_limited_too(size: int, truncated: bool) -> None:
    assert read(b"x" * size, max_bytes=10, size=4) == Body(b"x" * min(size, 10), truncated)


def test_only_what_can_be_unpacked_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert accepted_codings() == "gzip, deflate, br, zstd"
    monkeypatch.setattr("tamis.fetching.bodies._BROTLI_MODULE", "no_such_module")
    assert accepted_codings() == "gzip, deflate, zstd"
    with pytest.raises(TransferError, match="needs no_such_module"):
        read(brotli.compress(b"page"), "br")
