"""Tables of HTML element names.

Every node carries a small integer, its tag code, so that questions about tags are array look-ups:

>>> bool(mask("p", "div")[TAG_CODES["p"]])
True

Nodes that are not elements have pseudo names beginning with ``#``; element names outside the table share
code 0 (``#other``). Their real names stay available from ``page.name(node)``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

PSEUDO_NAMES = ("#other", "#document", "#text", "#code", "#comment", "#doctype", "#instruction", "#fragment")
"""``#code`` is the content of ``script`` and ``style``: kept, but no text of the page."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

INLINE_NAMES = frozenset(
    "a abbr acronym b basefont bdi bdo big blink br cite code data del dfn em font i img ins kbd label mark marquee "
    "nobr q rb rbc rp rt rtc ruby s samp small spacer span strike strong sub sup time tt u var wbr "
    "area audio canvas embed input map math meter object output param picture progress slot source svg track video "
    "base link meta noscript script style template title mjx-assistive-mml mjx-container mjx-math".split()
)
"""Elements that do not interrupt a line of text. Anything else, unknown names included, starts a new block."""

BLOCK_NAMES = frozenset(
    "address article aside blockquote body button caption center col colgroup datalist dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe legend "
    "li listing main menu nav noembed noframes ol optgroup option p plaintext pre search section select summary table "
    "tbody td textarea tfoot th thead tr ul xmp".split()
)

FOREIGN_NAMES = frozenset("annotation annotation-xml desc foreignobject".split())

CODE_NAMES = frozenset({"script", "style"})

VOID_NAMES = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

NOT_RENDERED_NAMES = frozenset(
    "annotation annotation-xml audio canvas datalist desc head iframe noembed noframes rp script style "
    "template title video".split()
)
"""Elements whose own text no browser shows: metadata, programs, and fallbacks for embedded media.

An iframe with ``srcdoc`` and a ``noframes`` are the exceptions: their markup is parsed and takes their place.
"""

PREFORMATTED_NAMES = frozenset("listing plaintext pre textarea xmp".split())

TAG_NAMES: tuple[str, ...] = (*PSEUDO_NAMES, *sorted(INLINE_NAMES | BLOCK_NAMES | FOREIGN_NAMES))


class _Codes(dict[str, int]):
    def __missing__(self, name: str) -> int:
        return 0


TAG_CODES: dict[str, int] = _Codes((name, code) for code, name in enumerate(TAG_NAMES))
TEXT = TAG_CODES["#text"]


@functools.cache
def mask(*names: str) -> npt.NDArray[np.bool_]:
    """A look-up table over tag codes that is true for the given names."""
    unknown = [name for name in names if name not in TAG_CODES]
    if unknown:
        raise KeyError(f"not in TAG_NAMES: {', '.join(unknown)}")
    table = np.zeros(len(TAG_NAMES), dtype=np.bool_)
    table[[TAG_CODES[name] for name in names]] = True
    table.setflags(write=False)
    return table


def places(codes: bytes | bytearray, name: str) -> Iterator[int]:
    """Where this name stands among codes, which is quick to find for names that few have."""
    code, place = TAG_CODES[name], -1
    while (place := codes.find(code, place + 1)) >= 0:
        yield place


@functools.cache
def byte_table(*names: str) -> bytes:
    """The same table for ``bytes.translate``, which looks up thousands of codes in the time of one call."""
    return mask(*names).tobytes().ljust(256, b"\0")


@functools.cache
def bits(*names: str) -> int:
    """The same table as bits of a number, for tags that are told as one."""
    return sum(1 << int(code) for code in np.flatnonzero(mask(*names)))
