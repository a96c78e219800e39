"""A small web of labelled pages: a template of its own for each host, articles that differ."""

from __future__ import annotations

import random
from pathlib import Path

from tamis.evaluation.datasets import Sample, write

_WORDS = "river rain hill bridge ferry town flood mayor water night bank week road field farm horse mill stone".split()
_CONTENT = ("post-body", "article-text", "entry content", "main-story", "post")
_EDGE = ("sidebar", "menu left", "footer-links", "related", "nav-bar")


def sentence(source: random.Random, length: int = 14) -> str:
    return " ".join(source.choices(_WORDS, k=length)).capitalize() + "."


def sample(host: int, number: int) -> Sample:
    """A page of a host: an article between a menu and a footer; its type, if it is known, goes by the host."""
    source = random.Random(f"{host}/{number}")
    title = sentence(source, 4)
    paragraphs = [sentence(source, 16) + " " + sentence(source, 12) for _ in range(4)]
    body = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    links = "".join(f"<li><a href=/{i}>{sentence(source, 3)}</a></li>\n" for i in range(6))
    edge, content = _EDGE[host % len(_EDGE)], _CONTENT[host % len(_CONTENT)]
    html = (
        f"<title>{title} - host {host}</title><body class=page><div class='{edge}'><ul>{links}</ul></div>\n"
        f"<div class='{content}'><h1>{title}</h1>\n{body}</div>\n"
        f"<div class='footer sidebar'>All rights reserved. <a href=/t>Terms of use</a></div>"
    )
    return Sample(
        id=f"{host}-{number}",
        html=html,
        gold="\n".join([title, *paragraphs]),
        url=f"https://host{host}.example/{number}",
        page_type=("article", "forum", None)[host % 3],
    )


def write_dataset(folder: Path, hosts: int = 6, pages: int = 2) -> Path:
    path = folder / "small.jsonl"
    write(path, [sample(host, number) for host in range(hosts) for number in range(pages)])
    return path
