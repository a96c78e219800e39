"""In which form an answer is wanted: the Accept header (RFC 9110, 12.5.1) against the forms that there are."""

from __future__ import annotations

from tamis.service.operations import MEDIA_TYPES
from tamis.service.reader import READER

_FORMATS = ("markdown", "text", "json", "tei", "chunks")
FORMS = {MEDIA_TYPES[name]: name for name in _FORMATS} | {"text/html": READER, "application/xhtml+xml": READER}
"""By media type; the first one is for those who take anything, such as curl."""


def wanted(accept: str) -> str | None:
    """The form that is liked best, or None if there is none that is accepted; browsers name HTML, programs anything.

    >>> wanted("text/html,application/xml;q=0.9,*/*;q=0.8"), wanted("*/*"), wanted("text/plain;q=0.2, application/json")
    ('reader', 'markdown', 'json')
    """
    liked = {}
    for part in (accept.strip() or "*/*").split(","):
        media_type, *parameters = (piece.strip().lower() for piece in part.split(";"))
        liked[media_type] = _quality(parameters)
    offered = {media_type: _liking(media_type, liked) for media_type in FORMS}
    # Of equal ones that which is named itself, and then the one that stands first.
    best = max(FORMS, key=lambda media_type: (offered[media_type], media_type in liked))
    return FORMS[best] if offered[best] > 0 else None


def _liking(media_type: str, liked: dict[str, float]) -> float:
    """How much a type is liked: what is said of it, else of its kind, else of all."""
    for name in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        if name in liked:
            return liked[name]
    return 0.0


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(1.0, max(0.0, float(value)))  # in this order nan is 0
            except ValueError:
                return 0.0
    return 1.0
