"""Watches every request: counts it, logs it, and makes sure that it is answered."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.service.answers import respond
from tamis.service.jobs import closing
from tamis.service.logs import LOGGER
from tamis.service.metrics import Metrics
from tamis.service.problems import problem

_GONE = 499  # as nginx counts clients that did not wait for the answer
_METHODS = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})


class Observer:
    """The outermost layer of the service."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the request answered, and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = sent = 0

        async def watched_send(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except ClientDisconnect:
            status = _GONE
        except asyncio.CancelledError:  # the service ends, and has waited long enough for this request
            if status:
                raise
            await respond(closing().answer)(scope, receive, watched_send)
        except Exception:
            LOGGER.exception("fault", extra={"fields": {"method": scope["method"]}})
            if status:
                raise  # too late to answer: the connection is closed
            answer = problem(500, "fault", "this is a fault in Tamis, not in your request: please report it")
            await respond(answer)(scope, receive, watched_send)
        finally:
            seconds = time.perf_counter() - begin
            is_own = scope["path"].startswith("/")  # else it is the address of a page, which is nobody's business
            route = getattr(scope.get("route"), "path", "other") if is_own else "proxy"
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.add(route, method, status or _GONE, seconds)
            if LOGGER.isEnabledFor(logging.INFO):
                fields = {
                    "method": method,
                    "path": _told_path(scope["path"]) if is_own else "proxy",
                    "status": status or _GONE,
                    "seconds": round(seconds, 6),
                    "bytes": sent,
                    "client": (scope.get("client") or ("",))[0],
                }
                LOGGER.info("request", extra={"fields": fields})


def _told_path(path: str) -> str:
    """The path of a request, without the URL of a page."""
    return "/…" if path[1:].lower().startswith(("http:", "https:")) else path[:200]
