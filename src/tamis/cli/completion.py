"""``tamis completion``: what makes a shell complete commands, flags, files and the names of methods."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from tamis.cli import streams
from tamis.errors import OptionError


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"] | None, Parameter(help="The shell; default: the current one.")
    ] = None,
    /,
    *,
    install: Annotated[
        bool,
        Parameter(
            help="Install the script where the shell looks for it; for bash and zsh load it in ~/.bashrc or ~/.zshrc.",
            negative="",
            show_default=False,
        ),
    ] = False,
) -> None:
    """Print a shell completion script for commands, flags and methods.

    It knows the flags of each command's default method, and looks up the names of methods when you press Tab. Run it
    again after an update of Tamis.

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
        raise OptionError("cannot detect the shell: pass bash, zsh or fish") from error
    if not install:
        streams.write(with_all().generate_completion(shell=chosen))
        return
    try:
        place = with_all().install_completion(shell=chosen)
    except OSError as error:
        raise OptionError(f"cannot write {error.filename!r}: {error.strerror}; print the script instead") from error
    streams.say(f"completion for {chosen} is in {place}; start a new shell to use it")
