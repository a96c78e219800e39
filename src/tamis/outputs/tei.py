"""TEI: a document of the Text Encoding Initiative (P5), with the metadata in its header."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from tamis import urls
from tamis.outputs._events import BLOCKS, BREAK, FORMULA, IMAGE, OPEN, PARAGRAPHS, TEXT, Event
from tamis.outputs._options import Options, reduced
from tamis.outputs._title import stream
from tamis.page.html import HEADINGS
from tamis.results import Extraction

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_INLINES = {
    "a": "ref",
    "code": "code",
    "kbd": "code",
    "samp": "code",
    "q": "q",
    "del": "del",
    "s": "del",
    "cite": "title",
}
_BLOCKS = {
    "blockquote": "<quote>",
    "figure": "<figure>",
    "ol": '<list rend="numbered">',
    "ul": '<list rend="bulleted">',
    "dl": '<list rend="gloss">',
    "li": "<item>",
    "dt": '<item rend="term">',
    "dd": '<item rend="description">',
    "table": "<table>",
    "tr": "<row>",
}
"""Blocks that have an element of their own; the others only say of their paragraphs what they are."""
_ONLY_ITEMS = frozenset({"dl", "ol", "ul"})
_ONLY_ROWS = frozenset({"caption", "table"})
_DEFAULT = Options()


def render(extraction: Extraction, options: Options | None = None) -> str:
    chosen = options or _DEFAULT
    if options is not None:
        extraction = reduced(extraction, options)
    writer = _Writer(links=chosen.links)
    for event in stream(extraction, chosen):
        writer.take(event)
    body = writer.finish()
    language = extraction.metadata.language or ""
    attribute = f' xml:lang="{language}"' if _LANGUAGE.fullmatch(language) else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"{_header(extraction)}<text{attribute}>\n<body>\n{body}</body>\n</text>\n</TEI>\n"
    )


def _header(extraction: Extraction) -> str:
    metadata = extraction.metadata
    authors = "".join(f"<author>{_text(author)}</author>\n" for author in metadata.authors)
    date = f"<date>{_text(metadata.date)}</date>" if metadata.date else ""
    site = f"<publisher>{_text(metadata.site_name)}</publisher>" if metadata.site_name else ""
    published = f"{site}{date}" if site else f"<p>{_text(metadata.date or 'no publisher is known')}</p>"
    url = urls.resolve(metadata.url or extraction.page.url, "")
    source = f"<ptr target={_attribute(url)}/>" if url else "a web page without an address"
    abstract = metadata.description
    profile = f"<profileDesc><abstract><p>{_text(abstract)}</p></abstract></profileDesc>\n" if abstract else ""
    version = f' version="{_text(extraction.made.version)}"' if extraction.made.version else ' version="0"'
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt>\n<title>{_text(metadata.title or '')}</title>\n{authors}</titleStmt>\n"
        f"<publicationStmt>{published}</publicationStmt>\n<sourceDesc><p>{source}</p></sourceDesc>\n</fileDesc>\n"
        f'<encodingDesc><appInfo><application ident="tamis"{version}><label>Tamis</label></application></appInfo>'
        f"</encodingDesc>\n{profile}</teiHeader>\n"
    )


class _Writer:
    """Sections begin at headings that stand in no other block; what is in a block never begins one."""

    def __init__(self, *, links: bool) -> None:
        self._links = links
        self._parts: list[str] = []
        self._path: list[Event] = []  # blocks that are open
        self._closings: list[str] = []  # what closes each of them
        self._has_rows: list[bool] = []  # for each table that is open: a caption before the first row is its head
        self._is_section_open = False
        self._paragraph_closing = ""
        self._is_code = False

    def take(self, event: Event) -> None:
        kind, name = event.kind, event.name
        if kind == TEXT:
            self._parts.append(_text(event.text))
        elif kind == BREAK:
            self._parts.append("<lb/>")
        elif kind == FORMULA:
            self._parts.append(f'<formula notation="TeX" rend="{name}">{_text(event.text)}</formula>')
        elif kind == IMAGE:
            self._parts.append(self._image(event))
        elif name in PARAGRAPHS:
            self._open_paragraph(event) if kind == OPEN else self._parts.append(self._paragraph_closing)
        elif name == "hr":
            if kind == OPEN:
                self._open_section()
                self._parts += self._wrapped('<milestone unit="section" rend="rule"/>\n', "")
        elif name in BLOCKS:
            self._open_block(event) if kind == OPEN else self._close_block()
        elif not self._is_code or name not in ("code", "kbd", "samp"):
            self._parts.append(self._inline(event))

    def finish(self) -> str:
        self._close_section()
        return "".join(self._parts) or "<div><p/></div>\n"

    def _open_section(self) -> None:
        if not self._path and not self._is_section_open:
            self._parts.append("<div>\n")
            self._is_section_open = True

    def _close_section(self) -> None:
        if self._is_section_open:
            self._parts.append("</div>\n")
        self._is_section_open = False

    def _open_paragraph(self, event: Event) -> None:
        name, around = event.name, self._path[-1].name if self._path else ""
        rend = name if name in HEADINGS else around if around in ("caption", "figcaption", "summary") else ""
        identity = f' xml:id="{event.address[1:]}"' if event.address else ""
        self._is_code = name == "pre"
        if name in HEADINGS and not self._path:
            self._close_section()
            self._open_section()
            opening, closing = f'<head rend="{name}"{identity}>', "</head>\n"
        elif around == "caption" and not self._has_rows[-1]:
            opening, closing = f'<head rend="{rend}"{identity}>', "</head>\n"
        else:
            self._open_section()
            rend_attribute = f' rend="{rend}"' if rend else ""
            opening, closing = f"<p{rend_attribute}{identity}>", "</p>\n"
        if self._is_code:
            language = f" lang={_attribute(event.text)}" if event.text else ""
            opening, closing = f'{opening}<code rend="block" xml:space="preserve"{language}>', f"</code>{closing}"
        if not opening.startswith("<head"):
            opening, closing = self._wrapped(opening, closing)
        self._parts.append(opening)
        self._paragraph_closing = closing

    def _wrapped(self, opening: str, closing: str) -> tuple[str, str]:
        """The tags of a block, inside of what alone may stand where the walk is."""
        around = self._path[-1].name if self._path else ""
        if around in _ONLY_ITEMS:
            return f"<item>{opening}", f"{closing}</item>\n"
        if around in _ONLY_ROWS:
            self._has_rows[-1] = True
            return f"<row><cell>{opening}", f"{closing}</cell></row>\n"
        return opening, closing

    def _open_block(self, event: Event) -> None:
        name, around = event.name, self._path[-1].name if self._path else ""
        self._open_section()
        if name == "tr":
            self._has_rows[-1] = True
        opening, closing = _BLOCKS.get(name, ""), ""
        if name in ("td", "th"):
            role = ' role="label"' if name == "th" else ""
            columns = f' cols="{event.span.columns}"' if event.span.columns > 1 else ""
            rows = f' rows="{event.span.rows}"' if event.span.rows > 1 else ""
            opening = f"<cell{role}{columns}{rows}>"
        elif event.address and opening:
            opening = f'{opening[:-1]} xml:id="{event.address[1:]}">'
        if opening:
            closing = f"</{opening[1:-1].split()[0]}>\n"
        if opening and name not in ("li", "dd", "dt", "tr", "td", "th"):
            opening, closing = self._wrapped(opening, closing)
        if name == "table":
            self._has_rows.append(False)
        self._parts.append(opening)
        # What has no element of its own is not around its content either, except to say what its paragraphs are.
        says = opening or name in ("caption", "figcaption", "summary")
        self._path.append(event if says else event._replace(name=around))
        self._closings.append(closing)

    def _close_block(self) -> None:
        if self._path.pop().name == "table" and self._closings[-1]:
            self._has_rows.pop()
        self._parts.append(self._closings.pop())

    def _inline(self, event: Event) -> str:
        name = _INLINES.get(event.name, "hi")
        if event.name == "a" and not self._links:
            return ""
        if event.kind != OPEN:
            return f"</{name}>"
        if name == "ref":
            return f"<ref target={_attribute(event.address)}>"
        return f'<hi rend="{event.name}">' if name == "hi" else f"<{name}>"

    def _image(self, event: Event) -> str:
        if event.name != "img":
            return (
                f"<ref target={_attribute(event.address)}>{_text(event.text)}</ref>"
                if self._links
                else _text(event.text)
            )
        description = f"<desc>{_text(event.text)}</desc>" if event.text else ""
        return f"<graphic url={_attribute(event.address)}>{description}</graphic>"


def _text(text: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _attribute(value: str) -> str:
    return str(quoteattr(_NOT_IN_XML.sub("\ufffd", value)))
