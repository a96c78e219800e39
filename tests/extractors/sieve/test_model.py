from __future__ import annotations

import contextlib
import os
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tamis.errors import InputError
from tamis.extractors.sieve import model as sieve_model
from tamis.extractors.sieve.class_names import ClassNames, NameTable
from tamis.extractors.sieve.features import NAMES
from tamis.extractors.sieve.model import FORMAT, load_model, model_arrays, model_from_arrays
from tests.toy_model import toy_arrays, toy_network, toy_table, toy_trees, toy_types, toy_words

WAY_OUT = "train it again with tamis train --model sieve, or leave the option model out"


def written(path: Path, **changes: Any) -> Path:
    """A model file with some arrays changed, or left out where the change is None."""
    arrays = {name: value for name, value in {**toy_arrays(), **changes}.items() if value is not None}
    np.savez_compressed(path, **arrays)
    return path


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_model(str(path))
    return str(caught.value)


def test_a_model_survives_its_file_but_for_rounding(tmp_path: Path) -> None:
    table, network, types = toy_table(), toy_network(), toy_types()
    trees = toy_trees()
    model = load_model(str(written(tmp_path / "m.npz")))
    for name, value in vars(network).items():
        np.testing.assert_allclose(getattr(model.network, name), value, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(model.page_types.weights, types.weights, rtol=1e-3, atol=1e-6)
    for name in ("half", "centre", "spread"):  # features are scaled by these, so they are not rounded
        assert np.array_equal(getattr(model.network, name), getattr(network, name))
    assert np.array_equal(model.trees.feature, trees.feature)
    assert np.array_equal(model.trees.border, trees.border)  # a feature may be equal to one
    np.testing.assert_allclose(model.trees.leaf, trees.leaf, rtol=1e-3, atol=1e-6)
    assert model.trees.bias == trees.bias
    assert model.class_names.weights == ClassNames(table).weights


def test_a_second_trip_changes_nothing() -> None:
    first = toy_arrays()
    model = model_from_arrays(first)
    again = model_arrays(toy_table(), model.word_table, model.trees, model.network, model.page_types)
    assert first.keys() == again.keys()
    assert all(np.array_equal(first[name], again[name]) for name in first)


def test_weights_too_large_for_the_file_are_cut_and_do_not_turn_around() -> None:
    table = toy_table()
    table.own[0], table.around[0] = 40_000, -40_000
    arrays = model_arrays(table, toy_words(), toy_trees(), toy_network(), toy_types())
    assert (arrays["own"][0], arrays["around"][0]) == (32767, -32768)


def test_a_table_without_words_survives_too() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    table = NameTable((), nothing, nothing)
    model = model_from_arrays(model_arrays(table, toy_words(), toy_trees(), toy_network(), toy_types()))
    assert model.class_names.weights == {}


def test_a_missing_file_is_named_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "nothing.npz"
    assert message(path) == f"cannot read the model {str(path)!r}: No such file or directory; {WAY_OUT}"


def test_when_the_shipped_file_is_missing_the_way_out_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve_model, "_SHIPPED", Path("nothing.npz"))
    with pytest.raises(InputError, match=r"cannot read the model '.*nothing\.npz'.*; install Tamis again"):
        load_model("")


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04", b"<html>", b"\x80\x04K\x01.", b"\0" * 100],
    ids=["empty", "zip", "html", "pickle", "zeros"],
)
def test_a_file_of_something_else_is_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(content)
    assert message(path).startswith(f"the model {str(path)!r} is damaged (")
    assert message(path).endswith(WAY_OUT)


def test_a_single_array_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    np.save(path, np.zeros(3))
    assert f"the model {str(path)!r} is damaged" in message(path)


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    assert str(tmp_path) in message(tmp_path)


def test_a_file_that_is_cut_or_changed_anywhere_is_damaged_or_the_same(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.npz").read_bytes()
    path = tmp_path / "m.npz"
    for number, place in enumerate(range(0, len(whole), len(whole) // 60)):
        flipped = whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :]
        for version, content in enumerate((whole[:place], flipped)):
            path.write_bytes(content)
            os.utime(path, ns=(0, 2 * number + version))
            with contextlib.suppress(InputError):  # any other error is a fault
                load_model(str(path))
                assert version == 1  # some bytes of a zip file say nothing


@pytest.mark.parametrize(
    "missing", ["words", "own", "around", "half", "out_bias", "tree_border", "type_weights", "format", "features"]
)
def test_a_file_that_lacks_an_array_is_damaged(tmp_path: Path, missing: str) -> None:
    path = written(tmp_path / "m.npz", **{missing: None})
    assert f"the model {str(path)!r} is damaged" in message(path)


@pytest.mark.parametrize("found", [FORMAT + 1, FORMAT - 1])
def test_another_format_is_refused_by_number(tmp_path: Path, found: int) -> None:
    path = written(tmp_path / "m.npz", format=np.array(found))
    said = message(path)
    assert f"has format {found or 'unknown'}, this version of Tamis reads {FORMAT}" in said
    assert said.endswith(WAY_OUT)


@pytest.mark.parametrize("names", [NAMES[1:], (*NAMES, "more")])
def test_as_many_features_are_named_as_there_are_weights(tmp_path: Path, names: tuple[str, ...]) -> None:
    path = written(tmp_path / "m.npz", features=_lines(names))
    assert f"the array 'half' has the shape ({len(NAMES)},), not ({len(names)},)" in message(path)


def test_features_are_found_by_their_names_whatever_their_order(tmp_path: Path) -> None:
    model = load_model(str(written(tmp_path / "m.npz", features=_lines(NAMES[::-1]))))
    columns = np.arange(len(NAMES), dtype=np.float32)[:, None] + np.zeros((1, 3), dtype=np.float32)
    assert np.array_equal(model.arranged(columns), columns[::-1])
    assert np.array_equal(model.usual(), model.network.usual()[::-1])


def test_a_feature_that_the_code_does_not_have_counts_as_usual(tmp_path: Path) -> None:
    model = load_model(str(written(tmp_path / "m.npz", features=_lines(("gone", *NAMES[1:])))))
    columns = np.full((len(NAMES), 3), 7, dtype=np.float32)
    arranged = model.arranged(columns)
    assert np.array_equal(arranged[0], np.full(3, model.network.usual()[0]))
    assert (arranged[1:] == 7).all()
    assert model.usual()[0] == 0


def _lines(names: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(names).encode(), np.uint8)


@pytest.mark.parametrize("change", ["own", "words", "format"])
def test_arrays_that_do_not_fit_together_are_refused(tmp_path: Path, change: str) -> None:
    path = written(tmp_path / "m.npz", **{change: np.zeros(2, dtype=np.uint8)})
    assert f"the model {str(path)!r}" in message(path)


def test_a_file_is_read_once_and_again_when_it_has_changed(tmp_path: Path) -> None:
    path = written(tmp_path / "m.npz")
    model = load_model(str(path))
    assert load_model(str(path)) is model
    written(path, out_bias=np.float16(3))
    os.utime(path, ns=(0, 7))
    assert load_model(str(path)).network.out_bias == 3


def test_the_shipped_model_is_small_and_can_be_read() -> None:
    file = Path(str(resources.files("tamis.extractors.sieve"))) / "sieve.npz"
    assert file.stat().st_size <= 500_000
    model = load_model("")
    assert all(np.isfinite(value).all() for value in vars(model.network).values())
    assert model.network.dense.shape[0] == len(NAMES)
