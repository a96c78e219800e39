"""What the proxy does to a page: replaces it by its reader view, or marks, hides or moves its clutter."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from tamis import extractors, registry
from tamis.errors import OptionError, UnknownNameError
from tamis.extractors import keep_all
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.results import Extraction
from tamis.service import reader
from tamis.service.operations import Operation, check_output, status_headers
from tamis.service.problems import Answer
from tamis.sites import bootstrap

READER = "extract"
MODES = (READER, "mark", "hide", "delete", "replace", "restructure")
"""The reader view, and the formats that give the whole page back."""
POLICY = (
    "default-src 'none'; img-src http: https: data:; media-src http: https: data:; style-src http: https: "
    "'unsafe-inline'; font-src http: https: data:; form-action http: https:; base-uri http: https:"
)
"""For whole pages: they keep their looks, and nothing in them runs."""


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """How pages are changed on their way; the page itself comes later."""

    html: str | None = None
    url: str | None = None
    mode: str = READER
    method: str = extractors.DEFAULT
    options: dict[str, Any] = field(default_factory=dict)
    output: dict[str, Any] = field(default_factory=dict)  # how the modes hide and replace treat what is not kept
    template: str | None = None  # how a template is learned from pages like this one; then the method is the fallback
    others: tuple[dict[str, Any], ...] = ()  # these pages, see ``Neighbour``; they come with the page
    reverse: bool = False  # the reader view of the reverse form: its links lead to reader views again

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, MODES)
        if self.output and self.mode == READER:
            raise OptionError(f"the reader view has no options, but {', '.join(self.output)} is given")
        if self.output:
            check_output(self.mode, self.output)
        if self.template is not None:
            registry.load("templates", self.template)
        registry.make_options("extractors", self.method, self.options)


def treat(request: Treatment, page: Page) -> Answer:
    """The page as a mode wants it."""
    extraction = _extracted(request, page)
    if request.reverse:
        return reader.linked_view(extraction)
    if request.mode == READER:
        return reader.view(extraction, link=_same, image=_same, images_from="http: https:")
    # Of a login form or an error message nothing is content; but who browses wants to see it.
    written = extraction if extraction.wall is None else keep_all.extract(page, keep_all.Options())
    body = written.render(request.mode, **request.output).encode("utf-8", "replace")
    headers = {"Content-Security-Policy": POLICY, **status_headers(extraction)}
    return Answer(200, "text/html", body, headers)


def _extracted(request: Treatment, page: Page) -> Extraction:
    if request.template is None:
        return extractors.extract(page, request.method, **request.options)
    others = [parse(base64.b64decode(one["body"]), one["url"], encoding=one["encoding"]) for one in request.others]
    options = bootstrap.Options(template=request.template, fallback=request.method)
    return bootstrap.extract_among([page, *others], options)


def _same(address: str) -> str:
    return address


OPERATIONS = {"treat": Operation(Treatment, treat, "A page on its way through the proxy.")}
