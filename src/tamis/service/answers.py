"""Answers of operations as responses of the web framework."""

from __future__ import annotations

from starlette.responses import Response

from tamis.service.problems import Answer


def respond(answer: Answer) -> Response:
    """The response that an answer stands for."""
    media_type = answer.media_type
    if media_type.startswith("text/") and "charset" not in media_type:
        media_type += "; charset=utf-8"
    return Response(answer.body, answer.status, {"Content-Type": media_type, **answer.headers})
