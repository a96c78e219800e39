"""What a command of ours asks for, read by its own parser and not run."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import re
import shlex
import sys
import tomllib
from unittest import mock

from cyclopts import MissingArgumentError

from tamis.cli import app
from tamis.errors import TamisError
from tests.docs.stage import ROOT

_ENDS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>"})


class RefusedError(AssertionError):
    """A parser does not accept a command."""


class _Parsed(Exception):  # noqa: N818 - it is the way out, not an error
    """The parser is done; what follows is the work itself."""


def words_of(command: str) -> list[str]:
    """The words of a command up to a pipe or a redirection.

    >>> words_of("tamis extract 'my page.html' --url=x > out.txt")
    ['tamis', 'extract', 'my page.html', '--url=x']
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words = list(lexer)
    return words[: next((place for place, word in enumerate(words) if word in _ENDS), len(words))]


def without_settings(command: str) -> str:
    """The command without the variables that are set for it.

    >>> without_settings("TAMIS_DATA=data LANG=C tamis doctor")
    'tamis doctor'
    """
    return re.sub(r"^([A-Z_]+=\S* +)+", "", command)


def parse(command: str, *, complete: bool = True) -> None:
    """Accept a command of ours, or raise ``RefusedError``; one that is only mentioned may lack arguments.

    Commands of others are accepted as they are.
    """
    words = words_of(without_settings(command))
    if words[0].rpartition("/")[2] == "tamis":
        parse_tamis(words[1:], complete=complete)
    elif words[0].rpartition("/")[2] in ("python", "python3") and words[1:2] == ["-m"] and words[2:]:
        parse_module(words[2], words[3:])
    elif words[0].rpartition("/")[2] == "pip" and words[1:2] == ["install"]:
        _check_extras(words[2:])
    elif words[0] == "./check":
        _check_paths(words[1:])


def parse_tamis(arguments: list[str], *, complete: bool = True) -> None:
    """The arguments of ``tamis``, read by the real parser."""
    try:
        app.parse(arguments)
    except TamisError as error:
        if complete or not isinstance(error.__cause__, MissingArgumentError):
            raise RefusedError(f"tamis {shlex.join(arguments)}: {error}") from error


def parse_module(name: str, arguments: list[str]) -> None:
    """The arguments of ``python -m``, read by ``tamis`` or by a module of bench."""
    if name == "tamis":
        parse_tamis(arguments)
    if name.partition(".")[0] != "bench":
        return
    if importlib.util.find_spec(name) is None:
        raise RefusedError(f"there is no module {name}")
    module = importlib.import_module(name)
    if hasattr(module, "__path__"):  # a folder, of which -m runs this
        module = importlib.import_module(f"{name}.__main__")
    if not hasattr(module, "argparse"):
        if arguments:
            raise RefusedError(f"{name} takes no arguments, but {shlex.join(arguments)} is given")
        return
    told = io.StringIO()
    with (
        mock.patch.object(sys, "argv", [name, *arguments]),
        mock.patch.object(argparse.ArgumentParser, "parse_args", _parse_args),
        contextlib.redirect_stderr(told),
    ):
        try:
            module.main()
        except _Parsed:
            return
        except SystemExit as error:
            raise RefusedError(f"{name} {shlex.join(arguments)}: {told.getvalue().strip()}") from error


def _parse_args(self: argparse.ArgumentParser) -> argparse.Namespace:
    _, unknown = self.parse_known_args()
    if unknown:
        self.error(f"unrecognized arguments: {' '.join(unknown)}")
    raise _Parsed


def _check_extras(arguments: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for word in arguments:
        name, bracket, rest = word.partition("[")
        if bracket and name in (".", "tamis"):
            unknown = set(rest.rstrip("]").split(",")) - set(project["optional-dependencies"])
            if unknown:
                raise RefusedError(f"{word}: there is no extra {', '.join(sorted(unknown))}")


def _check_paths(arguments: list[str]) -> None:
    for word in arguments:
        if not word.startswith("-") and not (ROOT / word.partition("::")[0]).exists():
            raise RefusedError(f"./check: there is no {word}")
