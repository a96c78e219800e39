"""What can be evaluated, written as one line of text each, so that it can be named in a command and sent to a worker.

lqf                      a method of Tamis; with options: lqf:threshold=0.5,variant=gottron
site:fallback=accb       a template method, which also reads the pages stored with the page (see neighbours.py)
trafilatura              a peer that is installed (see peers.py)
python:module:function   a function from a page (str) to text; it gets the keyword url if it takes one
command:SHELL LINE       the page on standard input, the text on standard output, both UTF-8
http://… https://…       the page is posted to this address; the answer is the text
proxy:http://host:port   a filtering proxy, asked for pages that this machine serves; all text of the answer counts

What runs in this process is tried on a tiny page when it is opened, so that the first real one is not charged for what
is imported on first use. A system that has no use for the document model starts without it, in half the time.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from tamis import registry
from tamis.errors import OptionError, UnknownNameError
from tamis.evaluation import peers
from tamis.evaluation.datasets import LINKED_PAGES, Sample
from tamis.evaluation.stored_web import running_server
from tamis.stored.keys import file_digest, key_of

if TYPE_CHECKING:
    from tamis.results import Extraction
    from tamis.sites.bootstrap import Options

ExtractText = Callable[[Sample], str]
_COMPOSED = ("combine",)  # methods that call others by name
_AROUND = ("tamis.evaluation.systems", "tamis.extractors", "tamis.outputs.text")
"""What takes part in every text besides its method."""
_TINY = Sample(id="tiny", html="<p>One sentence.</p>")


class SystemAnswer(NamedTuple):
    """What a system made of a page."""

    text: str
    spans: tuple[tuple[int, int], ...] | None = None  # where it stands in page.text, if the system can tell


@dataclass(frozen=True)
class System:
    """Something that extracts the main content of pages."""

    name: str
    answer: Callable[[Sample], SystemAnswer]

    def extract(self, sample: Sample) -> str:
        """The text alone."""
        return self.answer(sample).text


def open_system(text: str) -> System:
    """The system that a line of text stands for; what is wrong with the line is said here, not page by page."""
    prefix = next((prefix for prefix in _FORMS if text.startswith(prefix)), None)
    if prefix is not None:
        return System(text, functools.partial(_text_alone, _FORMS[prefix](text)))
    name, _, options = text.partition(":")
    if name in registry.names("extractors"):
        return System(text, _open_method(name, options))
    if name in registry.names("templates"):
        return System(text, _open_template(name, options))
    if name.lower() in peers.PEERS and not options:
        return System(text, functools.partial(_text_alone, _open_peer(name.lower())))
    known = [*registry.names("extractors"), *registry.names("templates"), *peers.PEERS]
    raise UnknownNameError("system", name, known)


def made_by(text: str) -> str:
    """A key that changes when a system would give other texts, as far as that can be seen from here.

    Of methods of Tamis these are the sources, the models and files that options name; of peers the installed version,
    the settings, and the sources that make text of the HTML that some of them give. What stands behind a command or an
    address is not known.
    """
    name, _, written = text.partition(":")
    if name in registry.names("extractors") and name not in registry.foreign("extractors"):
        options = options_of(name, written)
        files = [value for value in options.values() if isinstance(value, str) and value and Path(value).is_file()]
        methods = registry.names("extractors") if name in _COMPOSED else (name,)
        modules = [*(f"tamis.extractors.{method}" for method in methods), *_AROUND]
        return key_of([file_digest(Path(file)) for file in files], [], modules, resources=True)
    if name in registry.names("templates") and name not in registry.foreign("templates"):
        modules = [f"tamis.templates.{name}", *(f"tamis.extractors.{one}" for one in registry.names("extractors"))]
        return key_of([], [], [*modules, "tamis.evaluation.neighbours", *_AROUND], resources=True)
    peer = peers.PEERS.get(name.lower())
    if peer is None:
        return key_of("", [], _AROUND)
    asked = [peers.peer_version(name.lower()), file_digest(Path(peers.__file__))]
    return key_of(asked, [], _AROUND if peer.gives_html else ())


def options_of(name: str, written: str) -> dict[str, Any]:
    """Options as they are written behind the name of a method: ``threshold=0.5,variant=gottron``."""
    options = {}
    for item in re.split(r",(?=\s*\w+\s*=)", written) if written else []:
        key, equals, value = item.partition("=")
        if not equals:
            raise OptionError(f"{item!r} is not an option of {name}: write name=value, separated by commas")
        options[key.strip()] = parse_value(value.strip())
    return options


def _open_method(name: str, written: str) -> Callable[[Sample], SystemAnswer]:
    options = options_of(name, written)
    registry.make_options("extractors", name, options)
    answer = functools.partial(_run_method, name, options)
    answer(_TINY)
    return answer


def parse_value(written: str) -> Any:
    """A value as JSON has it, or else as it is written.

    >>> parse_value("0.5"), parse_value("true"), parse_value("gottron")
    (0.5, True, 'gottron')
    """
    try:
        return json.loads(written)
    except ValueError:
        return written


def _run_method(name: str, options: dict[str, Any], sample: Sample) -> SystemAnswer:
    from tamis import extractors
    from tamis.page.load import parse

    return _answer(extractors.extract(parse(sample.html, sample.url), name, **options))


def _open_template(name: str, written: str) -> Callable[[Sample], SystemAnswer]:
    from tamis.evaluation.neighbours import detection

    answer = functools.partial(_run_template, detection(name, options_of(name, written)))
    answer(_TINY)
    return answer


def _run_template(chosen: Options, sample: Sample) -> SystemAnswer:
    from tamis.evaluation.neighbours import pages_of
    from tamis.sites.bootstrap import extract_among

    return _answer(extract_among(pages_of(sample), chosen))


def _answer(found: Extraction) -> SystemAnswer:
    """The text and its places; an article that only a script holds has none."""
    return SystemAnswer(found.text, None if found.embedded is not None else found.spans)


def _text_alone(extract: ExtractText, sample: Sample) -> SystemAnswer:
    return SystemAnswer(extract(sample))


def _open_peer(name: str) -> ExtractText:
    peers.import_peer(name)
    extract = functools.partial(_run_peer, name)
    with contextlib.suppress(Exception):  # some find a tiny page too small, which is no matter here
        extract(_TINY)
    return extract


def _run_peer(name: str, sample: Sample) -> str:
    return _checked(peers.run_peer(name, sample.markup, sample.url))


def _open_function(text: str) -> ExtractText:
    module, _, name = text.removeprefix("python:").partition(":")
    if not module or not name:
        raise OptionError(f"{text!r} does not name a function: write python:module:function")
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise OptionError(f"{text!r} cannot be imported ({error}); put its folder into PYTHONPATH") from error
    parameters = inspect.signature(function).parameters.values()
    takes_url = any(parameter.name == "url" or parameter.kind == parameter.VAR_KEYWORD for parameter in parameters)
    return functools.partial(_run_function, function, takes_url)


def _run_function(function: Callable[..., Any], takes_url: bool, sample: Sample) -> str:
    return _checked(function(sample.markup, url=sample.url) if takes_url else function(sample.markup))


def _open_command(text: str) -> ExtractText:
    line = text.removeprefix("command:").strip()
    if not line:
        raise OptionError(f"{text!r} has no command: write command: and a shell command")
    return functools.partial(_run_command, line)


def _run_command(line: str, sample: Sample) -> str:
    """Run the command in the process group of the worker, which is ended as a whole: what it starts ends with it."""
    page = sample.markup.encode("utf-8", "replace")
    done = subprocess.run(line, shell=True, input=page, capture_output=True, check=False)  # noqa: S602 - as asked
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise RuntimeError(": ".join([f"the command ended with {done.returncode}", *reason]))
    return done.stdout.decode("utf-8", "replace")


def _open_endpoint(text: str) -> ExtractText:
    _host(text)
    return functools.partial(_ask_endpoint, text)


def _ask_endpoint(address: str, sample: Sample) -> str:
    content_type = "text/html; charset=utf-8" if isinstance(sample.html, str) else "text/html"
    request = Request(address, data=sample.data, headers={"Content-Type": content_type})  # noqa: S310 - http by its form
    try:
        # The address itself is asked, whatever proxy the environment speaks of: timing is part of the answer.
        with build_opener(ProxyHandler({})).open(request) as answer:
            body: bytes = answer.read()
            return body.decode(answer.headers.get_content_charset("utf-8"), "replace")
    except HTTPError as error:
        error.close()
        raise


def _open_proxy(text: str) -> ExtractText:
    host, port = _host(text.removeprefix("proxy:"))
    running_server()
    peers.all_text(_TINY.html)
    return functools.partial(_ask_proxy, host, port)


def _ask_proxy(host: str, port: int, sample: Sample) -> str:
    server = running_server()
    url = sample.url or f"http://page.invalid/{quote(sample.id, safe='', errors='replace')}"
    # Not with urllib: it goes past the proxy for addresses that the environment excepts, such as this machine's.
    connection = HTTPConnection(host, port)
    try:
        with server.holding({**sample.extra.get(LINKED_PAGES, {}), url: sample.html}):
            connection.request("GET", server.address(url))
            answer = connection.getresponse()
            body = answer.read()
    finally:
        connection.close()
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"the proxy answered {answer.status} {answer.reason}")
    return peers.all_text(body, answer.headers.get_content_charset())


def _host(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise OptionError(f"{address!r} is not a URL: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise OptionError(f"{address!r} is not a URL: write http://host:port")
    return host, port or (443 if parts.scheme == "https" else 80)


def _checked(value: object) -> str:
    """What a function in Python gave, if it is text; None stands for nothing found."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"the extractor gave {type(value).__name__}, not str")
    return value


_FORMS: dict[str, Callable[[str], ExtractText]] = {
    "python:": _open_function,
    "command:": _open_command,
    "http://": _open_endpoint,
    "https://": _open_endpoint,
    "proxy:": _open_proxy,
}
