"""The default extractor's view of a page, joined with what the other pages of the site know."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import extractors, registry
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.results import Extraction
from tamis.templates._texts import kept_blocks

PITCH = "Subscribe to our letter today, it is written by people who know the coast, and it comes every single week."


def page(number: int) -> str:
    paragraphs = "".join(
        f"<p>In town {number} the {part} was opened by the mayor, who spoke of {number * part} for an hour.</p>"
        for part in range(1, 5)
    )
    return (
        "<body><nav><ul><li><a href=/a>One</a></li><li><a href=/b>Two</a></li></ul></nav>"
        f"<div class=story><h1>Town number {number}</h1>{paragraphs}<p>{PITCH}</p></div></body>"
    )


@dataclass(frozen=True, kw_only=True)
class _Options:
    pass


def stand_in(scored: bool, chances: dict[str, float]) -> Any:
    """An extractor that keeps blocks from one half on, by the first word of their text."""

    def extract(page: Page, options: _Options) -> Extraction:
        found = np.array([chances.get(block.text.split()[0], 0.1) for block in page.blocks], dtype=np.float64)
        scores = tuple(found.tolist()) if scored else None
        return Extraction(page=page, spans=kept_blocks(page, found >= 0.5), scores=scores)

    module = types.ModuleType("stand_in")
    module.extract, module.Options = extract, _Options  # type: ignore[attr-defined]
    return module


@pytest.fixture(params=[True, False], ids=["with probabilities", "without"])
def scored(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, scored: bool) -> Iterator[Any]:
    """Puts an extractor with given chances in the place of the default one."""
    load = registry.load

    def replace(**chances: float) -> None:
        module = stand_in(scored, chances)
        monkeypatch.setattr(registry, "load", lambda kind, name: module if name == "stand_in" else load(kind, name))
        monkeypatch.setattr(extractors, "DEFAULT", "stand_in")

    yield replace
    assert "stand_in" not in sys.modules


def test_boilerplate_that_reads_like_content_goes(use: Any) -> None:
    use(In=0.9, Town=0.8, Subscribe=0.9)
    pages = [tamis.parse(page(number)) for number in range(8)]
    text = tamis.learn_template(pages).extract(pages[2]).text
    assert "In town 2 the 4" in text
    assert "Subscribe" not in text


def test_content_at_a_place_that_is_content_elsewhere_comes_back(use: Any) -> None:
    """The extractor overlooks one paragraph of one page; on all others that place is content."""
    use(In=0.95, Town=0.9, Odd=0.35)
    pages = [tamis.parse(page(number)) for number in range(8)]
    odd = tamis.parse(page(9).replace("In town 9 the 2", "Odd town 9 the 2"))
    found = tamis.learn_template([*pages, odd]).extract(odd)
    chosen = {block.text.split()[0]: block for block in found.blocks}
    assert 0 < chosen["Odd"].score < 1
    assert chosen["Odd"].score > 0.05
    assert chosen["In"].kept


def test_repeated_content_in_a_slot_survives(use: Any) -> None:
    use(In=0.9, Town=0.8, Open=0.9, Closed=0.9, State=0.9)

    def with_state(number: int) -> str:
        state = "Open" if number % 3 else f"Closed since {number}"
        return page(number).replace("</div>", f"<dl><dt>State of it</dt><dd>{state}</dd></dl></div>")

    pages = [tamis.parse(with_state(number)) for number in range(12)]
    text = tamis.learn_template(pages).extract(pages[1]).text
    assert "Open" in text.split()


def test_scores_are_probabilities_and_reasons_tell_the_evidence(use: Any) -> None:
    use(In=0.9, Town=0.8, Subscribe=0.9)
    pages = [tamis.parse(page(number)) for number in range(8)]
    found = tamis.learn_template(pages).extract(pages[0])
    assert found.scores is not None
    assert all(0 <= score <= 1 for score in found.scores)
    pitch = next(block for block in found.blocks if block.text == PITCH)
    assert pitch.reason.startswith("on 100% of the other pages")
    assert pitch.score < 0.5


def test_a_page_of_another_site_is_what_the_default_makes_of_it(use: Any) -> None:
    use(In=0.9, Town=0.8, Strange=0.9)
    template = tamis.learn_template([page(number) for number in range(8)])
    other = tamis.parse("<body><section><blockquote>Strange words</blockquote><pre>Other words</pre></section></body>")
    assert template.extract(other).text == "Strange words"


def test_the_real_default_loses_the_pitch_too() -> None:
    pages = [tamis.parse(page(number)) for number in range(8)]
    assert PITCH in tamis.extract(pages[0]).text
    text = tamis.learn_template(pages).extract(pages[0]).text
    assert PITCH not in text
    assert "In town 0 the 3" in text


def test_content_from_beside_the_markup_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extractor may find the content of an empty frame in its scripts: that is another page than the one given."""
    found = tamis.parse("<p>Words from a script.</p>")
    inner = Extraction(page=found, spans=kept_blocks(found, np.array([True])))
    module = types.ModuleType("stand_in")
    module.Options = _Options  # type: ignore[attr-defined]
    module.extract = lambda page, _options: Extraction(page=page, spans=(), embedded=inner)  # type: ignore[attr-defined]
    load = registry.load
    monkeypatch.setattr(registry, "load", lambda kind, name: module if name == "stand_in" else load(kind, name))
    monkeypatch.setattr(extractors, "DEFAULT", "stand_in")
    template = tamis.learn_template([f"<div id=app>Loading {number}</div>" for number in range(5)])
    assert template.extract(tamis.parse("<div id=app>Loading 7</div>")).text == "Words from a script."


def test_any_extractor_can_be_asked() -> None:
    pages = [tamis.parse(page(number)) for number in range(6)]
    template = tamis.learn_template(pages, extractor="keep_all")
    assert template.model["extractor"] == "keep_all"
    text = template.extract(pages[0]).text
    assert "In town 0" in text
    assert "Subscribe" not in text


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="place_weight"):
        tamis.learn_template([], place_weight=1.5)
