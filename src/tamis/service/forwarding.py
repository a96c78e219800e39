"""One request of the proxy and its answer, to and from a server that was checked; hop by hop, as RFC 9110 has it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tamis.errors import AddressError, TransferError
from tamis.fetching import addresses
from tamis.fetching.answers import Headers, header
from tamis.fetching.bodies import accepted_codings, read_body
from tamis.fetching.deadlines import Deadline
from tamis.fetching.http import tls_context
from tamis.fetching.pinned import PinnedTransport

NAME = "tamis"  # in Via
_CONTENT_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_TOTAL_SECONDS = 3600.0  # ours: for the longest download
_SILENCE_SECONDS = 30.0  # ours: until the next piece must come

_HOP_BY_HOP = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding "
    "upgrade".split()
)
# Of a page that is changed: what describes the bytes that came, and what would make the browser fetch or run more.
_NOT_OF_CHANGED = frozenset(
    "accept-ranges alt-svc content-digest content-disposition content-encoding content-length content-md5 "
    "content-range content-security-policy content-security-policy-report-only content-type digest etag link nel "
    "refresh report-to reporting-endpoints repr-digest sourcemap speculation-rules x-sourcemap".split()
)


@dataclass
class Exchange:
    """An answer whose body is still to be read; close it when done."""

    status: int
    headers: Headers
    chunks: Iterator[bytes]
    close: Any

    @property
    def is_page(self) -> bool:
        """Whether the answer is a page to show, and all of it."""
        disposition = (header(self.headers, "content-disposition") or "").partition(";")[0].strip().lower()
        return _names_page(self.headers) and self.status not in (204, 206, 304) and disposition != "attachment"

    def page(self, max_bytes: int, seconds: float) -> tuple[bytes, bool]:
        """The body, unpacked, and whether there was more of it."""
        codings = (header(self.headers, "content-encoding") or "").split(",")
        body = read_body(self.chunks, codings, max_bytes, Deadline(seconds).left)
        return body.data, body.truncated

    def passed_on(self, *, changed: bool) -> Headers:
        """The headers that go on to the one who asked."""
        kept = end_to_end(self.headers)
        return tuple((name, value) for name, value in kept if not (changed and name.lower() in _NOT_OF_CHANGED))


def _names_page(headers: Headers) -> bool:
    """Whether one of the types that an answer gives itself is a page's: of several, browsers do not take the first.

    >>> _names_page((("Content-Type", "image/png"), ("Content-Type", "Text/HTML; charset=utf-8")))
    True
    """
    said = ",".join(value for name, value in headers if name.lower() == "content-type")
    return any(kind.partition(";")[0].strip().lower() in _CONTENT_TYPES for kind in said.split(","))


def exchange(method: str, url: str, headers: Headers, body: bytes, *, allow_private: bool) -> Exchange:
    """Ask a server, and give back the beginning of its answer; an error says why there is none."""
    import httpcore
    import httpx

    address = addresses.check(url, allow_private=allow_private)
    deadline = _Patience(_TOTAL_SECONDS)
    tls = tls_context() if address.scheme == "https" else None
    transport = PinnedTransport(addresses.resolve, deadline, tls, allow_private=allow_private)
    try:
        with _translated(address.host, deadline):
            request = httpx.Request(method, str(address), headers=as_bytes(_sent(headers)), content=body or None)
            response = transport.handle_request(request)
    except BaseException:
        transport.close()
        raise

    def chunks() -> Iterator[bytes]:
        with _translated(address.host, deadline):
            yield from response.iter_raw()

    def close() -> None:
        with contextlib.suppress(httpcore.NetworkError, httpcore.ProtocolError, OSError):
            response.close()
        transport.close()

    return Exchange(response.status_code, joined(response.headers.raw), chunks(), close)


def end_to_end(headers: Headers) -> Headers:
    """The headers without those that are for the next machine only.

    >>> end_to_end((("Connection", "close, X-Mine"), ("X-Mine", "1"), ("ETag", "2")))
    (('ETag', '2'),)
    """
    named = {
        token.strip().lower() for name, value in headers if name.lower() == "connection" for token in value.split(",")
    }
    return tuple((name, value) for name, value in headers if name.lower() not in _HOP_BY_HOP | named)


def _sent(headers: Headers) -> list[tuple[str, str]]:
    """What is sent on: packed as both the browser and we can unpack it."""
    left_out = {"host", "accept-encoding", "content-length", "expect"}
    kept = [(name, value) for name, value in end_to_end(headers) if name.lower() not in left_out]
    return [*kept, ("Accept-Encoding", _codings(header(headers, "accept-encoding") or "")), ("Via", f"1.1 {NAME}")]


def _codings(asked: str) -> str:
    """Those of the codings asked for that can be unpacked here.

    >>> _codings("gzip;q=1.0, sdch"), _codings(""), _codings("gzip;q=0")
    ('gzip', 'identity', 'identity')
    """
    known = accepted_codings().split(", ")
    wanted = [part.replace(" ", "").lower().partition(";") for part in asked.split(",")]
    names = [name for name, _, weight in wanted if name in known and not _is_zero(weight)]
    return ", ".join(names) or "identity"


def _is_zero(weight: str) -> bool:
    try:
        return weight.startswith("q=") and float(weight[2:]) == 0
    except ValueError:
        return False


class _Patience(Deadline):
    """Ends after a long time, or a short time without a sign of life."""

    def left(self) -> float:
        """The seconds that the next step may take."""
        return min(super().left(), _SILENCE_SECONDS)


@contextlib.contextmanager
def _translated(host: str, deadline: Deadline) -> Iterator[None]:
    import ssl

    import httpcore

    try:
        yield
    except httpcore.TimeoutException as error:
        raise deadline.missed() from error
    except (httpcore.NetworkError, httpcore.ProtocolError) as error:
        if any(isinstance(origin, ssl.SSLCertVerificationError) for origin in error.args):
            raise AddressError(f"{host!r} has no valid TLS certificate ({error}): fix the URL") from error
        raise TransferError(f"the connection to {host!r} broke ({error or type(error).__name__})") from error


def joined(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Headers as they came, as text; ``as_bytes`` gives the same bytes back, whatever their encoding was."""
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)


def as_bytes(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as they are sent.

    >>> as_bytes(joined([(b"cookie", "name=Müller".encode())]))[0][1].decode()
    'name=Müller'
    """
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
