"""The command line: one file per command, each a thin shell around a function of the library.

Exit codes: 0 done, 1 some items failed, 2 wrong usage, 130 interrupted, 141 nobody reads the output any more.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from tamis.cli import streams
from tamis.errors import MissingExtraError, TamisError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and answer with its exit code; what goes wrong is said in one line."""
    streams.reopen_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # help must not fail on a console that lacks a character
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        streams.flush()
    except TamisError as error:
        streams.say(str(error))
        return 2
    except KeyboardInterrupt:
        streams.say("interrupted")
        return 130
    except BrokenPipeError:
        streams.silence_output()
        return 141
    except streams.OutputError as error:
        streams.silence_output()
        streams.say(f"cannot write to standard output: {error.strerror}")
        return 1
    except OSError as error:
        named = f" {str(error.filename)!r}" if error.filename else ""
        streams.say(f"cannot read or write{named}: {error.strerror or error}")
        return 1
    return code


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["--version"]:  # before anything is imported that may be missing or broken
        from tamis.cli import versions

        return versions.show()
    try:
        from tamis.cli.app import run

        return run(arguments)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("cyclopts", "rich"):
            raise
        raise MissingExtraError("cli", "the command line") from error
