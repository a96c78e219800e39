"""Made-up sites from rules that were fixed before any distance was computed on them; some sites share a system.

The rules, in the order in which a corpus is drawn. Nothing in them was changed in view of a result; a commit of its own
holds them and precedes the first measurement. Numbers marked with * were measured on 67 training pages of nine hosts.

1.  *Systems.* A content management system with its theme is drawn from its number. It has one design for each kind of
    part (``PARTS``): a path of one to four elements, each drawn from ``NAMES``, in which names occur about as often as
    on the web. A text, a link or other parts stand inside.
2.  *Sites.* Site number n of s uses system n * systems // s: with three systems for five sites, two pairs of sites
    share a system, and with as many systems as sites none does. A site replaces each design of its system by one of
    its own with probability 1/4. It draws the number of menu entries (4-12), of footer columns (1-4), of boxes around
    the whole page (0-2), and each of eight boxes at the side with probability 1/2.
3.  *Categories.* A category has, with probability 1/2, one more box at the side than its site; else one fewer.
4.  *Pages.* The number of paragraphs is log-normal with median 20 and a standard deviation of the logarithm of 0.74*.
    A paragraph holds a link or an emphasised word with probability 0.24*. Pictures, subheadings, lists, quotes and
    tables: each a geometric number with mean 1, spread evenly over the article. Teasers of a box are log-normal with
    median 6 and deviation 0.77*. Half of the pages have comments, log-normal with median 8 and deviation 0.94*. The
    boxes at the side are in another order on half of the pages.
5.  *Size.* Five sites, five categories, twenty pages each, as in Gottron (2008), section 7.1.3, or fewer pages of each.

So two sites of one system share somewhat more than half of their designs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

PARTS = (
    "page",
    "header",
    "logo",
    "search",
    "menu",
    "menu entry",
    "main",
    "headline",
    "byline",
    "paragraph",
    "subheading",
    "picture",
    "list",
    "list entry",
    "quote",
    "table row",
    "side",
    "box",
    "box heading",
    "teaser",
    "comment",
    "footer",
    "footer column",
    "footer entry",
)
NAMES = {"div": 12, "span": 4, "section": 2, "p": 2, "ul": 1, "li": 1, "article": 1, "aside": 1, "header": 1, "h3": 1}
"""Names and their weights."""
SIDE_BOXES = 8
_PARAGRAPHS, _TEASERS, _COMMENTS = (20, 0.74), (6, 0.77), (8, 0.94)  # median, deviation of the logarithm
_INLINE_SHARE = 0.24


@dataclass(frozen=True)
class FamilyPage:
    """A page and where it belongs."""

    site: int
    category: int
    number: int
    html: str


def make_families(
    sites: int = 5, categories: int = 5, pages: int = 20, *, systems: int = 3, seed: int = 0
) -> list[FamilyPage]:
    """All pages of a corpus."""
    return list(_pages(sites, categories, pages, systems, seed))


def _pages(sites: int, categories: int, pages: int, systems: int, seed: int) -> Iterator[FamilyPage]:
    for number in range(sites):
        site = _Site(number, number * systems // sites, seed)
        for category in range(categories):
            for page in range(pages):
                yield FamilyPage(number, category, page, site.html(category, page))


class _Site:
    """What all pages of a site share."""

    def __init__(self, number: int, system: int, seed: int) -> None:
        self._key = f"{seed} {number}"
        chance = random.Random(f"site {self._key}")
        shared = _designs(random.Random(f"system {seed} {system}"))
        own = _designs(chance)
        self._designs = {part: own[part] if chance.random() < 0.25 else shared[part] for part in PARTS}
        self._entries = chance.randint(4, 12)
        self._columns = chance.randint(1, 4)
        self._wrappers = chance.randint(0, 2)
        self._boxes = [box for box in range(SIDE_BOXES) if chance.random() < 0.5]

    def html(self, category: int, number: int) -> str:
        """One page."""
        chance = random.Random(f"page {self._key} {category} {number}")
        boxes = self._boxes_of(category)
        if chance.random() < 0.5:
            chance.shuffle(boxes)
        menu = "".join(self._part("menu entry", "<a href='/m'>menu</a>") for _ in range(self._entries))
        columns = "".join(
            self._part("footer column", self._part("footer entry", "<a href='/f'>more</a>") * 4)
            for _ in range(self._columns)
        )
        top = self._part("logo", "<a href='/'>logo</a>") + self._part("search", "<form><input></form>")
        body = self._part(
            "page",
            self._part("header", top + self._part("menu", menu))
            + self._part("main", self._article(chance))
            + self._part("side", "".join(self._box(chance, box) for box in boxes))
            + self._part("footer", columns),
        )
        for _ in range(self._wrappers):
            body = f"<div>{body}</div>"
        return f"<!doctype html><html><head><title>t</title></head><body>{body}</body></html>"

    def _boxes_of(self, category: int) -> list[int]:
        chance = random.Random(f"category {self._key} {category}")
        others = [box for box in range(SIDE_BOXES) if box not in self._boxes]
        if chance.random() < 0.5 and others:
            return [*self._boxes, chance.choice(others)]
        dropped = chance.choice(self._boxes) if self._boxes else None
        return [box for box in self._boxes if box != dropped]

    def _article(self, chance: random.Random) -> str:
        count = _log_normal(chance, *_PARAGRAPHS)
        parts = [self._part("paragraph", _sentence(chance)) for _ in range(count)]
        extras = {
            "picture": "<img src='p.jpg'>",
            "subheading": "part",
            "list": self._part("list entry", "entry") * 3,
            "quote": "<em>said</em>",
            "table row": "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>",
        }
        for part, content in extras.items():
            for _ in range(_geometric(chance)):
                parts.insert(chance.randint(0, len(parts)), self._part(part, content))
        comments = _log_normal(chance, *_COMMENTS) if chance.random() < 0.5 else 0
        head = self._part("headline", "<h1>title</h1>") + self._part("byline", "name")
        return head + "".join(parts) + self._part("comment", "said") * comments

    def _box(self, chance: random.Random, box: int) -> str:
        teasers = self._part("teaser", "<a href='/t'>teaser</a>") * _log_normal(chance, *_TEASERS)
        inner = self._part("box heading", "box") + teasers
        return self._part("box", f"<div>{inner}</div>" if box % 2 else inner)

    def _part(self, part: str, content: str) -> str:
        for name in reversed(self._designs[part]):
            content = f"<{name}>{content}</{name}>"
        return content


def _designs(chance: random.Random) -> dict[str, tuple[str, ...]]:
    names, weights = list(NAMES), list(NAMES.values())
    found = {part: tuple(chance.choices(names, weights, k=chance.randint(1, 4))) for part in PARTS}
    # A paragraph element ends where a block begins, so that nothing but text may stand in it: it closes a path.
    texts = {"paragraph", "byline", "subheading", "quote", "comment", "list entry", "box heading"}
    return {
        part: tuple(
            "div" if name == "p" and (part not in texts or place < len(path) - 1) else name
            for place, name in enumerate(path)
        )
        for part, path in found.items()
    }


def _log_normal(chance: random.Random, median: float, deviation: float) -> int:
    return max(1, round(median * chance.lognormvariate(0, deviation)))


def _geometric(chance: random.Random) -> int:
    """With mean 1."""
    count = 0
    while chance.random() < 0.5:
        count += 1
    return count


def _sentence(chance: random.Random) -> str:
    if chance.random() >= _INLINE_SHARE:
        return "words"
    return f"words {chance.choice(('<a href=/x>link</a>', '<b>word</b>', '<i>word</i>'))} words"
