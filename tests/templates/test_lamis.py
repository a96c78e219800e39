"""Links that say something make articles; links that stand on every page do not."""

from __future__ import annotations

import tamis
from tamis.page.model import Page
from tamis.templates.lamis import rank

ADVERT = "<div><a href=/advert>buy the wonder car now</a></div>"


def site() -> list[Page]:
    """A table of contents, six articles, and an advertisement that all pages link to, three times."""
    topics = ["flood river", "snow winter", "engine repair", "museum island", "market ship", "letter garden"]
    listed = "".join(f"<li><a href=/a{n}>{topic} story{n}</a></li>" for n, topic in enumerate(topics))
    pages = [("/", f"<div>{ADVERT * 3}</div><ul>{listed}</ul>")]
    for number, topic in enumerate(topics):
        pages.append((f"/a{number}", f"<div>{ADVERT * 3}</div><p>about {topic} detail{number} <a href=/>home</a></p>"))
    pages.append(("/advert", f"<div>{ADVERT * 3}</div><p>the wonder car <a href=/>home</a></p>"))
    return [tamis.parse(f"<body>{markup}</body>", f"http://site.example{path}") for path, markup in pages]


def test_plain_ranking_puts_the_advertisement_first_and_weighted_ranking_does_not() -> None:
    pages = site()
    plain, weighted = rank(pages, weighted=False), rank(pages)
    assert pages[int(plain.authorities.argmax())].url == "http://site.example/advert"
    assert "/a" in str(pages[int(weighted.authorities.argmax())].url)
    assert pages[int(weighted.authorities.argmax())].url != "http://site.example/advert"
    assert int(weighted.hubs.argmax()) == 0


def test_the_structure_names_the_contents_and_the_articles() -> None:
    template = tamis.learn_template(site(), method="lamis", max_hubs=1)
    assert template.model["tables_of_contents"] == ["http://site.example/"]
    assert "http://site.example/a3" in template.model["articles"]
    assert "http://site.example/advert" not in template.model["articles"]


def test_pages_without_addresses_have_no_structure() -> None:
    template = tamis.learn_template([f"<p>own words {n} here</p>" for n in range(5)], method="lamis")
    assert "no page links to another" in template.notes[0]
    assert rank([]).hubs.tolist() == []


def test_a_picture_speaks_for_a_link_without_words() -> None:
    pages = [
        tamis.parse("<a href=/b><img alt='rare words'></a><a href=/c></a>", "http://s.example/a"),
        tamis.parse("<p>b page</p>", "http://s.example/b"),
        tamis.parse("<p>c page</p>", "http://s.example/c"),
    ]
    authorities = rank(pages).authorities
    assert authorities[1] > 0.99
    assert authorities[2] == 0
