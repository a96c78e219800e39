"""Answers the requests of a page: the page itself, files of one folder when that is allowed, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from tamis import urls
from tamis.rendering.browser import browser_error
from tamis.rendering.isolation import policy

if TYPE_CHECKING:
    from playwright.async_api import Route

ORIGIN = "https://page.invalid"
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What browsers do not find out by looking at the file."""
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\Z")


def served_address(url: str | None, file: Path | None, assets: Path | None) -> str:
    """Where the browser believes the page to be: where its links to the allowed files are right."""
    if file is not None and assets is not None:
        try:
            below = file.resolve().relative_to(assets.resolve())
        except (OSError, ValueError):
            pass
        else:
            return f"{ORIGIN}/{quote(below.as_posix())}"
    parts, host = urls.split(url), urls.host(url)
    if not _HOST.match(host) or parts.scheme not in ("http", "https"):
        return f"{ORIGIN}/"
    return f"https://{host}{quote(parts.path, safe='/%:@!$&()*+,;=~') or '/'}"


class Doorkeeper:
    """Answers every request of one page: the page itself once, files of the allowed folder, and nothing else."""

    def __init__(self, address: str, markup: bytes, *, scripts: bool, assets: Path | None, max_bytes: int) -> None:
        self.address = address
        self._markup = markup
        self._policy = policy(scripts=scripts, assets=assets is not None)
        self._assets = assets.resolve() if assets is not None else None
        self._max_bytes = max_bytes
        self._is_awaited = False
        self.leaving = asyncio.Event()  # set when the page tries to lead elsewhere

    def begin(self) -> None:
        """The next request is for the page itself."""
        self._is_awaited = True
        self.leaving.clear()

    async def answer(self, route: Route) -> None:
        """Answer one request, or refuse it."""
        with contextlib.suppress(browser_error()):  # the page is closed: nobody waits for the answer
            request = route.request
            if request.is_navigation_request():
                is_whole_page = request.frame.parent_frame is None
                if self._is_awaited and is_whole_page:
                    self._is_awaited = False
                    headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": self._policy}
                    await route.fulfill(body=self._markup, headers=headers)
                else:
                    await route.abort("aborted")  # the browser stays where it is
                    if is_whole_page:
                        self.leaving.set()
                return
            content = self._file(request.url)
            if content is None:
                await route.abort("blockedbyclient")
            else:
                kind = _KINDS.get(PurePosixPath(urls.split(request.url).path).suffix.lower())
                headers = {"access-control-allow-origin": "*"} | ({"content-type": kind} if kind else {})
                await route.fulfill(body=content, headers=headers)

    def _file(self, url: str) -> bytes | None:
        if self._assets is None:
            return None
        path = find_asset(url, self.address, self._assets)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                content = file.read(self._max_bytes + 1)
        except OSError:
            return None
        return content if len(content) <= self._max_bytes else None


def find_asset(url: str, address: str, folder: Path) -> Path | None:
    """The file of a folder that stands for an address: by its path, or below a folder called after its host.

    Nothing outside the folder is found, whatever dots and links lead there; ``folder`` itself is resolved.
    """
    parts = urls.split(url)
    if parts.scheme not in ("http", "https"):
        return None
    path = unquote(parts.path).lstrip("/")
    names = [f"{path}?{unquote(parts.query)}", f"{path}?{parts.query}", path] if parts.query else [path]
    places = [folder / (parts.hostname or "")]
    if parts.netloc == urls.split(address).netloc:
        places.insert(0, folder)
    for place in places:
        for name in names:
            try:
                file = (place / name).resolve()
                if file.is_relative_to(folder) and file.is_file():
                    return file
            except (OSError, ValueError):  # a name that no file can have
                continue
    return None
