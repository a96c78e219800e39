"""``tamis mcp``: a Model Context Protocol server on standard input and output."""

from __future__ import annotations

import sys

from tamis.cli import streams
from tamis.cli.sources import AllowPrivate, Reader, RespectRobots
from tamis.errors import InputError
from tamis.page.model import Page


def mcp(*, allow_private: AllowPrivate = False, respect_robots: RespectRobots = True) -> None:
    """Run a Model Context Protocol (MCP) server, so that language models can read pages.

    The client, such as an editor or an assistant, starts it and talks to it on standard input and output. Its tools are
    read_page, outline and find_on_page. It reads any file that this user may read.

    Examples:
      tamis mcp
      tamis mcp --allow-private
    """
    from tamis.mcp import serve

    if sys.stdin is None:
        raise InputError("standard input is closed: an MCP client has to start this command")
    reader = Reader(allow_private=allow_private, respect_robots=respect_robots)

    def read(source: str) -> Page:
        if source == "-":
            raise InputError("'-' is not a page: pass a URL or the path of an HTML file")
        return reader.read(source)

    serve(iter(sys.stdin.buffer.readline, b""), streams.write, read)
