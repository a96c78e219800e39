from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tamis
from tamis.errors import InputError, OptionError
from tamis.evaluation import datasets
from tamis.evaluation.datasets import Dataset, Sample, open_dataset, take
from tamis.evaluation.run import _question, predictions_path, read_predictions, run
from tamis.evaluation.systems import made_by
from tamis.stored import keys
from tests.locks import is_released

COUNTER = '''
import os
import time


def count(html, url=None):
    """Notes every page it is shown beside this file."""
    with open(os.path.join(os.path.dirname(__file__), "seen.txt"), "a") as file:
        file.write(html + "\\n")
    return html.removeprefix("<p>")


def odd(html):
    word = html.removeprefix("<p>")
    if word == "raise":
        raise ValueError("x" * 10_000)
    if word == "empty":
        return " \\n"
    if word == "none":
        return None
    if word == "hang":
        time.sleep(60)
    if word == "die":
        os._exit(1)
    if word == "surrogate":
        return "\\ud800\\n\\u2028"
    return word
'''


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file in which the system ``python:odd_run:count`` notes the pages it is shown."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "odd_run.py").write_text(COUNTER)
    (folder / "seen.txt").touch()
    monkeypatch.syspath_prepend(folder)
    yield folder / "seen.txt"
    sys.modules.pop("odd_run", None)


COUNT, ODD = "python:odd_run:count", "python:odd_run:odd"


def make_dataset(path: Path, *words: str) -> Dataset:
    datasets.write(path, (Sample(id=word, html=f"<p>{word}", gold=word) for word in words))
    return open_dataset(path)


def pages_shown(seen: Path) -> list[str]:
    return sorted(seen.read_text().replace("<p>", "").split())


def test_predictions_hold_what_each_system_made_of_each_page(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "one", "zwölf")
    summary = run(dataset, ["keep_all", "lqf:threshold=0.5"], tmp_path / "out", workers=2)
    assert summary.pages == 2
    assert summary.counts == {"keep_all": {"ok": 2}, "lqf:threshold=0.5": {"ok": 2}}
    rows = {row.id: row for row in read_predictions(summary.files["keep_all"])}
    assert rows["zwölf"].text == "zwölf"
    assert (rows["zwölf"].system, rows["zwölf"].dataset, rows["zwölf"].status) == ("keep_all", "d", "ok")
    assert rows["zwölf"].size == len("<p>zwölf".encode())
    assert rows["zwölf"].seconds > 0
    assert summary.files["keep_all"] == predictions_path(tmp_path / "out", "d", "keep_all")


def test_the_first_line_says_what_was_run_on_what(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "one")
    summary = run(dataset, ["keep_all"], tmp_path / "out")
    header = json.loads(summary.files["keep_all"].read_text().splitlines()[0])
    known = {"tamis": tamis.__version__, "dataset": "d", "digest": dataset.digest(), "system": "keep_all"}
    assert header == {**known, "made": made_by("keep_all")}


def test_predictions_of_other_code_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "one")
    file = run(dataset, ["keep_all"], tmp_path / "out").files["keep_all"]
    first = file.read_bytes()
    run(dataset, ["keep_all"], tmp_path / "out")
    assert file.read_bytes() == first  # nothing was done again, times included
    monkeypatch.setattr(keys, "source_digest", lambda modules, **_: f"changed {modules}")
    run(dataset, ["keep_all"], tmp_path / "out")
    assert file.read_bytes().splitlines()[0] != first.splitlines()[0]
    assert len(read_predictions(file)) == 1


def test_every_page_gets_a_row_whatever_the_system_does(tmp_path: Path, seen: Path) -> None:
    words = ("plain", "raise", "empty", "none", "hang", "die", "surrogate", "last")
    dataset = make_dataset(tmp_path / "d.jsonl", *words)
    summary = run(dataset, [ODD], tmp_path / "out", workers=2, timeout_seconds=1.5)
    rows = {row.id: row for row in read_predictions(summary.files[ODD])}
    assert {name: row.status for name, row in rows.items()} == {
        "plain": "ok",
        "raise": "failed",
        "empty": "empty",
        "none": "empty",
        "hang": "timed out",
        "die": "crashed",
        "surrogate": "ok",
        "last": "ok",
    }
    assert summary.counts[ODD] == {"ok": 3, "empty": 2, "failed": 1, "timed out": 1, "crashed": 1}
    assert rows["surrogate"].text == "\ud800\n\u2028"
    assert rows["raise"].text == ""
    assert rows["raise"].error.startswith("ValueError: xxx")
    assert len(rows["raise"].error) <= 500


def test_what_a_command_has_forked_ends_with_it(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    program = (
        f"import fcntl, time; file = open({str(lock)!r}, 'w'); fcntl.flock(file, fcntl.LOCK_EX); "
        "file.write('held'); file.flush(); time.sleep(60)"
    )
    command = f"command:{shlex.quote(sys.executable)} -c {shlex.quote(program)} & wait"
    summary = run(make_dataset(tmp_path / "d.jsonl", "a"), [command], tmp_path / "out", timeout_seconds=1.5)
    assert summary.counts[command] == {"timed out": 1}
    assert lock.read_text() == "held"
    assert is_released(lock)


def test_a_second_run_does_only_what_is_missing(tmp_path: Path, seen: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a", "b", "c")
    run(dataset, [COUNT], tmp_path / "out", limit=2, sample_by_hash=False)
    assert pages_shown(seen) == ["a", "b"]
    summary = run(dataset, [COUNT], tmp_path / "out")
    assert pages_shown(seen) == ["a", "b", "c"]
    assert summary.counts[COUNT] == {"ok": 3}


def test_a_run_goes_on_after_a_cut_in_the_middle_of_a_line(tmp_path: Path, seen: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a", "b", "c")
    file = run(dataset, [COUNT], tmp_path / "out").files[COUNT]
    whole = read_predictions(file)
    file.write_bytes(file.read_bytes()[:-10])
    assert read_predictions(file) == whole[:2]
    run(dataset, [COUNT], tmp_path / "out")
    assert pages_shown(seen) == sorted(["a", "b", "c", whole[2].id])
    assert [row.id for row in read_predictions(file)] == [row.id for row in whole]


@pytest.mark.parametrize("kept_bytes", [0, 5])
def test_a_run_begins_anew_when_the_first_line_is_cut(tmp_path: Path, seen: Path, kept_bytes: int) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a")
    file = run(dataset, [COUNT], tmp_path / "out").files[COUNT]
    file.write_bytes(file.read_bytes()[:kept_bytes])
    run(dataset, [COUNT], tmp_path / "out")
    assert pages_shown(seen) == ["a", "a"]
    assert [row.id for row in read_predictions(file)] == ["a"]


def test_a_run_begins_anew_when_the_dataset_has_changed(tmp_path: Path, seen: Path) -> None:
    run(make_dataset(tmp_path / "d.jsonl", "a", "b"), [COUNT], tmp_path / "out")
    summary = run(make_dataset(tmp_path / "d.jsonl", "a", "c"), [COUNT], tmp_path / "out")
    assert pages_shown(seen) == ["a", "a", "b", "c"]
    assert sorted(row.id for row in read_predictions(summary.files[COUNT])) == ["a", "c"]


def test_a_run_begins_anew_with_another_version(tmp_path: Path, seen: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a")
    file = run(dataset, [COUNT], tmp_path / "out").files[COUNT]
    header, row = file.read_text().splitlines()
    file.write_text(header.replace(tamis.__version__, "0.0.0") + f"\n{row}\n")
    run(dataset, [COUNT], tmp_path / "out")
    assert pages_shown(seen) == ["a", "a"]


def test_a_damaged_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a", "b")
    file = run(dataset, ["keep_all"], tmp_path / "out").files["keep_all"]
    header, first, second = file.read_text().splitlines()
    file.write_text(f"{header}\n{first[:20]}\n{second}\n")
    with pytest.raises(InputError, match="delete the file"):
        run(dataset, ["keep_all"], tmp_path / "out")


def test_systems_that_look_alike_have_different_files(tmp_path: Path) -> None:
    texts = ["command:a b", "command:a-b", "command-a-b", "command:" + "x" * 500, "command:" + "x" * 501]
    paths = {predictions_path(tmp_path, "public/d", text) for text in texts}
    assert len(paths) == len(texts)
    assert all(path.parent == tmp_path / "predictions" / "public-d" for path in paths)
    assert all(len(path.name) < 100 for path in paths)


def test_a_limit_chooses_the_same_pages_as_take(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", *"abcdefghij")
    summary = run(dataset, ["keep_all"], tmp_path / "out", limit=3)
    rows = read_predictions(summary.files["keep_all"])
    assert [row.id for row in rows] == [sample.id for sample in take(dataset, 3)]
    assert summary.pages == 3


def test_systems_are_shown_the_page_and_never_the_label() -> None:
    sample = Sample(id="a", html=b"<p>\xe4", gold="secret", extra={"fulltext": "secret", "linked_pages": {"u": "v"}})
    question = _question(sample)
    assert (question.html, question.gold, question.extra) == ("<p>ä", None, {"linked_pages": {"u": "v"}})


def test_progress_is_told_after_every_page(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a", "b", "c")
    told: list[tuple[str, int, int]] = []
    run(dataset, ["keep_all"], tmp_path / "out", limit=1, sample_by_hash=False)
    run(dataset, ["keep_all"], tmp_path / "out", progress=lambda *news: told.append(news))
    assert told == [("keep_all", 2, 3), ("keep_all", 3, 3)]


def test_problems_of_the_dataset_are_in_the_summary(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": "a", "html": "<p>a", "gold": "a"}\nbroken\n')
    summary = run(open_dataset(tmp_path / "d.jsonl"), ["keep_all"], tmp_path / "out")
    assert summary.pages == 1
    assert [problem.place for problem in summary.problems] == [f"{tmp_path / 'd.jsonl'}, line 2"]


def test_a_wrong_system_is_answered_before_any_work(tmp_path: Path, seen: Path) -> None:
    dataset = make_dataset(tmp_path / "d.jsonl", "a")
    with pytest.raises(OptionError, match="keep_all"):
        run(dataset, [COUNT, "keep_al"], tmp_path / "out")
    assert pages_shown(seen) == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"workers": 0}, {"timeout_seconds": 0}])
def test_numbers_that_make_no_sense_are_refused(tmp_path: Path, wrong: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        run(make_dataset(tmp_path / "d.jsonl", "a"), ["keep_all"], tmp_path / "out", **wrong)  # type: ignore[arg-type]
