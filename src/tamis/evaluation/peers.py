"""Other people's extractors, called as their authors recommend: one table, with where each setting comes from.

They are imported when they are used and belong to the extra ``peers``; none of them is needed otherwise. Those that
give HTML are turned into text by Tamis, which keeps all of it.
"""

from __future__ import annotations

import functools
import importlib
import re
import warnings
from collections.abc import Callable
from importlib import metadata
from typing import Any, NamedTuple

from tamis.errors import OptionError


class Peer(NamedTuple):
    """An extractor of another package."""

    package: str  # what pip installs
    module: str
    extract: Callable[[Any, str, str | None], str | None]  # module, page, address → text, or HTML
    gives_html: bool = False


_NOWHERE = "http://localhost/"


_LANGUAGE = re.compile(r"<html\b[^>]*?\blang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)
_STOP_LISTS = dict(
    pair.split("=")
    for pair in (
        "ar=Arabic bg=Bulgarian cs=Czech da=Danish de=German el=Greek es=Spanish et=Estonian fa=Persian fi=Finnish "
        "fr=French he=Hebrew hi=Hindi hr=Croatian hu=Hungarian id=Indonesian it=Italian ko=Korean lt=Lithuanian "
        "lv=Latvian nl=Dutch no=Norwegian_Bokmal nb=Norwegian_Bokmal pl=Polish pt=Portuguese ro=Romanian ru=Russian "
        "sk=Slovak sl=Slovenian sr=Serbian sv=Swedish tr=Turkish uk=Ukrainian vi=Vietnamese"
    ).split()
)
"""jusText's own lists, by the code of the language."""


def _language(html: str) -> str:
    """The name jusText has for the language that a page says it is in; English if it says nothing.

    >>> _language('<html lang="de-AT">'), _language("<p>")
    ('German', 'English')
    """
    found = _LANGUAGE.search(html)
    return _STOP_LISTS.get(found.group(1).lower(), "English") if found else "English"


@functools.cache
def _stop_words(module: Any, language: str) -> frozenset[str]:
    words: frozenset[str] = module.get_stoplist(language)
    return words


@functools.cache
def _goose(module: Any) -> Any:
    return module.Goose()


PEERS = {
    # Comments are left out, as in its author's own comparisons; the rest is its quick start.
    "trafilatura": Peer(
        "trafilatura", "trafilatura", lambda module, html, url: module.extract(html, url=url, include_comments=False)
    ),
    # The settings with which its author runs it in the Web Content Extraction Benchmark (Bevendorff et al. 2023).
    "resiliparse": Peer(
        "resiliparse",
        "resiliparse.extract.html2text",
        lambda module, html, _: module.extract_plain_text(
            html,
            preserve_formatting=True,
            main_content=True,
            list_bullets=False,
            alt_texts=False,
            links=False,
            comments=False,
        ),
    ),
    # The example of its README, without html and body elements around the part that is found.
    "readability-lxml": Peer(
        "readability-lxml",
        "readability",
        lambda module, html, url: module.Document(html, url=url).summary(html_partial=True),
        gives_html=True,
    ),
    # The example of its README, with its stop words for the language of the page.
    "justext": Peer(
        "jusText",
        "justext",
        lambda module, html, _: "\n\n".join(
            paragraph.text
            for paragraph in module.justext(html, _stop_words(module, _language(html)))
            if not paragraph.is_boilerplate
        ),
    ),
    # The extractor of its README's examples, said there to be more accurate on articles than its default.
    "boilerpy3": Peer(
        "boilerpy3",
        "boilerpy3.extractors",
        lambda module, html, _: module.ArticleExtractor().get_content(html),
    ),
    # Its way for pages that are downloaded already; images would be asked for over the network.
    "newspaper4k": Peer(
        "newspaper4k",
        "newspaper",
        lambda module, html, url: module.article(url or _NOWHERE, input_html=html, fetch_images=False).text,
    ),
    # Its way for raw HTML; images are not fetched unless asked for.
    "goose3": Peer("goose3", "goose3", lambda module, html, _: _goose(module).extract(raw_html=html).cleaned_text),
    # Its one call for main content.
    "turbohtml": Peer("turbohtml", "turbohtml", lambda module, html, _: module.parse(html).main_text()),
    # No extraction, only text as a reader sees it: a floor like keep_all, made by others.
    "html-text": Peer("html-text", "html_text", lambda module, html, _: module.extract_text(html)),
}


def import_peer(name: str) -> Any:
    """The module of a peer; one that is not installed is answered with the line that installs it."""
    peer = PEERS[name]
    try:
        with warnings.catch_warnings(action="ignore"):  # such as of extras of theirs that are not installed
            return importlib.import_module(peer.module)
    except ImportError as error:
        raise OptionError(
            f"the peer {name!r} is not installed ({error}): pip install {peer.package}, "
            "or all peers with pip install 'tamis[peers]', and then pip install 'tamis[more-peers]'"
        ) from error


def peer_version(name: str) -> str:
    """The version of a peer that is installed; empty if none is."""
    try:
        return metadata.version(PEERS[name].package)
    except metadata.PackageNotFoundError:
        return ""


def run_peer(name: str, html: str, url: str | None) -> str | None:
    """The text a peer extracts."""
    found = PEERS[name].extract(import_peer(name), html, url)
    return all_text(found) if found and PEERS[name].gives_html else found


def all_text(html: str | bytes, encoding: str | None = None) -> str:
    """All text of a page that was filtered already."""
    from tamis.extractors import keep_all
    from tamis.page.load import parse

    return keep_all.extract(parse(html, encoding=encoding), keep_all.Options()).text
