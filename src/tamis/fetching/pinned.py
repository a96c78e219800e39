"""An httpx transport that connects only to machines that were checked, and that ends at a deadline.

A name is resolved once per connection, all of its IP addresses are checked, and the connection is made to one of
those very addresses; the name itself goes into the ``Host`` header and the TLS handshake as usual. So a name that
changes its meaning between check and use (DNS rebinding) gains nothing. There is no connection that outlives a
request, and no cookie. Behind a proxy it is the proxy that looks names up and has to check what they stand for.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import httpcore
import httpx

from tamis.errors import AddressError, TransferError
from tamis.fetching.addresses import IPAddress, check_machine, literal
from tamis.fetching.deadlines import Deadline

Resolver = Callable[[str, int], Sequence[str]]


class PinnedTransport(httpx.BaseTransport):
    """Carries one request and its answer; make a new one for the next."""

    def __init__(
        self,
        resolve: Resolver,
        deadline: Deadline,
        tls: ssl.SSLContext | None,
        *,
        allow_private: bool,
        proxy: str | None = None,
    ) -> None:
        # A proxy was named by whoever runs this, and usually is a machine of the same network.
        network = _Network(resolve, deadline, allow_private or proxy is not None)
        options: dict[str, Any] = {
            "ssl_context": tls,
            "max_connections": 1,
            "max_keepalive_connections": 0,
            "network_backend": network,
        }
        self._pool = httpcore.HTTPProxy(proxy, **options) if proxy else httpcore.ConnectionPool(**options)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request; the body of the answer comes piece by piece."""
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        content = request.read()
        asked = httpcore.Request(request.method, url, headers=request.headers.raw, content=content)
        answer = self._pool.handle_request(asked)
        stream = answer.stream
        if not isinstance(stream, Iterable):
            raise TypeError("the pool answered for an asynchronous client")
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(stream), extensions=answer.extensions)

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._stream)

    def close(self) -> None:
        close = getattr(self._stream, "close", None)
        if close is not None:
            close()


class _Network(httpcore.NetworkBackend):
    def __init__(self, resolve: Resolver, deadline: Deadline, allow_private: bool) -> None:
        self._resolve = resolve
        self._deadline = deadline
        self._allow_private = allow_private
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - here and below, the deadline takes the place of it
        local_address: str | None = None,  # noqa: ARG002 - never asked for
        socket_options: Any = None,  # noqa: ARG002 - likewise
    ) -> httpcore.NetworkStream:
        machines = self._machines(host, port)
        for ip in machines:
            check_machine(host, ip, allow_private=self._allow_private)
        failure: Exception | None = None
        for place, ip in enumerate(machines):
            share = self._deadline.left() / (len(machines) - place)  # a machine that is silent leaves time for others
            try:
                stream = self._sockets.connect_tcp(str(ip), port, timeout=share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream, self._deadline)
        raise TransferError(f"{host!r} does not answer on port {port}: {failure}") from failure

    def _machines(self, host: str, port: int) -> list[IPAddress]:
        if ip := literal(host):
            return [ip]
        try:
            found = _within(self._deadline, lambda: self._resolve(host, port))
        except (OSError, UnicodeError) as error:
            if getattr(error, "errno", None) == socket.EAI_AGAIN:
                raise TransferError(f"the host name {host!r} cannot be resolved now ({error})") from error
            raise AddressError(f"the host name {host!r} cannot be resolved ({error}): check the name") from error
        machines = [ipaddress.ip_address(text.partition("%")[0]) for text in found]
        if not machines:
            raise AddressError(f"the host name {host!r} has no IP address: check the name")
        return machines


class _Stream(httpcore.NetworkStream):
    """A connection whose every step ends at the deadline, however small the pieces are that come."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._stream.write(buffer, self._deadline.left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, self._deadline.left()), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _within(deadline: Deadline, work: Callable[[], Sequence[str]]) -> Sequence[str]:
    """The result of some work, if it comes in time; the system's resolver knows no deadline of its own."""
    results: queue.SimpleQueue[Sequence[str] | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except Exception as error:  # handed on to the thread that waits
            results.put(error)

    threading.Thread(target=run, name="resolver", daemon=True).start()
    try:
        result = results.get(timeout=deadline.left())
    except queue.Empty as error:
        raise deadline.missed() from error
    if isinstance(result, Exception):
        raise result
    return result
