from __future__ import annotations

import contextlib
import gzip
import itertools
import random
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import AddressError, InputError
from tamis.fetching.answers import Fetched, Hop
from tamis.fetching.warc import Archive, read_pages


def fetched(url: str = "https://example.org/a", body: bytes = b"<p>page</p>", **changes: object) -> Fetched:
    page = Fetched(
        requested=url,
        url=url,
        status=200,
        headers=(("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "gzip"), ("X-One", "é")),
        body=body,
        time="2024-05-01T12:00:00Z",
    )
    return replace(page, **changes)  # type: ignore[arg-type]


def record(kind: str, url: str, block: bytes, content_type: str = "application/http; msgtype=response") -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
    return f"{head}Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_what_was_added_is_fetched_again(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    archive = Archive(path)
    pages = [fetched(f"https://example.org/{number}", body=b"page %d" % number) for number in range(3)]
    for page in pages:
        archive.add(page)
    for opened in (archive, Archive(path)):
        assert len(opened) == 3
        for page in pages:
            again = opened.fetch(page.url)
            assert (again.url, again.status, again.body, again.time) == (page.url, 200, page.body, page.time)
            assert (again.encoding, again.header("x-one"), again.from_cache) == ("UTF-8", "é", True)
            assert again.header("content-encoding") is None
    assert [page.body for page in read_pages(path)] == [page.body for page in pages]


def test_redirects_are_kept(tmp_path: Path) -> None:
    hops = (
        Hop("http://example.org/", 301, "https://example.org/"),
        Hop("https://example.org/", 302, "https://example.org/a"),
    )
    Archive(tmp_path / "a.warc.gz").add(fetched(requested="http://example.org/", hops=hops))
    archive = Archive(tmp_path / "a.warc.gz")
    again = archive.fetch("http://EXAMPLE.org/#x")
    assert (again.requested, again.url, again.hops) == ("http://example.org/", "https://example.org/a", hops)
    assert archive.fetch("https://example.org/a").hops == ()
    assert len(list(read_pages(archive.path))) == 1


def test_a_redirect_in_a_file_that_was_cut_off_never_leads_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    places = [f"https://example.org/{number}" for number in range(4)]
    hops = tuple(Hop(place, 302, target) for place, target in itertools.pairwise(places))
    Archive(path).add(fetched(places[-1], requested=places[0], hops=hops))
    whole, counts = path.read_bytes(), set()
    for end in range(0, len(whole) + 1, 9):
        path.write_bytes(whole[:end])
        archive = Archive(path)
        known = [place for place in places if place in archive]
        counts.add(len(known))
        assert all(archive.fetch(place).url == places[-1] for place in known)
    assert counts >= {0, 1, 2, 3}


def test_an_unknown_address_is_an_error_as_it_would_be_on_the_web(tmp_path: Path) -> None:
    with pytest.raises(AddressError, match="not in the archive"):
        Archive(tmp_path / "a.warc.gz").fetch("https://example.org/")


def test_what_was_no_page_on_the_web_is_none_in_the_archive(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a.warc.gz")
    archive.add(fetched("http://a.example/", status=302, headers=(("Location", "http://a.example/"),)))
    archive.add(fetched("http://a.example/missing", status=404))
    with pytest.raises(AddressError, match="in a loop"):
        archive.fetch("http://a.example/")
    with pytest.raises(AddressError, match="status 404"):
        archive.fetch("http://a.example/missing")


def test_other_programs_read_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    for page in (fetched(), fetched("https://example.org/b", body=bytes(range(256)) * 100, truncated=True)):
        Archive(path).add(page)
    fastwarc = pytest.importorskip("fastwarc.warc")
    with path.open("rb") as file:
        _, *found = (
            (item.headers.get("WARC-Target-URI"), item.http_headers.status_code if item.http_headers else None)
            for item in fastwarc.ArchiveIterator(file, parse_http=True)
        )
    assert found == [("https://example.org/a", 200), ("https://example.org/b", 200)]
    with path.open("rb") as file:
        assert all(item.verify_block_digest() for item in fastwarc.ArchiveIterator(file, parse_http=False))


def test_warcio_reads_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    Archive(path).add(fetched(hops=(Hop("http://example.org/", 301, "https://example.org/a"),)))
    warcio = pytest.importorskip("warcio.archiveiterator")
    with path.open("rb") as file:
        found = [
            (item.rec_type, item.rec_headers.get_header("WARC-Target-URI"), item.content_stream().read())
            for item in warcio.ArchiveIterator(file, check_digests="raise")
        ]
    page, redirect = found[1:]
    assert page == ("response", "https://example.org/a", b"<p>page</p>")
    assert redirect == ("response", "http://example.org/", b"")


def _whole_pages(path: Path) -> list[Fetched]:
    """The pages up to where the file was cut off."""
    found = []
    try:
        for page in read_pages(path):
            found.append(page)  # noqa: PERF402 - what was read before an error is kept
    except InputError as error:
        assert "the file ends in the middle of it" in str(error)  # noqa: PT017 - it may also end between two records
    return found


def test_pages_before_a_cut_are_read_and_the_cut_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    for number in range(2):
        Archive(path).add(fetched(f"https://example.org/{number}"))
    path.write_bytes(path.read_bytes()[:-10])
    pages = read_pages(path)
    assert next(pages).url == "https://example.org/0"
    with pytest.raises(InputError, match="the file ends in the middle of it"):
        next(pages)


def test_a_file_that_was_cut_off_keeps_its_whole_records_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    archive = Archive(path)
    archive.add(fetched("https://example.org/1"))
    first_end = path.stat().st_size
    archive.add(fetched("https://example.org/2"))
    whole = path.read_bytes()
    for end in sorted({*range(0, len(whole), 23), *range(first_end - 3, first_end + 4), len(whole) - 1}):
        path.write_bytes(whole[:end])
        opened = Archive(path)
        assert len(opened) == (end >= first_end), end
        assert len(_whole_pages(path)) == len(opened)
        opened.add(fetched("https://example.org/2"))
        opened.add(fetched("https://example.org/3", body=b"three"))
        assert Archive(path).fetch("https://example.org/3").body == b"three"
        assert len(Archive(path)) == 2 + (end >= first_end)


def test_nothing_is_left_of_a_long_record_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    Archive(path).add(fetched("https://example.org/1"))
    Archive(path).add(fetched("https://example.org/2", body=random.Random(1).randbytes(5000)))
    path.write_bytes(path.read_bytes()[:-10])
    Archive(path).add(fetched("https://example.org/3"))
    assert [page.url[-1] for page in read_pages(path)] == ["1", "3"]


def test_a_damaged_file_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    for number in range(3):
        Archive(path).add(fetched(f"https://example.org/{number}"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(InputError):
        Archive(path)
    assert path.read_bytes() == data


def test_files_that_are_packed_otherwise_are_read_and_not_added_to(tmp_path: Path) -> None:
    records = [record("response", f"http://a.example/{number}", response(b"%d" % number)) for number in range(3)]
    plain, one_member, members = (tmp_path / name for name in ("a.warc", "b.warc.gz", "c.warc.gz"))
    plain.write_bytes(b"".join(records))
    one_member.write_bytes(gzip.compress(b"".join(records)))
    members.write_bytes(b"".join(map(gzip.compress, records)))
    for path in (plain, one_member, members):
        assert [page.body for page in read_pages(path)] == [b"0", b"1", b"2"]
    for path in (plain, one_member):
        with pytest.raises(InputError, match="added to"):
            Archive(path)
    assert len(Archive(members)) == 3


def test_pages_are_found_among_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    chunked = b"3\r\none\r\n4;x=y\r\n two\r\n0\r\n\r\n"
    packed = gzip.compress(b"packed")
    path.write_bytes(
        record("warcinfo", "", b"software: x", "application/warc-fields")
        + record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request")
        + record("response", "<http://a.example/1>", response(b"plain"))
        + record("response", "http://a.example/2", response(b"missing", status="404 Not Found"))
        + record("response", "http://a.example/3", response(b"%PDF").replace(b"text/html", b"application/pdf"))
        + record("response", "http://a.example/4", response(chunked, "Transfer-Encoding: chunked"))
        + record("response", "http://a.example/5", response(b"joined", "Transfer-Encoding: chunked"))
        + record("response", "http://a.example/6", response(packed, "Content-Encoding: gzip"))
        + record("response", "http://a.example/7", response(b"unpacked", "Content-Encoding: gzip"))
        + record("response", "http://a.example/8", b"no HTTP at all")
        + record("response", "dns:a.example", b"1.2.3.4", "text/dns")
        + record("resource", "http://a.example/9", b"saved", "text/html")
        + record("revisit", "http://a.example/1", response(b""))
        + record("response", "http://a.example/10", b"HTTP/1.0 200\nContent-Type: text/html\nX:\n more\n\nbare")
    )
    found = [(page.url.rpartition("/")[2], page.body) for page in read_pages(path)]
    assert found == [
        ("1", b"plain"),
        ("4", b"one two"),
        ("5", b"joined"),
        ("6", b"packed"),
        ("7", b"unpacked"),
        ("9", b"saved"),
        ("10", b"bare"),
    ]


@pytest.mark.parametrize(("size", "truncated"), [(99, False), (100, False), (101, True)])
def test_bodies_are_limited(tmp_path: Path, size: int, truncated: bool) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record("response", "http://a.example/", response(b"x" * size)) * 2)
    for page in read_pages(path, max_bytes=100):
        assert (len(page.body), page.truncated) == (min(size, 100), truncated)


def test_a_block_of_many_megabytes_is_gone_over(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    huge = record("response", "http://a.example/", response(bytes(5_000_000)))
    path.write_bytes(gzip.compress(huge) + gzip.compress(record("response", "http://a.example/2", response(b"two"))))
    first, second = read_pages(path, max_bytes=1000)
    assert (len(first.body), first.truncated, second.body) == (1000, True, b"two")


@pytest.mark.parametrize(
    "data",
    [
        b"<html>",
        b"WARC/1.0\r\n\r\n",
        b"WARC/1.0\r\nContent-Length: x\r\n\r\n",
        b"WARC/1.0\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_archive_is_an_input_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(data)
    with pytest.raises(InputError):
        list(read_pages(path))


def test_a_file_that_cannot_be_read_or_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        list(read_pages(tmp_path / "missing.warc"))
    with pytest.raises(InputError, match="cannot read"):
        Archive(tmp_path)
    with pytest.raises(InputError, match="cannot write"):
        Archive(tmp_path / "missing" / "a.warc.gz").add(fetched())


@given(data=st.binary(max_size=400), packed=st.booleans(), first=st.booleans())
def test_any_bytes_are_read_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, packed: bool, first: bool
) -> None:
    path = tmp_path_factory.mktemp("warc") / "a"
    whole = b"WARC/1.0\r\n" * first + data
    path.write_bytes(gzip.compress(whole) if packed else whole)
    with contextlib.suppress(InputError):
        list(read_pages(path))


def test_the_same_answers_make_the_same_records(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Archive(tmp_path / name).add(fetched())
    members = [_members((tmp_path / name).read_bytes())[1:] for name in ("a", "b")]
    assert members[0] == members[1] != []


def _members(data: bytes) -> list[bytes]:
    """A brute-force twin of the reader: the gzip members, unpacked."""
    found = []
    while data:
        inflater = zlib.decompressobj(wbits=31)
        found.append(inflater.decompress(data))
        data = inflater.unused_data
    return found
