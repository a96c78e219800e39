"""Writes docs/reference/*.md: functions, results, pages, errors, options and commands, as the code describes them.

python -m bench.reference_pages

All of it is taken from docstrings, from the comments beside fields and options, and from the commands' own flags.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from cyclopts import App, Argument

import tamis
from bench.method_pages import field_comments, options_table
from bench.pages import documented
from bench.scores import ROOT
from tamis import errors, registry, results
from tamis.about.metadata import Metadata
from tamis.about.posts import Post
from tamis.cli.app import COMMANDS, with_all
from tamis.evaluation.measures import Score
from tamis.extractors.sieve.memory import Site
from tamis.outputs import _options as written
from tamis.page.blocks import Block, Blocks
from tamis.page.boxes import Boxes
from tamis.page.limits import Limits
from tamis.page.model import Nodes, Page
from tamis.page.source import Lines, Tokens
from tamis.page.spans import Span
from tamis.rendering import render

FOLDER = ROOT / "docs" / "reference"
RESULTS = (
    *(results.Extraction, results.BlockChoice, results.Segmentation, results.Region, results.Clustering, results.Merge),
    *(results.Template, results.Part, results.Made, Site, Score),
)
PAGES = (Page, Span, Metadata, Post, Limits, Nodes, Blocks, Block, Tokens, Lines, Boxes)
_PLACES = {
    **{kind.__name__: f"results.md#{kind.__name__.lower()}" for kind in RESULTS},
    **{kind.__name__: f"pages.md#{kind.__name__.lower()}" for kind in PAGES},
}
_ABOUT_PAGES = (
    "What `tamis.parse` and `tamis.render` return, and what a page consists of. `Ints`, `Floats`, `Bools` and `Bytes` "
    "are NumPy arrays; [the document model](../model.md) explains how they fit together."
)
_NONE = inspect.Parameter.empty
_WIDTH = 100  # characters of a signature that still stand on one line


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for name, page in pages().items():
        (FOLDER / f"{name}.md").write_text(page, encoding="utf-8")
    return 0


def pages() -> dict[str, str]:
    """Every page of the reference by the name of its file."""
    return {
        "commands": commands_page(),
        "errors": errors_page(),
        "functions": functions_page(),
        "options": options_page(),
        "pages": classes_page("Pages", _ABOUT_PAGES, PAGES),
        "results": classes_page("Results", "What methods return. All of them are immutable.", RESULTS),
    }


def functions_page() -> str:
    """The public functions of the package."""
    names = [name for name in tamis.__all__ if name.islower() and not name.startswith("_")]
    parts = [
        "# Functions",
        "The public functions of the package. The version is `tamis.__version__`.",
        f"```python\n>>> from tamis import {', '.join(names)}\n\n```",
    ]
    for name in names:
        function = getattr(tamis, name)
        parts += [f"## {name}", _code(_signature(name, function)), _prose(function), _places(function)]
    return _joined(parts)


def classes_page(title: str, about: str, kinds: Sequence[type]) -> str:
    """Some classes with their fields, properties and methods."""
    return _joined([f"# {title}", about, *(part for kind in kinds for part in _described(kind))])


def errors_page() -> str:
    """The exceptions, from the general to the special."""
    tree = inspect.getdoc(errors) or ""
    first, drawing, last = tree.split("\n\n")
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TamisError)]
    rows = [
        (f"`{kind.__name__}`", ", ".join(f"`{parent.__name__}`" for parent in kind.__bases__), _summary(kind))
        for kind in kinds
    ]
    table = _table("`tamis.errors`", "is also", "when", rows=rows)
    return _joined(["# Errors", first, f"```text\n{drawing}\n```", last, table])


def options_page() -> str:
    """The options of every method, and of what is around them."""
    parts = [
        "# Options",
        "The options of every method. They are keyword arguments in Python, flags on the command line (`max_share` is "
        "`--max-share`), and fields of the service. The comments say where the defaults come from.",
    ]
    for kind, function in registry.FUNCTIONS.items():
        if kind == "outputs":
            continue
        parts += [f"## {kind.capitalize()}", f"For `{_caller(kind, function)}`."]
        for name in documented(kind):
            parts += [f"### {name}", _linked(kind, name), options_table(registry.load(kind, name).Options)]
    parts += [
        "## Outputs",
        "For `result.render`, `result.to_dict` and `result.to_tei`.",
        options_table(written.Options),
    ]
    parts += ["## Limits", "For `tamis.parse`, as `limits`.", options_table(Limits)]
    parts += ["## Rendering", "For `tamis.render`.", options_table(render.Options)]
    return _joined(parts)


def commands_page() -> str:
    """Every command with its arguments and flags."""
    parts = [
        "# Commands",
        "All commands with their arguments and flags, as `--help` of each command shows them. `extract`, `cluster` and "
        "`segment` also have the options of the method as flags: here those of the default method, for the others see "
        "[options](options.md). Exit codes: 0 success, 1 some items failed, 2 wrong usage, 130 interrupted, 141 the "
        "reader of the pipe closed it.",
    ]
    app = with_all()
    for heading, names in COMMANDS.items():
        if names:
            parts.append(f"## {heading}")
        for name in names:
            commands = [one for one in app[name].subapps if not one.name[0].startswith(("help", "version", "-"))]
            for command in commands or [app[name]]:
                parts += _command(f"tamis {name} {command.name[0]}" if commands else f"tamis {name}", command)
    return _joined(parts)


def _command(name: str, command: App) -> list[str]:
    told, examples = inspect.cleandoc(command.help), str(command.help_epilogue).partition("Examples:\n")[2]
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for argument in command.assemble_argument_collection():
        heading = argument.parameter.group[0].name  # type: ignore[index]
        groups.setdefault(heading, []).append(_flag(argument))
    parts = [f"### {name}", *(_plain(paragraph) for paragraph in told.split("\n\n"))]
    for heading, rows in groups.items():
        first = {"Arguments": "argument", "Parameters": "flag"}.get(heading, heading)
        parts.append(_table(first, "default", "what it does", rows=rows))
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    return [*parts, "\n".join(f"- `{line}`" for line in lines)]


def _flag(argument: Argument) -> tuple[str, str, str]:
    """A row: names, default if it says something, meaning and choices."""
    default = argument.field_info.default
    if argument.required:
        shown = "required"
    elif argument.names == ("--workers",) and (default is None or argument.parameter.show_default is False):
        shown = "one per core"  # whatever that is on the machine the page is written on
    elif default is True:
        shown = "on"
    else:
        shown = "" if any(default is nothing for nothing in (None, False, (), "", _NONE)) else f"`{default}`"
    choices = f" One of {', '.join(f'`{choice}`' for choice in found)}." if (found := argument.get_choices()) else ""
    told = _plain(_documented_alone(argument.parameter.help or "")).replace("|", "&#124;")
    told = told if told.endswith(".") or not choices else f"{told}."
    return ", ".join(f"`{name}`" for name in argument.names), shown, f"{told}{choices}"


def _documented_alone(told: str) -> str:
    """A list of methods without those that the documentation does not describe yet."""
    for kind in registry.kinds():
        for name in {*registry.names(kind)} - {*documented(kind)}:
            told = re.sub(rf"\b{name}, |, {name}\b", "", told)
    return told


def _caller(kind: str, function: str) -> str:
    return f"tamis.{function}" if hasattr(tamis, function) else f"tamis.{kind}.{function}"


def _linked(kind: str, name: str) -> str:
    """What a method does, with a link to the page that tells more."""
    folder = "methods" if kind == "extractors" else kind
    return f"{_plain(registry.summary(kind, name))} [More](../{folder}/{name}.md)"


def _described(kind: type) -> list[str]:
    """A class: what it is, where it lives, and its members."""
    comments = field_comments(kind)
    fields = [(f"`{name}`", _type(annotation), _plain(comments[name])) for name, annotation in _fields(kind)]
    properties, methods = [], []
    for name, member in vars(kind).items():
        function = _function(member)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        row = (_type(function.__annotations__["return"]), _summary(function))
        if isinstance(member, property | cached_property):
            properties.append((f"`{name}`", *row))
        else:
            owner = f"{kind.__name__}." if isinstance(member, classmethod) else ""
            methods.append((f"`{owner}{_call(name, function)}`", *row))
    return [
        f"## {kind.__name__}",
        _prose(kind),
        f"In `{_home(kind)}`.",
        _table("field", "type", "what it is", rows=fields),
        _table("property", "type", "what it is", rows=properties),
        _table("method", "gives", "what it does", rows=methods),
    ]


def _home(kind: type) -> str:
    """The module from which a class is imported: the package, where that offers what its files define."""
    package = kind.__module__.rpartition(".")[0]
    return package if getattr(sys.modules.get(package), kind.__name__, None) is kind else kind.__module__


def _fields(kind: type) -> list[tuple[str, str]]:
    """Names and types of what a value holds, in order; what is only kept for speed is left out."""
    if dataclasses.is_dataclass(kind):
        return [(field.name, str(field.type)) for field in dataclasses.fields(kind) if field.init]
    if issubclass(kind, tuple):
        return [(name, str(_named(annotation))) for name, annotation in kind.__annotations__.items()]
    return []


def _named(annotation: Any) -> Any:
    """The words of an annotation that ``NamedTuple`` has wrapped up."""
    return getattr(annotation, "__forward_arg__", annotation)


def _function(member: Any) -> Any:
    """What stands behind a property or a method of the class."""
    for name in ("fget", "func", "__func__"):
        member = getattr(member, name, member)
    return member


def _signature(name: str, function: Callable[..., Any]) -> str:
    """The call with types, on one line or with a line for each parameter."""
    written = re.sub(r"(: |-> )'([^']*)'", r"\1\2", f"{name}{inspect.signature(function)}")
    if len(written) <= _WIDTH:
        return written
    head, parameters, end = re.fullmatch(r"(\w+\()(.*)(\) -> .*)", written).groups()  # type: ignore[union-attr]
    lines = re.split(r", (?![^\[]*\])", parameters)
    return "\n".join([head, *(f"    {line}," for line in lines), end])


def _call(name: str, function: Callable[..., Any]) -> str:
    """The call without types and defaults."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    given = [str(one.replace(annotation=_NONE, default=_NONE)) for one in parameters]
    return f"{name}({', '.join(given)})"


def _type(annotation: str) -> str:
    """A type in the words of the code, with a link where it is described; a bar would end a cell of a table.

    >>> _type("tuple[Span, ...] | None"), _type("list[str | None]")
    ('[`tuple[Span, ...]` or `None`](pages.md#span)', '<code>list[str &#124; None]</code>')
    """
    known = next((name for name in re.findall(r"\w+", annotation) if name in _PLACES), None)
    parts = re.split(r" \| (?![^\[]*\])", annotation)
    words = " or ".join(f"<code>{part.replace('|', '&#124;')}</code>" if "|" in part else f"`{part}`" for part in parts)
    return words if known is None else f"[{words}]({_PLACES[known]})"


def _places(function: Callable[..., Any]) -> str:
    """Links to the classes that a signature names."""
    names = dict.fromkeys(re.findall(r"\w+", str(inspect.signature(function))))
    links = [f"[`{name}`]({_PLACES[name]})" for name in names if name in _PLACES]
    return f"See {', '.join(links)}." if links else ""


def _summary(member: Any) -> str:
    return _plain((inspect.getdoc(member) or "").partition("\n\n")[0])


def _plain(words: str) -> str:
    """One line of Markdown."""
    return " ".join(words.replace("``", "`").split())


def _prose(member: Any) -> str:
    """A docstring as Markdown; its examples are examples there."""
    prose, prompt, example = (inspect.getdoc(member) or "").partition(">>> ")
    words = "\n\n".join(_plain(paragraph) for paragraph in prose.strip().split("\n\n"))
    return f"{words}\n\n```python\n{prompt}{example}\n\n```" if example else words


def _code(source: str) -> str:
    return f"```py\n{source}\n```"


def _table(*heads: str, rows: Sequence[Sequence[str]]) -> str:
    """A table, or nothing where there are no rows."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) if rows else ""


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(filter(None, parts)) + "\n"


if __name__ == "__main__":
    sys.exit(main())
