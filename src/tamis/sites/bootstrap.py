"""One page in, template detection out: the pages it links to are its training set.

Gottron (2008), section 7.2: fetch what the page links to, group by template, learn from the group of the page, and
clean the page with it. When too few pages share its template, an extractor for single pages does the work, and the
result says so. The thesis compares three settings, all with single linkage and the detector ``document_frequency``:

| name there | distance | threshold |
|---|---|---|
| cp-cluster | ``common_paths`` | 0.7 |
| cps-cluster | ``common_path_shingles`` | 0.6 |
| ctss-cluster | ``common_tag_sequence_shingles`` | 0.85 |

Departs: the crawl ends when enough pages of the template are known, and fetches several pages at once; the thesis names
both as ways to make it quicker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tamis import clusterers, extractors, registry, templates
from tamis.page.model import Page
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction

if TYPE_CHECKING:
    from tamis.fetching.answers import Fetched
    from tamis.fetching.crawl import Fetch
    from tamis.fetching.crawl import Options as CrawlOptions

__all__ = ["Options", "extract_from_web"]

AT_ONCE = 4  # ours: pages fetched at the same time; more gain nothing where a host is owed a delay between pages


@dataclass(frozen=True, kw_only=True)
class Options:
    """How pages of one template are found, and who cleans the page."""

    template: str = templates.DEFAULT
    template_options: Mapping[str, Any] = field(default_factory=dict)
    clusterer: str = clusterers.DEFAULT
    clusterer_options: Mapping[str, Any] = field(default_factory=dict)  # such as distance and threshold
    fallback: str = extractors.DEFAULT  # for a page that is like too few others; the thesis names accb and dsc
    enough: int = 20  # pages of the template, with the page itself, at which the crawl ends; ours

    def __post_init__(self) -> None:
        registry.make_options("templates", self.template, self.template_options)
        registry.make_options("clusterers", self.clusterer, self.clusterer_options)
        registry.load("extractors", self.fallback)
        check_ranges(self, enough=Range(templates.MIN_PAGES))  # so many are needed to learn from


def extract_from_web(
    start: str,
    options: Options | None = None,
    *,
    crawl_options: CrawlOptions | None = None,
    fetch: Fetch | None = None,
) -> Extraction:
    """The content of the page at an address, found with the help of the pages it links to."""
    from tamis.fetching.crawl import Options as CrawlOptions
    from tamis.fetching.crawl import crawl

    options = options or Options()
    pages: list[Page] = []
    enough = Enough(options)

    def keep(answer: Fetched) -> bool:
        pages.append(answer.parse())
        return not enough.reached(pages)

    crawl(start, crawl_options or CrawlOptions(at_once=AT_ONCE), keep, fetch=fetch)  # the start comes first
    return extract_among(pages, options)


def extract_among(pages: Sequence[Page], options: Options) -> Extraction:
    """The content of the first page, found with the help of those among the others that share its template."""
    own = [pages[place] for place in alike(pages, options)]
    template = templates.learn(own, options.template, options.template_options, options.fallback)
    return template.extract(pages[0])


def alike(pages: Iterable[Page], options: Options) -> tuple[int, ...]:
    """Places of the pages that are in one group with the first, which comes first; pages are not kept."""
    clustering = clusterers.cluster(pages, options.clusterer, **options.clusterer_options)
    return next(group for group in clustering.groups if 0 in group)


class Enough:
    """Tells when a growing list of pages holds enough that are like the first."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._next = options.enough  # pages; before there are so many, looking is of no use

    def reached(self, pages: Sequence[Page]) -> bool:
        """True if there are enough. Pages are compared only when so many came as were missing the last time."""
        if len(pages) < self._next:
            return False
        missing = self._options.enough - len(alike(pages, self._options))
        self._next = len(pages) + missing
        return missing <= 0
