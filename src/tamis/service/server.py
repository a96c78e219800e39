"""The service on a socket: started, announced, and ended without losing what is under way."""

from __future__ import annotations

import dataclasses
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tamis.errors import InputError
from tamis.service import logs
from tamis.service.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_DRAIN_SECONDS = 30  # ours: for requests under way when the service is told to end
_KEEP_ALIVE_SECONDS = 15  # ours: a connection that says nothing for longer is closed


def listen(settings: Settings) -> tuple[socket.socket, Settings]:
    """A socket that listens, and the settings with the port it really has."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise InputError(f"no host {settings.host!r}: {error.strerror}; choose another with --host") from error
    try:
        family, _, _, _, address = found[0]
        listener = socket.create_server(address[:2], family=family, backlog=2048)
        # Connections inherit it. Without it the body of an answer waits 40 ms, until the client confirms the head.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise InputError(
            f"cannot listen on {settings.host!r}, port {settings.port}: {error.strerror}; choose another with --port"
        ) from error
    return listener, dataclasses.replace(settings, port=listener.getsockname()[1])


def address(settings: Settings, path: str = "/") -> str:
    """Where a browser on this machine finds the service; with the token, if there is one."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "", "localhost") else settings.host  # noqa: S104 - compared only
    host = "[::1]" if host == "::" else f"[{host}]" if ":" in host else host
    return f"http://{host}:{settings.port}{path}" + (f"?token={settings.token}" if settings.token else "")


def make_server(app: ASGIApp, **options: Any) -> Any:
    """A web server for an application; ``serve`` runs it. The options are those of uvicorn."""
    import uvicorn

    from tamis.service.heads import BoundedHeads

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
        ws="none",
        **{"http": BoundedHeads, **options},
    )
    return uvicorn.Server(config)


def serve(
    make_app: Callable[[Settings], ASGIApp],
    settings: Settings,
    announce: Callable[[Settings], None],
    *,
    quiet: bool = False,
    **options: Any,
) -> None:
    """Listen, say where, and answer until the process is told to end (SIGINT, SIGTERM); ``quiet`` logs faults alone."""
    listener, settings = listen(settings)
    logs.set_up(level=logging.WARNING if quiet else logging.INFO)
    server = make_server(make_app(settings), **options)
    announce(settings)
    with listener:
        server.run(sockets=[listener])
