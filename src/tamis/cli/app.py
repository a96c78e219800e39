"""The commands: which there are, and the one at hand, put together for its arguments.

Only the module of the command that is asked for is imported; the list of all is read from their files.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cyclopts import App, CycloptsError, Group, UnknownOptionError, UnusedCliTokensError

from tamis._version import VERSION
from tamis.cli import streams
from tamis.cli.flags import flags_of, named_method, unknown_flag
from tamis.errors import OptionError, UnknownNameError

COMMANDS = {
    "Pages": ("extract", "compare", "render", "segment"),
    "Many pages": ("site", "cluster", "run"),
    "In the browser": ("demo", "serve", "proxy", "annotate"),
    "In other programs": ("mcp",),
    "Methods and models": ("methods", "dataset", "evaluate", "train"),
    "This installation": ("doctor", "completion"),
}
"""Headings of the help, and below each its commands: ``tamis NAME`` is the function NAME of ``tamis.cli.NAME``."""

EXAMPLES = """Examples:
  tamis extract page.html --format markdown
  tamis extract https://example.org/ --format markdown
  tamis extract pages/ --out texts/ --resume
  tamis methods extractors bte"""

_HEADINGS = {heading: Group(heading, sort_key=place) for place, heading in enumerate([*COMMANDS, "Flags"])}
_FLAGS = ("--version", "--help", "-h")
_COMPLETE = "__complete"  # what the scripts that cyclopts writes call, with the words typed so far
_ELSEWHERE = {
    "help": "use tamis --help, or tamis COMMAND --help for one command",
    "version": "use tamis --version",
    "fetch": "tamis extract, compare, render and segment take URLs",
}
"""What other programs have as commands, and what stands for it here."""
_KINDS = {"extract": "extractors", "cluster": "clusterers", "segment": "segmenters"}
"""Commands whose flags depend on a method, and the kind of it."""


def run(arguments: list[str]) -> int:
    """Parse the arguments and run the command they name."""
    command, bound = parse(arguments)
    return command(*bound.args, **bound.kwargs) or 0


def parse(arguments: list[str]) -> tuple[Callable[..., int | None], inspect.BoundArguments]:
    """The function that the arguments ask for and its arguments; what does not fit is answered with what would."""
    completes = arguments[:1] == [_COMPLETE]
    name = next(iter(arguments[completes:]), "")
    if name in names():
        app = _empty()
        # What is being completed may be the name of the method.
        own = _add(app, name, [] if completes else arguments)
    elif completes or name in ("", *_FLAGS):
        app, own = _with_list(), None
    elif name.startswith("-"):
        raise OptionError(_answer(name, _FLAGS))
    elif name in _ELSEWHERE:
        raise OptionError(f"there is no command {name!r}: {_ELSEWHERE[name]}")
    else:
        raise UnknownNameError("command", name, names())
    if own is None or _asks_help(arguments):
        app.console = streams.screen()
    try:
        command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
    except UnknownOptionError as error:
        known = [name for argument in error.argument_collection for name in argument.names]
        flags = [name for name in known if name.startswith("-")]
        raise OptionError(_answer(error.token.keyword or error.token.value, flags)) from error
    except CycloptsError as error:
        called = " ".join(["tamis", *(error.command_chain or ())])
        if isinstance(error, UnusedCliTokensError):
            left = ", ".join(map(repr, error.unused_tokens or ()))
            raise OptionError(f"unexpected argument {left}. See: {called} --help") from error
        raise OptionError(f"{error} See: {called} --help") from error
    if command is own and (flag := unknown_flag(list(map(str, bound.args)), arguments)):
        if name in _KINDS:
            raise OptionError(_answer_for_method(name, flag, _method(name, arguments)))
        raise OptionError(_answer(flag, flags_of(own)))
    return command, bound


def names() -> tuple[str, ...]:
    """All commands, in the order of the help."""
    return tuple(name for group in COMMANDS.values() for name in group)


def with_all() -> App:
    """The app with every command and its flags; those of methods are those of the usual ones."""
    app = _empty()
    for name in names():
        _add(app, name, [])
    return app


def _with_list() -> App:
    """An app that names every command, without importing what they need."""
    app = _empty()
    for name in names():
        summary = _summary(name)
        if summary is None:
            _add(app, name, [])
        else:
            app.command(f"tamis.cli.{name}:{name}", name=name, help=summary, **_place(name))
    return app


def _empty() -> App:
    app = App(
        name="tamis",
        help="Extract the main content of web pages, with a reason for every block kept or dropped.",
        help_epilogue=f"{EXAMPLES}\n\nHelp and examples of a command: tamis COMMAND --help",
        help_format="plaintext",
        version=VERSION,
    )
    for flag, meaning in {"--help": "Show this help.", "--version": "Show the version and what is installed."}.items():
        app[flag].help = meaning
        app[flag].group = (_HEADINGS["Flags"],)
    return app


def _add(app: App, name: str, arguments: list[str]) -> Callable[..., int] | App:
    """Import a command and make it one of the app's."""
    module = importlib.import_module(f"tamis.cli.{name}")
    command: Callable[..., int] | App = getattr(module, name)
    if isinstance(command, App):
        command.group, command.sort_key = (_place(name)["group"],), _place(name)["sort_key"]
        parts = [command[name] for name in command if not name.startswith("-")]
        for part in parts:
            part.help, part.help_epilogue = _told(part.default_command), _examples(part.default_command)
        command.help_epilogue = "\n".join(
            ["Examples:", *(str(part.help_epilogue).partition("\n")[2] for part in parts)]
        )
        return app.command(command)
    told, epilogue = _told(command), _examples(command)
    if name in _KINDS:
        command = module.command(_method(name, arguments))
    if name == "extract" and _asks_help(arguments):  # to list the methods, all are imported
        epilogue = f"{module.list_methods()}\n\n{epilogue}"
    return app.command(command, name=name, help=told, help_epilogue=epilogue, **_place(name))


def _asks_help(arguments: Sequence[str]) -> bool:
    return not {"--help", "-h"}.isdisjoint(arguments)


def _place(name: str) -> dict[str, Any]:
    """Where a command stands in the help."""
    heading = next(heading for heading, members in COMMANDS.items() if name in members)
    return {"group": _HEADINGS[heading], "sort_key": COMMANDS[heading].index(name)}


def _method(command: str, arguments: list[str]) -> str:
    """The method whose options are flags of the command."""
    folder = importlib.import_module(f"tamis.{_KINDS[command]}")
    return named_method(arguments, folder.DEFAULT)


def _told(command: Any) -> str:
    """A docstring up to its examples, a line for each paragraph: where lines end depends on the screen."""
    told = inspect.cleandoc(command.__doc__).partition("Examples:\n")[0]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in told.strip().split("\n\n"))


def _examples(command: Any) -> str:
    """The end of a docstring; the rest of it is the help above the flags."""
    _, heading, lines = inspect.cleandoc(command.__doc__).partition("Examples:\n")
    return heading + lines


def _summary(name: str) -> str | None:
    """The first line of a command's docstring, without importing what the command needs."""
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_bytes())
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return next(((ast.get_docstring(function) or "").partition("\n")[0] for function in functions), None)


def _answer_for_method(command: str, flag: str, method: str) -> str:
    module = importlib.import_module(f"tamis.cli.{command}")
    if command == "segment":
        return _answer(flag, module.flags(method))
    own = module.own_flags(method)
    about_method = f"method {method} has {', '.join(own) or 'no flags of its own'}"
    return f"{_answer(flag, module.flags(method))} ({about_method})"


def _answer(given: str, flags: Sequence[str]) -> str:
    flag = given.partition("=")[0]
    near = difflib.get_close_matches(flag, flags, n=1, cutoff=0.7)  # below it, two dashes make all flags alike
    hint = f"did you mean {near[0]}?" if near else f"the flags are {', '.join(dict.fromkeys([*flags, '--help']))}"
    return f"unknown flag {flag!r}: {hint}"
