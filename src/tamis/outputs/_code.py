"""Code on a page: where it is, in which language, and what stands around it that is no code.

Highlighters split code over spans, lines and rows of tables, put line numbers beside it and buttons on top of it. They
are told by the names of their classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tamis.outputs._code_language import LANGUAGE, is_button, language_labels
from tamis.outputs._holders import Holders
from tamis.outputs._twin import kernel
from tamis.page.html import TAG_CODES, bits, mask
from tamis.page.model import FOREIGN, PREFORMATTED, Page
from tamis.page.text import Bools, Ints, collapse

# Names that highlighters give to line numbers: Pygments, Rouge, Chroma, SyntaxHighlighter, Crayon, Prism, hljs, GitHub.
_GUTTERS = frozenset(
    "blob-num crayon-nums gutter hljs-ln-line hljs-ln-n hljs-ln-numbers line-number line-numbers line-numbers-rows "
    "linenos lineno linenodiv linenumber linenumbers linenum linenums lines-number ln lnt lntd lnum rouge-gutter "
    "react-syntax-highlighter-line-number code-line-number line_numbers line-num codeblock-line-number".split()
)
_CODE_CELLS = frozenset("blob-code blob-code-inner code crayon-code hljs-ln-code lntd rouge-code".split())
_BUTTONS = frozenset({"button", "clipboard-copy"})
_MAY_BE_BUTTON = mask("button", "#other")
_COPYING = re.compile("copy|clipboard", re.IGNORECASE)  # in the classes of what serves as a button
_LONGEST_BUTTON = 30  # characters; the longest of the texts above has 20
_LONGEST_BUTTON_SOURCE = 200  # the same with the white space of the markup
_CODE, _DIV, _PRE, _HOLDS_LINES = TAG_CODES["code"], TAG_CODES["div"], TAG_CODES["pre"], mask("code", "pre")
# Lines of Shiki, Prism, Docusaurus, highlight.js and others.
_LINES = frozenset({"line", "code-line", "token-line", "hljs-line", "cl"})
_CODE_LINE = re.compile(
    r"^\s*(?:</?[a-zA-Z!]|//|/\*|#include|#!|\$ |>>> |@\w+\{)"
    r"|^\s*(?:import|from|def|class|function|const|let|var|return)\b.*[:;({)]\s*$"
    r"|[{}]\s*;?\s*$|\)\s*;\s*$|\w\s*[:+-]?=\s*\S.*;\s*$|^\s*[\w.-]+\s*[=:]\s*[\[{\"'\d]"
)
_FEWEST_LINES = 2
_CODE_SHARE = 0.3  # of the lines that must look like code; continued lines and comments do not


_SIGNS = bits("code", "pre", "td", "th")  # one of them stands around kept text that is code
_NONE = np.zeros(0, dtype=np.int64)


class Code(NamedTuple):
    """What is known of the code on a page."""

    clutter: Bools | None  # line numbers and copy buttons, with everything below them
    roots: Ints  # elements that hold code without saying so: tables with line numbers, ``code`` with lines
    line_starts: Ints  # elements that begin a line without a line end before them


def find_code(holders: Holders) -> Code:
    """What is known of the code around kept text."""
    page, nodes = holders.page, holders.page.nodes
    if not holders.names & _SIGNS and not nodes.has("pre"):  # beside a ``pre`` that was dropped may be a button
        return Code(None, _NONE, _NONE)
    cells = _NONE
    if holders.has("table"):
        cells = np.flatnonzero(nodes.named("td", "th"))
    gutters = _named_gutters(page, cells)
    if len(gutters):
        is_kept = nodes.inside(nodes.marked(holders.named("table")))
        cells, gutters = cells[is_kept[cells]], gutters[is_kept[gutters]]
    line_starts, roots = _NONE, _NONE
    if holders.has("code", "pre"):
        line_starts = _line_starts(page)
    if holders.has("code") and (bare := _bare_codes(page)):
        breaks = np.flatnonzero(nodes.marked(line_starts) | nodes.named("br"))
        is_broken = np.searchsorted(breaks, nodes.end[bare]) > np.searchsorted(breaks, bare)
        lines = [node for node, broken in zip(bare, is_broken.tolist(), strict=True) if _has_lines(page, node, broken)]
        roots = np.flatnonzero(nodes.marked(lines) | nodes.marked(_line_holders(page, bare)))
    if len(gutters):
        tables = nodes.nearest(nodes.named("table"))
        is_code = nodes.marked(tables[gutters]) & nodes.marked(tables[_code_cells(page, cells)])
        roots = np.flatnonzero(nodes.marked(roots) | is_code)
        gutters = gutters[np.isin(tables[gutters], roots) | nodes.inside(nodes.named("pre"))[gutters]]
    clutter = gutters
    if nodes.has("pre"):
        is_pre = nodes.named("pre")
        inside = holders.named("a", "div", "i", "li", "ol", "span")
        inside = inside[nodes.inside(is_pre)[inside]]
        clutter = np.concatenate((gutters, _named_gutters(page, inside), _buttons(holders), language_labels(page)))
    if not len(clutter):
        return Code(None, roots, line_starts)
    return Code(nodes.inside(nodes.marked(clutter)), roots, line_starts)


def looks_like_code(text: str) -> bool:
    """Whether a text without a name is code: a good part of its lines ends or begins as lines of code do.

    >>> looks_like_code('<iframe src="x"></iframe>'), looks_like_code("Smith (2001). On sieves;\\nPress.")
    (True, False)
    """
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(_CODE_LINE.search(line) is not None for line in lines) >= max(1, len(lines) * _CODE_SHARE)


def _bare_codes(page: Page) -> list[int]:
    nodes = page.nodes
    return np.flatnonzero(nodes.named("code") & ((nodes.flags & (PREFORMATTED | FOREIGN)) == 0)).tolist()


def _named_gutters(page: Page, places: Ints) -> Ints:
    """Those of some elements that are called line numbers, and hold nothing else."""
    # Most hold more, which is quicker to see than what they are called.
    places = kernel.numbers_alone(page.text, page.nodes.text_start, page.nodes.text_end, places)
    found: Ints = places[kernel.with_words(page.attribute(places, "class"), _GUTTERS)] if len(places) else places
    return found


def _code_cells(page: Page, cells: Ints) -> Ints:
    chosen: Ints = cells[kernel.with_words(page.attribute(cells, "class"), _CODE_CELLS)]
    return chosen


def _buttons(holders: Holders) -> Ints:
    """Buttons to copy code, with text that is kept: in a ``pre``, or beside one."""
    page, nodes = holders.page, holders.page.nodes
    is_short = nodes.text_end[holders.node] - nodes.text_start[holders.node] < _LONGEST_BUTTON_SOURCE
    is_named = _MAY_BE_BUTTON[holders.tag]
    copying = {classes for classes in set(holders.classes) if classes and _COPYING.search(classes)}
    serves: Bools = np.zeros(len(holders.node), dtype=np.bool_)
    if copying:
        serves[:] = [classes in copying for classes in holders.classes]
    if buttons := [node for node, role in holders.roles.items() if role == "button"]:
        serves[np.searchsorted(holders.node, np.array(buttons, dtype=np.int64))] = True
    places = np.flatnonzero(is_short & (is_named | serves)).tolist()
    if not places:
        return _NONE
    pres = np.cumsum(nodes.named("pre"))
    found = []
    for place in places:
        node = int(holders.node[place])
        name = page.name(node)
        if name not in _BUTTONS and not serves[place]:
            continue
        text = collapse(page.node_text(node))
        if len(text) > _LONGEST_BUTTON:
            continue
        above = int(nodes.parent[node])
        has_code_beside = any(
            pres[nodes.end[place] - 1] > pres[place] or nodes.flags[place] & PREFORMATTED
            for place in (above, int(nodes.parent[above]))
        )
        in_code = bool(nodes.flags[above] & PREFORMATTED)
        if has_code_beside and (is_button(text) or (in_code and name == "button")):
            found.append(node)
    return np.array(found, dtype=np.int64)


def _has_lines(page: Page, node: int, is_broken: bool) -> bool:
    """Whether a ``code`` outside of ``pre`` is shown line by line; ``is_broken`` says that a line begins in it."""
    if is_broken:
        return _is_alone(page, node)
    if "\n" not in page.node_text(node).strip():
        return False
    attributes = page.attributes(node)
    if "white-space" in attributes.get("style", ""):
        return True
    classes = attributes.get("class", "")
    return bool(LANGUAGE.search(classes) or "hljs" in classes or "block" in classes)


def _line_holders(page: Page, codes: list[int]) -> Ints:
    """Elements that hold lines of code and nothing else: each line a ``code`` in a ``div`` of its own."""
    nodes, flow = page.nodes, page.flow
    if len(codes) < _FEWEST_LINES:
        return _NONE
    others = np.zeros(len(nodes) + 1, dtype=np.int64)  # characters before each node that are seen and in no code
    np.cumsum(flow.characters * ~nodes.inside(nodes.marked(codes)), out=others[1:])
    lines = page.blocks.node[nodes.tag[page.blocks.node] == _DIV]
    ends = nodes.end[lines]
    lines = lines[(others[ends] == others[lines]) & (flow.seen[ends] > flow.seen[lines])]
    if len(lines) < _FEWEST_LINES:
        return _NONE
    holders, counts = np.unique(nodes.parent[lines], return_counts=True)
    is_code = others[nodes.end[holders]] == others[holders]
    found: Ints = holders[(counts >= _FEWEST_LINES) & is_code & (nodes.tag[holders] == _DIV)]
    return found


def _is_alone(page: Page, node: int) -> bool:
    """Whether nothing is seen beside an element in its paragraph."""
    flow, end = page.flow, int(page.nodes.end[node])
    runs = flow.run[node:end][flow.characters[node:end] > 0]
    if not len(runs):
        return False
    around = (flow.run >= runs[0]) & (flow.run <= runs[-1])
    return int(flow.characters[around].sum()) == int(flow.characters[node:end].sum())


def _line_starts(page: Page) -> Ints:
    """Elements that are lines of code without a line end between them and the line before."""
    nodes = page.nodes
    inner = np.flatnonzero(nodes.named("code", "span"))
    inner = inner[_HOLDS_LINES[nodes.tag[nodes.parent[inner]]]]
    if len(inner) < 2:
        return _NONE
    lines = inner[kernel.with_words(page.attribute(inner, "class"), _LINES)]
    codes = inner[(nodes.tag[inner] == _CODE) & (nodes.tag[nodes.parent[inner]] == _PRE)]
    found = {*_unbroken(page, lines.tolist()), *_unbroken(page, codes.tolist(), glued=True)}
    return np.array(sorted(found), dtype=np.int64)


def _unbroken(page: Page, lines: list[int], *, glued: bool = False) -> Iterator[int]:
    """Those of some elements, each a line of code, between which and the one before is no line end.

    With ``glued`` there must be no blank either.
    """
    if len(lines) < 2:
        return
    nodes = page.nodes
    holders, breaks = nodes.nearest(nodes.named("code", "pre")), np.cumsum(nodes.named("br"))
    last = 0
    for node in lines:
        if node < nodes.end[last] * (last > 0):
            continue
        is_next = last > 0 and holders[nodes.parent[node]] == holders[nodes.parent[last]]
        if is_next and breaks[node] == breaks[last]:
            between = page.text[nodes.text_start[last] : nodes.text_start[node]]
            gap = between[nodes.text_end[last] - nodes.text_start[last] :]
            if not between.endswith("\n") and not gap.strip() and not (glued and gap):
                yield node
        last = node
