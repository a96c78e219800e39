from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cyclopts.completion import ShellDetectionError

from tamis import registry
from tamis.cli import main
from tamis.cli.app import names

CASES = {
    "tamis ": set(names()),
    "tamis ex": {"extract"},
    "tamis extract --f": {"--filler", "--format", "--formulas", "--front-matter"},
    "tamis extract --method b": {"bte"},
    "tamis segment --method ": {*registry.names("segmenters"), "all"},
    "tamis extract --format ": {"chunks", "html", "json", "markdown", "md", "tei", "text", "txt"},
    "tamis methods cl": {"clusterers"},
    "tamis methods outputs t": {"tei", "text"},
    "tamis dataset ": {"articles", "convert", "gold", "info", "link", "sample", "suggest", "volume"},
    "tamis train --model ": {"elements", "mesh", "sieve"},
    "tamis extract pa": {"page.html", "pages"},
}
"""What is typed, and what a shell offers next."""

BASH = """
source ./tamis.bash
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE}
    read -r -a COMP_WORDS <<< "$COMP_LINE"
    [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _tamis </dev/null
    echo "${COMPREPLY[*]}"
done
"""

FISH = """
source ./tamis.fish
while read --local typed
    echo (complete --do-complete $typed </dev/null | string split --fields 1 \\t | string trim --right --chars /)
end
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "page.html").touch()
    (tmp_path / "pages").mkdir()
    return tmp_path


def script_for(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def offered(command: list[str], folder: Path) -> list[set[str]]:
    """What a shell answers to all that is typed, one line each."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        input="".join(f"{typed}\n" for typed in CASES),
        cwd=folder,
        env={**os.environ, "PATH": path, "HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [set(line.split()) for line in done.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tamis.bash").write_text(script_for("bash", capsys))
    (folder / "try.bash").write_text(BASH)
    assert offered(["bash", "--norc", "try.bash"], folder) == list(CASES.values())


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tamis.fish").write_text(script_for("fish", capsys))
    (folder / "try.fish").write_text(FISH)
    found = offered(["fish", "--no-config", "try.fish"], folder)
    files = {"page.html", "pages", "tamis.fish", "try.fish", "home"}  # which fish offers besides
    assert [offers - files or offers & {"page.html", "pages"} for offers in found] == list(CASES.values())


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_accepts_its_script(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "_tamis").write_text(script_for("zsh", capsys))
    done = subprocess.run([str(shutil.which("zsh")), "--no-exec", "_tamis"], cwd=folder, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_script_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = script_for(shell, capsys)
        assert all(name in script for name in names())


def test_installing_twice_is_installing_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".bashrc").write_text("alias t=tamis")
    for _ in range(2):
        assert main(["completion", "bash", "--install"]) == 0
    place = tmp_path / ".local" / "share" / "bash-completion" / "completions" / "tamis"
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 2)
    assert str(place) in err
    assert place.read_text() == script_for("bash", capsys)
    lines = (tmp_path / ".bashrc").read_text().splitlines()
    assert lines[0] == "alias t=tamis"
    assert sum(str(place) in line for line in lines) == 1


def test_a_place_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert main(["completion", "bash", "--install"]) == 2
    err = capsys.readouterr().err
    assert "cannot write" in err
    assert err.count("\n") == 1


def test_a_shell_that_is_not_recognised_must_be_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def detect_shell() -> str:
        raise ShellDetectionError

    monkeypatch.setattr("cyclopts.completion.detect_shell", detect_shell)
    assert main(["completion"]) == 2
    assert "pass bash, zsh or fish" in capsys.readouterr().err
