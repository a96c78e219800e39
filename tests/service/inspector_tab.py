"""A tab of a real browser with the inspector in it."""

from __future__ import annotations

from typing import Any

ARTICLE = "#block-list [data-block='8']"  # the first paragraph of the example


class Inspector:
    """A tab with the inspector in it, and all that happened in it."""

    def __init__(self, browser: Any, home: str, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True, **options)
        self.home = home
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))

    def open(self, link: str = "") -> Inspector:
        self.page.goto(self.home + link)
        return self.settle()

    def settle(self) -> Inspector:
        self.page.locator("body:not([aria-busy]) #status:has-text('blocks kept')").wait_for()
        self.page.locator("#method option:nth-child(2)").wait_for(state="attached")
        return self

    def paste(self, markup: str) -> Inspector:
        self.page.locator("#open-button").click()
        self.page.locator("#paste").fill(markup)
        self.page.locator("#open-paste button").click()
        self.page.locator("#open-dialog").wait_for(state="hidden")
        return self.settle()

    def lit_in_page(self) -> list[str]:
        texts: list[str] = self.page.evaluate(
            "() => [...document.querySelector('#sheet iframe').contentDocument.querySelectorAll('[data-lit]')]"
            ".map((text) => text.textContent)"
        )
        return texts

    def expect(self, selector: str, count: int | None = None) -> Any:
        found = self.page.locator(selector)
        if count is None:
            found.first.wait_for()
        else:
            from playwright.sync_api import expect

            expect(found).to_have_count(count)
        return found
