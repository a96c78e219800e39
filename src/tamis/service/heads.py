"""Heads of requests, bounded in length and in time: what comes before the body, and before anybody was let in.

The parser in C that the web server prefers has no such bounds of its own. Service and proxy share them, and with them
the parser, so that what one refuses (two lengths of one body, say) the other does not take.
"""

from __future__ import annotations

import asyncio
import urllib.parse

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024  # ours; as h11 has it
HEAD_SECONDS = 30.0  # ours: until a head must have come; as long as for a body
WHOLE_ADDRESS = (b"http://", b"https://")
"""How the target of a request begins that is for another server."""


class BoundedHeads(HttpToolsProtocol):
    """A connection that is closed when a head is too long, or does not come."""

    _unfinished = 0  # bytes of a head that came without its end
    _is_head = False
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._is_head:
            self._unfinished = 0
            return
        self._unfinished += len(data)
        if self._unfinished > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"The head of the request is longer than {MAX_HEAD_BYTES} bytes.")

    def on_message_begin(self) -> None:
        self._is_head = True
        self._expect()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._is_head = False
        self._stop()
        super().on_headers_complete()

    def _expect(self) -> None:
        self._stop()
        self._timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class ProxyHeads(BoundedHeads):
    """The same for a proxy, which is asked for whole addresses and for tunnels.

    The web server keeps the path of an address alone; here ``path`` and ``raw_path`` are the whole address.
    """

    def on_headers_complete(self) -> None:
        target = self.url
        if self.parser.get_method() == b"CONNECT":
            self.url = b"/"  # it has no path; what it asks for is refused anyway
        super().on_headers_complete()
        if target.lower().startswith(WHOLE_ADDRESS):
            # The application begins to read them only when this function is done.
            raw_path = target.partition(b"?")[0]
            self.scope["raw_path"] = raw_path
            self.scope["path"] = urllib.parse.unquote(raw_path.decode("ascii"))
