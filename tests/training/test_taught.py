from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamis.errors import FileFormatError
from tamis.evaluation.datasets import Sample
from tamis.page.text import Floats
from tamis.training.block_records import LabelledBlocks, _record
from tamis.training.taught import SHARE, lesson, page_key, read_taught, write_taught

STORY = "Rain fell on the hills all night and the river rose."
PAGE = f"<nav>Home News</nav><p>{STORY}</p><p>What a flood it was, said everyone I met.</p>"


def record_of(gold: str | None, **extra: list[str]) -> LabelledBlocks:
    made = _record(Sample(id="a b/1", html=PAGE, gold=gold, dataset="train/small", extra=extra))
    assert made is not None
    return made


def chances(odds: list[float]) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.array(odds)))
    return result


def test_answers_survive_their_file_in_eighths(tmp_path: Path) -> None:
    file = tmp_path / "taught.npz"
    one, other = record_of(STORY), record_of(None)
    write_taught(file, [(one, np.array([-1.26, 0.5, 99.0]))])
    found = read_taught(file)
    assert page_key(one) == page_key(other) == "small a b/1"
    assert {key: odds.tolist() for key, odds in found.items()} == {"small a b/1": [-1.25, 0.5, 15.875]}


def test_no_answers_are_a_file_too(tmp_path: Path) -> None:
    write_taught(tmp_path / "taught.npz", [])
    assert read_taught(tmp_path / "taught.npz") == {}


@pytest.mark.parametrize("sizes", [[2], [4], [1, 2], [-1, 4]])
def test_answers_that_belong_to_no_page_are_refused(tmp_path: Path, sizes: list[int]) -> None:
    file = tmp_path / "taught.npz"
    name = np.frombuffer(b"small 1", np.uint8)
    np.savez(file, pages=name, sizes=np.array(sizes, np.int64), odds=np.zeros(3, np.int8))
    with pytest.raises(FileFormatError, match="does not say of which pages"):
        read_taught(file)


def test_with_gold_text_the_teacher_has_its_share() -> None:
    record = record_of(STORY)
    found = lesson(record, {page_key(record): np.array([-2.0, 3.0, 0.0])})
    assert found is not None
    expected = SHARE * chances([-2.0, 3.0, 0.0]) + (1 - SHARE) * np.array([0, 1, 0])
    assert found[0] == pytest.approx(expected)
    assert np.array_equal(found[1], record.weights)


def test_without_gold_text_the_teacher_is_believed_but_for_what_is_known() -> None:
    record = record_of(None, without=["said everyone"])
    found = lesson(record, {page_key(record): np.array([-2.0, 3.0, 1.0])})
    assert found is not None
    said = chances([-2.0, 3.0, 1.0])
    assert found[0] == pytest.approx([said[0], said[1], SHARE * said[2]])
    total = max(float((said * record.words).sum()), 20)
    assert found[1] == pytest.approx(np.minimum(1, (record.words / total) ** 0.8))


@pytest.mark.parametrize("taught", [{}, {"small a b/1": np.zeros(2)}], ids=["no answer", "another version"])
def test_without_an_answer_to_this_page_only_what_is_known_counts(taught: dict[str, Floats]) -> None:
    record = record_of(STORY)
    found = lesson(record, taught)
    assert found is not None
    assert found == (record.labels, record.weights)
    assert lesson(record_of(None), taught) is None
