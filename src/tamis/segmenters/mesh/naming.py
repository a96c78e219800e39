"""What the parts of a page are called in class, id and role, and whether they say who holds the rights."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.segmenters.mesh.candidates import Candidates, VisiblePieces

_WORDS: dict[str, tuple[str, ...]] = {
    "header": ("header", "head", "masthead", "kopf", "entete", "cabecera", "testata"),
    "footer": ("footer", "foot", "bottom", "copyright", "fuss", "pied", "pie"),
    "menu": ("menu", "nav", "tabs", "navigation", "breadcrumb", "toolbar"),
    "content": ("content", "main", "inhalt", "contenu", "contenido", "body", "center", "centre", "middle"),
    "side": ("sidebar", "side", "aside", "secondary", "rail", "left", "right", "column", "col"),
    "article": ("article", "post", "entry", "story", "news", "item", "teaser", "node", "blog"),
    "title": ("title", "headline", "heading", "titel", "titre"),
    "logo": ("logo", "brand"),
    "search": ("search", "suche", "recherche", "zoek"),
    "ad": ("advert", "banner", "sponsor", "adsense", "promo"),
    "comments": ("comment", "reply", "disqus"),
    "picture": ("image", "img", "photo", "slide", "gallery", "banner", "thumb", "pic"),
    "wrapper": ("wrap", "container", "page", "outer", "inner", "layout", "row"),
    "box": ("box", "block", "module", "widget", "panel", "portlet", "moduletable", "section"),
    "list": ("list", "links", "related", "archive", "tags", "categor"),
    "top": ("top",),
}  # words of class, id and role that designers give to the parts of a page, in a few languages; ours
KINDS = tuple(_WORDS)
_KIND_OF = {word: 1 << number for number, words in enumerate(_WORDS.values()) for word in words}
_LONGEST_FIRST = sorted(_KIND_OF, key=lambda word: (-len(word), word))
# By their first letters, so that at each place only few words are compared.
_ANY_WORD = re.compile(
    "|".join(
        f"{letter}(?:{'|'.join([word[1:] for word in _LONGEST_FIRST if word[0] == letter])})"
        for letter in sorted({word[0] for word in _LONGEST_FIRST})
    )
)
_COPYRIGHT = ("©", "(c)", "copyright", "all rights")


def naming(page: Page, candidates: Candidates) -> dict[str, Floats]:
    """Words in the names of a candidate, of those around it, and of those below it."""
    ours = np.flatnonzero((candidates.of_node >= 0) & page.nodes.elements)
    known: dict[str, int] = {"": 0}
    bits = np.zeros(len(candidates), dtype=np.int64)
    codes = []
    for name in page.names(ours):
        code = known.get(name)
        if code is None:
            code = 0
            for word in _ANY_WORD.findall(name.lower()):
                code |= _KIND_OF[word]
            known[name] = code
        codes.append(code)
    np.bitwise_or.at(bits, candidates.of_node[ours], np.array(codes, dtype=np.int64))
    values: dict[str, Floats] = {}
    ends, positions = candidates.end, np.arange(len(candidates))
    words_here = np.zeros(len(candidates))
    for number, kind in enumerate(KINDS):
        own = (bits >> number) & 1
        sums = np.concatenate(([0], np.cumsum(own)))
        change = np.zeros(len(candidates) + 1, dtype=np.int64)
        change[:-1] = own
        np.subtract.at(change, ends, own)
        around = np.cumsum(change[:-1]) - own
        values[f"called_{kind}"] = own.astype(np.float64)
        values[f"inside_{kind}"] = (around > 0).astype(np.float64)
        values[f"holds_{kind}"] = np.log1p(sums[ends] - sums[positions] - own)
        words_here += own
    values["words_here"] = words_here
    return values


def _places(text: str, words: str) -> Iterator[int]:
    """Where words stand in a text."""
    place = text.find(words)
    while place >= 0:
        yield place
        place = text.find(words, place + len(words))


def says_copyright(page: Page, pieces: VisiblePieces) -> Ints:
    """For each piece how often words of copyright stand in it."""
    # Letters that are taken for i and s where case does not count are replaced one by one, so that places stay.
    lowered = page.text.replace("İ", "i").replace("ı", "i").replace("ſ", "s").lower()
    places = np.array([place for words in _COPYRIGHT for place in _places(lowered, words)], dtype=np.int64)
    found = np.zeros(len(pieces), dtype=np.int64)
    if len(places) and len(pieces):
        # The piece that begins last before the place, among texts.
        starts = page.nodes.text_start[pieces.node]
        piece = np.searchsorted(starts, places, side="right") - 1
        np.add.at(found, piece[piece >= 0], 1)
    return found
