"""How the service is set up: closed unless opened on purpose."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from dataclasses import dataclass, field

from tamis.errors import OptionError
from tamis.ranges import COUNT, POSITIVE, Range, check_ranges

_SHORTEST_TOKEN = 8  # ours: characters
_TOKEN = re.compile(r"[A-Za-z0-9._~-]*")  # what needs no escape in a URL, a header or a cookie


def new_token() -> str:
    """A token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the service listens to, whom it lets in, and how much it takes on."""

    host: str = "127.0.0.1"
    port: int = 8000  # 0: any free one
    token: str = field(default_factory=new_token, repr=False)  # empty: everyone who can connect is let in
    allowed_hosts: tuple[str, ...] = ()  # names under which the service may be asked, besides those of this machine
    workers: int = field(default_factory=usable_cores)
    queue: int = 64  # requests that may wait for a worker; one more is told to come again later
    timeout_seconds: float = 30.0  # for the work on one page; a worker that takes longer is ended
    upload_seconds: float = 30.0  # until the body of a request must have come
    max_bytes: int = 32 * 1024 * 1024  # of a request's body; as much as is parsed of a page
    allow_private: bool = False  # also fetch pages from this machine and its network

    def __post_init__(self) -> None:
        check_ranges(self, workers=COUNT, queue=COUNT, max_bytes=COUNT, port=Range(0, 65_535))
        check_ranges(self, timeout_seconds=POSITIVE, upload_seconds=POSITIVE)
        if self.token and (len(self.token) < _SHORTEST_TOKEN or not _TOKEN.fullmatch(self.token)):
            raise OptionError(
                f"the token must have at least {_SHORTEST_TOKEN} characters, all of them letters, digits or one of -._~"
            )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
