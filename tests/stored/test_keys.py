"""Caches are keyed by what made them: other data, options or code, another key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tamis.evaluation.systems import made_by
from tamis.stored.keys import PACKAGE, folder_digest, key_of, source_digest


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to be changed."""
    folder = tmp_path_factory.mktemp("copy") / "tamis"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "static", "*.so"))
    return folder


def _changes(copy: Path, name: str, modules: tuple[str, ...]) -> bool:
    """Whether a digest changes with a constant in a file of the package."""
    file = copy / name
    whole = file.read_bytes()
    source_digest.cache_clear()
    before = source_digest(modules, copy)
    file.write_bytes(whole + b"\n_CONSTANT = 1\n")
    source_digest.cache_clear()
    try:
        return source_digest(modules, copy) != before
    finally:
        file.write_bytes(whole)


RECORDS, BTE = ("tamis.training.block_records",), ("tamis.extractors.bte",)


@pytest.mark.parametrize("modules", [RECORDS, BTE])
def test_a_constant_of_the_document_model_takes_part_in_everything(copy: Path, modules: tuple[str, ...]) -> None:
    for name in ("page/limits.py", "page/parse.py", "page/text.py", "page/blocks.py"):
        assert _changes(copy, name, modules), name


def test_kernels_take_part_with_the_twins_that_they_stand_for(copy: Path) -> None:
    assert _changes(copy, "page/_kernel.pyx", RECORDS)
    assert _changes(copy, "page/_kernel.pyx", BTE)
    assert _changes(copy, "extractors/sieve/_kernel_rows.pxi", ("tamis.extractors.sieve",))
    for name in ("extractors/sieve/_kernel_rows.pxi", "segmenters/_kernel.pyx"):
        assert not _changes(copy, name, BTE), name


def test_what_is_imported_takes_part_and_what_is_not_does_not(copy: Path) -> None:
    assert _changes(copy, "training/labels.py", RECORDS)
    assert _changes(copy, "extractors/bte.py", BTE)
    for name in ("extractors/ccb.py", "service/app.py", "cli/app.py", "training/labels.py"):
        assert not _changes(copy, name, BTE), name


def test_the_same_sources_have_the_same_digest_wherever_they_lie(copy: Path) -> None:
    assert source_digest(BTE, copy) == source_digest(BTE)


def test_a_key_depends_on_data_options_and_modules() -> None:
    asked = [("data", {"a": 1}, BTE), ("other", {"a": 1}, BTE), ("data", {"a": 2}, BTE), ("data", {"a": 1}, RECORDS)]
    assert len({key_of(*one) for one in asked}) == len(asked)
    assert key_of("data", {"a": 1, "b": 2}, BTE) == key_of("data", {"b": 2, "a": 1}, BTE)


def test_a_folder_is_known_by_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    digests = [folder_digest(tmp_path)]
    (tmp_path / "a").write_text("2")
    digests.append(folder_digest(tmp_path))
    (tmp_path / "a").rename(tmp_path / "b")
    digests.append(folder_digest(tmp_path))
    assert len(set(digests)) == 3


def test_predictions_of_a_method_depend_on_the_model_that_its_options_name(tmp_path: Path) -> None:
    model = tmp_path / "m.npz"
    model.write_bytes(b"one")
    first = made_by(f"sieve:model={model}")
    model.write_bytes(b"two")
    assert made_by(f"sieve:model={model}") != first
    assert made_by("sieve") not in (first, made_by("bte"), made_by("combine"), made_by("justext"))


def test_predictions_of_peers_last_until_the_peer_or_what_it_takes_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = ("justext", "readability-lxml", "keep_all", "command:cat")
    before, nothing = {name: made_by(name) for name in systems}, source_digest(())
    monkeypatch.setattr("tamis.stored.keys.source_digest", lambda modules, **_: "other sources" if modules else nothing)
    after = {name: made_by(name) for name in systems}
    # Tamis makes text of the HTML that one of the two peers gives.
    assert [name for name in systems if after[name] != before[name]] == ["readability-lxml", "keep_all", "command:cat"]
    monkeypatch.setattr("tamis.evaluation.peers.peer_version", lambda _: "99")
    assert made_by("justext") != after["justext"]


MAKE_RECORDS_AND_PREDICTIONS = """
from pathlib import Path
from tamis.evaluation.datasets import Sample, open_dataset, write
from tamis.evaluation.run import run
from tamis.training.block_records import read_records

write(Path("one.jsonl"), [Sample(id="1", html="<p>Rain fell on the hills.", gold="Rain fell on the hills.")])
read_records(open_dataset("one.jsonl"), Path("work"), workers=1)
run(open_dataset("one.jsonl"), ["bte"], Path("work"))
"""


def test_what_was_cached_is_made_again_when_a_constant_has_changed(copy: Path, tmp_path: Path) -> None:
    def made() -> dict[Path, bytes]:
        environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
        command = [sys.executable, "-c", MAKE_RECORDS_AND_PREDICTIONS]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)
        return {file: file.read_bytes() for file in (tmp_path / "work").rglob("*.*") if file.is_file()}

    first = made()
    assert len(first) == 2
    assert made() == first
    constants = copy / "page" / "limits.py"
    whole = constants.read_text(encoding="utf-8")
    constants.write_text(whole.replace("max_depth: int = 512", "max_depth: int = 511"), encoding="utf-8")
    try:
        second = made()
    finally:
        constants.write_text(whole, encoding="utf-8")
    records = [file for file in second if file.suffix == ".npz"]
    assert len(records) == 2
    (predictions,) = [file for file in first if file.suffix == ".jsonl"]
    assert second[predictions] != first[predictions]
