"""HTML: minimal and sanitised, with no element, attribute or address that could run anything."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tamis.outputs._directions import Directions
from tamis.outputs._events import BREAK, CLOSE, FORMULA, IMAGE, OPEN, PARAGRAPHS, TEXT, Event
from tamis.outputs._lists import list_start, number
from tamis.outputs._options import Options, reduced
from tamis.outputs._structure import content_images, page_formulas
from tamis.outputs._title import stream
from tamis.page.model import Page
from tamis.results import Extraction

# Their first paragraph needs no element of its own.
_TEXT_HOLDERS = frozenset("caption dd dt figcaption figure li summary td th".split())
_BLOCK_HOLDERS = frozenset("blockquote details dl ol table tbody tfoot thead tr ul".split())
_LINES = PARAGRAPHS | _TEXT_HOLDERS | _BLOCK_HOLDERS
_BOXES = {"x": '<input type="checkbox" disabled checked> ', " ": '<input type="checkbox" disabled> '}
_DEFAULT = Options()


def render(extraction: Extraction, options: Options | None = None) -> str:
    chosen = options or _DEFAULT
    if options is not None:
        extraction = reduced(extraction, options)
    return write(extraction.page, stream(extraction, chosen), links=chosen.links)


def images(extraction: Extraction) -> tuple[str, ...]:
    """The addresses of the images that are written, each once; those that show a formula are none."""
    found = [(node, image.address) for node, image in content_images(extraction).items() if image.name == "img"]
    if not found:  # whether there are formulas takes longer
        return ()
    formulas = [range(formula.node, formula.end) for formula in page_formulas(extraction)]
    return tuple(dict.fromkeys(address for node, address in found if not any(node in nodes for nodes in formulas)))


def write(page: Page, found: Iterable[Event], *, links: bool) -> str:
    """Events as HTML."""
    parts: list[str] = []
    directions = Directions(page)
    before = Event(CLOSE)
    is_bare = False  # the paragraph that is open has no tags
    for event in found:
        kind, name = event.kind, event.name
        if kind == TEXT:
            parts.append(_escaped(event.text))
        elif kind == BREAK:
            parts.append("<br>\n")
        elif kind == IMAGE:
            parts.append(_image(event, links))
        elif kind == FORMULA:
            marks = (r"\[", r"\]") if name == "display" else (r"\(", r"\)")
            parts.append(f'<span class="math">{marks[0]}{_escaped(event.text)}{marks[1]}</span>')
        elif (
            name == "p" and kind == OPEN and before.kind == OPEN and before.name in _TEXT_HOLDERS and not event.address
        ):
            is_bare = True
        elif name == "p" and kind == CLOSE and is_bare:
            is_bare = False
        elif name == "a" and not links:
            pass
        elif kind == OPEN:
            direction = directions.open(event) if name in _LINES else ""
            parts.append(_directed(_opening(page, event), name, direction) if direction else _opening(page, event))
        else:
            parts.append(_closing(name))
            if name in _LINES:
                directions.close()
        before = event
    return "".join(parts).rstrip("\n")


def _directed(opening: str, name: str, direction: str) -> str:
    return opening.replace(f"<{name}", f'<{name} dir="{direction}"', 1)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _opening(page: Page, event: Event) -> str:
    name = event.name
    if name == "a":
        return f'<a href="{escape(event.address)}">'
    if name in ("td", "th"):
        columns = f' colspan="{event.span.columns}"' if event.span.columns > 1 else ""
        rows = f' rowspan="{event.span.rows}"' if event.span.rows > 1 else ""
        return f"<{name}{columns}{rows}>"
    if name == "pre":
        return f'<pre class="language-{escape(event.text)}">' if event.text else "<pre>"
    if event.address:
        return f'<{name} id="{escape(event.address[1:])}">'
    if name == "li":
        value = number(page.attributes(event.node).get("value"), -1)
        opening = f'<li value="{value}">' if value >= 0 else "<li>"
        return opening + _BOXES.get(event.text, "")
    if name == "ol" and (start := list_start(page, event.node)) != 1:
        return f'<ol start="{start}">\n'
    return f"<{name}>\n" if name in _BLOCK_HOLDERS else f"<{name}>"


def _closing(name: str) -> str:
    if name == "hr":
        return "\n"
    return f"</{name}>\n" if name in _LINES else f"</{name}>"


def _image(event: Event, links: bool) -> str:
    address, text = escape(event.address), escape(event.text)
    if event.name == "img":
        return f'<img src="{address}" alt="{text}">'
    return f'<a href="{address}">{text}</a>' if links else text
