"""What every template method owes, checked for each without naming one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis import registry
from tamis.errors import InputError, OptionError
from tamis.page.limits import Limits
from tamis.results import Extraction, Template
from tamis.templates import MIN_PAGES
from tests.contract.test_methods import ARTICLE, INPUTS, unused_page
from tests.hostile import HOSTILE
from tests.templates.pages import article, articles, car, cars

METHODS = registry.names("templates")


def is_sound(extraction: Extraction) -> bool:
    """Spans are visible, sorted and disjoint, and the result says how it went."""
    extraction = extraction.shown
    page, reach = extraction.page, 0
    for start, end in extraction.spans:
        assert reach <= start < end
        reach = end
    assert page.clip(*map(list_to_array, zip(*extraction.spans, strict=True))) == extraction.spans if reach else True
    assert extraction.scores is None or len(extraction.scores) == len(page.blocks)
    assert extraction.reasons is None or len(extraction.reasons) == len(page.blocks)
    assert extraction.status == ("truncated" if page.truncated else "ok" if extraction.spans else "empty")
    return True


def list_to_array(values: tuple[int, ...]):  # type: ignore[no-untyped-def]
    import numpy as np

    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize("name", METHODS)
def test_a_menu_and_a_footer_go_and_the_article_stays_unless_the_method_says_otherwise(name: str) -> None:
    pages = articles(8)
    template = tamis.learn_template(pages, method=name)
    assert template.made.method == name
    assert not template.fallback
    text = template.extract(pages[3]).text
    body = [block.text for block in pages[3].blocks if pages[3].name(block.node) == "p"][:-1]
    kept = sum(paragraph in text for paragraph in body)
    assert kept == len(body), name
    if name not in KEEPS_THE_MENU:
        assert "All rights reserved" not in text


KEEPS_THE_MENU = {"infodiscoverer", "wisdom", "lamis"}
"""Their greedy threshold may stop late; the worked values are tested in their own file."""


@pytest.mark.parametrize("name", METHODS)
def test_any_pages_give_a_template_and_any_page_a_result(name: str) -> None:
    pages = [unused_page(source) for source in INPUTS]
    template = tamis.learn_template(pages, method=name)
    for page in pages:
        assert is_sound(template.extract(page))
    learned = tamis.learn_template(articles(5), method=name)
    for page in pages[::3]:
        assert is_sound(learned.extract(page))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("limits", [Limits(max_nodes=1), Limits(max_nodes=20), Limits(max_depth=3)])
def test_a_page_that_was_cut_is_marked(name: str, limits: Limits) -> None:
    template = tamis.learn_template([tamis.parse(article(number), limits=limits) for number in range(5)], method=name)
    assert template.extract(tamis.parse(article(9), limits=limits)).status == "truncated"


@pytest.mark.parametrize("name", METHODS)
def test_a_template_survives_its_file(name: str, tmp_path: Path) -> None:
    pages = cars(7)
    template = tamis.learn_template(pages, method=name)
    template.save(tmp_path / "template.json")
    loaded = Template.load(tmp_path / "template.json")
    assert loaded == template
    new = tamis.parse(car(99))
    assert loaded.extract(new).spans == template.extract(new).spans
    assert [file.name for file in tmp_path.iterdir()] == ["template.json"]


def test_the_name_of_a_file_may_be_text(tmp_path: Path) -> None:
    template = tamis.learn_template(cars(3))
    template.save(str(tmp_path / "template.json"))
    assert Template.load(str(tmp_path / "template.json")) == template


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("count", [0, 1, MIN_PAGES - 1])
def test_too_few_pages_are_left_to_the_single_page_default(name: str, count: int) -> None:
    template = tamis.learn_template(articles(count), method=name)
    assert template.fallback
    assert f"only {count} different page" in template.notes[0]
    page = tamis.parse(ARTICLE)
    found = template.extract(page)
    assert found.spans == tamis.extract(page).spans
    assert found.notes[: len(template.notes)] == template.notes


@pytest.mark.parametrize("name", METHODS)
def test_enough_pages_are_learned_from(name: str) -> None:
    assert not tamis.learn_template(articles(MIN_PAGES), method=name).fallback


def test_copies_of_one_page_are_one_page() -> None:
    template = tamis.learn_template([article(1)] * 20)
    assert template.fallback
    assert len(template.pages) == 1


def test_empty_pages_are_no_pages_to_learn_from() -> None:
    assert len(tamis.learn_template([*articles(4), "", "<p>", "<div></div>"]).pages) == 4


LABELS, VALUES = "html/body/table.data/tbody/tr/th", "html/body/table.data/tbody/tr/td"


def test_fixed_places_and_slots_are_told_apart() -> None:
    template = tamis.learn_template(cars(12), method="slots")
    assert [part.path for part in template.fixed] == ["html/body/nav/ul/li", LABELS, "html/body/footer/p"]
    assert [part.texts for part in template.fixed] == [6, 3, 1], "entries of the menu, labels, one footer"
    assert [(part.path, part.texts > 12, part.pages) for part in template.slots] == [(VALUES, True, 12)]
    assert all(part.kept < 0.5 for part in template.fixed)
    assert all(part.kept >= 0.5 for part in template.slots)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 99}', '{"format": 1, "fixed": [{}]}', "\x00"])
def test_a_file_that_is_no_template_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text(text)
    with pytest.raises(InputError, match="template"):
        Template.load(file)
    with pytest.raises(InputError, match="template"):
        Template.load(tmp_path / "missing.json")


def test_unknown_methods_and_options_are_answered() -> None:
    with pytest.raises(OptionError, match="slots"):
        tamis.learn_template([], method="slotz")
    with pytest.raises(OptionError, match="max_share"):
        tamis.learn_template([], method="slots", max_shar=1)


PRINT = """
import sys, json, tamis
pages = [tamis.parse(page) for page in json.load(sys.stdin)]
found = [tamis.learn_template(pages, method=name) for name in tamis.methods("templates")]
print(json.dumps([[one.to_dict(), [one.extract(page).spans for page in pages]] for one in found]))
"""


def test_templates_are_the_same_in_every_process_and_hash_seed() -> None:
    pages = [*map(article, range(5)), *map(car, range(4)), str(HOSTILE["random soup"].make(200))]

    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PRINT]
        return subprocess.run(
            command, input=json.dumps(pages), env=environment, text=True, capture_output=True, check=True
        ).stdout

    first = run("1")
    assert len(json.loads(first)) == len(METHODS)
    assert run("2") == first
