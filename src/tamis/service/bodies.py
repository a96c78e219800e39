"""Bodies of requests: read up to a limit and a deadline, and not beyond."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import ClientDisconnect, Request

from tamis.service.problems import ProblemError
from tamis.service.settings import Settings

# Of a body that is too long, so much more is read and thrown away: a client that hears the answer only after it has
# sent all would otherwise hear of nothing but a broken connection. Ours.
_LINGER_BYTES = 256 * 1024 * 1024
_LINGER_SECONDS = 5.0
_CLOSE = {"Connection": "close"}


async def read_body(request: Request, settings: Settings) -> bytes:
    """The whole body; a problem if it is too long or takes too long to come."""
    pieces: list[bytes] = []
    size = 0
    stream = request.stream()
    try:
        async with asyncio.timeout(settings.upload_seconds):
            if _announced(request) <= settings.max_bytes:
                async for piece in stream:
                    size += len(piece)
                    if size > settings.max_bytes:
                        break
                    pieces.append(piece)
                else:
                    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
    except TimeoutError:
        detail = f"the body did not come within {settings.upload_seconds:g} s: send it faster, or less of it"
        raise ProblemError(408, "upload", detail, _CLOSE) from None
    pieces.clear()
    await _throw_away(request)
    raise ProblemError(
        413, "too-large", f"the body is longer than {settings.max_bytes} bytes: send less (--max-bytes)", _CLOSE
    )


def _announced(request: Request) -> int:
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdecimal() else 0


async def _throw_away(request: Request) -> None:
    size, end = 0, time.monotonic() + _LINGER_SECONDS
    while size < _LINGER_BYTES and (left := end - time.monotonic()) > 0:
        try:
            message = await asyncio.wait_for(request.receive(), left)
        except TimeoutError:
            return
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        size += len(message.get("body", b""))
        if not message.get("more_body", False):
            return
