"""One page in, template detection out: the pages it links to are its training set.

Gottron (2008), section 7.2: fetch what the page links to, group by template, learn from the group of the page, and
clean the page with it. When too few pages share its template, the single-page default does the work, and the result
says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis import clusterers, templates
from tamis.fetching.answers import Fetched
from tamis.fetching.crawl import Options as CrawlOptions
from tamis.fetching.crawl import crawl
from tamis.results import Extraction

if TYPE_CHECKING:
    from tamis.fetching.crawl import Fetch


def extract_from_web(
    start: str, options: CrawlOptions | None = None, *, method: str = templates.DEFAULT, fetch: Fetch | None = None
) -> Extraction:
    """The content of the page at an address, found with the help of the pages it links to."""
    pages = []

    def keep(answer: Fetched) -> None:
        pages.append(answer.parse())

    crawl(start, options, keep, fetch=fetch)
    clustering = clusterers.cluster(pages)
    own = next(group for group in clustering.groups if 0 in group)  # the start comes first
    return templates.learn_template([pages[place] for place in own], method).extract(pages[0])
