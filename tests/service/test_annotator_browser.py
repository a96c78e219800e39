"""The annotator in a real browser, used as a person would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")

from tamis.service.annotating import FILE, PageSet  # noqa: E402
from tamis.service.annotator import create_annotator  # noqa: E402
from tamis.service.settings import Settings  # noqa: E402
from tests.service import attacks  # noqa: E402
from tests.service.barriers import needs_axe, serious_barriers  # noqa: E402
from tests.service.running import TOKEN, running  # noqa: E402

# Boxes at known places: the menu on the left, three paragraphs on the right.
PAGE = """<!doctype html><meta charset="utf-8"><title>{name}</title>
<style>body {{ margin: 0; font: 16px/20px sans-serif }} nav, main {{ position: absolute; top: 0 }}
nav {{ left: 0; width: 200px }} main {{ left: 300px; width: 600px }} p, li {{ margin: 0; height: 100px }}</style>
<nav><ul><li><a href="/">Home</a></li><li><a href="/all">All pages</a></li></ul></nav>
<main><p>The first paragraph of {name} says something at some length, so that it is content.</p>
<p>The second paragraph of {name} goes on at some length as well, and says more.</p>
<p>The last paragraph of {name} ends, after it has said something at some length.</p></main>
<script>document.title = "ran"; alert("ran")</script><img src="x" onerror="alert('ran')" alt="">"""

_ODD = ("mutation", "title")  # each would swallow what follows


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        (tmp_path / f"{name}.html").write_text(PAGE.format(name=name))
    return tmp_path


class Annotator:
    """A tab with the annotator in it."""

    def __init__(self, browser: Any, client: Any, name: str, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1900, "height": 900}, **options)  # pages at true size
        self.tab = self.context.new_page()
        self.faults: list[str] = []
        self.changes = 0
        self.tab.on("pageerror", lambda error: self.faults.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.faults.append(dialog.message))
        self.tab.goto(f"{client.base_url}/?token={TOKEN}")
        self.tab.wait_for_selector("#elements li")
        if self.tab.input_value("#annotator") != name:
            self.settled()
            self.tab.fill("#annotator", name)
            self.tab.press("#annotator", "Enter")
        self.settled()

    def settled(self) -> None:
        self.tab.wait_for_function("() => !document.querySelector('#notice').textContent.startsWith('Opening')")
        self.tab.wait_for_function(
            "() => !document.querySelector('#picture').src || document.querySelector('#picture').complete"
        )

    def draw(self, left: float, top: float, right: float, bottom: float) -> None:
        frame = self.tab.locator("#picture").bounding_box()
        self.tab.mouse.move(frame["x"] + left, frame["y"] + top)
        self.tab.mouse.down()
        self.tab.mouse.move(frame["x"] + right, frame["y"] + bottom, steps=3)
        self.tab.mouse.up()
        self.kept()

    def click(self, left: float, top: float) -> None:
        frame = self.tab.locator("#picture").bounding_box()
        self.tab.mouse.click(frame["x"] + left, frame["y"] + top)
        self.kept()

    def kept(self) -> None:
        """Wait for one more change to be on the disk."""
        self.changes += 1
        self.said(f"Saved: {self.changes} change{'s' * (self.changes != 1)}.")

    def press(self, key: str) -> None:
        self.tab.locator("#elements").focus()
        self.tab.keyboard.press(key)

    def said(self, text: str) -> None:
        self.tab.wait_for_function("text => document.querySelector('#notice').textContent.includes(text)", arg=text)

    @property
    def main(self) -> list[str]:
        """How the elements begin that are main content."""
        texts = self.tab.locator("#elements li.main .text").all_inner_texts()
        return [" ".join(text.split()[:2]) for text in texts]

    def close(self) -> None:
        assert self.faults == []
        self.context.close()


@pytest.fixture(name="client")
def _client(folder: Path) -> Iterator[Any]:
    def make(settings: Settings) -> Any:
        return create_annotator(settings, PageSet(folder), "ann")

    with running(Settings(port=0, token=TOKEN, workers=1), make) as client:
        yield client


def kept(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()]


@pytest.mark.proof
def test_rectangles_are_drawn_previewed_undone_and_committed(browser: Any, client: Any, folder: Path) -> None:
    own = Annotator(browser, client, "ann")
    own.press("x")
    own.kept()
    assert own.main == []
    own.draw(290, 12, 950, 205)  # through the letters of the first paragraph
    own.said("The rectangles contain 1 element entirely.")
    assert own.tab.locator(".element.inside").count() == 1
    own.press("c")
    assert own.tab.locator(".element.inside").count() == 0
    own.press("c")
    own.said("The rectangles contain 1 element entirely.")
    own.press("u")
    own.kept()
    assert own.tab.locator("#rectangles rect").count() == 0
    own.draw(295, 100, 950, 230)  # the boxes of the paragraphs are taller than this, their texts are not
    own.said("The rectangles contain 2 elements entirely.")
    own.press("d")
    own.said("Committed one.html with 2 elements of main content. Suggested by the default method")  # the next page
    assert own.tab.input_value("#pages") == "two.html"
    assert own.tab.inner_text("#progress output") == "1 of 2 done"
    last = kept(folder)[-1]
    assert (last["page"], last["committed"], len(last["rectangles"])) == ("one.html", True, 1)
    assert [mark["quote"].split()[1] for mark in last["marks"] if mark["label"] == "main"] == ["second", "last"]
    own.close()


@pytest.mark.proof
def test_a_page_without_main_content_is_committed_only_when_asked_twice(
    browser: Any, client: Any, folder: Path
) -> None:
    own = Annotator(browser, client, "ann")
    own.press("x")
    own.kept()
    own.draw(250, 400, 280, 450)
    own.said("The rectangles contain 0 elements entirely.")
    own.press("d")
    own.said("Nothing is main content: no element lies entirely inside a rectangle. Press D again")
    assert not any(line["committed"] for line in kept(folder))
    own.press("d")
    own.said("Committed one.html with 0 elements of main content.")
    assert (kept(folder)[-1]["committed"], kept(folder)[-1]["marks"]) == (True, [])
    own.close()


@pytest.mark.proof
def test_a_key_is_a_command_again_after_a_choice_in_a_list(browser: Any, client: Any, folder: Path) -> None:
    own = Annotator(browser, client, "ann")
    own.tab.focus("#page-type")
    own.tab.select_option("#page-type", "article")
    own.kept()
    own.tab.keyboard.press("d")  # in the list it would choose "directory"
    own.said("Committed one.html")
    assert kept(folder)[-1]["page_type"] == "article"
    own.close()


@pytest.mark.proof
def test_picture_and_boxes_agree_at_every_size(browser: Any, client: Any) -> None:
    own = Annotator(browser, client, "ann")
    own.tab.set_viewport_size({"width": 1000, "height": 700})
    sheet, stage = "#sheet", ".stage"
    for key, wanted in (("0", 1.0), ("f", None), ("-", None), ("+", None)):
        own.press(key)
        width = own.tab.locator(sheet).bounding_box()["width"]
        size = width / 1366
        assert wanted in (None, size)
        box = own.tab.locator("#overlay [data-position='2']").bounding_box()  # the first paragraph
        corner = own.tab.locator("#picture").bounding_box()
        assert box["x"] - corner["x"] == pytest.approx(300 * size, abs=2)
        if key == "f":
            frame = own.tab.locator(stage).bounding_box()
            assert frame["width"] - 40 < width < frame["width"]
    own.close()


@pytest.mark.proof
def test_a_picture_that_ends_early_is_not_stretched(browser: Any, tmp_path: Path) -> None:
    """The browser makes pictures of at most 16,384 pixels."""
    (tmp_path / "tall.html").write_text(
        "<style>body, p { margin: 0 }</style><p>The first paragraph says something at some length.</p>"
        "<p style='margin-top: 17000px'>The last paragraph says something at some length, far below.</p>"
    )

    def make(settings: Settings) -> Any:
        return create_annotator(settings, PageSet(tmp_path), "ann")

    with running(Settings(port=0, token=TOKEN, workers=1), make) as client:
        own = Annotator(browser, client, "ann")
        size = own.tab.locator("#sheet").bounding_box()["width"] / 1366
        picture = own.tab.locator("#picture").bounding_box()
        assert picture["height"] == pytest.approx(16_384 * size, rel=0.001)
        assert own.tab.locator("#sheet").bounding_box()["height"] == pytest.approx(17_036 * size, rel=0.001)
        last = own.tab.locator("#overlay [data-position='1']")
        assert last.bounding_box()["y"] - picture["y"] == pytest.approx(17_018 * size, abs=2)
        assert "The screenshot ends here" in own.tab.inner_text("#cut")
        assert own.tab.locator("#overlay text").all_text_contents() == [
            "The last paragraph says something at some length, far below."
        ]
        own.close()


@pytest.mark.proof
def test_elements_are_labelled_by_clicks_and_keys(browser: Any, client: Any, folder: Path) -> None:
    own = Annotator(browser, client, "ann")
    own.press("x")
    own.kept()
    own.click(400, 110)
    assert own.main == ["The second"]
    own.click(400, 110)
    assert own.main == []
    own.press("ArrowDown")
    own.press("m")
    own.kept()
    assert own.main == ["The last"]
    for _ in range(9):
        own.press("ArrowUp")
    own.press("2")
    own.kept()
    assert own.tab.inner_text("#elements li.category .kind") == "navigation"
    own.tab.select_option("#page-type", "article")
    own.kept()
    last = kept(folder)[-1]
    assert last["page_type"] == "article"
    assert {mark["category"] or mark["label"] for mark in last["marks"]} == {"main", "navigation"}
    own.close()


_SELECT = """([from, to]) => {
  const pieces = [...document.querySelectorAll("#text [data-start]")].map((piece) => piece.firstChild).filter(Boolean);
  const range = document.createRange();
  for (const [text, name] of [[from, "setStart"], [to, "setEnd"]]) {
    const node = pieces.find((piece) => piece.data.includes(text));
    range[name](node, node.data.indexOf(text) + (name === "setEnd" ? text.length : 0));
  }
  document.getSelection().removeAllRanges();
  document.getSelection().addRange(range);
}"""


@pytest.mark.proof
def test_text_is_selected_letter_by_letter(browser: Any, client: Any, folder: Path) -> None:
    """Letters that take two units in the browser are one in the text of the page."""
    (folder / "one.html").write_text(PAGE.format(name="\N{SAUROPOD} one"))
    own = Annotator(browser, client, "ann")
    own.press("x")
    own.kept()
    own.press("t")
    own.tab.wait_for_selector("#text p")
    assert not own.tab.is_visible("#sheet")
    own.tab.evaluate(_SELECT, ["The first", "The second paragraph of \N{SAUROPOD} one"])
    own.press("m")
    own.kept()
    assert own.main == ["The first"]
    assert own.tab.locator("#text mark").all_inner_texts() == ["The second paragraph of \N{SAUROPOD} one"]
    own.tab.evaluate(_SELECT, ["second", "second paragraph of \N{SAUROPOD}"])
    own.press("n")
    own.kept()
    own.tab.evaluate(_SELECT, ["The first", "The first"])
    own.tab.click("#kinds [data-kind=noisy]")
    own.kept()
    assert own.main == []
    own.press("u")
    own.kept()
    own.tab.fill("#language", "German")
    own.tab.press("#language", "Enter")
    own.said("Not saved: a language is a tag")
    own.tab.fill("#language", "de_at")
    own.tab.press("#language", "Enter")
    own.kept()
    own.press("d")
    own.said("Committed one.html with 1 element and 2 passages of main content.")
    last = kept(folder)[-1]
    assert [passage["text"] for passage in last["passages"]] == ["The", "one"]
    assert last["language"] == "de-AT"
    own.close()


@pytest.mark.proof
def test_what_is_said_survives_a_reload_and_a_killed_tab(browser: Any, client: Any) -> None:
    own = Annotator(browser, client, "ann")
    own.press("x")
    own.kept()
    own.click(400, 10)
    own.tab.reload()
    own.tab.wait_for_selector("#elements li")
    own.settled()
    assert own.main == ["The first"]
    own.context.close()
    again = Annotator(browser, client, "ann")
    assert again.main == ["The first"]
    again.said("Started, not committed.")
    again.close()


@pytest.mark.proof
def test_a_second_annotator_begins_anew_and_agreement_is_shown(browser: Any, client: Any) -> None:
    for name, place in (("ann", 10), ("bob", 110)):
        own = Annotator(browser, client, name)
        own.press("x")
        own.kept()
        own.click(400, place)
        own.press("d")
        own.tab.wait_for_function("() => document.querySelector('#progress output').textContent === '1 of 2 done'")
        own.settled()
        if name == "bob":
            own.tab.click("#agree")
            own.tab.wait_for_selector("#agreement[open] tbody tr.all")
            cells = own.tab.locator("#agreement tbody tr.all td").all_inner_texts()
            assert cells[0] == "all"
            assert float(cells[2]) < 0  # two different elements of five
        own.close()


def test_nothing_of_the_page_runs_or_loads(browser: Any, client: Any) -> None:
    own = Annotator(browser, client, "ann")
    loaded: list[str] = []
    own.tab.on("request", lambda request: loaded.append(request.url))
    own.tab.reload()
    own.tab.wait_for_selector("#elements li")
    own.settled()
    assert own.tab.title() == "Tamis · Annotator"
    assert all(address.startswith(str(client.base_url)) for address in loaded)
    assert own.tab.locator("#sheet script, #sheet iframe").count() == 0
    own.close()


@pytest.mark.proof
def test_hostile_pages_with_hostile_names_run_nothing(browser: Any, tmp_path: Path) -> None:
    """In the list of pages, the list of elements, the picture, and the table of annotators."""
    together = "".join(attacks.ATTACKS[name] for name in attacks.ATTACKS if name not in ("mathematics", "mutation"))
    name = f"<img src=x onerror='window.owned=1'>{attacks.SCRIPT.replace('/', '_')}"
    pages = {f"{name}.html": together + attacks.page("handlers"), **{f"{one}.html": attacks.page(one) for one in _ODD}}
    for file, markup in pages.items():
        (tmp_path / file).write_text(markup)

    def make(settings: Settings) -> Any:
        return create_annotator(settings, PageSet(tmp_path), name)

    with running(Settings(port=0, token=TOKEN, workers=1), make) as client:
        own = Annotator(browser, client, name)
        asked: list[str] = []
        own.tab.on("request", lambda request: asked.append(request.url))
        shown = own.tab.locator("#pages option").all()
        assert len(shown) == len(pages)
        for option in [one.get_attribute("value") for one in shown]:
            own.tab.select_option("#pages", option)
            own.tab.wait_for_selector("#elements li")
            own.settled()
            own.press("t")
            own.tab.wait_for_selector("#text p", state="attached")
            assert own.tab.evaluate("window.owned") is None, option
            own.press("t")
            for _ in range(2):  # committed, so that it is counted for its annotator; perhaps without main content
                own.press("d")
                own.settled()
            assert own.tab.evaluate("window.owned") is None, option
        own.tab.click("#agree")
        own.tab.wait_for_selector("#agreement[open]")
        assert own.tab.evaluate("window.owned") is None
        assert own.tab.locator("#sheet script, #sheet iframe").count() == 0
        assert all(address.startswith(str(client.base_url)) and "/canary/" not in address for address in asked), asked
        own.close()


@pytest.mark.proof
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_barrier(browser: Any, client: Any, scheme: str) -> None:
    own = Annotator(browser, client, "ann", color_scheme=scheme, bypass_csp=True)
    own.press("ArrowDown")
    assert serious_barriers(own.tab) == []
    own.press("t")
    own.tab.wait_for_selector("#text p")
    assert serious_barriers(own.tab) == []
    own.press("?")
    assert serious_barriers(own.tab) == []
    own.close()
