"""A web server on this machine that knows a few stored pages and nothing else: what a proxy under test sees of the web.

The page at ``http://news.example/a`` is served at ``http://127.0.0.1:PORT/http://news.example/a``, and to a proxy that
has this server as its own proxy under the address itself. Anything else is answered with 404, so that every run sees
the same pages (Gottron 2008, sections 5.3 and 7.2.3).
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

_LOOPBACK = "127.0.0.1"
_WRITTEN_AS_IS = "%/:=&?~+!$,;'@()*[]"  # everything that has a meaning in an address, and what is quoted already


class PageServer(ThreadingHTTPServer):
    """Serves what it holds; make it with ``running_server``."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__((_LOOPBACK, 0), _Handler)
        self.pages: dict[str, str | bytes] = {}

    def address(self, url: str) -> str:
        """Where the page with this address is served."""
        return f"http://{_LOOPBACK}:{self.server_port}/{_written(url)}"

    @contextmanager
    def holding(self, pages: Mapping[str, str | bytes]) -> Iterator[None]:
        """Serve pages, by their address, for a while."""
        held = {_written(url): page for url, page in pages.items()}
        self.pages |= held
        try:
            yield
        finally:
            for url in held:
                self.pages.pop(url, None)


@functools.cache
def running_server() -> PageServer:
    """The server of this process, started when it is first needed."""
    server = PageServer()
    threading.Thread(target=server.serve_forever, name="page server", daemon=True).start()
    return server


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        page = self.server.pages.get(_written(self.path.removeprefix("/")))
        if page is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind = "text/html"
        if isinstance(page, str):
            page, kind = page.encode("utf-8", "replace"), "text/html; charset=utf-8"
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Say nothing: the run reports what went wrong."""


def _written(url: str) -> str:
    """An address as it is sent: quoted once, without fragment.

    >>> _written("http://a.example/straße?x=1%20#top")
    'http://a.example/stra%C3%9Fe?x=1%20'
    """
    return quote(url.partition("#")[0], safe=_WRITTEN_AS_IS, errors="replace")
