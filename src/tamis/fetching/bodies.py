"""Bodies unpacked piece by piece: at most a limit is ever held, however much a small body would unpack to."""

from __future__ import annotations

import importlib
import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tamis.errors import TransferError

_PIECE_SIZE = 65_536
_MAX_CODINGS = 2  # ours: a body packed twice occurs by mistake, thrice only on purpose
_MAX_ZSTD_WINDOW = 8 * 1024 * 1024  # RFC 9659: what a client must accept, and need not exceed
_BROTLI_MODULE, _ZSTD_MODULE = "brotli", "zstandard"


class Body(NamedTuple):
    """What was read of a body."""

    data: bytes
    truncated: bool  # there was more


def accepted_codings() -> str:
    """The value of ``Accept-Encoding``: what can be unpacked within limits here."""
    optional = {"br": _BROTLI_MODULE, "zstd": _ZSTD_MODULE}
    return ", ".join(["gzip", "deflate", *(coding for coding, module in optional.items() if _optional(module))])


def read_body(chunks: Iterable[bytes], codings: Sequence[str], max_bytes: int, tick: Callable[[], object]) -> Body:
    """The unpacked body, at most ``max_bytes`` of it and of what was sent.

    ``codings`` are the values of ``Content-Encoding`` in order; ``tick`` is called with every piece, and ends the
    reading by raising an error.
    """
    codings = [coding for coding in map(str.strip, map(str.lower, codings)) if coding not in ("", "identity", "none")]
    if len(codings) > _MAX_CODINGS:
        raise TransferError(f"the body is compressed {len(codings)} times ({', '.join(codings)}), which no page needs")
    sent = _Counted(chunks, max_bytes)
    pieces: Iterator[bytes] = _ticking(sent, tick)
    for coding in reversed(codings):
        pieces = _ticking(_unpack(coding, pieces), tick)
    body = bytearray()
    try:
        for piece in pieces:
            body += piece
            if len(body) > max_bytes:
                return Body(bytes(body[:max_bytes]), True)
    except _EndedEarlyError:
        return Body(bytes(body), True)
    return Body(bytes(body), sent.cut)


class _EndedEarlyError(Exception):
    """The packed data ends before its own end mark."""


class _Counted:
    """Chunks up to a limit; it is known whether there were more."""

    def __init__(self, chunks: Iterable[bytes], max_bytes: int) -> None:
        self._chunks = chunks
        self._left = max_bytes
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if len(chunk) > self._left:
                self.cut = True
                yield chunk[: self._left]
                return
            self._left -= len(chunk)
            yield chunk


def _ticking(pieces: Iterable[bytes], tick: Callable[[], object]) -> Iterator[bytes]:
    for piece in pieces:
        tick()
        yield piece


def _unpack(coding: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    if coding not in _UNPACKERS:
        raise TransferError(f"the body is compressed as {coding!r}, which was not requested")
    return _UNPACKERS[coding](chunks)


def _ungzip(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """One gzip member after the other; what follows the last one is ignored, as browsers do."""
    inflater, begun, members = zlib.decompressobj(wbits=31), False, 0
    for chunk in chunks:
        data = chunk
        while data:
            if inflater.eof:
                inflater, begun = zlib.decompressobj(wbits=31), False
            try:
                piece = inflater.decompress(data, _PIECE_SIZE)
            except zlib.error as error:
                if members and not begun:
                    return
                raise TransferError(f"the body is not gzip data ({error}): try again") from error
            begun = True
            members += inflater.eof
            data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
            yield piece
    if begun and not inflater.eof:
        raise _EndedEarlyError


def _inflate(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """``deflate`` with the zlib header of the standard, or without, as some servers send it."""
    inflater: Any = None
    for chunk in chunks:
        data = chunk
        if inflater is None and data:
            inflater = zlib.decompressobj(wbits=15 if data[0] & 0x0F == 8 else -15)
        while data and not inflater.eof:
            try:
                piece = inflater.decompress(data, _PIECE_SIZE)
            except zlib.error as error:
                raise TransferError(f"the body is not deflate data ({error}): try again") from error
            data = inflater.unconsumed_tail
            yield piece
    if inflater is not None and not inflater.eof:
        raise _EndedEarlyError


def _unbrotli(chunks: Iterator[bytes]) -> Iterator[bytes]:
    brotli = _needed(_BROTLI_MODULE)
    unpacker = brotli.Decompressor()
    try:
        for chunk in chunks:
            if unpacker.is_finished():
                return
            yield unpacker.process(chunk, output_buffer_limit=_PIECE_SIZE)
            while not unpacker.can_accept_more_data():
                yield unpacker.process(b"", output_buffer_limit=_PIECE_SIZE)
        if not unpacker.is_finished():
            raise _EndedEarlyError
    except brotli.error as error:
        raise TransferError(f"the body is not brotli data ({error}): try again") from error


def _unzstd(chunks: Iterator[bytes]) -> Iterator[bytes]:
    zstandard = _needed(_ZSTD_MODULE)
    unpacker = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW)
    reader = unpacker.stream_reader(io.BufferedReader(_ChunkFile(chunks), _PIECE_SIZE), read_across_frames=True)
    try:
        while piece := reader.read(_PIECE_SIZE):
            yield piece
    except zstandard.ZstdError as error:
        raise TransferError(f"the body is not zstd data ({error}): try again") from error


_UNPACKERS = {"gzip": _ungzip, "x-gzip": _ungzip, "deflate": _inflate, "br": _unbrotli, "zstd": _unzstd}


class _ChunkFile(io.RawIOBase):
    """Chunks read as a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            try:
                self._rest = next(self._chunks)
            except StopIteration:
                return 0
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def _optional(module: str) -> Any:
    """A module that unpacks; None if it is missing, or too old to stop at a limit."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        return None
    is_old = hasattr(found, "Decompressor") and not hasattr(found.Decompressor, "can_accept_more_data")
    return None if is_old else found


def _needed(module: str) -> Any:
    found = _optional(module)
    if found is None:
        raise TransferError(f"the body is compressed in a way that was not requested and needs {module}: install it")
    return found
