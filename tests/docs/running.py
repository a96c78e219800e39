"""Runs what a page of the documentation shows, in a folder of its own."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple, Self

from tamis.cli import annotate, demo, proxy, serve
from tamis.errors import TamisError
from tamis.rendering.browser import find_browser
from tests.docs import stage, stand_in
from tests.docs.fences import Command, Fence, read_commands
from tests.docs.parsers import parse, without_settings, words_of

_BASH = shutil.which("bash") or "bash"
NOT_RUN = {
    r"(\S*/)?pip install ": "installs from the network",
    r"python3? -m venv ": "makes an environment; that of the tests stands in its place",
    r"\./check\b": "runs these very tests",
    r"git ": "changes a repository",
    r"tamis .*\bs3://": "needs a bucket",
    r"python -m bench\.(\w+ --work|element_classifier|metadata|quality|scale)\b": (
        "measures on all labelled pages, for minutes"
    ),
    r"python -m bench\.(segmentation|service|sieve_report|speed)\b": "measures on all labelled pages, for minutes",
    r"python -m bench\.coverage\b": "runs other tests, for an hour",
    r"(cosmic-ray|cr-report) ": "breaks the code on purpose, in an environment of its own",
    r"python -m pytest ": "runs other tests",
    r"python hatch_build\.py": "compiles; every installation does",
    r"python -m bench\.(memory|mining$|reproduction_packages|teach|twins|site_memory|integrity)\b": (
        "measures on all labelled pages, for minutes"
    ),
    r"python -m bench\.remake --work": "makes all tables, for hours; tests/bench/test_remake.py reads its list",
    r"tamis train --taught ": "learns from all labelled pages, for half an hour",
    r"python -m bench\.fuzz\b": "runs for minutes; tests/bench/test_fuzz.py tries all parts of it",
    r"python -m bench\.(packaging|release)\b": "installs from the network",
    r"from (tamis\.adapters\.langchain|llama_index|haystack)\b": "tests/adapters does it where the package is",
    r"dataset = dataset\.map": "likewise",
    r"python -m pytest tests/adapters": "the tests themselves",
    r"python -m bench\.install_lines": "changes the pages that are read here; tests/docs/test_installing.py tries it",
    r"python -m bench\.screenshots\b": "tests/service/test_*_browser.py open the same pages in a browser",
}
"""Commands that are only read by their parsers, and why."""
_DONE = (0, 141)  # 141: the reader of a pipe has seen enough
_SECONDS = 120  # for a command or the start of a server: far more than any needs
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\S*")
_PORTS = {
    function.__name__: inspect.signature(function).parameters["port"].default
    for function in (annotate.annotate, demo.demo, proxy.proxy, serve.serve)
}


class FailedError(AssertionError):
    """A command of the documentation does not do what it should."""


class Server(NamedTuple):
    """A server that a page has started."""

    process: subprocess.Popen[bytes]
    shown_port: int  # as the documentation has it
    port: int


class Session:
    """A reader who follows a page from top to bottom; what is left running ends with it."""

    def __init__(self, prepared: Path, folder: Path, web_port: int) -> None:
        self.folder = folder / "stage"
        self._servers: dict[int, Server] = {}
        self._environment = _environment(folder, web_port)
        self._log = folder / "server.txt"
        shutil.copytree(prepared, folder, symlinks=True, dirs_exist_ok=True)
        (folder / "home").mkdir()
        # Without it an answer with an error would pass for a success.
        (folder / "home" / ".curlrc").write_text("fail-with-body\nsilent\nshow-error\nmax-time = 60\n")
        stand_in.write_hook(folder / "hook")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for port in tuple(self._servers):
            self._end(port)

    def follow(self, fence: Fence) -> None:
        """Do what a block of code asks for; one that is neither file, command nor program asks for nothing."""
        if fence.title:
            (self.folder / fence.title).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / fence.title).write_text(fence.text, encoding="utf-8")
            if fence.language == "python":
                compile(fence.text, fence.title, "exec")
        elif fence.language == "sh":
            for command in read_commands(fence):
                self.run(command)
        elif fence.language == "python" and not fence.is_doctest and why_not_run(fence.text) is None:
            self._check(Command(fence.line, fence.text), [sys.executable, "-c", fence.text])

    def run(self, command: Command) -> None:
        """Run a command; an error if it fails. What cannot run here is read by its parser."""
        parts = command.text.split(" && ")
        if all(why_not_run(part) is None for part in parts):
            parts = [command.text]
        for part in parts:
            if why_not_run(part) is not None:
                parse(part)
            elif (name := server_of(part)) is not None:
                self._serve(Command(command.line, part), name)
            else:
                if part.startswith("python -m bench."):
                    stage.copy_repository(self.folder)
                bash = [_BASH, "-e", "-o", "pipefail", "-c", self._with_real_ports(part)]
                self._check(Command(command.line, part), bash)

    def _check(self, command: Command, arguments: list[str]) -> None:
        with subprocess.Popen(
            arguments,
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that all of it can be ended
        ) as process:
            try:
                told, _ = process.communicate(timeout=_SECONDS)
            except subprocess.TimeoutExpired as error:
                os.killpg(process.pid, signal.SIGKILL)
                raise FailedError(f"line {command.line}: {command.text}\nnot done after {_SECONDS} s") from error
        if process.returncode not in _DONE:
            end = told[-3000:].decode(errors="replace")
            raise FailedError(f"line {command.line}: {command.text}\nexit code {process.returncode}\n{end}")

    def _with_real_ports(self, command: str) -> str:
        for server in self._servers.values():
            command = re.sub(rf"(127\.0\.0\.1|localhost):{server.shown_port}\b", rf"\1:{server.port}", command)
        return command

    def _serve(self, command: Command, name: str) -> None:
        """Start a server on a port that is free, wait until the address it prints answers, and keep its token."""
        text = command.text.removesuffix("&").strip()
        shown = re.search(r" --port[ =](\d+)", text)
        shown_port = int(shown[1]) if shown else _PORTS[name]
        self._end(shown_port)
        text = f"{re.sub(r' --port[ =][0-9]+', '', text)} --port 0"
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                [_BASH, "-c", f"exec {text}"],
                cwd=self.folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._servers[shown_port] = Server(process, shown_port, 0)
        address = self._address(command, process)
        self._servers[shown_port] = Server(process, shown_port, int(address[1]))
        self._environment["TOKEN"] = address[0].rpartition("token=")[2] if "token=" in address[0] else ""

    def _address(self, command: Command, process: subprocess.Popen[bytes]) -> re.Match[str]:
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end and process.poll() is None:
            told = self._log.read_text(encoding="utf-8", errors="replace")
            if found := _ADDRESS.search(told):
                with contextlib.suppress(ConnectionError):
                    _open(found[0])
                    return found
            time.sleep(0.05)
        told = self._log.read_text(encoding="utf-8", errors="replace")
        raise FailedError(f"line {command.line}: {command.text}\nno address that answers:\n{told[-3000:]}")

    def _end(self, shown_port: int) -> None:
        server = self._servers.pop(shown_port, None)
        if server is None:
            return
        server.process.terminate()
        try:
            server.process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            server.process.kill()
            server.process.wait()


def server_of(command: str) -> str | None:
    """The name of the command if it goes on until it is told to end.

    >>> server_of("tamis proxy --port 8080 &"), server_of("tamis annotate pages/ --export out/")
    ('proxy', None)
    """
    words = words_of(without_settings(command))
    if words[0].rpartition("/")[2] != "tamis" or words[1:2] == [] or words[1] not in _PORTS:
        return None
    return None if {"--export", "--help"} & set(words) else words[1]


def why_not_run(command: str) -> str | None:
    """Why a command cannot run here; None if it can."""
    command = without_settings(command)
    for pattern, reason in NOT_RUN.items():
        if re.match(pattern, command):
            return reason
    if "trafilatura" in command and importlib.util.find_spec("trafilatura") is None:
        return "the peers are not installed"
    if command.startswith("curl ") and shutil.which("curl") is None:
        return "there is no curl"
    if re.search(r"(tamis[ .](render|segment)|bench\.\w+_figure)\b(?!.*--no-render)", command) and not _has_browser():
        return "there is no browser"
    return None


def _open(address: str) -> None:
    """Open an address as a browser does: its cookies are kept, and its redirects followed."""
    cookies = urllib.request.HTTPCookieProcessor()
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)
        opener.addheaders = [("Accept", "text/html")]
        opener.open(address, timeout=_SECONDS).close()
    except urllib.error.HTTPError as error:
        raise FailedError(f"{address} is answered with {error.code}") from error
    except urllib.error.URLError as error:
        raise ConnectionError(str(error)) from error


def _has_browser() -> bool:
    try:
        find_browser()
    except TamisError:
        return False
    return True


def _environment(folder: Path, web_port: int) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("TAMIS_BROWSER", "TMPDIR") if name in os.environ}
    return kept | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "LANG": "C.UTF-8",
        "BROWSER": "true",  # a program that opens nothing
        "PYTHONPATH": str(folder / "hook"),
        "TAMIS_DATA": str(folder / "data"),
        stand_in.VARIABLE: str(web_port),
    }
