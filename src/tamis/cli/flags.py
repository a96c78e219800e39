"""Flags that depend on the method: its options become flags of the command that runs it."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tamis.cli.items import STANDARD_INPUT
from tamis.options import Option

if TYPE_CHECKING:
    Input = str
else:
    Input = str | Path  # always a str; but shells complete files only where a path is accepted


def with_flags(command: Callable[..., int], groups: Mapping[str, Iterable[Option]]) -> Callable[..., int]:
    """A command with flags for these options, by the heading in its help, in the place of its ``**options``."""
    *general, _ = inspect.signature(command, eval_str=True).parameters.values()
    own = [
        inspect.Parameter(
            option.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=Annotated[
                option.annotation,
                Parameter(
                    help=option.comment,
                    group=group,
                    negative_iterable="",
                    negative_bool=_negative(option),
                    show_default=option.default not in (None, "", ()) and not option.name.startswith("no_"),
                ),
            ],
        )
        for group, options in groups.items()
        for option in options
    ]
    flagged = functools.partial(command)
    flagged.__signature__ = inspect.Signature([*general, *own])  # type: ignore[attr-defined]
    return flagged


def _negative(option: Option) -> str | None:
    """What stands before the name of a switch to turn it off; nothing where the name says that already."""
    return "" if option.name.startswith("no_") else None


def flags_of(command: Callable[..., int]) -> list[str]:
    """The long flags of a command as they are typed, those that switch something off at the end.

    >>> def read(*, allow_private: bool = False, respect_robots: bool = True) -> int: ...
    >>> flags_of(read)
    ['--allow-private', '--respect-robots', '--no-respect-robots']
    """
    parameters = inspect.signature(command).parameters.values()
    named = {
        parameter.name.replace("_", "-"): parameter.default is True
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    return [*(f"--{name}" for name in named), *(f"--no-{name}" for name, is_on in named.items() if is_on)]


def offers(*names: str) -> Callable[[object], tuple[str, ...]]:
    """What a shell completes: these names."""
    return lambda _: names


def named_method(arguments: list[str], usual: str) -> str:
    """The method that the arguments ask for: it must be known before they can be parsed.

    >>> named_method(["page.html", "--method", "bte"], "sieve"), named_method(["--method=bte"], "sieve")
    ('bte', 'bte')
    """
    options = list(itertools.takewhile(lambda argument: argument != "--", arguments))
    for argument, following in itertools.zip_longest(options, options[1:], fillvalue=usual):
        name, equals, value = argument.partition("=")
        if name == "--method":
            return value if equals else following
    return usual


def unknown_flag(inputs: Sequence[str], arguments: Sequence[str]) -> str | None:
    """The first of the inputs that was meant as a flag; what follows two dashes was not.

    >>> unknown_flag(["-", "--formt", "-x"], ["extract", "-", "--formt", "--", "-x"])
    '--formt'
    """
    after_dashes = len(arguments) - arguments.index("--") - 1 if "--" in arguments else 0
    meant = (given for given in inputs[: len(inputs) - after_dashes] if given.startswith("-"))
    return next((given for given in meant if given != STANDARD_INPUT), None)
