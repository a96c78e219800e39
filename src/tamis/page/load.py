"""Whatever is passed as a page → Page: reads files, measures, and sorts out what is no page."""

from __future__ import annotations

from pathlib import Path

from tamis.characters import writable
from tamis.errors import InputError
from tamis.page import sniff
from tamis.page.limits import Limits
from tamis.page.model import Description, Page
from tamis.page.parse import build_page, check_encoding

Source = str | bytes | bytearray | memoryview | Path | Page


def parse(source: Source, url: str | None = None, *, encoding: str | None = None, limits: Limits | None = None) -> Page:
    """Parse a page once, for use by every method.

    ``source`` is markup (``str``), undecoded bytes, a file, or a page that is parsed already. ``encoding`` is the
    character set announced by the transport; like a browser, a byte order mark goes before it, a ``meta`` element and
    a guess from the bytes after it.
    """
    if isinstance(source, Page):
        return source if url is None else source.described(url=url)
    encoding = None if encoding is None else check_encoding(encoding)
    limits = limits or Limits()
    data = _read(source, limits.max_bytes)
    warnings = []
    truncated = len(data) > limits.max_bytes
    if truncated:
        data = data[: limits.max_bytes]
        warnings.append(f"truncated: only the first {limits.max_bytes} bytes were read (max_bytes)")
    if isinstance(data, bytes):
        encoding = encoding or sniff.unmarked_utf16(data)
    if not _is_utf16(data, encoding):
        if binary := sniff.binary_kind(data):
            warnings.append(f"binary: the input is {binary}, not a page")
            return build_page("", None, limits, Description(url, None, "binary", truncated, tuple(warnings)))
        data = _without_nuls(data)
    return build_page(data, encoding, limits, Description(url, encoding, "html", truncated, tuple(warnings)))


def _read(source: Source, max_bytes: int) -> str | bytes:
    if isinstance(source, str):
        # A byte order mark is left over from a file that was decoded with it. Halves of characters come from tools that
        # decode with surrogates; after this line no text, name, attribute or code of a page has any.
        return writable(source.removeprefix("\ufeff"))
    if isinstance(source, bytes):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                return file.read(max_bytes + 1)
        except OSError as error:
            raise InputError(f"cannot read {str(source)!r}: {error.strerror}; pass a file that exists") from error
    raise InputError(f"a page is str, bytes, Path or Page, not {type(source).__name__}")


def _without_nuls(data: str | bytes) -> str | bytes:
    """The data without NUL characters, which mean nothing in a page and which the parser treats in several ways."""
    return data.replace("\0", "") if isinstance(data, str) else data.replace(b"\0", b"")


def _is_utf16(data: str | bytes, encoding: str | None) -> bool:
    marked = isinstance(data, bytes) and data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return marked or (isinstance(data, bytes) and (encoding or "").lower().startswith("utf-16"))
