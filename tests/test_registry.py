"""The folder is the registry, and options are answered with what would be right."""

from __future__ import annotations

import subprocess
import sys
import types
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from tamis import registry
from tamis.errors import OptionError, UnknownNameError


@dataclass(frozen=True, kw_only=True)
class Options:
    count: int = 1
    ratio: float = 0.5
    mode: Literal["soft", "hard"] = "soft"
    names: tuple[str, ...] = ()
    limit: int | None = None
    strict: bool = False


class Point:
    """An entry point, as another package would offer it."""

    def load(self) -> types.SimpleNamespace:
        return types.SimpleNamespace(Options=Options, __doc__="  A method from elsewhere.\n\nMore.")


@pytest.fixture(autouse=True)
def foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "foreign", lambda kind: {"borrowed": Point()} if kind == "extractors" else {})


def test_methods_are_the_modules_of_a_folder_and_those_of_other_packages() -> None:
    names = registry.names("extractors")
    assert {"bte", "keep_all", "borrowed"} <= set(names)
    assert list(names) == sorted(names)


def test_modules_with_an_underscore_are_no_methods() -> None:
    assert not [name for kind in registry.kinds() for name in registry.names(kind) if name.startswith("_")]


def test_only_folders_with_methods_are_listed() -> None:
    assert "extractors" in registry.kinds()
    assert set(registry.kinds()) <= set(registry.FUNCTIONS)
    assert all(registry.names(kind) for kind in registry.kinds())


def test_listing_names_imports_no_method() -> None:
    program = "import sys, tamis; tamis.methods(); print([name for name in sys.modules if name.startswith('tamis.ex')])"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_method_is_its_module() -> None:
    assert registry.load("extractors", "bte").__name__ == "tamis.extractors.bte"


def test_the_summary_is_the_first_line() -> None:
    assert registry.summary("extractors", "borrowed") == "A method from elsewhere."


def test_an_unknown_kind_is_answered_with_near_matches() -> None:
    with pytest.raises(UnknownNameError, match=r"'extractor'.*did you mean extractors"):
        registry.names("extractor")


def test_an_unknown_method_is_answered_with_near_matches() -> None:
    with pytest.raises(UnknownNameError, match=r"'keepall'.*did you mean keep_all"):
        registry.load("extractors", "keepall")


@pytest.mark.parametrize("name", ["__init__", "..", "bte.Options", ""])
def test_what_is_no_method_cannot_be_loaded(name: str) -> None:
    with pytest.raises(UnknownNameError, match="unknown method in extractors"):
        registry.load("extractors", name)


def test_an_unknown_option_is_answered_with_near_matches() -> None:
    with pytest.raises(UnknownNameError, match=r"option of borrowed 'ratios'.*did you mean ratio"):
        registry.make_options("extractors", "borrowed", {"ratios": 1})


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, Options()),
        ({"count": 3}, Options(count=3)),
        ({"ratio": 1}, Options(ratio=1)),
        ({"ratio": 0.25}, Options(ratio=0.25)),
        ({"mode": "hard"}, Options(mode="hard")),
        ({"names": ["a", "b"]}, Options(names=("a", "b"))),
        ({"names": ()}, Options(names=())),
        ({"limit": None}, Options(limit=None)),
        ({"limit": 7}, Options(limit=7)),
        ({"strict": True}, Options(strict=True)),
    ],
)
def test_plain_values_become_options(values: dict[str, Any], expected: Options) -> None:
    assert registry.make_options("extractors", "borrowed", values) == expected


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("count", "3", "int is expected"),
        ("count", 3.0, "int is expected"),
        ("count", True, "int is expected"),
        ("count", None, "int is expected"),
        ("count", 1 << 63, "int is expected"),
        ("count", -(10**400), "int is expected"),
        ("ratio", "0.5", "float is expected"),
        ("ratio", True, "float is expected"),
        ("mode", "medium", "'soft' or 'hard' is expected"),
        ("mode", ["soft"], "'soft' or 'hard' is expected"),
        ("names", "abc", "a list of str is expected"),
        ("names", ["a", 1], "a list of str is expected"),
        ("limit", "7", "int or None is expected"),
        ("strict", 1, "bool is expected"),
    ],
)
def test_a_wrong_value_is_answered_with_what_would_be_right(key: str, value: Any, wanted: str) -> None:
    with pytest.raises(OptionError, match=f"option {key} of borrowed.*{wanted}"):
        registry.make_options("extractors", "borrowed", {key: value})
