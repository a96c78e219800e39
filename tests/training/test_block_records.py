from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import FileFormatError
from tamis.evaluation.datasets import Sample, open_dataset
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve.features import STATIC
from tamis.stored import keys
from tamis.training import block_records
from tamis.training.block_records import LabelledBlocks, _record, read_records
from tamis.training.folds import FOLDS
from tests.training.pages import write_dataset

MENU, STORY = "Home News", "Rain fell on the hills all night and the river rose."
PAGE = f"<nav>{MENU}</nav><p>{STORY}</p><div class=comments><p>What a flood it was, said everyone I met.</p></div>"


def record_of(gold: str | None, html: str = PAGE, dataset: str = "own", **extra: Any) -> LabelledBlocks:
    made = _record(Sample(id="1", html=html, gold=gold, url="https://a.example/x", dataset=dataset, extra=extra))
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
        made = _record(Sample(id=path, html=PAGE, gold=STORY, url=f"https://{host}/{path}"))
        assert made is not None
        return made.fold

    assert len({fold("a.example", path) for path in "xyz"}) == 1
    folds = [fold(f"host{number}.example", "x") for number in range(40)]
    assert set(folds) == set(range(FOLDS))


def test_a_page_without_an_address_is_its_own_host() -> None:
    made = _record(Sample(id="page 7", html=PAGE, gold=STORY))
    assert made is not None
    assert made.host == "page 7"


@pytest.mark.parametrize(("html", "gold"), [("", "gold"), ("<p> </p>", None), ("<script>x</script>", "gold")])
def test_a_page_without_text_is_left_out(html: str, gold: str | None) -> None:
    assert _record(Sample(id="1", html=html, gold=gold)) is None


def test_gold_that_is_a_part_makes_blocks_known_and_leaves_the_rest_unknown() -> None:
    record = record_of(STORY, dataset="train/recipes")
    assert record.labels.tolist() == [0, 1, 0]
    gold = 2 * len(compare_words(STORY))
    assert record.weights.tolist() == pytest.approx([0, (11 / gold) ** 0.8, 0])
    assert (record.gold, record.has_text) == (None, True)
    with pytest.raises(ValueError, match="1 has no gold text"):
        record.f1(np.ones(3, dtype=np.bool_))


def test_without_gold_nothing_is_known_but_snippets() -> None:
    record = record_of(None, with_=["a FLOOD it was"], without=["fell on the hills"])
    assert record.labels.tolist() == [0, 0, 1]
    assert record.weights.tolist() == pytest.approx([0, (11 / 20) ** 0.8, (9 / 20) ** 0.8])
    assert (record.gold, record.has_text) == (None, False)


@pytest.mark.parametrize("snippets", [[], None, [""], ["ain fell on"], ["hills night"], ["..."]])
def test_snippets_are_whole_words_in_a_row(snippets: list[str] | None) -> None:
    assert not record_of(None, without=snippets).weights.any()


def test_what_must_not_be_there_wins_over_what_must() -> None:
    record = record_of(None, with_=["rain fell"], without=["rain fell"])
    assert (record.labels[1], record.weights[1] > 0) == (0, True)


def test_snippets_add_nothing_to_gold_text() -> None:
    plain, more = record_of(STORY), record_of(STORY, with_=["a flood it was"])
    assert np.array_equal(plain.labels, more.labels)
    assert np.array_equal(plain.weights, more.weights)


def test_records_are_kept_in_the_work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = open_dataset(write_dataset(tmp_path, hosts=2))
    first = read_records(dataset, tmp_path / "work", workers=1)
    assert [record.id for record in first] == ["0-0", "0-1", "1-0", "1-1"]
    assert {record.dataset for record in first} == {"small"}
    assert not list((tmp_path / "work").rglob("*.part"))
    monkeypatch.delattr(block_records, "labelled_page")  # no page is read
    again = read_records(dataset, tmp_path / "work", workers=1)
    for one, other in zip(first, again, strict=True):
        assert (one.id, one.host, one.has_text) == (other.id, other.host, other.has_text)
        assert one.containers.names == other.containers.names
        columns = [name for name in block_records._COLUMNS if name in vars(one)]
        for mine, theirs in ((vars(one), vars(other)), (vars(one.containers), vars(other.containers))):
            for name in {*columns, *block_records._OF_CONTAINERS} & set(mine):
                assert np.array_equal(mine[name], theirs[name]), name
                assert mine[name] is None or mine[name].dtype == theirs[name].dtype, name


def test_records_are_made_again_when_the_code_that_makes_them_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = open_dataset(write_dataset(tmp_path, hosts=1))
    read_records(dataset, tmp_path / "work", workers=1)
    monkeypatch.setattr(keys, "source_digest", lambda modules, **_: f"changed {modules}")
    read_records(dataset, tmp_path / "work", workers=1)
    assert len(list((tmp_path / "work" / "records").iterdir())) == 2


def test_code_in_the_work_folder_does_not_run(tmp_path: Path) -> None:
    """A pickle in the place of records is refused."""

    class Planted:
        def __reduce__(self) -> tuple[object, ...]:
            return (tmp_path / "ran").touch, ()

    dataset = open_dataset(write_dataset(tmp_path, hosts=1))
    read_records(dataset, tmp_path / "work", workers=1)
    (file,) = (tmp_path / "work" / "records").iterdir()
    for content in (pickle.dumps([Planted()]), pickle.dumps(np.array([Planted()], dtype=object))):
        file.write_bytes(content)
        with pytest.raises(FileFormatError, match="delete it and run again"):
            read_records(dataset, tmp_path / "work", workers=1)
    np.savez(file, columns=np.array([Planted()], dtype=object))
    with pytest.raises(FileFormatError, match="holds no plain numbers"):
        read_records(dataset, tmp_path / "work", workers=1)
    assert not (tmp_path / "ran").exists()


def test_another_version_of_a_dataset_is_read_again(tmp_path: Path) -> None:
    path = write_dataset(tmp_path, hosts=1)
    assert len(read_records(open_dataset(path), tmp_path / "work", workers=1)) == 2
    write_dataset(tmp_path, hosts=2)
    assert len(read_records(open_dataset(path), tmp_path / "work", workers=1)) == 4
