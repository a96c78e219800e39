"""Who may ask, and what a browser may do with the answer.

Three checks stand before every request. The Host header must name this service, so that a page elsewhere cannot reach
it by a name that changes its meaning (DNS rebinding). A request that a browser makes for a page of another origin is
refused. And the token must be there: in ``Authorization: Bearer``, in the query, or in a cookie that is set when a
browser opens the address printed at the start, which holds the token.

Pages that a browser sends to be read come from all origins. They have a key instead, which is good for nothing else:
the page that they are sent from can see it.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from http.cookies import CookieError, SimpleCookie
from urllib.parse import unquote_plus

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis import urls
from tamis.service import negotiation, reader
from tamis.service.answers import respond
from tamis.service.problems import ProblemError
from tamis.service.settings import Settings

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN_PATHS = frozenset({"/healthz"})
"""Answered without a token: they tell nothing but that the service is there."""

SENDING = ("POST", "/read")
"""How a page is sent that a browser shows."""
_KEY_DIGITS = 32  # ours: 128 bits
_SIGNED_IN_SECONDS = 30 * 24 * 3600  # ours; a token that is new at every start ends it sooner

APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""For pages of our own."""
DATA_POLICY = "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""For everything else: whatever it is, it neither runs nor loads anything when it is opened as a page."""

# A name, or an IPv6 address in brackets, and a port (RFC 9110, 7.2), less what no name of a host is made of: programs
# do not agree on which host 'a:80@b' or 'a#b' is.
_HOST = re.compile(r"(?:(?P<name>[a-z0-9._-]*)|\[(?P<ip>[0-9a-f:.]+)\])(?::[0-9]{0,5})?")
_NAMED_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    "Content-Security-Policy": DATA_POLICY,
}
_HEADERS = [(name.lower().encode(), value.encode()) for name, value in _NAMED_HEADERS.items()]
"""As ASGI has them."""


class Guard:
    """Lets in who may ask, and puts the headers of security on every answer that does not have its own."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, and have it answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                own = {name for name, _ in headers}
                headers += [header for header in _HEADERS if header[0] not in own]
            await send(message)

        app: ASGIApp
        try:
            app = self._checked(scope)
        except ProblemError as error:
            app = respond(reader.problem_page(error) if _is_for_person(scope) else error.answer)
        await app(scope, receive, guarded_send)

    def _checked(self, scope: Scope) -> ASGIApp:
        """What answers the request; a problem if it may not be made."""
        headers, token = Headers(scope=scope), self._settings.token
        self.check_host(headers)
        if token and (scope["method"], scope["path"]) == SENDING and _take(scope, "key", reading_key(token)):
            return self._app
        check_origin(headers)
        if not token or scope["path"] in OPEN_PATHS:
            return self._app
        if not _take(scope, "token", token):
            self.check_token(headers)
        elif scope["method"] == "GET" and _is_for_person(scope):
            return self._sign_in(scope)
        return self._app

    def check_host(self, headers: Headers) -> None:
        """A problem unless the request is for a name of this service."""
        host = read_host(headers)
        names = {host_of(name) for name in self._settings.allowed_hosts}
        is_known = host in LOCAL_NAMES or host in names
        # An IP address cannot change its meaning; a service for a network is asked by it.
        if not is_known and not (not self._settings.is_loopback and _is_ip(host)):
            raise ProblemError(
                421, "host", f"the host name {host!r} is not allowed: start the service with --allow-host {host}"
            )

    def check_token(self, headers: Headers) -> None:
        """A problem unless the request has the token."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            given = _cookie(headers.get("cookie", ""), self.cookie_name)
        if not _same(given.strip(), self._settings.token):
            raise ProblemError(
                401,
                "token",
                "the token is missing or wrong: open the URL that was printed when the service started, or send "
                "the token in it as 'Authorization: Bearer' or as token in the query",
                {"WWW-Authenticate": 'Bearer realm="tamis"'},
            )

    @property
    def cookie_name(self) -> str:
        return f"tamis-{self._settings.port}"  # cookies are shared by all ports of a machine

    def _sign_in(self, scope: Scope) -> RedirectResponse:
        """The way to the same address, which holds no token any more, and with a cookie instead."""
        query = scope["query_string"].decode("latin-1")
        path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another machine
        home = RedirectResponse(path + (f"?{query}" if query else ""), status_code=303)
        home.set_cookie(
            self.cookie_name,
            self._settings.token,
            max_age=_SIGNED_IN_SECONDS,
            httponly=True,
            samesite="strict",
            path="/",
        )
        return home


def reading_key(token: str) -> str:
    """What lets a page in that a browser sends to be read; who knows it knows nothing of the token."""
    return hmac.new(token.encode(), b"POST /read", "sha256").hexdigest()[:_KEY_DIGITS]


def _take(scope: Scope, name: str, value: str) -> bool:
    """Whether the query has this value, which is then taken out of it; all else stays as it is, letter by letter."""
    pieces = scope["query_string"].decode("latin-1").split("&")
    kept = [piece for piece in pieces if not _says(piece, name, value)]
    scope["query_string"] = "&".join(kept).encode("latin-1")
    return len(kept) < len(pieces)


def _says(piece: str, name: str, value: str) -> bool:
    said, _, given = piece.partition("=")
    return said == name and _same(unquote_plus(given), value)


def _is_for_person(scope: Scope) -> bool:
    """Whether a browser asks for something to show."""
    is_shown = scope["method"] == "GET" or (scope["method"], scope["path"]) == SENDING
    return is_shown and negotiation.wanted(Headers(scope=scope).get("accept", "")) == reader.READER


def check_origin(headers: Headers) -> None:
    """A problem if a browser asks for a page of another origin."""
    origin = headers.get("origin")
    is_foreign = origin is not None and urls.split(origin).netloc.lower() != headers.get("host", "").lower()
    is_inside_other = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if is_foreign or (is_inside_other and headers.get("sec-fetch-mode") != "navigate"):
        raise ProblemError(
            403, "origin", "requests from pages of other origins are not allowed: send it without a browser"
        )


def read_host(headers: Headers) -> str:
    """The host that a request is for, as ``host_of`` gives it; a problem if there are two, or it is none."""
    values = headers.getlist("host") or [""]
    host = host_of(values[0])
    if len(values) > 1 or host is None:
        raise ProblemError(400, "host", f"the request says {' and '.join(map(repr, values))} for Host: send one host")
    return host


def host_of(value: str) -> str | None:
    """The host in a Host header, in lower case, without port and brackets; None if more than host and port is there.

    >>> host_of("LocalHost:8000"), host_of("[::1]:8000"), host_of("evil.example."), host_of("127.0.0.1:80@evil.example")
    ('localhost', '::1', 'evil.example.', None)
    """
    found = _HOST.fullmatch(value.strip(" \t").lower())
    return None if found is None else found["name"] if found["name"] is not None else found["ip"]


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
