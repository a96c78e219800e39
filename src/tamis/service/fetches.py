"""Pages fetched for those who ask the service: a few at a time, by the fetcher that reaches no private machine."""

from __future__ import annotations

import asyncio
import functools
import math
from concurrent.futures import ThreadPoolExecutor

from tamis.errors import AddressError, TransferError
from tamis.fetching.answers import Fetched
from tamis.fetching.deadlines import DeadlineError
from tamis.fetching.http import BusyError, Fetcher, Options
from tamis.fetching.robots import RobotsError
from tamis.service.problems import ProblemError, as_problem

_AT_ONCE = 16  # ours: threads, which mostly wait
_SITE_AGAIN_SECONDS = 60  # ours: where the site of a page is busy, and does not say for how long
_INSTEAD = "open it in a browser and send what it shows as html, or read it in the reader view"
_MOST = 64  # ours: fetches under way and waiting; one more is told to come again later


class Fetches:
    """Fetches pages in threads; close it when done."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fetch")
        self.running = 0

    @functools.cached_property
    def _fetcher(self) -> Fetcher:
        return Fetcher(self._options)  # an error if the extra is missing, which only those see who want a page fetched

    async def fetch(self, url: str) -> Fetched:
        """The page at an address; a problem says why there is none."""
        if self.running >= _MOST:
            raise ProblemError(503, "busy", "too many pages are being fetched: try again in 1 s", {"Retry-After": "1"})
        fetch = self._fetcher.fetch
        self.running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, fetch, url)
        except (AddressError, TransferError) as error:
            if asked := _asked_by_robots(error):
                problem = as_problem(error)
                raise ProblemError(problem.status, problem.kind, f"{asked}: {_INSTEAD}") from error
            if isinstance(error.__cause__, DeadlineError):
                raise ProblemError(504, "deadline", str(error)) from error
            if isinstance(error.__cause__, BusyError) and error.__cause__.status in (429, 503):
                seconds = error.__cause__.wait_seconds
                again = _SITE_AGAIN_SECONDS if seconds is None else math.ceil(seconds)
                raise ProblemError(503, "busy-site", str(error), {"Retry-After": str(again)}) from error
            raise
        finally:
            self.running -= 1

    def close(self) -> None:
        if "_fetcher" in self.__dict__:
            self._fetcher.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _asked_by_robots(error: BaseException | None) -> RobotsError | None:
    """What the site asks of robots, if this is why there is no page."""
    while error is not None and not isinstance(error, RobotsError):
        error = error.__cause__
    return error
