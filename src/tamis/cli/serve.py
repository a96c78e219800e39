"""``tamis serve``: the HTTP API, the inspector and the reader view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tamis.cli import streams
from tamis.cli.sources import AllowPrivate

if TYPE_CHECKING:
    from tamis.service.settings import Settings

Token = Annotated[
    bool, Parameter(help="Ask for a token; it is in the address that is printed. --no-token lets everyone in.")
]
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
    token: Token = True,
    allow_host: AllowHost = (),
    workers: Workers = None,
    queue: Annotated[int, Parameter(help="Requests that may wait; one more is answered with 503.")] = 64,
    timeout: Annotated[float, Parameter(help="Seconds for the work on one page.")] = 30.0,
    max_bytes: Annotated[int, Parameter(help="Longest body of a request, in bytes.")] = 32 * 1024 * 1024,
    allow_private: AllowPrivate = False,
) -> None:
    """Answer over HTTP: the API, the inspector, and the reader view.

    The address that is printed holds a token; Ctrl-C ends the service.

    Examples:
      tamis serve
      tamis serve --port 0 --workers 2
      tamis serve --host 0.0.0.0 --allow-host tamis.example.org
    """
    settings = settings_of(
        host=host,
        port=port,
        token=token,
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

    run(create_app, settings, lambda bound: streams.write(f"Tamis is at {address(bound)}\n"))


def settings_of(*, token: bool, workers: int | None, **values: Any) -> Settings:
    """The settings of a service; a missing extra is answered with the install line."""
    from tamis.service.settings import Settings, new_token, usable_cores

    return Settings(
        token=new_token() if token else "", workers=usable_cores() if workers is None else workers, **values
    )
