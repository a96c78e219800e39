"""The numbers of extractors/sieve/site.py: a logistic regression on train pages whose site has others at hand.

A row is a block whose text stands on another page of its site. Its label is the share of its words that the gold text
holds; its offset the log odds of the model, so that only what the site adds is learned. Blocks that the model is sure
to drop are left out: nothing can be learned from them for the choice. Every page is seen with few others and with many.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import tamis
from bench.site_memory import Change, row, site_of
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.evaluation.measures import bag_of_words
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve import Options
from tamis.extractors.sieve.choosing import choose
from tamis.extractors.sieve.memory import Hashes, Site, make_sketch, text_hashes
from tamis.extractors.sieve.model import load_model
from tamis.extractors.sieve.reading import Reading, read_page
from tamis.extractors.sieve.site import repetitions
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.training.labels import text_labels

GOLD = ("wcxb", "newspaper4k_articles", "magic_html_bench", "chinese_wced", "forum_harvest", "fundus", "postlight",
        "static_sites")  # fmt: skip
OTHERS = ("trafilatura_eval", "recipes", "pagination_autopager")  # no gold, or a partial one: only as other pages
NO_SITES = ("", "web.archive.org", "localhost")
KNOWN = (1, 2, 4, 8, None)
LEAST_ODDS = -1.5  # below it blocks are dropped whatever the site says; -1.5 and 0 give the same within 0.001
RIDGE = 1.0  # against some 600 blocks
NAMES = ("BASE", "SHARE", "LENGTH", "ARTICLE")


@dataclass(frozen=True, eq=False)
class Known:
    """A page, read once."""

    sample: Sample
    seen: Page
    text: Hashes
    is_long: Bools
    reading: Reading
    words: Ints
    texts: list[str]
    labels: Floats | None


@dataclass(frozen=True, eq=False)
class Case:
    """A page and so many other pages of its site."""

    page: Known
    site: str
    inputs: Floats  # a column for each of NAMES
    is_repeated: Bools
    weight: float


def report() -> None:
    """Print the numbers, and for each dataset what those are worth that were learned from the others."""
    cases = [case for site, pages in _sites().items() for case in _cases(site, pages)]
    print(dict(zip(NAMES, fit(cases).round(2).tolist(), strict=True)))
    print("| left out | sites | pages | without | with | at best | better / worse by > .005 | by > .02 |")
    for name in GOLD:
        own = [case for case in cases if case.page.sample.dataset == name]
        numbers = fit([case for case in cases if case.page.sample.dataset != name])
        measured = [_change(case, numbers) for case in own]
        print(row(name, len({case.site for case in own}), measured, ("without", "memory", "best")), flush=True)


def fit(cases: Sequence[Case]) -> Floats:
    """Newton's method; datasets weigh the root of what they hold, so that the largest does not decide alone."""
    used = [case.is_repeated & (case.page.reading.log_odds > LEAST_ODDS) for case in cases]
    inputs = np.concatenate([case.inputs[rows] for case, rows in zip(cases, used, strict=True)])
    offset = np.concatenate([case.page.reading.log_odds[rows] for case, rows in zip(cases, used, strict=True)])
    labels = np.concatenate([_labels(case)[rows] for case, rows in zip(cases, used, strict=True)])
    weights = np.concatenate(
        [np.sqrt(case.page.words[rows]) * case.weight for case, rows in zip(cases, used, strict=True)]
    )
    dataset = np.repeat([case.page.sample.dataset for case in cases], [int(rows.sum()) for rows in used])
    for name in np.unique(dataset):
        weights[dataset == name] /= np.sqrt(weights[dataset == name].sum())
    weights *= 600 / weights.sum()
    numbers = np.zeros(inputs.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(offset + inputs @ numbers, -30, 30)))
        slope = inputs.T @ (weights * (labels - chances)) - RIDGE * numbers
        curvature = (inputs * (weights * chances * (1 - chances))[:, None]).T @ inputs + RIDGE * np.eye(len(numbers))
        numbers += np.linalg.solve(curvature, slope)
    return numbers


def _labels(case: Case) -> Floats:
    assert case.page.labels is not None  # noqa: S101 - cases are pages with gold
    return case.page.labels


def _sites() -> dict[str, list[Known]]:
    """Sites with two different pages at least, one of them with gold."""
    samples: dict[str, dict[str, Sample]] = defaultdict(dict)
    for name in (*GOLD, *OTHERS):
        for sample in open_dataset(f"train/{name}"):
            if (site := site_of(sample)) not in NO_SITES:
                samples[site].setdefault(sample.url or sample.id, sample)
    wanted = {
        site: list(own.values())
        for site, own in samples.items()
        if len(own) > 1 and any(_has_gold(sample) for sample in own.values())
    }
    return {site: [page for page in map(_read, own) if page] for site, own in wanted.items()}


def _has_gold(sample: Sample) -> bool:
    return bool(sample.gold) and sample.dataset in GOLD


def _read(sample: Sample) -> Known | None:
    page = tamis.parse(sample.html, sample.url).revealed()
    if not len(page.blocks):
        return None
    texts = [block.text for block in page.blocks]
    gold = compare_words(sample.gold) if sample.gold and _has_gold(sample) else None
    labels = None if gold is None else text_labels([compare_words(text) for text in texts], gold)
    return Known(sample, page, *text_hashes(page), read_page(page, load_model("")), page.blocks.words, texts, labels)


def _cases(site: str, pages: Sequence[Known]) -> list[Case]:
    found = []
    for place, page in enumerate(pages):
        others = [*pages[:place], *pages[place + 1 :]]
        sizes = {len(others[:known]) for known in KNOWN}
        for size in sorted(sizes) if page.labels is not None else ():
            memory = Site()
            memory.take(make_sketch(other.text, other.is_long) for other in others[:size])
            repeated = repetitions(page.text, page.is_long, memory)
            odds = np.log((repeated.found + 0.5) / (repeated.pages - repeated.found + 0.5))
            is_article = np.full(len(odds), float(page.reading.page_type == "article"))
            inputs = np.column_stack([np.ones(len(odds)), odds, np.log1p(page.words), is_article])
            weight = 1 / len(sizes) / np.sqrt(len(pages))
            found.append(Case(page, site, inputs, repeated.found > 0, float(weight)))
    return found


def _change(case: Case, numbers: Floats) -> Change:
    page = case.page
    shift = np.where(case.is_repeated, np.minimum(case.inputs @ numbers, 0.0), 0.0)
    reading = dataclasses.replace(page.reading, log_odds=page.reading.log_odds + shift)
    without, memory = (choose(page.seen, read, Options()).kept for read in (page.reading, reading))
    best = without if page.labels is None else np.where(case.is_repeated, page.labels > 0.5, without)
    texts = ("\n".join(np.array(page.texts, dtype=object)[kept]) for kept in (without, memory, best))
    return Change(*(bag_of_words(page.sample.gold or "", text).f1 for text in texts))
