"""Flags of ``tamis extract``: options of methods and outputs, modes, formats, chunks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis import registry
from tamis.cli import main
from tamis.cli.extract import own_flags
from tamis.cli.flags import named_method
from tests.cli.extracting import PAGE, Captured, extract


@pytest.mark.usefixtures("long_blocks")
def test_options_of_the_method_are_flags(pages: Path, capsys: Captured) -> None:
    (pages / "a.html").write_text("<h1>Two words</h1><p>Here are four words.</p>")
    assert main(["extract", "pages/a.html", "--min-words", "3", "--method", "long_blocks", "--loud"]) == 0
    assert capsys.readouterr() == ("Here are four words.\n", "tamis: warning: loud\n")


@pytest.mark.usefixtures("long_blocks")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--min-words", "some"], 'unable to convert "some" into int.'),
        (["--min-words", "-1"], "min_words is -1, but must not be negative"),
        (["--headings", "kep"], "drop"),
        (["--min-word", "3"], "did you mean --min-words? (method long_blocks has --min-words, --headings, --loud)"),
    ],
)
def test_wrong_option_of_the_method_is_answered_with_what_is_right(
    arguments: list[str], told: str, pages: Path, capsys: Captured
) -> None:
    assert main(["extract", "pages", "--method", "long_blocks", "--out", "out", *arguments]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not Path("out").exists()


@pytest.mark.usefixtures("long_blocks")
def test_help_shows_methods_and_the_flags_of_the_chosen_one(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["extract", "--method", "long_blocks", "--help"]) == 0
    out = capsys.readouterr().out
    for name in registry.names("extractors"):
        assert f"\n  {name} " in out
    assert "Options of long_blocks" in out
    assert "shorter blocks are dropped [default: 2]" in out
    assert "what becomes of headings" in out
    assert "--resume" in out
    assert main(["extract", "--help"]) == 0
    assert "--min-words" not in capsys.readouterr().out


@pytest.mark.parametrize("method", registry.names("extractors"))
def test_options_of_every_method_can_be_flags(method: str, pages: Path, capsys: Captured) -> None:
    assert main(["extract", "--method", method, "--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"{flag} " in out for flag in own_flags(method))
    assert main(["extract", "--method", method, "pages/a.html", "--format", "text"]) == 0


def test_method_is_found_wherever_it_stands() -> None:
    assert named_method(["extract", "--method", "a", "--", "--method", "b"], "usual") == "a"
    for arguments in (["extract", "--method"], ["extract", "--", "--method=b"], []):
        assert named_method(arguments, "usual") == "usual"


def test_a_mode_gives_the_whole_page_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<nav><a href=/>Home</a></nav><p>The text of this page, which is long enough.</p>", encoding="utf-8"
    )
    assert main(["extract", str(page), "--mode", "mark", "--method", "bte", "--out", str(tmp_path / "out")]) == 0
    marked = (tmp_path / "out" / "page.html").read_text(encoding="utf-8")
    assert "Home" in marked
    assert '<mark class="tamis-main">The text of this page' in marked
    assert main(["extract", str(page), "--mode", "marc"]) == 2
    assert "did you mean mark?" in capfd.readouterr().err


def test_an_option_can_be_read_from_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page, rules = tmp_path / "page.html", tmp_path / "rules.toml"
    page.write_text("<div class=story>The story.</div><p>Something else altogether.</p>", encoding="utf-8")
    rules.write_text('[[rule]]\nname = "story"\ncontext = ["div"]\nlabel = "content"\n', encoding="utf-8")
    command = ["extract", str(page), "--method", "elisa", "--no-use-starter-rules", "--rules"]
    assert main([*command, f"@{rules}"]) == 0
    assert capfd.readouterr().out == "The story.\n"
    rules.write_text('[[rule]]\nname = "story"\ncontext = ["div"]\nlabel = "contents"\n', encoding="utf-8")
    assert main([*command, f"@{rules}"]) == 2
    assert f"{rules}: option rules, line 4" in capfd.readouterr().err
    assert main([*command, "@missing.toml"]) == 2
    assert "missing.toml" in capfd.readouterr().err


def test_output_options_are_flags(pages: Path, capsys: Captured) -> None:
    (pages / "a.html").write_text("<p>Some <a href=/x>linked</a> words.</p><table><tr><th>k<th>v<tr><td>1<td>2</table>")
    command = ["extract", "pages/a.html", "--method", "keep_all", "--format", "markdown"]
    assert main([*command, "--no-links", "--no-tables"]) == 0
    assert capsys.readouterr().out == "Some linked words.\n"
    assert main([*command, "--max-characters", "6"]) == 0
    assert capsys.readouterr().out == "Some\n"
    assert main([*command, "--no-lnks"]) == 2
    assert "did you mean --no-links?" in capsys.readouterr().err
    assert main([*command, "--mode", "mark", "--no-links"]) == 2
    assert "--mode mark writes the whole page" in capsys.readouterr().err


def test_modes_have_flags_of_their_own(pages: Path, capsys: Captured) -> None:
    (pages / "a.html").write_text("<p>Some words.</p><nav>Home</nav>")
    command = ["extract", "pages/a.html", "--method", "keep_all", "--drop", "nav", "--mode"]
    assert main([*command, "replace", "--replace-by", "marker"]) == 0
    assert "<nav>…</nav>" in capsys.readouterr().out
    assert main([*command, "replace", "--replace-by", "filler", "--filler", "x"]) == 0
    assert "<nav>xxxx</nav>" in capsys.readouterr().out
    assert main([*command, "hide", "--hide-by", "style"]) == 0
    assert 'display:none">Home</span>' in capsys.readouterr().out
    assert main([*command, "mark", "--hide-by", "style"]) == 2
    assert "--mode mark writes the whole page and has no option --hide-by" in capsys.readouterr().err
    assert main(["extract", "pages/a.html", "--hide-by", "style"]) == 2
    assert "--format text writes content only and has no option --hide-by" in capsys.readouterr().err


def test_selectors_are_flags_and_checked_before_reading(pages: Path, capsys: Captured) -> None:
    (pages / "a.html").write_text("<p>Some words.</p><aside>Advert</aside>")
    assert main(["extract", "pages/a.html", "--method", "keep_all", "--drop", "aside"]) == 0
    assert capsys.readouterr().out == "Some words.\n"
    assert main(["extract", "pages/a.html", "--keep", "p["]) == 2
    assert "'p[' is not a CSS selector" in capsys.readouterr().err


def test_tei_goes_into_files_of_its_name(pages: Path) -> None:
    assert main(["extract", "pages", "--format", "tei", "--out", "out"]) == 0
    written = sorted(Path("out").rglob("*.tei"))
    assert written
    assert "<TEI xmlns=" in written[0].read_text(encoding="utf-8")


@pytest.mark.parametrize(("short", "long"), [("md", "markdown"), ("txt", "text")])
def test_formats_have_short_names(short: str, long: str, pages: Path, capsys: Captured) -> None:
    assert extract("pages/a.html", "--format", short) == 0
    written = capsys.readouterr().out
    assert extract("pages/a.html", "--format", long) == 0
    assert capsys.readouterr().out == written
    assert extract("pages/a.html", "--format", short, "--out", "results") == 0
    assert [path.name for path in Path("results").iterdir()] == [f"a.{short}"]


def test_front_matter_is_a_flag(pages: Path, capsys: Captured) -> None:
    (pages / "a.html").write_text(f"<title>A title</title>{PAGE}")
    assert extract("pages/a.html", "--format", "md", "--front-matter") == 0
    assert capsys.readouterr().out == '---\ntitle: "A title"\n---\n\nAlpha beta gamma delta.\n'


def test_chunks_are_json_lines_with_their_source(pages: Path, capsys: Captured) -> None:
    assert extract("pages", "--format", "chunks", "--max-tokens", "3") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(Path(row["source"]).name, row["text"]) for row in rows] == [
        ("a.html", "Alpha beta gamma"),
        ("a.html", "delta."),
        ("b.HTM", "Epsilon zeta eta"),
        ("b.HTM", "theta."),
    ]


def test_sizes_of_chunks_are_checked(pages: Path, capsys: Captured) -> None:
    assert extract("pages/a.html", "--format", "chunks", "--max-tokens", "3", "--overlap", "3") == 2
    assert "overlap is 3, but must be from 0 to below 3 (max_tokens)" in capsys.readouterr().err
