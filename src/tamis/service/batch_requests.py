"""Many pages in one request: JSON lines in, JSON lines out, each answer sent as soon as it is there, in order.

Lines are read while earlier ones are worked on and answered, never more than a few ahead. A line that cannot be read,
or a page that fails, costs its own answer alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from tamis.errors import TamisError
from tamis.service.jobs import RETRY_AFTER_SECONDS
from tamis.service.operations import JSON
from tamis.service.problems import Answer, ProblemError, as_problem
from tamis.service.settings import Settings

MEDIA_TYPE = "application/jsonl"
Perform = Callable[[bytes], Awaitable[Answer]]


class BatchResponse:
    """An answer that is written while the request is still being read."""

    def __init__(self, request: Request, settings: Settings, perform: Perform) -> None:
        self._request = request
        self._settings = settings
        self._perform = perform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the request has it
        """Answer line by line."""
        headers = [(b"content-type", MEDIA_TYPE.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        # One job for every worker, and one that waits for each: more would take the places of other requests.
        answers: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(2 * self._settings.workers)
        is_gone = False
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read(answers, group))
                while (answer := await answers.get()) is not None:
                    await send({"type": "http.response.body", "body": await answer, "more_body": True})
        except* (ClientDisconnect, OSError):  # nobody sends or reads any more
            is_gone = True
        if is_gone:
            raise ClientDisconnect  # as it is: what is raised above would come in a group
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _read(self, answers: asyncio.Queue[asyncio.Task[bytes] | None], group: asyncio.TaskGroup) -> None:
        number = 0
        try:
            async for line in _lines(self._request, self._settings):
                number += 1
                if line.strip():
                    await answers.put(group.create_task(self._answer(number, line)))
        except ProblemError as error:
            await answers.put(group.create_task(_said(_written(number + 1, error.answer))))
        await answers.put(None)

    async def _answer(self, number: int, line: bytes) -> bytes:
        while True:
            try:
                return _written(number, await self._perform(line))
            except (ProblemError, TamisError) as error:
                problem = as_problem(error)
                if problem.kind != "busy":
                    return _written(number, problem.answer)
                await asyncio.sleep(RETRY_AFTER_SECONDS)  # what others are told to do, a batch does by itself


async def _lines(request: Request, settings: Settings) -> AsyncIterator[bytes]:
    """The lines of a body; a problem if one is too long, or does not come."""
    rest = bytearray()
    stream = request.stream()
    while True:
        try:
            piece = await asyncio.wait_for(anext(stream, None), settings.upload_seconds)
        except TimeoutError:
            detail = f"nothing came for {settings.upload_seconds:g} s: read the answers while you send"
            raise ProblemError(408, "upload", detail) from None
        if piece is None:
            break
        *whole, last = piece.split(b"\n")
        for line in whole:
            rest += line
            yield bytes(rest)
            rest.clear()
        rest += last
        if len(rest) > settings.max_bytes:
            detail = f"the line is longer than {settings.max_bytes} bytes: what comes after it is not read"
            raise ProblemError(413, "too-large", detail)
    if rest:
        yield bytes(rest)


async def _said(value: bytes) -> bytes:
    return value


def _written(number: int, answer: Answer) -> bytes:
    """One line of the answer: a result, or a problem."""
    is_json = answer.media_type == JSON or answer.status >= 400
    value = answer.body if is_json else json.dumps(answer.body.decode("utf-8", "replace"), ensure_ascii=False).encode()
    key: Any = b"result" if answer.status < 400 else b"problem"
    return b'{"line": %d, "%b": %b}\n' % (number, key, value)
