"""Code on a page: where it is, in which language, and what stands around it that is no code.

Highlighters split code over spans, lines and rows of tables, put line numbers beside it and buttons on top of it. They
are told by the names of their classes.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis.page.model import FOREIGN, PREFORMATTED, Page
from tamis.page.text import Bools, Ints, collapse

# Names that highlighters give to line numbers: Pygments, Rouge, Chroma, SyntaxHighlighter, Crayon, Prism, hljs, GitHub.
_GUTTERS = frozenset(
    "blob-num crayon-nums gutter hljs-ln-line hljs-ln-n hljs-ln-numbers line-number line-numbers line-numbers-rows "
    "linenos lineno linenodiv linenumber linenumbers linenum linenums lines-number ln lnt lntd lnum rouge-gutter "
    "react-syntax-highlighter-line-number code-line-number line_numbers line-num codeblock-line-number".split()
)
_CODE_CELLS = frozenset("blob-code blob-code-inner code crayon-code hljs-ln-code lntd rouge-code".split())
_BUTTON_TEXT = re.compile(
    r"(?:copy|copied|copier|kopieren|copiar|copia|kopiëren|复制|複製|コピー|복사|копировать)\W*"
    r"(?:code|to clipboard|snippet|代码|代碼|do clipboard)?\W*",
    re.IGNORECASE,
)
_LONGEST_BUTTON = 30  # characters; the longest of the texts above has 20
_NUMBERS = re.compile(r"[\d\s.:|]*")
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-(?:source-|text-)?|src-)([\w.+#-]+)", re.ASCII)
_NO_LANGUAGES = frozenset("default none plain plaintext text txt nohighlight no-highlight auto unknown".split())
_LANGUAGES = frozenset(
    "asm awk bash basic batch bat c clojure cmake cpp c++ csharp cs c# css csv d dart delphi diff dockerfile elixir "
    "elm erlang f# fortran fsharp go golang graphql groovy haskell hcl html http ini java javascript js json jsx julia "
    "kotlin latex less lisp lua makefile markdown matlab nginx nim nix objectivec objc ocaml pascal perl php "
    "powershell prolog proto python py python3 r racket ruby rb rust rs scala scheme scss sh shell sql swift tcl tex "
    "toml ts tsx typescript vb vbnet verilog vhdl vim vue xml yaml yml zig zsh".split()
)
_LANGUAGE_HOLDERS = 3  # elements around a ``pre`` that may name its language: wrapper, figure, widget


class Code(NamedTuple):
    """What is known of the code on a page."""

    clutter: Bools | None  # line numbers and copy buttons, with everything below them
    roots: (
        Ints  # elements that hold code without saying so by their name: tables with line numbers, ``code`` with lines
    )


def find_code(page: Page) -> Code:
    nodes = page.nodes
    cells = np.flatnonzero(nodes.named("td", "th"))
    gutters = _named_gutters(page, cells)
    is_pre = nodes.named("pre")
    roots = np.array([node for node in _bare_codes(page) if _has_lines(page, node)], dtype=np.int64)
    if len(gutters):
        tables = nodes.nearest(nodes.named("table"))
        roots = np.union1d(roots, np.intersect1d(tables[gutters], tables[_code_cells(page, cells)]))
        gutters = gutters[np.isin(tables[gutters], roots) | nodes.inside(is_pre)[gutters]]
    clutter = gutters
    if is_pre.any():
        inside = np.flatnonzero(nodes.inside(is_pre) & nodes.named("a", "div", "i", "li", "ol", "span"))
        clutter = np.concatenate((gutters, _named_gutters(page, inside), _buttons(page)))
    if not len(clutter):
        return Code(None, roots)
    marked = np.zeros(len(nodes), dtype=np.bool_)
    marked[clutter] = True
    return Code(nodes.inside(marked), roots)


def _bare_codes(page: Page) -> list[int]:
    nodes = page.nodes
    return np.flatnonzero(nodes.named("code") & ((nodes.flags & (PREFORMATTED | FOREIGN)) == 0)).tolist()


def code_language(page: Page, node: int) -> str:
    """The language that a ``pre``, the ``code`` in it, or a wrapper around it is said to be in."""
    nodes = page.nodes
    last = min(int(nodes.end[node]), node + 8)  # the ``code`` is near the beginning, or there is none
    inner = [below for below in range(node + 1, last) if page.name(below) == "code"][:1]
    around: list[int] = []
    above = int(nodes.parent[node])
    while above > 0 and len(around) < _LANGUAGE_HOLDERS and page.name(above) in ("div", "figure", "td", "span"):
        around.append(above)
        above = int(nodes.parent[above])
    for place in (node, *inner, *around):
        attributes = page.attributes(place)
        for name in ("data-lang", "data-language"):
            if language := _accepted(attributes.get(name, "")):
                return language
        classes = attributes.get("class", "")
        found = _LANGUAGE.search(classes)
        if found and (language := _accepted(found[1])):
            return language
        bare = [word for word in classes.lower().split() if word in _LANGUAGES]
        if bare and (place not in around or _is_highlighter(classes)):
            return bare[0]
    return ""


def _accepted(language: str) -> str:
    language = language.strip().lower()
    return language if re.fullmatch(r"[\w.+#-]{1,30}", language, re.ASCII) and language not in _NO_LANGUAGES else ""


def _is_highlighter(classes: str) -> bool:
    return any(word in classes.lower() for word in ("highlight", "code", "syntax", "src", "listing"))


def _named_gutters(page: Page, places: Ints) -> Ints:
    """Those of some elements that are called line numbers, and hold nothing else."""
    found = []
    for node, classes in zip(places.tolist(), page.attribute(places, "class"), strict=True):
        if classes and not _GUTTERS.isdisjoint(classes.split()) and _NUMBERS.fullmatch(page.node_text(node)):
            found.append(node)
    return np.array(found, dtype=np.int64)


def _code_cells(page: Page, cells: Ints) -> Ints:
    classes = page.attribute(cells, "class")
    return cells[[bool(names) and not _CODE_CELLS.isdisjoint(names.split()) for names in map(_text, classes)]]


def _text(value: str | None) -> str:
    return value or ""


def _buttons(page: Page) -> Ints:
    """Buttons to copy code: in a ``pre``, or beside one."""
    nodes = page.nodes
    pres = np.cumsum(nodes.named("pre"))
    found = []
    for node in page.select('button, [role="button"], [class*="copy" i], [class*="clipboard" i], clipboard-copy'):
        above = int(nodes.parent[node])
        text = collapse(page.node_text(node)) if nodes.text_end[node] - nodes.text_start[node] < 200 else None
        if text is None or len(text) > _LONGEST_BUTTON:
            continue
        has_code_beside = any(
            pres[nodes.end[place] - 1] > pres[place] or nodes.flags[place] & PREFORMATTED
            for place in (above, int(nodes.parent[above]))
        )
        in_code = bool(nodes.flags[above] & PREFORMATTED)
        if has_code_beside and (_BUTTON_TEXT.fullmatch(text) or (in_code and page.name(node) == "button")):
            found.append(node)
    return np.array(found, dtype=np.int64)


def _has_lines(page: Page, node: int) -> bool:
    """Whether a ``code`` outside of ``pre`` is shown line by line."""
    if "\n" not in page.node_text(node).strip():
        return False
    attributes = page.attributes(node)
    if "white-space" in attributes.get("style", ""):
        return True
    classes = attributes.get("class", "")
    return bool(_LANGUAGE.search(classes) or "hljs" in classes or "block" in classes)
