"""``tamis render``: files, exit codes and what is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.cli import main
from tamis.errors import MissingExtraError, MissingProgramError
from tamis.rendering.browser import VARIABLE, check_browser


@pytest.fixture
def browser() -> None:
    try:
        check_browser()
    except (MissingExtraError, MissingProgramError) as error:
        pytest.skip(f"no page can be rendered here: {error}")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(
        "<link rel=stylesheet href=style.css><p>Some <b>words</b></p><script>document.body.append('more')</script>"
    )
    (tmp_path / "style.css").write_text("p{margin-left:300px}")
    return path


def test_boxes_and_a_screenshot_are_written(
    browser: None, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["render", str(page), "--out", str(out), "--width", "800"]) == 0
    assert "1 page: 1 ok, 0 empty, 0 truncated, 0 failed" in capsys.readouterr().err
    found = json.loads((out / "page.json").read_text())
    assert found["text"] == "Some words"
    assert (found["width"], found["viewport"]) == (800, [800, 768])
    texts = [record for record in found["boxes"] if record["kind"] == "text"]
    assert [found["text"][record["start"] : record["end"]] for record in texts] == ["Some ", "words"]
    assert texts[1]["font_weight"] == 700
    assert texts[0]["color"] == "#000000"
    assert [record["name"] for record in found["boxes"]] == ["html", "body", "p", "#text", "b", "#text"]
    assert (out / "page.png").read_bytes()[:4] == b"\x89PNG"
    assert sorted(path.name for path in out.iterdir()) == ["page.json", "page.png"]


def test_scripts_and_files_are_used_when_allowed(
    browser: None, page: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["render", str(page), "--scripts", "--assets", str(page.parent)]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert found["text"] == "Some wordsmore"
    assert next(record for record in found["boxes"] if record["name"] == "p")["box"][0] == 308


def test_one_bad_page_costs_one_page_and_a_rerun_goes_on(
    browser: None, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "good.html").write_text("<p>good")
    (pages / "broken.html").symlink_to(tmp_path / "nowhere.html")
    out = tmp_path / "out"
    assert main(["render", str(pages), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert "1 ok" in said
    assert "1 failed" in said
    assert "broken.html" in said
    (pages / "broken.html").unlink()
    assert main(["render", str(pages), "--out", str(out), "--resume"]) == 0
    assert "1 skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--width", "0"], "width"),
        (["--assets", "/no/such/folder"], "assets"),
        (["--resume"], "--out"),
        (["--widht", "5"], "unknown flag '--widht'"),
    ],
)
def test_wrong_usage_is_told_before_a_page_is_read(
    page: Path, arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", str(page), *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_a_missing_browser_is_answered_with_what_to_do(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/browser")
    assert main(["render", str(page)]) == 2
    assert VARIABLE in capsys.readouterr().err
