"""Which addresses may be fetched, and which machines may be reached.

An address is read once, here, and written down again in one form; odd forms of IP addresses (``0x7f.1``,
``2130706433``) are read as browsers read them. Names are resolved when a connection is made (``pinned``), and every
IP address that a name stands for is judged by ``why_refused``.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from typing import Any, NamedTuple

from tamis import urls
from tamis.errors import AddressError, MissingExtraError

__all__ = ["Address", "check"]

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

WEB_PORTS = (80, 443)
MAX_LENGTH = 8_000  # the length of a request line that RFC 9112 asks servers to accept at least

_STANDARD_PORTS = {"http": 80, "https": 443}
_CONTROLS_AND_BLANK = "".join(map(chr, range(0x21)))
# Browsers remove these before they read an address.
_TABS_AND_LINE_ENDS = str.maketrans("", "", "\t\n\r")
_PARTS = re.compile(r"https?://(?P<authority>[^/?]+)", re.IGNORECASE)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")

# The blocks of the IANA registries of special-purpose addresses that are no part of the public internet, in our words;
# the library's ``is_global`` answers differently from one version of Python to the next.
_PRIVATE = {
    "10.0.0.0/8": "a private network",
    "100.64.0.0/10": "a provider's inner network",
    "127.0.0.0/8": "this machine",
    "172.16.0.0/12": "a private network",
    "192.168.0.0/16": "a private network",
    "::1/128": "this machine",
    "fc00::/7": "a private network",
    "fec0::/10": "a private network",
}
_NEVER = {
    "0.0.0.0/8": "no address of a machine",
    "169.254.0.0/16": "link-local",
    "192.0.0.0/24": "reserved",
    "192.0.2.0/24": "for examples only",
    "192.88.99.0/24": "an old relay",
    "198.18.0.0/15": "for measurements only",
    "198.51.100.0/24": "for examples only",
    "203.0.113.0/24": "for examples only",
    "224.0.0.0/4": "a multicast group",
    "240.0.0.0/4": "reserved",
    "::/128": "no address of a machine",
    "100::/64": "a black hole",
    "2001:2::/48": "for measurements only",
    "2001:10::/28": "no address of a machine",
    "2001:20::/28": "no address of a machine",
    "2001:db8::/32": "for examples only",
    "3fff::/20": "for examples only",
    "5f00::/16": "reserved",
    "fe80::/10": "link-local",
    "ff00::/8": "a multicast group",
    # Where clouds keep the keys of their machines; some lie in blocks that are otherwise private or even public.
    "168.63.129.16/32": "a cloud's metadata service",
    "100.100.100.200/32": "a cloud's metadata service",
    "fd00:ec2::254/128": "a cloud's metadata service",
    "fd20:ce::254/128": "a cloud's metadata service",
}
_PUBLIC_IPV6 = ipaddress.IPv6Network("2000::/3")
# IPv6 blocks with an IPv4 address inside: the block, and how many bits stand below that address.
_EMBEDDING = {
    "::ffff:0:0/96": 0,  # mapped
    "::ffff:0:0:0/96": 0,  # translated
    "::/96": 0,  # compatible
    "64:ff9b::/96": 0,  # NAT64
    "2002::/16": 80,  # 6to4
}
_TEREDO = ipaddress.IPv6Network("2001::/32")
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")


def _networks(table: dict[str, Any]) -> tuple[tuple[Any, Any], ...]:
    return tuple((ipaddress.ip_network(network), value) for network, value in table.items())


_PRIVATE_NETWORKS = _networks(_PRIVATE)
_NEVER_NETWORKS = _networks(_NEVER)
_EMBEDDING_NETWORKS = _networks(_EMBEDDING)


class Address(NamedTuple):
    """A web address, read; written down again it has one form, without fragment."""

    scheme: str
    host: str  # a name in ASCII, or an IP address; IPv6 without brackets
    port: int
    path: str  # with query

    def __str__(self) -> str:
        return self.origin + self.path

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _STANDARD_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def check(address: str, *, ports: Sequence[int] = WEB_PORTS, allow_private: bool = False) -> Address:
    """The address, read; an error if it may not be fetched whatever its name stands for.

    >>> str(check(" HTTP://Example.org:80/a b#top"))
    'http://example.org/a%20b'
    >>> check("http://2130706433/")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tamis.errors.AddressError: 'http://2130706433/' leads to 127.0.0.1 (this machine): pass allow_private ...
    """
    parts = read(address)
    if ip := literal(parts.host):
        check_machine(address, ip, allow_private=allow_private)
    if not allow_private and parts.port not in ports:
        raise AddressError(
            f"{address!r} uses port {parts.port}, but only {_listed(ports)} are allowed: "
            "add it to ports, or pass allow_private (--allow-private)"
        )
    return parts


def read(address: str) -> Address:
    """The parts of a web address; a host that reads differently in different programs is refused."""
    httpx = import_httpx()
    text = address.translate(_TABS_AND_LINE_ENDS).strip(_CONTROLS_AND_BLANK).partition("#")[0]
    if len(text) > MAX_LENGTH:
        raise AddressError(f"{address[:60]!r}... has {len(text)} characters: a URL may have at most {MAX_LENGTH}")
    before_query, question_mark, query = text.partition("?")
    text = before_query.replace("\\", "/") + question_mark + query  # as browsers read it
    parts = _PARTS.match(text)
    if parts is None:
        raise AddressError(f"{address!r} is not a URL: it must begin with http:// or https:// and a host")
    if "@" in parts["authority"]:
        raise AddressError(f"{address!r} contains a user name, which is not sent: remove what is before the @")
    try:
        url = httpx.URL(text)
        host = url.raw_host.decode("ascii").lower().removesuffix(".")
        ip = literal(host)
        if ip is None and not _HOST_NAME.fullmatch(host):
            raise ValueError(f"{host!r} is not a host name")
        port = _STANDARD_PORTS[url.scheme] if url.port is None else url.port
        if not 0 < port < 65536:
            raise ValueError(f"there is no port {port}")
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressError(f"{address!r} is not a URL that can be fetched: {error}") from error
    return Address(url.scheme, host if ip is None else str(ip), port, url.raw_path.decode("ascii"))


def join(home: str, reference: str) -> str | None:
    """The address that a link of a page leads to; None if it is no web address.

    >>> join("https://example.org/a/b", "../c#d")
    'https://example.org/c'
    """
    reference = reference.translate(_TABS_AND_LINE_ENDS).strip(_CONTROLS_AND_BLANK)
    try:
        return str(read(urls.join(home, reference)))
    except AddressError:
        return None


def check_machine(name: str, ip: IPAddress, *, allow_private: bool) -> None:
    """An error if this machine may not be reached."""
    reason, is_private = why_refused(ip)
    if reason is None or (is_private and allow_private):
        return
    way_out = "pass allow_private (--allow-private) to fetch it" if is_private else "it is never fetched"
    raise AddressError(f"{name!r} leads to {ip} ({reason}): {way_out}")


def why_refused(ip: IPAddress) -> tuple[str | None, bool]:
    """Why a machine is no part of the public web, None if it is; and whether it may be allowed."""
    for network, reason in _NEVER_NETWORKS:
        if ip in network:
            return reason, False
    for network, reason in _PRIVATE_NETWORKS:
        if ip in network:
            return reason, True
    if isinstance(ip, ipaddress.IPv4Address):
        return None, True
    answers = [why_refused(inner) for inner in _inner_addresses(ip)]
    if not answers and ip not in _PUBLIC_IPV6:
        return "reserved", False
    refused = [answer for answer in answers if answer[0] is not None]
    return min(refused, key=lambda answer: answer[1], default=(None, True))  # what may never be allowed decides


def literal(host: str) -> IPAddress | None:
    """The IP address that a host is written as, None if it is a name.

    >>> literal("0x7f.1"), literal("[::1]"), literal("example.org")
    (IPv4Address('127.0.0.1'), IPv6Address('::1'), None)
    """
    if ":" in host:
        if "%" in host:
            raise ValueError("a zone is known only inside a network")
        return ipaddress.IPv6Address(host.strip("[]"))
    numbers = host.split(".")
    if not _NUMBER.fullmatch(numbers[-1]):
        return None
    if len(numbers) > 4 or not all(_NUMBER.fullmatch(number) for number in numbers):
        raise ValueError(f"{host!r} ends in a number and is not an IP address")
    *parts, last = map(_number, numbers)
    if any(part > 255 for part in parts):
        raise ValueError(f"{host!r} has a part above 255")
    return ipaddress.IPv4Address(sum(part << (24 - 8 * place) for place, part in enumerate(parts)) + _rest(last, parts))


def resolve(host: str, port: int) -> list[str]:
    """The IP addresses a name stands for, as the system knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def import_httpx() -> Any:
    """The library that speaks HTTP; a missing one is answered with the line that installs it."""
    try:
        import httpx
    except ImportError as error:
        raise MissingExtraError("fetching", "fetching pages") from error
    return httpx


def _inner_addresses(ip: ipaddress.IPv6Address) -> list[IPAddress]:
    """The IPv4 addresses that an IPv6 address is translated to or tunnelled through."""
    value = int(ip)
    if ip in _LOCAL_NAT64:  # where the IPv4 address stands in it is up to the network
        return [ipaddress.IPv4Address("10.0.0.0")]
    inner = [value >> shift for network, shift in _EMBEDDING_NETWORKS if ip in network]
    if ip in _TEREDO:
        inner += [value >> 64, ~value]
    if (value >> 32) & 0xFDFFFFFF == 0x5EFE:  # ISATAP, whose identifiers may be marked as unique
        inner.append(value)
    return [ipaddress.IPv4Address(address & 0xFFFFFFFF) for address in inner]


def _number(text: str) -> int:
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8 if text.startswith("0") and text != "0" else 10)


def _rest(last: int, parts: Sequence[int]) -> int:
    if last >= 256 ** (4 - len(parts)):
        raise ValueError(f"{last} does not fit into an IP address")
    return last


def _listed(ports: Sequence[int]) -> str:
    return " and ".join(map(str, ports)) or "none"
