"""``tamis serve``: the HTTP API, the inspector and the reader view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tamis.cli import streams
from tamis.cli.sources import AllowPrivate
from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.service.settings import Settings

TOKEN_VARIABLE = "TAMIS_TOKEN"  # noqa: S105 - a name
Token = Annotated[
    str | None,
    Parameter(
        help="What those must know who ask; a new one at every start unless it is given.", env_var=TOKEN_VARIABLE
    ),
]
NoToken = Annotated[bool, Parameter(help="Let everyone in who can connect.", negative="")]
AllowHost = Annotated[
    tuple[str, ...],
    Parameter(help="A name under which the service may be asked; can be given again.", negative_iterable=""),
]
Workers = Annotated[int | None, Parameter(help="Processes that work on pages; as many as there are cores.")]


def serve(
    *,
    host: Annotated[str, Parameter(help="Address to listen on; others than this machine's open the service.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, Parameter(help="Port to listen on; 0 takes any free one.")] = 8000,
    token: Token = None,
    no_token: NoToken = False,
    allow_host: AllowHost = (),
    workers: Workers = None,
    queue: Annotated[int, Parameter(help="Requests that may wait; one more is answered with 503.")] = 64,
    timeout: Annotated[float, Parameter(help="Seconds for the work on one page.")] = 30.0,
    max_bytes: Annotated[int, Parameter(help="Longest body of a request, in bytes.")] = 32 * 1024 * 1024,
    allow_private: AllowPrivate = False,
) -> None:
    """Answer over HTTP: the API, the inspector, and the reader view.

    The addresses that are printed hold the token; Ctrl-C ends the service.

    Examples:
      tamis serve
      tamis serve --token my-own-token
      tamis serve --port 0 --workers 2
      tamis serve --host 0.0.0.0 --allow-host tamis.example.org
    """
    settings = settings_of(
        host=host,
        port=port,
        token=token,
        no_token=no_token,
        allowed_hosts=allow_host,
        workers=workers,
        queue=queue,
        timeout_seconds=timeout,
        max_bytes=max_bytes,
        allow_private=allow_private,
    )
    from tamis.service.app import create_app
    from tamis.service.server import address
    from tamis.service.server import serve as run

    def announce(bound: Settings) -> None:
        streams.write(f"Tamis is at {address(bound)}\nand reads any page at {address(bound, '/read')}\n")

    run(create_app, settings, announce)


def settings_of(*, token: str | None = None, no_token: bool = False, workers: int | None, **values: Any) -> Settings:
    """The settings of a service; a missing extra is answered with the install line."""
    from tamis.service.settings import Settings, new_token, usable_cores

    if token == "" and not no_token:  # else a variable that was meant to be set would open the service
        raise OptionError(f"the token is empty: give one with --token or {TOKEN_VARIABLE}, or say --no-token")
    chosen = "" if no_token else token or new_token()
    return Settings(token=chosen, workers=usable_cores() if workers is None else workers, **values)
