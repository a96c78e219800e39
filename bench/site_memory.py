"""What site memory is worth: F1 with and without it, on pages whose site has others.

    python -m bench.site_memory            public sets, hosts with four pages and more; the table of docs/site-memory.md
    python -m bench.site_memory --fit      train sets; the numbers of extractors/sieve/site.py and what they are worth

Every page is extracted with a memory of all other pages of its host that the dataset has. The curve is over the pages
of hosts with more than sixteen: each with 1, 2, 4, 8 and 16 others, those with the smallest hashes of their ids. The
public pages are for measuring only: the numbers are fitted on train. Three columns are bounds, what memory could give
at most. "At best": the blocks whose text another page has are decided by the gold text, all others as without memory.
"Paths": the blocks at a path (the elements around, with their classes) are kept if most words there are gold on the
other pages of the site; "if better": only on pages that get better by it.
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

import tamis
from tamis import urls
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.evaluation.measures import bag_of_words
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve.kernel import kernel
from tamis.extractors.sieve.memory import text_hashes
from tamis.extractors.sieve.site import repetitions
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.training.labels import text_labels

DATASETS = ("public/daniel_v2_1", "public/cleanportaleval", "public/ir_research_big9_chaos")
CURVE = "public/daniel_v2_1"
KNOWN = (1, 2, 4, 8, 16)
MIN_PAGES = 4
BETTER, MUCH = 0.005, 0.02  # differences of F1 that are counted


class Change(NamedTuple):
    """F1 of one page without memory, with it, if gold text decided about what others repeat, and about paths."""

    without: float
    memory: float
    best: float
    paths: float = math.nan
    better_paths: float = math.nan  # where they are better


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--fit", action="store_true")
    if arguments.parse_args().fit:
        from bench.site_fit import report

        report()
        return
    print(
        "| hosts with ≥ 4 pages | hosts | pages | without | with | at best | paths | if better | ± > .005 | ± > .02 |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in DATASETS:
        sites = {site: found for site, found in sites_of(open_dataset(name)).items() if len(found) >= MIN_PAGES}
        print(row(name, len(sites), [change for found in sites.values() for change in changes(found)]), flush=True)
    print("\n| pages known | pages | without | with |\n|---:|---:|---:|---:|")
    large = [found for found in sites_of(open_dataset(CURVE)).values() if len(found) > KNOWN[-1]]
    for known in KNOWN:
        measured = [change for found in large for change in changes(found, known)]
        print(
            f"| {known} | {len(measured)} | {_mean(measured, 'without'):.4f} | {_mean(measured, 'memory'):.4f} |",
            flush=True,
        )


def sites_of(samples: Iterable[Sample]) -> Mapping[str, list[Sample]]:
    """Pages by site, in the order of the hashes of their ids: the host, or the repository of pages made from one."""
    found: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        if site := site_of(sample):
            found[site].append(sample)
    return {site: sorted(own, key=lambda one: hashlib.sha256(one.id.encode()).digest()) for site, own in found.items()}


def site_of(sample: Sample) -> str:
    extra = sample.extra or {}
    return str(extra.get("repo") or urls.host(sample.url) or extra.get("host") or "")


def changes(samples: Sequence[Sample], known: int | None = None) -> list[Change]:
    """F1 of every page of a site, without and with what so many others repeat; all of them if no number is given."""
    pages = [tamis.parse(sample.html, sample.url) for sample in samples]
    alone = [tamis.Site() for _ in pages]
    for site, page in zip(alone, pages, strict=True):
        site.add(page)
    judged = [_judged(page, sample.gold) if sample.gold else None for page, sample in zip(pages, samples, strict=True)]
    found = []
    for place, (sample, page) in enumerate(zip(samples, pages, strict=True)):
        if not sample.gold or (own := judged[place]) is None:
            continue
        memory = tamis.Site()
        for other in [*alone[:place], *alone[place + 1 :]][:known]:
            memory.merge(other)
        others = [one for one in [*judged[:place], *judged[place + 1 :]][:known] if one]
        texts = [own.result.text, tamis.extract(page, site=memory).text, _best(own, memory), _by_paths(own, others)]
        scores = [bag_of_words(sample.gold, text).f1 for text in texts]
        found.append(Change._make([*scores, max(scores[0], scores[3])]))
    return found


class _Judged(NamedTuple):
    """A page as the default reads it without memory, and for each block its path and the share that is gold."""

    result: tamis.Extraction
    texts: list[str]
    is_kept: Bools
    path: Ints
    gold: Floats
    words: Ints

    def chosen(self, is_chosen: Bools) -> str:
        return "\n".join(self.texts[place] for place in np.flatnonzero(is_chosen))


def _judged(page: Page, gold: str) -> _Judged:
    result = tamis.extract(page)
    seen = result.view or result.page
    texts = [block.text for block in seen.blocks]
    is_kept = np.array([block.kept > 0 for block in result.blocks], dtype=np.bool_)
    containers = kernel.build_containers(seen)
    shares = text_labels([compare_words(text) for text in texts], compare_words(gold)) if texts else np.zeros(0)
    return _Judged(
        result, texts, is_kept, containers.paths[containers.holder].view(np.int64), shares, seen.blocks.words
    )


def _best(own: _Judged, memory: tamis.Site) -> str:
    """What the default keeps, but of the texts that other pages have those that are in the gold text."""
    repeated = repetitions(*text_hashes(own.result.view or own.result.page), memory).found > 0
    return own.chosen(np.where(repeated, own.gold > 0.5, own.is_kept)) if repeated.any() else own.result.text


def _by_paths(own: _Judged, others: Sequence[_Judged]) -> str:
    """What the default keeps, but of the paths that two other pages have those that are mostly gold there."""
    pages, gold, words = (defaultdict[int, float](float) for _ in range(3))
    for one in others:
        for path in set(one.path.tolist()):
            pages[path] += 1
        for path, share, count in zip(one.path.tolist(), one.gold.tolist(), one.words.tolist(), strict=True):
            gold[path] += share * count
            words[path] += count
    is_known = np.array([pages[path] > 1 and words[path] > 0 for path in own.path.tolist()], dtype=np.bool_)
    is_gold = np.array([gold[path] > words[path] / 2 for path in own.path.tolist()], dtype=np.bool_)
    return own.chosen(np.where(is_known, is_gold, own.is_kept)) if is_known.any() else own.result.text


def row(name: str, hosts: int, measured: Sequence[Change], parts: Sequence[str] = Change._fields) -> str:
    gains = np.array([change.memory - change.without for change in measured])
    counted = (f"{(gains > least).sum()} / {(gains < -least).sum()}" for least in (BETTER, MUCH))
    means = " | ".join(f"{_mean(measured, part):.4f}" for part in parts)
    return f"| {name} | {hosts} | {len(measured)} | {means} | {' | '.join(counted)} |"


def _mean(measured: Sequence[Change], part: str) -> float:
    return float(np.mean([getattr(change, part) for change in measured]))


if __name__ == "__main__":
    main()
