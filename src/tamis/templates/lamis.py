"""LAMIS: the tables of contents and articles of a site, by links weighted by the entropy of their words.

Idea:      a link whose words stand on every page says little. Rank pages as hubs and authorities with links weighted
           by one minus the entropy of their words; on the best hubs find the informative blocks: what these link to are
           the articles, and the words that told the blocks apart clean every page.
Reference: Kao, Chen, Lin & Ho (2002); Kao, Lin, Ho & Chen (2004); as described by Gottron (2008), section 3.3.7.
Departs:   links without words count by ``alt`` or ``title``, or not at all; links between the same two pages add up.
           The number of hubs is an option: the source gives none. With fewer than two hubs all pages are learned from.
Strong at: the structure of a site: an advertisement that every page links to is not an authority.
Weak at:   pages without addresses, which cannot be linked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import COUNT, check_ranges
from tamis.results import Extraction, Template
from tamis.templates import infodiscoverer
from tamis.templates._entropy import BLOCKS, block_entropy, block_features, features, word_entropies
from tamis.templates._links import links, page_numbers

_MAX_ROUNDS = 100
_SMALLEST_CHANGE = 1e-8


@dataclass(frozen=True, kw_only=True)
class Options:
    """How many pages are taken for tables of contents."""

    max_hubs: int = 5  # our choice

    def __post_init__(self) -> None:
        check_ranges(self, max_hubs=COUNT)


class Ranking(NamedTuple):
    """Of each page, how good it is at pointing to articles, and how good an article it is."""

    hubs: Floats
    authorities: Floats


class Model(infodiscoverer.Model):
    """What is learned, in types that JSON has."""

    tables_of_contents: list[str | None]
    articles: list[str | None]


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    ranking = rank(pages)
    order = np.argsort(-ranking.hubs, kind="stable")[: options.max_hubs]
    contents = [int(number) for number in order if ranking.hubs[number] > 0]
    chosen = [pages[number] for number in contents] if len(contents) > 1 else list(pages)
    learned = infodiscoverer.learn_template(chosen, infodiscoverer.Options())
    structure = {
        "tables_of_contents": [pages[number].url for number in contents],
        "articles": _articles(pages, contents, learned),
    }
    notes = () if contents else ("lamis: no page links to another one",)
    return Template(model={**learned.model, **structure}, notes=notes)


def extract(page: Page, template: Template, options: Options) -> Extraction:
    return infodiscoverer.extract(page, template, infodiscoverer.Options())


def rank(pages: Sequence[Page], *, weighted: bool = True) -> Ranking:
    """Hubs and authorities after Kleinberg (1999), each of length 1; not weighted, every link counts 1."""
    weights = _link_weights(pages, weighted)
    hubs = np.ones(len(pages))
    authorities = np.ones(len(pages))
    for _ in range(_MAX_ROUNDS):
        new_authorities = _unit(weights.T @ hubs)
        new_hubs = _unit(weights @ new_authorities)
        change = np.abs(new_hubs - hubs).max(initial=0) + np.abs(new_authorities - authorities).max(initial=0)
        hubs, authorities = new_hubs, new_authorities
        if change < _SMALLEST_CHANGE:
            break
    return Ranking(hubs, authorities)


def _link_weights(pages: Sequence[Page], weighted: bool) -> Floats:
    """What the links from each page to each other one are worth together."""
    number = page_numbers(pages)
    entropies = word_entropies([block_features(page, BLOCKS) for page in pages]) if weighted else {}
    weights = np.zeros((len(pages), len(pages)))
    for source, page in enumerate(pages):
        for link in links(page):
            target = number.get(link.target)
            if target is None or target == source:
                continue
            said = features(page.node_text(link.node) or _described(page, link.node))
            weights[source, target] += (1 - block_entropy(said, entropies)) if weighted else 1.0
    return weights


def _described(page: Page, node: int) -> str:
    """What stands for a link without words."""
    images = np.arange(node, int(page.nodes.end[node]))
    images = images[page.nodes.named("img")[images]]
    return " ".join(filter(None, (*page.attribute(images, "alt"), page.attributes(node).get("title"))))


def _articles(pages: Sequence[Page], contents: Sequence[int], learned: Template) -> list[str | None]:
    """Addresses of the pages that informative blocks of the tables of contents link to."""
    number = page_numbers(pages)
    found: dict[int, None] = {}
    for place in contents:
        page = pages[place]
        informative = infodiscoverer.informative_blocks(page, learned, infodiscoverer.Options())
        owners = page.nodes.nearest(page.nodes.named(*BLOCKS))
        for link in links(page):
            target = number.get(link.target)
            if target is not None and target != place and int(owners[link.node]) in informative:
                found[target] = None
    return [pages[target].url for target in found]


def _unit(values: Floats) -> Floats:
    length = float(np.sqrt((values**2).sum()))
    return values / length if length else values
