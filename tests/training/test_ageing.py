"""Pages in old markup: the same words in the same order, other boxes."""

from __future__ import annotations

import random

import tamis
from tamis.evaluation.words import compare_words
from tamis.training.ageing import aged

PAGE = """<!doctype html><title>On moths</title><body class="home">
<header id="top"><nav class="menu"><ul><li><a class="x" href="/a">Moths</a></li><li>Bees</li></ul></nav></header>
<main><article class="post"><h1>On <em>moths</em></h1><p data-id="1">They fly <time>by night</time>.</p>
<!-- note --><script>var text = "<p>no</p>";</script><textarea>typed &lt;b&gt;</textarea>
<p title="a > b">And rest by day.</p></article></main></body>"""


def texts(html: str) -> list[str]:
    return [word for block in tamis.parse(html).blocks for word in compare_words(block.text)]


def test_words_stay_and_their_order() -> None:
    for seed in range(60):
        assert texts(aged(PAGE, str(seed))) == texts(PAGE), seed


def test_todays_boxes_are_gone() -> None:
    for seed in range(60):
        nodes = tamis.parse(aged(PAGE, str(seed))).nodes
        assert not nodes.named("main", "article", "header", "nav", "time").any(), seed


def test_most_pages_lose_their_names_and_some_are_laid_out_by_tables() -> None:
    pages = [aged(PAGE, str(seed)) for seed in range(200)]
    for words, least, most in (("class=", 20, 100), ("<td", 80, 160), ("<br><br>", 50, 110), ("<h1", 60, 140)):
        assert least < sum(words in page for page in pages) < most, words
    assert all('href="/a"' in page and 'title="a > b"' in page for page in pages if "<p title" in page)


def test_a_seed_gives_the_same_page() -> None:
    random.seed(7)
    first = aged(PAGE, "seed")
    random.seed(8)
    assert aged(PAGE, "seed") == first


def test_pages_in_xml_stay() -> None:
    page = "<?xml version='1.0'?><html><body><section/><p>One</p></body></html>"
    assert aged(page, "1") == page
