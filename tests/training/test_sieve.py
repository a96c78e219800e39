from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, open_dataset, write
from tamis.extractors.sieve.features import NAMES
from tamis.extractors.sieve.model import load_model
from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.training import sieve
from tamis.training.block_records import read_records
from tamis.training.folds import FOLDS
from tamis.training.network import Recipe
from tamis.training.sieve import TrainedSieve, train_sieve, write_model
from tamis.training.taught import write_taught
from tamis.training.trees import PARAMETERS
from tests.training.pages import sample, write_dataset

pytest.importorskip("catboost", reason="the extra train")

RECIPE = Recipe(width=4, epochs=20, batch=4, rate=2e-2)


@pytest.fixture(scope="module", autouse=True)
def _few_trees() -> Iterator[None]:
    """How many there are is another test's matter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PARAMETERS, "iterations", 10)
        patch.setitem(PARAMETERS, "depth", 3)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("training")


@pytest.fixture(scope="module")
def trained(folder: Path) -> TrainedSieve:
    return train_sieve([str(write_dataset(folder))], folder / "work", workers=2, recipe=RECIPE)


def test_a_training_run_scores_every_page_and_says_what_it_learned_from(trained: TrainedSieve) -> None:
    assert [score.id for score in trained.scores] == [f"{host}-{page}" for host in range(6) for page in range(2)]
    # All pages follow one idea, so those of unseen hosts come out nearly as their gold text says.
    assert np.mean([score.f1 for score in trained.scores]) > 0.85
    assert all(score.guessed_type in PAGE_TYPES for score in trained.scores)
    assert {score.page_type for score in trained.scores} == {"article", "forum", ""}
    assert trained.pages == {"small": (12, 0, 0)}
    assert trained.blocks == 12 * 12
    assert trained.recipe == RECIPE


def test_a_page_is_scored_by_what_the_default_keeps_of_it(tmp_path: Path) -> None:
    """A heading that heads nothing is likely content, and dropped all the same: that is in the score."""
    text = "The river rose over its banks in the night, and the old bridge was closed to all carts and cars."
    html = f"<article><p>{text}</p><p>{text[::-1]}</p><h2>What is open in the town</h2></article><footer>Terms</footer>"
    page = Sample(id="one", html=html, gold=f"{text} {text[::-1]}")
    write(tmp_path / "one.jsonl", [page])
    (read,) = open_dataset(tmp_path / "one.jsonl")
    records = read_records(open_dataset(tmp_path / "one.jsonl"), tmp_path / "work", workers=1)
    kept = np.array([block.kept > 0 for block in tamis.extract(html).blocks])
    assert sieve._score([load_model("")] * (FOLDS + 1), (records[0], read)).f1 == records[0].f1(kept) == 1


def test_its_model_is_one_that_sieve_can_use(trained: TrainedSieve, tmp_path: Path) -> None:
    out = tmp_path / "own.npz"
    write_model(trained, out)
    assert [file.name for file in tmp_path.iterdir()] == ["own.npz"]
    result = tamis.extract(sample(90, 0).html, method="sieve", model=str(out))
    assert result.status == "ok"
    assert result.text
    assert result.page_type in PAGE_TYPES
    assert result.made.options["model"] == str(out)


def test_a_second_run_makes_only_what_is_missing(
    trained: TrainedSieve, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = next((folder / "work" / "stages").glob("*/networks-5.npz"))
    before = stage.read_bytes()
    stage.unlink()
    monkeypatch.delattr(sieve, "fit_table")
    monkeypatch.delattr(sieve, "fit_trees")
    said: list[str] = []
    again = train_sieve([str(folder / "small.jsonl")], folder / "work", workers=1, recipe=RECIPE, progress=said.append)
    assert said == [f"reading {folder / 'small.jsonl'}", "networks: 6 of 6"]
    assert stage.read_bytes() == before
    assert again.scores == trained.scores
    assert all(np.array_equal(again.arrays[name], value) for name, value in trained.arrays.items())
    assert not list((folder / "work").rglob("*.part"))


def test_another_recipe_is_another_stage(trained: TrainedSieve, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(sieve, "fit_table")
    other = dataclasses.replace(RECIPE, seed=1)
    with pytest.raises(NameError, match="fit_table"):
        train_sieve([str(folder / "small.jsonl")], folder / "work", workers=1, recipe=other)


def test_pages_without_gold_are_learned_from_through_a_teacher(tmp_path: Path) -> None:
    pages = [sample(host, 0) for host in range(7)]
    bare = dataclasses.replace(pages[6], gold=None, page_type=None)
    write(tmp_path / "mixed.jsonl", [*pages[:6], bare])
    recipe = dataclasses.replace(RECIPE, epochs=1)
    alone = train_sieve([str(tmp_path / "mixed.jsonl")], tmp_path / "work", workers=1, recipe=recipe)
    assert (alone.pages, alone.taught) == ({"mixed": (6, 0, 0)}, 0)  # nothing is known of the seventh
    records = read_records(open_dataset(tmp_path / "mixed.jsonl"), tmp_path / "work", workers=1)
    write_taught(tmp_path / "taught.npz", [(record, np.where(record.words > 9, 4.0, -4.0)) for record in records])
    taught = train_sieve(
        [str(tmp_path / "mixed.jsonl")], tmp_path / "work", workers=1, recipe=recipe, taught=tmp_path / "taught.npz"
    )
    assert (taught.pages, taught.taught) == ({"mixed": (6, 0, 1)}, 7)
    assert len(taught.scores) == 6
    assert not np.array_equal(alone.arrays["out"], taught.arrays["out"])
    for name in ("own", "tree_leaf"):  # names and trees learn from gold text alone
        assert np.array_equal(alone.arrays[name], taught.arrays[name])


def test_the_names_of_the_features_are_written_down(trained: TrainedSieve) -> None:
    assert bytes(trained.arrays["features"]).decode().split("\n") == list(NAMES)


def test_pages_of_too_few_hosts_are_refused(tmp_path: Path) -> None:
    path = write_dataset(tmp_path, hosts=4, pages=1)
    with pytest.raises(InputError, match="at least 5 hosts: name more datasets"):
        train_sieve([str(path)], tmp_path / "work", workers=1, recipe=RECIPE)
