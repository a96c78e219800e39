"""A stand-in for example.org, in the processes of commands that the documentation shows.

``hook`` is what a process needs to find it: the name stands for a public address, so that every wall of the fetcher
does its work, and only the connection to that address ends at a server of the test. No other machine can be reached,
what would listen for the network listens on this machine alone, and a process believes that it has one core.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.sites.generator import Site

VARIABLE = "STAND_IN_PORT"
_LINK = re.compile(r"""href=("[^"]*"|'[^']*'|[^\s>]+)""")
_LINKED = 3  # pages that a page links to: the fetcher waits a second before each


def hook() -> None:
    """Lead connections to example.org to the port in the environment; runs when a process starts, imports included."""
    import ipaddress
    import os
    import socket
    import ssl

    name, public, port = "example.org", "93.184.215.14", int(os.environ["STAND_IN_PORT"])
    look_up, connect, listen, secure = (
        socket.getaddrinfo,
        socket.create_connection,
        socket.create_server,
        ssl.SSLContext.wrap_socket,
    )

    def is_here(host: Any) -> bool:
        try:
            return host is None or ipaddress.ip_address(host).is_loopback or ipaddress.ip_address(host).is_unspecified
        except ValueError:
            return bool(host in ("", "localhost"))

    def getaddrinfo(host: Any, *arguments: Any, **named: Any) -> Any:
        if host == name:
            return look_up(public, *arguments, **named)
        if not is_here(host) and host != public:
            raise socket.gaierror(socket.EAI_NONAME, f"{host} is not known in a test")
        return look_up(host, *arguments, **named)

    def create_connection(address: Any, *arguments: Any, **named: Any) -> Any:
        if address[0] in (name, public):
            return connect(("127.0.0.1", port), *arguments, **named)
        if not is_here(address[0]):
            raise OSError(f"{address[0]} cannot be reached in a test")
        return connect(address, *arguments, **named)

    def create_server(address: Any, *arguments: Any, **named: Any) -> Any:
        return listen(("127.0.0.1", *address[1:]), *arguments, **named)

    def wrap_socket(self: Any, sock: Any, *arguments: Any, **named: Any) -> Any:
        if named.get("server_hostname") == name:
            return sock
        return secure(self, sock, *arguments, **named)

    os.cpu_count = lambda: 1  # other tests run at the same time
    os.sched_getaffinity = lambda _: {0}
    socket.getaddrinfo, socket.create_connection = getaddrinfo, create_connection
    socket.create_server, ssl.SSLContext.wrap_socket = create_server, wrap_socket  # type: ignore[method-assign]


def write_hook(folder: Path) -> None:
    """A module that Python imports when it starts, if the folder is on its path."""
    folder.mkdir(parents=True, exist_ok=True)
    source = f"from typing import Any\n\n{inspect.getsource(hook)}\n\nhook()\n"
    (folder / "sitecustomize.py").write_text(source, encoding="utf-8")


@contextlib.contextmanager
def serving() -> Iterator[int]:
    """The port of a server that has a page at every path, each with links to a few others of the same site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Pages(BaseHTTPRequestHandler):
    site = Site(2)

    def do_GET(self) -> None:
        is_page = self.path != "/robots.txt"
        self.send_response(200 if is_page else 404)
        content = self._page() if is_page else b""
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""

    def _page(self) -> bytes:
        number = sum(self.path.encode()) % 50
        others = itertools.cycle(f"href='/news/{other}.html'" for other in range(_LINKED))
        return _LINK.sub(lambda _: next(others), self.site.page(0, number).html).encode()
