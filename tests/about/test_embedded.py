"""Articles that are not in the markup."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.about import embedded
from tamis.about.embedded import Embedded, is_repeated, read_embedded, read_rest, read_unshown

SENTENCE = "The river rose in the night, and nobody in the village had seen it so high before. "
ARTICLE = SENTENCE * 4
OTHER = "Our partners and we store cookies on your device to understand how you use this site. " * 8
ARC = {"content_elements": [{"_id": "1", "type": "text", "content": ARTICLE}]}
HEAD = "<title>The river rose</title>"


def find(markup: str) -> Embedded | None:
    return read_embedded(tamis.parse(HEAD + markup, url="http://a.example/x"))


def text(found: Embedded | None) -> str:
    assert found is not None
    return tamis.extract(found.page, method="keep_all").text


def script(value: Any, kind: str = "application/ld+json", name: str = "") -> str:
    return f'<script type="{kind}" id="{name}">{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    ("markup", "origin"),
    [
        (script({"@type": "NewsArticle", "articleBody": ARTICLE}), "JSON-LD articleBody"),
        (script({"@type": "DiscussionForumPosting", "text": ARTICLE}), "JSON-LD text"),
        (script({"props": {"post": {"body": ARTICLE}}}, "application/json", "__NEXT_DATA__"), "__NEXT_DATA__"),
        (
            f"<script>window.__INITIAL_STATE__={json.dumps({'content': {'rendered': ARTICLE}})}</script>",
            "window.__INITIAL_STATE__",
        ),
        (
            f"<script>Fusion.globalContent={json.dumps(ARC)};</script>",
            "Fusion.globalContent",
        ),
        (f"<script>window.__NUXT__=(function(a){{return {{body:{json.dumps(ARTICLE)}}}}}(1))</script>", "__NUXT__"),
        (f"<script>self.__next_f.push([1,{json.dumps('1:' + json.dumps({'html': ARTICLE}))}])</script>", "__next_f"),
        (script({"ROOT_QUERY": {}, "Post:1": {"content": ARTICLE}}, "application/json", "state"), "__APOLLO_STATE__"),
    ],
)
def test_the_article_is_found_and_its_origin_named(markup: str, origin: str) -> None:
    found = find(markup)
    assert text(found) == ARTICLE.strip()
    assert found is not None
    assert found.origin == origin


def test_the_page_carries_address_metadata_and_a_warning() -> None:
    found = find(script({"@type": "NewsArticle", "articleBody": ARTICLE, "author": "Ann Lee"}))
    assert found is not None
    assert found.page.url == "http://a.example/x"
    assert (found.page.metadata.title, found.page.metadata.authors) == ("The river rose", ("Ann Lee",))
    assert found.page.warnings == ("embedded: the text is not in the markup, it comes from JSON-LD articleBody",)


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p>" + ARTICLE,
        script({"@type": "NewsArticle", "articleBody": SENTENCE}),
        script({"@type": "Comment", "text": ARTICLE}),
        script({"comments": [{"body": ARTICLE}]}, "application/json"),
        script({"cookies": {"body": OTHER}}, "application/json"),
        script({"banner": {"body": OTHER}}, "application/json"),  # says nothing of what the title says
        script({"body": "0123456789abcdef" * 50}, "application/json"),
        script({"body": "function f(a) { return a; } " * 40}, "application/json"),
        script({"body": "a{color:red;margin:0 auto} the river rose. " * 40}, "application/json"),
        f"<script>var a = {json.dumps(ARTICLE)}</script>",
    ],
)
def test_what_is_no_article_is_none(markup: str) -> None:
    assert find(markup) is None


def test_the_text_beside_the_title_of_the_page_goes_before_a_longer_one() -> None:
    state = {"a": {"title": "The lake", "body": ARTICLE * 2}, "b": {"title": "The river rose", "body": ARTICLE}}
    assert text(find(script(state, "application/json"))) == ARTICLE.strip()


def test_markup_goes_before_plain_text_of_the_same_length() -> None:
    linked = script({"@type": "NewsArticle", "articleBody": ARTICLE})
    state = script({"body": f"<h2>Head</h2><p>{ARTICLE}</p>"}, "application/json")
    assert text(find(linked + state)).startswith("Head")


def test_steps_and_questions_are_articles_too() -> None:
    steps = {"@type": "Recipe", "recipeInstructions": [{"@type": "HowToStep", "text": SENTENCE} for _ in range(4)]}
    assert text(find(script(steps))).count("river") == 4
    question = {"@type": "Question", "name": "Why?", "acceptedAnswer": {"@type": "Answer", "text": ARTICLE}}
    assert text(find(script({"@type": "FAQPage", "mainEntity": [question]}))).startswith("Why?")


def test_nothing_is_invented() -> None:
    found = find(script({"@type": "NewsArticle", "headline": "The river rose", "articleBody": ARTICLE}))
    assert "".join(text(found).split()) == "".join(ARTICLE.split())


TEASERS = "".join(
    f"<p>{word} are longer this year, and nobody at the town hall can say why.</p>" for word in ("Nights", "Days")
)


def test_an_article_that_json_ld_declares_and_the_page_does_not_show_is_found() -> None:
    linked = script({"@type": "NewsArticle", "articleBody": ARTICLE})
    assert text(read_unshown(tamis.parse(linked + TEASERS))) == ARTICLE.strip()
    assert read_unshown(tamis.parse(f"{linked}<p>{ARTICLE}</p>")) is None
    assert read_unshown(tamis.parse(TEASERS)) is None


def test_the_default_takes_it_instead_of_teasers_but_only_where_no_headline_is_shown() -> None:
    linked = script({"@type": "NewsArticle", "articleBody": ARTICLE})
    head = f"<title>The river rose</title>{linked}"
    result = tamis.extract(f"{head}<body>{TEASERS * 4}")
    assert result.text == ARTICLE.strip()
    assert any("does not show its article" in warning for warning in result.warnings)
    assert tamis.extract(f"{head}<body><h1>The river rose</h1>{TEASERS * 4}").embedded is None


PARTS = [
    "The river came over the lower road at three, and the miller woke his neighbours with an old hunting horn.",
    "By four the cellar of the school was full, and two teachers carried the library up to the second floor.",
    "Nobody had expected this: every gauge upstream had shown falling numbers since Sunday afternoon.",
    "What had happened became clear at breakfast, when a farmer found the dyke near Altenau broken on both sides.",
    "Soldiers filled sandbags until noon; volunteers from six villages brought soup, blankets and dry boots.",
    "A helicopter lifted a family of five from their roof, together with a dog that would not be left behind.",
    "The bridge held, although trees struck its pillars all morning, and trains crossed it at walking pace.",
    "In the evening the mayor read out a list of streets where people could sleep at home again.",
    "How much was lost will be known next week, after insurers have seen the forty houses that stood in water.",
]
BEGINNING, WHOLE = PARTS[:3], "".join(f"<p>{part}</p>" for part in PARTS)
STATE = script({"props": {"story": {"body": WHOLE}}}, "application/json", "__NEXT_DATA__")


def begun(state: str, shown: list[str]) -> str:
    return f"{HEAD}{state}<body><h1>The river rose</h1>{''.join(f'<p>{part}</p>' for part in shown)}"


def test_the_whole_of_an_article_that_the_page_only_begins_is_found() -> None:
    page = tamis.parse(begun(STATE, BEGINNING))
    assert is_repeated(page, max(BEGINNING, key=len))
    assert text(read_rest(page, BEGINNING)) == "\n\n".join(PARTS)


FRENCH = [
    "La rivière a débordé vers trois heures du matin et le meunier a réveillé ses voisins avec un vieux cor de chasse.",
    "À quatre heures la cave de l'école était pleine; deux maîtres ont porté la bibliothèque au deuxième étage.",
    "Personne ne s'y attendait: toutes les échelles en amont montraient des chiffres en baisse depuis dimanche.",
    "Ce qui était arrivé est devenu clair au petit déjeuner, quand un fermier a trouvé la digue rompue des deux côtés.",
    "Des soldats ont rempli des sacs de sable jusqu'à midi; des bénévoles de six villages ont apporté de la soupe.",
]
RUSSIAN = [
    "Река вышла из берегов в три часа ночи, и мельник разбудил соседей старым охотничьим рогом.",
    "К четырём часам подвал школы был полон, и два учителя перенесли библиотеку на второй этаж.",
    "Никто этого не ждал: все приборы выше по течению показывали с воскресенья снижение уровня воды.",
    "Что случилось, стало ясно за завтраком, когда фермер нашёл плотину прорванной с обеих сторон.",
    "Солдаты наполняли мешки песком до полудня, добровольцы из шести деревень принесли суп и одеяла.",
]


def numbered(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode()


@pytest.mark.parametrize("parts", [PARTS, FRENCH, RUSSIAN], ids=["English", "French", "Russian"])
@pytest.mark.parametrize("is_escaped", [True, False])
@pytest.mark.parametrize("write", [str, numbered])
def test_the_whole_is_found_however_its_letters_are_written(
    parts: list[str], is_escaped: bool, write: Callable[[str], str]
) -> None:
    body = "".join(f"<p>{write(part)}</p>" for part in parts)
    state = json.dumps({"title": "The river rose", "body": body}, ensure_ascii=is_escaped)
    shown = parts[: len(parts) // 3]
    head = f'<meta name=description content="{shown[0]}"><script type=application/json>{state}</script>'
    page = tamis.parse(begun(head, shown))
    assert is_repeated(page, max(shown, key=len))
    assert text(read_rest(page, shown)) == "\n\n".join(parts)


def test_a_text_that_no_script_can_hold_is_not_repeated() -> None:
    for parts in (PARTS, FRENCH, RUSSIAN):
        other = json.dumps({"body": "".join(f"<p>{part}</p>" for part in parts[3:])}, ensure_ascii=False)
        head = f'<meta name=description content="{parts[0]}"><script type=application/json>{other}</script>'
        assert not is_repeated(tamis.parse(begun(head, parts[:1])), parts[0])
    assert not is_repeated(tamis.parse(begun(STATE, [])), BEGINNING[0])
    assert not is_repeated(tamis.parse(begun(STATE, ["Rain."])), "Rain.")


def test_scripts_are_not_read_if_none_can_hold_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.extractors.sieve.read_rest", lambda *_: pytest.fail("all scripts are read"))
    other = script({"props": {"story": {"body": "".join(f"<p>{part}</p>" for part in PARTS[3:])}}}, "application/json")
    assert tamis.extract(begun(other, BEGINNING)).embedded is None


def test_metadata_are_those_of_the_page_and_read_when_asked_for() -> None:
    page = tamis.parse(f"{HEAD}<meta name=author content='A. Writer'>{STATE}", url="http://a.example/x")
    found = read_embedded(page)
    assert found is not None
    assert "metadata" not in vars(page)
    assert found.page.metadata is page.metadata
    assert page.metadata.authors == ("A. Writer",)


@given(st.lists(st.sampled_from(["a ", "<b>", "<", ">", "&amp;", "&am", "p;", "é" * 900, "x" * 4_000]), max_size=30))
def test_a_part_of_a_long_text_gives_its_beginning(parts: list[str]) -> None:
    text = "".join(parts)
    assert embedded._beginning(text) == embedded._plain(text)[: embedded._SAMPLE]


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        ("", BEGINNING),
        (STATE, PARTS[:7]),  # most of it is shown
        (STATE, PARTS[6:]),  # its end is no beginning
        (script({"index": {"body": OTHER + WHOLE}}, "application/json", "search"), BEGINNING),  # of the whole site
    ],
)
def test_an_article_that_is_shown_or_not_begun_is_no_rest(state: str, shown: list[str]) -> None:
    assert read_rest(tamis.parse(begun(state, shown)), shown) is None


def test_the_default_takes_the_whole_instead_of_its_beginning() -> None:
    result = tamis.extract(begun(STATE, BEGINNING))
    assert PARTS[-1] in result.text
    assert "the page shows only the beginning of its article; this is from its __NEXT_DATA__" in result.warnings[-1]
    shown = tamis.extract(begun(STATE, PARTS))
    assert PARTS[-1] in shown.text
    assert shown.embedded is None
