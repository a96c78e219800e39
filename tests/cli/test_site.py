"""``tamis site``: groups, templates and contents in a folder; messages say what happened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.cli import main
from tests.sites.test_sites import MIXED, answer, write_pages
from tests.templates.pages import article


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "does not exist"),
        (["file.txt"], "neither a folder nor a WARC file"),
        ([".", "--method", "slotz"], "did you mean slots"),
        ([".", "--clusterer", "single"], "did you mean single_linkage?"),
        (["http://127.0.0.1/"], "127.0.0.1"),
    ],
)
def test_wrong_usage_is_answered(
    arguments: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.txt").write_text("text")
    assert main(["site", *arguments, "--out", str(tmp_path / "out")]) == 2
    assert said in capfd.readouterr().err
