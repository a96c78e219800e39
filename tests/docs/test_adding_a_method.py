"""The files that docs/architecture.md prints are methods like any other: in a package of their own, as printed.

The package is on the path of child processes only, so that no other test meets its methods.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'```python title="(\w+\.py)"\n(.*?)```', TEXT, re.DOTALL))
ENTRY_POINTS: dict[str, dict[str, str]] = tomllib.loads("".join(re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)))[
    "project"
]["entry-points"]

STORY = """<title>Rain</title><nav><a href="/">Home</a></nav>
<p>After forty dry days the valley has water again, and the old mills are turning.</p><p>Rain at last.</p>"""


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package installed in it, as pip would leave it."""
    site = tmp_path_factory.mktemp("site")
    (site / "my_methods").mkdir()
    (site / "my_methods" / "__init__.py").touch()
    for name, text in FILES.items():
        (site / "my_methods" / name).write_text(text, encoding="utf-8")
    about = site / "my_methods-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-methods\nVersion: 1.0\n")
    lines = [
        line
        for group, points in ENTRY_POINTS.items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in points.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(lines))
    return site


def run(site: Path, *arguments: str, cwd: Path = ROOT) -> str:
    """What a child process with the package prints; its end must be a good one."""
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(site: Path, expression: str) -> str:
    program = f"import json, tamis; page = {STORY!r}; print(json.dumps({expression}))"
    return str(json.loads(run(site, "-c", program)))


def command(site: Path, folder: Path, *arguments: str) -> str:
    (folder / "page.html").write_text(STORY)
    return run(site, "-m", "tamis", *arguments, cwd=folder)


def test_every_file_is_named_by_an_entry_point_of_its_folder() -> None:
    assert [f"{name}.py" for points in ENTRY_POINTS.values() for name in points] == list(FILES)
    assert [place for points in ENTRY_POINTS.values() for place in points.values()] == [
        f"my_methods.{name.removesuffix('.py')}" for name in FILES
    ]


@pytest.mark.proof
def test_each_keeps_the_contract_of_its_folder(site: Path) -> None:
    names = [name for points in ENTRY_POINTS.values() for name in points]
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "tests/contract"]
    report = run(site, "-m", "pytest", *options, "-rA", "-k", " or ".join(names))
    passed = [line for line in report.splitlines() if line.startswith("PASSED")]
    assert [name for name in names if not any(re.search(rf"[\[-]{name}[\]-]", line) for line in passed)] == []


def test_each_is_listed_with_its_first_line(site: Path, tmp_path: Path) -> None:
    listed = command(site, tmp_path, "methods")
    for name, text in FILES.items():
        if name != "one_gold_file.py":  # formats of datasets are no methods
            assert f"{name.removesuffix('.py')}\t{text.splitlines()[0].strip(chr(34))}\n" in listed


def test_the_extractor_is_used_by_name(site: Path, tmp_path: Path) -> None:
    longest = "After forty dry days the valley has water again, and the old mills are turning."
    assert python(site, "tamis.extract(page, method='longest_block').text") == longest
    assert python(site, "tamis.extract(page, method='longest_block', min_words=99).status") == "empty"
    assert command(site, tmp_path, "extract", "page.html", "--method", "longest_block") == longest + "\n"
    assert command(site, tmp_path, "extract", "page.html", "--method", "longest_block", "--min-words", "99") == ""


def test_the_distance_groups_pages(site: Path, tmp_path: Path) -> None:
    pages = "[page, page, '<table><tr><td>one<td>two</table>']"
    grouped = f"tamis.cluster({pages}, distance='element_names', threshold=0.3).groups"
    assert python(site, grouped) == "[[0, 1], [2]]"
    (tmp_path / "other.html").write_text("<table><tr><td>one<td>two</table>")
    options = ("--distance", "element_names", "--threshold", "0.3")
    groups = json.loads(command(site, tmp_path, "cluster", str(tmp_path), *options))["groups"]
    assert sorted(Path(page).name for group in groups for page in group["pages"]) == ["other.html", "page.html"]
    assert len(groups) == 2


def test_the_segmenter_divides_a_page(site: Path, tmp_path: Path) -> None:
    cells = "<table><tr><td>one</td><td>two</td></tr></table>"
    labels = f"[part.label for part in tamis.segment({cells!r}, method='halves').root.parts]"
    assert python(site, labels) == "['left', 'right']"
    (tmp_path / "cells.html").write_text(cells)
    told = json.loads(command(site, tmp_path, "segment", "cells.html", "--method", "halves", "--no-render"))
    assert [part["text"] for part in told["root"]["parts"]] == ["one", "two"]


def test_the_dataset_is_read_and_scored(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "labelled"
    folder.mkdir()
    (folder / "rain.html").write_text(STORY)
    (folder / "gold.json").write_text(json.dumps({"rain.html": "Rain at last.", "lost.html": "?"}))
    info = command(site, tmp_path, "dataset", "info", "labelled")
    assert "format\tone_gold_file\n" in info
    assert "count\t1\n" in info
    assert "lost.html" in info  # named among the problems
    report = command(site, tmp_path, "evaluate", "labelled", "--methods", "keep_all,longest_block", "--out", "runs")
    assert "longest_block" in report
    (folder / "gold.json").write_text("no JSON")
    program = "from tamis.evaluation.datasets import open_dataset\ntry: list(open_dataset('labelled'))"
    assert "gold.json" in run(site, "-c", f"{program}\nexcept Exception as error: print(error)", cwd=tmp_path)


def test_the_output_is_written_by_name(site: Path, tmp_path: Path) -> None:
    lines = [
        "- 0.00 Home",
        "+ 1.00 After forty dry days the valley has water again, and the old mills are turning.",
        "+ 1.00 Rain at last.",
    ]
    rendered = "tamis.extract(page, method='keep_all', drop='nav').render('review')"
    assert python(site, rendered).splitlines() == lines
    arguments = ("extract", "page.html", "--method", "keep_all", "--drop", "nav", "--format", "review")
    assert command(site, tmp_path, *arguments).splitlines() == lines
    command(site, tmp_path, *arguments, "--out", "texts")
    assert (tmp_path / "texts" / "page.review").read_text().splitlines() == lines


FOLDERS = {"datasets": "evaluation/datasets"}  # others are called as the group of their entry point is


@pytest.mark.proof
def test_files_dropped_into_a_copy_of_the_project_pass_its_checks(tmp_path: Path) -> None:
    """What CONTRIBUTING promises: one file, and nothing else is edited; layers, types and documentation included."""
    copy = tmp_path / "tamis"
    for name in ("src", "tests", "docs", "bench", "examples"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for file in ROOT.glob("*.*"):
        if file.is_file():
            shutil.copy(file, copy / file.name)
    dropped = []
    for group, points in ENTRY_POINTS.items():
        kind = group.removeprefix("tamis.")
        for name in points:
            dropped.append(f"src/tamis/{FOLDERS.get(kind, kind)}/{name}.py")
            (copy / dropped[-1]).write_text(FILES[f"{name}.py"], encoding="utf-8")
    about = ("reference", "method_pages", "kind_pages", "segmenter_pages", "citations", "architecture", "site")
    names = " or ".join(name for points in ENTRY_POINTS.values() for name in points)
    commands = [
        ["ruff", "format", "--check", *dropped],
        ["ruff", "check", *dropped],
        ["lint-imports"],
        ["mypy", *dropped],
        *(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
            for chosen in (
                [f"tests/docs/test_{name}.py" for name in about],
                ["tests/contract", "tests/distances", "-k", f"{names} or every_measure"],
            )
        ),
    ]
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(copy / "src")}
    for command in commands:
        done = subprocess.run(command, cwd=copy, env=environment, text=True, capture_output=True)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
