"""One page from the web: checked, bounded in size and time, polite.

    with Fetcher() as fetcher:
        page = fetcher.fetch("https://example.org/").parse()

What a ``Fetcher`` keeps between pages is what politeness needs: when a host was last asked, and its robots.txt.
Cookies of answers are not kept, proxies of the environment are not used. Pages may be fetched from several threads at
once.
"""

from __future__ import annotations

import contextlib
import dataclasses
import email.utils
import functools
import re
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tamis._version import VERSION
from tamis.errors import AddressError, OptionError, TransferError
from tamis.fetching import addresses, cache, robots
from tamis.fetching.addresses import Address
from tamis.fetching.answers import CONTENT_TYPES, Fetched, Headers, Hop, content_type, header, now
from tamis.fetching.bodies import Body, accepted_codings, read_body
from tamis.fetching.deadlines import Deadline, DeadlineError
from tamis.ranges import NOT_NEGATIVE, POSITIVE, check_ranges

if TYPE_CHECKING:
    from tamis.fetching.pinned import Resolver

__all__ = ["BusyError", "Fetcher", "Options", "fetch"]

Result = TypeVar("Result")

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 500, 502, 503, 504})  # may be better a moment later
_FIRST_BACKOFF_SECONDS = 0.5  # doubled with every attempt
_ROBOTS_SECONDS = 24 * 3600  # the standard's limit for how long a file may be relied on
_ROBOTS_PROBLEM_SECONDS = 300  # ours: a site that could not be asked is asked again sooner
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OWN_HEADERS = frozenset({"accept-encoding", "connection", "content-length", "host", "transfer-encoding"})
_MAX_SITES = 10_000  # ours: whose rules and last visits are remembered


@dataclass(frozen=True, kw_only=True)
class Options:
    """How pages are fetched; the limits hold for each page."""

    max_bytes: int = 32 * 1024 * 1024  # of a body, packed and unpacked; as much as is parsed of a page
    deadline_seconds: float = 30.0  # for a page with all redirects and retries
    max_redirects: int = 10  # browsers follow 20; sites need one to three
    retries: int = 2  # after a server was busy or the connection broke
    delay_seconds: float = 1.0  # between two pages of a host; more if its robots.txt asks for more
    respect_robots: bool = True
    content_types: tuple[str, ...] = CONTENT_TYPES  # other answers are refused before their body is read; empty: any
    ports: tuple[int, ...] = addresses.WEB_PORTS
    allow_private: bool = False  # also machines of this network, on any port
    fresh_seconds: float = 0.0  # kept pages younger than this are used without asking the server
    user_agent: str = f"Mozilla/5.0 (compatible; {robots.NAME}/{VERSION})"
    headers: Headers = ()  # sent as well, such as cookies; only to the host that was asked for, not where it leads
    proxy: str | None = None  # its address; names are then looked up by the proxy, so that only numbers can be refused

    def __post_init__(self) -> None:
        check_ranges(self, max_bytes=POSITIVE, deadline_seconds=POSITIVE, max_redirects=NOT_NEGATIVE)
        check_ranges(self, retries=NOT_NEGATIVE, delay_seconds=NOT_NEGATIVE, fresh_seconds=NOT_NEGATIVE)
        if not (self.user_agent.isascii() and self.user_agent.isprintable()):
            raise OptionError(f"user_agent is {self.user_agent!r}, but must be printable ASCII")
        for name, value in self.headers:
            if not _HEADER_NAME.fullmatch(name) or not value.isprintable():
                raise OptionError(f"{name!r}: {value!r} is not a valid header: it must be one line")
            if name.lower() in _OWN_HEADERS:
                raise OptionError(f"the header {name!r} is set by the connection: remove it")
        if self.proxy is not None and not self.proxy.lower().startswith("http://"):
            raise OptionError(f"proxy is {self.proxy!r}, but must be a URL such as http://127.0.0.1:3128")


def fetch(url: str, options: Options | None = None) -> Fetched:
    """The page at an address; an error says why there is none, and what to do."""
    with Fetcher(options) as fetcher:
        return fetcher.fetch(url)


class Fetcher:
    """Fetches pages, and remembers what politeness needs; close it when done.

    ``keep`` is a folder in which answers are kept between runs. ``resolve`` and ``sleep`` replace the system's own.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        keep: Path | None = None,
        resolve: Resolver = addresses.resolve,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.options = options or Options()
        addresses.import_httpx()
        self._cache = None if keep is None else cache.Cache(keep)
        self._resolve = resolve
        self._sleep = sleep
        self._lock = threading.Lock()
        self._turns: dict[str, float] = {}  # by host: when it may be asked again
        self._rules: dict[str, tuple[float, robots.RobotRules]] = {}  # by origin: until when they hold
        self._closed = False

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Fetch nothing any more."""
        self._closed = True

    def fetch(self, url: str) -> Fetched:
        """The page at an address; an error says why there is none, and what to do."""
        if self._closed:
            raise OptionError("this fetcher is closed: make a new one")
        address = self._checked(url)
        kept = self._cache.get(str(address)) if self._cache else None
        if kept is not None and 0 <= cache.age_seconds(kept) < self.options.fresh_seconds:
            return kept
        try:
            self._take_turn(address.host, self._obey(address))
            deadline = Deadline(self.options.deadline_seconds)  # from now on: politeness may take its time
            answer = self._retried(deadline, lambda: self._follow(address, deadline, kept))
        except TransferError as error:
            raise TransferError(f"cannot fetch {url!r}: {error}") from error
        if self._cache and not answer.truncated:
            self._cache.put(answer)
        return answer

    def _checked(self, url: str) -> Address:
        return addresses.check(url, ports=self.options.ports, allow_private=self.options.allow_private)

    def _follow(self, address: Address, deadline: Deadline, kept: Fetched | None) -> Fetched:
        """The page that an address leads to in the end."""
        requested, hops, first = str(address), [], address
        while True:
            asks = cache.questions(kept) if kept is not None and kept.url == str(address) else {}
            own = dict(self.options.headers) if _may_know(first, address) else {}
            answer = self._ask(address, deadline, {**own, **asks}, self.options.max_bytes, self.options.content_types)
            if (target := answer.target(address)) is None:
                break
            hops.append(Hop(str(address), answer.status, target))
            if len(hops) > self.options.max_redirects:
                raise AddressError(f"{requested!r} is redirected more than {self.options.max_redirects} times: fix it")
            if any(hop.url == target for hop in hops):
                raise AddressError(f"{requested!r} is redirected in a loop, to {target!r}: fix it")
            address = self._checked(target)
            self._obey(address, deadline)
        if answer.status == 304 and asks and kept is not None:
            return dataclasses.replace(kept, time=now(), hops=tuple(hops))
        if answer.status in _BUSY:
            raise BusyError(answer)
        if not 200 <= answer.status < 300:
            raise AddressError(f"{str(address)!r} was answered with status {answer.status}: there is no page to read")
        return Fetched(
            requested=requested,
            url=str(address),
            status=answer.status,
            headers=answer.headers,
            body=answer.body.data,
            truncated=answer.body.truncated,
            hops=tuple(hops),
            time=now(),
        )

    def _ask(
        self, address: Address, deadline: Deadline, asks: Mapping[str, str], max_bytes: int, types: tuple[str, ...]
    ) -> _Answer:
        """One request and its answer; the body is read only if it is wanted."""
        import httpcore
        import httpx

        from tamis.fetching.pinned import PinnedTransport

        sent = {
            "User-Agent": self.options.user_agent,
            "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
            "Accept-Encoding": accepted_codings(),
            "Connection": "close",
            **asks,
        }
        tls = tls_context() if address.scheme == "https" else None
        private, proxy = self.options.allow_private, self.options.proxy
        transport = PinnedTransport(self._resolve, deadline, tls, allow_private=private, proxy=proxy)
        try:
            with contextlib.closing(transport):
                response = transport.handle_request(httpx.Request("GET", str(address), headers=sent))
                with contextlib.closing(response):
                    headers = tuple((header_text(name), header_text(value)) for name, value in response.headers.raw)
                    if not 200 <= response.status_code < 300:
                        return _Answer(response.status_code, headers, Body(b"", False))
                    kind = content_type(headers)
                    if types and kind is not None and kind not in types:
                        raise AddressError(
                            f"{str(address)!r} is {kind}, not a page: pass the URL of a page "
                            "(in Python, the option content_types allows other types)"
                        )
                    codings = (header(headers, "content-encoding") or "").split(",")
                    body = read_body(response.iter_raw(), codings, max_bytes, deadline.left)
                    return _Answer(response.status_code, headers, body)
        except httpcore.TimeoutException as error:
            raise deadline.missed() from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
            if any(isinstance(origin, ssl.SSLCertVerificationError) for origin in error.args):
                raise AddressError(f"{address.host!r} has no valid TLS certificate ({error}): fix the URL") from error
            raise TransferError(
                f"the connection to {address.host!r} broke ({error or type(error).__name__})"
            ) from error

    def _retried(self, deadline: Deadline, work: Callable[[], Result]) -> Result:
        """The result of some work, tried again as long as there is time and hope."""
        for attempt in range(self.options.retries + 1):
            try:
                return work()
            except DeadlineError:
                raise
            except TransferError as error:
                wait = _FIRST_BACKOFF_SECONDS * 2**attempt
                if isinstance(error, BusyError) and error.wait_seconds is not None:
                    wait = error.wait_seconds
                if attempt == self.options.retries or wait >= deadline.left():
                    raise
                self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _take_turn(self, host: str, delay: float) -> None:
        """Wait until a host may be asked again."""
        with self._lock:
            begin = time.monotonic()
            turn = max(begin, self._turns.pop(host, begin))
            self._turns[host] = turn + delay
            _forget_first(self._turns)
        if turn > begin:
            self._sleep(turn - begin)

    def _obey(self, address: Address, deadline: Deadline | None = None) -> float:
        """The delay that a host is owed; an error if its robots.txt forbids the page."""
        if not self.options.respect_robots:
            return self.options.delay_seconds
        rules = self._rules_of(address, deadline)
        rules.check(str(address))
        if rules.delay_seconds > max(self.options.deadline_seconds, self.options.delay_seconds):
            reason = (
                f"the robots.txt of {address.host!r} asks for {rules.delay_seconds:g} s between pages, which is longer "
                "than deadline_seconds"
            )
            raise AddressError(f"{reason}: allow more, or pass respect_robots=False") from robots.RobotsError(reason)
        return max(self.options.delay_seconds, rules.delay_seconds)

    def _rules_of(self, address: Address, deadline: Deadline | None) -> robots.RobotRules:
        with self._lock:
            until, rules = self._rules.get(address.origin, (0.0, robots.RobotRules()))
        if time.monotonic() < until:
            return rules
        try:
            rules = self._ask_for_rules(address._replace(path="/robots.txt"), deadline)
        except DeadlineError as error:
            if deadline is not None:  # the page's own time is over, which tells nothing about the site
                raise
            rules = robots.RobotRules(problem=f"the robots.txt of {address.host!r} cannot be read ({error})")
        until = time.monotonic() + (_ROBOTS_SECONDS if rules.problem is None else _ROBOTS_PROBLEM_SECONDS)
        with self._lock:
            self._rules[address.origin] = until, rules
            _forget_first(self._rules)
        return rules

    def _ask_for_rules(self, address: Address, deadline: Deadline | None) -> robots.RobotRules:
        deadline = deadline or Deadline(self.options.deadline_seconds)

        def ask() -> robots.RobotRules:
            place, answer = address, self._ask(address, deadline, {}, robots.MAX_BYTES, ())
            with contextlib.suppress(AddressError):  # redirected to where nothing may be fetched: as good as missing
                for _ in range(robots.MAX_REDIRECTS + 1):
                    if (target := answer.target(place)) is None:
                        if answer.status in _BUSY and answer.status >= 500:
                            raise BusyError(answer)
                        return robots.rules_of(answer.status, answer.body.data)
                    place = self._checked(target)
                    answer = self._ask(place, deadline, {}, robots.MAX_BYTES, ())
            return robots.RobotRules()

        try:
            return self._retried(deadline, ask)
        except DeadlineError:
            raise
        except TransferError as error:
            return robots.RobotRules(problem=f"the robots.txt of {address.host!r} cannot be read ({error})")


class _Answer(NamedTuple):
    status: int
    headers: Headers
    body: Body

    def target(self, address: Address) -> str | None:
        """Where a redirect leads to; None if this is none."""
        location = header(self.headers, "location")
        if self.status not in _REDIRECTS or location is None:
            return None
        target = addresses.join(str(address), location)
        if target is None:
            raise AddressError(f"{str(address)!r} is redirected to {location!r}, which is not an http or https URL")
        return target


def _may_know(first: Address, address: Address) -> bool:
    """Whether what is sent to the first address may be sent to another: same host, and not in the clear all at once."""
    return address.host == first.host and address.scheme in (first.scheme, "https")


class BusyError(TransferError):
    """The server asks to come again."""

    def __init__(self, answer: _Answer) -> None:
        self.status = answer.status
        self.wait_seconds = _wait_seconds(header(answer.headers, "retry-after"))
        later = "" if self.wait_seconds is None else f", and asks to come again in {self.wait_seconds:g} s"
        super().__init__(f"the server answered with status {answer.status}{later}")


def _wait_seconds(value: str | None) -> float | None:
    """What ``Retry-After`` asks for, in seconds or as a date.

    >>> _wait_seconds("120"), _wait_seconds("soon"), _wait_seconds("Wed, 21 Oct 2015 07:28:00 GMT")
    (120.0, None, 0.0)
    """
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Whom to trust; reading the list takes a tenth of a second."""
    context: ssl.SSLContext = addresses.import_httpx().create_ssl_context()
    return context


def header_text(raw: bytes) -> str:
    """A header as text: UTF-8 where it is, as addresses in redirects often are."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _forget_first(table: dict[str, Any]) -> None:
    if len(table) > _MAX_SITES:
        del table[next(iter(table))]
