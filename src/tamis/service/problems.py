"""Problem documents (RFC 9457): what went wrong, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from tamis.errors import (
    AddressError,
    InputError,
    MissingExtraError,
    MissingProgramError,
    OptionError,
    TamisError,
    TransferError,
    UnknownNameError,
)

MEDIA_TYPE = "application/problem+json"
_URN = "urn:tamis:problem:"
_MAX_DETAIL = 1_000  # characters; messages name the value that is wrong, which may be a whole page


class Answer(NamedTuple):
    """What is sent back."""

    status: int
    media_type: str
    body: bytes
    headers: Mapping[str, str] = {}


class ProblemError(Exception):
    """A request that is answered with a problem document."""

    def __init__(self, status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.headers = headers or {}

    @property
    def answer(self) -> Answer:
        return problem(self.status, self.kind, self.detail, self.headers)


def problem(status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None) -> Answer:
    """A problem document.

    >>> problem(404, "not-found", "nothing is here").body
    b'{"type": "urn:tamis:problem:not-found", "title": "Not Found", "status": 404, "detail": "nothing is here"}'
    """
    shown = detail if len(detail) <= _MAX_DETAIL else detail[:_MAX_DETAIL] + " …"
    document = {
        "type": f"{_URN}{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": shown.encode("utf-8", "replace").decode(),  # lone surrogates cannot be sent
    }
    return Answer(status, MEDIA_TYPE, json.dumps(document, ensure_ascii=False).encode(), headers or {})


def read_problem(answer: Answer) -> ProblemError:
    """The problem that a problem document tells of."""
    document = json.loads(answer.body)
    return ProblemError(answer.status, document["type"].removeprefix(_URN), document["detail"], answer.headers)


def as_problem(error: Exception) -> ProblemError:
    """The problem that an error of Tamis is for the one who asked."""
    if isinstance(error, ProblemError):
        return error
    for kind, (status, name) in _KINDS.items():
        if isinstance(error, kind):
            return ProblemError(status, name, str(error))
    raise error


# The more special ones come first.
_KINDS: dict[type[TamisError], tuple[int, str]] = {
    UnknownNameError: (422, "unknown-name"),
    OptionError: (422, "option"),
    AddressError: (422, "address"),
    InputError: (422, "input"),
    TransferError: (502, "transfer"),
    MissingExtraError: (501, "missing-extra"),
    MissingProgramError: (501, "missing-program"),
}
