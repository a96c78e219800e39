"""The pages of the tour: what the usual method makes of them, and that their sentences tell the truth about it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

pytest.importorskip("starlette")

import tamis
from tamis.results import Extraction
from tamis.service.demo import TourPage, examples
from tamis.service.static import FOLDER

EXAMPLES = {example.name: example for example in examples()}


class Expected(NamedTuple):
    """How the text begins and ends, what must not be in it, and what slips through as the sentence says; by bars."""

    first: str
    last: str
    clutter: str
    mistakes: str = ""


EXPECTED = {
    "news": Expected(
        "The clock of the town hall has stood still since March.",
        "so as not to offend anybody upstairs.",
        "214 partners | Front page | Read also | Summer sale | Most read | three bins | newsletter | "
        "More from the town | My grandmother wound that clock | Log in | wrapping fish",
    ),
    "forum": Expected(
        "Hello all, I am at my wits' end.",
        "I will send a postcard from Norway.",
        "Board index | Quote | panniers | Similar threads | pepper mill | Who is online | regret",
        "there are only bad mudguards | Torque values are not a matter of opinion | Moderator | New member | Joined",
    ),
    "shop": Expected(
        "A kettle for every stove",
        "Was this helpful? Yes (7) · No (1)",
        "Free delivery | Wish list | Kitchen | Add to basket | You may also like | "
        "Trivet | Recently viewed | £10 for your next order | Questions? | Crossed-out prices",
        "Was this helpful",
    ),
    "docs": Expected(
        "A job fails when its handler raises an exception",
        "dead letters wait for a person.",
        "in beta | Community | Your first queue | Previous: Workers | helpful | On this page | Built with",
    ),
    "german": Expected(
        "Hundert Jahre lang wurde das Hollener Moor entwässert.",
        "erst in die eine Richtung und dann in die andere.",
        "Privatsphäre | Einwilligung | Abonnieren | Schlagworte | Mein Keller | Meistgelesen | Rhabarber | "
        "Hochzeitsbräuche | kündigen | Gummistiefel",
    ),
    "chinese": Expected(
        "在青石巷的茶馆里，六十七岁的修表人陈守拙有一张靠窗的桌子。",
        "只是把小灯往桌子中间推了推。",
        "下载客户端 | 当前位置 | 阅读： | 广告 | 分享到 | 声明 | 相关阅读 | 伞匠 | 看哭了 | 热门排行 | 关于我们",
    ),
    "arabic": Expected(
        "كل يوم خميس، قبل أن يبلغ المدّ أعلاه بساعة",
        "لم تتعبا من الورق",
        "عاجل | الرئيسية | إعلان | شارك المقال | بنت البحر | الأكثر قراءة | النشرة البريدية | جميع الحقوق | اقرأ أيضاً",
    ),
}


@pytest.fixture(name="extraction", params=list(EXAMPLES), scope="module")
def _extraction(request: Any) -> tuple[TourPage, Extraction]:
    example = EXAMPLES[request.param]
    return example, tamis.extract(tamis.parse(example.markup, url=example.url))


def test_every_page_is_listed_once_and_is_there() -> None:
    files = {file.stem for file in (FOLDER / "demo").glob("*.html")}
    assert len(examples()) == len(EXAMPLES)
    assert set(EXAMPLES) == files == set(EXPECTED)


def test_the_content_is_found_from_the_first_sentence_to_the_last(extraction: tuple[TourPage, Extraction]) -> None:
    example, found = extraction
    expected = EXPECTED[example.name]
    assert found.status == "ok"
    assert expected.first in found.text
    assert found.text.rstrip(" .»”").endswith(expected.last.rstrip(" ."))
    clutter = expected.clutter.split(" | ")
    assert [words for words in clutter if words in found.text] == []
    assert [words for words in clutter if words not in example.markup] == []  # else it would prove nothing


def test_the_headline_comes_first_unless_it_is_dropped(extraction: tuple[TourPage, Extraction]) -> None:
    example, found = extraction
    assert found.text.startswith(example.title)
    assert example.title not in tamis.extract(found.page, title="drop").text


def test_mistakes_are_admitted(extraction: tuple[TourPage, Extraction]) -> None:
    example, found = extraction
    mistakes = EXPECTED[example.name].mistakes
    assert [words for words in mistakes.split(" | ") if words not in found.text] == []
    assert bool(mistakes) == ("mistake" in example.look)


def test_code_and_tables_keep_their_form() -> None:
    docs, shop = (tamis.extract(EXAMPLES[name].markup).markdown for name in ("docs", "shop"))
    assert '```python\nfrom loomwire import Queue, Retry\n\nmail = Queue(\n    "mail",' in docs
    assert "| `jitter` | `0.05` |" in docs
    assert "| Weight | 980 g |" in shop


def test_the_older_method_loses_the_table_and_most_of_the_code() -> None:
    text = tamis.extract(EXAMPLES["docs"].markup, method="ccb").text
    assert [words for words in ("Seconds before", "from loomwire import", "raise Reject") if words in text] == []


def test_every_character_counts_as_a_word_in_chinese() -> None:
    page = tamis.parse(EXAMPLES["chinese"].markup)
    heading = next(block for block in page.blocks if block.text == EXAMPLES["chinese"].title)
    assert heading.words == len(EXAMPLES["chinese"].title)


@pytest.mark.parametrize("name", EXAMPLES)
def test_pages_are_as_long_as_pages_are_and_load_nothing(name: str) -> None:
    markup = EXAMPLES[name].markup
    assert 10_000 <= len(markup.encode()) <= 40_000
    loaded = re.findall(r"(?:\ssrc|srcset|poster|data)=\"([^\"]*)|url\(['\"]?([^)]*)", markup)
    assert [one for one in loaded if not "".join(one).startswith("data:image/")] == []
    assert not re.search(r"<(?:iframe|object|embed|base|link rel=\"(?:stylesheet|preload|icon))", markup)


def test_the_tour_is_at_its_own_address_and_its_pages_can_do_nothing(service: Any) -> None:
    tour = service.get("/demo")
    assert "script-src 'self'" in tour.headers["content-security-policy"]
    assert tour.text == service.get("/").text
    page = service.get("/static/demo/news.html")
    assert page.text == EXAMPLES["news"].markup
    assert "sandbox" in page.headers["content-security-policy"]
