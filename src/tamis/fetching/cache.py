"""Answers kept on disk, one file each: whole or not there, whatever happens to the process that writes."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from pathlib import Path

from tamis.errors import OptionError
from tamis.fetching.answers import Fetched
from tamis.files import aside
from tamis.stored import DamageError
from tamis.stored.documents import parse_json
from tamis.stored.values import made

_FORMAT = 1  # files of another format are not read


class Cache:
    """A folder of answers, by the address that was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(f"cannot cache pages in {str(folder)!r}: {error.strerror}; pass a folder") from error

    def get(self, url: str) -> Fetched | None:
        """What was kept for an address; None if there is nothing, or if it was damaged."""
        try:
            head, _, body = self._path(url).read_bytes().partition(b"\n")
            kept = parse_json(head)
            if kept.pop("format") != _FORMAT or kept.pop("digest") != _digest(body) or kept["requested"] != url:
                return None
            datetime.datetime.fromisoformat(kept["time"])
            answer: Fetched = made(Fetched, {**kept, "body": body, "from_cache": True})
        except (OSError, ValueError, LookupError, TypeError, AttributeError, DamageError):
            return None
        return answer

    def put(self, answer: Fetched) -> None:
        """Keep an answer, unless its server asks not to."""
        if "no-store" in (answer.header("cache-control") or "").lower():
            return
        head = {"format": _FORMAT, "digest": _digest(answer.body), **dataclasses.asdict(answer)}
        del head["body"], head["from_cache"]
        path = self._path(answer.requested)
        try:
            with aside(path) as part:
                part.write_bytes(json.dumps(head).encode() + b"\n" + answer.body)
        except OSError as error:
            raise OptionError(f"cannot cache a page in {str(self.folder)!r}: {error.strerror}; make room") from error

    def _path(self, url: str) -> Path:
        name = hashlib.sha256(url.encode()).hexdigest()
        return self.folder / name[:2] / name[2:]


def age_seconds(answer: Fetched) -> float:
    """How long ago an answer came."""
    came = datetime.datetime.fromisoformat(answer.time)
    return (datetime.datetime.now(datetime.UTC) - came).total_seconds()


def questions(answer: Fetched) -> dict[str, str]:
    """The headers that ask a server whether a kept answer still holds; none if it gave nothing to ask with."""
    asked = {"If-None-Match": answer.header("etag"), "If-Modified-Since": answer.header("last-modified")}
    return {name: value for name, value in asked.items() if value and value.isprintable() and value.isascii()}


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
