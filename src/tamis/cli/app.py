"""The commands, put together for the arguments at hand."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from cyclopts import App, CycloptsError, UnknownOptionError

from tamis import clusterers, extractors, segmenters
from tamis._version import VERSION
from tamis.cli import (
    annotate,
    cluster,
    compare,
    dataset,
    evaluate,
    extract,
    methods,
    proxy,
    render,
    segment,
    serve,
    site,
    train,
)
from tamis.cli.flags import named_method, unknown_flag
from tamis.cli.run import run as run_many
from tamis.errors import OptionError

EXAMPLES = """Examples:
  tamis extract page.html --format markdown
  tamis extract https://example.org/ --format markdown
  tamis extract pages/ --out texts/ --resume
  tamis methods extractors bte"""


def run(arguments: list[str]) -> int:
    """Parse the arguments and run the command they name."""
    asks_cluster = arguments[:1] == ["cluster"]
    method = named_method(arguments, extractors.DEFAULT) if arguments[:1] == ["extract"] else extractors.DEFAULT
    extract_command = extract.command(method)
    asks_help = not {"--help", "-h"}.isdisjoint(arguments)
    app = App(
        name="tamis",
        help="Finds the main content of web pages and explains its choice.",
        help_epilogue=EXAMPLES,
        help_format="plaintext",
        version=VERSION,
    )
    app.command(
        extract_command,
        name="extract",
        help=extract.extract.__doc__,
        help_epilogue=extract.list_methods() if asks_help else "",
    )
    app.command(annotate.annotate, name="annotate")
    app.command(methods.methods, name="methods")
    clusterer = named_method(arguments, clusterers.DEFAULT) if asks_cluster else clusterers.DEFAULT
    app.command(cluster.command(clusterer), name="cluster", help=cluster.cluster.__doc__)
    app.command(compare.compare, name="compare")
    app.command(evaluate.evaluate, name="evaluate")
    app.command(run_many, name="run")
    segmenter = named_method(arguments, segmenters.DEFAULT) if arguments[:1] == ["segment"] else segment.ALL
    segment_command = segment.command(segmenter)
    app.command(segment_command, name="segment", help=segment.segment.__doc__)
    app.command(proxy.proxy, name="proxy")
    app.command(serve.serve, name="serve")
    app.command(render.render, name="render")
    app.command(site.site, name="site")
    app.command(train.train, name="train")
    datasets = App(name="dataset", help="Look at a dataset, convert it, or take a sample of it.")
    for command in (dataset.info, dataset.convert, dataset.sample):
        datasets.command(command)
    app.command(datasets)
    try:
        command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
    except UnknownOptionError as error:
        flags = [name for argument in error.argument_collection for name in argument.names]
        raise OptionError(_answer(error.token.keyword or error.token.value, flags)) from error
    except CycloptsError as error:
        name = " ".join(["tamis", *(error.command_chain or ())])
        raise OptionError(f"{error} See: {name} --help") from error
    if command is extract_command and (flag := unknown_flag(bound.args, arguments)):
        own = extract.own_flags(method)
        about_method = f"method {method} has {', '.join(own) or 'no flags of its own'}"
        raise OptionError(f"{_answer(flag, [*extract.general_flags(), *own])} ({about_method})")
    if command is segment_command and (flag := unknown_flag(bound.args, arguments)):
        raise OptionError(_answer(flag, segment.flags(segmenter)))
    return command(*bound.args, **bound.kwargs) or 0


def _answer(given: str, flags: Sequence[str]) -> str:
    flag = given.partition("=")[0]
    near = difflib.get_close_matches(flag, flags, n=1, cutoff=0.7)  # below it, two dashes make all flags alike
    hint = f"did you mean {near[0]}?" if near else f"the flags are {', '.join([*flags, '--help'])}"
    return f"unknown flag {flag!r}: {hint}"
