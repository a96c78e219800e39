"""``tamis demo``: a tour of example pages in the inspector."""

from __future__ import annotations

import os
import threading
import webbrowser
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tamis.cli import streams
from tamis.cli.serve import Port, settings_of

if TYPE_CHECKING:
    from tamis.service.settings import Settings


def demo(
    *,
    browser: Annotated[bool, Parameter(help="Open the tour in a browser; its URL is printed either way.")] = True,
    port: Port = 0,
) -> None:
    """Show Tamis on example pages in the inspector; Ctrl-C ends it.

    The pages come with the package; nothing is fetched.

    Examples:
      tamis demo
      tamis demo --no-browser
    """
    settings = settings_of(host="127.0.0.1", port=port, workers=2)
    from tamis.service.app import create_app
    from tamis.service.demo import PATH, examples
    from tamis.service.server import address, serve

    def announce(bound: Settings) -> None:
        place = address(bound, PATH)
        streams.write(f"The tour is at {place}\n")
        for example in examples():
            streams.write(f"  {example.kind:<16}{example.title}\n")
        if browser and not _open(place):
            streams.say("no browser found: open the URL in one")

    serve(create_app, settings, announce, quiet=True)


def _open(place: str) -> bool:
    """Have a browser open an address; False if there is none that could show it."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    # What Python runs in the foreground are browsers for terminals, which run no scripts; unless somebody asks for it.
    in_terminal = type(found) is webbrowser.GenericBrowser
    if in_terminal and not os.environ.get("BROWSER"):
        return False
    # Some browsers return only when they have been closed, or after seconds, and the service must answer meanwhile.
    threading.Thread(target=found.open, args=(place,), daemon=True).start()
    return True
