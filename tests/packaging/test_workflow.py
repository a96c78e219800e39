"""The workflow of a release, which cannot run here: what it names is there, and it tries what is declared."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from bench.packaging import PYTHONS
from tests.packaging.conftest import ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra docs")

JOBS: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMMANDS = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]


def test_all_pythons_that_are_declared_are_tried_and_get_wheels() -> None:
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert JOBS["pythons"]["strategy"]["matrix"]["python"] == declared
    assert [f"python{version}" for version in declared] == list(PYTHONS)
    built = PROJECT["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{version.replace('.', '')}-manylinux_*" for version in declared]


def test_nothing_is_published_unless_all_other_jobs_are_green_and_a_tag_says_so() -> None:
    publish = JOBS["publish"]
    assert set(publish["needs"]) == set(JOBS) - {"publish"}
    assert publish["if"] == "github.ref_type == 'tag'"


def test_extras_that_are_installed_and_paths_that_are_tested_exist() -> None:
    told = "\n".join(COMMANDS)
    extras = {extra for found in re.findall(r"'\.\[([a-z,-]+)\]'", told) for extra in found.split(",")}
    assert extras
    assert extras <= set(PROJECT["project"]["optional-dependencies"])
    paths = re.findall(r"\btests/[\w/.]+", told)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert (ROOT / "check").exists()
