"""Tamis finds the main content of web pages and explains its choice.

>>> import tamis
>>> tamis.extract("<nav><a href='/'>Home</a></nav><p>A sentence that says something.</p>").text
'A sentence that says something.'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamis._version import VERSION as __version__

if TYPE_CHECKING:
    from tamis.evaluation.measures import Score
    from tamis.extractors.sieve.memory import Site
    from tamis.page.limits import Limits
    from tamis.page.load import Source
    from tamis.page.model import Page
    from tamis.page.spans import Span
    from tamis.results import Clustering, Extraction, Region, Segmentation, Template

__all__ = [
    "Clustering",
    "Extraction",
    "Limits",
    "Page",
    "Region",
    "Segmentation",
    "Site",
    "Span",
    "Template",
    "__version__",
    "cluster",
    "extract",
    "learn_template",
    "methods",
    "parse",
    "render",
    "score",
    "segment",
]

_HOMES = {
    "extractors.sieve.memory": ("Site",),
    "page.limits": ("Limits",),
    "page.model": ("Page",),
    "page.spans": ("Span",),
    "results": ("Clustering", "Extraction", "Region", "Segmentation", "Template"),
}
"""The modules of the public classes, which are imported when they are asked for."""


def __getattr__(name: str) -> Any:
    for module, held in _HOMES.items():
        if name in held:
            return getattr(import_module(f"tamis.{module}"), name)
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")


def parse(source: Source, url: str | None = None, *, encoding: str | None = None, limits: Limits | None = None) -> Page:
    """Parse a page once, for use by every method.

    ``source`` is HTML (``str``, never a file name), undecoded ``bytes``, a file (``Path``), or a page that is already
    parsed. ``url`` is its URL, which makes links absolute. ``encoding`` is the character encoding of the HTTP header.
    ``limits`` are the largest size, depth and memory of the page.

    >>> parse("<p>Grüße</p>".encode("latin-1"), encoding="windows-1252").text
    'Grüße'
    """
    from tamis.page.load import parse as parse_page

    return parse_page(source, url, encoding=encoding, limits=limits)


def extract(
    source: Source, *, url: str | None = None, method: str | None = None, site: Site | None = None, **options: Any
) -> Extraction:
    """Extract the main content of a page: ``str``, ``bytes``, ``Path``, or a page that is already parsed.

    ``url`` is the URL of the page, ``method`` one of ``tamis.methods()`` (default ``sieve``). ``site`` is a memory of
    what other pages of the same site repeat, which the default uses as evidence. ``options`` are those of the method
    and, for every method, ``keep`` and ``drop``: CSS selectors of elements to keep or drop in any case.

    >>> extract("<h1>Rain</h1><p>Water, at last.</p>", method="keep_all", drop="h1").text
    'Water, at last.'
    """
    from tamis import extractors

    return extractors.extract(
        parse(source, url), extractors.DEFAULT if method is None else method, site=site, **options
    )


def cluster(pages: Iterable[Source], *, method: str | None = None, **options: Any) -> Clustering:
    """Group pages that were made from one template; pages may come from a generator and are not kept in memory.

    ``method`` is one of ``tamis.methods("clusterers")``, and ``options`` are its options.

    >>> cluster(["<p>One</p>", "<ul><li>Two<li>Three</ul>", "<p>Four</p>"]).groups
    ((0, 2), (1,))
    """
    from tamis import clusterers

    return clusterers.cluster(_parsed(pages), clusterers.DEFAULT if method is None else method, **options)


def learn_template(pages: Iterable[Source], *, method: str | None = None, **options: Any) -> Template:
    """Learn what the pages of one group share; ``template.extract(page)`` extracts one of them, or another page.

    ``method`` is one of ``tamis.methods("templates")``, and ``options`` are its options.

    >>> template = learn_template((f"<p>Home</p><h1>Page {number}</h1>" for number in range(5)), method="slots")
    >>> template.extract(parse("<p>Home</p><h1>Page 99</h1>")).text
    'Page 99'
    """
    from tamis import templates

    return templates.learn_template(_parsed(pages), templates.DEFAULT if method is None else method, **options)


def _parsed(pages: Iterable[Source]) -> Iterator[Page]:
    from tamis.errors import InputError

    if not isinstance(pages, Iterable) or isinstance(pages, str | bytes | bytearray | memoryview):
        raise InputError(f"several pages are expected, not one {type(pages).__name__}: pass a list of them")
    return (parse(page) for page in pages)


def render(source: Source, url: str | None = None, **options: Any) -> Page:
    """Render a page in a browser and return it with its layout boxes; page scripts run only on request.

    Needs the extra ``rendering``. ``options`` are the size of the window, what the page may load, and the limits of the
    browser.
    """
    from tamis.rendering.render import render as render_page

    return render_page(source, url, **options)


def segment(source: Source, *, method: str | None = None, **options: Any) -> Segmentation:
    """Divide a page into a tree of regions; uses the layout of a rendered page, else an estimate of it.

    ``method`` is one of ``tamis.methods("segmenters")``, and ``options`` are its options.

    >>> len(segment("<h1>Rain</h1><p>Water, at last.</p>", method="text_nodes").leaves)
    2
    """
    from tamis import segmenters

    return segmenters.segment(parse(source), segmenters.DEFAULT if method is None else method, **options)


def methods(kind: str = "extractors") -> tuple[str, ...]:
    """List the names of the methods of a kind, such as ``methods("outputs")``.

    The kinds are ``extractors``, ``segmenters``, ``clusterers``, ``distances``, ``templates`` and ``outputs``.

    >>> methods("clusterers")
    ('average_linkage', 'k_median', 'minhash', 'representatives', 'single_linkage')
    """
    from tamis import registry

    return registry.names(kind)


def score(gold: str, extracted: str) -> dict[str, Score]:
    """Score an extracted text against its gold text: precision, recall and F1, by several measures.

    Needs the extra ``evaluation``. ``bag`` counts words in any order, ``words`` in order, ``set`` each word once;
    ``characters`` counts characters in order, and ``shingles`` runs of four words.

    >>> score("one two three four", "two three")["words"]
    Score(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    from tamis.errors import InputError
    from tamis.evaluation import measures

    for name, text in (("gold", gold), ("extracted", extracted)):
        if not isinstance(text, str):
            raise InputError(f"{name} is {type(text).__name__}, but str is expected: pass the text")
    return {
        "bag": measures.bag_of_words(gold, extracted),
        "words": measures.word_sequence(gold, extracted),
        "set": measures.set_of_words(gold, extracted),
        "characters": measures.character_sequence(gold, extracted),
        "shingles": measures.shingles(gold, extracted),
    }
