from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tamis._version import VERSION
from tamis.cli import main

PAGE = "<nav><a href='/'>Home</a></nav><p>A sentence that says something.</p>"


def run(*arguments: str, page: str = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *arguments], input=page.encode(), capture_output=True)


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == VERSION


def test_help_names_the_commands_and_gives_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "extract Extract the main content of pages." in " ".join(out.split())
    assert "methods List all methods" in " ".join(out.split())
    assert "tamis extract page.html" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["extrct"], "extract"),
        (["methods", "--knd"], "--help"),
        (["methods", "extractors", "bte", "more"], "more"),
        (["extract", "--url"], "--url"),
    ],
)
def test_what_cannot_be_parsed_is_answered_in_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tamis: ")
    assert err.count("\n") == 1
    assert arguments[-1] in err
    assert told in err


def test_module_reads_a_page_from_a_pipe() -> None:
    done = run("-m", "tamis", "extract", "--method", "keep_all", page=PAGE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "Home\n\nA sentence that says something.\n"


@pytest.mark.parametrize("package", ["cyclopts", "rich"])
def test_missing_extra_is_answered_with_the_line_that_installs_it(package: str) -> None:
    code = f"import sys; sys.modules['{package}'] = None; from tamis.cli import main; sys.exit(main(['--help']))"
    done = run("-c", code)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"tamis: the command line needs the extra 'cli': pip install 'tamis[cli]'\n"


def test_importing_tamis_imports_nothing_of_the_command_line() -> None:
    code = "import sys, tamis; tamis.methods(); print({'cyclopts', 'rich', 'tamis.cli'} & set(sys.modules))"
    assert run("-c", code).stdout.strip() == b"set()"


def test_reader_that_stops_reading_ends_the_command_quietly(tmp_path: Path) -> None:
    pages = [tmp_path / f"{number}.html" for number in range(20)]
    for page in pages:
        page.write_text("<p>Word.</p>" * 20_000)
    command = [sys.executable, "-m", "tamis", "extract", "--method", "keep_all", *map(str, pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    command = [sys.executable, "-m", "tamis", "extract", "--method", "keep_all", str(tmp_path / "page.html")]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == b"tamis: cannot write to standard output: No space left on device\n"
