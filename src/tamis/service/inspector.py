"""The inspector: its page, and what the page asks. Its files are served with all others in ``static/``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tamis.service.answers import respond
from tamis.service.bodies import read_body
from tamis.service.inspecting import OPERATIONS
from tamis.service.static import own_page


def routes() -> list[Route]:
    """The page at ``/``, and a route for each operation of its own."""
    return [
        Route("/", _home, methods=["GET"]),
        *(Route(f"/api/{name}", _asked(name), methods=["POST"]) for name in OPERATIONS),
    ]


async def _home(_: Request) -> Response:
    return own_page("inspector/index.html")


def _asked(operation: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        service = request.app.state.service
        service.pool.check_place()  # before the body is read
        body = await read_body(request, service.settings)
        content_type = request.headers.get("content-type", "")
        return respond(await service.perform(operation, body, content_type, request.query_params))

    return answer
