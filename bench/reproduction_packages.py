"""The fourteen packages of Gottron (2008), rebuilt as nearly as public pages allow, and the fourteen methods on them.

python -m bench.reproduction_packages      run (some minutes), and write

His packages are not public: one site each, eleven of them news sites, an encyclopaedia, a site of short items under
long comments, and one of mixed pages; pages of 2006 to 2008. Ours are the eleven news sites with the most pages in the
public datasets (2008 to 2013, not in Chinese), long texts full of links, short texts under long comments, and mixed
pages. Measures are those of the thesis: case is not folded, and ``plain`` keeps title and hidden text.
Writes docs/reproduction-packages.csv; ``bench.reproduction`` writes the page.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bench.gottron_claims import ALL, PLAIN
from bench.reproduction_headline import TABLE
from bench.scores import AFTERWARDS, summarise, write_scores
from tamis.evaluation.datasets import Sample, open_dataset, take
from tamis.evaluation.neighbours import with_neighbours
from tamis.evaluation.run import Prediction
from tamis.evaluation.score import ScoreRow, score
from tamis.evaluation.systems import System, open_system
from tamis.evaluation.words import compare_words
from tamis.page.load import parse
from tamis.urls import host

PAGES = 15  # of each package at most, chosen by the hash of their ids
SITES = 11  # as many news sites as the thesis has
WIKI, SLASHDOT, MANUAL = "links", "comments", "mixed"
MEASURES = {"characters": "characters", "words": "words_cased", "bag": "bag_cased", "set": "set_cased"}
"""Measures of the thesis by the names that its table has in ``published/``."""
_NEWS = ("public/l3s_gn1", "public/daniel_v2_1", "public/cleanportaleval")
_LINKED = ("public/cleaneval", "public/krdwrd_canola", "public/google_trends_2017", "public/wcxb")
_SAMPLE = 200  # pages of each dataset that are looked at for long texts full of links
_LEAST_WORDS = 300  # of a long text
_LINK_SHARE = (
    0.1,
    0.5,
)  # of the words of such a text; an encyclopaedia article has about 15 %, more than half is a list
_COMMENTS = 3  # times as many words of comments as of text
_MIN_BLOCK_WORDS = 5  # shorter blocks are found in any text
_SECOND_LEVEL = ("ac", "co", "com", "gov", "org")  # below the domain of a country
_FULL_PLAIN = f"{PLAIN}:title=true,hidden=true"


LINKED = {
    "cp-cluster": "document_frequency:distance=common_paths,threshold=0.7,fallback=accb",
    "cps-cluster": "document_frequency:distance=common_path_shingles,threshold=0.6,fallback=accb",
    "ctss-cluster": "document_frequency:distance=common_tag_sequence_shingles,threshold=0.85,fallback=accb",
    "accb": "accb",
    "dsc": "dsc",
    PLAIN: _FULL_PLAIN,
}
"""Methods of chapter 7, and how they are named here."""
LINKED_SITES = 5  # as many as chapter 7 has
LINKED_PAGES = 6  # of each, each with up to 20 others of its site


class Package(NamedTuple):
    """A name and pages; for chapter 7, pages that have others of their site with them."""

    name: str
    samples: list[Sample]
    linked: list[Sample]


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rows: list[ScoreRow] = []
    for package in packages():
        rows += _rows(package.name, package.samples, {name: name for name in ALL} | {PLAIN: _FULL_PLAIN})
        rows += _rows(f"{AFTERWARDS}{package.name}", package.linked, LINKED) if package.linked else []
    write_scores(TABLE, summarise(rows))
    return 0


def packages() -> Iterator[Package]:
    """The news sites from the largest to the smallest, then the three others."""
    sites: dict[str, list[Sample]] = {}
    for sample in itertools.chain.from_iterable(map(open_dataset, _NEWS)):
        if sample.gold and sample.extra.get("lang") != "Chinese":
            site = site_of(sample)
            # Pages whose URL is not known get one, since it tells which pages are of one site.
            sites.setdefault(site, []).append(replace(sample, url=f"http://{site}/{len(sites.get(site, ()))}"))
    largest = sorted(sites, key=lambda site: (-len(sites[site]), site))[:SITES]
    for name in largest:
        linked = with_neighbours(sites[name]) if name in largest[:LINKED_SITES] else ()
        yield Package(name, take(sites[name], PAGES), take(linked, LINKED_PAGES))
    found = itertools.chain.from_iterable(take(open_dataset(name), _SAMPLE) for name in _LINKED)
    yield Package(WIKI, take(filter(is_linked_article, found), PAGES), [])
    yield Package(SLASHDOT, take(filter(is_short_under_comments, open_dataset("public/dragnet")), PAGES), [])
    yield Package(MANUAL, take(open_dataset("public/wcxb"), PAGES), [])


def site_of(sample: Sample) -> str:
    """The site of a page: the end of its host, which may have several hosts.

    >>> [site_of(Sample(id="a", html="", url=f"http://{host}/")) for host in ("www2.paper.gr", "news.bbc.co.uk")]
    ['paper.gr', 'bbc.co.uk']
    """
    parts = (sample.extra.get("host") or host(sample.url)).split(".")
    return ".".join(parts[-3:] if parts[-2:-1] and parts[-2] in _SECOND_LEVEL else parts[-2:])


def is_linked_article(sample: Sample) -> bool:
    """A long text in which many words are links, and most are not."""
    gold = compare_words(sample.gold or "")
    if len(gold) < _LEAST_WORDS:
        return False
    running = f" {' '.join(gold)} "
    words = link_words = 0
    for block in parse(sample.html).blocks:
        found = compare_words(block.text)
        if len(found) >= _MIN_BLOCK_WORDS and f" {' '.join(found)} " in running:
            words += block.words
            link_words += block.link_words
    least, most = _LINK_SHARE
    return least * words <= link_words <= most * words and words > 0


def is_short_under_comments(sample: Sample) -> bool:
    """A text with several times as many words of comments below it, which the gold text leaves out."""
    comments, gold = compare_words(sample.extra.get("comments") or ""), compare_words(sample.gold or "")
    return bool(gold) and len(comments) >= _COMMENTS * len(gold)


def _rows(package: str, samples: Sequence[Sample], systems: Mapping[str, str]) -> Iterator[ScoreRow]:
    """The rows of a package, with the names that systems and measures have in the tables of the thesis.

    In this process and without taking the time, since starting workers for each pair would take longer than the rest.
    """
    print(f"{package}: {len(samples)} pages", file=sys.stderr, flush=True)
    names = {measure: name for name, measure in MEASURES.items()}
    for name, written in systems.items():
        system = open_system(written)
        predictions = [_prediction(sample, system, package) for sample in samples]
        for row in score(samples, predictions, list(names)):
            yield row._replace(system=name, measure=names[row.measure])


def _prediction(sample: Sample, system: System, package: str) -> Prediction:
    answer = system.answer(replace(sample, gold=None))
    about = {"id": sample.id, "system": system.name, "dataset": package, "status": "ok", "error": ""}
    return Prediction(**about, text=answer.text, spans=answer.spans, seconds=0.0, size=len(sample.data))


if __name__ == "__main__":
    sys.exit(main())
