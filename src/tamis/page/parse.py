"""Markup → Page. The only module that knows the HTML parser, so that it can be replaced.

The parser builds the tree as browsers do; this module reads its nodes once, in document order, into arrays, and
notes what a reader cannot see. Markup that hides inside a page is parsed and put in its place: ``iframe srcdoc``,
``noframes``, and ``textarea`` when it holds markup.
"""

from __future__ import annotations

import codecs
import itertools
import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import turbohtml
import turbohtml.detect

from tamis.errors import OptionError
from tamis.page import sniff
from tamis.page._reference import CARRIED, STYLING, UNASKED, Bytes, Handle, Kinds, NodeList
from tamis.page.html import CODE_NAMES, TAG_CODES, TEXT, VOID_NAMES, places
from tamis.page.kernel import kernel
from tamis.page.limits import Limits
from tamis.page.listing import FLAGS_OF_TAGS, build_nodes, seems_swallowed
from tamis.page.model import PREFORMATTED, Description, Page
from tamis.page.source_events import CLOSING_EVENT, OPENING_EVENT, OTHER_EVENT, TEXT_EVENT, SourceEvents
from tamis.page.text import Ints

KINDS = Kinds(
    element=turbohtml.Element,
    text=turbohtml.Text,
    others={
        turbohtml.Document: TAG_CODES["#document"],
        turbohtml.CData: TEXT,
        turbohtml.Comment: TAG_CODES["#comment"],
        turbohtml.Doctype: TAG_CODES["#doctype"],
        turbohtml.ProcessingInstruction: TAG_CODES["#instruction"],
        turbohtml.DocumentFragment: TAG_CODES["#fragment"],
    },
)
_MARKUP_TEXT = re.compile(r"\s*<[a-zA-Z!][^<]*>")
_MAX_NESTED_DOCUMENTS = 3  # pages inside pages inside pages; real ones stop at one
_NESTING = ("iframe", "noframes", "textarea")
_RAW_NAMES = CODE_NAMES | {"noframes", "noscript", "textarea"}
_NODES_OF_PLAIN_TEXT = 5  # document, html, head, body, and one text
_EVENT_KINDS = {
    turbohtml.TokenType.TEXT: TEXT_EVENT,
    turbohtml.TokenType.CHARACTER_REFERENCE: TEXT_EVENT,
    turbohtml.TokenType.START_TAG: OPENING_EVENT,
    turbohtml.TokenType.END_TAG: CLOSING_EVENT,
    turbohtml.TokenType.DOCTYPE: OPENING_EVENT,  # counts as a tag, like a processing instruction
    turbohtml.TokenType.PROCESSING_INSTRUCTION: OPENING_EVENT,
    turbohtml.TokenType.COMMENT: OTHER_EVENT,
}
_LINE_END = re.compile("\r\n?")
_MANY = 500  # nodes from which on it pays to look first who has an attribute (as long as both took, on train pages)
# "role" is in two groups: of them the first counts.
_GROUPS: dict[str, tuple[str, ...]] = {name: group for group in (("class",), *reversed(CARRIED)) for name in group}
# Who has one of a group of attributes; this is quicker than a list of selectors.
_SELECTORS = {group: f":is({','.join(f'[{name}]' for name in group)})" for group in _GROUPS.values()}
_LARGE = 1 << 20  # bytes from which on a page is fed to the parser in pieces; ours: few are so large
_PIECE = 1 << 16
_SHADOW = b"shadowrootmode"
_PRESCAN = 1024  # bytes in which a declaration of the encoding is looked for before parsing (HTML standard)
_URL = re.compile(r"\s*https?://\S+\s*\Z", re.IGNORECASE)


def build_page(markup: str | bytes, encoding: str | None, limits: Limits, description: Description) -> Page:
    """Parse markup and read the tree into a page. ``description`` says what is known before."""
    document = build_tree(markup, encoding)
    encoding = document.encoding
    page_format = description.format
    if sniff.is_xml(_decode(markup[:256], encoding)):
        page_format = "xhtml"
        markup = sniff.expand_self_closed(_decode(markup, encoding), VOID_NAMES)
        document = build_tree(markup)
    listing, warnings = _list_nodes(document, limits)
    nodes, capped = build_nodes(listing, limits)
    if page_format == "html" and seems_swallowed(nodes, len(markup)):
        # Bytes are searched first: a decoded page may take four times the room.
        is_wide = (encoding or "").lower().startswith("utf-16")
        source = _decode(markup, encoding) if is_wide or kernel.has_self_closed_raw(markup) else ""
        if kernel.has_self_closed_raw(source):
            # Serialised as XML: an HTML parser takes the rest of the page for the text of ``<iframe/>`` and its like.
            markup = sniff.expand_self_closed(source, VOID_NAMES)
            document = build_tree(markup)
            listing, warnings = _list_nodes(document, limits)
            nodes, capped = build_nodes(listing, limits)
            page_format = "xhtml"
    if capped:
        warnings.append(f"truncated: nesting deeper than {limits.max_depth} was flattened (max_depth)")
    truncated = description.truncated or bool(warnings)
    if nodes.has("frameset"):
        frames = [handle.attr("src") or "" for handle in document.select("frame")]
        warnings.append(f"frameset: the content is in other pages: {', '.join(frames) or 'none named'}")
    parsed = ParsedTree(markup, encoding, listing.handles, listing.attribute_counts, limits)
    parsed.carriers[STYLING] = listing.styled
    if page_format == "html" and len(nodes) <= _NODES_OF_PLAIN_TEXT and not sniff.has_tags(parsed.source()):
        page_format = "text"
        nodes.flags[nodes.tag == TEXT] |= PREFORMATTED
        if listing.text:
            warnings.append(_plain_text_warning(listing.text))
    warnings = [*description.warnings, *warnings]
    return Page(
        nodes, listing.text, parsed, Description(description.url, encoding, page_format, truncated, tuple(warnings))
    )


def _plain_text_warning(text: str) -> str:
    if _URL.match(text):
        return "plain text: the input is an address; pass the page itself"
    return "plain text: the input has no tags"


def check_encoding(label: str) -> str:
    """The name of the encoding that a label stands for; an error if browsers know none."""
    try:
        return turbohtml.parse(b"", encoding=label).encoding or label
    except (LookupError, ValueError) as error:
        raise OptionError(
            f"unknown encoding {label!r}: use a WHATWG label such as utf-8, windows-1252 or shift_jis"
        ) from error


def guess_language(text: str) -> tuple[str, float]:
    """ISO 639-3 code of the language a text seems to be written in, and how sure that is; empty and 0 if unknown."""
    match = turbohtml.detect.detect_language(text)
    return match.language or "", match.confidence


def build_tree(markup: str | bytes, encoding: str | None = None) -> turbohtml.Document:
    if isinstance(markup, bytes) and len(markup) >= _LARGE and _can_be_fed(markup, encoding):
        return _fed(markup)
    return turbohtml.parse(
        markup,
        encoding=encoding,
        detect_encoding=True,
        positions=False,
        allow_declarative_shadow_roots=False,  # their templates stay in the tree, where they are known as visible
    )


def _can_be_fed(markup: bytes, encoding: str | None) -> bool:
    """Whether pieces of a page give the same tree as all of it: it is declared as UTF-8, which it is, without a mark,
    and has no declarative shadow roots, which a parser that is fed does not keep as templates."""
    head = turbohtml.parse(markup[:_PRESCAN], encoding=encoding, detect_encoding=True)  # or it is guessed
    is_declared = head.encoding == "UTF-8" and head.encoding_confidence == "certain"
    if markup.startswith(codecs.BOM_UTF8) or not is_declared:
        return False
    # Piece by piece: a copy of the whole page would leave a hole in memory that the parser does not fill again.
    starts = range(0, len(markup), _PIECE)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in starts:
            decoder.decode(markup[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return not any(_SHADOW in markup[start : start + _PIECE + len(_SHADOW)].lower() for start in starts)


def _fed(markup: bytes) -> turbohtml.Document:
    """The tree of a page fed in pieces: of a whole one the parser keeps the source, at up to four bytes a letter."""
    parser = turbohtml.IncrementalParser(positions=False)
    for start in range(0, len(markup), _PIECE):
        parser.feed(markup[start : start + _PIECE])
    return parser.close()


def _decode(markup: str | bytes, encoding: str | None) -> str:
    return markup if isinstance(markup, str) else str(markup, f"whatwg-{encoding or 'utf-8'}")


def _list_nodes(document: turbohtml.Document, limits: Limits) -> tuple[NodeList, list[str]]:
    """All nodes, and warnings about what was left out."""
    listing = _walk(document, limits)
    warnings = []
    if listing.is_cut or _holds_markup(listing):
        nesting = parse_nested(document, limits.node_budget(len(listing.text)))
        if nesting.found:
            listing = _walk(document, limits)
        if nesting.is_cut:
            warnings.append(f"truncated: pages inside pages were read {_MAX_NESTED_DOCUMENTS} levels deep")
        if nesting.is_spent:
            warnings.append("truncated: pages inside pages were not read to their end (max_nodes or max_memory)")
    if listing.is_cut:
        warnings.append(f"truncated: only the first {limits.max_nodes} nodes were read (max_nodes)")
    if listing.most_attributes > limits.max_attributes:
        warnings.append(f"truncated: only {limits.max_attributes} attributes per element were read (max_attributes)")
    return listing, warnings


def _holds_markup(listing: NodeList) -> bool:
    codes = listing.tag.tobytes()
    names = [name for name in _NESTING if TAG_CODES[name] in codes]  # often none, which is quick to see
    return bool(names) and any(_inner_markup(listing.handles[node]) for name in names for node in places(codes, name))


def _walk(document: turbohtml.Document, limits: Limits) -> NodeList:
    return kernel.read_nodes(document, stylish_elements(document), KINDS, FLAGS_OF_TAGS, limits.max_nodes)


def stylish_elements(document: turbohtml.Document) -> list[Handle]:
    """The elements that say how they are shown, which a walk must know."""
    return document.select(_SELECTORS[STYLING])


class InnerPages(NamedTuple):
    """Whether there were pages inside the page, and whether some were left unread."""

    found: bool
    is_cut: bool  # they are nested too deeply
    is_spent: bool  # they have too many nodes


def parse_nested(document: turbohtml.Document, budget: int) -> InnerPages:
    """Replace markup that is kept as text by the tree it stands for, as long as there is room for its nodes."""
    pending: list[tuple[Handle, int]] = [(document, 0)]
    found = is_cut = is_spent = False
    while pending:
        root, level = pending.pop()
        for holder in root.select("iframe[srcdoc],noframes,textarea"):
            markup = _inner_markup(holder)
            if not markup:
                continue
            if level == _MAX_NESTED_DOCUMENTS:
                is_cut = True
                break
            length = kernel.affordable_length(markup, budget, kernel.survey(markup))
            is_spent |= length < len(markup)
            nested = build_tree(markup[:length]).root
            if nested is not None:
                budget = max(0, budget - len(nested.select("*")))
                holder.clear()
                holder.append(nested)
                found = True
                pending.append((nested, level + 1))
    return InnerPages(found, is_cut, is_spent)


def _inner_markup(holder: Handle) -> str:
    """The markup that an element keeps as text; empty if it keeps none."""
    if holder.tag == "iframe":
        return str(holder.attr("srcdoc") or "")
    text = str(holder.text)
    return "" if holder.tag == "textarea" and not _MARKUP_TEXT.match(text) else text


@dataclass(frozen=True, eq=False)
class ParsedTree:
    """What later questions about a page are answered from."""

    markup: str | bytes
    encoding: str | None
    handles: list[Handle]
    attribute_counts: Bytes
    limits: Limits

    def name(self, node: int) -> str:
        return str(self.handles[node].tag)

    @cached_property
    def carriers(self) -> dict[tuple[str, ...], Bytes]:
        """Whether each node has one of a group of attributes, for the groups that were asked for."""
        return {}

    @cached_property
    def _carrying(self) -> dict[tuple[str, ...], Ints]:
        """The numbers of these nodes, for the groups that were asked for."""
        return {}

    @cached_property
    def _classes(self) -> list[str | None]:
        """What nodes say in their attribute ``class``, as far as it was asked: names, tables and outputs all do."""
        return [UNASKED] * len(self.handles)

    def attribute(self, nodes: Ints, name: str) -> list[str | None]:
        if name == "class":
            return kernel.class_column(self.handles, nodes, self.attribute_counts, self._classes)
        # Once it is known who has an attribute, there is no need to ask the others.
        is_known = name in _GROUPS and (_GROUPS[name] in self.carriers or len(nodes) > _MANY)
        carried = self._carriers_of(name) if is_known else self.attribute_counts
        return kernel.attribute_column(self.handles, nodes, name, carried)

    def carrying(self, name: str) -> Ints:
        group = _group_of(name)
        if group not in self._carrying:
            found = (self._carriers_of(name) != 0).nonzero()[0]  # truths are searched more quickly than numbers
            found.setflags(write=False)
            self._carrying[group] = found
        return self._carrying[group]

    def said(self, name: str, nodes: Ints) -> dict[int, str]:
        carried = self.carriers.get(_group_of(name), self.attribute_counts)
        return kernel.carried_values(self.handles, nodes, name, carried)

    def _carriers_of(self, name: str) -> Bytes:
        group = _group_of(name)
        if group not in self.carriers:
            self.carriers[group] = kernel.carried(self.handles, self.handles[0].select(_SELECTORS[group]))
        return self.carriers[group]

    def select(self, selector: str) -> list[int]:
        try:
            matching = self.handles[0].select(selector)
        except ValueError as error:
            raise OptionError(f"{selector!r} is not a CSS selector: {error}") from error
        return kernel.node_numbers(self.handles, matching)

    def names(self, nodes: Ints) -> list[str]:
        carried = self.carriers.get(_GROUPS["id"], self.attribute_counts)  # few are asked: it need not be known
        return kernel.called(self.handles, nodes, self.attribute_counts, carried, self._classes)

    def code(self, node: int) -> str:
        handle = self.handles[node]
        if handle is None:
            return ""
        return str(handle.data) if isinstance(handle, turbohtml.Comment) else "".join(handle.strings)

    def attributes(self, node: int) -> dict[str, str]:
        handle = self.handles[node]
        if not isinstance(handle, turbohtml.Element):
            return {}
        items = itertools.islice(handle.attrs.items(), self.limits.max_attributes)
        return {name: " ".join(value) if isinstance(value, list) else value or "" for name, value in items}

    def source(self) -> str:
        markup = kernel.without_nuls(_decode(self.markup, self.encoding).removeprefix("\ufeff"))
        return _LINE_END.sub("\n", markup) if "\r" in markup else markup

    def count(self, text: str) -> int:
        """How often a text without line ends stands in the source."""
        markup = _decode(self.markup, self.encoding)
        return kernel.occurrences(self.source() if "\0" in markup else markup.removeprefix("\ufeff"), text)

    def scan(self, source: str) -> SourceEvents:
        return _scan(sniff.without_raw_pictures(source))

    def parse_again(self, markup: str) -> str:
        """The text of a variant of the source."""
        document = build_tree(markup)
        parse_nested(document, self.limits.node_budget(len(markup)))
        return kernel.read_nodes(document, [], KINDS, FLAGS_OF_TAGS, self.limits.max_nodes).text  # flags do not matter


def _group_of(name: str) -> tuple[str, ...]:
    if name not in _GROUPS:
        raise OptionError(f"who has {name!r} is not looked up: ask attribute(), or one of {', '.join(_GROUPS)}")
    return _GROUPS[name]


def _scan(markup: str, level: int = 0) -> SourceEvents:
    """What the tokeniser sees. Elements whose content it takes for text, but we parse, are scanned inside."""
    from tamis.page.source.kernel import kernel as source_kernel  # which most pages never need

    markup = source_kernel.without_nameless_ends(markup)
    tokens = turbohtml.tokenize(markup, resolve_references=False, capture_source=True, capture_attributes=False)
    kinds, lengths, values, raw = source_kernel.read_events(tokens, _EVENT_KINDS, _RAW_NAMES)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    inner = []
    for position in raw:
        if kinds[position] == OPENING_EVENT:
            last = _text_end(kinds, position + 1)
            if values[position] in CODE_NAMES:
                kinds[position + 1 : last] = OTHER_EVENT
            elif last > position + 1 and level < _MAX_NESTED_DOCUMENTS:
                inner.append((position + 1, last))
        if values[position] in CODE_NAMES:
            kinds[position] = OTHER_EVENT
    events = SourceEvents(kinds, starts, ends, values)
    parts, done = [], 0
    for first, last in inner:
        content = markup[starts[first] : ends[last - 1]]
        if values[first - 1] != "textarea" or _MARKUP_TEXT.match(content):
            parts += [events.part(done, first), _scan(content, level + 1).moved(int(starts[first]))]
            done = last
    return SourceEvents.joined([*parts, events.part(done, len(kinds))]) if parts else events


def _text_end(kinds: Ints, position: int) -> int:
    """The first event from a position on that is no text."""
    while position < len(kinds) and kinds[position] == TEXT_EVENT:
        position += 1
    return position
