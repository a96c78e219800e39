"""Files that come with the package: pages, styles and scripts of our own, served as they are."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tamis.service.security import APP_POLICY

FOLDER = Path(__file__).parent / "static"


class _Files(StaticFiles):
    """Files that browsers keep, but ask about each time: a new version is seen at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def static_files() -> Mount:
    """All files below ``static/``, at ``/static/``."""
    return Mount("/static", _Files(directory=FOLDER))


def own_page(name: str) -> Response:
    """A page of our own, such as ``inspector/index.html``: its scripts and styles may run, nobody else's."""
    return FileResponse(FOLDER / name, headers={"Content-Security-Policy": APP_POLICY, "Cache-Control": "no-cache"})
