"""Answers kept in a web archive (WARC 1.1), and read from one.

Records are gzip members of their own, so a file can be added to, and what a killed process leaves behind is at most
one unfinished member at its end. Bodies are stored unpacked, with the headers that say so.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
import uuid
import zlib
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

from tamis._version import VERSION
from tamis.errors import AddressError, InputError, TransferError
from tamis.fetching import addresses
from tamis.fetching.answers import CONTENT_TYPES, Fetched, Headers, Hop, header, now
from tamis.fetching.bodies import read_body
from tamis.fetching.records import CUT, GZIP, ArchiveRecord, read_headers, read_records
from tamis.page.limits import Limits

__all__ = ["Archive", "read_pages"]

MAX_BYTES = Limits().max_bytes  # of a body: more of a page is not parsed

HEAD_ROOM = 1 << 20  # for the head of an answer, in addition to the largest body
_MAX_HOPS = 20
_REPLACED_HEADERS = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[^\r\n]{0,200}\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})")


class Archive:
    """A WARC file to which answers are added, and from which they are fetched again by address."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._starts: dict[str, int] = {}
        self._end = 0
        if path.exists():
            self._index()

    def __len__(self) -> int:
        return len(self._starts)

    def __contains__(self, url: str) -> bool:
        return url in self._starts

    def add(self, answer: Fetched) -> None:
        """Write an answer and then, last one first, its redirects, so that a redirect never leads to nothing."""
        if not self._end:
            self._append([_member(_about())])
        parts = [answer, *(_redirect(hop, answer.time) for hop in reversed(answer.hops))]
        starts = self._append([_member(_response(part)) for part in parts])
        self._starts |= zip((part.url for part in parts), starts, strict=True)

    def fetch(self, url: str) -> Fetched:
        """The answer that was kept for an address, redirects followed; an error if there is none."""
        requested = place = str(addresses.read(url))
        hops: list[Hop] = []
        while len(hops) <= _MAX_HOPS:
            answer = self._read(place)
            location = answer.header("location")
            if not 300 <= answer.status < 400 or location is None:
                if not 200 <= answer.status < 300:
                    raise AddressError(f"{place!r} was answered with status {answer.status}: there is no page to read")
                return dataclasses.replace(answer, requested=requested, hops=tuple(hops))
            target = addresses.join(place, location) or location
            hops.append(Hop(place, answer.status, target))
            place = target
        raise AddressError(f"{url!r} is redirected in a loop in the archive {str(self.path)!r}: fetch it again")

    def _read(self, url: str) -> Fetched:
        if url not in self._starts:
            raise AddressError(f"{url!r} is not in the archive {str(self.path)!r}: fetch it first")
        with self.path.open("rb") as file:
            record = next(_sound(file, MAX_BYTES, self._starts[url]), None)
        answer = None if record is None else read_answer(record, MAX_BYTES)
        if answer is None or _key(answer.url) != url:
            raise InputError(f"{str(self.path)!r} has changed since it was opened: open it again")
        return answer

    def _index(self) -> None:
        try:
            with self.path.open("rb") as file:
                if (begin := file.read(2)) and not GZIP.startswith(begin):
                    raise InputError(f"{str(self.path)!r} is not a gzip-compressed archive: nothing can be added to it")
                for record in _sound(file, MAX_BYTES):
                    if record.start is None:
                        raise InputError(
                            f"{str(self.path)!r} compresses its records together, so nothing can be added to it: "
                            "read it with read_pages"
                        )
                    if answer := read_answer(record, MAX_BYTES):
                        self._starts[_key(answer.url)] = record.start
                    self._end = record.end
        except OSError as error:
            raise InputError(f"cannot read {str(self.path)!r}: {error.strerror}; pass a file that exists") from error

    def _append(self, members: list[bytes]) -> list[int]:
        """Write after the last whole record; what stands there was left by a process that was killed."""
        starts = [self._end]
        for member in members:
            starts.append(starts[-1] + len(member))
        try:
            with self.path.open("r+b" if self.path.exists() else "xb") as file:
                file.truncate(self._end)
                file.seek(self._end)
                file.write(b"".join(members))
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {error.strerror}; make room") from error
        *starts, self._end = starts
        return starts


def read_pages(path: Path, *, max_bytes: int = MAX_BYTES) -> Iterator[Fetched]:
    """The pages of any WARC file, packed or not: answers with status 200 and the content type of a page, in order.

    A file that was cut off, or is damaged, gives its whole records up to that place, and then raises an error.
    """
    try:
        with path.open("rb") as file:
            for record in _sound(file, max_bytes, may_be_cut=False):
                answer = read_answer(record, max_bytes)
                if answer is not None and answer.status == 200 and answer.content_type in (None, *CONTENT_TYPES):
                    yield answer
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}; pass a file that exists") from error


def _sound(file: BinaryIO, max_bytes: int, start: int = 0, *, may_be_cut: bool = True) -> Iterator[ArchiveRecord]:
    """The whole records up to an error, or, of an archive that we write ourselves, up to where it was cut off."""
    for record in read_records(file, max_bytes + HEAD_ROOM, start):
        if record.problem == CUT and may_be_cut:
            return
        if record.problem:
            raise InputError(f"the archive is damaged at byte {record.place}: {record.problem}")
        yield record


def read_answer(record: ArchiveRecord, max_bytes: int) -> Fetched | None:
    """The answer that a record holds; None if it holds something else."""
    kind = (header(record.headers, "warc-type") or "").lower()
    url = (header(record.headers, "warc-target-uri") or "").strip("<>")
    time = header(record.headers, "warc-date") or ""
    truncated = record.truncated or header(record.headers, "warc-truncated") is not None
    if kind == "resource" and url.startswith("http"):
        headers: Headers = (("Content-Type", header(record.headers, "content-type") or ""),)
        status, body = 200, record.block
    elif kind == "conversion":  # the text of a page, in the WET files of a crawl
        headers, status, body = (("Content-Type", "text/plain; charset=utf-8"),), 200, record.block
    elif kind == "response" and (found := _STATUS_LINE.match(record.block)):
        head, body = _split_head(record.block)
        headers, status = read_headers(head.splitlines()[1:]), int(found[1])
    else:
        return None
    unpacked = _unpacked(headers, body, max_bytes)
    return Fetched(
        requested=url,
        url=url,
        status=status,
        headers=headers,
        body=unpacked[0],
        time=time,
        truncated=truncated or unpacked[1],
        from_cache=True,
    )


def _split_head(block: bytes) -> tuple[bytes, bytes]:
    end = re.search(rb"\r?\n\r?\n", block)
    return (block[: end.start()], block[end.end() :]) if end else (block, b"")


def _unpacked(headers: Headers, body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """A body as a reader sees it; archives differ in whether they keep it packed, whatever the headers say."""
    if "chunked" in (header(headers, "transfer-encoding") or "").lower():
        body = _joined(body)
    coding = header(headers, "content-encoding")
    if not coding:  # most archives keep bodies unpacked; they need not be copied
        return body[:max_bytes], len(body) > max_bytes
    try:
        return read_body([body], coding.split(","), max_bytes, lambda: None)
    except TransferError:
        return body[:max_bytes], len(body) > max_bytes


def _joined(body: bytes) -> bytes:
    """A chunked body in one piece; a body that is not chunked as it is.

    >>> _joined(b"3\\r\\nabc\\r\\n0\\r\\n\\r\\n"), _joined(b"<p>abc")
    (b'abc', b'<p>abc')
    """
    chunks, place = [], 0
    while size := _CHUNK.match(body, place):
        length = int(size[1], 16)
        chunks.append(body[size.end() : size.end() + length])
        place = size.end() + length + 2
        if not length or place >= len(body):
            return b"".join(chunks)
    return b"".join(chunks) if chunks else body


def _redirect(hop: Hop, time: str) -> Fetched:
    headers = (("Location", hop.location),)
    return Fetched(requested=hop.url, url=hop.url, status=hop.status, headers=headers, body=b"", time=time)


def _key(url: str) -> str:
    """An address in its one form, as far as it has one."""
    try:
        return str(addresses.read(url))
    except AddressError:
        return url


def _about() -> tuple[Headers, bytes]:
    block = f"software: tamis/{VERSION}\r\nformat: WARC File Format 1.1\r\n".encode()
    headers = (("WARC-Type", "warcinfo"), ("WARC-Date", now()), ("Content-Type", "application/warc-fields"))
    return headers, block


def _response(answer: Fetched) -> tuple[Headers, bytes]:
    kept = [(name, value) for name, value in answer.headers if name.lower() not in _REPLACED_HEADERS]
    lines = [f"HTTP/1.1 {answer.status} {_reason(answer.status)}"]
    lines += (f"{name}: {value}" for name, value in (*kept, ("Content-Length", str(len(answer.body)))))
    headers = (
        ("WARC-Type", "response"),
        ("WARC-Target-URI", answer.url),
        ("WARC-Date", answer.time),
        ("WARC-Payload-Digest", _digest(answer.body)),
        *([("WARC-Truncated", "length")] if answer.truncated else []),
        ("Content-Type", "application/http; msgtype=response"),
    )
    return headers, "\r\n".join([*lines, "", ""]).encode() + answer.body


def _member(record: tuple[Headers, bytes]) -> bytes:
    """A record as a gzip member."""
    headers, block = record
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{headers} {_digest(block)}")
    all_headers = (
        *headers,
        ("WARC-Record-ID", f"<urn:uuid:{identity}>"),
        ("WARC-Block-Digest", _digest(block)),
        ("Content-Length", str(len(block))),
    )
    head = "\r\n".join(["WARC/1.1", *(f"{name}: {value}" for name, value in all_headers), "", ""])
    packer = zlib.compressobj(wbits=31)
    return packer.compress(head.encode() + block + b"\r\n\r\n") + packer.flush()


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()
