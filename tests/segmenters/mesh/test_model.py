from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.errors import InputError
from tamis.segmenters.mesh.features import NAMES
from tamis.segmenters.mesh.model import LABELS, load_model, model_arrays, model_from_arrays
from tests.toy_mesh import toy_mesh


def written(path: Path, **changes: Any) -> str:
    arrays = {name: value for name, value in {**model_arrays(toy_mesh()), **changes}.items() if value is not None}
    np.savez_compressed(path, **arrays)
    return str(path)


def columns(count: int, **values: float) -> Any:
    rows = np.zeros((len(NAMES), count), dtype=np.float32)
    for name, value in values.items():
        rows[NAMES.index(name)] = value
    return rows


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    first = model_arrays(load_model(written(tmp_path / "m.npz")))
    again = model_arrays(model_from_arrays(first))
    assert first.keys() == again.keys()
    assert all(np.array_equal(first[name], again[name]) for name in first)


def test_the_shipped_model_is_small_and_knows_the_labels() -> None:
    model = load_model("")
    assert {*model.labels} <= {*LABELS.values()}
    assert sum(array.nbytes for array in model_arrays(model).values()) < 150_000


def test_together_is_a_probability_for_each_candidate_however_many_there_are() -> None:
    model = toy_mesh()
    for count in (1, 1023, 1024, 1025):
        sure = model.together(columns(count, called_box=1), deepest=False)
        assert len(sure) == count
        assert (sure > 0.99).all()
    assert (model.together(columns(3), deepest=False) < 0.01).all()
    assert (model.together(columns(3, called_article=1), deepest=True) > 0.99).all()


def test_a_region_is_called_by_its_most_likely_name() -> None:
    labels, scores = toy_mesh().name(columns(2), np.array([True, False]))
    assert labels == ["main", "article"]
    assert scores.tolist() == pytest.approx([np.e / (np.e + 1)] * 2)


def test_no_regions_have_no_names() -> None:
    assert toy_mesh().name(columns(0), np.zeros(0, dtype=np.bool_))[0] == []


@pytest.mark.parametrize(
    "changes", [{"format": np.array(99)}, {"features": np.frombuffer(b"others", np.uint8)}], ids=["format", "features"]
)
def test_a_model_of_another_version_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="another version of Tamis; train it again with tamis train --model mesh"):
        load_model(written(tmp_path / "m.npz", **changes))


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is damaged"):
        load_model(written(tmp_path / "m.npz", top_leaf=None))
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no archive")
    with pytest.raises(InputError, match="is damaged"):
        load_model(str(broken))


def test_a_missing_model_is_refused() -> None:
    with pytest.raises(InputError, match=r"cannot read the model 'nowhere.npz'"):
        load_model("nowhere.npz")
