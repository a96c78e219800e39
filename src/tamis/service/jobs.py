"""A pool of worker processes for an event loop: bounded in number, in queue and in time.

A job is an operation, a few values, and bytes; its answer likewise. A worker that hangs or dies is replaced, and costs
its own job alone. How workers start and end is that of all of them (``tamis.processes``); the pool of ``tamis.workers``
reads its tasks one after the other and has no event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections import deque
from collections.abc import Coroutine, Mapping
from typing import Any, NamedTuple, TypeVar

from tamis import processes
from tamis.service.logs import LOGGER
from tamis.service.problems import ProblemError

Value = TypeVar("Value")
HEAD = struct.Struct("!II")  # lengths of the values, in JSON, and of the bytes
_AGAIN_SECONDS = 1.0  # ours: before a worker that could not start is started again
RETRY_AFTER_SECONDS = 1
# Jobs after which a worker is replaced by a fresh one: memory in pieces too small to be given back grows slowly. Ours.
_MOST_JOBS = 5_000
_BUFFER_BYTES = 1 << 20  # of the sockets between the processes: most pages go over in one piece
_PIECE_BYTES = 1 << 16  # read at once; most answers are shorter


class Reply(NamedTuple):
    """What a worker answers."""

    values: dict[str, Any]
    body: bytes


class _Job(NamedTuple):
    head: bytes  # lengths and values
    body: bytes
    seconds: float  # that it may take


class Pool:
    """Worker processes; they start when the first job comes, or with ``start``."""

    def __init__(self, *, workers: int, queue: int, timeout_seconds: float) -> None:
        self.workers = workers
        self.queue = queue
        self.timeout_seconds = timeout_seconds
        self.running = 0
        self.lost = {"timed out": 0, "crashed": 0, "not opened": 0}  # workers, by what became of them
        self._free: deque[_Worker] = deque()
        self._waiting: deque[tuple[_Job, asyncio.Future[asyncio.Task[Reply]]]] = deque()  # each gets its work
        self._alive: set[_Worker] = set()
        self._tasks: set[asyncio.Task[Any]] = set()  # held here: the event loop does not
        self._state = "new"

    @property
    def waiting(self) -> int:
        """How many jobs have no worker yet."""
        return len(self._waiting)

    def start(self) -> None:
        """Start the workers; a second time does nothing."""
        if self._state == "new":
            self._state = "open"
            for _ in range(self.workers):
                self._keep(self._open())

    def check_place(self) -> None:
        """A problem if one more job could not even wait."""
        if self._state == "closed":
            raise closing()
        if self.waiting >= self.queue:
            detail = f"{self.waiting} requests are waiting already: come again in {RETRY_AFTER_SECONDS} s"
            raise ProblemError(503, "busy", detail, _again())

    async def run(
        self, operation: str, values: Mapping[str, Any], body: bytes = b"", *, timeout_seconds: float | None = None
    ) -> Reply:
        """Have a job done; a problem says why it was not."""
        self.start()
        self.check_place()
        written = json.dumps({"operation": operation, **values}).encode()
        head = HEAD.pack(len(written), len(body)) + written
        job = _Job(head, body, timeout_seconds or self.timeout_seconds)
        worker = self._idle()
        # The work goes on when the one who waits for it is gone, so that the worker is fit for the next job.
        return await asyncio.shield(self._begin(worker, job) if worker else await self._turn(job))

    async def _turn(self, job: _Job) -> asyncio.Task[Reply]:
        """Wait until a worker begins with a job."""
        turn: asyncio.Future[asyncio.Task[Reply]] = asyncio.get_running_loop().create_future()
        entry = job, turn
        self._waiting.append(entry)
        try:
            return await turn
        except asyncio.CancelledError:
            with contextlib.suppress(ValueError):  # it has been taken already
                self._waiting.remove(entry)
            raise

    def _idle(self) -> _Worker | None:
        while self._free:
            if not (worker := self._free.popleft()).is_relieved:
                return worker
            self._end(worker)
        return None

    def _begin(self, worker: _Worker, job: _Job) -> asyncio.Task[Reply]:
        """Send a job at once: the turns of the event loop until its task runs would leave the worker idle."""
        sent = worker.begin(job.head, job.body)
        self.running += 1
        return self._keep(self._work(worker, job, sent))

    def _set_free(self, worker: _Worker) -> None:
        """Give a worker to the job that waits longest, at once; the answer that it has just given can wait."""
        if worker.is_relieved:
            self._end(worker)
            return
        while self._waiting:
            job, turn = self._waiting.popleft()
            if not turn.done():  # nobody has gone away meanwhile
                turn.set_result(self._begin(worker, job))
                return
        self._free.append(worker)

    def process_ids(self) -> list[int]:
        """Of the workers that are alive."""
        return [worker.process.pid for worker in self._alive]

    async def close(self) -> None:
        """End all workers, after the jobs that they are at; jobs that still wait are not done."""
        self._state = "closed"
        while self._waiting:
            _, turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(closing())
        while self.running:
            await asyncio.sleep(0.05)
        for task in self._tasks:
            task.cancel()
        for worker in tuple(self._alive):
            worker.end()
        self._alive.clear()

    async def _open(self) -> None:
        """Bring one more worker to life."""
        while self._state == "open":
            try:
                worker = _Worker()
            except OSError as error:  # too many open files or processes
                self.lost["not opened"] += 1
                LOGGER.warning(
                    "a worker cannot be started, and is tried again", extra={"fields": {"reason": str(error)}}
                )
                await asyncio.sleep(_AGAIN_SECONDS)
                continue
            self._alive.add(worker)
            try:
                async with asyncio.timeout(processes.OPENING_SECONDS):
                    await worker.receive()
            except (OSError, EOFError, TimeoutError):
                self._bury(worker, "crashed")
                await asyncio.sleep(_AGAIN_SECONDS)
            except asyncio.CancelledError:
                worker.end()
                raise
            else:
                self._set_free(worker)
                return

    async def _work(self, worker: _Worker, job: _Job, sent: int) -> Reply:
        try:
            async with asyncio.timeout(job.seconds):
                await worker.send((job.head, job.body), sent)
                reply = await worker.receive()
        except TimeoutError:
            self._replace(worker, "timed out")
            raise ProblemError(
                504, "too-slow", f"the page took longer than {job.seconds:g} s: send less of it"
            ) from None
        except (OSError, EOFError):
            self._replace(worker, "crashed")
            raise ProblemError(
                500, "crashed", "the worker crashed on this page: report it if it happens again"
            ) from None
        else:
            worker.jobs += 1
            if worker.jobs == _MOST_JOBS:
                self._keep(self._relieve(worker))
            self._set_free(worker)
            return reply
        finally:
            self.running -= 1

    async def _relieve(self, worker: _Worker) -> None:
        """Bring another worker to life in the place of one, which works on until then: nobody waits for it."""
        await self._open()
        worker.is_relieved = True

    def _replace(self, worker: _Worker, reason: str) -> None:
        self._bury(worker, reason)
        if worker.jobs < _MOST_JOBS:  # else another is on its way
            self._keep(self._open())

    def _bury(self, worker: _Worker, reason: str) -> None:
        self.lost[reason] += 1
        self._end(worker)

    def _end(self, worker: _Worker) -> None:
        self._alive.discard(worker)
        worker.end()

    def _keep(self, work: Coroutine[Any, Any, Value]) -> asyncio.Task[Value]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class _Worker:
    """A process, and the socket to it."""

    def __init__(self) -> None:
        self.jobs = 0  # that it has done
        self.is_relieved = False  # another stands in its place
        self.socket, theirs = socket.socketpair()
        for end in (self.socket, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        self.socket.setblocking(False)
        self.process = processes.start("tamis.service.worker", theirs.fileno(), quiet=False)
        theirs.close()

    def begin(self, head: bytes, body: bytes) -> int:
        """Send as much of a job as goes over at once, mostly all of it; how many bytes that is."""
        try:
            return self.socket.sendmsg([head, body])
        except OSError:  # it has no room, or is dead, which ``send`` finds
            return 0

    async def send(self, parts: tuple[bytes, bytes], sent: int) -> None:
        """Send what is left of a job."""
        for part in parts:
            if sent < len(part):
                await asyncio.get_running_loop().sock_sendall(self.socket, memoryview(part)[sent:])
            sent = max(0, sent - len(part))

    async def receive(self) -> Reply:
        # Nothing else comes before the next job, so that what is there can be taken at once.
        data = await asyncio.get_running_loop().sock_recv(self.socket, _PIECE_BYTES)
        data += await self._exactly(HEAD.size - len(data))
        values_length, body_length = HEAD.unpack_from(data)
        data += await self._exactly(HEAD.size + values_length + body_length - len(data))
        return Reply(json.loads(data[HEAD.size : HEAD.size + values_length]), data[HEAD.size + values_length :])

    async def _exactly(self, count: int) -> bytearray:
        data = bytearray(max(count, 0))
        rest = memoryview(data)
        loop = asyncio.get_running_loop()
        while rest:
            size = await loop.sock_recv_into(self.socket, rest)
            if not size:
                raise EOFError
            rest = rest[size:]
        return data

    def end(self) -> None:
        """End the process and everything it has started; a second time does nothing."""
        if self.socket.fileno() < 0:
            return
        self.socket.close()
        processes.end(self.process)


def closing() -> ProblemError:
    """What those are told who ask when the service ends."""
    return ProblemError(503, "closing", "the service is shutting down: try again later", _again())


def _again() -> dict[str, str]:
    return {"Retry-After": str(RETRY_AFTER_SECONDS)}
