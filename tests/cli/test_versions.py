from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis import kernels
from tamis._version import VERSION
from tamis.cli import main, versions

REQUIREMENTS = [
    "numpy>=1.26",
    "turbohtml<2,>=1.15",
    'cyclopts>=5; extra == "cli"',
    "rich>=13.7 ; extra == 'cli'",
    "not-installed-here>=1; extra == 'peers'",
    "pytest>=8; extra == 'dev'",
]


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(metadata, "requires", lambda _: REQUIREMENTS)
    monkeypatch.setenv("TAMIS_BROWSER", "no-such-browser")
    versions.requirements.cache_clear()
    yield
    versions.requirements.cache_clear()


def test_standard_output_is_the_version_alone_and_the_parts_are_said_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--version"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{VERSION}\n"
    lines = err.splitlines()
    assert lines[0].startswith(f"tamis: Python {platform.python_version()} on ")
    assert lines[1] == f"tamis: kernels: {kernels.summary()}"
    assert lines[2] == f"tamis: core: numpy {np.__version__}, turbohtml {metadata.version('turbohtml')}"
    assert lines[3] == f"tamis: cli: cyclopts {metadata.version('cyclopts')}, rich {metadata.version('rich')}"
    assert lines[4].startswith("tamis: models: elements ")
    assert len(lines) == 5


def test_packages_are_known_by_the_extra_that_needs_them_and_those_of_developers_are_left_out() -> None:
    assert versions.requirements() == {
        versions.CORE: ("numpy", "turbohtml"),
        "cli": ("cyclopts", "rich"),
        "peers": ("not-installed-here",),
    }


def test_without_an_installation_there_is_still_a_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def requires(_: str) -> list[str]:
        raise metadata.PackageNotFoundError("tamis")

    monkeypatch.setattr(metadata, "requires", requires)
    assert main(["--version"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{VERSION}\n"
    assert "core" not in err


def test_models_are_told_apart_by_the_digest_of_their_files() -> None:
    folder = Path(tamis.__file__).parent
    assert versions.model_digests() == {
        name: hashlib.sha256((folder / file).read_bytes()).hexdigest()[:12]
        for name, file in {
            "elements": "extractors/elements/elements.json",
            "mesh": "segmenters/mesh/mesh.npz",
            "sieve": "extractors/sieve/sieve.npz",
        }.items()
    }


@pytest.mark.parametrize(
    ("script", "told"),
    [("echo 'Chromium 1.2.3'", " (Chromium 1.2.3)"), ("exec sleep 60", ""), ("exit 1", "")],
    ids=["answers", "hangs", "fails"],
)
def test_a_browser_that_does_not_answer_in_time_is_named_without_a_version(
    script: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chromium"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("TAMIS_BROWSER", str(program))
    if "sleep" in script:
        monkeypatch.setattr(versions, "_BROWSER_SECONDS", 0.2)
    assert versions.browser_version() == f"{program}{told}"


def test_without_a_browser_none_is_named() -> None:
    assert versions.browser_version() is None
