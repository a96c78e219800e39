from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.evaluation.datasets import Dataset, Sample, open_dataset
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve.features import STATIC
from tamis.training import records
from tamis.training.folds import FOLDS
from tamis.training.records import Record, _record, read_records
from tests.training.pages import sample, write_dataset

MENU, STORY = "Home News", "Rain fell on the hills all night and the river rose."
PAGE = f"<nav>{MENU}</nav><p>{STORY}</p><div class=comments><p>What a flood it was, said everyone I met.</p></div>"


def record_of(gold: str | None, votes: Sequence[str] = (), html: str = PAGE, **extra: Any) -> Record:
    made = _record((Sample(id="1", html=html, gold=gold, url="https://a.example/x", extra=extra), votes))
    assert made is not None
    return made


def test_a_page_with_gold_has_labels_features_and_weights() -> None:
    record = record_of(STORY)
    assert record.labels.tolist() == [0, 1, 0]
    assert record.in_comments.tolist() == [False, False, True]
    assert record.columns.shape == (len(STATIC), 3)
    assert record.words.tolist() == [2, 11, 9]
    gold = len(compare_words(STORY))
    assert record.weights.tolist() == pytest.approx([min(1, (words / gold) ** 0.8) for words in (2, 11, 9)])


@pytest.mark.parametrize("gold", [STORY, f"{STORY} {MENU}", "the the the", "", "Nothing that is on the page"])
def test_f1_is_that_of_the_words_kept(gold: str) -> None:
    record = record_of(gold)
    texts = [compare_words(block.text) for block in tamis.parse(PAGE).blocks]
    for choice in range(8):
        kept = np.array([bool(choice >> block & 1) for block in range(3)])
        words = [word for text, is_kept in zip(texts, kept, strict=True) if is_kept for word in text]
        wanted = compare_words(gold)
        common = sum(min(words.count(word), wanted.count(word)) for word in set(words))
        expected = 2 * common / (len(words) + len(wanted)) if words or wanted else 0
        assert record.f1(kept) == pytest.approx(expected)


def test_hidden_blocks_take_part() -> None:
    assert record_of("Hidden words of an answer", html="<p hidden>Hidden words of an answer</p><p>x</p>").labels[0] == 1


def test_pages_of_one_host_are_in_one_fold_and_hosts_are_spread() -> None:
    def fold(host: str, path: str) -> int:
        made = _record((Sample(id=path, html=PAGE, gold=STORY, url=f"https://{host}/{path}"), ()))
        assert made is not None
        return made.fold

    assert len({fold("a.example", path) for path in "xyz"}) == 1
    folds = [fold(f"host{number}.example", "x") for number in range(40)]
    assert set(folds) == set(range(FOLDS))


def test_a_page_without_an_address_is_its_own_host() -> None:
    made = _record((Sample(id="page 7", html=PAGE, gold=STORY), ()))
    assert made is not None
    assert made.host == "page 7"


@pytest.mark.parametrize(("html", "gold"), [("", "gold"), ("<p> </p>", None), ("<script>x</script>", "gold")])
def test_a_page_without_text_is_left_out(html: str, gold: str | None) -> None:
    assert _record((Sample(id="1", html=html, gold=gold), (STORY, STORY))) is None


def test_one_vote_is_too_few_and_two_are_enough() -> None:
    page = Sample(id="1", html=PAGE, gold=None)
    assert _record((page, (STORY,))) is None
    assert _record((page, (STORY, STORY))) is not None


def test_votes_become_labels_and_count_less_where_they_disagree() -> None:
    both = f"{MENU}\n{STORY}"
    record = record_of(None, (both, STORY, STORY, STORY))
    assert record.labels.tolist() == [0.25, 1, 0]
    assert record.gold is None
    total = max(2 * 0.25 + 11, 20)
    full = [min(1, (words / total) ** 0.8) for words in (2, 11, 9)]
    assert record.weights.tolist() == pytest.approx([0.5 * 0.5 * full[0], 0.5 * full[1], 0.5 * full[2]])
    with pytest.raises(ValueError, match="1 has no gold text"):
        record.f1(np.ones(3, dtype=np.bool_))


def test_a_split_vote_counts_nothing() -> None:
    record = record_of(None, (STORY, "something else entirely"))
    assert (record.labels[1], record.weights[1]) == (0.5, 0)


def test_snippets_overrule_the_vote_with_full_weight() -> None:
    plain = record_of(None, (STORY, STORY))
    record = record_of(None, (STORY, STORY), with_=["a FLOOD it was"], without=["fell on the hills"])
    assert record.labels.tolist() == [0, 0, 1]
    assert record.weights[1] == pytest.approx(2 * plain.weights[1])
    assert record.weights[0] == plain.weights[0]


@pytest.mark.parametrize("snippets", [[], None, [""], ["ain fell on"], ["hills night"], ["..."]])
def test_snippets_are_whole_words_in_a_row(snippets: list[str] | None) -> None:
    assert record_of(None, (STORY, STORY), without=snippets).labels.tolist() == [0, 1, 0]


def test_what_must_not_be_there_wins_over_what_must() -> None:
    assert record_of(None, (STORY, STORY), with_=["rain fell"], without=["rain fell"]).labels[1] == 0


def test_records_are_kept_in_the_work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = open_dataset(write_dataset(tmp_path, hosts=2))
    first = read_records(dataset, tmp_path / "work", workers=1)
    assert [record.id for record in first] == ["0-0", "0-1", "1-0", "1-1"]
    assert {record.dataset for record in first} == {"small"}
    assert not list((tmp_path / "work").rglob("*.part"))
    monkeypatch.delattr(records, "_record")
    again = read_records(dataset, tmp_path / "work", workers=1)
    assert [pickle.dumps(record.columns) for record in again] == [pickle.dumps(record.columns) for record in first]


def test_another_version_of_a_dataset_is_read_again(tmp_path: Path) -> None:
    path = write_dataset(tmp_path, hosts=1)
    assert len(read_records(open_dataset(path), tmp_path / "work", workers=1)) == 2
    write_dataset(tmp_path, hosts=2)
    assert len(read_records(open_dataset(path), tmp_path / "work", workers=1)) == 4


def test_voters_are_asked_only_where_gold_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def votes(dataset: Dataset, work: Path, workers: int) -> Mapping[str, Sequence[str]]:
        asked.append(dataset.name)
        return {"no gold": [STORY, STORY], "one vote": [STORY]}

    monkeypatch.setattr(records, "_votes", votes)
    read_records(open_dataset(write_dataset(tmp_path, hosts=1)), tmp_path / "work", workers=1)
    assert asked == []
    from tamis.evaluation.datasets import write

    labelled = dataclasses.replace(sample(0, 0), id="gold")
    unlabelled = Sample(id="no gold", html=PAGE, extra={"with_": ["rain fell"]})
    write(tmp_path / "mixed.jsonl", [labelled, unlabelled, dataclasses.replace(unlabelled, id="one vote")])
    found = read_records(open_dataset(tmp_path / "mixed.jsonl"), tmp_path / "work", workers=1)
    assert asked == ["mixed"]
    assert [(record.id, record.gold is None) for record in found] == [("gold", False), ("no gold", True)]
