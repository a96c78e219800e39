"""``tamis proxy``: pages become their main content on their way to the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from tamis import extractors, registry
from tamis.cli import streams
from tamis.cli.flags import offers
from tamis.cli.items import MODES
from tamis.cli.serve import AllowHost, Host, NoToken, PageTimeout, Port, Token, Workers, settings_of
from tamis.cli.sources import AllowPrivate
from tamis.fetching import addresses

if TYPE_CHECKING:
    from tamis.service.settings import Settings


def proxy(
    *,
    mode: Annotated[
        str,
        Parameter(
            help="extract (reader view), or the whole page: mark, hide, delete, replace, restructure.",
            completer=offers("extract", *MODES),
        ),
    ] = "extract",
    hide_by: Annotated[
        Literal["comment", "style"] | None,
        Parameter(help="With --mode hide: in HTML comments, or in elements that are not displayed."),
    ] = None,
    replace_by: Annotated[
        Literal["blank", "filler", "marker"] | None,
        Parameter(help="With --mode replace: a blank or a visible filler per letter, or a marker per block."),
    ] = None,
    method: Annotated[
        str,
        Parameter(
            help="Extraction method; list: tamis methods extractors", completer=offers(*registry.names("extractors"))
        ),
    ] = extractors.DEFAULT,
    template: Annotated[
        str | None,
        Parameter(
            help="Learn the template of a page from pages it links to; list: tamis methods templates. "
            "Pages with too few similar ones are extracted by --method.",
            completer=offers(*registry.names("templates")),
        ),
    ] = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    token: Token = None,
    no_token: NoToken = False,
    allow_host: AllowHost = (),
    workers: Workers = None,
    timeout: PageTimeout = 30.0,
    allow_private: AllowPrivate = False,
) -> None:
    """Run an HTTP proxy that reduces pages to their main content.

    It prints the address of the proxy, and a URL for reading single pages, also https; Ctrl-C ends it.

    Examples:
      tamis proxy
      tamis proxy --mode mark --port 3128
      tamis proxy --method bte --no-token
      tamis proxy --template document_frequency --method accb
    """
    settings = settings_of(
        host=host,
        port=port,
        token=token,
        no_token=no_token,
        allowed_hosts=allow_host,
        workers=workers,
        timeout_seconds=timeout,
        allow_private=allow_private,
    )
    addresses.import_httpx()  # an error if it is missing
    from tamis.service.heads import ProxyHeads
    from tamis.service.proxy import create_proxy
    from tamis.service.server import address, serve
    from tamis.service.treating import Treatment

    asked = {"hide_by": hide_by, "replace_by": replace_by}
    output = {name: value for name, value in asked.items() if value is not None}
    treatment = Treatment(mode=mode, method=method, output=output, template=template)

    def announce(bound: Settings) -> None:
        streams.write(
            f"Tamis is a proxy for http at {bound.host}:{bound.port}\nand reads any page at {address(bound, '/read')}\n"
        )

    serve(lambda bound: create_proxy(bound, treatment), settings, announce, http=ProxyHeads, date_header=False)
