"""From what is named on the command line to a page: a file, standard input, or an address on the web."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

import tamis
from tamis.cli.items import STANDARD_INPUT, is_address
from tamis.errors import InputError
from tamis.page.limits import Limits
from tamis.page.model import Page

if TYPE_CHECKING:
    from tamis.fetching.http import Fetcher

AllowPrivate = Annotated[
    bool, Parameter(help="Also fetch from this machine and its network.", negative="", show_default=False)
]
RespectRobots = Annotated[
    bool, Parameter(help="Fetch nothing that a site's robots.txt asks to leave alone.", show_default=False)
]


class Reader:
    """Reads pages, all of them in one way; pages of one host are fetched with a delay in between."""

    def __init__(
        self, *, allow_private: bool, respect_robots: bool, url: str | None = None, encoding: str | None = None
    ) -> None:
        self._allow_private = allow_private
        self._respect_robots = respect_robots
        self._url = url
        self._encoding = encoding

    def read(self, source: str) -> Page:
        """The page that a file, an address or ``-`` stands for."""
        if is_address(source):
            return tamis.parse(self._fetcher.fetch(source).parse(encoding=self._encoding), self._url)
        is_input = source == STANDARD_INPUT
        if is_input and sys.stdin is None:
            raise InputError("cannot read standard input: it is closed; pass a file or an address")
        content = sys.stdin.buffer.read(Limits().max_bytes + 1) if is_input else Path(source)
        return tamis.parse(content, self._url, encoding=self._encoding)

    @functools.cached_property
    def _fetcher(self) -> Fetcher:
        from tamis.fetching.http import Fetcher, Options

        return Fetcher(Options(allow_private=self._allow_private, respect_robots=self._respect_robots))
