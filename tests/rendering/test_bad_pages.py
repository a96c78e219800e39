"""Pages that hang, grow, crash and never end cost a warning, and the next page is fine."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest

from tamis.errors import MissingExtraError, MissingProgramError
from tamis.rendering import visit as visit_module
from tamis.rendering.browser import VARIABLE, Browser, find_browser
from tamis.rendering.render import render, render_many


def test_two_hundred_thousand_elements_are_cut_at_the_limit(browser: Browser) -> None:
    page = render("<div>" + "<p>x</p>" * 200_000, browser=browser, max_elements=500, screenshot=False)
    assert page.boxes is not None
    assert page.truncated
    assert any("only the first 500 elements" in warning for warning in page.warnings)
    assert len(page.nodes) > 200_000
    assert len(page.boxes) == 2 + 1 + 2 * 499  # html, body, div, and paragraphs with their texts


def test_the_limit_itself_is_allowed(browser: Browser) -> None:
    assert not render("<p>x</p>" * 10, browser=browser, max_elements=10, screenshot=False).truncated
    assert render("<p>x</p>" * 11, browser=browser, max_elements=10, screenshot=False).truncated


def test_bytes_beyond_the_limit_are_not_rendered(browser: Browser) -> None:
    page = render("<p>seen<p>" + "é" * 1000, browser=browser, max_bytes=10, screenshot=False)
    assert page.boxes is not None
    assert page.text == "seen" + "é" * 1000
    assert page.warnings == ("truncated: only the first 10 bytes were rendered (max_bytes)",)
    assert page.boxes.end.max() == len("seen")


@pytest.mark.proof  # it waits until a time limit is over
def test_an_endless_script_is_stopped_and_what_is_there_is_rendered(browser: Browser) -> None:
    page = render(
        "<p>before<script>while(1);</script><p>after",
        browser=browser,
        scripts=True,
        timeout_seconds=10,
        screenshot=False,
    )
    assert page.truncated
    assert any("not finished loading" in warning for warning in page.warnings)
    assert page.boxes is not None
    assert page.text == "beforeafter"


def test_without_scripts_an_endless_one_does_nothing(browser: Browser) -> None:
    page = render("<p>before<script>while(1);</script><p>after", browser=browser, screenshot=False)
    assert not page.warnings
    assert page.boxes is not None


def test_a_page_that_is_not_done_in_time_comes_back_without_boxes(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sleep_on(*_: object) -> None:
        import asyncio

        await asyncio.sleep(60)

    monkeypatch.setattr(visit_module, "_load", sleep_on)
    start = time.monotonic()
    page = render("<p>x", browser=browser, timeout_seconds=1)
    assert time.monotonic() - start < 30
    assert page.boxes is None
    assert page.truncated
    assert page.warnings == ("truncated: rendering was not finished after 1 seconds",)
    assert page.text == "x"


def test_a_page_that_wants_to_go_elsewhere_stays(browser: Browser) -> None:
    page = render("<p>here<script>location.reload()</script>", browser=browser, scripts=True, screenshot=False)
    assert page.boxes is not None
    assert page.text == "here"
    assert page.warnings == ("rendering: the page tried to navigate elsewhere while it was loading",)


def test_scripts_that_make_too_many_elements_get_no_boxes(browser: Browser) -> None:
    script = "for (let i = 0; i < 300; i++) document.body.append(document.createElement('b'))"
    page = render(f"<p>x<script>{script}</script>", browser=browser, scripts=True, max_elements=100, screenshot=False)
    assert page.boxes is None
    assert any("scripts made 305 elements" in warning for warning in page.warnings)


def test_scripts_cannot_keep_the_page_from_being_looked_at(browser: Browser) -> None:
    script = (
        "document.getAnimations = () => {while(1);}; Array.prototype[Symbol.iterator] = null; JSON.stringify = null;"
        "onbeforeunload = () => 'stay'; setTimeout(() => {while(1);}, 50)"
    )
    page = render(f"<p>x<script>{script}</script>", browser=browser, scripts=True, screenshot=False)
    assert page.boxes is not None
    assert page.text == "x"


def test_a_browser_killed_in_the_middle_is_started_again(monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    with Browser() as mortal:
        render("<p>first", browser=mortal, screenshot=False)
        pid = mortal.pid
        assert pid is not None
        deaths: list[int] = []
        load = visit_module._load

        async def die_once(*arguments: object) -> None:
            if not deaths:
                deaths.append(pid)
                os.kill(pid, signal.SIGKILL)
            await load(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(visit_module, "_load", die_once)
        page = render("<p>second", browser=mortal, screenshot=False)
        assert deaths
        assert page.boxes is not None
        assert not page.warnings
        third = render("<p>third", browser=mortal, screenshot=False)
        assert third.boxes is not None
        assert mortal.pid not in (None, pid)


@pytest.mark.proof  # it waits until a time limit is over
def test_a_page_that_kills_every_browser_costs_one_page(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    load = visit_module._load

    async def crash(tab: object, session: object, request: object, seen: object) -> None:
        if b"deadly" in request.doorkeeper._markup:  # type: ignore[attr-defined]
            await session.send("Browser.crash")  # type: ignore[attr-defined]
        await load(tab, session, request, seen)  # type: ignore[arg-type]

    monkeypatch.setattr(visit_module, "_load", crash)
    with Browser() as mortal:
        sources = ["<p>one", "<p>deadly", "<p>two"]
        pages = [
            outcome.rendering.page
            for outcome in render_many(sources, browser=mortal, workers=2, screenshot=False)
            if outcome.rendering
        ]
    assert [page.boxes is None for page in pages] == [False, True, False]
    assert pages[1].warnings[0].startswith("truncated: the browser failed on the page")


@pytest.mark.proof  # it waits until a time limit is over
def test_a_browser_that_does_not_answer_is_replaced() -> None:
    with Browser() as frozen:
        render("<p>first", browser=frozen, screenshot=False)
        pid = frozen.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        page = render("<p>second", browser=frozen, screenshot=False, timeout_seconds=5)
        assert page.boxes is not None
        with pytest.raises(ProcessLookupError):
            _wait_for_the_end(pid)


def _wait_for_the_end(pid: int) -> None:
    for _ in range(100):
        os.kill(pid, 0)
        time.sleep(0.1)


def test_a_browser_is_used_from_many_threads_and_closed_twice() -> None:
    with Browser() as shared:
        seen: list[bool] = []
        threads = [
            threading.Thread(
                target=lambda: seen.append(render("<p>x", browser=shared, screenshot=False).boxes is not None)
            )
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [True] * 3
    shared.close()


def test_a_missing_extra_is_answered_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    with Browser() as none, pytest.raises(MissingExtraError, match=r"pip install 'tamis\[rendering\]'"):
        render("<p>x", browser=none)


def test_a_missing_browser_is_answered_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingProgramError, match="apt-get install chromium"):
        find_browser()
    monkeypatch.setenv(VARIABLE, "/no/such/browser")
    with pytest.raises(MissingProgramError, match="/no/such/browser"):
        find_browser()


def test_a_program_that_is_no_browser_is_told(monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    monkeypatch.setenv(VARIABLE, "/bin/true")
    with Browser() as none, pytest.raises(MissingProgramError, match="/bin/true did not start"):
        render("<p>x", browser=none)
