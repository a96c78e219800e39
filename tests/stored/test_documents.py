"""JSON in files: one value, or one on each line, read up to a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.stored import DamageError
from tamis.stored.documents import OwnLine, parse_json, read_lines


def test_every_line_comes_with_where_it_begins(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"a": 1}\n"\xc3\xa4"\n[]')
    assert list(read_lines(file)) == [OwnLine(0, {"a": 1}), OwnLine(9, "ä"), OwnLine(14, [])]
    assert list(read_lines(file, 9)) == [OwnLine(9, "ä"), OwnLine(14, [])]


@pytest.mark.parametrize("line", [b"{", b"NaN", b"[" * 100_000, b"\xff", b"1" * 40])
def test_a_line_that_is_none_or_too_long_is_damage(line: bytes, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b"1\n" + line + b"\n")
    with pytest.raises(DamageError):
        list(read_lines(file, max_bytes=40 if line[:1] == b"1" else 1_000_000))


def test_values_are_counted_before_they_are_made() -> None:
    """An empty list in a list takes twenty times as much memory as it is long."""
    many = b"[" + b"[]," * 10 + b"[]]"
    assert parse_json(many, max_values=22) == [[]] * 11
    with pytest.raises(DamageError, match="more than 21 values"):
        parse_json(many, max_values=21, is_ours=False)
