"""In which language code is written, and the labels beside it that say so to readers."""

from __future__ import annotations

import re
from bisect import bisect_left

import numpy as np

from tamis.page.html import HEADINGS, mask
from tamis.page.model import INVISIBLE, Page
from tamis.page.text import Ints, collapse

_BUTTON_TEXT = re.compile(
    r"(?:copy|copied|copier|kopieren|copiar|copia|kopiëren|复制|複製|コピー|복사|копировать)\W*"
    r"(?:code|to clipboard|snippet|代码|代碼|do clipboard)?\W*",
    re.IGNORECASE,
)
LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?[-:]|brush:\s*|highlight-(?:source-|text-)?|src-)([\w.+#-]+)", re.ASCII)
_NAME = re.compile(r"[\w.+#-]{1,30}", re.ASCII)
_NO_LANGUAGES = frozenset("default none plain plaintext text txt nohighlight no-highlight auto unknown".split())
_LANGUAGES = frozenset(
    "asm awk bash basic batch bat c clojure cmake cpp c++ csharp cs c# css csv d dart delphi diff dockerfile elixir "
    "elm erlang f# fortran fsharp go golang graphql groovy haskell hcl html http ini java javascript js json jsx julia "
    "kotlin latex less lisp lua makefile markdown matlab nginx nim nix objectivec objc ocaml pascal perl php "
    "powershell prolog proto python py python3 r racket ruby rb rust rs scala scheme scss sh shell sql swift tcl tex "
    "toml ts tsx typescript vb vbnet verilog vhdl vim vue xml yaml yml zig zsh".split()
)
_LANGUAGE_HOLDERS = 3  # elements around a ``pre`` that may name its language: wrapper, figure, widget
_LANGUAGE_PARTS = 4  # ``code`` and ``pre`` in a table of lines: the first may be the line numbers
_GRAMMAR = re.compile("-basic$|-gfm$")  # how the grammar differs, after the language
_LABELS = _LANGUAGES | {"c/c++", "console", "jsonc", "objective-c", "plain text", "plaintext", "shell session", "text"}
_LABEL_HOLDERS = 3  # elements around a ``pre`` in which its label may stand: code block, header, widget
_PARTS = mask("code", "pre")
_WRAPPERS = mask("#other", "div", "figure", "span")
_OWN_TEXTS = mask(*HEADINGS, "dt", "figcaption", "li", "p", "summary", "td", "th")


def code_language(page: Page, node: int) -> str:
    """The language that a ``pre``, the ``code`` in it, or a wrapper around it is said to be in."""
    nodes = page.nodes
    parts = _PARTS[nodes.tag[node + 1 : nodes.end.item(node)]]
    inner = (np.flatnonzero(parts)[:_LANGUAGE_PARTS] + node + 1).tolist()
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
        found = LANGUAGE.search(classes)
        if found and (language := _accepted(_GRAMMAR.sub("", found[1]))):
            return language
        bare = [word for word in classes.lower().split() if word in _LANGUAGES]
        if bare and (place not in around or _is_highlighter(classes)):
            return bare[0]
    return ""


def _accepted(language: str) -> str:
    language = language.strip().lower()
    return language if _NAME.fullmatch(language) and language not in _NO_LANGUAGES else ""


def _is_highlighter(classes: str) -> bool:
    return any(word in classes.lower() for word in ("highlight", "code", "syntax", "src", "listing"))


def is_button(text: str) -> bool:
    """Whether a text is that of a button to copy code."""
    return _BUTTON_TEXT.fullmatch(text) is not None


def language_labels(page: Page) -> Ints:
    """Texts right before code, in an element with nothing else, that only name its language."""
    nodes = page.nodes
    pres = np.flatnonzero(nodes.named("pre")).tolist()
    texts = nodes.visible_texts.tolist()
    own = nodes.inside(_OWN_TEXTS[nodes.tag] & ((nodes.flags & INVISIBLE) == 0))
    found: list[int] = []
    for pre in pres:
        above = int(nodes.parent[pre])
        for _ in range(_LABEL_HOLDERS):
            is_wrapper = _WRAPPERS[nodes.tag[above]]
            if not is_wrapper or bisect_left(pres, int(nodes.end[above])) - bisect_left(pres, above) > 1:
                break
            said = _labels(page, texts[bisect_left(texts, above) : bisect_left(texts, pre)])
            if said is None:
                break
            if said:
                if own[above] or not own[said].any():
                    found += said
                break
            above = int(nodes.parent[above])
    return np.array(found, dtype=np.int64)


def _labels(page: Page, texts: list[int]) -> list[int] | None:
    """Those of some texts that name a language; None if one of them says something else and is on no button."""
    found = []
    for text in texts:
        words = collapse(page.node_text(text)).lower()
        if words and not is_button(words):
            if words not in _LABELS:
                return None
            found.append(text)
    return found
