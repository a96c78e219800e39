"""Pages of three sites and three types with their segments, for measures that need several pages of one type.

Stands for the pages of Zelený (2017), section 9.2 (eight types of five news sites, a hundred pages each, segmented by
three people), which are not published. The rules were written down before anything was measured on the pages:

- A site is a way to lay pages out: *grid* (semantic elements, CSS grid), *floats* (boxes with ids, floats), *tables*
  (a table around everything). Menus, colours and fonts are those of the site.
- Types: *article* (one long text with pictures, boxes at the side, comments below), *index* (a first story and a grid
  of teasers), *simple* (a heading, some text and a list; no column at the side).
- A page of a type brings other words, lengths and numbers of things; nothing else differs.
- Segments are what a reader would name: header, menu, the article from its title to its end, each teaser, each box at
  the side, the comments, the footer. They are marked as in ``tamis.evaluation.segment_gold``.

    for page in make_pages(6):
        page.site, page.type, page.url, page.marked
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

TYPES = ("article", "index", "simple")
_SEED = 0  # another one makes other pages
_WORDS = (
    "river council harbour market school winter minister bridge report village engine garden letter station budget "
    "forest doctor window festival company museum weather railway election farmer island theatre border library coast"
).split()
_STYLES = {
    "grid": (
        "body{margin:0;font:16px/1.5 sans-serif;color:#222} header{background:#123;color:#fff;padding:16px 32px}"
        "nav{background:#eef;padding:8px 32px;display:flex;gap:24px} nav a{color:#125}"
        ".page{display:grid;grid-template-columns:2fr 1fr;gap:32px;padding:24px 32px}"
        ".teasers{display:grid;grid-template-columns:1fr 1fr 1fr;gap:20px} aside section{border:1px solid #ccc;"
        "padding:12px;margin-bottom:20px} footer{background:#ddd;padding:20px 32px;color:#555}"
        "img{display:block;background:#9ab} figure{margin:12px 0}"
    ),
    "floats": (
        "body{width:1000px;margin:0 auto;font:14px/1.4 serif;background:#fff} #top{height:80px;border-bottom:3px solid"
        " #900} #menu{float:left;width:160px;margin-top:12px} #menu a{display:block;padding:4px;color:#900}"
        "#main{float:left;width:540px;margin:12px 20px} #side{float:left;width:240px;margin-top:12px}"
        ".box{background:#f4f0e8;padding:10px;margin-bottom:14px} .teaser{float:left;width:250px;margin:0 10px 18px 0;"
        "min-height:130px} #bottom{clear:both;border-top:1px solid #999;padding:12px;color:#666} img{display:block;"
        "background:#cba} .wide{width:720px!important}"
    ),
    "tables": (
        "body{margin:8px;font:13px Arial,sans-serif} td{vertical-align:top;padding:8px}.bar{background:#036;color:#fff}"
        ".menu a{color:#036;margin-right:14px} .box{border:1px solid #036;margin-bottom:10px;padding:6px}"
        ".foot{background:#eee;font-size:11px} img{background:#bcd}"
    ),
}


@dataclass(frozen=True)
class TypedPage:
    """A page with the marks of its segments."""

    site: str
    type: str
    url: str
    marked: bytes


def make_pages(count: int) -> Iterator[TypedPage]:
    """So many pages of each type of each site."""
    for site in _STYLES:
        for kind in TYPES:
            for number in range(count):
                yield make_page(site, kind, number, pages=count)


def make_page(site: str, kind: str, number: int, *, pages: int = 10) -> TypedPage:
    """One page; it links to so many others of each type of its site."""
    chance = random.Random(f"{_SEED} {site} {kind} {number}")
    menu = random.Random(f"{_SEED} {site}").sample(_WORDS, 7)
    links = "".join(
        f"<a href='/{menu[place % 7]}{place // 7 or ''}'>{menu[place % 7].title()}</a> " for place in range(7)
    )
    neighbours = [f"/{other}/{place}" for other in TYPES for place in range(pages)]
    content = {"article": _article, "index": _index, "simple": _simple}[kind](chance, neighbours)
    boxes = [] if kind == "simple" else [_side(chance, neighbours) for _ in range(chance.randint(2, 4))]
    body = _LAYOUTS[site](links, content, boxes)
    html = (
        f"<!doctype html><html><head><meta charset=utf-8><title>{_phrase(chance, 4)}</title>"
        f"<style>{_STYLES[site]}</style></head><body>{body}</body></html>"
    )
    return TypedPage(site, kind, f"http://{site}.example/{kind}/{number}", html.encode())


def _marked(tag: str, inside: str, attributes: str = "") -> str:
    return f'<{tag} {attributes} data-block="1" data-block-type="segment">{inside}</{tag}>'


def _grid(menu: str, content: list[str], boxes: list[str]) -> str:
    aside = f"<aside>{''.join(_marked('section', box) for box in boxes)}</aside>" if boxes else ""
    parts = "".join(_marked("article", part) for part in content)
    main = f"<div class=teasers>{parts}</div>" if len(content) > 2 else parts
    return (
        _marked("header", "<b>The Grid Times</b>")
        + _marked("nav", menu)
        + f"<div class=page><main>{main}</main>{aside}</div>"
        + _marked("footer", "The Grid Times, Harbour Street 1. All rights reserved. <a href='/about'>About us</a>")
    )


def _floats(menu: str, content: list[str], boxes: list[str]) -> str:
    side = "".join(_marked("div", box, "class=box") for box in boxes)
    attributes = "class=teaser" if len(content) > 2 else ""
    return (
        _marked("div", "<h2>Floating News</h2>", "id=top")
        + _marked("div", menu, "id=menu")
        + f"<div id=main{'' if boxes else ' class=wide'}>"
        + "".join(_marked("div", part, attributes) for part in content)
        + f"</div><div id=side>{side}</div>"
        + _marked(
            "div",
            "Floating News is a paper of the coast. <a href='/press'>Press</a> <a href='/j'>Jobs</a>",
            "id=bottom",
        )
    )


def _tables(menu: str, content: list[str], boxes: list[str]) -> str:
    if len(content) > 2:
        cells = [f"<td width=33%>{_marked('div', part)}</td>" for part in content]
        rows = "".join(f"<tr>{''.join(cells[first : first + 3])}</tr>" for first in range(0, len(cells), 3))
        main = f"<table>{rows}</table>"
    else:
        main = "".join(_marked("div", part) for part in content)
    side = "".join(_marked("div", box, "class=box") for box in boxes)
    return (
        f"<table width=960><tr>{_marked('td', '<b>TABLE POST</b>', 'colspan=2 class=bar')}</tr>"
        f"<tr>{_marked('td', menu, 'colspan=2 class=menu')}</tr><tr><td width=680>{main}</td><td>{side}</td></tr>"
        f"<tr>{_marked('td', 'Table Post, since 1996. Best viewed at any size.', 'colspan=2 class=foot')}</tr></table>"
    )


_LAYOUTS: dict[str, Callable[[str, list[str], list[str]], str]] = {"grid": _grid, "floats": _floats, "tables": _tables}
SITES = tuple(_LAYOUTS)


def _article(chance: random.Random, neighbours: list[str]) -> list[str]:
    parts = [f"<h1>{_phrase(chance, 6)}</h1><p><i>By {_phrase(chance, 2)}</i></p>"]
    for _ in range(chance.randint(4, 14)):
        parts.append(f"<p>{_text(chance, chance.randint(2, 6))}</p>")
        if chance.random() < 0.2:
            parts.append(f"<figure><img width=400 height={chance.randint(120, 260)}><p>{_text(chance, 1)}</p></figure>")
        if chance.random() < 0.2:
            parts.append(f"<h3>{_phrase(chance, 3)}</h3>")
    comments = "".join(f"<p><b>{_phrase(chance, 1)}</b> {_text(chance, 2)}</p>" for _ in range(chance.randint(1, 6)))
    return ["".join(parts), f"<h3>Comments</h3>{comments}"]


def _index(chance: random.Random, neighbours: list[str]) -> list[str]:
    def teaser(size: int) -> str:
        picture = f"<img width=200 height={size}>" if chance.random() < 0.7 else ""
        link = f"<a href='{chance.choice(neighbours)}'>{_phrase(chance, 5)}</a>"
        return f"{picture}<h3>{link}</h3><p>{_text(chance, chance.randint(1, 2))}</p>"

    return [teaser(90) for _ in range(3 * chance.randint(2, 5))]


def _simple(chance: random.Random, neighbours: list[str]) -> list[str]:
    text = "".join(f"<p>{_text(chance, 3)}</p>" for _ in range(chance.randint(2, 4)))
    entries = "".join(
        f"<li><a href='{chance.choice(neighbours)}'>{_phrase(chance, 3)}</a></li>" for _ in range(chance.randint(4, 9))
    )
    return [f"<h1>{_phrase(chance, 3)}</h1>{text}", f"<h2>{_phrase(chance, 2)}</h2><ul>{entries}</ul>"]


def _side(chance: random.Random, neighbours: list[str]) -> str:
    entries = "".join(
        f"<li><a href='{chance.choice(neighbours)}'>{_phrase(chance, 4)}</a></li>" for _ in range(chance.randint(3, 7))
    )
    return f"<h3>{_phrase(chance, 2)}</h3><ul>{entries}</ul>"


def _phrase(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words)).capitalize()


def _text(chance: random.Random, sentences: int) -> str:
    return " ".join(f"{_phrase(chance, chance.randint(6, 18))}." for _ in range(sentences))
