"""Service: Tamis over HTTP, with an inspector, a reader view and a proxy."""

from __future__ import annotations

from importlib.util import find_spec

from tamis.errors import MissingExtraError

# Here once, because most modules of this folder cannot even be defined without these.
if not all(map(find_spec, ("httptools", "jinja2", "starlette", "uvicorn"))):
    raise MissingExtraError("service", "the service")
