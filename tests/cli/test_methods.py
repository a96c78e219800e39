from __future__ import annotations

import sys

import pytest

from tamis import registry
from tamis.cli import main

Captured = pytest.CaptureFixture[str]


def test_methods_of_a_kind_are_lines_of_name_and_summary(capsys: Captured) -> None:
    assert main(["methods", "extractors"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == list(registry.names("extractors"))
    assert "keep_all\tKeep all visible text." in lines


def test_kinds_are_headings(capsys: Captured) -> None:
    assert main(["methods"]) == 0
    paragraphs = capsys.readouterr().out.split("\n\n")
    assert [paragraph.splitlines()[0] for paragraph in paragraphs] == list(registry.kinds())


def test_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["methods", "extractors"]) == 0
    out = capsys.readouterr().out
    assert "\t" not in out
    assert "Keep all visible text." in out


@pytest.mark.usefixtures("long_blocks")
def test_one_method_is_shown_with_its_options(capsys: Captured) -> None:
    assert main(["methods", "extractors", "long_blocks"]) == 0
    assert capsys.readouterr().out == (
        "Keep the blocks with enough words.\n"
        "\n"
        "Options:\n"
        "  --min-words: int = 2  # shorter blocks are dropped\n"
        "  --headings: Literal['keep', 'drop'] = 'keep'  # what becomes of headings\n"
        "  --loud: bool = False\n"
    )


def test_a_method_needs_no_kind_in_front(capsys: Captured) -> None:
    assert main(["methods", "segmenters", "bcs"]) == 0
    told = capsys.readouterr().out
    assert main(["methods", "bcs"]) == 0
    assert capsys.readouterr().out == told


def test_method_without_options_says_so(capsys: Captured) -> None:
    assert main(["methods", "extractors", "bte"]) == 0
    assert capsys.readouterr().out.endswith("\n\nOptions: none\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["extractr"], "unknown method or kind of method 'extractr': did you mean extractors"),
        (["seive"], "unknown method or kind of method 'seive': did you mean sieve"),
        (["extractor", "bte"], "unknown kind of method 'extractor': did you mean extractors?"),
        (["extractors", "keepall"], "unknown method in extractors 'keepall': did you mean keep_all?"),
    ],
)
def test_unknown_name_is_answered_with_near_ones(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(["methods", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"tamis: {told}")
