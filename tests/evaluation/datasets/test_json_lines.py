from __future__ import annotations

import functools
import lzma
from pathlib import Path

import pytest

from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, json_lines, open_dataset
from tamis.stored.documents import parse_json

GOOD = b'{"id": "a", "html": "<p>a", "gold": "a"}\n'


@pytest.mark.parametrize(
    "line",
    [
        b"not json\n",
        b'["a", "list"]\n',
        b'{"html": "<p>no id", "gold": ""}\n',
        b'{"id": "x", "gold": "no html"}\n',
        b'{"id": "x", "html": null, "gold": ""}\n',
        b'{"id": "x", "html": "", "gold": 5}\n',
        b'{"id": "x", "html": "", "gold": "", "extra": []}\n',
        '{"id": "x", "html": "Füße", "gold": ""}\n'.encode("latin-1"),
        b"[" * 100_000 + b"\n",
        b'{"id": "x", "html": "", "gold": "' + b"x" * 200 + b'"}\n',
        b'{"id": "x", "html": "", "extra": {"many": [[],[],[],[],[],[]]}}\n',
        b'{"id": "cut off", "html": "<p>',
    ],
    ids=lambda line: line[:30].decode("latin-1"),
)
def test_a_broken_line_costs_itself_and_is_named(tmp_path: Path, line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is longer, or holds more values, than is read."""
    if not line.startswith(b"[["):  # the limits as they are find that it is too deep
        monkeypatch.setattr(json_lines, "MAX_BYTES", 100)
        monkeypatch.setattr(json_lines, "_PIECE", 16)
        monkeypatch.setattr(json_lines, "parse_json", functools.partial(parse_json, max_values=10))
    (tmp_path / "d.jsonl").write_bytes(GOOD + b"\n" + line.rstrip(b"\n") + b"\n" + GOOD.replace(b'"a", "h', b'"b", "h'))
    dataset = open_dataset(tmp_path / "d.jsonl")
    assert [sample.id for sample in dataset] == ["a", "b"]
    assert [problem.place for problem in dataset.problems] == [f"{tmp_path / 'd.jsonl'}, line 3"]


def test_a_file_without_any_page_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"some": "thing else"}\n' * 3)
    with pytest.raises(InputError, match=r"3 problems.*line 1"):
        list(open_dataset(tmp_path / "d.jsonl"))


@pytest.mark.parametrize("suffix", ["xz", "gz"])
def test_a_file_that_cannot_be_unpacked_is_an_error(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"d.jsonl.{suffix}").write_bytes(b"this is not compressed at all")
    with pytest.raises(InputError, match="after 0 pages"):
        list(open_dataset(tmp_path / f"d.jsonl.{suffix}"))


def test_a_file_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    packed = lzma.compress(GOOD * 1000)
    (tmp_path / "d.jsonl.xz").write_bytes(packed[: len(packed) - 20])
    with pytest.raises(InputError, match="cannot read"):
        list(open_dataset(tmp_path / "d.jsonl.xz"))


def test_what_others_write_is_read(tmp_path: Path) -> None:
    """A mark at the beginning, and numbers that are none."""
    (tmp_path / "d.jsonl").write_bytes(b"\xef\xbb\xbf" + GOOD[:-2] + b', "extra": {"score": NaN}}\n')
    assert [sample.id for sample in open_dataset(tmp_path / "d.jsonl")] == ["a"]


def test_an_empty_gold_text_is_a_gold_text(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": 7, "html": "", "gold": ""}\n')
    dataset = open_dataset(tmp_path / "d.jsonl")
    assert [(sample.id, sample.gold) for sample in dataset] == [("7", "")]
    assert not dataset.problems


def test_lone_surrogates_survive(tmp_path: Path) -> None:
    sample = Sample(id="a", html="<p>\ud800", gold="\udfff")
    json_lines.write(tmp_path / "d.jsonl", [sample])
    assert [(read.html, read.gold) for read in open_dataset(tmp_path / "d.jsonl")] == [(sample.html, sample.gold)]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    json_lines.write(tmp_path / "d.jsonl", [Sample(id="old", html="", gold="")])

    def failing() -> object:
        yield Sample(id="new", html="", gold="")
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        json_lines.write(tmp_path / "d.jsonl", failing())  # type: ignore[arg-type]
    assert [sample.id for sample in open_dataset(tmp_path / "d.jsonl")] == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == ["d.jsonl"]
