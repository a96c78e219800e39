from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from tamis.cli import main
from tests.cli.extracting import OTHER, PAGE, Captured, extract, files_below, pipe


def test_single_file_goes_to_standard_output_without_a_title(pages: Path, capsys: Captured) -> None:
    assert extract("pages/a.html") == 0
    assert capsys.readouterr() == ("Alpha beta gamma delta.\n", "")


def test_several_files_carry_titles_and_a_summary(pages: Path, capsys: Captured) -> None:
    assert extract("pages/b.HTM", "pages/a.html") == 0
    out, err = capsys.readouterr()
    assert out == "==> pages/b.HTM <==\nEpsilon zeta eta theta.\n\n==> pages/a.html <==\nAlpha beta gamma delta.\n"
    assert err == "tamis: 2 pages: 2 ok, 0 empty, 0 truncated, 0 failed\n"


def test_folder_stands_for_the_pages_below_it_in_order(pages: Path, capsys: Captured) -> None:
    assert extract("pages") == 0
    out, err = capsys.readouterr()
    titles = [line for line in out.splitlines() if line.startswith("==>")]
    assert titles == [f"==> {Path('pages', name)} <==" for name in ("a.html", "b.HTM", "sub/c.xhtml")]
    assert err == "tamis: 3 pages: 2 ok, 1 empty, 0 truncated, 0 failed\n"


def test_nothing_of_a_wall_is_written(tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Page not found | Gazette</title><p>Try the search.</p>")
    assert extract(str(page)) == 0
    out, err = capsys.readouterr()
    assert out.strip() == ""
    assert err == "tamis: warning: wall: the page is an error message ('Page not found')\n"


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_page_is_read_from_a_pipe(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    pipe(monkeypatch, "<p>Größe zählt doch.</p>".encode("iso-8859-1"))
    assert extract(*arguments, "--encoding", "iso-8859-1") == 0
    assert capsys.readouterr().out == "Größe zählt doch.\n"


def test_output_is_utf8_on_a_console_that_has_few_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text("<p>Žluťoučký kůň – 馬</p>", encoding="utf-8")
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert extract(str(tmp_path / "page.html"), "--encoding", "utf-8") == 0
    assert written.getvalue().decode("utf-8") == "Žluťoučký kůň – 馬\n"
    assert main(["extract", "--help"]) == 0


@pytest.mark.parametrize("inputs", [["pages/a.html"], ["pages"]])
def test_json_is_one_object_per_line_with_its_source(inputs: list[str], pages: Path, capsys: Captured) -> None:
    assert extract(*inputs, "--format", "json") == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert results[0]["source"] == str(Path("pages/a.html"))
    assert results[0]["status"] == "ok"
    assert len(results) == (1 if inputs == ["pages/a.html"] else 3)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_name_that_is_no_text_is_written_as_it_is(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.html")
    path.write_text(PAGE)
    assert extract(str(tmp_path), str(path)) == 0
    assert b"caf\xe9.html <==\n" in capfdbinary.readouterr().out
    assert extract(str(path), "--format", "json") == 0
    assert os.fsencode(json.loads(capfdbinary.readouterr().out)["source"]).endswith(b"caf\xe9.html")


@pytest.mark.parametrize(
    ("output_format", "suffix"), [("text", ".txt"), ("markdown", ".md"), ("html", ".html"), ("json", ".json")]
)
def test_out_gets_one_file_per_page(output_format: str, suffix: str, pages: Path, capsys: Captured) -> None:
    assert extract("pages", "--out", "new/out", "--format", output_format) == 0
    assert files_below(Path("new/out")) == [f"a{suffix}", f"b{suffix}", f"sub/c{suffix}"]
    assert "Alpha beta gamma delta." in Path(f"new/out/a{suffix}").read_text(encoding="utf-8")
    assert capsys.readouterr() == ("", "tamis: 3 pages: 2 ok, 1 empty, 0 truncated, 0 failed\n")


def test_resume_skips_what_is_done_and_a_plain_run_does_not(pages: Path, capsys: Captured) -> None:
    Path("out").mkdir()
    Path("out/a.txt").write_text("done before")
    assert extract("pages", "--out", "out", "--resume") == 0
    assert Path("out/a.txt").read_text() == "done before"
    assert Path("out/b.txt").exists()
    assert capsys.readouterr().err == (
        "tamis: 3 pages: 1 ok, 1 empty, 0 truncated, 0 failed, 1 skipped because their file exists\n"
    )
    assert extract("pages", "--out", "out") == 0
    assert Path("out/a.txt").read_text() == "Alpha beta gamma delta.\n"


def test_results_below_the_input_folder_are_not_read_as_pages(pages: Path, capsys: Captured) -> None:
    for _ in range(2):
        assert extract("pages", "--out", "pages/out", "--format", "html") == 0
    assert files_below(Path("pages/out")) == ["a.html", "b.html", "sub/c.html"]


def test_results_may_lie_beside_their_pages(pages: Path) -> None:
    assert extract("pages", "--out", "pages") == 0
    assert Path("pages/sub/c.txt").exists()


def test_warnings_of_a_single_page_are_told(pages: Path, capsys: Captured) -> None:
    assert extract("pages/sub/c.xhtml") == 0
    assert capsys.readouterr() == ("", "tamis: warning: empty: no main content was found on the page\n")


def test_page_that_cannot_be_read_costs_one_page(pages: Path, capsys: Captured) -> None:
    (pages / "aa.html").symlink_to("gone.html")
    assert extract("pages", "--out", "out") == 1
    assert files_below(Path("out")) == ["a.txt", "b.txt", "sub/c.txt"]
    failed, summary = capsys.readouterr().err.splitlines()
    assert failed.startswith(f"tamis: failed: cannot read {str(Path('pages/aa.html'))!r}: ")
    assert summary == "tamis: 4 pages: 2 ok, 1 empty, 0 truncated, 1 failed"


def test_links_that_go_round_in_a_circle_cost_one_page(pages: Path, capsys: Captured) -> None:
    (pages / "round.html").symlink_to("round.html")
    assert extract("pages", "--out", "out") == 1
    assert capsys.readouterr().err.endswith("tamis: 4 pages: 2 ok, 1 empty, 0 truncated, 1 failed\n")


def test_result_that_cannot_be_written_costs_one_page(pages: Path, capsys: Captured) -> None:
    Path("out/a.txt").mkdir(parents=True)
    assert extract("pages", "--out", "out") == 1
    assert files_below(Path("out")) == ["b.txt", "sub/c.txt"]
    assert capsys.readouterr().err.startswith(f"tamis: failed: cannot write {str(Path('out/a.txt'))!r}: ")


@pytest.mark.usefixtures("long_blocks")
def test_page_that_makes_the_method_fail_costs_one_page(pages: Path, capsys: Captured) -> None:
    (pages / "aa.html").write_text("<p>crash now</p>")
    assert main(["extract", "pages", "--method", "long_blocks"]) == 1
    out, err = capsys.readouterr()
    assert "Alpha beta gamma delta." in out
    assert "Epsilon zeta eta theta." in out
    assert "aa.html' made the method fail: RuntimeError: cannot count\n" in err
    assert err.endswith("2 ok, 1 empty, 0 truncated, 1 failed\n")


@pytest.mark.usefixtures("long_blocks")
def test_interrupted_run_keeps_what_is_done_and_can_be_resumed(pages: Path, capsys: Captured) -> None:
    (pages / "b.HTM").write_text("<p>interrupt now</p>")
    arguments = ["extract", "pages", "--out", "out", "--method", "long_blocks"]
    assert main(arguments) == 130
    assert files_below(Path("out")) == ["a.txt"]
    assert capsys.readouterr().err == (
        "tamis: interrupted after 1 of 3 pages: run the same command with --resume to go on\n"
    )
    (pages / "b.HTM").write_text(OTHER)
    assert main([*arguments, "--resume"]) == 0
    assert files_below(Path("out")) == ["a.txt", "b.txt", "sub/c.txt"]


def test_interruption_while_writing_leaves_no_part(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def interrupted(path: Path, target: Path) -> None:
        assert path.read_text() == "Alpha beta gamma delta.\n"
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert extract("pages/a.html", "--out", "out") == 130
    assert files_below(Path("out")) == []


BAD = {
    "no such file": (["pages/a.html", "pages/gone.html"], "gone.html"),
    "an empty folder": (["pages/a.html", "void"], "no pages"),
    "an address with a user name": (["https://me@example.org/a.html"], "remove what is before the @"),
    "an address without a host": (["HTTP:///"], "must begin with http:// or https:// and a host"),
    "a name too long for a file": (["<p>" + "x" * 5000], "File name too long"),
    "one file twice": (["pages/a.html", "./pages/a.html"], "would both be written to"),
    "two pages of one name": (["pages/a.html", "pages"], "would both be written to"),
    "standard input twice": (["-", "-"], "given twice"),
    "unknown method": (["pages", "--method", "keepall"], "did you mean keep_all"),
    "unknown method, joined": (["pages", "--method=keepall"], "did you mean keep_all"),
    "unknown format": (["pages", "--format", "markdwn"], "did you mean markdown"),
    "unknown encoding": (["pages", "--encoding", "utf-9"], "'utf-9'"),
    "unknown flag": (["pages", "--formt", "text"], "unknown flag '--formt': did you mean --format?"),
    "a flag the method lacks": (["pages", "--method", "bte", "--min-words", "3"], "method bte has no flags of its own"),
    "a flag twice": (["pages", "--url", "a", "--url", "b"], "--url"),
    "a flag without its value": (["pages", "--url"], "--url"),
    "an address for many pages": (["pages", "--url", "https://example.org/"], "but there are 3"),
    "a negated switch": (["pages", "--no-resume"], "unknown flag '--no-resume'"),
}


@pytest.mark.parametrize(("arguments", "told"), BAD.values(), ids=BAD)
def test_bad_usage_is_one_line_and_writes_nothing(
    arguments: list[str], told: str, pages: Path, capsys: Captured
) -> None:
    Path("void").mkdir()
    assert main(["extract", *arguments, "--out", "out"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tamis: ")
    assert err.count("\n") == 1
    assert told in err
    assert not Path("out").exists()


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_out_that_is_no_folder_is_refused(out: str, pages: Path, capsys: Captured) -> None:
    Path("file").write_text("mine")
    assert extract("pages", "--out", out) == 2
    assert capsys.readouterr().err.startswith(f"tamis: cannot write to --out {out!r}: ")
    assert Path("file").read_text() == "mine"


def test_out_without_permission_is_refused(pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert extract("pages", "--out", "out") == 2
    assert capsys.readouterr().err.startswith("tamis: cannot write to --out 'out': no permission")


def test_page_is_never_overwritten_by_its_result(pages: Path, capsys: Captured) -> None:
    assert extract("pages", "--out", "pages", "--format", "html") == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert (pages / "a.html").read_text() == PAGE


def test_resume_without_out_is_refused(pages: Path, capsys: Captured) -> None:
    assert extract("pages", "--resume") == 2
    assert capsys.readouterr() == ("", "tamis: --resume skips pages whose file in --out exists: pass --out as well\n")


def test_terminal_as_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    pipe(monkeypatch, b"")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert main(["extract"]) == 2
    assert capsys.readouterr().err.startswith("tamis: nothing to read")


def test_file_whose_name_begins_with_a_dash_follows_two_dashes(pages: Path, capsys: Captured) -> None:
    Path("--method").write_text(PAGE)
    assert extract("--", "--method") == 0
    assert capsys.readouterr().out == "Alpha beta gamma delta.\n"


def test_progress_is_shown_on_a_terminal_and_nowhere_else(
    pages: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert extract("pages", "--out", "out") == 0
    assert "100%" in capsys.readouterr().err
    assert extract("pages/a.html", "--out", "out") == 0
    assert "%" not in capsys.readouterr().err


PITCH = (
    "Subscribe to our newsletter today and receive the most important stories of the week in your inbox every single "
    "Friday morning, free of charge and without any obligation."
)


def test_what_the_pages_repeat_is_evidence_if_asked_for(tmp_path: Path, capsys: Captured) -> None:
    for number in range(5):
        parts = "".join(
            f"<p>In part {part} of story {number} the river rose in the night, and the road to the village was closed "
            f"because of it, said the mayor, who had been there {part + number} times before.</p>"
            for part in range(4)
        )
        markup = f"<h1>Story {number}</h1>{parts}<div class=newsletter><p>{PITCH}</p></div>"
        (tmp_path / f"{number}.html").write_text(markup)
    assert main(["extract", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count(PITCH) == 5
    assert main(["extract", str(tmp_path), str(tmp_path / "gone.html"), "--site"]) == 2, (
        "what does not exist is told before"
    )
    capsys.readouterr()
    assert main(["extract", str(tmp_path), "--site"]) == 0
    out = capsys.readouterr().out
    assert (out.count(PITCH), out.count("In part")) == (0, 20)
    assert main(["extract", str(tmp_path), "--site", "--method", "bte"]) == 2
    assert "the method bte does not use a site memory" in capsys.readouterr().err


def test_a_page_from_a_pipe_is_read_once_for_its_site(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    pipe(monkeypatch, b"<p>A sentence that says something at some length.</p>")
    assert main(["extract", "-", "--site"]) == 0
    assert capsys.readouterr().out == "A sentence that says something at some length.\n"
