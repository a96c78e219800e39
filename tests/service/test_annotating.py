"""A set of pages: what is shown, what is kept, and what survives."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from tamis.errors import InputError, OptionError
from tamis.service import annotating, selecting
from tamis.service.annotating import FILE, PageSet
from tamis.service.annotator import create_annotator
from tamis.service.exporting import export
from tamis.service.settings import Settings
from tamis.training import ceml
from tests.hostile import HOSTILE
from tests.service.running import TOKEN, running

PAGE = """<!doctype html><title>T</title><nav><ul><li><a href="/">Home</a></li></ul></nav>
<h1>A title of the page</h1>
<p>The first paragraph says something about the matter, at some length, so that it is taken for content.</p>
<p>The second paragraph goes on about the matter, at some length as well, and then it ends.</p>
<div class="ad">Buy now</div>"""


@pytest.fixture(autouse=True)
def _without_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about what is said; the picture has its own."""
    monkeypatch.setattr(annotating, "render_full", no_browser)


def no_browser(*_: Any, **__: Any) -> Any:
    raise InputError("there is no browser")


@pytest.fixture(name="pages")
def _pages(tmp_path: Path) -> PageSet:
    (tmp_path / "deep").mkdir()
    for name in ("a.html", "deep/b.htm"):
        (tmp_path / name).write_text(PAGE)
    (tmp_path / "notes.txt").write_text("no page")
    return PageSet(tmp_path)


def kinds_by_text(shown: dict[str, Any]) -> dict[str, str]:
    return {element["text"].split(" ")[0]: shown["kinds"][element["node"]] for element in shown["elements"]}


def say(pages: PageSet, page: str, annotator: str, kinds: dict[str, str], **more: Any) -> dict[str, str]:
    """Say what elements are, by the first word of their text."""
    numbers = {
        element["text"].split(" ")[0]: str(element["node"])
        for element in annotating.shown(pages, page, annotator)["elements"]
    }
    given = {numbers[word]: kind for word, kind in kinds.items()}
    return annotating.keep(pages, {"page": page, "annotator": annotator, "kinds": given, **more})


def test_pages_are_found_below_the_folder(pages: PageSet) -> None:
    assert pages.ids == ("a.html", "deep/b.htm")


def test_a_new_page_shows_what_the_default_method_suggests(pages: PageSet) -> None:
    shown = annotating.shown(pages, "a.html", "ann")
    assert shown["suggested"]
    kinds = kinds_by_text(shown)
    assert (kinds["Home"], kinds["A"], kinds["The"]) == ("noisy", "main", "main")
    assert not pages.file.exists()


def test_a_page_that_cannot_be_rendered_is_annotated_without_a_picture(pages: PageSet) -> None:
    shown = annotating.shown(pages, "a.html", "ann")
    assert (shown["picture"], shown["warning"]) == (None, "there is no browser")
    assert all(element["box"] is None for element in shown["elements"])
    with pytest.raises(InputError, match="there is no browser"):
        annotating.inside(pages, "a.html", [(0, 0, 1, 1)])


def test_what_is_said_is_shown_again(pages: PageSet) -> None:
    answer = say(
        pages, "a.html", "ann", {"A": "main", "Home": "navigation", "Buy": "advertisement"}, page_type="article"
    )
    assert answer == {"id": "a.html", "status": "begun", "page_type": "article"}
    shown = annotating.shown(pages, "a.html", "ann")
    assert not shown["suggested"]
    assert kinds_by_text(shown) == {"Home": "navigation", "A": "main", "The": "noisy", "Buy": "advertisement"}


def test_annotators_do_not_see_each_other(pages: PageSet) -> None:
    say(pages, "a.html", "ann", {"Home": "main"})
    assert annotating.shown(pages, "a.html", "bob")["suggested"]
    assert annotating.overview(pages, "bob")["others"] == ["ann"]


def test_progress_is_counted_per_annotator(pages: PageSet) -> None:
    say(pages, "a.html", "ann", {}, committed=True)
    status = {name: [page["status"] for page in annotating.overview(pages, name)["pages"]] for name in ("ann", "bob")}
    assert status == {"ann": ["done", "new"], "bob": ["new", "new"]}


def test_a_line_that_was_cut_off_costs_itself_alone(pages: PageSet) -> None:
    say(pages, "a.html", "ann", {"A": "main"})
    with pages.file.open("a") as file:
        file.write('{"page": "a.html", "annot')
    say(pages, "deep/b.htm", "ann", {"A": "main"}, committed=True)
    overview = annotating.overview(pages, "ann")
    assert [page["status"] for page in overview["pages"]] == ["begun", "done"]
    assert len(overview["problems"]) == 1
    assert "line 2" in overview["problems"][0]


def test_marks_find_their_elements_again_when_the_page_changes(pages: PageSet) -> None:
    say(pages, "a.html", "ann", {"A": "main", "Buy": "advertisement"}, committed=True)
    changed = PAGE.replace("<nav>", "<div>New on top of the page</div><nav>").replace(
        '<div class="ad">Buy now</div>', ""
    )
    (pages.folder / "a.html").write_text(changed)
    shown = annotating.shown(PageSet(pages.folder), "a.html", "ann")
    assert shown["changed"]
    assert shown["lost"] == ["Buy now"]
    assert kinds_by_text(shown)["A"] == "main"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"annotator": ""}, "annotator is ''"),
        ({"annotator": "tamis"}, "not that of the suggestions"),
        ({"annotator": 3}, "annotator is 3, but text is expected"),
        ({"kinds": None}, "kinds is missing"),
        ({"kinds": {"9999": "main"}}, "no element '9999'"),
        ({"kinds": {"first": "great"}}, "not 'great'"),
        ({"kinds": {"first": None}}, "not None"),
        ({"kinds": {"first": ["main"]}}, "not \\['main'\\]"),
        ({"page_type": "novel"}, "a page type is one of"),
        ({"rectangles": [[1, 2, 3]]}, "rectangles are lists"),
        ({"rectangles": [[1, 2, 3, math.nan]]}, "rectangles are lists"),
        ({"rectangles": [[1, 2, 3, math.inf]]}, "rectangles are lists"),
        ({"rectangles": [[1, 2, 3, 10**400]]}, "rectangles are lists"),
        ({"rectangles": None}, "rectangles are lists"),
        ({"page": "../secret.html"}, "there is no page"),
    ],
)
def test_what_cannot_be_kept_is_named_and_nothing_is_written(pages: PageSet, values: dict[str, Any], said: str) -> None:
    first = str(annotating.shown(pages, "a.html", "ann")["elements"][0]["node"])
    given = {"page": "a.html", "annotator": "ann", "kinds": {}, **values}
    if isinstance(given["kinds"], dict):
        given["kinds"] = {first if key == "first" else key: kind for key, kind in given["kinds"].items()}
    with pytest.raises((OptionError, InputError), match=said):
        annotating.keep(pages, given)
    assert not pages.file.exists()


def test_agreement_counts_pages_that_both_have_committed(pages: PageSet) -> None:
    for name in ("ann", "bob"):
        say(pages, "a.html", name, {"A": "main", "The": "main"}, committed=True)
    say(pages, "deep/b.htm", "ann", {"A": "main"}, committed=True)
    say(pages, "deep/b.htm", "bob", {"A": "main"})
    found = annotating.compared(pages, "ann", "bob")
    assert [row["page"] for row in found["pages"]] == ["a.html"]
    assert found["all"]["kappa"] == found["all"]["b_cubed"] == 1
    say(pages, "deep/b.htm", "bob", {"Home": "main"}, committed=True)
    found = annotating.compared(pages, "ann", "bob")
    assert found["all"]["elements"] == 10
    assert found["pages"][1]["kappa"] < 0 < found["all"]["kappa"] < 1


def test_a_folder_without_pages_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no pages"):
        PageSet(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        PageSet(tmp_path / "missing")


def test_what_was_committed_is_written_in_the_formats_of_others(
    pages: PageSet, tmp_path_factory: pytest.TempPathFactory
) -> None:
    say(pages, "deep/b.htm", "ann", {"A": "main", "The": "main"}, committed=True)
    say(pages, "a.html", "ann", {"A": "main"})
    out = tmp_path_factory.mktemp("exported")
    assert export(pages, "ann", out) == (1, pages.sheet("deep/b.htm").page.nodes.elements.sum() - 4, 0)
    page, is_main = ceml.read_labels((out / "ceml" / "deep" / "b.htm").read_text())
    assert [page.name(node) for node in is_main.nonzero()[0].tolist()] == ["h1", "p"]
    (sample,) = (json.loads(line) for line in (out / "pages.jsonl").read_text().splitlines())
    assert sample["gold"].startswith("A title of the page")
    assert "Buy" not in sample["gold"]
    assert (out / "elements.csv").read_text().count('"main"') == 2
    assert '"deep/b.htm"' in (out / "elements.csv").read_text()
    with pytest.raises(InputError, match="'bob' has committed no page; ann has"):
        export(pages, "bob", out)


def test_nothing_is_exported_into_the_folder_of_the_pages(pages: PageSet) -> None:
    say(pages, "a.html", "ann", {"A": "main"}, committed=True)
    with pytest.raises(OptionError, match="is in the folder with the pages"):
        export(pages, "ann", pages.folder / "deep" / "out")


def test_a_file_whose_name_is_no_text_is_named_and_left_out(pages: PageSet) -> None:
    try:
        Path(os.fsdecode(bytes(pages.folder) + b"/\xff.html")).write_text(PAGE)
    except OSError:
        pytest.skip("this file system has only names that are text")
    overview = annotating.overview(PageSet(pages.folder), "ann")
    assert [page["id"] for page in overview["pages"]] == ["a.html", "deep/b.htm"]
    assert overview["problems"] == [r"'\udcff.html' is left out: its name is no text; rename the file"]
    assert json.dumps(overview, ensure_ascii=False).encode()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_can_be_annotated(tmp_path: Path, name: str) -> None:
    made = HOSTILE[name].make(HOSTILE[name].small)
    (tmp_path / "a.html").write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))
    pages = PageSet(tmp_path)
    elements = annotating.shown(pages, "a.html", "ann")["elements"]
    kinds = {str(element["node"]): ("main", "legal")[place % 2] for place, element in enumerate(elements)}
    annotating.keep(pages, {"page": "a.html", "annotator": "ann", "kinds": kinds, "committed": True})
    again = annotating.shown(PageSet(tmp_path), "a.html", "ann")
    assert {str(node): kind for node, kind in again["kinds"].items()} == kinds
    assert (again["changed"], again["moved"], again["lost"]) == (False, [], [])
    assert json.dumps(again, ensure_ascii=False, allow_nan=False).encode()


def test_nothing_is_told_without_the_token_and_problems_are_documents(pages: PageSet) -> None:
    with running(
        Settings(port=0, token=TOKEN, workers=1), lambda settings: create_annotator(settings, pages, "ann")
    ) as client:
        assert httpx.get(f"{client.base_url}/api/set", trust_env=False).status_code == 401
        assert client.get("/api/set").json()["annotator"] == "ann"
        for method, path, body, status in [
            ("GET", "/api/page?id=none.html&annotator=ann", None, 422),
            ("GET", "/api/page", None, 422),
            ("GET", "/api/picture?id=a.html", None, 404),
            ("GET", "/api/agreement?first=ann", None, 422),
            ("POST", "/api/annotations", b"{", 400),
            ("POST", "/api/annotations", b"[]", 422),
            ("POST", "/api/annotations", b"{}", 422),
            ("POST", "/api/inside", b'{"page": "a.html", "rectangles": 3}', 422),
            ("POST", "/api/inside", b'{"page": "a.html", "rectangles": [[0, 0, 1, 1e999]]}', 422),
            ("POST", "/api/inside", b'{"page": "a.html", "rectangles": [[0, 0, NaN, 1]]}', 400),
            ("POST", "/api/annotations", b'{"page": "\xff"}', 400),
            ("POST", "/api/annotations", b"[" * 100_000, 400),
        ]:
            answer = client.request(method, path, content=body)
            assert answer.status_code == status, path
            assert answer.headers["content-type"] == "application/problem+json"
        assert not (pages.folder / FILE).exists()


def test_the_text_of_a_page_is_shown_block_by_block_and_selected(pages: PageSet, tmp_path_factory: Any) -> None:
    sheet = pages.sheet("a.html")
    blocks = selecting.texts(sheet)
    assert [block["pieces"][0][1].split(" ")[0] for block in blocks] == ["Home", "A", "The", "The", "Buy"]
    assert all(sheet.page.text.startswith(text, start) for block in blocks for start, text in block["pieces"])
    start = blocks[3]["pieces"][0][0]
    selection = [[start, start + len("The second paragraph")]]
    asked = {"page": "a.html", "kinds": {str(blocks[1]["node"]): "main"}, "selection": selection, "is_main": True}
    answer = selecting.selected(pages, asked)
    assert answer["passages"] == (tuple(selection[0]),)
    kept = {"page": "a.html", "annotator": "ann", "committed": True, "language": "EN_gb", **answer}
    annotating.keep(pages, {**kept, "kinds": {str(node): kind for node, kind in answer["kinds"].items()}})
    shown = annotating.shown(pages, "a.html", "ann")
    assert (shown["passages"], shown["language"]) == (answer["passages"], "en-GB")
    out = tmp_path_factory.mktemp("out")
    assert export(pages, "ann", out).lost == 0
    line = json.loads((out / "pages.jsonl").read_text())
    assert line["gold"].split("\n\n") == ["A title of the page", "The second paragraph"]
    assert line["extra"]["language"] == "en-GB"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"is_main": None}, "is_main is missing"),
        ({"selection": [[0]]}, "selection are lists of start and end"),
        ({"selection": [[0, 10**9]]}, "and no range"),
        ({"selection": [[3, 3]]}, "and no range"),
        ({"passages": 7}, "passages are lists of start and end"),
        ({"kinds": None}, "kinds is missing"),
    ],
)
def test_a_selection_that_is_none_is_refused(pages: PageSet, wrong: dict[str, Any], message: str) -> None:
    asked = {"page": "a.html", "kinds": {}, "selection": [[0, 1]], "is_main": True}
    with pytest.raises(OptionError, match=message):
        selecting.selected(pages, {**asked, **wrong})


def test_a_language_that_is_none_is_refused(pages: PageSet) -> None:
    with pytest.raises(OptionError, match="a language is a tag"):
        say(pages, "a.html", "ann", {}, language="English")
    assert not pages.file.exists()


def test_the_language_that_the_page_tells_is_proposed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html lang=de><p>Der Fluss stieg in der Nacht.")
    assert annotating.shown(PageSet(tmp_path), "a.html", "ann")["language"] == "de"
