"""The service on a port of this machine, in a thread of the tests."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from starlette.types import ASGIApp

from tamis.service.app import create_app
from tamis.service.server import listen, make_server
from tamis.service.settings import Settings

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
"""What a browser says it takes when it opens a page."""
TOKEN = "test-token"  # noqa: S105 - of services that live as long as a test


@contextlib.contextmanager
def running(
    settings: Settings | None = None, make_app: Callable[[Settings], ASGIApp] = create_app, **options: Any
) -> Iterator[httpx.Client]:
    """A client of a running service, with the token; its ``base_url`` is where the service is."""
    listener, settings = listen(settings or Settings(port=0, token=TOKEN, workers=1))
    server = make_server(make_app(settings), **options)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    headers = {"Authorization": f"Bearer {settings.token}"} if settings.token else {}
    base_url = f"http://127.0.0.1:{settings.port}"
    try:
        with httpx.Client(base_url=base_url, headers=headers, trust_env=False, timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(timeout=40)
        listener.close()
