"""Pages written as twenty years ago: the same text, no names, tables for layout, line breaks for paragraphs.

Most labelled pages are of today, but the web is not. A page whose gold text is known is therefore learned from twice,
as it is and aged: its boxes lose what today's markup says of them, so that the model cannot rely on it alone. With
aged pages, two transformers that had not seen a dataset found its content better (0.902 to 0.914, mean of six datasets
of today), and aged pages of these datasets, too (0.862 to 0.888).
"""

from __future__ import annotations

import random
import re

Markup = tuple[str, str]  # what a start tag becomes, with a place for attributes, and what an end tag becomes

_PARTS = re.compile(
    r"<!--.*?-->"
    r"|<(?P<raw>script|style|noscript|textarea|title|template)\b.*?</(?P=raw)\s*>"
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL | re.IGNORECASE,
)
_KEPT = re.compile(
    r"\s(?:href|src|alt|title|hidden|colspan|rowspan|type|name|content|property|rel|lang|value|style)(?=[\s=/>])"
    r"(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?",
    re.IGNORECASE,
)
_PAGE_PARTS = ("main", "article", "section", "header", "footer", "nav", "aside")
_BOXES = (*_PAGE_PARTS, "figure", "figcaption", "hgroup", "address", "details", "summary", "picture")
_RAW_KEPT = ("title", "textarea", "style")
_DIV: Markup = ("<div{}>", "</div>")
_CELL: Markup = ("<table width=100%><tr><td{}>", "</td></tr></table>")


def aged(html: str, seed: str) -> str:
    """A page in old markup; which of the old habits it shows depends on the seed alone.

    >>> aged("<main id=m><h1 class=a>On moths</h1><p>They fly.</p></main>", "1")
    '<table width=100%><tr><td><p><font size=6><b>On moths</b></font></p><p>They fly.</p></td></tr></table>'
    """
    if html.lstrip()[:5] == "<?xml":
        return html  # end tags are counted there
    chance = random.Random(seed)  # noqa: S311 (nothing is secret)
    becomes = _habits(chance)
    loses_names = chance.random() < 0.7

    def part(found: re.Match[str]) -> str:
        name = (found["name"] or "").lower()
        if not name:
            return found[0] if (found["raw"] or "").lower() in _RAW_KEPT else ""
        start, end = becomes.get(name, (f"<{name}{{}}>", f"</{name}>"))
        if found["end"]:
            return end
        attributes = "".join(_KEPT.findall(found["attributes"] + " ")) if loses_names else found["attributes"]
        return start.replace("{}", attributes)

    return _PARTS.sub(part, html)


def _habits(chance: random.Random) -> dict[str, Markup]:
    """What tags become on a page; the shares are ours, not swept."""
    becomes = dict.fromkeys(_BOXES, _DIV) | dict.fromkeys(("time", "mark"), ("<span{}>", "</span>"))
    layout = chance.random()
    if layout < 0.6:
        becomes |= dict.fromkeys(_PAGE_PARTS, _CELL)
    if layout < 0.3:
        becomes |= dict.fromkeys((*_BOXES, "div"), _CELL)
    if chance.random() < 0.5:
        font = chance.random() < 0.5
        for level in range(1, 7):
            becomes[f"h{level}"] = (
                (f"<p><font size={6 - level // 2}><b>", "</b></font></p>") if font else ("<b>", "</b><br>")
            )
    if chance.random() < 0.4:
        becomes["p"] = ("", "<br><br>")
    if chance.random() < 0.4:
        becomes |= {"ul": ("", ""), "ol": ("", ""), "li": ("", "<br>" if chance.random() < 0.7 else " | ")}
    if chance.random() < 0.5:
        becomes |= {"strong": ("<b>", "</b>"), "em": ("<i>", "</i>")}
    return becomes
