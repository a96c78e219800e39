"""Pages made to break a parser or a method: each grows with a number, linearly in bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

Markup = str | bytes


@dataclass(frozen=True)
class Hostile:
    """A page of any size, and what reading it at full size runs into."""

    make: Callable[[int], Markup]
    full: int
    small: int  # enough to show the trouble, quick enough for every method
    limit: str = ""  # what the warning says that the full size gives


def _nested(*openings: str) -> Callable[[int], Markup]:
    return lambda n: "".join(opening * n for opening in openings) + "the core" + "<p>and after it"


def _repeated(piece: str, before: str = "", after: str = "") -> Callable[[int], Markup]:
    return lambda n: before + piece * n + after


def _attributes(n: int) -> Markup:
    return "<p " + " ".join(f"a{number}=v" for number in range(n)) + ">text</p>"


def _random_bytes(n: int) -> Markup:
    return b"<p>a page that begins well</p>" * 200 + random.Random(n).randbytes(n)


def _random_soup(n: int) -> Markup:
    pieces = (
        "<b> </i> <table> <td> </p> <select> word <svg> </svg> <!-- --> &amp; <template> <a> </a> <li> <br>".split()
    )
    return "".join(random.Random(n).choices(pieces, k=n))


def _lone_surrogates(n: int) -> Markup:
    named = "<img \ud800=x><i\udc00 class='\udbff' \udfff>c</i\udc00><!--\ud800--><a href='\ud800:x'>d</a>"
    escaped = """<script type=application/ld+json>{"@type": "Article", "headline": "\\ud800", "author": "\\udfff",
        "articleBody": "\\udfff", "url": "\\ud800"}</script><style>\ud800</style>"""
    return escaped + "<p>" + ("a\ud800 <b title='\udfff'>b</b>\udbff" + named) * n


_UNREADABLE = ("//[x]", "https://[::1", "http://[v1.x]:y/", "//a\u2100b.example/", "http://a:99999999/", "https://[")


def _unreadable_addresses(n: int) -> Markup:
    heads = "".join(
        f"<link rel='canonical next prev license alternate' type=application/rss+xml href='{url}'>"
        f"<meta property=og:image content='{url}'><base href='{url}'>"
        for url in _UNREADABLE
    )
    bodies = "".join(
        f"<p>words <a href='{url}'>of a link</a> <img src='{url}' srcset='{url} 2x' alt=a> and more</p>"
        f"<video src='{url}' poster='{url}'></video><audio src='{url}'></audio><iframe src='{url}'></iframe><p>b</p>"
        for url in _UNREADABLE
    )
    return heads + bodies * n


_DATES = (
    "12 March 2021 at 12:30 gmt",
    "12 March 2021 at 12:30 gmt+0200",
    "March 12, 2021, 25:61 utc",
    "12.03.2021 12:30 z",
    "2021-03-12T10:00:99+99:99",
    "Fri Mar 12 99:99:99 GMT+9999 2021",
    "20210312T999999Z",
    "99999999999999999999",
    "\u0661\u0662/\u0663/2021 12:3\u0660 +\u0660\u0662:\u0660\u0660",
)


def _odd_dates(n: int) -> Markup:
    heads = "".join(f"<meta property=article:published_time content='{date}'>" for date in _DATES)
    bodies = "".join(f"<p>written on <time datetime='{date}'>{date}</time> by A. Writer, {date}</p>" for date in _DATES)
    return heads + "<h1>Days</h1>" + bodies * n


def _opened_again(n: int) -> Markup:
    # The parser opens formatting that was not closed again in every paragraph.
    return "<p>" + "".join(f"<b n{number}>" for number in range(n)) + "</p>" + "<p>x</p>" * n


def _opened_again_inside(n: int) -> Markup:
    return f"<p>before<iframe srcdoc='{escape(str(_opened_again(n)))}'></iframe>"


def _pages_in_pages(n: int) -> Markup:
    page = "<p>innermost text" * n
    for level in range(5):
        page = f"<p>level {level}<noscript><iframe srcdoc='{escape(page)}'></iframe></noscript>"
    return page


# About 5 kB of text, so that what follows it is not taken for the start of a binary file.
_OPENING = "<p>" + "words before the trouble " * 200

HOSTILE = {
    "nested divs": Hostile(_nested("<div>"), 1_000_000, 500, "max_nodes"),
    "nested closed divs": Hostile(lambda n: "<div>" * n + "core" + "</div>" * n, 100_000, 500, "max_depth"),
    "nested lists": Hostile(_nested("<ul><li>"), 32_000, 250, "max_depth"),
    "nested tables": Hostile(_nested("<table><tr><td>"), 5_000, 75, "max_depth"),
    "tables without cells": Hostile(_nested("<table>"), 5_000, 75),
    "nested inline": Hostile(_nested("<span>"), 100_000, 500, "max_depth"),
    "nested links": Hostile(_nested("<a href=x>"), 5_000, 75),
    "nested buttons and forms": Hostile(_nested("<form><button>"), 20_000, 75),
    "formatting": Hostile(_nested("<b>", "<i>"), 2_000, 75, "max_depth"),
    "formatting before paragraphs": Hostile(lambda n: "<b><i><u><p>x" * n, 700, 15),
    "misnested formatting": Hostile(_repeated("<b><p></b>x"), 2_000, 50),
    "paragraphs": Hostile(_repeated("<p>one two "), 500_000, 500, "max_nodes"),
    "breaks": Hostile(_repeated("a<br>"), 200_000, 500),
    "links": Hostile(_repeated("<a href=x>two words</a> "), 100_000, 250),
    "tiny texts": Hostile(_repeated("<i>a</i>"), 100_000, 500),
    "foster parents": Hostile(_repeated("text<tr>", "<table>"), 50_000, 75),
    "stray closing tags": Hostile(_repeated("</p>x</div>"), 100_000, 250),
    "options": Hostile(_repeated("<option>one", "<select>"), 100_000, 250),
    "attributes": Hostile(_attributes, 100_000, 500, "max_attributes"),
    "long attribute": Hostile(_repeated("x ", "<p title='", "'>text"), 5_000_000, 1_250),
    "hidden elements": Hostile(_repeated("<p style='display:none'>x</p><p hidden>y</p>z"), 50_000, 125),
    "text": Hostile(_repeated("word ", "<p>"), 10_000_000, 1_250, "max_bytes"),
    "one word": Hostile(_repeated("x", "<p>"), 10_000_000, 5_000),
    "white space": Hostile(_repeated(" \n\t", "<p>a", "b"), 3_000_000, 1_250),
    "one line of ideographs": Hostile(_repeated("漢字仮名", "<p>"), 1_000_000, 1_250),
    "NULs": Hostile(_repeated("\0", _OPENING, "end"), 10_000_000, 5_000),
    "binary NULs": Hostile(lambda n: b"\0" * n, 10_000_000, 5_000),
    "entities": Hostile(_repeated("&amp;", "<p>"), 1_000_000, 500),
    "broken entities": Hostile(_repeated("&am&#x;&", "<p>"), 300_000, 500),
    "unterminated comment": Hostile(_repeated("<p>x ", "<p>before<!--"), 1_000_000, 500),
    "comments": Hostile(_repeated("a<!-- x -->", "<p>"), 100_000, 500),
    "unterminated attribute": Hostile(_repeated("<p>x ", "<p>before<a href='"), 1_000_000, 500, "max_nodes"),
    "formatting opened again": Hostile(_opened_again, 4_000, 60, "max_nodes"),
    "formatting opened again in pages in pages": Hostile(_opened_again_inside, 4_000, 60, "max_nodes"),
    "unterminated script": Hostile(_repeated("<p>x ", "<p>before<script>"), 1_000_000, 500),
    "open brackets": Hostile(_repeated("<", "<p>"), 2_000_000, 1_250),
    "self-closed XHTML": Hostile(_repeated("<div/>x", "<?xml version='1.0'?>"), 50_000, 250),
    "unclosed XHTML tags": Hostile(_repeated("<a ", "<?xml version='1.0'?>"), 500_000, 500),
    "nested noscripts": Hostile(_nested("<noscript>"), 50_000, 1_500),
    "nested noframes": Hostile(_nested("<noframes>"), 50_000, 1_500, "pages inside pages"),
    "nested textareas": Hostile(_nested("<textarea><p>"), 50_000, 1_500, "pages inside pages"),
    "textareas with markup": Hostile(_repeated("<textarea><p>x</p></textarea>"), 20_000, 50),
    "noscripts": Hostile(_repeated("<noscript><p>x</noscript>"), 20_000, 50),
    "frames with pages": Hostile(_repeated("<iframe srcdoc='<p>x'></iframe>"), 20_000, 50),
    "pages in pages": Hostile(_pages_in_pages, 2_000, 12, "pages inside pages"),
    "templates": Hostile(_nested("<template>"), 5_000, 75, "max_depth"),
    "foreign content": Hostile(_nested("<svg><desc>"), 20_000, 75, "max_depth"),
    "random soup": Hostile(_random_soup, 100_000, 500, "max_depth"),
    "random bytes": Hostile(_random_bytes, 5_000_000, 5_000, "max_depth"),
    "lone surrogates": Hostile(_lone_surrogates, 20_000, 100),
    "unreadable addresses": Hostile(_unreadable_addresses, 1_000, 10),
    "odd dates": Hostile(_odd_dates, 2_000, 10),
    "unseen characters": Hostile(
        _repeated("&#8203;&lt;&shy;b>&#8288;<a href='java&#8203;script:x'>a</a>"), 20_000, 100
    ),
}
