"""``tamis completion``: what makes a shell complete commands, flags, files and the names of methods."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from tamis.cli import streams
from tamis.errors import OptionError


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"] | None, Parameter(help="The shell; the one this runs in if not said.")
    ] = None,
    /,
    *,
    install: Annotated[
        bool,
        Parameter(
            help="Write the script where the shell looks for it, and have ~/.bashrc or ~/.zshrc load it.",
            negative="",
            show_default=False,
        ),
    ] = False,
) -> None:
    """Print a script that makes a shell complete commands, flags and methods.

    Flags of methods are those of the usual method of each command; names of methods are looked up when they are asked
    for. Run it again after an update.

    Examples:
      tamis completion bash > tamis.bash
      tamis completion fish > ~/.config/fish/completions/tamis.fish
      tamis completion --install
    """
    from cyclopts.completion import ShellDetectionError, detect_shell

    from tamis.cli.app import with_all

    try:
        chosen = shell or detect_shell()
    except ShellDetectionError as error:
        raise OptionError("which shell this is cannot be seen from here: pass bash, zsh or fish") from error
    if not install:
        streams.write(with_all().generate_completion(shell=chosen))
        return
    try:
        place = with_all().install_completion(shell=chosen)
    except OSError as error:
        raise OptionError(f"cannot write {error.filename!r}: {error.strerror}; print the script instead") from error
    streams.say(f"completion for {chosen} is in {place}; it works in the next shell that is started")
