"""Plausible mistakes on the command line: one clear line, exit code 2, and nothing is left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.cli import main
from tests.cli.extracting import Captured


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["extract", "pages/a.html", "-o", "pages"], "'pages' is a folder: for one file per page pass --out pages"),
        (["extract", "ftp://example.org/a"], "cannot read 'ftp://example.org/a': pass an http:// or https:// URL"),
        (["extract", "file:///a.html"], "cannot read 'file:///a.html': pass the path of the file"),
        (["compare", "ftp://example.org/a"], "cannot read 'ftp://example.org/a': pass an http:// or https:// URL"),
        (["site", "ftp://example.org/a", "--out", "out"], "cannot read 'ftp://example.org/a': pass an http:// or"),
        (["site", "absent", "--out", "out"], "cannot read 'absent': it does not exist"),
        (["cluster", "https://example.org/"], "cluster reads saved pages: tamis site https://example.org/ fetches"),
        (["extract", "pages", "--mode", "mark", "-f", "md"], "leave --format md or --mode mark out"),
        (["extract", "pages", "--out", "out", "--model", "absent.npz"], "cannot read the model 'absent.npz'"),
        (["extract", "pages", "--cookie", "cookies.txt"], "--cookie 'cookies.txt' is not a cookie: write it as"),
        (["extract", "pages/a.html", "--url", "news.html"], "--url 'news.html' is not a URL"),
        (["compare", "pages/a.html", "b.html"], "unexpected argument 'b.html'. See: tamis compare --help"),
        (["extract", ""], "the name of an input is empty"),
        (["compare", ""], "the name of an input is empty"),
        (["site", "", "--out", "out"], "the name of an input is empty"),
        (["extract", "pages/*.html"], "patterns are expanded by the shell, if they are not quoted"),
        (["extract", "pages", "--front-matter"], "--front-matter needs --format markdown"),
        (["extract", "pages", "--max-tokens", "9", "-f", "md"], "--max-tokens needs --format chunks"),
        (["extract", "pages", "--blocks"], "--blocks needs --format json"),
        (["extract", "pages", "--list-marks", "-f", "html"], "--list-marks needs --format text"),
        (["extract", "pages", "--mode", "hide", "--replace-by", "marker"], "--replace-by needs --mode replace"),
        (["extract", "pages", "--mode", "mark", "--front-matter"], "has no option --front-matter"),
        (["compare", "pages/a.html", "--formt", "md"], "unknown flag '--formt'"),
        (["help"], "there is no command 'help': use tamis --help"),
        (["version"], "there is no command 'version': use tamis --version"),
        (["evaluate", "pages", "--out", "out"], "a folder is one if the gold text of x.html is beside it in x.txt"),
        (["evaluate", "pages", "--render", "--out", "out"], "pass --segmenters as well"),
        (["mcp", "pages"], "unexpected argument 'pages'. See: tamis mcp --help"),
    ],
)
def test_a_mistake_is_told_once_before_anything_is_written(
    arguments: list[str], told: str, pages: Path, capsys: Captured
) -> None:
    before = sorted(Path().iterdir())
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert (out, err.count("\n")) == ("", 1)
    assert sorted(Path().iterdir()) == before


def test_a_file_that_cannot_be_written_is_named(pages: Path, capsys: Captured) -> None:
    assert main(["extract", "pages/a.html", "-o", "/proc/a.txt"]) == 1
    assert capsys.readouterr().err.startswith("tamis: cannot read or write '/proc/a.txt': ")


def test_a_url_of_a_page_needs_no_scheme(pages: Path, capsys: Captured) -> None:
    Path("pages/a.html").write_text("<p>A text with <a href=b.html>a link</a> to read.</p>")
    assert main(["extract", "pages/a.html", "-f", "md", "--method", "keep_all", "--url", "www.example.org/a"]) == 0
    assert "(https://www.example.org/b.html)" in capsys.readouterr().out


def test_a_mode_goes_with_the_format_html(pages: Path, capsys: Captured) -> None:
    assert main(["extract", "pages/a.html", "--mode", "mark", "--format", "html"]) == 0
    assert "<mark" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "kind"), [("a.pdf", b"%PDF-1.7 x", "PDF"), ("a.warc", b"WARC/1.1", "WARC")]
)
def test_cluster_refuses_what_is_no_page(name: str, content: bytes, kind: str, pages: Path, capsys: Captured) -> None:
    Path(name).write_bytes(content)
    assert main(["cluster", name]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["groups"] == []
    assert f"tamis: failed: '{name}' is a {kind} file, not a page" in err


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.jsonl", b'{"html": "<p>A", "url": "https://example.org/"}\n', "JSON"),
        ("a.jsonl.xz", b"\xfd7zXZ\0", "JSON"),
        ("a.html", b' { "html" : "<p>A"}', "JSON"),
        ("a.parquet", b"PAR1" + bytes(20), "a Parquet file"),
    ],
)
def test_files_of_many_pages_are_left_to_run(
    name: str, content: bytes, kind: str, pages: Path, capsys: Captured
) -> None:
    Path(name).write_bytes(content)
    assert main(["extract", name]) == 1
    assert capsys.readouterr().err.startswith(
        f"tamis: failed: {name!r} is {kind}, not a page: tamis run FILE --out DIR"
    )


def test_a_page_may_begin_with_a_brace(pages: Path, capsys: Captured) -> None:
    Path("a.html").write_text('{ "So it is," said he }, and nothing else is on this page.')
    assert main(["extract", "a.html"]) == 0
    assert "said he" in capsys.readouterr().out


def test_run_knows_the_short_names_of_formats(pages: Path, capsys: Captured) -> None:
    assert main(["run", "pages", "--out", "out", "--format", "md", "--dry-run"]) == 0
    assert "format markdown" in capsys.readouterr().out


def test_what_peers_log_is_not_printed(pages: Path) -> None:
    pytest.importorskip("boilerpy3")
    Path("empty.html").touch()
    # A process of its own, because pytest catches what is logged.
    command = [sys.executable, "-m", "tamis", "compare", "empty.html", "--methods", "boilerpy3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    assert all(line.startswith("tamis: ") for line in done.stderr.splitlines())


def test_an_evaluation_without_gold_is_warned_of(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps({"id": "a", "html": "<p>A text.", "text": "A text."}) + "\n")
    command = ["evaluate", str(tmp_path / "pages.jsonl"), "--methods", "keep_all", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    err = capsys.readouterr().err
    assert "tamis: 0 pages scored; report: " in err
    assert "tamis: warning: no page has gold; tamis dataset info" in err
