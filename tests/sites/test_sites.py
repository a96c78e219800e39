"""A whole site: groups, templates, the content of every page; nothing is lost, and work goes on where it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis import templates
from tamis.errors import AddressError, InputError
from tamis.fetching.answers import Fetched
from tamis.fetching.crawl import Options as CrawlOptions
from tamis.fetching.warc import Archive
from tamis.results import Template
from tamis.sites import Cleaned, Options, clean_site, report, sources, write_parquet
from tamis.sites.bootstrap import Options as Bootstrap
from tamis.sites.bootstrap import extract_from_web
from tests.sites.generator import Site
from tests.templates.pages import article, car


def quiet(name: str, done: int, total: int) -> None:
    assert 0 <= done <= total


def write_pages(folder: Path, pages: dict[str, str]) -> Path:
    for name, markup in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(markup, encoding="utf-8")
    return folder


def clean(folder: Path, out: Path, **options: Any) -> tuple[Cleaned, list[dict[str, Any]]]:
    cleaned = clean_site(sources.from_folder(folder, left_out=out), out, Options(**options), quiet)
    lines = (out / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    return cleaned, [json.loads(line) for line in lines]


MIXED = {
    **{f"news/{number}.html": article(number) for number in range(6)},
    **{f"cars/{number}.html": car(number) for number in range(5)},
    "lonely.html": "<main><h1>Imprint</h1><p>This page is like no other page of the site at all.</p></main>",
}


def test_pages_of_different_templates_are_told_apart_and_all_are_there(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "pages", MIXED)
    cleaned, records = clean(folder, tmp_path / "out")
    assert [len(group.pages) for group in cleaned.groups] == [6, 5, 1]
    assert sorted(record["name"] for record in records) == sorted(MIXED)
    by_name = {record["name"]: record for record in records}
    assert by_name["news/0.html"]["group"] == 1
    assert by_name["cars/0.html"]["group"] == 2
    assert by_name["lonely.html"]["group"] is None
    assert "All rights reserved" not in by_name["news/0.html"]["text"]
    assert "like no other page" in by_name["lonely.html"]["text"]
    assert "template: fewer than 4 pages are like this one" in by_name["lonely.html"]["warnings"][0]
    assert cleaned.counts == {"ok": 12}
    assert Template.load(tmp_path / "out" / "groups" / "0001.json").made.method == "site"


def test_a_rerun_does_nothing_twice_and_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = write_pages(tmp_path / "pages", MIXED), tmp_path / "out"
    first, records = clean(folder, out)
    monkeypatch.setattr(Template, "extract", refuse)
    monkeypatch.setattr("tamis.clusterers.cluster", refuse)
    again, same = clean(folder, out)
    assert (again.counts, same) == (first.counts, records)


def refuse(*_: Any, **__: Any) -> Any:
    raise AssertionError("this was done already")


def test_a_run_that_was_cut_off_goes_on_with_the_next_group(tmp_path: Path) -> None:
    folder, out = write_pages(tmp_path / "pages", MIXED), tmp_path / "out"

    def stop(name: str, done: int, total: int) -> None:
        if name == "group 2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        clean_site(sources.from_folder(folder), out, Options(), stop)
    files = sorted(file.name for file in (out / "groups").iterdir())
    assert files == ["0001.json", "0001.jsonl", "0002.json"]
    before = (out / "groups" / "0001.jsonl").stat().st_mtime_ns
    cleaned, records = clean(folder, out)
    assert len(records) == len(MIXED)
    assert (out / "groups" / "0001.jsonl").stat().st_mtime_ns == before
    assert not list(out.rglob("*.part"))
    assert cleaned.counts == {"ok": 12}


def test_changed_pages_and_other_options_begin_anew(tmp_path: Path) -> None:
    folder, out = write_pages(tmp_path / "pages", MIXED), tmp_path / "out"
    clean(folder, out)
    _, records = clean(folder, out, template="slots")
    assert Template.load(out / "groups" / "0001.json").made.method == "slots"
    write_pages(folder, {"news/9.html": article(9)})
    _, records = clean(folder, out, template="slots")
    assert len(records) == len(MIXED) + 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_few_pages_are_extracted_one_by_one(tmp_path: Path, count: int) -> None:
    folder = write_pages(tmp_path / "pages", {f"{number}.html": article(number) for number in range(count)})
    cleaned, records = clean(folder, tmp_path / "out")
    assert len(cleaned.groups) == 1
    assert cleaned.groups[0].template.fallback
    for record in records:
        assert record["text"] == tamis.extract(folder / record["name"]).text


def test_pages_that_are_like_no_other_are_extracted_one_by_one(tmp_path: Path) -> None:
    tags = ("ul", "ol", "dl", "table", "blockquote", "pre", "section", "aside")
    different = {
        f"{tag}.html": f"<{tag}><h1>About {tag}</h1>" * (place + 1)
        + f"<p>A sentence that only the page on {tag} has.</p>"
        for place, tag in enumerate(tags)
    }
    folder = write_pages(tmp_path / "pages", different)
    cleaned, records = clean(folder, tmp_path / "out")
    assert cleaned.alone == sum(len(group.pages) for group in cleaned.groups if group.template.fallback)
    assert cleaned.alone >= templates.MIN_PAGES, "else nothing would be learned from them anyway"
    assert [record["group"] for record in records].count(None) == cleaned.alone
    assert f"On their own: {cleaned.alone} pages" in report.to_html("x", sources.from_folder(folder), cleaned)
    for record in records:
        assert record["text"] == tamis.extract(folder / record["name"]).text


def test_marks_that_end_a_line_elsewhere_do_not_end_a_line_of_the_pages(tmp_path: Path) -> None:
    """Python also breaks lines at U+0085, U+2028 and U+2029, which JSON leaves as they are."""
    text = "The river rose\x85in the night,\u2028and the road\u2029was closed to all cars for days."
    folder = write_pages(tmp_path / "pages", {"odd.html": f"<pre>{text}</pre><p>{text}</p>"})
    cleaned = clean_site(sources.from_folder(folder), tmp_path / "out", Options(), quiet)
    assert cleaned.counts == {"ok": 1}
    assert write_parquet(tmp_path / "out" / "pages.jsonl", tmp_path / "pages.parquet")


def test_a_login_wall_on_every_page_is_named(tmp_path: Path) -> None:
    wall = "<body><h1>Log in</h1><p>Please log in to read this page, or register for free within a minute.</p></body>"
    folder = write_pages(tmp_path / "pages", {f"{number}.html": wall for number in range(9)})
    cleaned, records = clean(folder, tmp_path / "out")
    assert "9 of 9 pages have the same content: wall: the page is a login form" in cleaned.warnings[0]
    assert {(record["status"], record["text"]) for record in records} == {("empty", "")}
    assert "wall: the page is a login form" in records[0]["warnings"][0]
    assert "only 1 different page" in records[0]["warnings"][1]


def test_one_and_the_same_text_on_every_page_is_named(tmp_path: Path) -> None:
    moved = "<h1>We have moved</h1><p>All our stories are on the new site of the paper, from the first to the last.</p>"
    folder = write_pages(tmp_path / "pages", {f"{number}.html": moved for number in range(3)})
    cleaned, _ = clean(folder, tmp_path / "out")
    assert "3 of 3 pages have the same content: a page that is not of the site" in cleaned.warnings[0]


def test_empty_and_unreadable_pages_are_counted(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "pages", {**MIXED, "empty.html": "", "blank.html": "<p> </p>"})
    (folder / "gone.html").symlink_to(folder / "nowhere.html")
    cleaned, records = clean(folder, tmp_path / "out")
    assert cleaned.counts == {"ok": 12, "empty": 2, "failed": 1}
    assert "gone.html" in cleaned.failures[0]
    assert len(records) == len(MIXED) + 3


def test_a_page_whose_sectioning_elements_mislead_says_so(tmp_path: Path) -> None:
    story = "<p>" + "The river rose in the night, and the road was closed. " * 9 + "</p>"
    folder = write_pages(tmp_path / "pages", {**MIXED, "odd.html": f"<h1>River</h1><footer>{story}</footer>"})
    _, records = clean(folder, tmp_path / "out", fallback="bte")
    told = {record["name"]: record["warnings"] for record in records}
    assert "of the content is in <footer>" in told["odd.html"][-1]
    assert not any("sections" in warning for warning in told["news/0.html"])


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages"):
        sources.from_folder(tmp_path)


def test_results_below_the_folder_are_no_pages(tmp_path: Path) -> None:
    folder = write_pages(tmp_path, MIXED)
    cleaned, _ = clean(folder, folder / "out")
    (folder / "out" / "report.html").write_text(
        report.to_html("x", sources.from_folder(folder, folder / "out"), cleaned)
    )
    assert len(sources.from_folder(folder, left_out=folder / "out")) == len(MIXED)


def test_the_report_needs_nothing_else_and_escapes_what_pages_say(tmp_path: Path) -> None:
    nasty = {
        f"x{n}.html": article(n).replace("<h1>", "<h1>&lt;script&gt;alert(1)&lt;/script&gt; ") for n in range(20, 25)
    }
    folder = write_pages(tmp_path / "pages", {**MIXED, **nasty})
    items = sources.from_folder(folder)
    cleaned = clean_site(items, tmp_path / "out", Options(), quiet)
    page = report.to_html("Site: <b>", items, cleaned)
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=['\"]?(?:https?:)?//", page)
    for part in ("Site: &lt;b&gt;", "<svg", "Group 1: 11 pages", "fixed places", "slots", "Before", "After"):
        assert part in page
    assert page.count("class=kept") > 10
    assert page.count("class=dropped") > 10


def answer(url: str, markup: str) -> Fetched:
    return Fetched(
        requested=url,
        url=url,
        status=200,
        headers=(("Content-Type", "text/html; charset=utf-8"),),
        body=markup.encode(),
        time="2024-05-01T12:00:00Z",
    )


def fake_web(pages: dict[str, str]) -> Callable[[str], Fetched]:
    def fetch(url: str) -> Fetched:
        if url not in pages:
            raise AddressError(f"{url} is not there")
        return answer(url, pages[url])

    return fetch


def linked_site(count: int) -> dict[str, str]:
    """Pages that link to each other, and one that is like no other."""
    menu = "".join(f"<li><a href='/{number}.html'>page {number}</a></li>" for number in range(count))
    return {
        f"http://news.example/{number}.html": article(number).replace("</nav>", f"<ul>{menu}</ul></nav>")
        for number in range(count)
    }


def test_a_warc_file_is_a_site(tmp_path: Path) -> None:
    path = tmp_path / "site.warc.gz"
    archive = Archive(path)
    for number in range(6):
        archive.add(answer(f"http://news.example/{number}", article(number)))
    items, problem = sources.from_warc(path)
    assert problem is None
    assert [item.url for item in items] == [f"http://news.example/{number}" for number in range(6)]
    cleaned = clean_site(items, tmp_path / "out", Options(), quiet)
    assert cleaned.counts == {"ok": 6}
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 40])
    cut, _ = sources.from_warc(path)
    assert len(cut) == 5, "pages before the cut are not lost"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="no pages"):
        sources.from_warc(path)


def test_a_crawl_is_kept_and_not_fetched_again(tmp_path: Path) -> None:
    pages = linked_site(6)
    archive = tmp_path / "crawl.warc.gz"
    seen: list[int] = []
    web = fake_web(pages)
    options = CrawlOptions(max_pages=10)
    items, crawled = sources.from_web("http://news.example/0.html", archive, options, seen.append, web)
    assert (len(items), crawled.ended) == (6, "complete")
    assert seen == [1, 2, 3, 4, 5, 6]
    again, _ = sources.from_web("http://news.example/0.html", archive, options, seen.append, fake_web({}))
    assert [item.key for item in again] == [item.key for item in items]
    assert items[2].read().url == items[2].url


def test_one_page_is_cleaned_with_the_pages_it_links_to() -> None:
    pages = linked_site(8)
    start = "http://news.example/3.html"
    found = extract_from_web(start, fetch=fake_web(pages))
    assert found.page.url == start
    assert found.made.method == "site"
    assert found.notes == ()
    assert "All rights reserved" not in found.text
    assert all(paragraph in found.text for paragraph in re.findall("<p>(.*?)</p>", article(3))[:-1])


def test_one_page_with_too_few_others_is_extracted_by_itself() -> None:
    pages = linked_site(2)
    start = "http://news.example/0.html"
    found = extract_from_web(start, fetch=fake_web(pages))
    assert "only 2 different pages" in found.notes[0]
    assert found.spans == tamis.extract(found.page).spans


def test_bootstrapped_detection_has_a_higher_recall_than_accb_and_a_better_f1_than_everything() -> None:
    """The outcome of Gottron (2008), table 7.6, on a made-up site, with the detector of the thesis."""
    site = Site(3, seed=1)
    made = [site.page(0, number) for number in range(8)]
    links = "".join(f"<a href='{page.url}'>x</a>" for page in made)
    web = fake_web({page.url: page.html.replace("</body>", f"{links}</body>") for page in made})
    scores: dict[str, list[float]] = {"recall": [], "plain": [], "found": [], "accb": []}
    for page in made[:4]:
        gold = " ".join((page.title, *page.paragraphs))
        found = extract_from_web(page.url, Bootstrap(template="document_frequency"), fetch=web)
        bag = tamis.score(gold, found.text)["bag"]
        scores["recall"].append(bag.recall)
        scores["found"].append(bag.f1)
        scores["plain"].append(tamis.score(gold, tamis.extract(found.page, method="keep_all").text)["bag"].f1)
        scores["accb"].append(tamis.score(gold, tamis.extract(found.page, method="accb").text)["bag"].recall)
    assert sum(scores["recall"]) >= sum(scores["accb"])
    assert all(found > plain for found, plain in zip(scores["found"], scores["plain"], strict=True))
