"""Templates of hosts: a sample of the pages of every host, what is learned from it, and which template a page has.

The sample of a host are its pages with the smallest digests: no order of shards or records changes it, and a page that
was crawled twice counts once.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import heapq
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tamis import templates, urls
from tamis.batch import Outcome, run_supervised
from tamis.page.load import parse
from tamis.results import Template
from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Job, Templates
from tamis.scaling.process import ResultRow, describe, limit_memory
from tamis.scaling.writing import read_places

_HELD = 64  # templates of hosts that a process has at hand


def sample_records(records: Iterable[InputRecord], chosen: Templates) -> Iterator[Outcome[ResultRow]]:
    """A row for every page that may be part of its host's sample, as far as these records show; else an empty one."""
    largest: dict[str, list[int]] = {}  # negative digests of the smallest of each host, the largest first
    for record in records:
        host = urls.host(record.url)
        if not host or record.problem or record.skip or record.cut:
            yield Outcome("skipped", {}, "samples: it is no whole page of a host")
            continue
        rank = int(describe(record)["digest"][-16:], 16)
        held = largest.setdefault(host, [])
        if -rank in held or (len(held) == chosen.max_pages and rank > -held[0]):
            yield Outcome("skipped", {}, "samples: there are enough others")
            continue
        (heapq.heappush if len(held) < chosen.max_pages else heapq.heapreplace)(held, -rank)
        data = record.html.encode("utf-8", "surrogatepass") if isinstance(record.html, str) else record.html
        packed = base64.b64encode(zlib.compress(data, 1)).decode()
        is_text = isinstance(record.html, str)
        row = _SampleRow(host, rank, record.url or "", packed, is_text, record.encoding)
        yield Outcome("ok", row._asdict())


class _SampleRow(NamedTuple):
    """A page that may be part of its host's sample, as it is written."""

    host: str
    rank: int
    url: str
    html: str  # packed
    is_text: bool
    encoding: str | None


class _SampledPage(NamedTuple):
    """Where a page of a sample is written."""

    rank: int
    file: Path
    offset: int


def learn_templates(files: Sequence[Path], folder: Path, job: Job, count: int) -> dict[str, str]:
    """A template for every host with enough pages, written to the folder; the digest of each, by host."""
    assert job.templates is not None  # noqa: S101 - asked for only then
    hosts = sorted(_chosen(files, job.templates).items())
    folder.mkdir(parents=True, exist_ok=True)
    seconds = job.limits.seconds * job.templates.max_pages
    make = functools.partial(_learner, job, folder)
    # A host whose pages cannot be learned from has no template.
    outcomes = run_supervised(hosts, make, processes=count, timeout_seconds=seconds)
    learned = sorted(host for (host, _), outcome in outcomes if outcome.status == "ok")
    return {host: hashlib.sha256(template_path(folder, host).read_bytes()).hexdigest() for host in learned}


def _chosen(files: Sequence[Path], chosen: Templates) -> dict[str, list[_SampledPage]]:
    """The pages of the hosts that have enough of them; no more than places is held."""
    found: dict[str, dict[int, _SampledPage]] = {}
    for path in files:
        for place, row in read_places(path, _SampleRow):
            ranks = found.setdefault(row.host, {})
            ranks.setdefault(row.rank, _SampledPage(row.rank, path, place))
            if len(ranks) > 2 * chosen.max_pages:
                found[row.host] = {rank: ranks[rank] for rank in sorted(ranks)[: chosen.max_pages]}
    return {
        host: sorted(ranks.values())[: chosen.max_pages]
        for host, ranks in found.items()
        if len(ranks) >= chosen.min_pages
    }


def _learner(job: Job, folder: Path) -> Callable[[tuple[str, list[_SampledPage]]], Outcome[None]]:
    limit_memory(job)
    method = job.templates.method if job.templates else templates.DEFAULT

    def learn(host: tuple[str, list[_SampledPage]]) -> Outcome[None]:
        name, places = host
        learned = templates.learn_template(map(_page, places), method)
        if learned.fallback:
            return Outcome("empty", None, "; ".join(learned.notes))
        learned.save(template_path(folder, name))
        return Outcome("ok", None)

    return learn


def _page(place: _SampledPage) -> Any:
    _, row = next(read_places(place.file, _SampleRow, place.offset))
    data = zlib.decompress(base64.b64decode(row.html))
    markup = data.decode("utf-8", "surrogatepass") if row.is_text else data
    return parse(markup, row.url, encoding=row.encoding)


def template_path(folder: Path, host: str) -> Path:
    """Hosts may have names that no file can have."""
    return folder / f"{hashlib.sha256(host.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"


def template_finder(folder: Path, hosts: frozenset[str]) -> Callable[[str | None], Template | None]:
    """The template of an address's host, if it is one of these."""

    @functools.lru_cache(maxsize=_HELD)
    def of_host(host: str) -> Template | None:
        return Template.load(template_path(folder, host)) if host in hosts else None

    return lambda url: of_host(urls.host(url))
