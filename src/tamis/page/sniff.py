"""What kind of thing was passed as a page (markup, text, or neither), and markup that must be mended to be read."""

from __future__ import annotations

import re

_MAGIC = (
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a zip archive or office document"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"RIFF", "a RIFF media file"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
)
_MAGICS = tuple(magic for magic, _ in _MAGIC)
_MAGIC_SIZE = max(len(magic) for magic, _ in _MAGIC)
HEAD_SIZE = 4096
"""Characters that are looked at to see whether they are text."""
CONTROLS = bytes((*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)))
"""Control characters that occur in no text (the "binary data bytes" of the WHATWG MIME sniffing standard)."""
_MAX_CONTROL_SHARE = 0.05  # ours: text has none, UTF-16 is recognised before, compressed data has about a tenth
_MAX_CONTROLS = 4  # ours: a short text may hold a few by mistake
_TAG = re.compile(r"<[a-zA-Z/!?]")
_XML_DECLARATION = re.compile(r"[\s\ufeff]*<\?xml\b")
RAW_TEXT_NAMES = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements whose content is text to an HTML parser, up to their end tag."""
_SELF_CLOSED_RAW = rf"<(?:{'|'.join(RAW_TEXT_NAMES)})\b[^<>]*/>"
SELF_CLOSED_RAW_TEXT = re.compile(_SELF_CLOSED_RAW, re.IGNORECASE)
SELF_CLOSED_RAW_BYTES = re.compile(_SELF_CLOSED_RAW.encode(), re.IGNORECASE)
_SELF_CLOSING_END = re.compile("/>")
_PICTURE = re.compile(r"<([sS][vV][gG]|[mM][aA][tT][hH])\b")  # written so, the search jumps from one "<" to the next
_SELF_CLOSED_IN_PICTURE = re.compile(r"<\w(?=(?:cript|tyle|itle|extarea|frame)\b[^<>]*/>)")
_TAG_NAME = re.compile(r"<([a-zA-Z][\w:.-]*)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def binary_kind(data: bytes | str, controls: int) -> str | None:
    """What the data is when it is no text, else None; ``controls`` of its first characters are ``CONTROLS``.

    >>> binary_kind(b"%PDF-1.7 ...", 0)
    'a PDF file'
    """
    head = data[:_MAGIC_SIZE]
    raw = head.encode("latin-1", "replace") if isinstance(head, str) else head
    if raw.startswith(_MAGICS):
        return next(kind for magic, kind in _MAGIC if raw.startswith(magic))
    most = max(_MAX_CONTROLS, _MAX_CONTROL_SHARE * min(len(data), HEAD_SIZE))
    return "binary data" if controls > most else None


def unmarked_utf16(data: bytes) -> str | None:
    """The encoding of UTF-16 markup without a byte order mark, else None."""
    if data[:1] == b"<" and data[1:2] == b"\0":
        return "utf-16le"
    if data[:2] == b"\0<":
        return "utf-16be"
    return None


def has_tags(markup: str) -> bool:
    return _TAG.search(markup) is not None


def is_xml(markup: str) -> bool:
    """True when the markup begins with an XML declaration, as XHTML pages do."""
    return _XML_DECLARATION.match(markup) is not None


def expand_self_closed(markup: str, void: frozenset[str]) -> str:
    """``<x/>`` written as ``<x></x>``, which means to an HTML parser what the first form means in XML.

    >>> expand_self_closed('<br/><script src="a"/>', frozenset({"br"}))
    '<br/><script src="a"></script>'
    """
    parts: list[str] = []
    done = before = 0
    for match in _SELF_CLOSING_END.finditer(markup):  # much rarer than tags, so the search begins at this end
        end = match.start()
        start = markup.rfind("<", before, end)
        before = end
        name = _TAG_NAME.match(markup, start, end) if start >= 0 else None
        if name and name[1].lower() not in void and ">" not in _QUOTED.sub("", markup[start:end]):
            parts += (markup[done:end], f"></{name[1]}>")
            done = match.end()
    return "".join([*parts, markup[done:]])


def without_raw_pictures(markup: str) -> str:
    """The markup with ``<title/>`` and the like renamed inside pictures, where they swallow nothing.

    The tokeniser knows no pictures: to it the rest of the page would be their text. Lengths stay the same.
    """
    parts, done = [], 0
    for picture in _PICTURE.finditer(markup):
        if picture.start() >= done:
            end = markup.find(f"</{picture[1]}", picture.end())
            end = len(markup) if end < 0 else end
            parts += [markup[done : picture.start()], _SELF_CLOSED_IN_PICTURE.sub("<x", markup[picture.start() : end])]
            done = end
    return "".join([*parts, markup[done:]])
