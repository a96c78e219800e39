"""The language of a page, declared and detected."""

from __future__ import annotations

import pytest

import tamis
from tamis.about import languages

TEXTS = {
    "en": "The river rose in the night, and nobody in the village had ever seen it as high as on that morning.",
    "de": "Der Fluss stieg in der Nacht, und niemand im Dorf hatte ihn jemals so hoch gesehen wie an diesem Morgen.",
    "fr": "La rivière est montée dans la nuit, et personne au village ne l'avait jamais vue si haute.",
    "ja": "川は夜のうちに水かさを増し、村の誰もこれほど高い水位を見たことがなかった。朝になっても雨は降り続いていた。",
    "ru": "Река поднялась ночью, и никто в деревне никогда не видел её такой высокой, какой она была в то утро.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_running_text_tells_its_language(language: str) -> None:
    found = tamis.parse(f"<p>{TEXTS[language]}</p>").metadata
    assert (found.language, found.detected_language) == (language, language)
    assert found.sources["language"] == "the text"


def test_what_is_declared_goes_first_and_both_are_told() -> None:
    found = tamis.parse(f"<html lang=EN_us><p>{TEXTS['de']}</p>").metadata
    assert (found.language, found.detected_language) == ("en-US", "de")


@pytest.mark.parametrize(
    ("head", "language"),
    [
        ("<html lang=de>", "de"),
        ("<html lang='{{lang}}'><meta property=og:locale content=de_AT>", "de-AT"),
        ("<html><meta http-equiv=content-language content='fr, en'>", "fr"),
        ("<html lang=und>", None),
        ("<html lang=english>", None),
    ],
)
def test_only_language_tags_count(head: str, language: str | None) -> None:
    assert tamis.parse(head + "<p>text").metadata.language == language


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        (" the x" * 10 + " " + "w" * 539, True),  # one word in 60 characters
        (" the x" * 10 + " " + "w" * 540, False),
        ((" the x of " + "w" * 190) * 4, True),  # two words in each quarter
        ((" the x of " + "w" * 190) * 3 + " the " + "w" * 195, False),
        ((" the " + "w" * 55) * 9, False),  # too short to need a short cut
    ],
)
def test_common_words_tell_english_before_a_guess(text: str, is_english: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "guess_language", lambda _: ("deu", 1.0))
    found = languages.detected_language(tamis.parse(f"<p>x{text[:-1]}"))
    assert found == ("en" if is_english else "de")


def test_too_little_text_and_menus_tell_nothing() -> None:
    assert tamis.parse("<p>Hello you</p>").metadata.detected_language is None
    menu = "".join(f"<li><a href=/{n}>{TEXTS['de']}</a>" for n in range(5))
    assert tamis.parse(menu).metadata.detected_language is None
