"""One record: its row, or why there is none."""

from __future__ import annotations

import dataclasses
import hashlib
import resource
from typing import Any

import pytest

import tamis
from tamis.batch import Outcome
from tamis.page.model import Page
from tamis.results import Template
from tamis.scaling import process
from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Duplicates, Filter, Job, RecordLimits
from tamis.scaling.process import PROVENANCE, describe, process_record, processor
from tests.scaling.archives import page

PLAIN = Job(method="keep_all", metadata=False)
URL = "https://example.org/a"


def record(html: bytes | str = page("one"), **values: Any) -> InputRecord:
    return InputRecord("a@7", "a", 7, **{"url": URL, "html": html, **values})


def test_a_row_begins_with_where_it_comes_from() -> None:
    digest = "sha256:" + hashlib.sha256(page("one")).hexdigest()
    expected = {"id": "a@7", "url": URL, "source": "a", "offset": 7, "digest": digest}
    assert describe(record()) == describe(record(page("one").decode())) == expected
    row = process_record(record(), PLAIN).value
    assert list(row)[: len(PROVENANCE)] == list(PROVENANCE)
    assert row == row | expected
    assert describe(record("half \ud800 a character"))["digest"].startswith("sha256:")


@pytest.mark.parametrize(
    ("values", "job", "status", "reason"),
    [
        ({"problem": "broken", "skip": "status: 404"}, PLAIN, "failed", "broken"),
        ({"skip": "status: 404"}, PLAIN, "skipped", "status: 404"),
        ({"html": b""}, PLAIN, "empty", "no main content was found on the page"),
        ({}, (Filter(name="length", parameters={"min_words": 61}),), "skipped", "length: it has 60 words"),
        ({}, (Filter(name="url", parameters={"deny": ["/a"]}),), "skipped", "url: its address holds /a"),
    ],
)
def test_a_record_without_a_row_has_a_reason(values: Any, job: Any, status: str, reason: str) -> None:
    chosen = job if isinstance(job, Job) else dataclasses.replace(PLAIN, filters=job)
    found = record(**values)
    outcome = process_record(found, chosen)
    assert (outcome.status, outcome.value) == (status, describe(found))
    assert reason in outcome.reason


def test_an_address_that_is_not_wanted_costs_no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "parse", None)
    length, address = Filter(name="length"), Filter(name="url", parameters={"allow": ["/b"]})
    outcome = process_record(record(), dataclasses.replace(PLAIN, filters=(length, address)))
    assert (outcome.status, outcome.reason) == ("skipped", "url: its address holds none of the allowed patterns")


def test_the_first_filter_that_has_a_reason_gives_it() -> None:
    filters = tuple(Filter(name="length", parameters={"min_words": least}) for least in (10, 100, 1000))
    assert process_record(record(), dataclasses.replace(PLAIN, filters=filters)).reason == "length: it has 60 words"
    assert process_record(record(), dataclasses.replace(PLAIN, filters=filters[:1])).status == "ok"


def test_a_page_that_was_cut_says_so() -> None:
    assert process_record(record(), PLAIN).value["status"] == "ok"
    for html, cut in (
        (page("one"), "the file ends"),
        ("<i>" * 600 + "deep", ""),
        (b"<title>x</title><b", "the file ends"),
    ):
        outcome = process_record(record(html, cut=cut), PLAIN)
        assert (outcome.status, outcome.value["status"]) == ("truncated", "truncated")
        assert f"truncated: {cut}" in outcome.value["warnings"][0]


def test_a_record_that_was_cut_off_before_its_content_is_not_taken_for_an_empty_page() -> None:
    outcome = process_record(record(b"", cut="the file ends in the middle of it"), PLAIN)
    assert outcome.status == "failed"
    assert outcome.reason == "it was cut off before its content: the file ends in the middle of it"
    assert process_record(record(b""), PLAIN).status == "empty"


def test_every_ideograph_is_a_word() -> None:
    row = process_record(record("<p>河水再次上涨 twice</p>"), PLAIN).value
    assert row["words"] == 7


def test_a_row_has_the_columns_that_are_asked_for() -> None:
    plain = process_record(record(), PLAIN).value
    content = ["text", "words", "score", "page_type", "warnings", "method", "version", "status"]
    assert list(plain) == [*PROVENANCE, *content]
    assert plain["text"] == tamis.extract(page("one"), method="keep_all").text
    assert (plain["words"], plain["method"], plain["version"]) == (60, "keep_all", PLAIN.version)
    assert (plain["score"], plain["page_type"], plain["warnings"]) == (None, None, [])
    found = tamis.extract(page("one"), method="keep_all")
    markdown, html = (
        process_record(record(), dataclasses.replace(PLAIN, format=name)).value for name in ("markdown", "html")
    )
    assert (markdown["markdown"], html["html"]) == (found.markdown, found.html)
    assert {*markdown} - {*plain} == {"markdown"}
    assert {*html} - {*plain} == {"html"}
    assert {*process_record(record(), dataclasses.replace(PLAIN, duplicates=Duplicates())).value} - {*plain} == {
        "signature"
    }


def test_metadata_is_part_of_a_row_unless_it_is_left_out() -> None:
    head = "<html lang=de><title>Regen</title><meta name=author content='Ann Lee'><meta name=description content=Nass>"
    row = process_record(record(head + page("one").decode()), Job(method="keep_all")).value
    assert (row["title"], row["authors"], row["language"], row["description"]) == ("Regen", ["Ann Lee"], "de", "Nass")
    guessed = process_record(record(page("one")), Job(method="keep_all")).value
    assert guessed["language"] == "en", "what the text says, where the page says nothing"


def test_the_score_is_the_mean_over_kept_words() -> None:
    more = "<p>Then it goes on for a few words more, which are as good as those before.</p>"
    markup = "<nav><a href=/>Home</a></nav>" + page("one").decode().replace("</article>", more + "</article>")
    found = tamis.extract(markup)
    assert found.scores is not None
    counts = found.page.blocks.words.tolist()
    kept = [
        pair for pair, block in zip(zip(counts, found.scores, strict=True), found.blocks, strict=True) if block.kept
    ]
    assert 1 < len({score for _, score in kept}) == len(kept) < len(counts)
    mean = sum(words * score for words, score in kept) / sum(words for words, _ in kept)
    assert process_record(record(markup), Job(metadata=False)).value["score"] == round(mean, 4)


def test_a_template_of_the_host_is_preferred_to_the_method() -> None:
    asked: list[str | None] = []

    class Known:
        def extract(self, found: Page) -> object:
            return tamis.extract(found, method="bte")

    def find(url: str | None) -> Template | None:
        asked.append(url)
        return Known() if url == URL else None  # type: ignore[return-value]

    outcomes = [process_record(record(url=url), PLAIN, find_template=find) for url in (URL, None)]
    assert [outcome.value["method"] for outcome in outcomes] == ["bte", "keep_all"]
    assert asked == [URL, None]


def find_none(url: str | None) -> None:
    """No host has a template."""


def test_a_process_works_with_limited_memory_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: told.append((kind, limits)))
    work = processor(dataclasses.replace(PLAIN, limits=RecordLimits(memory_mb=1024)), lambda: find_none)
    assert told == [(resource.RLIMIT_AS, (1 << 30, 1 << 30))]
    assert isinstance(work(record()), Outcome)
    assert processor(PLAIN)(record()).status == "ok"
