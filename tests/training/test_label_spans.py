from __future__ import annotations

import pytest

import tamis
from tamis.errors import InputError
from tamis.evaluation.datasets.l3s_gn1 import unlabelled
from tamis.training import label_spans
from tamis.training.attachments import attach
from tamis.training.label_spans import from_label_spans


def kinds(markup: str, selector: str) -> list[str]:
    page = tamis.parse(unlabelled(markup))
    found = attach(from_label_spans(markup, "a.html"), page).kinds(page)
    return [found[node] for node in page.select(selector)]


def span(number: int, text: str) -> str:
    return f'<span class="x-nc-sel{number}">{text}</span>'


def test_each_label_has_its_kind() -> None:
    markup = "".join(f"<p>{span(number, 'text')}</p>" for number in range(6)) + "<p>none</p>"
    assert kinds(markup, "p") == ["noisy", "main", "main", "main", "promoted", "main", "noisy"]


def test_most_of_an_element_decides() -> None:
    assert kinds(f"<p>{span(2, 'long text')} no</p><p>{span(2, 'no')} long text</p>", "p") == ["main", "noisy"]


def test_noise_inside_of_what_is_main_stays_noise() -> None:
    assert kinds(f"<ul><li>{span(2, 'long text')}<p>no</p></ul>", "li, p") == ["main", "noisy"]


def test_the_nearest_label_counts() -> None:
    assert kinds(f"<p>{span(2, 'a ' + span(4, 'links to others'))}</p>", "p") == ["promoted"]


def test_a_page_that_changes_without_its_labels_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_spans, "unlabelled", lambda _: "<p>other</p>")
    with pytest.raises(InputError, match=r"a\.html: the text is another one"):
        from_label_spans(f"<p>{span(2, 'a')}</p>", "a.html")
