"""Text that is selected letter by letter, and what it says about the elements of a page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import InputError, OptionError
from tamis.extractors.elements.groups import find_elements
from tamis.page.spans import Span
from tamis.training.annotations import Annotation, Passage, page_digest
from tamis.training.attachments import ElementPaths, agreement
from tamis.training.passages import Said, find_passages, main_text, mostly_selected, select

MARKUP = """<nav>Home</nav><h1>Flood</h1><p>The river <b>rose</b> at night. <i hidden>No.</i> Ads.</p><dl><dd>Karl</dl>
<img src=a>"""
PAGE = tamis.parse(MARKUP)
ELEMENTS = find_elements(PAGE)
NOTHING = Said({}, ())


def span(text: str) -> Span:
    start = PAGE.text.index(text)
    return Span(start, start + len(text))


def told(said: Said) -> tuple[list[str], list[str]]:
    """Names of the main elements, and the passages."""
    names = [PAGE.name(node) for node in ELEMENTS.node.tolist() if said.kinds.get(node) == "main"]
    return names, [PAGE.text[start:end] for start, end in said.passages]


def test_a_selection_of_a_whole_element_makes_it_main_and_of_a_part_a_passage() -> None:
    chosen = Span(span("Flood").start, span("rose").end)
    said = select(PAGE, ELEMENTS, NOTHING, [chosen], is_main=True)
    assert told(said) == (["h1"], ["The river rose"])
    whole = select(PAGE, ELEMENTS, said, [Span(chosen.end, span("Ads.").end)], is_main=True)
    assert told(whole) == (["h1", "p"], [])


def test_what_is_taken_out_of_a_main_element_leaves_passages() -> None:
    main = select(PAGE, ELEMENTS, NOTHING, [span("Flood"), Span(span("The").start, span("Ads.").end)], is_main=True)
    assert told(main) == (["h1", "p"], [])
    less = select(PAGE, ELEMENTS, main, [span(" Ads.")], is_main=False)
    assert told(less) == (["h1"], ["The river rose at night."])
    assert told(select(PAGE, ELEMENTS, less, [span("river")], is_main=False)) == (["h1"], ["The", "rose at night."])


def test_categories_and_images_stay_what_they_are() -> None:
    nav, image = PAGE.select("nav")[0], PAGE.select("img")[0]
    said = Said({nav: "navigation", image: "main"}, ())
    assert told(select(PAGE, ELEMENTS, said, [span("Flood")], is_main=False)) == (["img"], [])
    assert select(PAGE, ELEMENTS, said, [span("Hom")], is_main=True).kinds[nav] == "navigation"
    assert select(PAGE, ELEMENTS, said, [span("Home")], is_main=True).kinds[nav] == "main"


ranges = st.tuples(st.integers(0, len(PAGE.text) - 1), st.integers(1, len(PAGE.text))).map(
    lambda pair: Span(min(pair), max(max(pair), min(pair) + 1))
)


@given(st.lists(st.tuples(st.lists(ranges, max_size=3), st.booleans()), max_size=4))
def test_main_text_is_what_was_selected_last(steps: list[tuple[list[Span], bool]]) -> None:
    said = NOTHING
    wanted = np.zeros(len(PAGE.text), dtype=np.bool_)
    for selection, is_main in steps:
        said = select(PAGE, ELEMENTS, said, selection, is_main=is_main)
        for start, end in selection:
            wanted[start:end] = is_main
    letters = np.zeros(len(PAGE.text), dtype=np.bool_)
    for start, end in zip(*PAGE.visible, strict=True):
        letters[start:end] = [not character.isspace() for character in PAGE.text[start:end]]
    assert (main_text(PAGE, ELEMENTS, said) & letters).tolist() == (wanted & letters).tolist()
    assert all(PAGE.text[start:end].strip() == PAGE.text[start:end] != "" for start, end in said.passages)


def annotation(*passages: Passage, digest: str = "", annotator: str = "ann") -> Annotation:
    return Annotation(page="a.html", annotator=annotator, digest=digest, passages=passages)


def test_passages_are_found_in_their_places_or_by_their_text() -> None:
    passage = Passage(start=span("river").start, text="river")
    assert find_passages(annotation(passage, digest=page_digest(PAGE)), PAGE) == ((span("river"),), ())
    changed = tamis.parse("<p>News!</p>" + MARKUP)
    (found,) = find_passages(annotation(passage), changed).spans
    assert changed.text[found.start : found.end] == "river"
    for markup in ("<p>gone</p>", "<p>river</p><p>river</p>"):
        assert find_passages(annotation(passage), tamis.parse(markup)) == ((), (passage,))
    elsewhere = Passage(start=0, text="river")
    assert find_passages(annotation(elsewhere, digest=page_digest(PAGE)), PAGE).lost == (elsewhere,)


@pytest.mark.parametrize(("text", "is_main"), [("The river rose at", True), ("The river", False)])
def test_an_element_most_of_which_is_selected_counts_as_main(text: str, is_main: bool) -> None:
    paragraph = ELEMENTS.node.tolist().index(PAGE.select("p")[0])
    assert mostly_selected(PAGE, ELEMENTS, [span(text)])[paragraph] == is_main
    digest = page_digest(PAGE)
    mine = annotation(Passage(start=span(text).start, text=text), digest=digest)
    mark = ElementPaths(PAGE).mark(PAGE.select("p")[0])
    theirs = Annotation(page="a.html", annotator="bob", digest=digest, marks=(mark,))
    assert (agreement(mine, theirs, PAGE).kappa == 1) == is_main


@pytest.mark.parametrize(
    "passage", [{"start": -1, "text": "a"}, {"start": 0, "text": ""}, {"start": True, "text": "a"}, {"start": "0"}, 7]
)
def test_what_is_no_passage_is_refused(passage: object) -> None:
    with pytest.raises(InputError, match="this is not an annotation"):
        Annotation.from_dict({"page": "a", "annotator": "b", "passages": [passage]})


def test_a_language_is_a_tag_and_survives_with_the_passages() -> None:
    said = Annotation(page="a", annotator="b", language="pt-BR", passages=(Passage(start=3, text="abc"),))
    assert Annotation.from_dict(said.to_dict()) == said
    with pytest.raises(OptionError, match="a language is a tag such as en or pt-BR, not 'English'"):
        Annotation(page="a", annotator="b", language="English")
