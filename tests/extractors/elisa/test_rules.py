from __future__ import annotations

from pathlib import Path

import pytest

from tamis.errors import InputError, OptionError
from tamis.extractors.elisa.rules import LabelRule, load_rules, parse_rules

GOOD = """\
# a comment
[[rule]]
name = "first"
label = "logo"
context = ["img"]

[[rule]]
name = "second"
label = "content"
context = ["p", "div"]
min_words = 10
max_link_share = 0.5
"""


def test_a_rule_is_what_its_table_says() -> None:
    assert parse_rules(GOOD)[1] == LabelRule(
        name="second", label="content", context=("p", "div"), min_words=10, max_link_share=0.5
    )


def test_no_text_is_no_rules() -> None:
    assert parse_rules("") == ()


def test_a_rule_file_is_returned_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert load_rules(path) == GOOD


def test_errors_in_a_file_name_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(GOOD.replace("min_words", "least_words"), encoding="utf-8")
    with pytest.raises(OptionError, match=r"rules\.toml, line 11: unknown key 'least_words'; one of name, label"):
        load_rules(path)


def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pass a file that exists"):
        load_rules(tmp_path / "missing.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(InputError, match="save it as UTF-8"):
        load_rules(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    ("written", "instead", "message"),
    [
        ("min_words = 10", "min_words =", "line 11: this is not valid TOML"),
        ("min_words = 10", "min_words = " + "[" * 10_000, "line 13: this is not valid TOML"),
        ("max_link_share = 0.5\n", "max_link_share = [", "line 12: this is not valid TOML"),
        ('label = "content"', 'label = "sidebar"', "line 9: label is 'sidebar', but one of content, layout, navig"),
        ('label = "content"\n', "", "line 7: the key 'label' is missing"),
        ('name = "second"', "name = 2", "line 8: name is 2, but a text is expected"),
        ('["p", "div"]', '"p"', "line 10: context is 'p', but a list of names of HTML elements is expected"),
        ('["p", "div"]', '["p", "dvi"]', r"line 10: context is \['p', 'dvi'\], but a list of names"),
        ('["p", "div"]', "[]", r"line 10: context is \[\], but a list of names"),
        ("min_words = 10", "min_words = -1", "line 11: min_words is -1, but a whole number from 0 is expected"),
        ("min_words = 10", "min_words = true", "line 11: min_words is True, but a whole number"),
        ("min_words = 10", "min_words = 1.5", r"line 11: min_words is 1\.5, but a whole number"),
        ("0.5", "1.01", r"line 12: max_link_share is 1\.01, but a number from 0 to 1 is expected"),
        ("0.5", '"half"', "line 12: max_link_share is 'half', but a number from 0 to 1"),
        ("min_words = 10", 'inside = ["*"]', r"line 11: inside is \['\*'\], but a list of names"),
        ("min_words = 10", 'text_contains = [" "]', r"line 11: text_contains is \[' '\], but a list of texts"),
        ("min_words = 10", 'attributes = ["id"]', "line 11: attributes are expected together with contains or words"),
        ("min_words = 10", 'words = ["id"]', "line 7: attributes are expected together with contains or words"),
        ("# a comment", "title = 1", r"line 1: tables \[\[rule\]\] are expected, nothing else"),
    ],
)
def test_a_faulty_rule_is_answered_with_its_line_and_what_is_expected(written: str, instead: str, message: str) -> None:
    with pytest.raises(OptionError, match=f"option rules, {message}"):
        parse_rules(GOOD.replace(written, instead))


def test_rules_that_are_no_tables_are_refused() -> None:
    with pytest.raises(OptionError, match=r"line 1: tables \[\[rule\]\] are expected"):
        parse_rules("rule = 3")
