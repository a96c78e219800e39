"""``tamis annotate``: people mark the main content of saved pages in their browser."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.serve import NoToken, Port, Token, settings_of


def annotate(
    folder: Annotated[Path, Parameter(help="Folder with saved pages; annotations are saved in it.")],
    /,
    *,
    annotator: Annotated[str | None, Parameter(help="Name of the annotator; default: your login.")] = None,
    export: Annotated[
        Path | None,
        Parameter(help="Export the committed pages to this folder (labelled HTML, CSV, JSON lines), and exit."),
    ] = None,
    port: Port = 8010,
    token: Token = None,
    no_token: NoToken = False,
    width: Annotated[int, Parameter(help="Width in pixels of the window that pages are rendered for.")] = 1366,
) -> None:
    """Label pages in the browser: draw rectangles, choose elements, or select text.

    Every change is saved at once in FOLDER/annotations.jsonl; several people can work on one folder.

    Examples:
      tamis annotate pages/ --annotator ann
      tamis annotate pages/ --annotator ann --export labelled/
    """
    name = annotator or _login()
    settings = settings_of(host="127.0.0.1", port=port, token=token, no_token=no_token, workers=1)
    from tamis.service.annotating import PageSet
    from tamis.service.annotator import create_annotator
    from tamis.service.exporting import export as write
    from tamis.service.server import address, serve

    pages = PageSet(folder, width=width)
    if export is not None:
        written = write(pages, name, export)
        streams.say(f"{counted(written.pages, 'page')} with {counted(written.elements, 'element')} written to {export}")
        if written.lost:
            streams.say(f"{counted(written.lost, 'mark')} not found: the pages have changed since")
        return
    serve(
        lambda bound: create_annotator(bound, pages, name),
        settings,
        lambda bound: streams.write(f"{counted(len(pages.ids), 'page')} to annotate at {address(bound)}\n"),
    )


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
