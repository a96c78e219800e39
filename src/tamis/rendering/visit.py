"""One visit of the browser to one page: load, stand still, snapshot, screenshot. A deadline ends it, come what may."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tamis.rendering.browser import Browser, browser_error
from tamis.rendering.doorkeeper import Doorkeeper
from tamis.rendering.snapshot import REQUEST

if TYPE_CHECKING:
    from playwright.async_api import Browser as Running
    from playwright.async_api import BrowserContext, CDPSession
    from playwright.async_api import Page as Tab

_MAX_SHOT_SIDE = 16_384  # pixels; browsers draw no larger pictures
_MAX_SHOT_PIXELS = 80_000_000  # in all; ours: 240 MB as they are read, and Pillow refuses twice as many
_LOADING_SHARE = 0.6  # of the time for loading; the rest is for looking at what is there; ours, not swept
_SCRIPT_SECONDS = 0.3  # for what scripts do when the page has loaded; ours, not swept
_CLOSE_SECONDS = 5.0
_STAND_STILL = """
for (const moving of document.querySelectorAll("marquee")) {  // its animation is beyond reach once a frame was drawn
    const still = moving.cloneNode(false);
    moving.before(still);
    while (moving.firstChild) { (still.moveBefore ?? still.insertBefore).call(still, moving.firstChild, null); }
    moving.remove();
    HTMLMarqueeElement.prototype.stop.call(still);
}
for (const animation of document.getAnimations()) {
    try { animation.finish(); } catch { animation.cancel(); }
}
scrollTo({left: -1e9, top: 0, behavior: "instant"});  // to the corner, also of pages that are read from the right
document.getElementsByTagName("*").length"""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the browser is asked to do."""

    doorkeeper: Doorkeeper
    width: int
    height: int
    scripts: bool
    screenshot: bool
    timeout_seconds: float
    max_elements: int


@dataclass(kw_only=True)
class Visit:
    """What was seen before the time was over."""

    snapshot: dict[str, Any] | None = None
    markup: str | None = None  # the final DOM, when scripts ran
    screenshot: bytes | None = None
    warnings: tuple[str, ...] = ()


def visit(browser: Browser, request: Request) -> Visit:
    """Show a page to the browser and bring back what it says about it."""

    async def go(running: Running) -> Visit:
        seen = Visit()
        opening = running.new_context(
            viewport={"width": request.width, "height": request.height},
            java_script_enabled=request.scripts,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
        )
        try:
            context = await asyncio.wait_for(opening, request.timeout_seconds)
        except TimeoutError:
            browser.kill(running)  # it does not answer at all
            raise
        try:
            await _look_in_time(running, _look(context, request, seen), request.timeout_seconds)
        except TimeoutError:
            seen.warnings += (f"truncated: rendering was not finished after {request.timeout_seconds:g} seconds",)
        finally:
            if running.is_connected() and not await _close(context):
                browser.kill(running)
        return seen

    return browser.run(go)


async def _look_in_time(running: Running, work: Coroutine[Any, Any, None], seconds: float) -> None:
    """Do the work, unless its time is over or the browser dies, which not every question to it would notice."""
    died = asyncio.Event()

    def note(_: Running) -> None:
        died.set()

    running.on("disconnected", note)
    looking, dying = asyncio.ensure_future(work), asyncio.ensure_future(died.wait())
    try:
        done, _ = await asyncio.wait({looking, dying}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if looking in done:
            looking.result()
        elif dying in done or not running.is_connected():
            raise browser_error()("the browser died")
        else:
            raise TimeoutError
    finally:
        running.remove_listener("disconnected", note)
        for task in (looking, dying):
            task.cancel()
        await asyncio.gather(looking, dying, return_exceptions=True)


async def _look(context: BrowserContext, request: Request, seen: Visit) -> None:
    request.doorkeeper.begin()
    await context.route("**/*", request.doorkeeper.answer)
    tab = await context.new_page()
    session = await context.new_cdp_session(tab)
    await session.send("Animation.enable")
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0})  # also for what no script can see
    await _load(tab, session, request, seen)
    elements = await _stand_still(session)
    if elements > 2 * request.max_elements:  # twice: scripts and the parser may add some to those that were served
        seen.warnings += (f"truncated: scripts made {elements} elements, too many to render (max_elements)",)
        return
    snapshot = await session.send("DOMSnapshot.captureSnapshot", REQUEST)
    if request.scripts:
        root = await session.send("DOM.getDocument", {"depth": 0})
        wanted = {"nodeId": root["root"]["nodeId"], "includeShadowDOM": True}
        seen.markup = (await session.send("DOM.getOuterHTML", wanted))["outerHTML"]
    seen.snapshot = snapshot
    if request.screenshot:
        seen.screenshot = await _shoot(session, snapshot["documents"][0], seen)


async def _load(tab: Tab, session: CDPSession, request: Request, seen: Visit) -> None:
    seconds = _LOADING_SHARE * request.timeout_seconds
    loading = asyncio.ensure_future(tab.goto(request.doorkeeper.address, wait_until="load", timeout=0))
    leaving = asyncio.ensure_future(request.doorkeeper.leaving.wait())
    try:
        done, _ = await asyncio.wait({loading, leaving}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if loading in done:
            await loading  # raises what went wrong
        elif leaving in done:  # it will never finish: the browser waits for what was refused
            seen.warnings += ("rendering: the page tried to navigate elsewhere while it was loading",)
        else:
            seen.warnings += (f"truncated: the page had not finished loading after {seconds:g} seconds",)
        if request.scripts and done:
            await asyncio.sleep(_SCRIPT_SECONDS)
    finally:
        for task in (loading, leaving):
            task.cancel()
    if request.scripts:  # what is there now is looked at, and must not change any more
        await session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        with contextlib.suppress(browser_error()):  # nothing was running
            await session.send("Runtime.terminateExecution")


async def _stand_still(session: CDPSession) -> int:
    """End all movement, and count the elements; in a world of its own, which the page's scripts cannot change."""
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
    wanted = {"expression": _STAND_STILL, "contextId": world["executionContextId"], "returnByValue": True}
    answer = await session.send("Runtime.evaluate", wanted)
    return int(answer["result"].get("value", 0))


async def _shoot(session: CDPSession, document: dict[str, Any], seen: Visit) -> bytes:
    page = document["contentWidth"], document["contentHeight"]
    width = min(page[0], _MAX_SHOT_SIDE)
    height = min(page[1], _MAX_SHOT_SIDE, _MAX_SHOT_PIXELS // max(width, 1))
    if (width, height) != page:
        sizes = f"{width:.0f} x {height:.0f} of {page[0]:.0f} x {page[1]:.0f}"
        seen.warnings += (f"screenshot: only the first {sizes} pixels are shown",)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    wanted = {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True}
    picture = await session.send("Page.captureScreenshot", wanted)
    return base64.b64decode(picture["data"])


async def _close(context: BrowserContext) -> bool:
    """Whether the context closed; one whose page hangs may not."""
    try:
        await asyncio.wait_for(context.close(), _CLOSE_SECONDS)
    except TimeoutError:
        return False
    except browser_error():  # the browser is gone
        return True
    return True
