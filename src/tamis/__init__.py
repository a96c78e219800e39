"""Tamis finds the main content of web pages and explains its choice.

>>> import tamis
>>> tamis.extract("<nav><a href='/'>Home</a></nav><p>A sentence that says something.</p>").text
'A sentence that says something.'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tamis._version import VERSION as __version__

if TYPE_CHECKING:
    from tamis.evaluation.measures import Score
    from tamis.page.limits import Limits
    from tamis.page.load import Source
    from tamis.page.model import Page
    from tamis.page.results import Clustering, Extraction, Segmentation, Template

__all__ = ["__version__", "cluster", "extract", "learn_template", "methods", "parse", "render", "score", "segment"]


def parse(source: Source, url: str | None = None, *, encoding: str | None = None, limits: Limits | None = None) -> Page:
    """Parse a page once, for use by every method."""
    from tamis.page.load import parse as parse_page

    return parse_page(source, url, encoding=encoding, limits=limits)


def extract(source: Source, *, url: str | None = None, method: str | None = None, **options: Any) -> Extraction:
    """The main content of a page: ``str``, ``bytes``, ``Path``, or a page that is parsed already."""
    from tamis import extractors

    return extractors.extract(parse(source, url), method or extractors.DEFAULT, **options)


def cluster(pages: Iterable[Source], *, method: str | None = None, **options: Any) -> Clustering:
    """Groups of pages made from one template; the pages may come one by one and are not kept."""
    from tamis import clusterers

    return clusterers.cluster((parse(page) for page in pages), method or clusterers.DEFAULT, **options)


def learn_template(pages: Iterable[Source], *, method: str | None = None, **options: Any) -> Template:
    """What the pages of one group share: ``template.extract(page)`` is the content of one of them, or of another."""
    from tamis import templates

    return templates.learn_template((parse(page) for page in pages), method or templates.DEFAULT, **options)


def render(source: Source, url: str | None = None, **options: Any) -> Page:
    """A page with the boxes a browser shows (extra ``rendering``); page scripts do not run unless asked for."""
    from tamis.rendering.render import render as render_page

    return render_page(source, url, **options)


def segment(source: Source, *, method: str | None = None, **options: Any) -> Segmentation:
    """The regions of a page, as a tree; best on a page that was rendered, else by an estimate of its layout."""
    from tamis import segmenters

    return segmenters.segment(parse(source), method or segmenters.DEFAULT, **options)


def methods(kind: str = "extractors") -> tuple[str, ...]:
    """Names of the methods of a kind; ``methods("outputs")`` and so on."""
    from tamis import registry

    return registry.names(kind)


def score(gold: str, extracted: str) -> dict[str, Score]:
    """Precision, recall and F1 of one text against its gold standard, by several measures (extra ``evaluation``)."""
    from tamis.evaluation import measures

    return {
        "bag": measures.bag_of_words(gold, extracted),
        "words": measures.word_sequence(gold, extracted),
        "set": measures.set_of_words(gold, extracted),
        "characters": measures.character_sequence(gold, extracted),
        "shingles": measures.shingles(gold, extracted),
    }
