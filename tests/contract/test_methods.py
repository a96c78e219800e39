"""What every method owes, checked for each module of each folder without naming one.

A method may be excused from a check, with the reason written down in ``EXCUSED``.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import distances, registry
from tamis.characters import without_unseen
from tamis.page.limits import Limits
from tamis.page.model import Page
from tamis.results import Extraction
from tests.hostile import HOSTILE, Markup

EXCUSED: dict[tuple[str, str], str] = {}
"""(method, check) → why the method need not pass it."""

ARTICLE = """<!doctype html><html lang="en"><head><title>Rivers</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/about">About us</a></li></ul></nav>
<article><h1>Rivers of the north</h1>
<p>Rain fell on the hills all night, and by the morning the river had risen over its banks. The
<a href="/bridge">old bridge</a> was closed to cars &amp; carts, and the ferry stayed at its mooring.</p>
<p>Nobody in the town could remember such a flood.<br>The mayor, who had seen many, said that the water would be gone
within a week.</p><pre>level  4.2 m
change +0.3</pre></article>
<aside><h2>More</h2><ul><li><a href="/a">A drought in the south</a></li><li><a href="/b">Snow in May</a></li></ul>
</aside>
<footer><p>Copyright. <a href="/terms">Terms</a> | <a href="/privacy">Privacy</a></p></footer></body></html>"""
MANY_PARAGRAPHS = "<nav><a href=x>menu</a></nav>" + "<p>A sentence of seven words, and so on.</p>\n" * 40

ORDINARY: dict[str, Markup] = {
    "nothing": "",
    "no bytes": b"",
    "blanks": " \n\t ",
    "a word": "word",
    "one tag": "<p>",
    "one link": "<a href=x>word</a>",
    "one ideograph": "<p>漢",
    "plain text": "First line.\n\nSecond line, which is longer than the first.",
    "an address": "https://example.org/",
    "an article": ARTICLE,
    "an article on one line": ARTICLE.replace("\n", " "),
    "paragraphs": MANY_PARAGRAPHS,
    "only links": "<ul>" + "<li><a href=x>some words</a></li>" * 30 + "</ul>",
    "only hidden text": "<div hidden>" + ARTICLE + "</div>",
    "only a title": "<title>Words of a title</title>",
    "only scripts": "<script>var a = 1;</script>" * 5,
    "a table": "<table>loose" + "<tr><td>cell one</td><td>cell two</td></tr>" * 10 + "</table>",
    "a frameset": "<frameset><frame src=a><noframes><p>Words without frames.</p></noframes></frameset>",
    "a framed page": "<p>Before.</p><iframe srcdoc='<p>Words in a frame, some of them.</p>'></iframe>",
    "a form": "<form><textarea><p>Markup in a box</p></textarea><select><option>One<option>Two</select></form>",
    "a page without scripts": "<body><noscript><p>Words for those without scripts.</p></noscript>",
    "Chinese": "<nav><a href=x>首页</a></nav><p>" + "河水在夜里上涨。" * 20 + "</p>",
    "Arabic": "<p dir=rtl>" + "ارتفع النهر أثناء الليل " * 10 + "</p>",
    "XHTML": "<?xml version='1.0'?><html><head><title/></head><body><div/><p>Some words here.</p></body></html>",
    "UTF-16": ARTICLE.encode("utf-16"),
    "windows-1252": "<p>Größe und Übermut, süße Äpfel</p>".encode("cp1252"),
    "a PDF": b"%PDF-1.4 words",
    "binary": bytes(range(256)) * 20,
    "cut in a tag": ARTICLE[:700],
    "cut in a comment": ARTICLE.replace("<article>", "<!-- <article>"),
    "cut in an attribute": ARTICLE.replace('href="/bridge"', 'href="/bridge'),
    "closing tags only": "</p></div></body>words</html>",
    "control characters": "<p>" + "some words " * 50 + "\x00\x01\x7f\x85\u2028</p>",
    "reserved characters": "<p>\ufdd0 &#xFDD0;&#xFDD1; words \uffff</p>",
}
INPUTS = [*ORDINARY, *HOSTILE]
EXTRACTORS = registry.names("extractors")
OUTPUTS = registry.names("outputs")
DISTANCES = registry.names("distances")
CLUSTERERS = registry.names("clusterers")
METHODS = [(kind, name) for kind in registry.kinds() for name in registry.names(kind)]
METHODS_WITH_OPTIONS = [
    (kind, name) for kind, name in METHODS if kind != "outputs" or hasattr(registry.load(kind, name), "Options")
]


def markup_of(source: str) -> Markup:
    return ORDINARY[source] if source in ORDINARY else HOSTILE[source].make(HOSTILE[source].small)


def check(name: str, checked: Callable[..., None], *arguments: Any) -> None:
    if (name, checked.__name__) not in EXCUSED:
        checked(*arguments)


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize("name", EXTRACTORS)
def test_an_extractor_keeps_its_promises(name: str, source: str) -> None:
    markup = markup_of(source)
    page, again = tamis.parse(markup), tamis.parse(markup)
    extraction = tamis.extract(page, method=name)
    assert isinstance(extraction, Extraction)
    check(name, the_page_is_unchanged, page, unused_page(source))
    check(name, the_result_is_repeated, extraction, tamis.extract(again, method=name))
    check(name, spans_are_sorted_disjoint_and_filled, extraction)
    check(name, spans_are_visible, extraction)
    check(name, scores_and_reasons_are_one_per_block, extraction)
    check(name, the_result_says_how_it_went, extraction)


@functools.cache
def unused_page(source: str) -> Page:
    return tamis.parse(markup_of(source))


def the_page_is_unchanged(page: Page, untouched: Page) -> None:
    assert page.text == untouched.text
    assert page.description == untouched.description
    assert [page.attributes(node) for node in range(0, len(page.nodes), 97)] == [
        untouched.attributes(node) for node in range(0, len(page.nodes), 97)
    ]
    for view, other in (
        (page.nodes, untouched.nodes),
        (page.blocks, untouched.blocks),
        (page.tokens, untouched.tokens),
    ):
        for field in dataclasses.fields(view):
            array = getattr(view, field.name)
            if isinstance(array, np.ndarray):
                assert np.array_equal(array, getattr(other, field.name)), field.name
                assert not array.flags.writeable, field.name


def the_result_is_repeated(extraction: Extraction, again: Extraction) -> None:
    assert again.spans == extraction.spans
    assert again.scores == extraction.scores
    assert again.reasons == extraction.reasons
    assert again.notes == extraction.notes


def spans_are_sorted_disjoint_and_filled(extraction: Extraction) -> None:
    reach = 0
    for start, end in extraction.spans:
        assert reach <= start < end
        reach = end
    assert reach <= len(extraction.page.text)


def spans_are_visible(extraction: Extraction) -> None:
    hidden = np.ones(len(extraction.page.text) + 1, dtype=np.int64)
    for start, end in zip(*(extraction.view or extraction.page).visible, strict=True):
        hidden[start:end] = 0
    before = np.cumsum(hidden) - hidden
    for start, end in extraction.spans:
        assert before[start] == before[end], extraction.page.text[start:end]


def scores_and_reasons_are_one_per_block(extraction: Extraction) -> None:
    extraction = extraction.shown
    count = len(extraction.page.blocks)
    assert extraction.scores is None or len(extraction.scores) == count
    assert extraction.reasons is None or len(extraction.reasons) == count
    assert len(extraction.blocks) == count
    assert all(type(score) is float and score == score for score in extraction.scores or ())


def the_result_says_how_it_went(extraction: Extraction) -> None:
    shown = extraction.shown
    assert extraction.status == ("truncated" if shown.page.truncated else "ok" if shown.spans else "empty")
    assert extraction.status == "ok" or extraction.warnings
    assert extraction.made.version == tamis.__version__


HIDDEN_BLOCKS = ARTICLE.replace(
    "<p>", "<div hidden><p>An answer that a click unfolds, in a whole sentence.</p></div><p>"
)
IN_A_SCRIPT = (
    "<!doctype html><title>Rain</title><script type='application/ld+json'>"
    + json.dumps({"@type": "NewsArticle", "headline": "Rain", "articleBody": "After forty days it rained again. " * 20})
    + "</script><div id=app>Loading</div>"
)


@pytest.mark.parametrize("name", EXTRACTORS)
@pytest.mark.parametrize("markup", [ARTICLE, HIDDEN_BLOCKS, IN_A_SCRIPT], ids=["plain", "hidden blocks", "script"])
def test_the_page_of_a_result_is_the_page_that_was_passed_in(name: str, markup: str) -> None:
    page = tamis.parse(markup)
    extraction = tamis.extract(page, method=name)
    assert extraction.page is page
    shown = "".join(extraction.text.split())
    for start, end in extraction.spans:
        assert "".join(without_unseen(page.text[start:end]).split()) in shown
    assert extraction.view is None or extraction.view.text is page.text


def test_an_article_that_only_a_script_holds_has_no_spans_on_the_page() -> None:
    extraction = tamis.extract(IN_A_SCRIPT)
    assert extraction.spans == ()
    assert extraction.embedded is not None
    assert extraction.status == "ok"
    assert extraction.text.startswith("After forty days it rained again.")


@pytest.mark.parametrize("name", EXTRACTORS)
@pytest.mark.parametrize(
    "limits", [Limits(max_nodes=1), Limits(max_nodes=20), Limits(max_depth=1), Limits(max_depth=4)]
)
def test_an_extractor_copes_with_a_page_that_was_cut(name: str, limits: Limits) -> None:
    extraction = tamis.extract(tamis.parse(ARTICLE, limits=limits), method=name)
    assert extraction.status == "truncated"
    check(name, spans_are_sorted_disjoint_and_filled, extraction)
    check(name, spans_are_visible, extraction)


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_is_text_and_always_the_same(name: str, source: str) -> None:
    markup = markup_of(source)
    rendered = everything(markup).render(name)
    assert isinstance(rendered, str)
    rendered.encode()
    assert everything(markup).render(name) == rendered


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("method", EXTRACTORS)
def test_an_output_renders_what_any_extractor_chose(method: str, name: str) -> None:
    extraction = tamis.extract(ARTICLE, method=method)
    assert isinstance(extraction.render(name), str)


@pytest.mark.parametrize(
    "url", ["//[x]", "https://[::1", "http://a\u2100b.example/", "http://\ud800/\ud800", "java\u200bscript:x"]
)
def test_no_address_of_a_page_is_too_much(url: str) -> None:
    page = tamis.parse(ARTICLE, url=url)
    for method in EXTRACTORS:
        tamis.extract(page, method=method)
    for name in OUTPUTS:
        tamis.extract(page.described(url=url)).render(name).encode()


@pytest.mark.parametrize("source", INPUTS)
def test_plain_text_is_visible_text_of_the_page_in_order(source: str) -> None:
    extraction = everything(markup_of(source))
    page = extraction.page
    visible = "".join(page.text[start:end] for start, end in zip(*page.visible, strict=True))
    assert "".join(extraction.text.split()) == "".join(without_unseen(visible).split())


def everything(markup: Markup) -> Extraction:
    return tamis.extract(markup, method="keep_all")


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_a_method_has_a_function_and_a_summary(kind: str, name: str) -> None:
    module = registry.load(kind, name)
    assert callable(getattr(module, registry.FUNCTIONS[kind]))
    assert registry.summary(kind, name).endswith(".")


@pytest.mark.parametrize(("kind", "name"), METHODS_WITH_OPTIONS)
def test_options_are_frozen_and_survive_json(kind: str, name: str) -> None:
    options: Any = registry.load(kind, name).Options()
    assert type(options).__dataclass_params__.frozen
    assert all(field.kw_only for field in dataclasses.fields(options))
    plain = json.loads(json.dumps(dataclasses.asdict(options), allow_nan=False))
    assert registry.make_options(kind, name, plain) == options
    assert hash(options) == hash(registry.make_options(kind, name, plain))


PRINT_RESULTS = """
import sys, json, tamis
pages = json.load(sys.stdin)
found = [[tamis.extract(page, method=name) for page in pages] for name in tamis.methods()]
print(json.dumps([[(one.text, one.spans, one.scores, list(one.reasons or ())) for one in row] for row in found]))
"""


def results(pages: list[str], hash_seed: str, program: str = PRINT_RESULTS) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=json.dumps(pages), env=environment, text=True, capture_output=True, check=True)
    return done.stdout


def test_results_are_the_same_in_every_process_and_hash_seed() -> None:
    pages = [ARTICLE, MANY_PARAGRAPHS, str(HOSTILE["random soup"].make(300))]
    first = results(pages, "1")
    assert len(json.loads(first)) == len(EXTRACTORS)
    assert results(pages, "2") == first


def test_results_are_the_same_in_every_thread() -> None:
    page = tamis.parse(ARTICLE)  # one page for all, its views still to be computed
    jobs = list(EXTRACTORS) * 8
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda name: tamis.extract(page, method=name).spans, jobs))
    assert found == [tamis.extract(ARTICLE, method=name).spans for name in jobs]


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize("name", DISTANCES)
def test_a_distance_is_a_number_that_is_zero_between_equal_pages(name: str, source: str) -> None:
    markup = markup_of(source)
    page, again, article = tamis.parse(markup), tamis.parse(markup), tamis.parse(ARTICLE)
    away = distances.distance(page, article, name)
    assert isinstance(away, float)
    assert 0 <= away < float("inf")
    assert away == distances.distance(article, page, name)
    assert distances.distance(page, again, name) == 0
    check(name, the_page_is_unchanged, page, unused_page(source))


@pytest.mark.parametrize("name", CLUSTERERS)
def test_a_clusterer_puts_every_page_into_one_group(name: str) -> None:
    pages = [unused_page(source) for source in INPUTS]
    found = tamis.cluster(pages, method=name)
    assert sorted(page for group in found.groups for page in group) == list(range(len(pages)))
    assert [group[0] for group in found.groups] == sorted(min(group) for group in found.groups)
    assert all(list(group) == sorted(group) for group in found.groups)
    assert tamis.cluster((tamis.parse(markup_of(source)) for source in INPUTS), method=name) == found
    assert found.made.method == name
    assert found.representatives is None or len(found.representatives) == len(found.groups)
    assert tamis.cluster([], method=name).groups == ()


PRINT_GROUPS = """
import sys, json, tamis
from tamis import distances
pages = [tamis.parse(page) for page in json.load(sys.stdin)]
rows = [distances.matrix(pages, name).tolist() for name in tamis.methods("distances")]
print(json.dumps([rows, [tamis.cluster(pages, method=name).groups for name in tamis.methods("clusterers")]]))
"""


def test_groups_are_the_same_in_every_process_and_hash_seed() -> None:
    pages = [ARTICLE, MANY_PARAGRAPHS, str(HOSTILE["random soup"].make(300)), ARTICLE.replace("<li>", "<li id=x>")]
    first = results(pages, "1", PRINT_GROUPS)
    assert len(json.loads(first)[1]) == len(CLUSTERERS)
    assert results(pages, "2", PRINT_GROUPS) == first
