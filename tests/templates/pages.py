"""Small sites for the tests of templates: data pages and articles, each from one template."""

from __future__ import annotations

import random

import tamis
from tamis.page.model import Page

WORDS = (
    "river harbour market winter bridge village engine garden letter station forest window museum island coast".split()
)
MENU = "<nav><ul>" + "".join(f"<li><a href='/{name}'>{name.title()}</a></li>" for name in WORDS[:6]) + "</ul></nav>"
FOOTER = "<footer><p>All rights reserved by the makers of this site, who can be reached by letter only.</p></footer>"


def sentence(chance: random.Random, length: int = 12) -> str:
    return " ".join(chance.choice(WORDS) + str(chance.randrange(100)) for _ in range(length)).capitalize() + "."


def article(number: int) -> str:
    """A page with a title and paragraphs of its own."""
    chance = random.Random(f"article {number}")
    paragraphs = "".join(f"<p>{sentence(chance)} {sentence(chance)}</p>" for _ in range(chance.randint(3, 7)))
    return (
        f"<html><head><title>t</title></head><body>{MENU}<div id=main><h1>{sentence(chance, 4)}</h1>{paragraphs}</div>"
        f"{FOOTER}</body></html>"
    )


def car(number: int, gearbox: str | None = None) -> str:
    """A data page: labels recur on all pages, and so do some of the values."""
    chance = random.Random(f"car {number}")
    rows = {
        "Model": f"Model {number}",
        "Gearbox": gearbox or ("Automatic" if number % 3 else f"Manual {number}"),
        "Price": f"{chance.randrange(1000, 9000)} crowns",
    }
    table = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows.items())
    return f"<html><body>{MENU}<table class=data>{table}</table>{FOOTER}</body></html>"


def articles(count: int) -> list[Page]:
    return [tamis.parse(article(number), f"http://site.example/{number}.html") for number in range(count)]


def cars(count: int) -> list[Page]:
    return [tamis.parse(car(number), f"http://cars.example/{number}.html") for number in range(count)]
