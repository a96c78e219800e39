"""What is found out between stages: from small files, once, whatever came first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tamis.scaling import duplicates, finishing
from tamis.scaling.finishing import prepare
from tamis.scaling.job import Duplicates, Job, Templates
from tamis.scaling.shard_plan import Shard
from tamis.scaling.stages import Stage, dropped_path, found_path, places, read_found, templates_folder

SAME_WORDS = Duplicates(resemblance=1)
JOB = Job(method="keep_all", metadata=False, output="jsonl", duplicates=SAME_WORDS)
TEXTS = {"a": ["one", "two", "one"], "b": [], "c": ["three", "two"], "d": ["three", "four", "one"]}


def shard(name: str) -> Shard:
    return Shard(name=name, kind="warc", sources=(name,))


def write_rows(out: Path, texts: dict[str, list[str]]) -> list[Shard]:
    """Rows as the stage before leaves them, whose ids are the name of the shard and a number."""
    for name, words in texts.items():
        path = places(shard(name), JOB, out, "pages").data
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [
            {"id": f"{name}{number}", "signature": duplicates.signature(text, SAME_WORDS)}
            for number, text in enumerate(words)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [shard(name) for name in texts]


def dropped(out: Path, name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(dropped_path(out, shard(name)).read_bytes())
    return found


def test_every_copy_is_dropped_for_the_first_in_the_order_of_the_shards(tmp_path: Path) -> None:
    prepare(write_rows(tmp_path, TEXTS), JOB, tmp_path, "kept", 1)
    assert {name: dropped(tmp_path, name) for name in TEXTS} == {
        "a": {"2": "a0"},
        "b": {},
        "c": {"1": "a1"},
        "d": {"0": "c0", "2": "a0"},
    }


def test_what_is_known_is_not_found_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr(finishing, "_find_duplicates", lambda shards, *_: calls.append([one.name for one in shards]))
    shards = write_rows(tmp_path, TEXTS)
    for chosen in (shards, shards, shards[:2], shards[:2]):
        prepare(chosen, JOB, tmp_path, "kept", 1)
    assert calls == [["a", "b", "c", "d"], ["a", "b"]]


def test_templates_are_learned_once_and_their_hosts_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(method="keep_all", metadata=False, templates=Templates())
    stage: Stage = "pages"
    calls: list[Any] = []

    def learn(files: list[Path], folder: Path, *given: object) -> dict[str, str]:
        calls.append(([file.name for file in files], folder, *given))
        return {"a.example": f"digest {len(calls)}"}

    monkeypatch.setattr(finishing, "learn_templates", learn)
    shards = [shard("a"), shard("b")]
    prepare(shards, job, tmp_path, stage, 3)
    prepare(shards, job, tmp_path, stage, 3)
    assert calls == [(["a.jsonl", "b.jsonl"], templates_folder(tmp_path), job, 3)]
    assert json.loads((templates_folder(tmp_path) / "hosts.json").read_bytes()) == {"a.example": "digest 1"}
    before = read_found(tmp_path, stage)
    prepare(shards[:1], job, tmp_path, stage, 3)
    after = read_found(tmp_path, stage)
    assert {*before} == {"from", "key"}
    assert all(before[name] != after[name] for name in before), "other templates make other rows"
    assert list(found_path(tmp_path, stage).parent.glob(".*")) == []
