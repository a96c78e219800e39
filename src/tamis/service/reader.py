"""The reader view: the main content of a page and nothing else, set to be read; no scripts, and no loads elsewhere."""

from __future__ import annotations

import base64
import dataclasses
import functools
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tamis import extractors, registry, urls
from tamis.evaluation.words import compare_words
from tamis.page.model import Page
from tamis.results import Extraction
from tamis.service.operations import Extract, Operation, extract, status_headers
from tamis.service.problems import Answer, ProblemError

READER = "reader"
"""The form for people; programs name a format of the outputs."""
_FOLDER = Path(__file__).parent / "templates"
_WORDS_PER_MINUTE = 230  # Brysbaert (2019) has 238 for English prose read silently; ours is a little less
_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he iw ks ku-arab nqo pa-arab ps sd syr ug ur yi".split())
_LINK = re.compile(r'<a href="(https?:[^"]*)">')
_IMAGE = re.compile(r'<img src="([^"]*)"')
_FORMULA = re.compile(r'<span class="math">\\[(\[](.*?)\\[)\]]</span>', re.DOTALL)
_CODE = re.compile(r"<pre(?=[ >])")
_TABLE = re.compile(r"(<table>\n)|(</table>\n?)")
_FIRST_HEADING = re.compile(r"\s*<h1[^>]*>(.*?)</h1>\s*", re.DOTALL)

Rewrite = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class Read:
    """A page that somebody wants to read."""

    html: str | None = None
    url: str | None = None  # of the page
    method: str = extractors.DEFAULT  # how the content is found; /api/methods lists all extractors
    options: dict[str, Any] = field(default_factory=dict)
    format: str = READER
    output: dict[str, Any] = field(default_factory=dict)
    keep: str | None = None
    drop: str | None = None

    def __post_init__(self) -> None:
        registry.make_options("extractors", self.method, self.options)
        if self.format != READER:
            self.as_extract()  # which checks the rest

    def as_extract(self) -> Extract:
        """The same, as a program asks for it."""
        return Extract(**{one.name: getattr(self, one.name) for one in dataclasses.fields(self)})


def read(request: Read, page: Page) -> Answer:
    """A page in the form that is asked for.

    In the reader view links lead to reader views again, and images come from the service.
    """
    if request.format != READER:
        return extract(request.as_extract(), page)
    extraction = extractors.extract(page, request.method, keep=request.keep, drop=request.drop, **request.options)
    return linked_view(extraction, "" if request.method == extractors.DEFAULT else request.method)


def linked_view(extraction: Extraction, method: str = "") -> Answer:
    """A reader view whose links lead to reader views again, by the same method if it is not the default."""
    asked = f"&method={quote(method)}" if method else ""

    def link(address: str) -> str:
        return f"/read?url={quote(address, safe='')}{asked}"

    return view(extraction, link=link, image=lambda address: f"/image?url={quote(address, safe='')}", field=method)


def view(
    extraction: Extraction, *, link: Rewrite, image: Rewrite, images_from: str = "'self'", field: str | None = None
) -> Answer:
    """The reader view of an extraction; ``link`` and ``image`` say where the addresses in it lead to.

    With ``field`` it has a way to the original and a field for the next URL, which is read by the method of that name.
    """
    content = _LINK.sub(lambda found: f'<a href="{escape(link(unescape(found[1])))}">', extraction.html)
    content = _IMAGE.sub(lambda found: _image(unescape(found[1]), image), content)
    content = _FORMULA.sub(r'<span class="math">\1</span>', content)
    content = _CODE.sub('<pre tabindex="0"', _TABLE.sub(_framed, content))  # both scroll, also by keyboard
    metadata, page = extraction.metadata, extraction.shown.page
    heading, content = _heading(content, metadata.title or "")
    language = metadata.language or ""
    minutes = round(len(compare_words(extraction.text)) / _WORDS_PER_MINUTE)
    body = _render(
        "reader.html",
        title=metadata.title or page.url or "Untitled",
        heading=heading,
        authors=", ".join(metadata.authors),
        date=(metadata.date or "")[:10],
        site=metadata.site_name or urls.host(page.url),
        minutes=minutes,
        language=language,
        direction=direction(page, language),
        content=content,
        url=page.url if field is not None and (page.url or "").startswith(("http://", "https://")) else "",
        field=field is not None,
        asked_method=field or "",
        method=extraction.made.method,
        warnings=extraction.warnings,
    )
    headers = {"Content-Security-Policy": policy(images_from), **status_headers(extraction)}
    return Answer(200, "text/html", body.encode("utf-8", "replace"), headers)


def front_page(sending: str = "") -> Answer:
    """A page with a field for the URL of the page to read, and a bookmarklet that posts the page one is at.

    ``sending`` is the address that the bookmarklet posts to; without it there is none.
    """
    body = _render(
        "address.html",
        title="Read a page",
        language="en",
        direction="ltr",
        sending=sending,
        bookmarklet=_bookmarklet(sending),
    )
    return Answer(200, "text/html", body.encode(), {"Content-Security-Policy": policy("'self'")})


def problem_page(error: ProblemError, url: str = "", *, field: bool = False) -> Answer:
    """A problem, for people; with ``field`` they can name another page."""
    document = error.answer
    body = _render(
        "problem.html",
        title="This page cannot be shown",
        language="en",
        direction="ltr",
        detail=error.detail[:1_000],
        url=url if url.startswith(("http://", "https://")) else "",
        field=field,
        asked_method="",
    )
    headers = {**document.headers, "Content-Security-Policy": policy("'self'")}
    return Answer(document.status, "text/html", body.encode("utf-8", "replace"), headers)


def direction(page: Page, language: str) -> str:
    """``rtl`` or ``ltr``: what the page says, or else what its language is written in."""
    for name in ("html", "body"):
        for node in page.select(name)[:1]:
            said = page.attributes(node).get("dir", "").strip().lower()
            if said in ("ltr", "rtl"):
                return said
    language = language.lower()
    return "rtl" if language in _RIGHT_TO_LEFT or language.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


@functools.cache
def policy(images_from: str) -> str:
    """What a browser may do with a reader view: show it in the one style that it holds."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src {images_from} data:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )


def _bookmarklet(sending: str) -> str:
    """A ``javascript:`` URL that posts the page as the browser has it, in a form of a new tab."""
    if not sending:
        return ""
    program = (_FOLDER / "bookmarklet.js").read_text(encoding="utf-8").replace("$SENDING", sending)
    return "javascript:" + quote(" ".join(program.split()))


def _heading(content: str, title: str) -> tuple[str, str]:
    """The heading in markup, and the content without it; the title of the page if the content has none of its own."""
    if found := _FIRST_HEADING.match(content):
        return found[1], content[found.end() :]
    return ("" if "<h1" in content else escape(title)), content


def _image(address: str, image: Rewrite) -> str:
    served = image(address) if address.startswith(("http://", "https://")) else address
    return f'<img loading="lazy" decoding="async" src="{escape(served)}"'


def _framed(found: re.Match[str]) -> str:
    """A table in a frame in which it can scroll."""
    return (
        '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n' if found[1] else "</table></div>\n"
    )


@functools.cache
def _style() -> str:
    return (_FOLDER / "reader.css").read_text(encoding="utf-8")


@functools.cache
def _templates() -> Any:
    import jinja2

    loader = jinja2.FileSystemLoader(_FOLDER)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)


def _render(template: str, **values: Any) -> str:
    rendered: str = _templates().get_template(template).render(style=_style(), **values)
    return rendered


OPERATIONS = {"read": Operation(Read, read, "A page to read, for people or programs.")}
