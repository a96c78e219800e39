"""What a site asks robots to leave alone (RFC 9309).

A site without ``robots.txt`` (any answer from 400 to 499) allows everything; one that cannot be asked (no answer, or
500 and above) forbids everything until it can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tamis.errors import AddressError, MissingExtraError, TransferError

MAX_BYTES = 512 * 1024  # the standard asks for 500 KiB at least
MAX_REDIRECTS = 5  # the standard asks for five at least
NAME = "tamis"

_USER_AGENT = re.compile(r"\s*user[- ]?agent\s*:?\s*([^#]*)", re.IGNORECASE)
_WAY_OUT = "pass respect_robots=False (--no-respect-robots) to fetch it"


class RobotsError(Exception):
    """What a site asks for, as the cause of the error that says what to do; services have other ways out."""


@dataclass(frozen=True)
class RobotRules:
    """What one site allows."""

    delay_seconds: float = 0.0
    problem: str | None = None  # why the site could not be asked
    protego: Any = None

    def check(self, url: str) -> None:
        """An error if a page may not be fetched."""
        if self.problem is not None:
            reason = f"{self.problem}, so nothing of the site may be fetched for now"
            raise TransferError(f"{reason}: {_WAY_OUT}") from RobotsError(reason)
        if self.protego is not None and not self.protego.can_fetch(url, NAME):
            reason = f"the site's robots.txt disallows {url!r}"
            raise AddressError(f"{reason}: {_WAY_OUT}") from RobotsError(reason)


def rules_of(status: int, body: bytes) -> RobotRules:
    """The rules that an answer for ``robots.txt`` gives."""
    if status >= 500:
        return RobotRules(problem=f"robots.txt was answered with {status}")
    if not 200 <= status < 300:
        return RobotRules()
    try:
        from protego import Protego
    except ImportError as error:
        raise MissingExtraError("fetching", "reading robots.txt") from error

    rules = Protego.parse(_for_us(body.decode("utf-8-sig", "replace")))
    return RobotRules(delay_seconds=float(rules.crawl_delay(NAME) or 0.0), protego=rules)


def _for_us(text: str) -> str:
    """The file with all other robots called by one name.

    The parser copies each rule to each robot named above it, and a file may name thousands.

    >>> _for_us("User-agent: a\\nUser-agent: b\\nUser-agent: *\\nDisallow: /x").splitlines()
    ['User-agent: another', 'User-agent: *', 'Disallow: /x']
    """
    lines: list[str] = []
    for line in text.splitlines():
        named = _USER_AGENT.match(line)
        if named is not None:
            name = named[1].strip().lower()
            line = f"User-agent: {name if name in ('*', NAME) else 'another'}"
            if lines and lines[-1] == line:
                continue
        lines.append(line)
    return "\n".join(lines)
