"""The annotator over HTTP: its page, the pictures of the pages at work, and what people say about them.

Pages that are annotated never reach the browser as markup: it gets a picture and rectangles, and texts as text.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamis.errors import OptionError, TamisError
from tamis.service import annotating, selecting
from tamis.service.annotating import PageSet
from tamis.service.answers import respond
from tamis.service.bodies import read_body
from tamis.service.problems import ProblemError, as_problem
from tamis.service.security import Guard
from tamis.service.settings import Settings
from tamis.service.static import own_page, static_files
from tamis.stored import DamageError
from tamis.stored.documents import parse_json

Endpoint = Callable[[Request], Awaitable[Response]]


def create_annotator(settings: Settings, pages: PageSet, annotator: str = "") -> Starlette:
    """The annotator of a set of pages as an ASGI application; the name is what the page proposes."""
    routes = [
        Route("/", _home, methods=["GET"]),
        Route("/api/set", _told(lambda asked: overview(pages, asked, annotator)), methods=["GET"]),
        Route("/api/page", _told(lambda asked: annotating.shown(pages, *_both(asked, "id", "annotator")))),
        Route("/api/text", _told(lambda asked: {"blocks": selecting.texts(pages.sheet(asked.get("id", "")))})),
        Route("/api/agreement", _told(lambda asked: annotating.compared(pages, *_both(asked, "first", "second")))),
        Route("/api/picture", functools.partial(_picture, pages), methods=["GET"]),
        Route("/api/inside", _kept(settings, lambda values: {"nodes": _inside(pages, values)}), methods=["POST"]),
        Route("/api/select", _kept(settings, lambda values: selecting.selected(pages, values)), methods=["POST"]),
        Route("/api/annotations", _kept(settings, lambda values: annotating.keep(pages, values)), methods=["POST"]),
        static_files(),
    ]
    handlers: Any = {TamisError: _problem, ProblemError: _problem}
    return Starlette(routes=routes, exception_handlers=handlers, middleware=[Middleware(Guard, settings=settings)])


def overview(pages: PageSet, asked: Mapping[str, str], proposed: str) -> dict[str, Any]:
    """The set as the annotator who asks sees it."""
    name = asked.get("annotator", "") or proposed
    return {"annotator": name, **annotating.overview(pages, name)}


async def _home(_: Request) -> Response:
    return own_page("annotator/index.html")


async def _picture(pages: PageSet, request: Request) -> Response:
    sheet = await run_in_threadpool(pages.sheet, request.query_params.get("id", ""))
    if sheet.screenshot is None:
        raise ProblemError(404, "picture", sheet.warning)
    return Response(sheet.screenshot, media_type="image/png")


def _told(tell: Callable[[Mapping[str, str]], dict[str, Any]]) -> Endpoint:
    async def answer(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(tell, dict(request.query_params)))

    return answer


def _kept(settings: Settings, keep: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Endpoint:
    async def answer(request: Request) -> Response:
        body = await read_body(request, settings)
        try:
            values = parse_json(body)
        except DamageError as error:
            raise ProblemError(400, "json", f"the body is not JSON: it {error}") from error
        if not isinstance(values, dict):
            raise ProblemError(422, "json", "the body is not a JSON object")
        return JSONResponse(await run_in_threadpool(keep, values))

    return answer


def _inside(pages: PageSet, values: Mapping[str, Any]) -> list[int]:
    rectangles = annotating.read_rectangles(values.get("rectangles", []))
    return annotating.inside(pages, str(values.get("page", "")), rectangles)


def _both(asked: Mapping[str, str], first: str, second: str) -> tuple[str, str]:
    for name in (first, second):
        if not asked.get(name):
            raise OptionError(f"{name} is missing in the URL")
    return asked[first], asked[second]


async def _problem(_: Request, error: Exception) -> Response:
    return respond(as_problem(error).answer)
