"""Pages to read, by their URL or from the browser that shows them: for people as a reader view, for programs as text.

    GET /read?url=https://example.org/     GET /https://example.org/     POST /read (a page, or a form with one)

The Accept header says in which form: a browser gets the reader view, ``curl`` gets Markdown. ``format`` in the query of
``/read`` overrides it.
"""

from __future__ import annotations

import re

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tamis.errors import TamisError
from tamis.service import negotiation, problems, reader
from tamis.service.answers import respond
from tamis.service.bodies import read_body
from tamis.service.negotiation import FORMS
from tamis.service.performing import FORM
from tamis.service.problems import Answer, ProblemError, as_problem
from tamis.service.reader import READER
from tamis.service.security import reading_key
from tamis.service.shared import Service, service_of

_SCHEME = re.compile(rb"(https?):/{1,2}", re.IGNORECASE)  # programs on the way may make one slash of two

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|\Z)")  # what people type where a scheme is missing


class PageUrl(Convertor[str]):
    """A path that is the URL of a page."""

    regex = r"(?i:https?):/{1,2}[^/].*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page_url", PageUrl())


def routes() -> list[BaseRoute]:
    """Where pages to read are asked for."""
    return [
        Route("/read", read, methods=["GET"]),
        Route("/read", read_sent, methods=["POST"]),
        Route("/{url:page_url}", _read_path, methods=["GET"]),
    ]


async def read(request: Request) -> Response:
    """The page at the ``url`` of the query; people who name none get a field for it."""
    asked = dict(request.query_params)
    form = asked.pop("format", None) or _wanted(request)
    if form == READER and not asked.get("url"):
        return respond(_front_page(request))
    if "url" in asked:
        asked["url"] = _with_scheme(asked["url"].strip())
    return await _answered(request, form, asked)


async def read_sent(request: Request) -> Response:
    """A page that is sent: as the body with its ``url`` in the query, or in a form with the fields url and html."""
    asked = dict(request.query_params)
    form = asked.pop("format", None) or _wanted(request)
    return await _answered(request, form, asked, is_sent=True)


async def _read_path(request: Request) -> Response:
    """The page whose URL is the path; its query belongs to it."""
    path, query = request.scope["raw_path"].partition(b"?")[0].lstrip(b"/"), request.scope["query_string"]
    url = _SCHEME.sub(rb"\1://", path, count=1) + (b"?" + query if query else b"")
    return await _answered(request, _wanted(request), {"url": url.decode("latin-1")})


async def _answered(request: Request, form: str, asked: dict[str, str], *, is_sent: bool = False) -> Response:
    try:
        answer = await (_sent if is_sent else _fetched)(request, form, asked)
        if answer.media_type == problems.MEDIA_TYPE:
            raise problems.read_problem(answer)
    except (ProblemError, TamisError) as error:
        found = as_problem(error)
        answer = reader.problem_page(found, asked.get("url", ""), field=True) if form == READER else found.answer
    return respond(answer._replace(headers={**answer.headers, "Vary": "Accept"}))


async def _fetched(request: Request, form: str, asked: dict[str, str]) -> Answer:
    if "html" in asked:
        raise ProblemError(422, "option", "GET takes only a url: remove html, or send it by POST")
    if not asked.get("url"):
        raise ProblemError(422, "no-page", "there is no page: request /read?url=https://…")
    return await _perform(service_of(request), form, asked)


async def _sent(request: Request, form: str, asked: dict[str, str]) -> Answer:
    service = service_of(request)
    service.pool.check_place()  # before the body is read
    body = await read_body(request, service.settings)
    return await _perform(service, form, asked, body, request.headers.get("content-type", ""))


async def _perform(
    service: Service, form: str, asked: dict[str, str], body: bytes = b"", content_type: str = FORM
) -> Answer:
    fetches = service.reading if form == READER else service.fetches
    return await service.perform("read", body, content_type, {**asked, "format": form}, fetches=fetches)


def _wanted(request: Request) -> str:
    form = negotiation.wanted(", ".join(request.headers.getlist("accept")))
    if form is None:
        raise ProblemError(406, "accept", f"/read has the formats {', '.join(FORMS)}: accept one of them")
    return form


def _with_scheme(typed: str) -> str:
    """A URL as people type it; one without a scheme is taken for https.

    >>> _with_scheme("example.org/news"), _with_scheme("http://example.org"), _with_scheme("news")
    ('https://example.org/news', 'http://example.org', 'news')
    """
    return f"https://{typed}" if _HOST.match(typed) else typed


def _front_page(request: Request) -> Answer:
    settings = service_of(request).settings
    if not settings.token:
        return reader.front_page()
    home = f"{request.url.scheme}://{request.headers['host']}"
    return reader.front_page(f"{home}/read?key={reading_key(settings.token)}")
