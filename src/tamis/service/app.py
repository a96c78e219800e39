"""The service as an application of the web: what is asked where, and who answers.

    app = create_app(Settings(token="..."))

``app.state.service`` is what the routes share. Work on pages goes to worker processes: ``service.perform`` names an
operation of ``operations.py`` and hands on the bytes of the request as they are.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ExceptionHandler

from tamis.errors import TamisError
from tamis.service import inspector_requests, metrics, reader_requests
from tamis.service.answers import respond
from tamis.service.batch_requests import BatchResponse
from tamis.service.bodies import read_body
from tamis.service.observer import Observer
from tamis.service.operations import OPERATIONS, Nothing
from tamis.service.problems import ProblemError, as_problem, problem
from tamis.service.security import Guard
from tamis.service.settings import Settings
from tamis.service.shared import IMAGE_TYPES, Service, service_of
from tamis.service.static import own_page, static_files

__all__ = ["create_app"]

Endpoint = Callable[[Request], Awaitable[Response]]


def create_app(settings: Settings) -> Starlette:
    """The service as an ASGI application."""
    return assemble(Service(settings), _routes())


def assemble(service: Service, routes: Sequence[BaseRoute], *middleware: Middleware) -> Starlette:
    """An application with these routes behind the guard; the middleware stands before it."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        service.pool.start()
        yield
        await service.close()

    handlers: dict[Any, ExceptionHandler] = {
        HTTPException: _http_problem,
        TamisError: _tamis_problem,
        ProblemError: _tamis_problem,
    }
    watching = Middleware(Observer, metrics=service.metrics)
    guarding = Middleware(Guard, settings=service.settings)
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers=handlers,
        middleware=[watching, *middleware, guarding],
    )
    app.state.service = service
    return app


def _routes() -> list[BaseRoute]:
    asked = [name for name, operation in OPERATIONS.items() if operation.request is not Nothing]
    told = [name for name in OPERATIONS if name not in asked]
    return [
        Route("/", _page("inspector"), methods=["GET"]),
        Route("/demo", _page("inspector"), methods=["GET"]),  # with the tour
        Route("/api", _page("api"), methods=["GET"]),
        *(
            Route(f"/api/{name}", _operation(name), methods=["POST"])
            for name in (*asked, *inspector_requests.OPERATIONS)
        ),
        *(Route(f"/api/{name}", _document(name), methods=["GET"]) for name in told),
        Route("/api/batch", _batch, methods=["POST"]),
        *reading_routes(),
        static_files(),
    ]


def reading_routes() -> list[BaseRoute]:
    """The reader view and the images in it, and what tells how the service is; the proxy has them as well."""
    return [
        *reader_requests.routes(),
        Route("/image", _image, methods=["GET"]),
        Route("/healthz", _health, methods=["GET"]),
        Route("/metrics", _metrics, methods=["GET"]),
    ]


def _page(folder: str) -> Endpoint:
    async def answer(_: Request) -> Response:
        return own_page(f"{folder}/index.html")

    return answer


def _operation(name: str) -> Endpoint:
    async def answer(request: Request) -> Response:
        service = service_of(request)
        service.pool.check_place()  # before the body is read
        body = await read_body(request, service.settings)
        content_type = request.headers.get("content-type", "")
        return respond(await service.perform(name, body, content_type, request.query_params))

    return answer


def _document(name: str) -> Endpoint:
    async def answer(request: Request) -> Response:
        return respond(await service_of(request).perform(name, b"{}"))

    return answer


async def _batch(request: Request) -> BatchResponse:
    service = service_of(request)
    service.pool.check_place()
    return BatchResponse(request, service.settings, lambda line: service.perform("extract", line))


async def _image(request: Request) -> Response:
    fetched = await service_of(request).images.fetch(request.query_params.get("url", ""))
    if fetched.truncated or fetched.content_type not in IMAGE_TYPES:
        raise ProblemError(502, "image", "the response is too large, or not an image")
    headers = {"Content-Type": fetched.content_type, "Cache-Control": "private, max-age=3600"}
    return Response(fetched.body, headers=headers)


async def _health(_: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _metrics(request: Request) -> Response:
    service = service_of(request)
    return PlainTextResponse(service.metrics.text(service.pool), media_type=metrics.MEDIA_TYPE)


async def _tamis_problem(_: Request, error: Exception) -> Response:
    return respond(as_problem(error).answer)


async def _http_problem(request: Request, error: Exception) -> Response:
    """What the router says of addresses and methods it does not know."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    places = [getattr(route, "path", "") for route in request.app.routes]
    where = "/api/openapi.json" if "/api/openapi.json" in places else "/read"  # a proxy has no API
    detail = f"{request.method} {request.url.path} is answered by nothing: see {where} for what there is"
    headers = getattr(error, "headers", None)
    return respond(problem(status, "not-found" if status == 404 else "request", detail, headers))
