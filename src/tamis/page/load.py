"""Whatever is passed as a page → Page: reads files, measures, and sorts out what is no page."""

from __future__ import annotations

from pathlib import Path

from tamis.characters import writable
from tamis.errors import InputError, OptionError
from tamis.page import sniff
from tamis.page._reference import Survey
from tamis.page.kernel import kernel
from tamis.page.limits import Limits
from tamis.page.model import Description, Page
from tamis.page.parse import build_page, check_encoding

_LIMITS = Limits()
Source = str | bytes | bytearray | memoryview | Path | Page


def parse(source: Source, url: str | None = None, *, encoding: str | None = None, limits: Limits | None = None) -> Page:
    """Parse a page once, for use by every method.

    ``source`` is markup (``str``), undecoded bytes, a file, or a page that is parsed already. ``encoding`` is the
    character set announced by the transport; like a browser, a byte order mark goes before it, a ``meta`` element and
    a guess from the bytes after it.
    """
    _check_types(url, encoding, limits)
    if isinstance(source, Page):
        return source if url is None else source.described(url=url)
    encoding = None if encoding is None else check_encoding(encoding)
    limits = limits or _LIMITS
    data = _read(source, limits.readable_bytes)
    warnings = []
    truncated = len(data) > limits.readable_bytes
    if truncated:
        data = data[: limits.readable_bytes]
        reason = "max_bytes" if limits.readable_bytes == limits.max_bytes else "max_memory"
        warnings.append(f"truncated: only the first {limits.readable_bytes} bytes were read ({reason})")
    seen = kernel.survey(data)
    if isinstance(data, bytes):
        encoding = encoding or sniff.unmarked_utf16(data)
    elif seen.has_halves:
        # They come from tools that decode with surrogates; no text, name, attribute or code of a page has any.
        data = writable(data)
    if not _is_utf16(data, encoding):
        if binary := sniff.binary_kind(data, seen.controls):
            warnings.append(f"binary: the input is {binary}, not a page")
            return build_page("", None, limits, Description(url, None, "binary", truncated, tuple(warnings)))
        if seen.has_nuls:
            data = data.replace("\0", "") if isinstance(data, str) else data.replace(b"\0", b"")
    length = _affordable(data, encoding, limits.node_budget(len(data)), seen)
    if length < len(data):
        data, truncated = data[:length], True
        warnings.append(f"truncated: only the first {length} bytes were read (max_nodes or max_memory)")
    return build_page(data, encoding, limits, Description(url, encoding, "html", truncated, tuple(warnings)))


def _check_types(url: object, encoding: object, limits: object) -> None:
    for name, value in (("url", url), ("encoding", encoding)):
        if value is not None and not isinstance(value, str):
            raise OptionError(f"{name} is {value!r}, but str is expected")
    if limits is not None and not isinstance(limits, Limits):
        raise OptionError(f"limits is {limits!r}, but tamis.Limits(...) is expected")


def _read(source: Source, max_bytes: int) -> str | bytes:
    if isinstance(source, str):
        return source.removeprefix("\ufeff")  # left over from a file that was decoded with it
    if isinstance(source, bytes):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                return file.read(max_bytes + 1)
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"cannot read {str(source)!r}: {reason}; pass a file that exists") from error
    raise InputError(f"a page is str, bytes, Path or Page, not {type(source).__name__}")


def _affordable(data: str | bytes, encoding: str | None, budget: int, seen: Survey) -> int:
    """How much of the data can be parsed into so many nodes."""
    if isinstance(data, str) or not _is_utf16(data, encoding):
        return kernel.affordable_length(data, budget, seen)
    # Every second byte of UTF-16 is markup; a few characters look like it, which only makes the bound lower.
    first = int(data[:2] == b"\xfe\xff" or "be" in (encoding or "").lower())
    markup = data[first::2]
    return 2 * kernel.affordable_length(markup, budget, kernel.survey(markup))


def _is_utf16(data: str | bytes, encoding: str | None) -> bool:
    marked = isinstance(data, bytes) and data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return marked or (isinstance(data, bytes) and (encoding or "").lower().startswith("utf-16"))
