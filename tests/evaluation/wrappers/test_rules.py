"""Rule files: what may stand in them, and how they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError, OptionError
from tamis.evaluation.wrappers.rules import GoldPart, Wrapper, read_wrapper, to_toml

texts = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)
parts = st.builds(
    GoldPart,
    name=texts,
    select=st.sampled_from(["h1", "div#a > p.b", 'a[title="x\\"y"]']),
    between=st.one_of(st.just(()), st.tuples(texts, texts)),
    take=st.sampled_from(["first", "all", "only"]),
    levels=st.one_of(st.none(), st.integers(0, 9)),
    strip_suffix=texts,
    optional=st.booleans(),
    min_words=st.integers(0, 99),
)


@given(st.lists(parts, min_size=1, max_size=3), st.sampled_from(["", "de"]))
def test_a_wrapper_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, found: list[GoldPart], language: str
) -> None:
    file = tmp_path_factory.mktemp("rules") / "site.toml"
    wrapper = Wrapper(parts=tuple(found), language=language)
    file.write_text(to_toml(wrapper), encoding="utf-8")
    assert read_wrapper(file) == wrapper


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("", "tables .*part.* are expected"),
        ("x = 1\n[[part]]\nselect = 'p'", "nothing else"),
        ("language = 1\n[[part]]\nselect = 'p'", "nothing else"),
        ("part = 1", "are expected"),
        ("part = [1]", "part 1: a table"),
        ("[[part]]\nname = 'a'", "part 1: select, between or after_comment is missing"),
        ("[[part]]\nselekt = 'p'", "part 1: unknown key of a part 'selekt': did you mean select"),
        ("[[part]]\nselect = 1", "part 1: key select of a part is 1, but str is expected"),
        ("[[part]]\nselect = 'p['", "part 1: 'p\\[' is not a CSS selector"),
        ("[[part]]\nselect = 'p'\n[[part]]\nbetween = ['a']", "part 2: between are two comments, not \\['a'\\]"),
        ("[[part]]\nselect = 'p'\ntake = 'last'", "'first' or 'all' or 'only' is expected"),
        ("[[part]]\nselect = 'p'\nlevels = -1", "levels is -1"),
        ("[[part]]\nselect = 'p'\nafter = 'a'\nafter_comment = 'b'", "both given"),
    ],
)
def test_what_is_wrong_in_a_rule_file_is_told(tmp_path: Path, rules: str, message: str) -> None:
    (tmp_path / "site.toml").write_text(rules)
    with pytest.raises(OptionError, match=message):
        read_wrapper(tmp_path / "site.toml")


def test_what_is_no_rule_file_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_bytes(b"= \xff")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 10_000)
    for name in ("site.toml", "deep.toml", "missing.toml"):
        with pytest.raises(InputError, match=name):
            read_wrapper(tmp_path / name)


def test_a_part_without_a_name_is_called_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text("[[part]]\nselect = 'p'\n[[part]]\nselect = 'h1'\nname = 'head'\n")
    assert [part.name for part in read_wrapper(tmp_path / "site.toml").parts] == ["part 1", "head"]
