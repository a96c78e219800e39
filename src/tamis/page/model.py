"""The page: parsed once, never changed, seen through views that share coordinates.

A place in a page is a node number (document order) or a character range of ``page.text``. Views are flat arrays,
computed when first asked for and kept:

    nodes    the tree                  parent, depth, subtree end, tag code, flags, range of ``page.text``
    blocks   what a reader sees        maximal inline runs of visible text, with counts
    tokens   what the source says      words and tags in source order, with code lengths
    lines    the source line by line   ranges of tokens, with counts
    boxes    what a browser shows       rectangles, colours and fonts, when the page was rendered
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.characters import writable
from tamis.page.boxes import Boxes
from tamis.page.html import INLINE_NAMES, PSEUDO_NAMES, TAG_CODES, TAG_NAMES, TEXT, byte_table, mask, places
from tamis.page.spans import Span, as_spans, overlaps, union
from tamis.page.text import Bools, Ints

if TYPE_CHECKING:
    from tamis.about.metadata import Metadata
    from tamis.page.blocks import Blocks, Flow
    from tamis.page.source import Lines, Tokens
    from tamis.page.source_events import SourceEvents

View = TypeVar("View")

# What is known of a node and, where it is inherited, of everything below it.
HIDDEN = 1  # hidden, aria-hidden, display:none, visibility:hidden, a closed dialog
UNRENDERED = 2  # inside template, head, media fallbacks, script, style, ...
LINK = 4  # inside a[href]
NOSCRIPT = 8  # inside noscript: shown because scripts do not run
FORM_TEXT = 16  # inside textarea
PREFORMATTED = 32  # white space counts
FOREIGN = 64  # inside svg or math
INVISIBLE = HIDDEN | UNRENDERED
IS_BLOCK = ~mask(*INLINE_NAMES, *PSEUDO_NAMES)


@dataclass(frozen=True, eq=False)
class Nodes:
    """The tree, one entry per node in document order; node 0 is the document."""

    tag: npt.NDArray[np.uint8]
    parent: Ints
    depth: Ints
    end: Ints  # first node after the subtree
    text_start: Ints
    text_end: Ints
    flags: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def texts(self) -> Ints:
        """Numbers of the text nodes."""
        return _locked(np.flatnonzero(self.tag == TEXT))

    @cached_property
    def visible_texts(self) -> Ints:
        """Numbers of the text nodes a reader can see."""
        return _locked(self.texts[(self.flags[self.texts] & INVISIBLE) == 0])

    @cached_property
    def _codes(self) -> bytearray:
        return bytearray(self.tag)

    def named(self, *names: str) -> Bools:
        """True for nodes with one of these names."""
        return np.frombuffer(self._codes.translate(byte_table(*names)), dtype=np.bool_)

    def has(self, *names: str) -> bool:
        """Whether there is a node with one of these names."""
        for name in names:  # noqa: SIM110 - it is often asked, and a loop is quicker than a generator
            if TAG_CODES[name] in self._codes:
                return True
        return False

    def each(self, name: str) -> Iterator[int]:
        """The nodes with this name one after the other, which is quick for names that few have."""
        return places(self._codes, name)

    @cached_property
    def elements(self) -> Bools:
        """True for elements, false for text, comments and so on."""
        return _locked(~self.named(*(name for name in PSEUDO_NAMES if name != "#other")))

    def inside(self, marked: Bools) -> Bools:
        """True for marked nodes and everything below them."""
        found: Bools = _kernel().inside(marked, self.end)
        return found

    def marked(self, chosen: Ints | list[int]) -> Bools:
        """Which nodes are among those chosen."""
        marked = np.zeros(len(self), dtype=np.bool_)
        marked[chosen] = True
        return marked

    def nearest(self, marked: Bools) -> Ints:
        """For each node the nearest marked one among itself and its ancestors; 0, the document, if there is none."""
        found: Ints = _kernel().nearest(marked, self.parent)
        return found

    def totals(self, values: Ints) -> Ints:
        """Sum of a whole number per node over each subtree."""
        found: Ints = _kernel().totals(values, self.end)
        return found


class Tree(Protocol):
    """What a page asks of the parser after parsing."""

    def name(self, node: int) -> str: ...
    def attributes(self, node: int) -> dict[str, str]: ...
    def attribute(self, nodes: Ints, name: str) -> list[str | None]: ...
    def carrying(self, name: str) -> Ints: ...
    def said(self, name: str, nodes: Ints) -> dict[int, str]: ...
    def select(self, selector: str) -> list[int]: ...
    def names(self, nodes: Ints) -> list[str]: ...
    def code(self, node: int) -> str: ...
    def source(self) -> str: ...
    def count(self, text: str) -> int: ...
    def scan(self, source: str) -> SourceEvents: ...
    def parse_again(self, markup: str) -> str: ...


@dataclass(frozen=True)
class Description:
    """What is known of a page besides its tree."""

    url: str | None = None
    encoding: str | None = None
    format: str = "html"  # "html", "xhtml", "text" or "binary"
    truncated: bool = False
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.url is not None:
            object.__setattr__(self, "url", writable(self.url))


class Page:
    """One web page, parsed once, never changed. Make it with ``tamis.parse`` or ``tamis.render``.

    ``page.text`` is the text of all text nodes in document order, ``page.nodes`` the tree. ``page.boxes`` is what a
    browser showed, and None when the page was not rendered.
    """

    def __init__(
        self,
        nodes: Nodes,
        text: str,
        tree: Tree,
        description: Description,
        hidden_flags: npt.NDArray[np.uint8] | None = None,
        boxes: Boxes | None = None,
    ) -> None:
        self.nodes = _locked_view(nodes)
        self.text = text
        self.description = description
        # The flags as parsed, also when blocks that hide themselves are shown.
        self.hidden_flags = nodes.flags if hidden_flags is None else hidden_flags
        self.boxes = boxes  # none when the page was not rendered
        self._tree = tree
        self._teller: Page | None = None  # the page that says what this one is, if another does

    def __repr__(self) -> str:
        return f"<Page {self.url or self.format}: {len(self.nodes)} nodes, {len(self.text)} characters>"

    def revealed(self) -> Page:
        """The same page with hidden blocks made visible; text and node numbers are the same.

        Hidden words inside a visible line stay hidden: they are icons and notes for machines.
        """
        nodes = self.nodes
        flags = _kernel().revealed_flags(nodes.tag, nodes.flags, nodes.parent, nodes.end, IS_BLOCK)
        return self if flags is None else self._seen(flags, self.description)

    def showing(self, texts: Ints) -> Page:
        """The same page with these text nodes made visible; text and node numbers are the same."""
        flags = self.nodes.flags.copy()
        flags[texts] &= ~np.uint8(INVISIBLE)
        return self._seen(flags, self.description)

    def cut(self, node: int, reason: str) -> Page:
        """The same page with everything from a node on hidden, marked as truncated for this reason."""
        flags = self.nodes.flags.copy()
        flags[node:] |= UNRENDERED
        warnings = (*self.warnings, f"truncated: {reason}")
        return self._seen(flags, dataclasses.replace(self.description, truncated=True, warnings=warnings))

    def _copy(self) -> Self:
        page = object.__new__(type(self))
        vars(page).update(vars(self))
        return page

    def _seen(self, flags: npt.NDArray[np.uint8], description: Description) -> Page:
        own = self.nodes
        nodes = Nodes(own.tag, own.parent, own.depth, own.end, own.text_start, own.text_end, flags)
        return Page(nodes, self.text, self._tree, description, self.hidden_flags, self.boxes)

    @property
    def url(self) -> str | None:
        """The URL, if it is known."""
        return self.description.url

    @property
    def encoding(self) -> str | None:
        """The character encoding of the bytes; None if the source was ``str``."""
        return self.description.encoding

    @property
    def format(self) -> str:
        """``html``, ``xhtml``, ``text``, or ``binary`` for what is not a page."""
        return self.description.format

    @property
    def truncated(self) -> bool:
        """True if a limit was exceeded; the warnings say which."""
        return self.description.truncated

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings, for example about truncation, binary input, plain text, framesets."""
        return self.description.warnings

    def described(self, **changes: Any) -> Page:
        """The same page, described differently; the views are shared."""
        page = self._copy()
        if changes:
            page.description = dataclasses.replace(self.description, **changes)
        return page

    def with_boxes(self, boxes: Boxes) -> Page:
        """The same page with what a browser showed; the views are shared."""
        page = self._copy()
        page.boxes = boxes
        return page

    def told_by(self, page: Page) -> Page:
        """The same page with the metadata of another one, in which it was found; they are read when asked for."""
        told = self._copy()
        told._teller = page
        return told

    def name(self, node: int) -> str:
        """Name of an element, or a pseudo name such as ``#text``."""
        code = self.nodes.tag.item(node)
        return TAG_NAMES[code] if code else self._tree.name(node)

    def attributes(self, node: int) -> Mapping[str, str]:
        """Attributes of an element by lower-cased name; empty for other nodes."""
        return self._tree.attributes(node)

    def attribute(self, nodes: Ints, name: str) -> list[str | None]:
        """One attribute of many nodes; faster than ``attributes`` of each."""
        return self._tree.attribute(nodes, name)

    def carrying(self, name: str) -> Ints:
        """Elements that may have this attribute; no other has it. For attributes that are often asked for."""
        return self._tree.carrying(name)

    def said(self, name: str, nodes: Ints) -> dict[int, str]:
        """The values of such an attribute by node, for those of some nodes where it is not empty."""
        return self._tree.said(name, nodes)

    def select(self, selector: str) -> list[int]:
        """Elements that a CSS selector matches, in document order; an invalid selector raises ``OptionError``."""
        return self._tree.select(selector)

    def names(self, nodes: Ints) -> list[str]:
        """The names of elements: their classes, ``#id``, ``role=`` and ``prop=``, separated by blanks."""
        return self._tree.names(nodes)

    def code(self, node: int) -> str:
        """The content of a ``script``, a ``style`` or a comment; it is not part of ``page.text``."""
        return self._tree.code(node)

    def node_text(self, node: int) -> str:
        """The text below a node, hidden text included, as in ``page.text``."""
        return self.text[self.nodes.text_start.item(node) : self.nodes.text_end.item(node)]

    @cached_property
    def source(self) -> str:
        """The decoded HTML with normalized line ends."""
        return self._tree.source()

    def count_in_source(self, text: str) -> int:
        """How often a text without line ends stands in the source, which need not be made for it."""
        return self._tree.count(text)

    def scan(self) -> SourceEvents:
        """The source from left to right, as the tokeniser sees it."""
        return self._tree.scan(self.source)

    def parse_again(self, markup: str) -> str:
        """The text of a variant of the source."""
        return self._tree.parse_again(markup)

    @cached_property
    def visible(self) -> tuple[Ints, Ints]:
        """Starts and ends of the visible ranges of ``page.text``."""
        leaves = self.nodes.visible_texts
        starts, ends = self.nodes.text_start[leaves], self.nodes.text_end[leaves]
        gaps = starts[1:] > ends[:-1]
        first, last = np.append(True, gaps)[: len(leaves)], np.append(gaps, True)[: len(leaves)]
        return _locked(starts[first]), _locked(ends[last])

    def clip(self, starts: Ints, ends: Ints) -> tuple[Span, ...]:
        """The visible parts of ranges that may overlap and come in any order."""
        start, end, _, _ = overlaps(*union(starts, ends), *self.visible)
        return as_spans(start, end)

    def text_spans(self, texts: Ints) -> tuple[Span, ...]:
        """Visible spans of some text nodes."""
        return self.clip(self.nodes.text_start[texts], self.nodes.text_end[texts])

    def subtree_spans(self, node: int) -> tuple[Span, ...]:
        """Visible spans of everything below a node."""
        first, last = np.searchsorted(self.blocks.leaves, (node, self.nodes.end[node]))
        return self.text_spans(self.blocks.leaves[first:last])

    def word_spans(self, chosen: Bools) -> tuple[Span, ...]:
        """Visible spans of the chosen tokens; consecutive words are joined with what is between them."""
        tokens = self.tokens
        words = np.flatnonzero(~tokens.is_tag)
        words = words[np.argsort(tokens.start[words], kind="stable")]
        change = np.diff(chosen[words].astype(np.int8), prepend=0, append=0)
        return self.clip(tokens.start[words[change[:-1] == 1]], tokens.end[words[change[1:] == -1]])

    @cached_property
    def flow(self) -> Flow:
        """Where paragraphs and lines of running text begin."""
        found: Flow = _runs().build_flow(self)
        return _locked_view(found)

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks of the page: maximal inline runs of visible text, with counts."""
        found: Blocks = _runs().build_blocks(self)
        return _locked_view(found)

    @cached_property
    def layout_tables(self) -> Mapping[int, bool]:
        """Whether each table that holds some visible text is mere layout, by its node."""
        found: Mapping[int, bool] = _kernel().layout_tables(self, self.blocks.leaves)
        return found

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of the source: words and tags in source order."""
        from tamis.page.source import build_tokens

        return _locked_view(build_tokens(self))

    @cached_property
    def lines(self) -> Lines:
        """The source line by line, as ranges of tokens."""
        from tamis.page.source import build_lines

        return _locked_view(build_lines(self))

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, date and so on, as the page declares them."""
        from tamis.about.metadata import read_metadata

        if self._teller is not None:
            return self._teller.metadata
        return read_metadata(self)


@functools.cache
def _kernel() -> ModuleType:
    from tamis.page.kernel import kernel  # which is made of the classes above

    return kernel


@functools.cache
def _runs() -> ModuleType:
    from tamis.page import blocks  # likewise

    return blocks


def _locked(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array


def _locked_view(view: View) -> View:
    """The same view; its arrays cannot be written to any more."""
    for array in vars(view).values():
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return view
