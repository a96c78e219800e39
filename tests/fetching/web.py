"""A web server on this machine that answers exactly what it is told to, right or wrong."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

HTML = "text/html; charset=utf-8"
Send = Callable[[bytes], None]


class Request(NamedTuple):
    path: str
    headers: dict[str, str]  # by name in lower case


Answer = bytes | Callable[[Request, Send], None] | list[bytes]
"""Bytes to send, a function that sends, or one of these per request in turn, the last one again and again."""


def answer(body: bytes | str = b"<p>page</p>", status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer with the right length; underscores in names of headers stand for hyphens."""
    data = body.encode() if isinstance(body, str) else body
    named = {"Content-Type": HTML, "Content-Length": str(len(data))}
    named |= {name.replace("_", "-").title(): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in named.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + data


class Web:
    """The server; what it was asked is in ``requests``."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[Request] = []
        self.stopping = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, path: str = "/", host: str = "site.example") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def close(self) -> None:
        self.stopping.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while not self.stopping.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(10)
            request = _read(connection)
            if request is None:
                return
            self.requests.append(request)
            told = self.answers.get(request.path, answer("missing", "404 Not Found"))
            if isinstance(told, list):
                told = told.pop(0) if len(told) > 1 else told[0]
            if callable(told):
                told(request, connection.sendall)
            else:
                connection.sendall(told)


def _read(connection: socket.socket) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        if not piece:
            return None
        data += piece
    first, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Request(first.split(" ")[1], headers)


@contextlib.contextmanager
def running_web() -> Iterator[Web]:
    web = Web()
    try:
        yield web
    finally:
        web.close()
