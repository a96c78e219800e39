"""The socket of the service."""

from __future__ import annotations

import socket

from tamis.service.server import listen
from tamis.service.settings import Settings


def test_answers_do_not_wait_for_the_client_to_say_that_it_has_their_head() -> None:
    listener, settings = listen(Settings(port=0))
    with listener, socket.create_connection((settings.host, settings.port)):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
