"""How much of a page is read at most."""

from __future__ import annotations

import pytest

from tamis.errors import OptionError
from tamis.page.limits import Limits


def test_the_limits_are_those_of_the_documentation() -> None:
    assert vars(Limits()) == {
        "max_bytes": 32 << 20,
        "max_nodes": 1_000_000,
        "max_depth": 512,
        "max_attributes": 1_000,
    }


@pytest.mark.parametrize("name", ["max_bytes", "max_nodes", "max_depth", "max_attributes"])
def test_a_limit_is_at_least_one(name: str) -> None:
    assert vars(Limits(**{name: 1}))[name] == 1
    for value in (0, -1):
        with pytest.raises(OptionError, match=f"{name} is {value}, but a limit must be at least 1"):
            Limits(**{name: value})
