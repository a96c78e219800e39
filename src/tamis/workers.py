"""A supervised pool of processes: one task at a time each, a time limit for every task, and no task is lost.

A worker that hangs or dies is ended and replaced; the task it had is reported. What a task has started ends with its
worker, and all workers end with the pool (``tamis.processes``).
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import os
import pickle
import select
import signal
import socket
import struct
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from tamis import processes
from tamis.errors import OptionError, TamisError

Task = TypeVar("Task")
Value = TypeVar("Value")

_LOOK_SECONDS = 0.1  # how often deadlines are looked at, and deaths that a surviving child hides from the socket
_HEAD = struct.Struct("!Q")  # length of a message
_BUFFER_BYTES = 1 << 20  # of a socket: most pages go over in one piece. Ours
_ROOM_BYTES = 1 << 20  # kept for messages; longer ones get a room of their own. Ours


@dataclass(frozen=True)
class EndedTask(Generic[Task]):
    """What became of a task."""

    task: Task
    status: Literal["done", "raised", "timed out", "crashed"]
    value: Any
    seconds: float  # inside the worker, around the task alone; outside when it did not come back
    error: str = ""


def run_all(
    tasks: Iterable[Task], make: Callable[[], Callable[[Task], Any]], *, count: int, timeout_seconds: float
) -> Generator[EndedTask[Task], None, None]:
    """Work off the tasks and yield an outcome for each, in the order in which they end.

    Each worker calls ``make``, which must be picklable, once; what it gives is called with every task. Tasks are read
    one by one as workers become free. Close the iterator to end all workers before the last task.
    """
    waiting = iter(tasks)
    workers: list[_Worker[Task]] = []
    try:
        for task in itertools.islice(waiting, count):
            workers.append(_Worker(make, task))  # noqa: PERF401 - what is started is known when the next one fails
        while workers:
            ready = _readable(worker.channel for worker in workers)
            for worker in tuple(workers):
                outcome = worker.look(timeout_seconds, is_ready=worker.channel.socket.fileno() in ready)
                if outcome is None:
                    continue
                yield outcome
                is_usable = outcome.status in ("done", "raised")
                followers = list(itertools.islice(waiting, 1))
                if followers and is_usable:
                    worker.take(followers[0])
                else:
                    worker.end()
                    workers.remove(worker)
                    workers += [_Worker(make, task) for task in followers]
    finally:
        for worker in workers:
            worker.end()


def map_in_order(
    function: Callable[[Task], Value], tasks: Iterable[Task], *, count: int
) -> Generator[Value, None, None]:
    """What a function makes of each task, in their order; the first task that fails ends it with an error.

    The function goes to each worker once, with all that it holds, and must be picklable. One worker is this process.
    """
    if count == 1:
        yield from map(function, tasks)
        return
    make = functools.partial(_numbered, function)
    early: dict[int, Value] = {}
    following = 0
    with contextlib.closing(run_all(enumerate(tasks), make, count=count, timeout_seconds=math.inf)) as ended:
        for done in ended:
            if isinstance(done.value, TamisError):
                raise done.value
            if done.status != "done":
                raise RuntimeError(f"a worker failed: {done.error}")
            early[done.task[0]] = done.value
            while following in early:
                yield early.pop(following)
                following += 1


def _readable(channels: Iterable[_Channel], seconds: float = _LOOK_SECONDS) -> set[int]:
    """Descriptors that have something to read or were closed at the other end; waits for the first, but not long."""
    waiting = select.poll()  # a fraction of what ``multiprocessing.connection.wait`` takes to get ready
    for channel in channels:
        waiting.register(channel.socket, select.POLLIN)
    return {descriptor for descriptor, _ in waiting.poll(seconds * 1000)}


def _numbered(function: Callable[[Task], Value]) -> Callable[[tuple[int, Task]], Value | TamisError]:
    def work_on(task: tuple[int, Task]) -> Value | TamisError:
        try:
            return function(task[1])
        except TamisError as error:  # raised again, as it is, where it is understood
            return error

    return work_on


class _Channel:
    """Values to another process of ours and back, in half the time of ``multiprocessing.Connection``: few copies."""

    def __init__(self, end: socket.socket) -> None:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        self.socket = end
        self._room = bytearray(_ROOM_BYTES)

    def send(self, value: object) -> None:
        """Send what can be pickled."""
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        parts = _HEAD.pack(len(data)), data
        sent = self.socket.sendmsg(parts)
        for part in parts:
            if sent < len(part):
                self.socket.sendall(memoryview(part)[sent:])
            sent = max(0, sent - len(part))

    def receive(self) -> Any:
        """What was sent; ``EOFError`` when the other side is gone."""
        (length,) = _HEAD.unpack(self._exactly(_HEAD.size))
        return pickle.loads(self._exactly(length))  # noqa: S301 - a process of ours stands at the other end

    def _exactly(self, count: int) -> memoryview:
        data = memoryview(self._room if count <= _ROOM_BYTES else bytearray(count))[:count]
        filled = 0
        while filled < count:
            size = self.socket.recv_into(data[filled:])
            if not size:
                raise EOFError
            filled += size
        return data


class _Worker(Generic[Task]):
    """A process and the task it has; it gets the task when it has opened what it works with."""

    def __init__(self, make: Callable[[], Callable[[Task], Any]], task: Task) -> None:
        ours, theirs = socket.socketpair()
        self.channel = _Channel(ours)
        self.task = task
        self.is_open = False
        self.since = time.monotonic()
        self.process = processes.start(__name__, theirs.fileno(), quiet=True)
        theirs.close()
        with contextlib.suppress(OSError):  # it is dead already: found when it is looked at
            self.channel.send(make)

    def take(self, task: Task) -> None:
        """Begin a task."""
        self.task, self.since = task, time.monotonic()
        with contextlib.suppress(OSError):
            self.channel.send(task)

    def look(self, timeout_seconds: float, *, is_ready: bool) -> EndedTask[Task] | None:
        """What became of the task, or None while it is under way. ``is_ready`` says that there is something to read."""
        # Whether it is dead is asked before its last message is looked for, and only where there is nothing to read.
        is_dead = not is_ready and self.process.poll() is not None
        message = self._message() if is_ready or _readable([self.channel], 0) else None
        seconds = time.monotonic() - self.since
        if message is not None:
            return self._understood(message, timeout_seconds)
        if is_dead or is_ready:  # what could be read was its end
            return self._lost("crashed", seconds, _cause(self.process.returncode))
        if seconds > (timeout_seconds if self.is_open else processes.OPENING_SECONDS):
            return self._lost("timed out", seconds, f"not done after {seconds:.1f} seconds")
        return None

    def end(self) -> None:
        """End the process and everything it has started; a second time does nothing."""
        if self.channel.socket.fileno() < 0:
            return
        processes.end(self.process)
        self.channel.socket.close()

    def _message(self) -> tuple[str, Any, float, str] | None:
        try:
            message: tuple[str, Any, float, str] = self.channel.receive()
        except (EOFError, OSError):  # it died, perhaps in the middle of a message
            self.process.kill()
            self.process.wait()
            return None
        return message

    def _understood(self, message: tuple[str, Any, float, str], timeout_seconds: float) -> EndedTask[Task] | None:
        kind, value, seconds, error = message
        if kind == "unusable":
            raise OptionError(error)
        if kind == "open":
            self.is_open = True
            self.take(self.task)
            return None
        if seconds > timeout_seconds:  # it came back before it was looked at
            return EndedTask(self.task, "timed out", None, seconds, f"not done after {timeout_seconds:g} seconds")
        return EndedTask(self.task, "raised" if kind == "raised" else "done", value, seconds, error)

    def _lost(self, status: Literal["timed out", "crashed"], seconds: float, reason: str) -> EndedTask[Task]:
        if not self.is_open:
            raise OptionError(f"a worker {status} before its first page: {reason}")
        self.end()
        return EndedTask(self.task, status, None, seconds, reason)


def work(descriptor: int) -> None:
    """What a worker does until the pool closes the socket."""
    channel = _Channel(socket.socket(fileno=descriptor))
    own = os.getpid()
    try:
        process = channel.receive()()
    except (Exception, SystemExit) as error:
        channel.send(("unusable", None, 0.0, _said(error)))
        return
    channel.send(("open", None, 0.0, ""))
    while True:
        try:
            task = channel.receive()
        except EOFError:
            return
        start = time.perf_counter()
        try:
            kind, value, problem = "done", process(task), ""
        except (Exception, SystemExit) as error:
            kind, value, problem = "raised", None, _said(error)
        seconds = time.perf_counter() - start
        if os.getpid() != own:  # a child the task has forked, which must not answer in our name
            os._exit(0)
        channel.send((kind, value, seconds, problem))


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _cause(code: int) -> str:
    return f"the process was ended by {signal.Signals(-code).name}" if code < 0 else f"the process ended with {code}"
