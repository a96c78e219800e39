"""The service as an application of the web: what is asked where, and who answers.

    app = create_app(Settings(token="..."))

``app.state.service`` is what the routes share. Work on pages goes to worker processes: ``service.perform`` names an
operation of ``operations.py`` and hands on the bytes of the request as they are.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
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
from tamis.fetching.http import Options as FetchOptions
from tamis.service import inspector_requests, metrics, problems, reader
from tamis.service.answers import respond
from tamis.service.batch import BatchResponse
from tamis.service.bodies import read_body
from tamis.service.fetches import Fetches
from tamis.service.jobs import Pool
from tamis.service.observer import Observer
from tamis.service.operations import JSON, OPERATIONS, Nothing
from tamis.service.problems import Answer, ProblemError, as_problem, problem
from tamis.service.security import Guard
from tamis.service.settings import Settings
from tamis.service.static import own_page, static_files

Endpoint = Callable[[Request], Awaitable[Response]]
IMAGE_TYPES = tuple(
    f"image/{kind}" for kind in "apng avif bmp gif jpeg jpg png svg+xml vnd.microsoft.icon webp x-icon".split()
)


class Service:
    """What all requests share: the workers, the fetcher, the counts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(workers=settings.workers, queue=settings.queue, timeout_seconds=settings.timeout_seconds)
        self.metrics = metrics.Metrics()

        private = settings.allow_private
        # Programs are polite and obey robots.txt; what a person reads is fetched as by a browser.
        self.fetches = Fetches(FetchOptions(allow_private=private))
        self.reading = Fetches(FetchOptions(allow_private=private, respect_robots=False, delay_seconds=0.0))
        self.images = Fetches(
            FetchOptions(
                allow_private=private, respect_robots=False, delay_seconds=0.0, retries=0, content_types=IMAGE_TYPES
            )
        )

    async def perform(
        self,
        operation: str,
        body: bytes = b"",
        content_type: str = JSON,
        query: Mapping[str, str] = {},
        *,
        fetches: Fetches | None = None,
    ) -> Answer:
        """Have an operation done by a worker; a page that it needs is fetched in between."""
        values: dict[str, Any] = {"content_type": content_type, "query": dict(query)}
        reply = await self.pool.run(operation, values, body)
        if "fetch" in reply.values:
            fetched = await (fetches or self.fetches).fetch(reply.values["fetch"])
            about = {"url": fetched.url, "encoding": fetched.encoding, "truncated": fetched.truncated}
            values = {"request": reply.values["request"], "fetched": about}
            reply = await self.pool.run(operation, values, fetched.body)
        values = reply.values
        return Answer(values["status"], values["media_type"], reply.body, values.get("headers", {}))

    async def close(self) -> None:
        """Finish what is under way, then end the workers."""
        await self.pool.close()
        for fetches in (self.fetches, self.reading, self.images):
            fetches.close()


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


def service_of(request: Request) -> Service:
    """What all requests share."""
    service: Service = request.app.state.service
    return service


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
        Route("/read", read, methods=["GET"]),
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


async def read(request: Request) -> Response:
    """A reader view; what goes wrong is told as a page."""
    asked = dict(request.query_params)
    if not asked.get("url"):
        return respond(reader.front_page())
    try:
        if "html" in asked:
            raise ProblemError(422, "option", "a page to read is named by its url: leave html out")
        service = service_of(request)
        answer = await service.perform("read", json.dumps(asked).encode(), fetches=service.reading)
        if answer.media_type == problems.MEDIA_TYPE:
            document = json.loads(answer.body)
            raise ProblemError(answer.status, "reading", document["detail"], answer.headers)
    except (ProblemError, TamisError) as error:
        answer = reader.problem_page(as_problem(error), asked["url"])
    return respond(answer)


async def _image(request: Request) -> Response:
    fetched = await service_of(request).images.fetch(request.query_params.get("url", ""))
    if fetched.truncated or fetched.content_type not in IMAGE_TYPES:
        raise ProblemError(502, "image", "the image is too large, or none")
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
