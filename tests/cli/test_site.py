"""``tamis site``: groups, templates and contents in a folder; messages say what happened."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tamis
from tamis.cli import main
from tamis.fetching.http import Options as FetchOptions
from tests.fetching.web import Web
from tests.fetching.web import answer as web_answer
from tests.sites.test_sites import MIXED, answer, write_pages
from tests.templates.pages import article, car


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.close()


PAGE_OF_LISTS = "<dl>" + "<dt>Word</dt><dd>What the word means, told in a sentence of its own.</dd>" * 9 + "</dl>"


def test_a_folder_is_cleaned_and_the_summary_counts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder, out = write_pages(tmp_path / "pages", MIXED), tmp_path / "out"
    assert main(["site", str(folder), "--out", str(out)]) == 0
    said = capfd.readouterr().err
    assert "12 pages in 2 groups, 1 of them on their own: 12 ok, 0 empty, 0 truncated, 0 failed" in said
    assert {"pages.jsonl", "report.html", "state.json", "groups"} <= {file.name for file in out.iterdir()}
    record = json.loads((out / "pages.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert {"name", "url", "group", "status", "warnings", "metadata", "text", "markdown"} == set(record)


def test_failed_pages_make_the_exit_code_1(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = write_pages(tmp_path / "pages", MIXED)
    (folder / "gone.html").symlink_to(folder / "nowhere.html")
    assert main(["site", str(folder), "--out", str(tmp_path / "out")]) == 1
    assert "failed: gone.html: cannot read" in capfd.readouterr().err


def test_a_warc_file_is_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from tamis.fetching.warc import Archive

    archive = Archive(tmp_path / "site.warc.gz")
    for number in range(5):
        archive.add(answer(f"http://news.example/{number}", article(number)))
    assert main(["site", str(tmp_path / "site.warc.gz"), "--out", str(tmp_path / "out"), "--method", "slots"]) == 0
    assert "5 pages in 1 group" in capfd.readouterr().err


def test_only_pages_like_one_are_cleaned_and_it_comes_first(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder, out = write_pages(tmp_path / "pages", MIXED), tmp_path / "out"
    page = tmp_path / "mine.html"
    page.write_text(car(77), encoding="utf-8")
    arguments = ["--method", "slots", "--distance", "common_paths", "--threshold", "0.5"]
    assert main(["site", str(folder), "--out", str(out), "--like", str(page), *arguments]) == 0
    said = capfd.readouterr().err
    assert f"of 12 other pages, 5 are like {page}" in said
    assert "6 pages in 1 group" in said
    names = [json.loads(line)["name"] for line in (out / "pages.jsonl").read_text(encoding="utf-8").splitlines()]
    assert names == ["mine.html", *(f"cars/{number}.html" for number in range(5))]


def test_a_page_like_no_other_is_extracted_by_the_fallback(tmp_path: Path) -> None:
    folder, out = write_pages(tmp_path / "pages", MIXED), tmp_path / "out"
    page = tmp_path / "mine.html"
    page.write_text(PAGE_OF_LISTS, encoding="utf-8")
    assert main(["site", str(folder), "--out", str(out), "--like", str(page), "--fallback", "accb"]) == 0
    lines = (out / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["text"] for line in lines] == [tamis.extract(page, method="accb").text]


def test_the_neighbourhood_of_a_page_is_crawled_until_enough_is_known(
    web: Web, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.fetching.http.Options", functools.partial(FetchOptions, delay_seconds=0.0))
    menu = "".join(f"<li><a href='/{number}.html'>page {number}</a></li>" for number in range(30))
    for number in range(30):
        web.answers[f"/{number}.html"] = web_answer(article(number).replace("</nav>", f"<ul>{menu}</ul></nav>"))
    start, out = web.url("/7.html", "127.0.0.1"), tmp_path / "out"
    assert main(["site", start, "--like", start, "--enough", "6", "--out", str(out), "--allow-private"]) == 0
    assert "pages in 1 group" in capfd.readouterr().err
    assert json.loads((out / "pages.jsonl").read_text(encoding="utf-8").splitlines()[0])["url"] == start
    assert len([path for path in web.paths if path in web.answers]) < 12
    assert web.paths.count("/7.html") == 1, "the start is the page"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "does not exist"),
        (["file.txt"], "neither a folder nor a WARC file"),
        ([".", "--method", "slotz"], "did you mean slots"),
        ([".", "--clusterer", "single"], "did you mean single_linkage?"),
        ([".", "--fallback", "acb"], "did you mean accb"),
        ([".", "--distance", "common_path"], "did you mean"),
        (["pages", "--like", "http://news.example/"], "pass a file, or crawl a site"),
        (["http://127.0.0.1/"], "127.0.0.1"),
    ],
)
def test_wrong_usage_is_answered(
    arguments: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.txt").write_text("text")
    write_pages(tmp_path / "pages", {"a.html": "<p>page</p>"})
    assert main(["site", *arguments, "--out", str(tmp_path / "out")]) == 2
    assert said in capfd.readouterr().err
