"""Made-up news sites: one framework per site, a small change per category, other content on every page.

Stands for the corpus of Gottron (2008), section 7.1.3 (five sites, five categories, twenty pages each), whose pages are
lost. A site is drawn from its number alone: a style of markup (tables, nested boxes, semantic elements, definition
lists, frames of spans), wrappers, menu, boxes at the side, footer, a long
imprint. A category adds or leaves out a part of it, and one wraps its main column once more. A page brings its title,
the length of its article, pictures, extras that any site might have (a table, a poll, a gallery, …), links to related
pages, comments, and the order of the boxes.

    for page in make_corpus(seed=1):
        page.site, page.category, page.url, page.html
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

INLINE = ("<a href='/t'>Terms</a>", "<b>Press</b>", "<i>since 1901</i>", "<br>", "<img src='l.gif'>", "<span>|</span>")
SYNONYMS = {
    "div": ("div", "section", "article", "main"),
    "span": ("span", "label", "em", "kbd"),
    "p": ("p", "address", "div"),
    "b": ("b", "strong", "big"),
    "ul": ("ul", "ol", "menu"),
    "h3": ("h2", "h3", "h4"),
    "font": ("font", "small", "span"),
    "dl": ("dl", "div"),
    "a": ("a", "ins"),
    "td": ("td", "th"),
    "i": ("i", "var", "dfn"),
    "br": ("br", "wbr"),
    "center": ("center", "div", "nav"),
}
"""What sites beyond the first five may write instead, so that there can be many."""
MARKS = ("font", "strong", "span", "cite", "tt", "em", "u")
WORDS = (
    "river council harbour market school winter minister bridge report village engine garden letter station budget "
    "forest doctor window festival company museum weather railway election farmer island theatre border library coast"
).split()
VERBS = "opened closed promised refused found sold praised lost wanted built moved counted visited left asked".split()


@dataclass(frozen=True)
class SitePage:
    """A page, where it belongs, and what was filled into its template."""

    site: int
    category: int
    number: int
    url: str
    html: str = field(repr=False)
    title: str = ""
    paragraphs: tuple[str, ...] = field(default=(), repr=False)


def make_corpus(
    sites: int = 5, categories: int = 5, pages: int = 20, *, seed: int = 0, first_site: int = 0
) -> list[SitePage]:
    """All pages of some sites; two sites with the same number and seed are the same site."""
    return list(iterate_pages(sites, categories, pages, seed=seed, first_site=first_site))


def iterate_pages(sites: int, categories: int, pages: int, *, seed: int = 0, first_site: int = 0) -> Iterator[SitePage]:
    """The same one by one."""
    for number in range(first_site, first_site + sites):
        site = Site(number, seed)
        for category in range(categories):
            for page in range(pages):
                yield site.page(category, page)


class Site:
    """One site: its framework is drawn once, its pages whenever they are asked for."""

    def __init__(self, number: int, seed: int = 0) -> None:
        chance = random.Random(f"site {seed} {number}")
        self.number, self.seed = number, seed
        self.host = f"www.site{number}.example"
        self.style = STYLES[number % len(STYLES)](chance)
        self.menu = [_phrase(chance, 1) for _ in range(chance.randint(6, 14))]
        self.boxes = [(_phrase(chance, 2), chance.choice(self.style.lists)) for _ in range(chance.randint(4, 6))]
        self.mark = MARKS[number % len(MARKS)]
        self.names = {name: chance.choice(names) for name, names in SYNONYMS.items() if number >= len(STYLES)}
        self.wrapped_category = chance.randrange(5)
        self.metas = chance.randint(3, 9)
        self.scripts = chance.randint(2, 7)
        self.wrappers = tuple(chance.choice(self.style.wrappers) for _ in range(chance.randint(1, 3)))
        self.search = chance.choice(self.style.searches)
        self.imprint = "".join(chance.choice(INLINE) for _ in range(60))
        self.footer = [_phrase(chance, 1) for _ in range(chance.randint(4, 9))]

    def page(self, category: int, number: int) -> SitePage:
        chance = random.Random(f"page {self.seed} {self.number} {category} {number}")
        title = _phrase(chance, chance.randint(3, 7)).capitalize()
        paragraphs = tuple(_paragraph(chance) for _ in range(chance.randint(4, 22)))
        url = f"http://{self.host}/category{category}/{number}.html"
        html = self._html(chance, category, title, paragraphs)
        return SitePage(self.number, category, number, url, html, title, paragraphs)

    def _html(self, chance: random.Random, category: int, title: str, paragraphs: Sequence[str]) -> str:
        style = self.style
        head = (
            f"<title>{title} - {self.host}</title>"
            + "<meta name='m' content='c'>" * self.metas
            + "<link rel='stylesheet' href='/s.css'>"
            + "<script>var a = 1;</script>" * self.scripts
        )
        boxes = [style.box(heading, kind, _links(chance, chance.randint(3, 8))) for heading, kind in self.boxes]
        chance.shuffle(boxes)
        if chance.random() < 0.3:
            boxes.append(style.advert())
        extra = style.extras[category % len(style.extras)]
        written = [_inline(chance, words) for words in paragraphs]
        written += [part(chance, self.mark) for part in PARTS if chance.random() < 0.3]
        article = style.article(title, written, chance.randint(0, 3))
        related = style.box("Related", style.lists[0], _links(chance, chance.randint(2, 12)))
        comments = min(int(chance.expovariate(0.1)), 60)
        related += "".join(style.comment(_phrase(chance, 1), _sentence(chance)) for _ in range(comments))
        main = extra(_phrase(random.Random(f"extra {self.number} {category}"), 4)) + article + related
        body = style.layout(
            style.header(self.host, self.search) + style.menu([(name, f"/{name}/") for name in self.menu]),
            tag("div", main) if category == self.wrapped_category else main,
            boxes,
            style.footer([(name, f"/{name}/") for name in self.footer]) + tag("div", self.imprint),
        )
        for wrapper in self.wrappers:
            body = tag(wrapper, body)
        body = re.sub(r"(?<=[</])\w+(?=[ >])", lambda name: self.names.get(name[0], name[0]), body)
        return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


Links = Sequence[tuple[str, str]]
Listing = Callable[[Links], str]


@dataclass(frozen=True)
class Style:
    """How a site writes the parts that every site has."""

    layout: Callable[[str, str, Sequence[str], str], str]
    header: Callable[[str, str], str]
    menu: Callable[[Links], str]
    box: Callable[[str, Listing, Links], str]
    advert: Callable[[], str]
    article: Callable[[str, Sequence[str], int], str]
    comment: Callable[[str, str], str]
    footer: Callable[[Links], str]
    lists: Sequence[Listing]
    extras: Sequence[Callable[[str], str]]
    wrappers: Sequence[str]
    searches: Sequence[str]


def tag(path: str, *content: str) -> str:
    """The content inside nested elements; void ones close themselves.

    >>> tag("ul/li", "one")
    '<ul><li>one</li></ul>'
    """
    inner = "".join(content)
    for name in reversed(path.split("/")):
        inner = f"<{name}>{inner}</{name}>"
    return inner


def link(name: str, address: str) -> str:
    return f'<a href="{address}">{name}</a>'


def each(path: str, links: Links, outer: str = "") -> str:
    """Every link inside its own elements, all of them inside the outer ones."""
    items = "".join(tag(path, link(*entry)) for entry in links)
    return tag(outer, items) if outer else items


def _tables(chance: random.Random) -> Style:
    """As in 2003: tables in tables, fonts and spacers."""
    cell = chance.choice(["table/tbody/tr/td", "table/tbody/tr/td/font", "table/tbody/tr/td/div"])
    text = chance.choice(["font", "font/b", "div"])

    def layout(top: str, main: str, boxes: Sequence[str], foot: str) -> str:
        side = "".join(tag("tr/td", box) for box in boxes)
        columns = tag("td", main) + tag("td", "<img src='s.gif'>") + tag("td", tag("table/tbody", side))
        return tag("center", tag("table/tbody", tag("tr/td", top), tag("tr/td/table/tbody/tr", columns)), foot)

    def article(title: str, paragraphs: Sequence[str], pictures: int) -> str:
        images = "".join(tag(cell, "<img src='p.jpg'>", tag("small", "Picture")) for _ in range(pictures))
        return tag(
            "table/tbody/tr/td", tag("font/b", title), images, *(tag(text, words) + "<br><br>" for words in paragraphs)
        )

    return Style(
        layout=layout,
        header=lambda host, search: tag("table/tbody/tr", tag("td", link(host, "/")), tag("td/form", search)),
        menu=lambda links: tag("table/tbody/tr", each("td/font", links)),
        box=lambda heading, listing, links: tag(cell, tag("b/font", heading), listing(links)),
        advert=lambda: tag("table/tbody/tr/td/a", "<img src='ad.gif'>"),
        article=article,
        comment=lambda name, words: tag("table/tbody/tr/td", tag("b", name), words),
        footer=lambda links: "<hr>" + tag("font/small", each("nobr", links)),
        lists=[
            lambda links: each("tr/td/font", links, "table/tbody"),
            lambda links: "".join(f"<img src='dot.gif'>{link(*entry)}<br>" for entry in links),
        ],
        extras=[
            lambda words: tag("table/tbody/tr/td/i", words),
            lambda words: tag("center/font/b", words),
            lambda words: "<img src='category.gif'>" + tag("b", words),
            lambda words: tag("table/tbody/tr/td/marquee", words),
            lambda _: "",
        ],
        wrappers=["center", "div"],
        searches=["<input name='q'>", "<select><option>all</option></select><input name='q'>"],
    )


def _nested_boxes(chance: random.Random) -> Style:
    """As in 2008: boxes in boxes, lists for menus."""
    depth = chance.choice(["div/div", "div/div/div", "div/div/div/div"])
    text = chance.choice(["p", "div/p"])

    def layout(top: str, main: str, boxes: Sequence[str], foot: str) -> str:
        return tag(depth, tag("div", top), tag("div", tag("div/div", main), tag("div", *boxes))) + tag("div/div", foot)

    def article(title: str, paragraphs: Sequence[str], pictures: int) -> str:
        images = [tag("div/div", "<img src='p.jpg'>", tag("span", "Picture")) for _ in range(pictures)]
        return tag("div", tag("h1", title), tag("div/h4", "Lead"), *images, *(tag(text, words) for words in paragraphs))

    return Style(
        layout=layout,
        header=lambda host, search: tag("div/h2", link(host, "/")) + tag("div/form/div", search),
        menu=lambda links: each("li", links, "div/ul"),
        box=lambda heading, listing, links: tag("div/div", tag("h3", heading), tag("div", listing(links))),
        advert=lambda: tag("div/div/div/a", "<img src='ad.gif'>"),
        article=article,
        comment=lambda name, words: tag("div/div", tag("strong", name), tag("p", words)),
        footer=lambda links: each("li", links, "ul") + tag("p/small", "Copyright"),
        lists=[
            lambda links: each("li", links, "ul"),
            lambda links: each("div/strong", links),
            lambda links: each("li/p", links, "ol"),
        ],
        extras=[
            lambda words: tag("div/div/p", words),
            lambda words: tag("div/h2/span", words),
            lambda _: "",
            lambda words: tag("div/div/div/em", words),
            lambda words: tag("div/img", "") + tag("div/strong", words),
        ],
        wrappers=["div", "div/div"],
        searches=["<input name='q'><button>Go</button>", "<label>Search</label><input name='q'>"],
    )


def _semantic(chance: random.Random) -> Style:
    """As in 2015: elements that say what they are for."""
    text = chance.choice(["p", "section/p"])
    outer = chance.choice(["main", "main/div", "div/main"])

    def layout(top: str, main: str, boxes: Sequence[str], foot: str) -> str:
        return tag("header", top) + tag(outer, main, tag("aside", *boxes)) + tag("footer", foot)

    def article(title: str, paragraphs: Sequence[str], pictures: int) -> str:
        images = [tag("figure", "<img src='p.jpg'>", tag("figcaption", "Picture")) for _ in range(pictures)]
        opening = tag("header", tag("h1", title), tag("p/time", "today"))
        return tag("article", opening, *images, *(tag(text, words) for words in paragraphs))

    return Style(
        layout=layout,
        header=lambda host, search: tag("div/h1", link(host, "/")) + tag("form", search),
        menu=lambda links: each("li", links, "nav/ul"),
        box=lambda heading, listing, links: tag("section", tag("header/h2", heading), listing(links)),
        advert=lambda: tag("section/iframe", ""),
        article=article,
        comment=lambda name, words: tag("article", tag("h4", name), tag("p", words)),
        footer=lambda links: tag("nav", each("li", links, "ul")) + tag("address/p", "Town"),
        lists=[
            lambda links: each("article/h3", links),
            lambda links: each("li/article/h4", links, "ul"),
            lambda links: each("li", links, "nav/ol"),
        ],
        extras=[
            lambda words: tag("nav/ol/li/span", words),
            lambda _: "",
            lambda words: tag("section/p/mark", words),
            lambda words: tag("details/summary", words),
            lambda words: tag("hgroup/p", words),
        ],
        wrappers=["div", "section"],
        searches=["<input type='search'>", "<label>Search<input></label>"],
    )


def _definitions(chance: random.Random) -> Style:
    """Definition lists and field sets."""
    text = chance.choice(["p", "blockquote", "dd/p"])
    outer = chance.choice(["dl", "div/dl"])

    def layout(top: str, main: str, boxes: Sequence[str], foot: str) -> str:
        return tag("div", top) + tag(outer, tag("dt", "Content"), tag("dd", main), *boxes) + tag("div/address", foot)

    def article(title: str, paragraphs: Sequence[str], pictures: int) -> str:
        images = [tag("dl", tag("dt/img", ""), tag("dd/cite", "Picture")) for _ in range(pictures)]
        return tag("fieldset", tag("legend/h2", title), *images, *(tag(text, words) for words in paragraphs))

    return Style(
        layout=layout,
        header=lambda host, search: tag("dl", tag("dt", link(host, "/")), tag("dd/form/fieldset", search)),
        menu=lambda links: each("dt/b", links, "dl"),
        box=lambda heading, listing, links: tag("dt/h4", heading) + tag("dd", listing(links)),
        advert=lambda: tag("dd/object", "<param name='a'>"),
        article=article,
        comment=lambda name, words: tag("dl", tag("dt", name), tag("dd", words)),
        footer=lambda links: each("code", links),
        lists=[
            lambda links: each("dt", links, "dl"),
            lambda links: each("dd/cite", links, "dl"),
            lambda links: each("q", links, "blockquote"),
        ],
        extras=[
            lambda words: tag("dl/dt/em", words),
            lambda words: tag("dl/dd/strong", words),
            lambda words: tag("blockquote/cite", words),
            lambda _: "",
            lambda words: tag("fieldset/legend", words),
        ],
        wrappers=["div", "blockquote"],
        searches=["<legend>Search</legend><input>", "<input><input type='submit'>"],
    )


def _spans(chance: random.Random) -> Style:
    """Spans and line breaks for everything, in one large form."""
    text = chance.choice(["span", "span/span", "div/span"])
    depth = chance.choice(["form/div", "form/div/span", "form/table/tbody/tr/td"])

    def layout(top: str, main: str, boxes: Sequence[str], foot: str) -> str:
        return tag(depth, tag("span/div", top), tag("div/span", main), *(tag("span/div", box) for box in boxes), foot)

    def article(title: str, paragraphs: Sequence[str], pictures: int) -> str:
        images = [tag("span/div/a", "<img src='p.jpg'>") + tag("span/i", "Picture") for _ in range(pictures)]
        return tag("div/span/h5", title) + tag("div", *images, *(tag(text, words) + "<br>" for words in paragraphs))

    return Style(
        layout=layout,
        header=lambda host, search: tag("span/h6", link(host, "/")) + tag("span/span", search),
        menu=lambda links: each("span/b", links, "div/span"),
        box=lambda heading, listing, links: tag("h6/span", heading) + tag("span", listing(links)),
        advert=lambda: tag("span/span/a", "<img src='ad.gif'>"),
        article=article,
        comment=lambda name, words: tag("div", tag("span/b", name), tag("span", words)),
        footer=lambda links: tag("div/tt", each("span", links)),
        lists=[
            lambda links: "".join(tag("span", link(*entry)) + "<br>" for entry in links),
            lambda links: each("menu/span", links),
            lambda links: each("div/u", links),
        ],
        extras=[
            lambda words: tag("div/span/u", words),
            lambda words: tag("span/tt", words),
            lambda words: tag("div/b/big", words),
            lambda words: tag("span/abbr", words),
            lambda _: "",
        ],
        wrappers=["div", "div/span"],
        searches=["<input><span>Go</span>", "<textarea></textarea>"],
    )


def _table(chance: random.Random, mark: str) -> str:
    columns = chance.randint(2, 4)
    cells = [tag(f"td/{mark}", _phrase(chance, 1)) for _ in range(columns)]
    return tag(
        "table", tag("thead/tr", tag("th", "Name") * columns), tag("tbody", tag("tr", *cells) * chance.randint(2, 9))
    )


def _poll(chance: random.Random, mark: str) -> str:
    choices = [tag(f"label/{mark}", "<input>", _phrase(chance, 2)) for _ in range(chance.randint(2, 5))]
    return tag("form", tag("fieldset", tag("legend", "Poll"), *choices), "<button>Vote</button>")


def _definition(chance: random.Random, mark: str) -> str:
    return tag("dl", *(tag(f"dt/{mark}", _phrase(chance, 1)) + tag("dd", _sentence(chance)) for _ in range(3)))


def _entries(chance: random.Random, list_path: str, item: str, most: int) -> str:
    return tag(list_path, *(tag(item, _sentence(chance)) for _ in range(chance.randint(2, most))))


PARTS: Sequence[Callable[[random.Random, str], str]] = (
    _table,
    _poll,
    _definition,
    lambda chance, mark: _entries(chance, "ul", f"li/{mark}/a", 9),
    lambda chance, mark: _entries(chance, "ol", f"li/p/{mark}", 6),
    lambda chance, mark: tag("blockquote", tag(f"p/{mark}", _sentence(chance)), tag("cite", _phrase(chance, 2))),
    lambda chance, mark: tag("object", "<param name='movie'>", tag(f"div/{mark}", _phrase(chance, 2))),
    lambda chance, mark: tag(f"pre/code/{mark}", _sentence(chance)),
    lambda chance, mark: tag("div", tag(f"h3/{mark}", _phrase(chance, 2)), tag("p/em/strong", _sentence(chance))),
    lambda chance, mark: tag("p", tag(f"sup/{mark}/a", "1"), tag("small/i", _sentence(chance))),
)
"""Extras of an article that any site may have; a site marks words in them in its own way."""

STYLES: Sequence[Callable[[random.Random], Style]] = (_tables, _nested_boxes, _semantic, _definitions, _spans)


def _phrase(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words))


def _sentence(chance: random.Random) -> str:
    subject, thing = chance.choice(WORDS), chance.choice(WORDS)
    return f"The {subject} {chance.choice(VERBS)} the {thing} near the {_phrase(chance, chance.randint(1, 4))}."


def _paragraph(chance: random.Random) -> str:
    return " ".join(_sentence(chance) for _ in range(chance.randint(2, 6)))


def _inline(chance: random.Random, words: str) -> str:
    """The words with a link or an emphasis now and then."""
    first, _, rest = words.partition(" ")
    kind = chance.random()
    if kind < 0.1:
        return f"{first} {link(rest, '/story.html')}"
    return f"{tag(chance.choice(['b', 'i']), first)} {rest}" if kind < 0.2 else words


def _links(chance: random.Random, count: int) -> Links:
    return [(_phrase(chance, chance.randint(2, 6)), f"/story{chance.randint(1, 999)}.html") for _ in range(count)]
