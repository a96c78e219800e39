from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tamis import registry
from tamis.cli import main
from tests.sites.generator import make_corpus

Captured = pytest.CaptureFixture[bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    for page in make_corpus(2, 1, 3):
        (pages / f"{page.site}-{page.number}.html").write_text(page.html, encoding="utf-8")
    return pages


def names(answer: bytes | str) -> list[list[str]]:
    return [[Path(page).name for page in group["pages"]] for group in json.loads(answer)["groups"]]


TWO_SITES = [["0-0.html", "0-1.html", "0-2.html"], ["1-0.html", "1-1.html", "1-2.html"]]


def test_groups_are_printed_as_json(folder: Path, capfdbinary: Captured) -> None:
    assert main(["cluster", str(folder)]) == 0
    captured = capfdbinary.readouterr()
    assert names(captured.out) == TWO_SITES
    assert json.loads(captured.out)["method"] == "single_linkage"
    assert b"6 pages in 2 groups (6 ok)" in captured.err


def test_groups_and_plots_are_written(folder: Path, tmp_path: Path, capfdbinary: Captured) -> None:
    out = tmp_path / "out"
    assert main(["cluster", str(folder), "--out", str(out)]) == 0
    assert capfdbinary.readouterr().out == b""
    assert names((out / "groups.json").read_text(encoding="utf-8")) == TWO_SITES
    pictures = {"matrix.svg", "map.svg", "dendrogram.svg", "histogram.svg"}
    for name in pictures:
        ElementTree.parse(out / name)  # noqa: S314 - our own
    assert {file.name for file in out.iterdir()} == {"groups.json", *pictures}
    assert "threshold 0.6" in (out / "dendrogram.svg").read_text(encoding="utf-8")
    assert "threshold 0.6" in (out / "histogram.svg").read_text(encoding="utf-8")


def test_redesigns_are_told_on_request(folder: Path, capfdbinary: Captured) -> None:
    assert main(["cluster", str(folder), "--redesigns"]) == 0
    captured = capfdbinary.readouterr()
    (found,) = json.loads(captured.out)["redesigns"]
    assert [Path(found[side]).name for side in ("before", "after")] == ["0-2.html", "1-0.html"]
    assert b"redesign between" in captured.err
    assert main(["cluster", str(folder)]) == 0
    assert "redesigns" not in json.loads(capfdbinary.readouterr().out)


def test_the_largest_group_comes_first(folder: Path, capfdbinary: Captured) -> None:
    (folder / "0-0.html").rename(folder / "2-0.html")
    (folder / "0-1.html").unlink()
    assert main(["cluster", str(folder)]) == 0
    assert names(capfdbinary.readouterr().out) == [TWO_SITES[1], ["0-2.html", "2-0.html"]]


@pytest.mark.parametrize("method", registry.names("clusterers"))
def test_every_method_has_all_pictures(method: str, folder: Path, tmp_path: Path) -> None:
    assert main(["cluster", str(folder), "--method", method, "--out", str(tmp_path / "out")]) == 0
    assert len(list((tmp_path / "out").glob("*.svg"))) == 4


@pytest.mark.parametrize("method", registry.names("clusterers"))
def test_every_method_can_be_named(method: str, folder: Path, capfdbinary: Captured) -> None:
    assert main(["cluster", str(folder), "--method", method]) == 0
    assert sum(map(len, names(capfdbinary.readouterr().out))) == 6


def test_options_of_the_method_are_flags(folder: Path, capfdbinary: Captured) -> None:
    assert main(["cluster", str(folder), "--method", "k_median", "--k", "2", "--distance", "common_paths"]) == 0
    answer = json.loads(capfdbinary.readouterr().out)
    assert answer["options"]["distance"] == "common_paths"
    assert [Path(group["representative"]).name[0] for group in answer["groups"]] == ["0", "1"]


def test_pages_that_cannot_be_read_cost_themselves(folder: Path, capfdbinary: Captured) -> None:
    (folder / "broken.html").symlink_to(folder / "nowhere.html")
    (folder / "empty.html").write_bytes(b"")
    assert main(["cluster", str(folder)]) == 1
    captured = capfdbinary.readouterr()
    assert b"7 pages in 3 groups (6 ok, 1 empty, 1 failed)" in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere"],
        ["FOLDER", "--method", "singel_linkage"],
        ["FOLDER", "--threshold", "much"],
        ["FOLDER", "--distance", "rtmd"],
        ["FOLDER", "--k", "0"],
        ["FOLDER", "--nonsense", "1"],
    ],
)
def test_mistakes_are_one_line_and_exit_code_two(
    arguments: list[str], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["cluster", *(str(folder) if argument == "FOLDER" else argument for argument in arguments)]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
