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
    Parameter(help="Token that clients must send; default: a new one at every start.", env_var=TOKEN_VARIABLE),
]
NoToken = Annotated[
    bool, Parameter(help="Require no token from anyone who can connect.", negative="", show_default=False)
]
AllowHost = Annotated[
    tuple[str, ...],
    Parameter(
        help="Host name under which clients may reach it; can be repeated.", negative_iterable="", show_default=False
    ),
]
Host = Annotated[str, Parameter(help="IP address to listen on; 0.0.0.0 lets other machines connect.")]
Port = Annotated[int, Parameter(help="Port to listen on; 0 takes any free one.")]
PageTimeout = Annotated[float, Parameter(help="Time limit for one page, in seconds.")]
Workers = Annotated[int | None, Parameter(help="Number of worker processes; default: one per core.")]


def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    token: Token = None,
    no_token: NoToken = False,
    allow_host: AllowHost = (),
    workers: Workers = None,
    queue: Annotated[int, Parameter(help="Requests that may wait for a worker; further ones get 503.")] = 64,
    timeout: PageTimeout = 30.0,
    max_bytes: Annotated[int, Parameter(help="Longest body of a request, in bytes.")] = 32 * 1024 * 1024,
    allow_private: AllowPrivate = False,
) -> None:
    """Run the HTTP service: API, inspector, and reader view.

    Open one of the printed URLs in a browser; they contain the token. Ctrl-C ends the service.

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
        raise OptionError(f"the token is empty: set one with --token or {TOKEN_VARIABLE}, or pass --no-token")
    chosen = "" if no_token else token or new_token()
    return Settings(token=chosen, workers=usable_cores() if workers is None else workers, **values)
