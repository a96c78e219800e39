"""Wrappers that are suggested from a few pages with gold text."""

from __future__ import annotations

import random

import pytest

import tamis
from tamis.errors import InputError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.wrappers.cutting import cut
from tamis.evaluation.wrappers.rules import GoldPart
from tamis.evaluation.wrappers.suggest import suggest
from tests.training.pages import sentence


def page(number: int, frame: str) -> Sample:
    """A page whose gold text is a headline and two paragraphs; the frame says where they stand."""
    source = random.Random(number)
    head, first, second, advert, menu = (sentence(source, length) for length in (5, 30, 30, 8, 40))
    markup = frame.format(id=number, head=head, first=first, second=second, advert=advert, menu=menu)
    return Sample(id=str(number), html=markup, gold=f"{head}\n\n{first}\n\n{second}")


CLASSES = (
    "<ul class=menu><li>{menu}</ul><h1>{head}</h1><div id=post-{id} class='post x'><p>{first}</p>"
    "<div class=promo>{advert}</div><p>{second}</p></div>"
)
COMMENTS = "<p>{menu}</p><!-- begin --><p>{head}</p><p>{first}</p><p>{second}</p><!-- end --><p>{menu}</p>"
NAMES = "<div><p>{menu}</p><story><p>{head}</p><p>{first}</p><p>{second}</p></story></div>"


@pytest.mark.parametrize(
    ("frame", "parts"),
    [
        (
            CLASSES,
            (GoldPart(name="headline", select="h1"), GoldPart(name="text", select="div.post", without="div.promo")),
        ),
        (COMMENTS, (GoldPart(name="text", between=("begin", "end")),)),
        (NAMES, (GoldPart(name="text", select="story"),)),
    ],
)
def test_the_landmarks_that_all_pages_have_are_found(frame: str, parts: tuple[GoldPart, ...]) -> None:
    found = suggest(page(number, frame) for number in range(3))
    assert found.wrapper.parts == parts
    assert found.scores == {"0": 1.0, "1": 1.0, "2": 1.0}
    unseen = page(7, frame)
    assert cut(tamis.parse(unseen.html), found.wrapper).text == unseen.gold


def test_what_has_no_gold_or_no_landmark_in_common_gives_none() -> None:
    with pytest.raises(InputError, match="no page has gold text"):
        suggest([Sample(id="a", html="<p>x")])
    strangers = [Sample(id="a", html="<p>one", gold="one"), Sample(id="b", html="<h1>one", gold="one")]
    with pytest.raises(InputError, match="no landmark in common"):
        suggest(strangers)


def test_the_language_is_that_of_all_pages() -> None:
    pages = [page(number, f"<html lang=de>{NAMES}") for number in range(2)]
    assert suggest(pages).wrapper.language == "de"
    assert suggest([*pages, page(2, f"<html lang=fr>{NAMES}")]).wrapper.language == ""
