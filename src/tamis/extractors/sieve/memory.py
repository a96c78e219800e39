"""What the pages of one site repeat: a sample of its pages, each as the hashes of its texts.

    page  →  sketch: a hash of the page, and a hash of the text of each block
    site  →  the sketches with the smallest page hashes

Which pages have the smallest hashes depends on the pages alone. So the order in which pages are added does not matter,
a page that is added twice counts once, and memories of parts of a site can be merged in any order. How many pages have
a text is counted when a page is extracted, because only then is it known which pages do not count: the page itself, and
its near-twins.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tamis.errors import InputError
from tamis.page.blocks import block_texts
from tamis.page.load import Source, parse
from tamis.page.model import Page
from tamis.page.text import Bools, Ints, collapse
from tamis.stored import DamageError, reading
from tamis.stored.arrays import Arrays, Field, read, write

FORMAT = 1  # grows when hashes or arrays change; a file of another format is refused
MAX_PAGES = 128  # of a site; ours: the curve of docs/site-memory.md is flat before
MAX_TEXTS = 512  # of a page, those with the smallest hashes; so a site is never larger than 330 kB
LONG_WORDS = 15  # a block of so many words is on two pages because it was copied, not by chance; ours, not swept

Hashes = npt.NDArray[np.uint32]

_LARGEST = 0xFFFFFFFF
_MAX_BYTES = 2 * MAX_PAGES * (MAX_TEXTS * 5 + 64)  # twice what is ever written
_LAYOUT = {
    "format": Field("int64"),
    "name": Field("uint64", ("pages",)),
    "limit": Field("uint32", ("pages",)),
    "size": Field("int64", ("pages",)),
    "text": Field("uint32", ("texts",)),
    "is_long": Field("bool", ("texts",)),
}


@dataclass(frozen=True, eq=False)
class Sketch:
    """What is kept of one page: the hashes of its texts, sorted, each once."""

    name: int  # a hash of the whole page
    limit: int  # texts up to this hash are here, those above were left out
    text: Hashes
    is_long: Bools  # running text that no two pages have by chance


@dataclass(frozen=True, eq=False)
class Index:
    """The sketches of a site as one table."""

    name: npt.NDArray[np.uint64]  # of each page
    limit: Ints  # of each page
    page: Ints  # for each text the position of its page
    text: Hashes
    is_long: Bools


class Site:
    """What the pages of one site repeat, for ``tamis.extract(page, site=site)``.

    It holds a sample of at most ``MAX_PAGES`` pages, and of no page more than ``MAX_TEXTS`` hashes. The same pages give
    the same memory, in whatever order they come and from however many parts it is put together.

    >>> import tamis
    >>> site = tamis.Site()
    >>> for text in ("The river rose.", "The road was closed.", "The road was closed."):
    ...     site.add(tamis.parse(f"<p>Subscribe now<p>{text}"))
    >>> len(site)
    2
    """

    def __init__(self) -> None:
        self._sketches: dict[int, Sketch] = {}
        self._index: Index | None = None

    def __len__(self) -> int:
        """How many pages are held."""
        return len(self._sketches)

    def add(self, page: Source) -> None:
        """Remember a page, parsed or not; pages without text are ignored."""
        seen = parse(page).revealed()
        if len(seen.blocks):
            self.take([make_sketch(*text_hashes(seen))])

    def merge(self, other: Site) -> None:
        """Add what another memory of the same site contains."""
        if not isinstance(other, Site):
            raise InputError(f"only a tamis.Site can be merged, not {type(other).__name__}: use add for a page")
        self.take(other._sketches.values())

    def take(self, sketches: Iterable[Sketch]) -> None:
        """Remember pages of which only the sketches are known."""
        self._sketches |= {one.name: one for one in sketches}
        for name in sorted(self._sketches)[MAX_PAGES:]:
            del self._sketches[name]
        self._index = None

    def save(self, path: str | Path) -> None:
        """Write the memory to a file, whole or not at all."""
        index = self.index()
        arrays: dict[str, npt.ArrayLike] = {
            "format": np.array(FORMAT, dtype=np.int64),
            "name": index.name,
            "limit": index.limit.astype(np.uint32),
            "size": np.bincount(index.page, minlength=len(self)).astype(np.int64),
            "text": index.text,
            "is_long": index.is_long,
        }
        try:
            write(Path(path), arrays)
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise InputError(f"cannot write {str(path)!r}: {reason}") from error

    @classmethod
    def load(cls, path: str | Path) -> Site:
        """The memory in a file that ``save`` wrote; anything else is a ``FileFormatError``."""
        site = cls()
        with reading("the site memory", Path(path), "make it again from the pages of the site"):
            arrays = read(Path(path), _LAYOUT, {}, _MAX_BYTES)
            if (found := int(arrays["format"])) != FORMAT:
                raise DamageError(f"has format {found}, this version of Tamis reads {FORMAT}")
            site.take(_checked(arrays))
        return site

    def index(self) -> Index:
        """The whole memory as one table, in the order of the pages' hashes."""
        if self._index is None:
            found = [self._sketches[name] for name in sorted(self._sketches)]
            self._index = Index(
                name=np.array([one.name for one in found], dtype=np.uint64),
                limit=np.array([one.limit for one in found], dtype=np.int64),
                page=np.repeat(np.arange(len(found)), [len(one.text) for one in found]),
                text=np.concatenate([np.zeros(0, dtype=np.uint32), *(one.text for one in found)]),
                is_long=np.concatenate([np.zeros(0, dtype=np.bool_), *(one.is_long for one in found)]),
            )
        return self._index


def text_hashes(page: Page) -> tuple[Hashes, Bools]:
    """For each block a hash of its text, white space collapsed, and whether it is long running text."""
    blocks = page.blocks
    text = np.array([_hash(collapse(text)) for text in block_texts(blocks)], dtype=np.uint32)
    return text, (blocks.words >= LONG_WORDS) & (2 * blocks.link_words <= blocks.words)


def make_sketch(text: Hashes, is_long: Bools) -> Sketch:
    """What is remembered of a page with these texts."""
    once, place = np.unique(text, return_inverse=True)
    long = np.bincount(place, weights=is_long, minlength=len(once)) > 0
    name = hashlib.blake2b(once.astype("<u4").tobytes() + long.tobytes(), digest_size=8).digest()
    limit = _LARGEST if len(once) <= MAX_TEXTS else int(once[MAX_TEXTS - 1])
    return Sketch(int.from_bytes(name, "little"), limit, once[:MAX_TEXTS], long[:MAX_TEXTS])


def _hash(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "little")


def _checked(arrays: Arrays) -> list[Sketch]:
    """The sketches in a file, if they are such as ``make_sketch`` makes."""
    names, sizes = arrays["name"].tolist(), arrays["size"]
    if len(names) > MAX_PAGES or len(set(names)) < len(names):
        raise DamageError("is damaged (it holds too many pages, or one of them twice)")
    if (sizes < 1).any() or (sizes > MAX_TEXTS).any() or int(sizes.sum()) != len(arrays["text"]):
        raise DamageError("is damaged (its pages have too many texts or too few)")
    ends = np.cumsum(sizes)[:-1]
    parts = zip(
        names,
        arrays["limit"].tolist(),
        np.split(arrays["text"], ends),
        np.split(arrays["is_long"], ends),
        strict=True,
    )
    found = [Sketch(*part) for part in parts] if names else []
    if any((one.text[1:] <= one.text[:-1]).any() or int(one.text[-1]) > one.limit for one in found):
        raise DamageError("is damaged (the hashes of a page are not in order)")
    return found
