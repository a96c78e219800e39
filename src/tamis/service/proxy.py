"""The proxy: pages on their way to a browser become their main content; everything else passes as it is.

A browser that uses it as its proxy for ``http`` asks for whole addresses; these are fetched, changed and passed on.
``https`` cannot be read by a proxy that is no man in the middle, so ``CONNECT`` is refused with a sentence that says
so. The reverse form, ``/read?url=``, takes both.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import hmac
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.errors import AddressError, TamisError, TransferError
from tamis.fetching import addresses
from tamis.fetching.answers import Fetched, header
from tamis.fetching.deadlines import DeadlineError
from tamis.fetching.http import Options as FetchOptions
from tamis.service import reader
from tamis.service.answers import respond
from tamis.service.app import Endpoint, assemble, reading_routes
from tamis.service.bodies import read_body
from tamis.service.forwarding import NAME, Exchange, as_bytes, exchange, joined
from tamis.service.heads import WHOLE_ADDRESS
from tamis.service.neighbours import Neighbour, PageNeighbours
from tamis.service.problems import Answer, ProblemError, as_problem
from tamis.service.reader_requests import read
from tamis.service.security import read_host
from tamis.service.settings import Settings
from tamis.service.shared import Service
from tamis.service.treating import Treatment

Result = TypeVar("Result")

_AT_ONCE = 64  # ours: transfers, each in a thread that mostly waits
_MOST = 256  # ours: transfers and those that wait for one; one more is told to come again later
_NEIGHBOUR_SECONDS = 10.0  # ours: for a page that only helps to clean another, for which somebody waits
_NO_TUNNELS = (
    "This proxy reads no https: it would have to stand between you and the site with a certificate of its own, which "
    "it does not. Use it as a proxy for http only, and open https pages as {address}/read?url=https://…"
)
_HTML = "text/html; charset=utf-8"
# Of what passes as it is: browsers take some of it for a page, whatever it says of itself (no type, two types, XML).
_PASSING_POLICY = ("Content-Security-Policy", "script-src 'none'; frame-src 'none'")


def create_proxy(settings: Settings, treatment: Treatment) -> Starlette:
    """The proxy as an ASGI application, with the reverse form beside it; its server must know whole addresses."""
    service = Service(settings)
    neighbours = None
    own_read: Endpoint = read
    if treatment.template is not None:
        options = FetchOptions(allow_private=settings.allow_private, deadline_seconds=_NEIGHBOUR_SECONDS, retries=0)
        neighbours = PageNeighbours(options)
        own_read = _reading_with_template(service, treatment, neighbours)
    routes = [*(Route(path, own_read, methods=["GET"]) for path in ("/", "/read")), *reading_routes()]
    proxy = Middleware(Proxy, service=service, treatment=treatment, neighbours=neighbours)
    return assemble(service, routes, proxy)


def _reading_with_template(service: Service, treatment: Treatment, neighbours: PageNeighbours) -> Endpoint:
    """The reverse form for pages whose template is learned; what goes wrong is told as a page."""

    async def answer(request: Request) -> Response:
        url = request.query_params.get("url")
        if not url:
            return respond(reader.front_page())
        try:
            fetched = await service.reading.fetch(url)
            loop = asyncio.get_running_loop()
            others = await loop.run_in_executor(None, neighbours.of, fetched)
            about = {"url": fetched.url, "encoding": fetched.encoding, "truncated": fetched.truncated}
            asked = {**_asked(treatment), "others": others, "reverse": True}
            reply = await service.pool.run("treat", {"request": asked, "fetched": about}, fetched.body)
            if reply.values["status"] != 200:
                raise ProblemError(reply.values["status"], "page", json.loads(reply.body)["detail"])
        except (ProblemError, TamisError) as error:
            return respond(reader.problem_page(as_problem(error), url))
        values = reply.values
        return respond(Answer(values["status"], values["media_type"], reply.body, values.get("headers", {})))

    return answer


def _asked(treatment: Treatment) -> dict[str, Any]:
    """What a worker is told of a treatment; the pages come with each request."""
    return {name: getattr(treatment, name) for name in ("mode", "method", "options", "output", "template")}


class Proxy:
    """Answers requests for whole addresses, and leaves the others to the application."""

    def __init__(self, app: ASGIApp, service: Service, treatment: Treatment, neighbours: PageNeighbours | None) -> None:
        self._app = app
        self._service = service
        self._treatment = _asked(treatment)
        self._neighbours = neighbours
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="proxy")
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or hand it on."""
        is_tunnel = scope["type"] == "http" and scope["method"] == "CONNECT"
        if scope["type"] != "http" or not (is_tunnel or scope.get("raw_path", b"").lower().startswith(WHOLE_ADDRESS)):
            await self._app(scope, receive, send)
            return
        started = False

        async def watched_send(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        self._running += 1
        try:
            await self._forward(Request(scope, receive), watched_send)
        except (ProblemError, TamisError) as error:
            if started:
                raise ClientDisconnect from error  # too late to say more: the connection is closed
            await respond(reader.problem_page(_as_problem(error)))(scope, receive, watched_send)
        finally:
            self._running -= 1

    async def _forward(self, request: Request, send: Send) -> None:
        settings = self._service.settings
        headers = joined(request.scope["headers"])
        read_host(request.headers)  # a problem if it can be read in two ways; the address alone says who is asked
        self._check(request, header(headers, "proxy-authorization") or "")
        body = await read_body(request, settings)
        query = request.scope["query_string"]
        url = request.scope["raw_path"].decode("latin-1") + (f"?{query.decode('latin-1')}" if query else "")
        ask = functools.partial(exchange, request.method, url, headers, body, allow_private=settings.allow_private)
        found = await self._in_thread(ask)
        try:
            if found.is_page and request.method != "HEAD":
                await self._send_changed(found, url, send)
            else:
                await self._send_as_is(found, request, send)
        finally:
            await self._in_thread(found.close)

    def _check(self, request: Request, authorization: str) -> None:
        settings = self._service.settings
        if request.method == "CONNECT":
            port = settings.port
            raise ProblemError(501, "tunnel", _NO_TUNNELS.format(address=f"http://127.0.0.1:{port}"))
        if settings.token and not settings.is_loopback and not _has_token(authorization, settings.token):
            detail = "the proxy needs its token, as the password of any user"
            raise ProblemError(407, "token", detail, {"Proxy-Authenticate": 'Basic realm="tamis"'})
        if self._running > _MOST:
            detail = "too many transfers are in progress: try again in 1 s"
            raise ProblemError(503, "busy", detail, {"Retry-After": "1"})

    async def _send_changed(self, found: Exchange, url: str, send: Send) -> None:
        settings = self._service.settings
        body, truncated = await self._in_thread(
            functools.partial(found.page, settings.max_bytes, settings.timeout_seconds)
        )
        about = {"url": url, "encoding": _charset(found), "truncated": truncated}
        others = await self._others(found, url, body)
        values = {"request": {**self._treatment, "others": others}, "fetched": about}
        reply = await self._service.pool.run("treat", values, body)
        if reply.values["status"] != 200:
            raise ProblemError(reply.values["status"], "page", json.loads(reply.body)["detail"])
        made = {
            "Content-Type": _HTML,
            "Content-Length": str(len(reply.body)),
            "X-Content-Type-Options": "nosniff",
            **reply.values.get("headers", {}),
        }
        await _start(send, found.status, [*found.passed_on(changed=True), *made.items()])
        await send({"type": "http.response.body", "body": reply.body, "more_body": False})

    async def _others(self, found: Exchange, url: str, body: bytes) -> list[Neighbour]:
        """Pages of the same template, if one is to be learned."""
        if self._neighbours is None:
            return []
        start = Fetched(
            requested=url, url=str(addresses.read(url)), status=found.status, headers=found.headers, body=body, time=""
        )
        return await self._in_thread(functools.partial(self._neighbours.of, start))

    async def _send_as_is(self, found: Exchange, request: Request, send: Send) -> None:
        is_changed = request.method == "HEAD" and found.is_page  # what GET would give has another length
        added = ("Content-Type", _HTML) if is_changed else _PASSING_POLICY
        await _start(send, found.status, [*found.passed_on(changed=is_changed), added])
        while (piece := await self._in_thread(functools.partial(next, found.chunks, None))) is not None:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            if await request.is_disconnected():
                raise ClientDisconnect
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


async def _start(send: Send, status: int, headers: Any) -> None:
    if not 200 <= status < 600:
        raise TransferError(f"the server answered with status {status}, which is not a valid status")
    raw = as_bytes(headers)
    await send({"type": "http.response.start", "status": status, "headers": [*raw, (b"via", f"1.1 {NAME}".encode())]})


def _charset(found: Exchange) -> str | None:
    return Fetched(requested="", url="", status=found.status, headers=found.headers, body=b"", time="").encoding


def _has_token(authorization: str, token: str) -> bool:
    kind, _, given = authorization.partition(" ")
    if kind.lower() != "basic":
        return False
    try:
        _, _, password = base64.b64decode(given, validate=True).decode("utf-8", "replace").partition(":")
    except ValueError:
        return False
    return hmac.compare_digest(password.encode(), token.encode())


def _as_problem(error: Exception) -> ProblemError:
    if isinstance(error, DeadlineError):
        return ProblemError(504, "deadline", str(error))
    if isinstance(error, AddressError):
        return ProblemError(403, "address", str(error))
    return as_problem(error)
