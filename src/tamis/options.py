"""What a method's ``Options`` say about themselves: names, types, defaults, and the comments beside them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import textwrap
import tokenize
import typing
from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option of a method."""

    name: str
    annotation: Any
    default: Any
    comment: str

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def type_name(self) -> str:
        return inspect.formatannotation(self.annotation)


def options_of(method: Any) -> tuple[Option, ...]:
    """The options of a method, in the order in which they are written; some formats of output have none."""
    options = getattr(method, "Options", None)
    return () if options is None else described(options)


def described(options: Any) -> tuple[Option, ...]:
    """The fields of a dataclass whose fields all have defaults, in the order in which they are written."""
    annotations, comments, defaults = typing.get_type_hints(options), _comments(options), options()
    return tuple(
        Option(field.name, annotations[field.name], getattr(defaults, field.name), comments.get(field.name, ""))
        for field in dataclasses.fields(options)
    )


def _comments(options: type) -> dict[str, str]:
    """The comment on the line of each field, or else the lines of comment right above it."""
    try:
        source = textwrap.dedent(inspect.getsource(options))
    except OSError:  # made without a source file
        return {}
    lines = source.splitlines()
    notes = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    alone = {number for number in notes if lines[number - 1].lstrip().startswith("#")}
    comments = {}
    for field in ast.walk(ast.parse(source)):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            beside = [line for line in range(field.lineno, (field.end_lineno or field.lineno) + 1) if line in notes]
            first = field.lineno
            while first - 1 in alone:
                first -= 1
            comments[field.target.id] = " ".join(notes[line] for line in beside or range(first, field.lineno))
    return comments
