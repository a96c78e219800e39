"""Where ``tamis extract`` reads from and writes to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis.cli import items, main
from tamis.cli.extract import flags
from tamis.errors import InputError
from tests.fetching.web import Web, answer, running_web

Captured = pytest.CaptureFixture[str]

LOCAL = "127.0.0.1"
PAGE = "<h1>Rain</h1><p>Alpha beta gamma delta epsilon zeta eta.</p>"
COMMENTED = (
    "<article><h1>Rain at last</h1><p>It rained for the whole night, and the fields took all of it in.</p></article>"
    "<div id=comments><h2>Comments</h2><p>Great news for all of us here, thank you for writing about it.</p></div>"
)


@pytest.fixture
def web() -> Iterator[Web]:
    with running_web() as server:
        yield server


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_text(PAGE)
    Path("b.html").write_text(PAGE.replace("Alpha", "Omega"))
    return tmp_path


def test_no_comments_is_a_flag_of_every_method(here: Path, capsys: Captured) -> None:
    Path("c.html").write_text(COMMENTED)
    for method in ("sieve", "keep_all"):
        assert main(["extract", "c.html", "--method", method, "--no-comments"]) == 0
        out = capsys.readouterr().out
        assert "It rained" in out
        assert "Great news" not in out
    assert main(["extract", "c.html", "--comments", "keep", "--no-comments"]) == 0
    assert "Great news" not in capsys.readouterr().out


def test_flags_are_listed_as_they_are_typed(here: Path, capsys: Captured) -> None:
    assert main(["extract", "a.html", "--allow-privat"]) == 2
    assert "did you mean --allow-private?" in capsys.readouterr().err
    listed = flags("sieve")
    assert not [flag for flag in listed if "_" in flag]
    assert {"-o", "--input-file", "--no-comments", "--no-links", "--no-respect-robots"} <= set(listed)


def test_one_file_takes_everything(here: Path, capsys: Captured) -> None:
    assert main(["extract", "a.html", "-f", "markdown", "-o", "out.md", "--method", "keep_all"]) == 0
    assert Path("out.md").read_text() == "# Rain\n\nAlpha beta gamma delta epsilon zeta eta.\n"
    assert main(["extract", "a.html", "b.html", "-f", "json", "-o", "out.jsonl"]) == 0
    assert [json.loads(line)["source"] for line in Path("out.jsonl").read_text().splitlines()] == ["a.html", "b.html"]
    assert capsys.readouterr().out == ""


def test_file_name_for_a_folder_is_refused(here: Path, capsys: Captured) -> None:
    assert main(["extract", "a.html", "--out", "out.md"]) == 2
    assert "for one file pass -o out.md" in capsys.readouterr().err
    assert not Path("out.md").exists()
    assert main(["extract", "a.html", "--out", "out", "-o", "out.md"]) == 2
    assert "pass only one of them" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.pdf", b"%PDF-1.7 rest", "is a PDF file, not a page: turn it into HTML first"),
        (
            "a.xml",
            b"<?xml version='1.0'?><!-- of <rss> -->\n<urlset><url/></urlset>",
            "is a sitemap, not a page: -i reads",
        ),
        ("a.rss", b"\xef\xbb\xbf<rss version='2.0'><channel/></rss>", "is a feed, not a page: -i reads the pages"),
        ("a.warc", b"WARC/1.0\r\nWARC-Type: response\r\n", "is a WARC file, not a page: use tamis run"),
        ("a.warc.gz", b"\x1f\x8b\x08\x00rest", "is a WARC file, not a page: use tamis run"),
        ("a.gz", b"\x1f\x8b\x08\x00rest", "decompress a page first"),
        ("a.png", b"\x89PNG\r\n", "is a PNG image, not a page: pass an HTML file"),
    ],
)
def test_what_is_no_page_is_answered_with_what_to_do(
    name: str, content: bytes, told: str, here: Path, capsys: Captured
) -> None:
    Path(name).write_bytes(content)
    assert main(["extract", name]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err


def test_www_stands_for_a_url_unless_a_file_is_called_so(here: Path) -> None:
    assert items.is_address("www.example.org/news")
    assert items.plan(["www.example.org/news"], "text", None)[0].source == "https://www.example.org/news"
    Path("www.example.org.html").write_text(PAGE)
    assert not items.is_address("www.example.org.html")


@pytest.mark.parametrize(
    ("given", "is_hinted"),
    [("example.org/story", True), ("localhost:8000/a", True), ("story.html", False), ("saved/story.html", False)],
)
def test_what_may_be_a_url_without_its_scheme_is_answered_with_the_url(given: str, is_hinted: bool) -> None:
    with pytest.raises(InputError) as caught:
        items.plan([given], "text", None)
    assert (f"pass http://{given} or https://{given}" in str(caught.value)) is is_hinted


def test_workers_keep_the_order(here: Path, capsys: Captured) -> None:
    names = [f"{number:02}.html" for number in range(20)]
    for name in names:
        Path(name).write_text(f"<p>Page {name}</p>")
    assert main(["extract", *names, "--method", "keep_all", "--workers", "4"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("Page")] == [f"Page {name}" for name in names]
    assert main(["extract", "a.html", "--workers", "0"]) == 2


def test_list_of_urls_is_read(here: Path, web: Web, capsys: Captured) -> None:
    web.answers |= {"/1": answer("<p>The first page</p>"), "/2": answer("<p>The second page</p>")}
    Path("urls.txt").write_text("# pages\n" + "".join(f"{web.url(path, LOCAL)}\n\n" for path in ("/1", "/2", "/1")))
    command = ["extract", "--method", "keep_all", "--allow-private", "--no-respect-robots"]
    assert main([*command, "-i", "urls.txt", "--out", "texts"]) == 0
    assert len(list(Path("texts").iterdir())) == 2
    Path("urls.txt").write_text("/etc/hostname\n")
    capsys.readouterr()
    assert main([*command, "-i", "urls.txt"]) == 2
    assert "which is not a URL" in capsys.readouterr().err


def test_feed_on_the_web_is_read(here: Path, web: Web, capsys: Captured) -> None:
    feed = "<rss><channel><item><link>/1</link></item></channel></rss>"
    web.answers |= {"/1": answer("<p>The first page</p>"), "/feed": answer(feed, content_type="application/rss+xml")}
    command = ["extract", "--method", "keep_all", "--allow-private", "--no-respect-robots"]
    assert main([*command, "-i", web.url("/feed", LOCAL)]) == 0
    assert capsys.readouterr().out == "The first page\n"


def test_headers_and_cookies_are_sent(here: Path, web: Web, capsys: Captured) -> None:
    web.answers["/"] = answer("<p>The page</p>")
    command = ["extract", web.url("/", LOCAL), "--allow-private", "--no-respect-robots"]
    assert main([*command, "--header", "X-Key: 7", "--cookie", "a=1; b=2"]) == 0
    sent = web.requests[-1].headers
    assert (sent["x-key"], sent["cookie"]) == ("7", "a=1; b=2")
    assert main([*command, "--header", "nonsense"]) == 2
    assert "write it as 'Name: value'" in capsys.readouterr().err


def test_proxy_is_asked_for_the_page(here: Path, web: Web, capsys: Captured) -> None:
    web.answers["http://site.example/page"] = answer("<p>Through the proxy</p>")
    command = ["extract", "http://site.example/page", "--no-respect-robots", "--method", "keep_all"]
    assert main([*command, "--proxy", web.url("", LOCAL)]) == 0
    assert capsys.readouterr().out == "Through the proxy\n"
    assert main([*command, "--proxy", "socks://127.0.0.1"]) == 2
