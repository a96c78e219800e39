"""Who wrote a page."""

from __future__ import annotations

import json

import pytest

import tamis
from tamis.about.names import clean_names


def authors(markup: str) -> tuple[str, ...]:
    return tamis.parse(markup).metadata.authors


def json_ld(author: object, **more: object) -> str:
    item = {"@type": "Article", "author": author, **more}
    return f'<script type="application/ld+json">{json.dumps(item)}</script>'


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Ann Lee", ["Ann Lee"]),
        ("Von Ann Lee und Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("Ann Lee, Bo Chen & Cy Diaz", ["Ann Lee", "Bo Chen", "Cy Diaz"]),
        ("Ann Lee, M.D.", ["Ann Lee"]),
        ("Ann Lee, Senior Editor", ["Ann Lee"]),
        ("Lee, Ann", ["Ann Lee"]),
        ("by Ann Lee | 3 May 2020", ["Ann Lee"]),
        ("Ann Lee (Reuters)", ["Ann Lee"]),
        ("View all posts by Ann Lee", ["Ann Lee"]),
        ("Ann Monroe", ["Ann Monroe"]),
        ("Monday", []),
        ("Ann Lee | ann.lee@post.example", ["Ann Lee"]),
        ("Ann Lee <ann.lee@post.example>", ["Ann Lee"]),
        ("Ann Lee | The Daily Post", ["Ann Lee"]),
        ("Ann Lee | Reuters", ["Ann Lee"]),
        ("The Daily Post | Ann Lee", ["Ann Lee"]),
        ("Ann Lee | Bo Chen", ["Ann Lee", "Bo Chen"]),
        ("Ann Lee / Bo Chen / AFP", ["Ann Lee", "Bo Chen"]),
        ("作者：张三/李四", ["张三", "李四"]),
        ("Ann Lee, The Daily Post", ["Ann Lee"]),
        ("Ann Lee Senior Reporter", ["Ann Lee"]),
        ("Ann Lee Science Editor and Bo Chen Staff Writer", ["Ann Lee", "Bo Chen"]),
        ("Ann Lee | Senior Reporter", ["Ann Lee"]),
        ("December", []),
    ],
)
def test_names_are_taken_out_of_lines(line: str, names: list[str]) -> None:
    assert clean_names(line) == names


@pytest.mark.parametrize(
    ("markup", "names"),
    [
        (json_ld({"@type": "Person", "name": "Ann Lee"}), ("Ann Lee",)),
        (json_ld([{"name": "Ann Lee"}, {"name": "Bo Chen"}, {"name": "Ann Lee"}]), ("Ann Lee", "Bo Chen")),
        (json_ld("pippin06"), ("pippin06",)),
        (json_ld({"@type": "Organization", "name": "Reuters"}) + "<meta name=author content='Ann Lee'>", ("Ann Lee",)),
        (json_ld({"@type": "Organization", "name": "Reuters"}), ("Reuters",)),
        (json_ld("The Post", publisher={"name": "The Post"}), ()),
        ("<meta property=article:author content='https://www.facebook.com/x'>", ()),
        ("<meta name=author content=admin><p class=byline>By Ann Lee", ("Ann Lee",)),
        ("<meta name=author content=WordPress>", ()),
        ("<meta name=author content='a@b.example'>", ()),
        ("<meta name=author content=Site><meta property=og:site_name content=Site>", ()),
        ("<meta name=author content='ANN LEE'>", ("Ann Lee",)),
        ("<meta name=dc.creator content='Ann Lee'><meta name=dc.creator content='Bo Chen'>", ("Ann Lee", "Bo Chen")),
        ("<span itemprop=author itemscope><a itemprop=name>Ann Lee</a></span>", ("Ann Lee",)),
        (
            "<meta name='twitter:label1' content='Written by'><meta name='twitter:data1' content='Ann Lee'>",
            ("Ann Lee",),
        ),
        ("<h1>T</h1><a rel=author href=/a>Ann Lee</a>", ("Ann Lee",)),
        ("<h1>T</h1><p>By Ann Lee</p>", ("Ann Lee",)),
        ("<h1>T</h1><p>Written by</p><p>Ann Lee</p>", ("Ann Lee",)),
        ("<h1>T</h1><a href='/authors/ann-lee'>Ann Lee</a>", ("Ann Lee",)),
        (
            "<h1>T</h1><div class=author-box><b>Ann Lee</b><p>Ann writes about rivers and lives near one.</p></div>",
            ("Ann Lee",),
        ),
        ("<h1>T</h1><p>by the river stood a house</p>", ()),
        (json_ld("Ann Lee | ann@post.example") + "<meta name=author content=ann-lee>", ("Ann Lee",)),
        (json_ld("Ann Lee | The Daily Post"), ("Ann Lee",)),
        (json_ld("Ann Lee - Science Editor"), ("Ann Lee",)),
        ("<meta name=author content=ann-lee><p class=byline>By Ann Lee", ("Ann Lee",)),
        (
            "<h1>T</h1><div class=byline>By <a class=author>Ann Lee</a> <span>River Post</span></div>",
            ("Ann Lee",),
        ),
        (
            "<h1>T</h1><div class=byline>By <a class=author>Ann Lee</a> and <a class=author>Bo Chen</a></div>",
            ("Ann Lee", "Bo Chen"),
        ),
        (
            "<meta property=og:site_name content='River Post'><h1>T</h1><div class=byline>By Ann Lee River Post</div>",
            ("Ann Lee",),
        ),
        (
            "<h1>T</h1><div class=byline><span>Ann Lee</span><span>Senior Reporter</span></div>",
            ("Ann Lee",),
        ),
        (
            "<h1>T</h1><p class=author><b class=author-name>Ann Lee</b><i class=author-title>Content Writer</i></p>",
            ("Ann Lee",),
        ),
        ("<meta name=author content=slow-poke>", ("slow-poke",)),
        (json_ld("Ann Lee") + "<meta name=author content='Ann Lee, Bo Chen'>", ("Ann Lee", "Bo Chen")),
        (json_ld("Ann Lee") + "<h1>T</h1><p>By Ann Lee and Bo Chen</p>", ("Ann Lee", "Bo Chen")),
        (json_ld("Ann Lee") + "<h1>T</h1><p>By Ann Lee, photos by Bo Chen</p>", ("Ann Lee",)),
        (json_ld("Ann Lee") + "<meta name=author content='Cy Diaz, Bo Chen'>", ("Ann Lee",)),
        ("<div class=comment><span class=author>Bo Chen</span></div>", ()),
    ],
)
def test_authors_are_people(markup: str, names: tuple[str, ...]) -> None:
    assert authors(markup) == names


def test_authors_of_other_things_on_the_page_are_not_its_own() -> None:
    first = "<div><p><span itemprop=author>Ann Lee</span><span itemprop=author>Bo Chen</span></p></div>"
    later = "<section><div><p><span itemprop=author>Cy Diaz</span></p></div></section>"
    assert authors(first + later) == ("Ann Lee", "Bo Chen")
