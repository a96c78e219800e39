"""What a worker process does: one job after the other, until nobody asks any more."""

from __future__ import annotations

import json
import signal
import socket
from typing import Any

from tamis.service.jobs import HEAD
from tamis.service.logs import LOGGER, set_up
from tamis.service.performing import perform, warm_up
from tamis.service.problems import problem


def work(descriptor: int) -> None:
    """Answer jobs until the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the service, which ends its workers in order
    set_up()
    connection = socket.socket(fileno=descriptor)
    warm_up()
    _send(connection, {}, b"")
    while (head := _exactly(connection, HEAD.size)) is not None:
        values_length, body_length = HEAD.unpack(head)
        values, body = _exactly(connection, values_length), _exactly(connection, body_length)
        if values is None or body is None:
            return
        _send(connection, *_answer(json.loads(values), bytes(body)))


def _answer(values: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        return perform(values, body)
    except Exception:
        LOGGER.exception("fault", extra={"fields": {"operation": values["operation"]}})
        answer = problem(500, "fault", "this is a fault in Tamis, not in your request: please report it with the page")
        return {"status": answer.status, "media_type": answer.media_type}, answer.body


def _exactly(connection: socket.socket, count: int) -> bytearray | None:
    """So many bytes; None when the other side is gone."""
    data = bytearray(count)
    rest = memoryview(data)
    while rest:
        size = connection.recv_into(rest)
        if not size:
            return None
        rest = rest[size:]
    return data


def _send(connection: socket.socket, values: dict[str, Any], body: bytes) -> None:
    written = json.dumps(values).encode()
    connection.sendall(HEAD.pack(len(written), len(body)) + written + body)
