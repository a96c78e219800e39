"""Filters say why a record is skipped."""

from __future__ import annotations

import datetime

import pytest

from tamis.errors import OptionError
from tamis.scaling import filters


@pytest.mark.parametrize(
    ("name", "parameters", "row", "reason"),
    [
        ("length", {"min_words": 3}, {"words": 3}, None),
        ("length", {"min_words": 4}, {"words": 3}, "it has 3 words"),
        ("length", {"max_words": 3}, {"words": 3}, None),
        ("length", {"max_words": 2}, {"words": 3}, "it has 3 words"),
        ("language", {"only": ["en"]}, {"language": "en-GB"}, None),
        ("language", {"only": ["en"]}, {"language": "eng"}, "its language is eng"),
        ("language", {"only": ["en"]}, {"language": None}, "its language is unknown"),
        ("language", {"only": ["en"], "unknown": True}, {"language": None}, None),
        ("page_type", {"only": ["article"]}, {"page_type": "forum"}, "it is of type forum"),
        ("page_type", {"only": ["article"]}, {"page_type": "article"}, None),
        ("quality", {"min_score": 0.5}, {"score": 0.5}, None),
        ("quality", {"min_score": 0.5}, {"score": 0.49}, "its score is 0.49"),
        ("quality", {"min_score": 0.5}, {"score": None}, None),
        ("url", {"allow": ["/news/"]}, {"url": "https://a.example/blog/"}, "its address holds none"),
        ("url", {"allow": ["/news/"]}, {"url": "https://a.example/news/1"}, None),
        ("url", {"deny": [r"\?page="]}, {"url": "https://a.example/?page=2"}, "its address holds"),
        ("url", {"deny": ["x"]}, {"url": None}, None),
        ("host", {"only": ["a.example"]}, {"url": "https://www.a.example/"}, None),
        ("host", {"only": ["a.example"]}, {"url": "https://ba.example/"}, "its host is ba.example"),
        ("host", {"never": ["a.example"]}, {"url": "https://a.example/"}, "its host is a.example"),
        ("host", {"never": ["a.example"]}, {"url": "https://[broken"}, None),
    ],
)
def test_a_filter_gives_a_reason_or_none(
    name: str, parameters: dict[str, object], row: dict[str, object], reason: str | None
) -> None:
    found = filters.load(name, parameters)(row)
    assert found == reason if reason is None else found is not None and found.startswith(reason)


def test_a_filter_of_one_s_own_is_named_by_its_module() -> None:
    assert filters.load("tamis.scaling.filters:length", {"min_words": 2})({"words": 1}) == "it has 1 word"


def test_parameters_of_a_filter_of_one_s_own_can_be_written_down() -> None:
    with pytest.raises(OptionError, match="not JSON serializable"):
        filters.load("tamis.scaling.filters:length", {"min_words": datetime.date(1979, 5, 27)})


def test_a_parameter_that_is_missing_is_named() -> None:
    with pytest.raises(OptionError, match="only"):
        filters.load("language", {})
