"""``tamis methods``: what exists, one line each, or all about one method."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from tamis import registry
from tamis.cli import streams
from tamis.errors import UnknownNameError
from tamis.options import options_of

_KIND = Parameter(
    help=f"One of: {', '.join(registry.kinds())}. Default: all. Or the name of a method, to describe it.",
    completer=lambda _: registry.kinds(),
)
_NAME = Parameter(
    help="Describe the method of this name and its options.",
    completer=lambda context: registry.names(context["kind"].raw or ""),
)


def methods(
    kind: Annotated[str | None, _KIND] = None,
    name: Annotated[str | None, _NAME] = None,
    /,
) -> None:
    """List all methods, or describe one of them.

    Examples:
      tamis methods
      tamis methods segmenters
      tamis methods extractors bte
      tamis methods bte
    """
    if kind is not None and name is None and kind not in registry.kinds():
        names = {name: kind for kind in registry.kinds() for name in registry.names(kind)}
        if kind not in names:
            raise UnknownNameError("method or kind of method", kind, (*registry.kinds(), *names))
        streams.write(_details(names[kind], kind))
    elif kind is not None and kind not in registry.kinds():
        raise UnknownNameError("kind of method", kind, registry.kinds())
    elif kind is not None and name is not None:
        streams.write(_details(kind, name))
    elif sys.stdout.isatty():
        _print_tables([kind] if kind else registry.kinds())
    elif kind is not None:
        streams.write(_lines(kind))
    else:
        streams.write("\n".join(f"{each}\n{_lines(each)}" for each in registry.kinds()))


def _lines(kind: str) -> str:
    return "".join(f"{name}\t{registry.summary(kind, name)}\n" for name in registry.names(kind))


def _print_tables(kinds: Sequence[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    for kind in kinds:
        table = Table(kind, "", box=None, pad_edge=False)
        for name in registry.names(kind):
            table.add_row(Text(name), Text(registry.summary(kind, name)))
        streams.screen().print(table)


def _details(kind: str, name: str) -> str:
    method = registry.load(kind, name)
    options = options_of(method)
    lines = [(method.__doc__ or "").strip(), "", "Options:" if options else "Options: none"]
    for option in options:
        comment = f"  # {option.comment}" if option.comment else ""
        lines.append(f"  {option.flag}: {option.type_name} = {option.default!r}{comment}")
    return "\n".join(lines) + "\n"
