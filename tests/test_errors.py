from __future__ import annotations

import pickle

import pytest

from tamis import errors
from tamis.errors import MissingExtraError, TamisError, UnknownNameError


@pytest.mark.parametrize(
    "error",
    [
        MissingExtraError("fetching", "fetching pages"),
        UnknownNameError("method", "btee", ["bte", "sieve"]),
        UnknownNameError("method", "btee", []),
        errors.OptionError("workers is 0"),
    ],
)
def test_an_error_comes_out_of_a_worker_process_as_it_was(error: TamisError) -> None:
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - written one line above
    assert type(back) is type(error)
    assert str(back) == str(error)


def test_a_missing_extra_is_answered_with_the_line_that_installs_it() -> None:
    error = MissingExtraError("fetching", "fetching pages")
    assert str(error) == "fetching pages needs the extra 'fetching': pip install 'tamis[fetching]'"
    assert isinstance(error, ImportError)
