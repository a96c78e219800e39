"""The browser: found, started once, used by many pages side by side, and started again when it dies.

Playwright runs in a thread of its own, so that pages can be rendered from any thread, also inside an event loop, and
so that a deadline ends whatever the browser is busy with.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import os
import shutil
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tamis.errors import MissingExtraError, MissingProgramError
from tamis.rendering.isolation import FLAGS

if TYPE_CHECKING:
    from playwright.async_api import Browser as Running
    from playwright.async_api import Playwright

Result = TypeVar("Result")

# The first is Chromium without windows: processor time of 8 small pages 1.2 and 1.3 s, against 5.3 and 5.0 s.
PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
VARIABLE = "TAMIS_BROWSER"
_START_SECONDS = 60.0  # a cold start on a busy machine; longer than this is a hang
_CLOSE_SECONDS = 10.0  # what does not close in this time is killed


def find_browser() -> str:
    """The browser's program: what ``TAMIS_BROWSER`` names, else the first that is installed."""
    if named := os.environ.get(VARIABLE):
        if found := shutil.which(named):
            return found
        raise MissingProgramError(
            f"{VARIABLE} is {named!r}, but there is no such program: set it to Chromium or Chrome"
        )
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    raise MissingProgramError(
        "rendering needs Chromium, but no browser was found: install one (Debian: apt-get install chromium), "
        f"or set {VARIABLE} to its path"
    )


def check_browser() -> None:
    """Say what is missing for rendering, if anything is, before the first page is read."""
    browser_error()
    find_browser()


class BrowserDied(Exception):  # noqa: N818 - it says what happened, and callers never see it
    """The browser failed on a page, and once more in a browser of its own."""


class Browser:
    """A browser that is there when it is needed. Close it, or use it in a ``with`` statement."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tamis-browser", daemon=True)
        self._thread.start()
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._running: Running | None = None
        self._pids: dict[Running, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process of the browser; none before the first page and after a death that was noticed."""
        running = self._running
        return self._pids.get(running) if running else None

    def run(self, visit: Callable[[Running], Awaitable[Result]]) -> Result:
        """What a visit brings back.

        When the browser dies in the middle the visit is made once more, in a browser of its own: a page that kills
        browsers costs no other page. A second death is ``BrowserDied``.
        """
        if self._running is None:
            check_browser()
        return self._wait(self._visit(visit))

    def close(self) -> None:
        """End the browser; a second time does nothing."""
        if self._loop.is_closed() or self._owner != os.getpid():  # a forked process has none of its parent's threads
            return
        with contextlib.suppress(Exception):
            self._wait(asyncio.wait_for(self._finish(), 3 * _CLOSE_SECONDS))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def _visit(self, visit: Callable[[Running], Awaitable[Result]]) -> Result:
        running = await self._ready()
        with contextlib.suppress(browser_error(), TimeoutError):
            return await visit(running)
        alone = await self._launch()
        try:
            return await visit(alone)
        except (browser_error(), TimeoutError) as error:
            raise BrowserDied(_first_line(error)) from error
        finally:
            await self._end(alone)

    async def _ready(self) -> Running:
        async with self._starting:
            if self._running is None or not self._running.is_connected():
                self._running = await self._launch()
            return self._running

    async def _launch(self) -> Running:
        program = find_browser()
        try:
            return await asyncio.wait_for(self._launched(program), _START_SECONDS)
        except (browser_error(), TimeoutError):
            await self._stop()  # the driver itself may have died
        try:
            return await asyncio.wait_for(self._launched(program), _START_SECONDS)
        except TimeoutError as error:
            raise MissingProgramError(f"{program} did not start within {_START_SECONDS:g} seconds") from error
        except browser_error() as error:
            raise MissingProgramError(f"{program} did not start: {_first_line(error)}") from error

    async def _launched(self, program: str) -> Running:
        from playwright.async_api import async_playwright

        if self._playwright is None:
            self._playwright = await async_playwright().start()
        running = await self._playwright.chromium.launch(
            executable_path=program,
            args=list(FLAGS),
            chromium_sandbox=not _is_root(),  # Chromium refuses to start with one as root
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        session = await running.new_browser_cdp_session()
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        await session.detach()
        self._pids[running] = next(process["id"] for process in processes if process["type"] == "browser")
        return running

    async def _end(self, running: Running) -> None:
        """Close a browser, or kill it when it does not close."""
        pid = self._pids.pop(running, None)
        try:
            await asyncio.wait_for(running.close(), _CLOSE_SECONDS)
        except (browser_error(), TimeoutError):
            if pid is not None:
                _kill(pid)

    def kill(self, running: Running) -> None:
        """End a browser that does not answer any more; its other pages are visited again."""
        if (pid := self._pids.get(running)) is not None:
            _kill(pid)

    async def _stop(self) -> None:
        for running in tuple(self._pids):
            await self._end(running)
        self._running = None
        if self._playwright is not None:
            playwright, self._playwright = self._playwright, None
            with contextlib.suppress(Exception):
                await asyncio.wait_for(playwright.stop(), _CLOSE_SECONDS)

    async def _finish(self) -> None:
        await self._stop()
        left = asyncio.all_tasks() - {asyncio.current_task()}  # answers to pages that died
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def shared_browser() -> Browser:
    """The browser of this process, started when it is first needed and closed at its end."""
    return _browser_of(os.getpid())


@functools.cache
def _browser_of(pid: int) -> Browser:
    browser = Browser()
    atexit.register(browser.close)
    return browser


def browser_error() -> type[Exception]:
    """What Playwright raises when a browser does not do what it is asked for; the class is imported late."""
    try:
        from playwright.async_api import Error
    except ImportError as error:
        raise MissingExtraError("rendering", "rendering pages") from error
    return Error


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
