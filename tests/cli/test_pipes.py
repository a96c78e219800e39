"""The command as a part of a pipeline: without a terminal, with half its streams closed, interrupted."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

PAGE = "<title>Été</title><nav><a href='/'>Home</a></nav><h1>Été</h1><p>Dans la vallée, l’eau revient après l’été…</p>"
TAMIS = shlex.join([sys.executable, "-m", "tamis"])
ESCAPE = "\x1b["

COMMANDS = {
    "help": "--help",
    "help of a command": "run --help",
    "version": "--version",
    "extract": "extract page.html",
    "compare": "compare page.html --methods bte,lqf",
    "segment": "segment page.html --no-render",
    "cluster": "cluster pages",
    "methods": "methods",
    "dataset": "dataset info pages.jsonl",
    "run": "run pages.jsonl --out texts --dry-run",
    "completion": "completion bash",
}
"""What writes to standard output, and ends by itself."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a shell")


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "pages").mkdir()
    for name in ("one", "two"):
        (tmp_path / "pages" / f"{name}.html").write_text(PAGE, encoding="utf-8")
    record = {"id": "1", "url": "https://example.org/", "html": PAGE, "gold": "Été"}
    (tmp_path / "pages.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAMIS_BROWSER", "no-such-browser")
    return tmp_path


def shell(line: str, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("name", COMMANDS)
def test_output_to_a_full_disk_is_told_in_one_line(name: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs a device that is always full")
    code, _, err = shell(f"{TAMIS} {COMMANDS[name]} > /dev/full")
    assert (code, err) == (1, "tamis: cannot write to standard output: No space left on device\n")


@pytest.mark.parametrize("name", ["help", "version", "extract", "methods"])
def test_output_that_is_closed_is_told_in_one_line(name: str) -> None:
    code, _, err = shell(f"{TAMIS} {COMMANDS[name]} >&-")
    assert (code, err) == (1, "tamis: cannot write to standard output: Bad file descriptor\n")


def test_a_command_that_writes_files_needs_no_output(folder: Path) -> None:
    code, _, err = shell(f"{TAMIS} extract page.html --out texts >&-")
    assert (code, err.count("\n")) == (0, 1)
    assert "vallée" in (folder / "texts" / "page.txt").read_text(encoding="utf-8")


def test_a_command_that_nobody_listens_to_still_has_its_exit_code() -> None:
    assert shell(f"{TAMIS} extract page.html 2>&- | grep -c vallée") == (0, "1\n", "")
    assert shell(f"{TAMIS} extract none.html 2>&-") == (2, "", "")
    assert shell(f"{TAMIS} extract none.html 2>/dev/full") == (2, "", "")


def test_input_that_is_closed_is_told_in_one_line() -> None:
    code, out, err = shell(f"{TAMIS} extract - <&-")
    assert (code, out) == (1, "")
    assert err == "tamis: failed: cannot read standard input: it is closed; pass a file or a URL\n"


@pytest.mark.parametrize("name", ["help", "help of a command"])
def test_help_that_is_not_read_to_its_end_ends_quietly(name: str) -> None:
    with subprocess.Popen(
        [*shlex.split(TAMIS), *COMMANDS[name].split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_a_dash_and_nothing_are_standard_input() -> None:
    code, out, _ = shell(f"{TAMIS} extract - < page.html && {TAMIS} extract < page.html")
    assert code == 0
    assert out.count("vallée") == 2


@pytest.mark.parametrize("name", ["help", "extract", "compare", "methods"])
def test_a_console_of_few_characters_is_no_obstacle(name: str) -> None:
    poor = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code, out, err = shell(f"{TAMIS} {COMMANDS[name]}", **poor)
    assert (code, err) == (0, "")
    # Results are UTF-8 whatever the console says; help does without what the console lacks.
    assert ("vallée" in out) if name == "extract" else out.isascii()


def test_a_name_that_the_console_lacks_is_told(folder: Path) -> None:
    (folder / "été.html").write_text(PAGE, encoding="utf-8")
    poor = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code, out, err = shell(f"{TAMIS} extract été.html été-2.html", **poor)
    assert (code, out) == (2, "")
    assert err.startswith("tamis: cannot read ")


@pytest.mark.parametrize("name", ["help", "extract", "compare", "methods"])
def test_there_are_no_colours_without_a_terminal(name: str) -> None:
    _, out, err = shell(f"{TAMIS} {COMMANDS[name]}", TERM="xterm-256color")
    assert ESCAPE not in out + err


def on_terminal(arguments: str, **environment: str) -> str:
    """What a terminal is sent."""
    ours, its = pty.openpty()
    with subprocess.Popen(
        [*shlex.split(TAMIS), *arguments.split()],
        stdin=its,
        stdout=its,
        stderr=its,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(its)
        sent = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            sent += piece
    os.close(ours)
    assert process.returncode == 0
    return sent.decode()


def test_colours_on_a_terminal_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    colour = re.compile(r"\x1b\[[\d;]*3\dm")
    assert colour.search(on_terminal("doctor --help") + on_terminal("--help"))
    assert not colour.search(on_terminal("--help", NO_COLOR="1"))


def test_progress_is_for_terminals() -> None:
    _, _, err = shell(f"{TAMIS} extract pages --out texts")
    assert err == "tamis: 2 pages: 2 ok, 0 empty, 0 truncated, 0 failed\n"


def test_a_terminal_without_inputs_is_not_waited_for() -> None:
    ours, its = pty.openpty()
    done = subprocess.run([*shlex.split(TAMIS), "extract"], stdin=its, capture_output=True, timeout=60)
    os.close(ours)
    os.close(its)
    assert (done.returncode, done.stderr.startswith(b"tamis: nothing to read")) == (2, True)


def waits_for_input(process: subprocess.Popen[bytes]) -> bool:
    """Whether everything that was sent is read, and the process sleeps until there is more."""
    assert process.stdin is not None
    unread = fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))
    state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
    return not any(unread) and state == "S"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs to see what a process waits for")
@pytest.mark.parametrize("command", ["extract -", "segment - --no-render"])
def test_an_interrupt_is_told_in_one_line(command: str) -> None:
    with subprocess.Popen(
        [*shlex.split(TAMIS), *command.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # More than a pipe holds: when this is through, the command is reading its input.
        process.stdin.write(b"<p>Text.</p>" * 20_000)
        process.stdin.flush()
        while not waits_for_input(process):  # an interrupt between two reads is seen only after the second
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read().decode()
    assert process.returncode == 130
    assert err == "tamis: interrupted after 0 of 1 page: with --out, --resume can go on where a run ended\n"


def test_a_file_that_cannot_be_written_is_not_taken_for_the_output() -> None:
    resource = pytest.importorskip("resource")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
        "from tamis.cli import main; sys.exit(main(['cluster', 'pages', '--out', 'groups']))"
    )
    assert resource
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "tamis: cannot read or write 'groups/groups.json': File too large\n"
