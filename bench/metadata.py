"""Titles, authors and dates beside peers, posts of forum threads, and links to next and previous pages, in one run.

    python -m bench.metadata --work DIR       what peers found is kept in DIR, so that a rerun asks only Tamis

Peers come with the extra ``peers`` (and htmldate); those that are not installed are named and left out. The pages are
for measuring only, but for train/wcxb, train/newspaper4k_articles, train/forum_harvest and train/pagination_autopager.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import importlib
import inspect
import json
import re
import statistics
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import tamis
from tamis.about.moments import read_moment
from tamis.about.threads import read_threads
from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.stored import reading
from tamis.stored.documents import read_json
from tamis.stored.keys import key_of
from tamis.stored.values import made

DATASETS = (
    "public/date_htmldate",
    "public/newspaper4k_articles",
    "train/trafilatura_eval",
    "train/newspaper4k_articles",
    "train/wcxb",
)
DOCS = Path(__file__).resolve().parent.parent / "docs" / "metadata.md"
_TUNED_ON = ("train/newspaper4k_articles", "train/wcxb")
_NO_ADDRESS = "http://localhost/"
_WORD = re.compile(r"\w+")
_BETWEEN_NAMES = re.compile(r"\s*(?:[,;|&/]|\band\b|\bund\b|\bet\b)\s*")


class Found(NamedTuple):
    """What a system says about a page."""

    title: str | None
    authors: list[str]
    date: str | None


class Gold(NamedTuple):
    """What is known about a page; None where it is not known, empty where there is none."""

    title: str | None
    authors: list[str] | None
    date: str | None


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--work", type=Path, help="folder that keeps what peers found")
    arguments.add_argument("--datasets", help="separated by commas; without it all, and the tables go to the docs")
    arguments.add_argument("--systems", default=",".join(SYSTEMS))
    arguments.add_argument(
        "--misses", help="name a field to list what Tamis gets wrong in it, on pages it may be tuned on"
    )
    given = arguments.parse_args()
    systems = [name for name in given.systems.split(",") if _is_installed(name)]
    parts = []
    for name in given.datasets.split(",") if given.datasets else DATASETS:
        samples = [sample for sample in _samples(name) if gold_of(sample) != Gold(None, None, None)]
        found = {system: _run(system, samples, name, given.work) for system in systems}
        parts.append(f"`{name}`, {len(samples)} pages:\n\n{to_markdown(samples, found)}\n")
        print(f"\n{parts[-1]}", flush=True)
        if given.misses and name in _TUNED_ON and "tamis" in found:
            _list_misses(samples, found["tamis"], given.misses)
    parts.append(f"Posts of `train/forum_harvest`: {threads_line()}.\n")
    parts.append(f"Links of `train/pagination_autopager`: {pagination_line()}.\n")
    print(f"\n{parts[-2]}\n{parts[-1]}")
    if not given.datasets:
        marked = re.compile(r"(<!-- metadata: begin -->\n).*(<!-- metadata: end -->)", re.DOTALL)
        tables = "\n".join(parts)
        DOCS.write_text(
            marked.sub(lambda match: match[1] + tables + match[2], DOCS.read_text(encoding="utf-8")), encoding="utf-8"
        )


def to_markdown(samples: Sequence[Sample], found: dict[str, list[Found]]) -> str:
    """One line per system; a field that a system does not know at all is left empty."""
    golds = [gold_of(sample) for sample in samples]
    lines = ["| | title | title words | authors | author words | invented | date | same day |", "|---|" + "---:|" * 7]
    for system, rows in found.items():
        pairs = list(zip(golds, rows, strict=True))
        titled = [(gold.title, row.title) for gold, row in pairs if gold.title and any(row.title for row in rows)]
        named = [(gold.authors, row.authors) for gold, row in pairs if any(row.authors for row in rows)]
        dated = [(gold.date, row.date) for gold, row in pairs if gold.date]
        cells = [
            _share(title_equal(gold, own) for gold, own in titled),
            _mean(word_f1([gold], [own or ""]) for gold, own in titled),
            _share(same_names(gold, own) for gold, own in named if gold),
            _mean(word_f1(gold, own) for gold, own in named if gold),
            _share(bool(own) for gold, own in named if gold == []),
            _share(gold == (own or "")[:10] for gold, own in dated),
            _share(same_day(gold, own) for gold, own in dated),
        ]
        lines.append(f"| {system} | {' | '.join(cells)} |")
    return "\n".join(lines)


def gold_of(sample: Sample) -> Gold:
    extra = sample.extra
    authors = extra.get("author")
    if isinstance(authors, str):
        authors = [name for name in _BETWEEN_NAMES.split(authors.strip(" |")) if name]
    day = read_moment(str(extra.get("date") or ""))
    return Gold(extra.get("title") or None, authors, str(day)[:10] if day else None)


def title_equal(gold: str, found: str | None) -> bool:
    return _plain(gold) == _plain(found or "")


def same_names(gold: list[str], found: list[str]) -> bool:
    """The same words in all names together: how names are cut apart and ordered is a matter of taste."""
    return sorted(_WORD.findall(_plain(" ".join(gold)))) == sorted(_WORD.findall(_plain(" ".join(found))))


def word_f1(gold: Sequence[str | None], found: Sequence[str]) -> float:
    one, two = (set(_WORD.findall(_plain(" ".join(filter(None, part))))) for part in (gold, found))
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 1.0


def same_day(gold: str, found: str | None) -> bool:
    """The gold day, as the page writes it or in universal time."""
    if not found:
        return False
    moment = read_moment(found)
    if found[:10] == gold or moment is None or not moment.zone:
        return found[:10] == gold
    return datetime.datetime.fromisoformat(str(moment)).astimezone(datetime.UTC).date().isoformat() == gold


def threads_line() -> str:
    """Posts of forum threads that are found, and of those how many have the right author."""
    posts = found = authors = named = predicted = 0
    for sample in _samples("train/forum_harvest"):
        page = tamis.parse(sample.markup, url=sample.url)
        threads = [(_WORD.findall(_plain(post.text)), post) for post in read_threads(page)]
        predicted += len(threads)
        for gold in sample.extra["posts"]:
            words = _WORD.findall(_plain(gold.get("post_text") or ""))
            if len(words) < 3:
                continue
            posts += 1
            best, post = max(
                ((_overlap(words, own), post) for own, post in threads), default=(0.0, None), key=lambda one: one[0]
            )
            if post is None or best < 0.7:
                continue
            found += 1
            if gold.get("user"):
                named += 1
                authors += _is_user(gold["user"], post.author, post.author_url)
    right = authors / max(1, named)
    return (
        f"{posts} posts, {found / max(1, posts):.3f} found ({predicted} predicted), {right:.3f} of them with the author"
    )


def _overlap(gold: list[str], found: list[str]) -> float:
    one, two = set(gold), set(found)
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 0.0


def _is_user(gold: str, name: str | None, url: str | None) -> bool:
    """The gold names users by the address of their profile or by their name."""
    own = (url or "").partition("&sid=")[0].rstrip("/")
    given = gold.partition("&sid=")[0].rstrip("/")
    tail = given.lstrip("./")
    return (
        bool(tail and own.endswith(tail))
        or bool(own and given.endswith(own.lstrip("./")))
        or _plain(gold) == _plain(name or "")
    )


def pagination_line() -> str:
    """Next and previous links that are found, and how many that are found are wrong."""
    counts = {"right": 0, "gold": 0, "found": 0}
    for sample in _samples("train/pagination_autopager"):
        row = sample.extra["row"]
        metadata = tamis.parse(sample.markup, url=sample.url).metadata
        for field, found in (("NEXT", metadata.next_page), ("PREV", metadata.previous_page)):
            gold = _selected(sample, row.get(field) or "")
            counts["gold"] += bool(gold)
            counts["found"] += bool(found)
            counts["right"] += bool(found) and _same_address(found or "", gold)
    precision, recall = counts["right"] / max(1, counts["found"]), counts["right"] / max(1, counts["gold"])
    return f"{counts['gold']} links, precision {precision:.3f}, recall {recall:.3f}"


def _selected(sample: Sample, selector: str) -> list[str]:
    if not selector.strip():
        return []
    page = tamis.parse(sample.markup)
    chosen = page.select(selector)
    links = [link for link in page.select("a[href]") if any(node <= link < page.nodes.end[node] for node in chosen)]
    return [urljoin(sample.url or "", page.attributes(link)["href"].strip()) for link in links]


def _same_address(found: str, gold: Iterable[str]) -> bool:
    return any(found.partition("#")[0].rstrip("/") == one.partition("#")[0].rstrip("/") for one in gold)


def _tamis(html: str, url: str | None) -> tuple[str | None, list[str], str | None]:
    metadata = tamis.parse(html, url=url).metadata
    return metadata.title, list(metadata.authors), metadata.date


def _trafilatura(html: str, url: str | None) -> tuple[str | None, list[str], str | None]:
    found = importlib.import_module("trafilatura").extract_metadata(html, default_url=url)
    return found.title, [name for name in (found.author or "").split("; ") if name], found.date


def _htmldate(html: str, url: str | None) -> tuple[str | None, list[str], str | None]:
    # As in its author's own comparison: the original date, with extensive search.
    find_date = importlib.import_module("htmldate").find_date
    return None, [], find_date(html, extensive_search=True, original_date=True, url=url)


def _newspaper4k(html: str, url: str | None) -> tuple[str | None, list[str], str | None]:
    article = importlib.import_module("newspaper").article(url or _NO_ADDRESS, input_html=html, fetch_images=False)
    date = article.publish_date
    return article.title, list(article.authors), date.isoformat() if hasattr(date, "isoformat") else date or None


def _turbohtml(html: str, url: str | None) -> tuple[str | None, list[str], str | None]:
    found = importlib.import_module("turbohtml").parse(html).article()
    day = read_moment(str(found.date or ""))
    return found.title, [found.byline] if found.byline else [], str(day) if day else None


SYSTEMS: dict[str, Callable[[str, str | None], tuple[str | None, list[str], str | None]]] = {
    "tamis": _tamis,
    "htmldate": _htmldate,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
    "turbohtml": _turbohtml,
}
_MODULES = {"newspaper4k": "newspaper"}


def _is_installed(system: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module(_MODULES.get(system, system))
    except ImportError as error:
        print(f"left out: {system} ({error})", file=sys.stderr)
        return False
    return True


def _run(system: str, samples: Sequence[Sample], dataset: str, work: Path | None) -> list[Found]:
    """What a system finds; peers that raise find nothing, and that counts."""
    kept = None
    if work and system != "tamis":
        data = [[sample.id, hashlib.sha256(sample.data).hexdigest(), sample.url] for sample in samples]
        key = key_of(data, [system, version(system), inspect.getsource(SYSTEMS[system])], ())
        kept = work / f"{system}-{dataset.replace('/', '-')}-{key}.json"
        if kept.exists():
            with reading("the cache", kept, "delete it and run again"):
                found: list[Found] = made(list[Found], read_json(kept))
                return found
    rows = []
    for sample in samples:
        url = sample.url if sample.url and sample.url.startswith("http") else None
        try:
            title, authors, date = SYSTEMS[system](sample.markup, url)
        except Exception as error:
            if system == "tamis":
                raise
            print(f"{system} on {sample.id}: {type(error).__name__}", file=sys.stderr)
            title, authors, date = None, [], None
        rows.append(Found(title, authors, str(date)[:25] if date else None))
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(rows), encoding="utf-8")
    return rows


def _samples(name: str) -> list[Sample]:
    try:
        return list(open_dataset(name))
    except InputError as error:
        print(f"left out: {error}", file=sys.stderr)
        return []


def _list_misses(samples: Sequence[Sample], rows: Sequence[Found], field: str) -> None:
    for sample, row in zip(samples, rows, strict=True):
        gold, found = getattr(gold_of(sample), field), getattr(row, field)
        right: Any = {"title": title_equal, "authors": same_names, "date": same_day}[field]
        if gold is not None and not right(gold, found):
            source = tamis.parse(sample.markup, url=sample.url).metadata.sources.get(field)
            print(f"  {sample.id} {sample.url}\n      gold  {gold!r}\n      found {found!r} ({source})")


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s]", " ", text).split())


def _share(values: Iterable[bool]) -> str:
    return _mean(map(float, values))


def _mean(values: Iterable[float]) -> str:
    known = list(values)
    return f"{statistics.fmean(known):.3f}" if known else "–"


if __name__ == "__main__":
    main()
