"""The most used functions of trafilatura 2, with the extraction of Tamis.

    from tamis.compat import trafilatura

Arguments that only steer trafilatura's own heuristics (``IGNORED``) are accepted and do nothing. Arguments whose
effect would be missed are refused: ``prune_xpath`` (use ``tamis.extract(..., drop="a CSS selector")``) and the formats
``csv`` and ``xml``. ``txt`` separates blocks by a blank line, where trafilatura has a line break.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import tamis
from tamis import extractors, urls
from tamis.compat import missing
from tamis.errors import OptionError, TamisError
from tamis.page.load import Source
from tamis.results import Extraction

__all__ = ["Document", "bare_extraction", "extract", "extract_metadata", "fetch_url", "html2txt"]

IGNORED = frozenset(
    "config date_config date_extraction_params deduplicate extensive fast max_tree_size no_fallback no_ssl options "
    "settingsfile tei_validation".split()
)
"""Arguments of trafilatura that are accepted and do nothing."""
_FORMATS = {"txt": "text", "markdown": "markdown", "html": "html", "json": "json", "xmltei": "tei", "python": "text"}
_BIAS = 0.5  # from -1 (precision) to 1 (recall); as the table of docs/migrating.md has it


def __getattr__(name: str) -> Any:
    raise AttributeError(missing(__name__, name, __all__))


@dataclass(kw_only=True)
class Document:
    """What is known of a page, under the names that trafilatura has for it."""

    title: str | None = None
    author: str | None = None  # several are joined by "; "
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None  # the day
    categories: list[str] = dataclasses.field(default_factory=list)
    tags: list[str] = dataclasses.field(default_factory=list)
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    comments: str | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return dataclasses.asdict(self)


def extract(
    filecontent: Source | None,
    url: str | None = None,
    record_id: str | None = None,
    *,
    output_format: str = "txt",
    include_comments: bool = True,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    with_metadata: bool = False,
    **conditions: Any,
) -> str | None:
    """The main content of a page in one format; None if there is none, or a condition is not met.

    Other arguments: ``favor_precision``, ``favor_recall``, ``target_language``, ``only_with_metadata``,
    ``url_blacklist``, ``author_blacklist``, and those that do nothing.
    """
    if output_format not in _FORMATS:
        known = ", ".join(sorted(_FORMATS))
        raise OptionError(f"output_format {output_format!r} is not supported: choose one of {known}")
    found = _found(filecontent, url, record_id, include_comments=include_comments, **conditions)
    if found is None:
        return None
    extraction, document = found
    asked = {"tables": include_tables, "images": include_images, "links": include_links, "comments": include_comments}
    kept = {name: bool(value) for name, value in asked.items()}
    if output_format == "json":
        return _as_json(extraction, document, kept, with_metadata)
    name = "markdown" if output_format == "txt" and include_formatting else _FORMATS[output_format]
    content = extraction.render(name, **kept)
    return f"{_header(document)}{content}" if with_metadata and name in ("text", "markdown") else content


def bare_extraction(
    filecontent: Source | None,
    url: str | None = None,
    record_id: str | None = None,
    *,
    as_dict: bool = False,
    include_comments: bool = True,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    output_format: str = "python",
    with_metadata: bool = False,
    **conditions: Any,
) -> Document | dict[str, Any] | None:
    """The content together with what is known of the page; None if there is none, or a condition is not met.

    ``output_format`` and ``with_metadata`` change nothing here: the text is plain, or Markdown with
    ``include_formatting``, and the rest is always there.
    """
    del output_format, with_metadata
    found = _found(filecontent, url, record_id, include_comments=include_comments, **conditions)
    if found is None:
        return None
    extraction, document = found
    document.text = extraction.render(
        "markdown" if include_formatting else "text",
        tables=include_tables,
        images=include_images,
        links=include_links,
        comments=include_comments,
    )
    return document.as_dict() if as_dict else document


def extract_metadata(filecontent: Source, default_url: str | None = None, **ignored: Any) -> Document:
    """What the page says about itself."""
    blacklist = ignored.pop("author_blacklist", None)
    _check(ignored)
    return _document(tamis.extract(filecontent, url=default_url, method="keep_all"), None, blacklist)


def html2txt(content: Source, clean: bool = True) -> str:
    """All visible text of a page; with ``clean`` without navigation, header and footer."""
    return tamis.extract(content, method="keep_all", drop="nav, header, footer, aside" if clean else None).text


def fetch_url(url: str, **ignored: Any) -> str | None:
    """The markup of the page at a URL, decoded; None if it cannot be fetched (extra ``fetching``)."""
    from tamis.fetching.http import fetch

    _check(ignored)
    try:
        return fetch(url).parse().source
    except TamisError:
        return None


def _found(
    filecontent: Source | None,
    url: str | None,
    record_id: str | None,
    *,
    include_comments: bool,
    favor_precision: bool = False,
    favor_recall: bool = False,
    target_language: str | None = None,
    only_with_metadata: bool = False,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    prune_xpath: Any = None,
    **ignored: Any,
) -> tuple[Extraction, Document] | None:
    """The extraction of a page that meets the conditions."""
    _check(ignored)
    if prune_xpath is not None:
        raise OptionError("prune_xpath is not supported: pass a CSS selector to tamis.extract(..., drop=...)")
    if filecontent is None:  # what ``fetch_url`` gives for a page that cannot be fetched
        return None
    bias = _BIAS * (bool(favor_recall) - bool(favor_precision))  # theirs take anything that is true or not
    comments = "auto" if include_comments else "drop"
    extraction = tamis.extract(filecontent, url=url, method=extractors.DEFAULT, bias=bias, comments=comments)
    if extraction.status == "empty":
        return None
    document = _document(extraction, record_id, author_blacklist)
    if document.url is not None and document.url in (url_blacklist or ()):
        return None
    if target_language is not None and (document.language or target_language)[:2] != target_language[:2]:
        return None
    if only_with_metadata and not (document.date and document.title and document.url):
        return None
    document.text = document.raw_text = extraction.text
    document.comments = "\n".join(post.text for post in extraction.comments) if include_comments else None
    return extraction, document


def _check(arguments: dict[str, Any]) -> None:
    if unknown := sorted({*arguments} - IGNORED):
        raise TypeError(f"unexpected argument {unknown[0]!r}")


def _document(extraction: Extraction, record_id: str | None, blacklist: Collection[str] | None) -> Document:
    said = extraction.metadata
    authors = [author for author in said.authors if author not in (blacklist or ())]
    return Document(
        title=said.title,
        author="; ".join(authors) or None,
        url=said.url,
        hostname=urls.host(said.url) or None,
        description=said.description,
        sitename=said.site_name,
        date=said.date[:10] if said.date else None,
        categories=list(said.categories or said.breadcrumbs),
        tags=list(said.tags),
        fingerprint=hashlib.sha256(extraction.text.encode("utf-8", "replace")).hexdigest()[:16],
        id=record_id,
        license=said.licence,
        language=said.language,
        image=said.image,
        pagetype=said.page_type,
    )


def _as_json(extraction: Extraction, document: Document, kept: dict[str, bool], with_metadata: bool) -> str:
    document.text = extraction.render("text", **kept)
    values = document.as_dict()
    if not with_metadata:
        values = {name: values[name] for name in ("text", "comments")}
    else:
        values |= {"source": values.pop("url"), "source-hostname": values.pop("sitename")}
        values |= {"excerpt": values.pop("description")}
    return json.dumps(values, ensure_ascii=False)


def _header(document: Document) -> str:
    names = "title author url hostname description sitename date id license".split()
    lines = [f"{name}: {value}" for name in names if (value := getattr(document, name))]
    return "\n".join(("---", *(" ".join(line.split()) for line in lines), "---", ""))
