"""Without a browser: what it shows is tested with the rendering; here it is replaced or not asked."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tamis import registry, segmenters
from tamis.cli import main
from tamis.errors import MissingProgramError
from tamis.fetching.answers import Fetched
from tamis.page.layout import estimate_boxes
from tamis.page.load import parse
from tamis.rendering.render import Rendering
from tests.pictures.test_overlays import picture
from tests.sites.test_sites import answer

Captured = pytest.CaptureFixture[bytes]

PAGE = "<nav><a href=/a>Home</a> <a href=/b>News</a></nav><main><h1>Title</h1><p>Some words of text.</p></main>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    return file


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A browser that shows what the estimate says, and the options that it was asked with."""
    asked: list[dict[str, Any]] = []

    def render_full(source: Any, url: str | None = None, **options: Any) -> Rendering:
        asked.append({"source": source, **options})
        page = parse(source, url)
        shot = picture(1366, 768) if options["screenshot"] else None
        return Rendering(page=page.with_boxes(estimate_boxes(page)), screenshot=shot)

    monkeypatch.setattr("tamis.rendering.render.render_full", render_full)
    monkeypatch.setattr("tamis.rendering.browser.find_browser", lambda: "browser")
    return asked


def test_regions_are_printed_as_json(page: Path, capfdbinary: Captured) -> None:
    assert main(["segment", str(page), "--no-render", "--method", "text_nodes"]) == 0
    answer = json.loads(capfdbinary.readouterr().out)
    assert answer["source"] == str(page)
    assert answer["method"] == "text_nodes"
    assert answer["estimated"] is True
    assert [part["text"] for part in answer["root"]["parts"]] == ["Home", "News", "Title", "Some words of text."]
    assert all(len(part["box"]) == 4 for part in answer["root"]["parts"])


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch, capfdbinary: Captured) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
    assert main(["segment", "-", "--no-render", "--method", "one"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["source"] == "-"


def test_json_and_a_picture_are_written(page: Path, tmp_path: Path, capfdbinary: Captured) -> None:
    out = tmp_path / "out"
    assert main(["segment", str(page), "--no-render", "--method", "one", "--out", str(out)]) == 0
    assert sorted(file.name for file in out.iterdir()) == ["page.json", "page.svg"]
    assert json.loads((out / "page.json").read_text())["method"] == "one"
    assert (out / "page.svg").read_text().startswith("<svg ")
    captured = capfdbinary.readouterr()
    assert captured.out == b""
    assert b"1 page: 1 ok, 0 empty" in captured.err


@pytest.mark.parametrize("name", ["json", "svg", "html"])
def test_only_the_format_that_is_named_is_written(name: str, page: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["segment", str(page), "--no-render", "--method", "one", "--out", str(out), "--format", name]) == 0
    assert [file.name for file in out.iterdir()] == [f"page.{name}"]


def test_all_methods_are_one_sheet(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "names", lambda _: ("one", "text_nodes"))
    out = tmp_path / "out"
    assert main(["segment", str(page), "--no-render", "--method", "all", "--out", str(out)]) == 0
    assert sorted(file.name for file in out.iterdir()) == ["page.html", "page.json"]
    answers = json.loads((out / "page.json").read_text())
    assert [answer["method"] for answer in answers] == ["one", "text_nodes"]
    assert '<figure id="text_nodes">' in (out / "page.html").read_text()


def test_of_all_methods_the_default_comes_first(
    page: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Captured
) -> None:
    monkeypatch.setattr(registry, "names", lambda _: ("bcs", "mesh", "one"))
    assert main(["segment", str(page), "--no-render", "--method", "all"]) == 0
    assert [answer["method"] for answer in json.loads(capfdbinary.readouterr().out)] == ["mesh", "bcs", "one"]


def test_options_of_the_method_are_flags(page: Path, capfdbinary: Captured) -> None:
    assert main(["segment", str(page), "--no-render", "--method", "bcs", "--threshold", "0.4"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["options"]["threshold"] == 0.4


def test_the_browser_is_asked_as_told(page: Path, tmp_path: Path, rendered: list[dict[str, Any]]) -> None:
    flags = ["--width", "800", "--scripts", "--assets", str(tmp_path), "--out", str(tmp_path / "out")]
    assert main(["segment", str(page), "--method", "one", *flags]) == 0
    assert rendered == [
        {"source": page, "width": 800, "scripts": True, "assets": tmp_path, "screenshot": True},
    ]
    assert "data:image/png" in (tmp_path / "out" / "page.svg").read_text()


def test_no_screenshot_is_taken_for_json(page: Path, rendered: list[dict[str, Any]]) -> None:
    assert main(["segment", str(page), "--method", "one"]) == 0
    assert rendered == [{"source": page, "scripts": False, "assets": None, "screenshot": False}]


def test_a_missing_browser_is_told_before_the_first_page(
    page: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Captured
) -> None:
    def missing() -> str:
        raise MissingProgramError("no browser was found")

    monkeypatch.setattr("tamis.rendering.browser.find_browser", missing)
    assert main(["segment", str(page), "--method", "one"]) == 2
    assert b"no browser was found; or pass --no-render" in capfdbinary.readouterr().err


def test_pages_of_one_template_take_regions_over(tmp_path: Path, capfdbinary: Captured, rendered: list[Any]) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(4):
        (pages / f"{number}.html").write_text(PAGE.replace("words", f"words number {number}"))
    assert main(["segment", str(pages), "--reuse", "--method", "text_nodes", "--out", str(tmp_path / "out")]) == 0
    said = capfdbinary.readouterr().err
    assert b"4 pages: 4 ok" in said
    assert b"3 of 4 pages reused the regions of another" in said
    assert [one["source"].name for one in rendered] == ["0.html"]
    taken_over = json.loads((tmp_path / "out" / "3.json").read_text())
    assert taken_over["root"]["parts"][3]["text"] == "Some words number 3 of text."


def test_pages_that_are_done_are_skipped(page: Path, tmp_path: Path, capfdbinary: Captured) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "page.json").write_text("done")
    flags = ["--no-render", "--method", "one", "--out", str(tmp_path / "out"), "--resume"]
    assert main(["segment", str(page), *flags]) == 0
    assert (tmp_path / "out" / "page.json").read_text() == "done"
    assert b"1 skipped" in capfdbinary.readouterr().err


def test_one_bad_page_costs_one_page(
    page: Path, tmp_path: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.html").write_text("bad")
    good = segmenters.segment

    def segment(page: Any, *arguments: Any, **options: Any) -> Any:
        if page.text == "bad":
            raise RuntimeError("broken")
        return good(page, *arguments, **options)

    monkeypatch.setattr(segmenters, "segment", segment)
    assert main(["segment", str(tmp_path), "--no-render", "--method", "one"]) == 1
    captured = capfdbinary.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert b"made the method fail: RuntimeError: broken" in captured.err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--method", "onne"], b"did you mean one"),
        (["--method", "one", "--format", "pdf"], b"unknown format 'pdf'"),
        (["--method", "all", "--format", "svg"], b"--format svg shows one method"),
        (["--method", "one", "--resume"], b"pass --out as well"),
        (["--method", "one", "--reuse", "--format", "svg"], b"it writes --format json only"),
        (["--method", "all", "--reuse"], b"uses one method"),
        (["--method", "one", "--width", "0"], b"width is 0"),
        (["--method", "one", "--assets", "/nowhere"], b"assets is '/nowhere'"),
        (["--method", "one", "--no-render", "--width", "800"], b"--width needs a browser"),
        (["--method", "one", "--no-render", "--assets", "."], b"--assets needs a browser"),
        (["--method", "one", "--colour", "red"], b"unknown flag '--colour'"),
        (["--method", "one", "--no-rendr"], b"did you mean --no-render?"),
        (["--method", "bcs", "--treshold", "1"], b"did you mean --threshold?"),
    ],
)
def test_wrong_options_are_refused(
    flags: list[str], told: bytes, page: Path, capfdbinary: Captured, rendered: list[Any]
) -> None:
    assert main(["segment", str(page), *flags]) == 2
    assert told in capfdbinary.readouterr().err
    assert rendered == []


def test_pictures_of_several_pages_need_a_folder(page: Path, tmp_path: Path, capfdbinary: Captured) -> None:
    (tmp_path / "other.html").write_text(PAGE)
    assert main(["segment", str(tmp_path), "--no-render", "--method", "one", "--format", "svg"]) == 2
    assert b"pass --out DIR" in capfdbinary.readouterr().err


def web(monkeypatch: pytest.MonkeyPatch, pages: dict[str, str]) -> list[str]:
    """A web of these pages, and what was fetched of it."""
    asked: list[str] = []

    def fetch(_: Any, url: str) -> Fetched:
        asked.append(url)
        return answer(url, pages[url])

    monkeypatch.setattr("tamis.fetching.http.Fetcher.fetch", fetch)
    return asked


def linked(number: int) -> str:
    links = "".join(f"<a href='/{other}'>Page {other}</a>" for other in range(4))
    words = "".join(f"<p>Paragraph {line} of page {number}, as long as any other.</p>" for line in range(3 + number))
    return f"<nav id=menu>{links}</nav><main id=text><h1>Title {number}</h1>{words}</main>"


def test_the_pages_an_address_links_to_are_segmented_by_one_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Captured
) -> None:
    pages = {f"https://news.example/{number}": linked(number) for number in range(4)}
    asked = web(monkeypatch, pages)
    arguments = ["segment", "https://news.example/0", "--max-pages", "3", "--reuse", "--no-render"]
    arguments += ["--method", "partition", "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    said = capfdbinary.readouterr().err.decode()
    assert "3 ok" in said
    assert "2 of 3 pages reused the regions of another" in said
    assert len(list((tmp_path / "out").glob("*.json"))) == 3
    assert len(asked) == 3
    assert main(arguments) == 0
    assert len(asked) == 3, "pages that were kept are not fetched again"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["https://news.example/0", "--max-pages", "3"], "pass --out DIR as well"),
        (["page.html", "--max-pages", "3", "--out", "out"], "pass its address"),
        (["https://news.example/0", "--max-pages", "0", "--out", "out"], "max_pages is 0"),
    ],
)
def test_following_links_needs_an_address_a_folder_and_a_number(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["segment", *arguments, "--no-render"]) == 2
    assert said in capfdbinary.readouterr().err.decode()
