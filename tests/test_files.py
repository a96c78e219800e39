from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import tamis
from tamis.files import aside, find_pages, write_text


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def test_a_file_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "result.txt"
    with aside(target) as part:
        part.write_text("half")
        assert not target.exists()
        part.write_text("whole")
    assert target.read_text() == "whole"
    assert names(tmp_path) == ["new/folder/result.txt"]


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "result.txt"
    target.write_text("old")

    def fail() -> None:
        with aside(target) as part:
            part.write_text("half")
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["result.txt"]


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "result.txt"
    with aside(target) as first, aside(target) as second:
        first.write_text("first")
        second.write_text("second")
    assert target.read_text() == "first"  # ended last


def test_a_durable_file_is_written_through_and_clears_what_a_killed_writer_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, other = tmp_path / "result.txt", tmp_path / "other.txt"
    kept: list[Path] = []
    with aside(target) as left, aside(other) as others:
        left.write_text("of a process that was killed")
        others.write_text("of another file")
        kept += [tmp_path / left.name, tmp_path / others.name]
        synced: list[int] = []
        monkeypatch.setattr(os, "fsync", synced.append)
        with aside(target, durable=True) as part:
            part.write_text("whole")
        assert target.read_text() == "whole"
        assert len(synced) == 1
        assert [path.exists() for path in kept] == [False, True]
        left.write_text("again")


def test_a_name_as_long_as_a_name_can_be_is_no_hindrance(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 255)
    with aside(target) as part:
        part.write_text("whole")
    assert target.read_text() == "whole"


def test_a_text_is_written_as_utf_8_whatever_is_in_it(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "result.txt", "Grüße \udcff\n")
    assert (tmp_path / "new" / "result.txt").read_bytes() == "Grüße \\udcff\n".encode()
    assert names(tmp_path) == ["new/result.txt"]


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    other_end = os.open(pipe, os.O_RDWR)
    write_text(pipe, "whole")
    assert os.read(other_end, 100) == b"whole"
    assert pipe.is_fifo()
    os.close(other_end)


def test_no_module_writes_a_file_under_its_own_name() -> None:
    """What is written to is called a part, as ``aside`` gives it, or written by ``write_text``."""
    found = set()
    for file in Path(tamis.__file__).parent.rglob("*.py"):
        found |= set(re.findall(r"([\w.)]+)\.write_(?:text|bytes)\(", file.read_text(encoding="utf-8")))
    assert found == {"files", "part", "manifest_part"}


def test_pages_are_found_by_their_endings_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.html", "a.HTM", "c/d.xhtml", "c/e.xht", "c/f.txt", "html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = [path.relative_to(tmp_path).as_posix() for path in find_pages(tmp_path)]
    assert found == ["a.HTM", "b.html", "c/d.xhtml", "c/e.xht"]


def test_results_below_the_folder_are_no_pages_unless_they_are_the_folder_itself(tmp_path: Path) -> None:
    for name in ("a.html", "out/b.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [path.name for path in find_pages(tmp_path, tmp_path / "out")] == ["a.html"]
    assert [path.name for path in find_pages(tmp_path, tmp_path)] == ["a.html", "b.html"]


def test_a_dangling_link_is_a_page_and_a_pipe_is_none(tmp_path: Path) -> None:
    (tmp_path / "gone.html").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.html")
    assert [path.name for path in find_pages(tmp_path)] == ["gone.html"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        find_pages(tmp_path / "nowhere")
