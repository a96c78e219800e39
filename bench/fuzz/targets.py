"""What inputs are given to. Each target is one way in; what it returns must be the same when it is asked again.

A target gets the data and a number that decides everything else, such as the method or the format, so that a finding
can be repeated from these two alone. Errors that are there to be raised are part of its answer.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import itertools
import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import tamis
from bench.fuzz import kernels, seeds
from bench.fuzz.checks import (
    Violation,
    check_inert,
    check_json,
    check_markdown,
    check_spans,
    check_strict,
    check_tei,
)
from tamis.errors import InputError, TamisError

URLS = (None, "https://example.org/a/b?c=d", "http://münchen.example/ä ö")
PAGE_BREAK = b"<!-- next page -->"
_OF_ALL = 4  # one output in so many is of the main content, the others of everything, which is quicker and longer
_GROWTH_BYTES = 8_192
_GROWTH_STEP = 4
_MAX_GROWTH = 2.5 * _GROWTH_STEP  # linear is 1; what is measured is short, and the processor is shared
_GROWTH_SECONDS = 0.05  # what is quicker at the larger size tells nothing


class Target(NamedTuple):
    """A way in."""

    run: Callable[[bytes, int], Any]
    seeds: Callable[[bool], Sequence[bytes]]  # with or without real pages
    share: int  # of all inputs, in parts of a thousand


def parse(data: bytes, choice: int) -> Any:
    """A page from data: as bytes or as text, with an address or without."""
    source = data.decode("utf-8", "surrogateescape") if choice % 2 else data
    return tamis.parse(source, URLS[choice // 2 % len(URLS)])


def run_parse(data: bytes, choice: int) -> Any:
    """The page and its views, which hold together whatever the limits are."""
    source = data.decode("utf-8", "surrogateescape") if choice % 2 else data
    limits = kernels.LIMITS[choice // 16 % len(kernels.LIMITS)]
    page = tamis.parse(source, URLS[choice // 2 % len(URLS)], limits=limits)
    nodes, blocks = page.nodes, page.blocks
    check_spans(np.column_stack((blocks.start, blocks.end)).tolist(), len(page.text))
    if not (nodes.end > np.arange(len(nodes))).all() or nodes.end.max(initial=0) > len(nodes):
        raise Violation("a node ends before it begins, or behind the page")
    if not (nodes.parent[1:] < np.arange(1, len(nodes))).all():
        raise Violation("a node comes before its parent")
    if nodes.text_start.min(initial=0) < 0 or nodes.text_end.max(initial=0) > len(page.text):
        raise Violation("a node holds text that is not there")
    page.text.encode()
    return page.text, page.truncated, nodes.tag.tolist(), blocks.start.tolist()


def run_extract(data: bytes, choice: int) -> Any:
    result = tamis.extract(parse(data, choice))
    check_spans(result.spans, len(result.page.text))
    if result.status not in ("ok", "empty", "truncated"):
        raise Violation(f"the status is {result.status}")
    return result.status, result.spans, result.warnings, result.text


def run_method(data: bytes, choice: int) -> Any:
    names = tamis.methods()
    result = tamis.extract(parse(data, choice), method=names[choice // 8 % len(names)])
    check_spans(result.spans, len(result.page.text))
    return result.spans, [block[:6] for block in result.blocks]


def _check_lines(written: str) -> None:
    """Every line is JSON; the text in it is shown as it is."""
    for line in written.split("\n"):
        if line:
            json.loads(line)


_CHECKS: dict[str, Callable[[str], None]] = {
    "chunks": _check_lines,
    "html": functools.partial(check_strict, what="HTML"),
    "json": check_json,
    "markdown": check_markdown,
    "tei": check_tei,
    "text": lambda _: None,  # is shown as it is
}


def run_output(data: bytes, choice: int) -> Any:
    names = tamis.methods("outputs")
    name = names[choice // 8 % len(names)]
    method = "keep_all" if choice // 128 % _OF_ALL else "sieve"
    written = tamis.extract(parse(data, choice), method=method).render(name)
    written.encode()  # half characters cannot be sent or stored
    if name in _CHECKS:
        _CHECKS[name](written)
    else:  # the page itself, with something done to it
        check_inert(written, name)
    return written


def run_metadata(data: bytes, choice: int) -> Any:
    result = tamis.extract(parse(data, choice), method="keep_all")
    values = dataclasses.asdict(result.metadata)
    json.dumps(values, allow_nan=False).encode()
    return values, [post.text for post in result.comments]


def run_segment(data: bytes, choice: int) -> Any:
    names = tamis.methods("segmenters")
    found = tamis.segment(parse(data, choice), method=names[choice // 8 % len(names)])
    count = len(found.page.nodes)
    for region in (found.root, *found.leaves):
        if not all(0 <= node < count for node in region.nodes):
            raise Violation("a region holds a node that is not there")
    return found.root


def run_several(data: bytes, choice: int) -> Any:
    """Several pages: their groups, or the template they share and what it leaves of them."""
    pages = [parse(part, choice) for part in data.split(PAGE_BREAK)[:8]]
    if choice & 1:
        names = tamis.methods("clusterers")
        groups = tamis.cluster(pages, method=names[choice // 8 % len(names)]).groups
        if sorted(itertools.chain(*groups)) != list(range(len(pages))):
            raise Violation("the groups do not hold each page once")
        return groups
    names = tamis.methods("templates")
    template = tamis.learn_template(pages, method=names[choice // 8 % len(names)])
    found = [template.extract(page) for page in pages]
    for one in found:
        check_spans(one.spans, len(one.page.text))
    return template.to_dict(), [one.spans for one in found]


def run_growth(data: bytes, choice: int) -> Any:
    """A piece many times, and four times as many: the time must not grow by much more."""
    piece = data[:200] or b"x"
    sizes = (_GROWTH_BYTES, _GROWTH_STEP * _GROWTH_BYTES)
    work = (run_extract, run_output, run_metadata, run_method)[choice // 128 % 4]
    factors = []
    for _ in range(3):
        first, second = (_seconds(work, piece * (size // len(piece) + 1), choice) for size in sizes)
        first = max(first, _GROWTH_SECONDS / _MAX_GROWTH)  # some clocks tick no faster
        if second < _GROWTH_SECONDS or second <= _MAX_GROWTH * first:
            return None
        factors.append(second / first)
    raise Violation(f"{work.__name__} takes {min(factors):.0f} times as long for {_GROWTH_STEP} times as much")


def _seconds(work: Callable[[bytes, int], Any], data: bytes, choice: int) -> float:
    start = time.process_time()
    work(data, choice)
    return time.process_time() - start


def run_response(data: bytes, choice: int) -> Any:
    """An answer of a web server, and another one for its robots.txt."""
    from tamis.fetching.http import Fetcher, Options

    _answer_with(data, 1 + choice % 97)
    options = Options(respect_robots=bool(choice & 1), delay_seconds=0.0, max_bytes=1 << 20, retries=1)
    try:
        with Fetcher(options, resolve=lambda *_: ["93.184.216.34"], sleep=lambda _: None) as fetcher:
            answer = fetcher.fetch("http://example.org/a")
    except TamisError as error:
        return type(error).__name__
    page = answer.parse()
    return answer.status, answer.headers, answer.body, answer.hops, page.text, page.url


def _answer_with(data: bytes, size: int) -> None:
    """From now on every connection of this process gets this data, in pieces of a size."""
    import httpcore

    pieces = [data[start : start + size] for start in range(0, len(data), size)]

    def connect(self: Any, host: str, port: int, **_: Any) -> httpcore.NetworkStream:
        return httpcore.MockStream([*pieces, b""])

    httpcore.SyncBackend.connect_tcp = connect  # type: ignore[method-assign, assignment]


def run_archive(data: bytes, choice: int) -> Any:
    from tamis.fetching.records import read_records
    from tamis.fetching.warc import read_answer

    limit = (1 << 20, 300, 10)[choice % 3]
    found = []
    for record in read_records(io.BytesIO(data), limit):
        if len(record.block) > limit:
            raise Violation("a record is longer than the limit")
        answer = read_answer(record, limit)
        found.append(
            (record.place, record.problem, answer and (answer.url, answer.status, answer.body, answer.encoding))
        )
    return found


def run_model(data: bytes, choice: int) -> Any:
    file = seeds.scratch() / f"model{'.json' if data[:1] == b'{' else '.npz'}"
    file.write_bytes(data)
    page = "<h1>One</h1><p>A sentence that says something, and another.</p><nav><a href=/>Home</a></nav>"
    try:
        if choice % 3 == 0:
            return tamis.extract(page, method="sieve", model=str(file)).spans
        if choice % 3 == 1:
            return tamis.extract(page, method="elements", model=str(file)).spans
        return tamis.segment(page, method="mesh", model=str(file)).root
    except InputError:
        return "refused"


def run_template(data: bytes, choice: int) -> Any:
    from tamis.results import Template

    file = seeds.scratch() / "template.json"
    file.write_bytes(data)
    try:
        template = Template.load(file)
        spans = template.extract(tamis.parse("<nav>Home</nav><h1>One</h1><p>What is told.</p>")).spans
    except TamisError as error:
        return type(error).__name__
    return template.to_dict(), spans


def run_job(data: bytes, choice: int) -> Any:
    from tamis.scaling.job import load_job

    file = seeds.scratch() / "job.toml"
    file.write_bytes(data)
    try:
        return load_job(file).digest()
    except TamisError as error:
        return type(error).__name__


def run_address(data: bytes, choice: int) -> Any:
    from tamis.fetching import addresses, robots

    text = data.decode("utf-8", "surrogateescape")[:2_000]
    found: list[Any] = []
    try:
        found.append(str(addresses.check(text, ports=(80, 443), allow_private=False)))
    except TamisError as error:
        found.append(type(error).__name__)
    found.append(addresses.join("https://example.org/a/", text))
    rules = robots.rules_of(200, data)
    try:
        rules.check("https://example.org/a?b")
    except TamisError as error:
        found.append(type(error).__name__)
    return found, rules.delay_seconds


_ADDRESSES = (
    b"https://user:pass@example.org:443/a/../b;c?d=e#f",
    b"http://[::ffff:127.0.0.1]:80/",
    b"http://0x7f.1/ http://2130706433/",
    "http://ｅｘａｍｐｌｅ.org/ä?ö#ü".encode(),
    b"User-agent: *\nDisallow: /a*b$\nCrawl-delay: 1e9\nAllow: /\nSitemap: x\nUser-agent: tamis\n",
)


def _pages(real: bool) -> Sequence[bytes]:
    return seeds.pages(real)


# Of a thousand inputs. What is quick gets many: an extraction takes thirty times as long as a record of an archive.
TARGETS: dict[str, Target] = {
    "parse": Target(run_parse, _pages, 300),
    "extract": Target(run_extract, _pages, 40),
    "output": Target(run_output, _pages, 60),
    "metadata": Target(run_metadata, _pages, 20),
    "method": Target(run_method, _pages, 10),
    "segment": Target(run_segment, _pages, 5),
    "several": Target(run_several, _pages, 2),
    "kernels": Target(kernels.run, _pages, 8),
    "growth": Target(run_growth, _pages, 1),
    "response": Target(run_response, lambda _: seeds.responses(), 20),
    "archive": Target(run_archive, lambda _: seeds.archives(), 260),
    "model": Target(run_model, lambda _: seeds.models(), 3),
    "template": Target(run_template, lambda _: seeds.templates(), 60),
    "job": Target(run_job, lambda _: seeds.jobs(), 61),
    "address": Target(run_address, lambda _: _ADDRESSES, 150),
}
