"""What docs/architecture.md says of the tree is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bench.flow_figure import WAYS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tamis"
PAGE = ROOT / "docs" / "architecture.md"
TEXT = PAGE.read_text(encoding="utf-8")
RECORDS = ROOT / "docs" / "decisions"
LINTER: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows_of_the_map() -> dict[str, str]:
    return dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", section("The map"), re.MULTILINE))


def test_the_map_names_every_folder_and_every_file_beside_them() -> None:
    files = [file for file in PACKAGE.rglob("*.*") if file.is_file() and "__pycache__" not in file.parts]
    folders = {"/".join(parts) for file in files for parts in _folders_of(file)}
    there = {f"{folder}/" for folder in folders} | {file.name for file in files if file.parent == PACKAGE}
    assert set(rows_of_the_map()) == there


def _folders_of(file: Path) -> list[tuple[str, ...]]:
    """The folder of the package that a file lies in, and the one below that; deeper ones are not on the map."""
    parts = file.relative_to(PACKAGE).parts[:-1][:2]
    return [parts[:count] for count in range(1, len(parts) + 1)]


def test_every_place_on_the_map_has_one_sentence() -> None:
    for name, words in rows_of_the_map().items():
        assert words.endswith("."), name
        assert ". " not in words, name


def test_the_layers_are_those_that_are_checked() -> None:
    layers = next(contract["layers"] for contract in LINTER["contracts"] if contract["type"] == "layers")
    checked = [re.sub(r"tamis\.|[()]", "", layer) for layer in layers]
    fence = re.search(r"```text\n(.*?)```", section("Who may import whom"), re.DOTALL)
    assert fence is not None
    assert fence.group(1).split("\n")[:-1] == checked


def test_every_contract_is_named() -> None:
    named = re.findall(r"^- \*(.+?)\*", section("Who may import whom"), re.MULTILINE)
    assert named == [contract["name"] for contract in LINTER["contracts"]]


@pytest.mark.parametrize("command", WAYS)
def test_the_figure_names_files_that_exist_and_commands_that_the_page_follows(command: str) -> None:
    assert f"**`{command} " in section("How a page flows")
    assert [cell.file for cell in WAYS[command] if not (PACKAGE / cell.file).is_file()] == []


def test_files_that_are_named_exist() -> None:
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", TEXT))
    assert named
    assert [name for name in sorted(named) if not ((PACKAGE / name).is_file() or (ROOT / name).is_file())] == []


def test_a_newcomer_opens_at_most_six_files_for_a_task() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tasks = text.partition("\n## Four tasks to begin with\n")[2].partition("\n## ")[0].split("\n**")[1:]
    assert len(tasks) == 4
    for task in tasks:
        files = set(re.findall(r"`((?:src|tests|docs|bench)/[\w/.]+)`", task))
        assert 3 <= len(files) <= 6, task
        assert [file for file in files if "NAME" not in file and not (ROOT / file).exists()] == []


def test_the_page_lists_every_decision_record() -> None:
    linked = re.findall(r"\(decisions/([^)]+)\)", TEXT)
    assert linked == sorted(file.name for file in RECORDS.glob("*.md"))


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.md")), ids=lambda file: file.stem)
def test_a_decision_record_says_why_what_and_until_when(record: Path) -> None:
    headings = re.findall(r"^## (.+)$", record.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == ["Context", "Decision", "What was measured", "Consequences", "When to look at it again"]


def test_every_script_that_measures_or_writes_pages_is_named_for_contributors() -> None:
    scripts = {file.stem for file in (ROOT / "bench").glob("*.py") if "__main__" in file.read_text(encoding="utf-8")}
    scripts |= {file.parent.name for file in (ROOT / "bench").glob("*/__main__.py")}
    named = set(re.findall(r"\bbench\.(\w+)", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named == scripts
