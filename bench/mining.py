"""Does extraction help or harm what is done with the text? The open question of Gottron (2008), section 8.2.

python -m bench.mining          run (some minutes), write docs/mining.csv and docs/mining.md
python -m bench.mining --write  only write the page, from docs/mining.csv

Reading: how long a page is heard, and how much of the main text is on a small screen at once (after Gupta et al. 2003).
Mining: naive Bayes and k-means on product pages of five kinds (after Yi, Liu & Li 2003). The pages are found through
$TAMIS_DATA, or in shared/data beside the project; they are for measuring only, and nothing is tuned on them.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bench.mining_models import (
    Matrix,
    counts,
    k_means,
    listening_minutes,
    macro_f1,
    naive_bayes,
    seen_at_once,
    weighted,
)
from bench.mining_page import PAGE, TABLE, render_page
from tamis import extractors, templates
from tamis.evaluation.clusterings import adjusted_rand_index
from tamis.evaluation.datasets import Sample, open_dataset, take
from tamis.evaluation.measures import bag_of_words
from tamis.page.load import parse
from tamis.page.text import Bools

SCREENS = {"320 x 240": (40, 15), "640 x 480": (80, 30)}  # pixels, and columns and rows of letters of 8 by 16
READ = ("public/cleaneval", "public/dragnet", "public/l3s_gn1", "public/google_trends_2017", "public/wcxb")
READ_PAGES = 20  # of each dataset
SITE_PAGES = 8  # of each site
KINDS = ("auto", "book", "camera", "job", "nbaplayer")  # those of swde_sample with five sites or more
BY_PAGE = ("keep_all", "lqf", "accb", "sieve")
BY_SITE = ("sst", "site")  # template methods, which read all pages of a site; the first is the one of Yi et al.
DROPPED = "what sieve drops"
_STARTS = 20  # of k-means, each from another seed


class Number(NamedTuple):
    """One measured number."""

    task: str
    method: str
    value: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="only write the page")
    if not parser.parse_args().write:
        numbers = [*reading(list(_read_pages())), *mining(_product_pages())]
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(Number._fields)
            table.writerows((task, method, f"{value:.4f}") for task, method, value in numbers)
    PAGE.write_text(render_page(TABLE), encoding="utf-8")
    return 0


def reading(samples: Sequence[Sample]) -> Iterator[Number]:
    """Means over pages: minutes of listening, words of the gold text on a screen, and what the text is worth."""
    pages = [(sample.gold or "", parse(sample.html)) for sample in samples]
    for method in BY_PAGE:
        _say(f"reading: {method}")
        pairs = [(gold, extractors.extract(page, method).text) for gold, page in pages]
        measured: dict[str, Callable[[str, str], float]] = {
            "minutes to listen": lambda _, text: listening_minutes(text),
            "words kept": lambda gold, text: bag_of_words(gold, text).recall,
            **{
                f"words on {name}": lambda gold, text, size=size: seen_at_once(text, gold, *size)  # type: ignore[misc]
                for name, size in SCREENS.items()
            },
        }
        for task, measure in measured.items():
            yield Number(task, method, statistics.fmean(measure(gold, text) for gold, text in pairs))


def mining(samples: Sequence[Sample]) -> Iterator[Number]:
    """Naive Bayes and k-means on the texts that each method leaves of the same pages."""
    kinds = [str(sample.extra["vertical"]) for sample in samples]
    sites = [f"{sample.extra['vertical']}-{sample.extra['site']}" for sample in samples]
    half = np.array([place % 2 == 1 for place in _places_within(sites)])
    for method in (*BY_PAGE, DROPPED, *BY_SITE):
        _say(f"mining: {method}")
        texts = _by_site(samples, sites, method) if method in BY_SITE else _by_page(samples, method)
        table = counts(texts)
        rows = weighted(table)
        yield Number("words per page", method, statistics.fmean(len(text.split()) for text in texts))
        yield Number("naive Bayes, known sites", method, _classified(table, kinds, [half, ~half]))
        each = [np.array([site == one for site in sites]) for one in dict.fromkeys(sites)]
        yield Number("naive Bayes, new sites", method, _classified(table, kinds, each))
        yield Number("naive Bayes, one site known", method, _from_one_site(table, kinds, sites))
        groups = [k_means(rows, len(KINDS), seed) for seed in range(_STARTS)]
        yield Number("k-means, kinds", method, statistics.fmean(adjusted_rand_index(one, kinds) for one in groups))
        yield Number("k-means, sites", method, statistics.fmean(adjusted_rand_index(one, sites) for one in groups))


def _classified(table: Matrix, kinds: Sequence[str], folds: Sequence[Bools]) -> float:
    """Macro F1 over all pages, each of which is tested once."""
    found: list[object] = [None] * len(kinds)
    for tested in folds:
        for place, label in zip(np.flatnonzero(tested).tolist(), naive_bayes(table, kinds, tested), strict=True):
            found[place] = label
    return macro_f1(found, kinds)


def _from_one_site(table: Matrix, kinds: Sequence[str], sites: Sequence[str]) -> float:
    """Macro F1 on all other sites after learning from one site of each kind, as a mean over choices of that site."""
    by_kind = [
        list(dict.fromkeys(site for site, own in zip(sites, kinds, strict=True) if own == kind)) for kind in KINDS
    ]
    scores = []
    for known in zip(*by_kind, strict=False):
        tested = np.array([site not in known for site in sites])
        right = [kind for kind, is_tested in zip(kinds, tested, strict=True) if is_tested]
        scores.append(macro_f1(naive_bayes(table, kinds, tested), right))
    return statistics.fmean(scores)


def _by_page(samples: Sequence[Sample], method: str) -> list[str]:
    if method == DROPPED:
        found = (extractors.extract(parse(sample.html, sample.url), "sieve").blocks for sample in samples)
        return ["\n".join(block.text for block in blocks if not block.kept) for blocks in found]
    return [extractors.extract(parse(sample.html, sample.url), method).text for sample in samples]


def _by_site(samples: Sequence[Sample], sites: Sequence[str], method: str) -> list[str]:
    texts: dict[str, str] = {}
    for site in dict.fromkeys(sites):
        own = [sample for sample, name in zip(samples, sites, strict=True) if name == site]
        pages = [parse(sample.html, sample.url) for sample in own]
        template = templates.learn_template(pages, method)
        texts |= {sample.id: template.extract(page).text for sample, page in zip(own, pages, strict=True)}
    return [texts[sample.id] for sample in samples]


def _places_within(groups: Sequence[str]) -> list[int]:
    seen: dict[str, Iterator[int]] = {}
    return [next(seen.setdefault(group, itertools.count())) for group in groups]


def _read_pages() -> Iterator[Sample]:
    for name in READ:
        yield from take(open_dataset(name), READ_PAGES)


def _product_pages() -> list[Sample]:
    samples = [sample for sample in open_dataset("public/swde_sample") if sample.extra.get("vertical") in KINDS]
    sites = [f"{sample.extra['vertical']}-{sample.extra['site']}" for sample in samples]
    return [sample for sample, place in zip(samples, _places_within(sites), strict=True) if place < SITE_PAGES]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
