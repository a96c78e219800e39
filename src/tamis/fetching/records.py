"""Records of web archives, packed or plain, read so that damage costs the record it is in and no other.

What a file says of itself is not trusted: a record ends with the gzip member or zstd frame it is in, whatever length
its headers claim; a member that cannot be unpacked is named, and reading goes on where the next one begins; of a
record that is larger than the limit no more than the limit is held. WARC, and ARC as far as it is alike.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple, cast

from tamis.errors import InputError, MissingExtraError
from tamis.fetching.answers import Headers, header

CUT = "the file ends in the middle of it"
"""The problem of a record that a killed process has left, or a transfer that broke off."""
GZIP, _GZIP_MEMBER = b"\x1f\x8b", b"\x1f\x8b\x08"

_PIECE = 1 << 18  # unpacked at a time
_CHUNK = 1 << 16  # read at a time
_MAX_HEAD = 1 << 20
_MAX_HEADERS = 1_000
_MAX_DICTIONARY = 1 << 24
_ZSTD, _ZSTD_DICTIONARY = b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_ARC_HEAD = re.compile(rb"([a-z]\S*) \S+ (\d{8,14}) (\S+) (?:\S+ \S+ \S+ \S+ \S+ )?(\d{1,15})\n")
_ARC_TYPES = {"filedesc": "warcinfo", "http": "response", "https": "response"}
_RECORD = b"\nWARC/1"


def _load_zlib() -> Any:
    """zlib; with the extra ``scaling`` that which unpacks the same in half the time."""
    try:
        return importlib.import_module("zlib_ng.zlib_ng")
    except ImportError:
        return importlib.import_module("zlib")


_ZLIB = _load_zlib()


class ArchiveRecord(NamedTuple):
    """One record of an archive."""

    place: int  # where its member begins; in a plain file, where it begins itself
    start: int | None  # the same, unless it shares the member with others: then reading cannot begin there
    headers: Headers
    block: bytes
    truncated: bool  # the block was longer than the limit
    end: int = 0  # where its member ends, if it is alone there
    problem: str = ""  # what is wrong with it; the block is what could be read


def read_records(file: BinaryIO, max_block: int, start: int = 0) -> Iterator[ArchiveRecord]:
    """All records from a place on; damaged ones say what is wrong. The file must be seekable."""
    file.seek(start)
    magic = file.read(4)
    if magic and magic[:2] == GZIP[: len(magic)]:
        return _packed(file, start, max_block, _gzip_pieces, _GZIP_MEMBER)
    if magic == _ZSTD or _SKIPPABLE.match(magic):
        return _packed(file, start, max_block, _zstd_pieces(file, start), _ZSTD)
    return _plain(file, start, max_block)


def read_headers(lines: Iterable[bytes]) -> Headers:
    """Header lines up to a blank one."""
    headers: list[tuple[str, str]] = []
    for line in lines:
        if not line or len(headers) >= _MAX_HEADERS:
            break
        text = line.decode("utf-8", "replace")
        name, colon, value = text.partition(":")
        if text[0] in " \t" and headers:  # an old way to go on with the line before
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {text.strip()}")
        elif colon:
            headers.append((name.strip(), value.strip()))
    return tuple(headers)


class _Member:
    """Unpacked bytes of one member, taken from the front."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self.file, self.start = file, start
        self.end = start  # where it ends, when all of it was unpacked
        self.is_cut = False  # the file ended before it
        self.taken = 0  # unpacked bytes that are gone
        self.pieces: Iterator[bytes] = iter(())
        self._data, self._at = b"", 0

    def peek(self, size: int) -> bytes:
        """The next bytes, fewer only at the end."""
        if len(self._data) - self._at < size:
            rest = self._data[self._at :]
            held, count = [rest] if rest else [], len(rest)
            for piece in self.pieces:
                held.append(piece)
                count += len(piece)
                if count >= size:
                    break
            self._data, self._at = b"".join(held), 0  # which does not copy a single piece
        return self._data[self._at : self._at + size]

    def find(self, pattern: re.Pattern[bytes], limit: int) -> re.Match[bytes] | None:
        """A pattern in the next bytes."""
        size = 4096
        while True:
            data = self.peek(size)
            found = pattern.search(data)
            if found or len(data) < size or size >= limit:
                return found
            size *= 4

    def take(self, size: int) -> bytes:
        """The next bytes, which are gone then; fewer at the end."""
        data = self.peek(size)
        self._at += len(data)
        self.taken += len(data)
        return data

    def skip(self, size: int | None) -> int:
        """Go over so many bytes, or over all that is left; how many there were."""
        left = len(self._data) - self._at
        skipped = left if size is None else min(left, size)
        self._at += skipped
        while size is None or skipped < size:
            self._data, self._at = next(self.pieces, b""), 0
            if not self._data:
                break
            self._at = len(self._data) if size is None else min(len(self._data), size - skipped)
            skipped += self._at
        self.taken += skipped
        return skipped

    def skip_blank(self) -> bool:
        """Go over line ends; whether anything follows."""
        while rest := self.peek(64):
            blank = len(rest) - len(rest.lstrip(b"\r\n"))
            self._at += blank
            self.taken += blank
            if blank < len(rest):
                return True
        return False


_Unpack = Callable[[_Member], Iterator[bytes]]


class _UnpackError(Exception):
    """A member is damaged."""


def _packed(file: BinaryIO, start: int, max_block: int, unpack: _Unpack, magic: bytes) -> Iterator[ArchiveRecord]:
    size = file.seek(0, 2)
    while start < size:
        member = _Member(file, start)
        member.pieces = unpack(member)
        try:
            yield from _member_records(member, max_block)
            member.skip(None)
        except _UnpackError as error:
            yield ArchiveRecord(start, None, (), b"", False, start, f"it cannot be unpacked: {error}")
        # A member that is damaged, or cut off in the middle of the file, has its followers right behind it.
        start = member.end if member.end > start else _find(file, magic, start + 1)


def _member_records(member: _Member, max_block: int) -> Iterator[ArchiveRecord]:
    is_first = True
    while member.skip_blank():
        head = _take_head(member)
        if head is None:
            yield _cut(member, "no record begins there, or its head has no end")
            return
        headers, length = head
        block = member.take(max_block if length is None else min(length, max_block))
        left = member.skip(None if length is None else length - len(block))
        is_last = not member.skip_blank()
        problem = ""
        if member.is_cut:
            problem = CUT
        elif length is None:
            problem = f"its length is {repr(header(headers, 'content-length'))[:30]}"
        elif len(block) + left < length:
            problem = f"it says that it has {length} bytes, but has {len(block) + left}"
        elif not is_last and not _begins(member.peek(4096)):
            block += member.take(max_block - len(block))
            left += member.skip(None)
            is_last, problem = True, f"it says that it has {length} bytes, but has more"
        start = member.start if is_first and is_last else None
        yield ArchiveRecord(member.start, start, headers, block, left > 0, member.end, problem)
        is_first = False
    if member.is_cut and is_first:
        yield _cut(member, "")


def _cut(member: _Member, otherwise: str) -> ArchiveRecord:
    return ArchiveRecord(member.start, None, (), b"", False, member.end, CUT if member.is_cut else otherwise)


def _plain(file: BinaryIO, place: int, max_block: int) -> Iterator[ArchiveRecord]:
    """A record ends where it says, if the next one begins there; else where the next one begins."""
    size = file.seek(0, 2)
    while True:
        text = _plain_text(file, place)
        if not text.skip_blank():
            return
        place = text.start + text.taken
        head = _take_head(text)
        if head is None:
            following = _find(file, _RECORD, place)
            is_cut = following == size and text.peek(5) == b"WARC/"[: size - place]
            yield ArchiveRecord(place, place, (), b"", False, place, CUT if is_cut else "no record begins there")
            place = following
            continue
        (headers, length), begin, problem = head, text.start + text.taken, ""
        end = begin + length if length is not None else size + 1
        if end > size or not _record_follows(file, end):
            end = _find(file, _RECORD, begin)
            claimed = repr(header(headers, "content-length"))[:30]
            is_cut = end == size and length is not None and begin + length > size
            problem = CUT if is_cut else f"it says that it has {claimed} bytes, but has {end - begin}"
        file.seek(begin)
        block = file.read(min(end - begin, max_block))
        yield ArchiveRecord(place, place, headers, block, end - begin > max_block, end, problem)
        place = end


def _record_follows(file: BinaryIO, place: int) -> bool:
    text = _plain_text(file, place)
    return not text.skip_blank() or _begins(text.peek(4096))


def _begins(data: bytes) -> bool:
    # Less than a whole mark stands only where the file was cut off.
    return data[:5] == b"WARC/"[: len(data)] or _ARC_HEAD.match(data) is not None


def _take_head(text: _Member) -> tuple[Headers, int | None] | None:
    """The headers of a record and the length that they claim; None if no record begins here."""
    if arc := _ARC_HEAD.match(text.peek(4096)):
        text.take(arc.end())
        url, moment, content_type, length = (part.decode("latin-1") for part in arc.groups())
        kind = _ARC_TYPES.get(url.partition(":")[0], "other")
        return (
            ("WARC-Type", kind),
            ("WARC-Target-URI", url),
            ("WARC-Date", moment),
            ("Content-Type", content_type),
        ), int(length)
    if text.peek(5) != b"WARC/" or not (end := text.find(_HEAD_END, _MAX_HEAD)):
        return None
    headers = read_headers(text.take(end.end()).splitlines()[1:])
    length = (header(headers, "content-length") or "").strip()
    return headers, int(length) if length.isdecimal() and length.isascii() and len(length) <= 15 else None


def _find(file: BinaryIO, pattern: bytes, place: int) -> int:
    """Where a record, or a member, may begin: from a place on, or else the end of the file."""
    kept = b""
    file.seek(place)
    while chunk := file.read(_CHUNK):
        data = kept + chunk
        if (found := data.find(pattern)) >= 0:
            return place + found + (pattern[:1] == b"\n")
        kept = data[-len(pattern) + 1 :]
        place += len(data) - len(kept)
    return file.seek(0, 2)


def _plain_text(file: BinaryIO, place: int) -> _Member:
    file.seek(place)
    text = _Member(file, place)
    text.pieces = iter(lambda: file.read(_CHUNK), b"")
    return text


def _gzip_pieces(member: _Member) -> Iterator[bytes]:
    member.file.seek(member.start)
    place, inflater = member.start, _ZLIB.decompressobj(wbits=31)
    while chunk := member.file.read(_CHUNK):
        place += len(chunk)
        while chunk:
            try:
                piece = inflater.decompress(chunk, _PIECE)
            except _ZLIB.error as error:
                raise _UnpackError(error) from error
            chunk = inflater.unconsumed_tail
            if inflater.eof:
                member.end = place - len(inflater.unused_data)
            if piece:
                yield piece
            if inflater.eof:
                return
    member.is_cut = True


def _zstd_pieces(file: BinaryIO, start: int) -> _Unpack:
    """What unpacks the frames of a file, with the dictionary that stands in front of them if there is one."""
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("fetching", "reading archives compressed with zstd") from None
    dictionary = _zstd_dictionary(zstandard, file, start)

    def unpack(member: _Member) -> Iterator[bytes]:
        end = _frame_end(member.file, member.start)
        if end is None:
            member.is_cut = True
            return
        member.file.seek(member.start)
        if _SKIPPABLE.match(member.file.read(4)):
            member.end = end
            return
        member.file.seek(member.start)
        part = _Part(member.file, end - member.start)
        reader = zstandard.ZstdDecompressor(dict_data=dictionary).stream_reader(cast(BinaryIO, part), closefd=False)
        try:
            while piece := reader.read(_PIECE):
                yield piece
        except zstandard.ZstdError as error:
            raise _UnpackError(error) from error
        member.end = end

    return unpack


class _Part:
    """The next bytes of a file, and no more."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._left = file, size

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def _frame_end(file: BinaryIO, start: int) -> int | None:
    """Where a zstd frame ends, from the sizes of its blocks (RFC 8878, 3.1.1); None if the file ends before."""
    size = file.seek(0, 2)
    file.seek(start)
    begin = file.read(8)
    if len(begin) < 8:
        return None
    if _SKIPPABLE.match(begin):
        end = start + 8 + int.from_bytes(begin[4:8], "little")
        return end if end <= size else None
    descriptor = begin[4]
    is_single, has_checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
    content_size = (is_single, 2, 4, 8)[descriptor >> 6]
    place = start + 5 + (1 - is_single) + (0, 1, 2, 4)[descriptor & 3] + content_size
    while True:
        file.seek(place)
        head = file.read(3)
        if len(head) < 3:
            return None
        value = int.from_bytes(head, "little")
        place += 3 + (1 if value >> 1 & 3 == 1 else value >> 3)
        if value & 1:
            place += 4 * has_checksum
            return place if place <= size else None


def _zstd_dictionary(zstandard: Any, file: BinaryIO, start: int) -> Any:
    file.seek(0 if start else start)
    magic, length = file.read(4), int.from_bytes(file.read(4), "little")
    if magic != _ZSTD_DICTIONARY:
        return None
    data = file.read(min(length, _MAX_DICTIONARY))
    if data[:4] == _ZSTD:
        try:
            data = zstandard.ZstdDecompressor().decompress(data, max_output_size=_MAX_DICTIONARY)
        except zstandard.ZstdError as error:
            raise InputError(f"the dictionary of the archive cannot be decompressed: {error}") from error
    return zstandard.ZstdCompressionDict(data)
