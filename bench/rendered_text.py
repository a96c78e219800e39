"""All text of a page as a reader sees it, from the parser's own tree: a plain twin of what Tamis says is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import turbohtml

from tamis.page.html import INLINE_NAMES

_SILENT = frozenset(
    "annotation annotation-xml audio canvas datalist desc head iframe noembed noframes rp script style template title "
    "video".split()
)
_GUTTER = re.compile(r"\bline-?(?:no|num)", re.IGNORECASE)  # numbers beside code stand apart from it
_HIDING_STYLE = re.compile("(?:^|;)(?:display:none|visibility:(?:hidden|collapse))")
_PICTURES = ("math", "svg")  # what is in them is one line
_IN_PICTURES = ("annotation", "annotation-xml", "desc")
_UNSEEN = re.compile("[\xad\u200b\u2060\ufeff]")


def rendered_text(page: str) -> str:
    """All text of a page with a blank wherever an element other than an inline one begins or ends: a plain twin."""
    parts: list[str] = []
    pending: list[Any] = [turbohtml.parse(page, detect_encoding=True)]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
        elif type(node) in (turbohtml.Text, turbohtml.CData):
            parts.append(node.data)
        elif type(node) is turbohtml.Element and node.tag in ("iframe", "noframes", "textarea") and _inner_markup(node):
            parts.append(f" {rendered_text(_inner_markup(node))} ")
        elif type(node) is turbohtml.Element and (node.tag in _SILENT or _is_hidden(node)):
            parts.append("" if node.tag in INLINE_NAMES or node.tag in _IN_PICTURES else " ")
        elif type(node) is turbohtml.Element:
            is_inline = node.tag in INLINE_NAMES - {"br"} or any(
                above.tag in _PICTURES for above in elements_above(node)
            )
            border = "" if is_inline and not _GUTTER.search(str(node.attr("class"))) else " "
            pending += [border, *reversed(list(node.children)), border]
        elif type(node) is turbohtml.Document:
            pending += reversed(list(node.children))
    return _UNSEEN.sub("", "".join(parts))


def _is_hidden(node: Any) -> bool:
    if type(node) is not turbohtml.Element or node.tag in ("body", "html"):
        return False
    style = (node.attr("style") or "").lower().replace(" ", "")
    is_streamed = re.fullmatch("S:[0-9a-f]+", node.attr("id") or "") is not None  # scripts put it in its place
    return (
        (node.attr("hidden") is not None and not is_streamed)
        or (node.attr("aria-hidden") or "").lower() == "true"
        or _HIDING_STYLE.search(style) is not None
    )


def _inner_markup(node: Any) -> str:
    markup = node.attr("srcdoc") if node.tag == "iframe" else node.text
    return markup if markup and re.match(r"\s*<[a-zA-Z!][^<]*>", markup) else ""


def elements_above(node: Any) -> Iterator[Any]:
    """The elements around a node of the parser, from the inside out."""
    return (above for above in node.ancestors if hasattr(above, "tag"))
