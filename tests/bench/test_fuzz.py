"""The fuzzer: the same inputs from the same numbers, and what it would find if it were there."""

from __future__ import annotations

import itertools
import os
import signal
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tamis
from bench import output_twins
from bench.fuzz import checks, kernels, running, targets, trying
from bench.fuzz.checks import Violation
from bench.fuzz.inputs import Input, make
from bench.fuzz.targets import TARGETS, Target
from tamis.kernels import why_not


def test_a_number_stands_for_one_input_and_every_target_gets_some() -> None:
    first = [make(1, number, real=False) for number in range(4_000)]
    assert first == [make(1, number, real=False) for number in range(4_000)]
    assert first != [make(2, number, real=False) for number in range(4_000)]
    assert {one.target for one in first} >= set(TARGETS) - {"growth"}
    assert {make(1, number, False, ("job",)).target for number in range(9)} == {"job"}


def give(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setitem(TARGETS, "extract", Target(run, lambda _: (b"",), 1))


def found(data: bytes = b"some <i>data", choice: int = 8) -> str:
    finding = trying.attempt(Input("extract", choice, data))
    return "" if finding is None else finding.reason


def test_an_answer_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, lambda data, choice: (data, choice))
    assert found() == ""


def test_exceptions_are_named_by_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, lambda *given: int(given[0]))
    assert found() == "extract: ValueError in <lambda>"


def test_answers_that_differ_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = itertools.count()
    give(monkeypatch, lambda *_: next(counter))
    assert found() == "extract: the same input gives another answer the second time"


def test_work_without_an_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(data: bytes, choice: int) -> None:
        while True:
            pass

    give(monkeypatch, forever)
    monkeypatch.setattr(trying, "_SECONDS", 0.05)
    assert found() == "slow: extract in forever"


def test_findings_are_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(data: bytes, choice: int) -> None:
        if b"<i>" in data:
            raise Violation("there is an i")

    give(monkeypatch, refuse)
    finding = trying.attempt(Input("extract", 8, b"some <i>data that does not matter" * 3))
    assert finding is not None
    assert trying.smaller(finding).input.data == b"<i>"


class Deadly(running.InputsOf):
    """Inputs of which one ends every process but that of the test."""

    def make(self, number: int) -> Input:
        if number == 2 and os.getpid() != self.seed:
            os.kill(os.getpid(), signal.SIGSEGV)
        return Input("address", 0, b"%d" % number)


def test_a_process_that_dies_is_a_finding_and_all_other_inputs_are_tried(tmp_path: Path) -> None:
    store = running.Store(tmp_path)
    tried = running.run(Deadly(os.getpid(), False, ("address",)), running.Batches(4, float("inf")), 2, store)
    assert tried == {"address": 4}
    assert store.reasons == {"address: the process dies: the process was ended by SIGSEGV": 1}
    assert [file.read_bytes() for file in tmp_path.glob("*.input")] == [b"2"]


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x</script>",
        "<p onclick=x>",
        "<a href='javascript:x'>",
        "<a href='java\u200bscript:x'>",
        "<img src='data:text/html,x'>",
        "<p style='x:y'>",
        "<iframe>",
    ],
)
def test_what_could_run_is_seen_in_html_and_markdown(markup: str) -> None:
    with pytest.raises(Violation):
        checks.check_strict(markup, "HTML")
    with pytest.raises(Violation):
        checks.check_markdown(f"text {markup}")


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x</script>",
        "<p onclick=x>",
        "<a href=' javascript:x'>",
        "<iframe src=x>",
        "<iframe sandbox src='data:text/html,x'>",
        "<meta http-equiv=refresh content=1>",
        "<object data=x>",
    ],
)
def test_what_could_run_is_seen_in_pages_that_keep_their_look(markup: str) -> None:
    with pytest.raises(Violation):
        checks.check_inert(markup, "the page")


def test_harmless_output_is_no_finding() -> None:
    checks.check_strict("<p>One <a href='/x'>two</a> <img src='https://a.example/b' alt='c'></p>", "HTML")
    checks.check_markdown("# One\n\n[two](/x) ![c](https://a.example/b) `<script>`\n\n| a | b |\n|---|:-:|\n| 1 | 2 |")
    checks.check_inert("<p style='color:red'><a href='javascript.html'>x</a><img src='data:image/png,x'>", "the page")
    checks.check_spans(((0, 2), (2, 3)), 3)


@pytest.mark.parametrize("spans", [((0, 0),), ((1, 3), (2, 4)), ((0, 9),), ((2, 1),)])
def test_spans_out_of_order_are_seen(spans: Any) -> None:
    with pytest.raises(Violation):
        checks.check_spans(spans, 5)


@pytest.mark.parametrize("text", ["{", '{"html": NaN}'])
def test_json_that_cannot_be_read_is_seen(text: str) -> None:
    with pytest.raises(Violation):
        checks.check_json(text)


@pytest.mark.parametrize("text", ["<a>", "<a>\x01</a>", "<a target='javascript:x'/>"])
def test_xml_that_cannot_be_read_or_runs_is_seen(text: str) -> None:
    with pytest.raises(Violation):
        checks.check_tei(text)


@pytest.mark.parametrize("part", ["end", "parent", "text_end"])
def test_views_that_do_not_hold_together_are_seen(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    page = tamis.parse("<p>One <b>two</b> three")
    assert targets.run_parse(b"<p>One", 0)
    values = getattr(page.nodes, part).copy()
    values[3] = 99
    odd = SimpleNamespace(nodes=replace(page.nodes, **{part: values}), blocks=page.blocks, text=page.text)
    monkeypatch.setattr(tamis, "parse", lambda *_, **__: odd)
    with pytest.raises(Violation):
        targets.run_parse(b"", 0)


def test_every_kernel_is_tried_and_twins_that_differ_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for choice in range(400):
        kernels.run(b"<ul><li>One <b>two</b><li>three, \xc3\xa4, <p hidden>and four", choice)
    if not why_not("tamis.outputs"):
        monkeypatch.setattr(output_twins, "page_differences", lambda *_: ["texts, all"])
        with pytest.raises(Violation, match="texts, all"):
            kernels.run(b"<p>One", 2)
