"""Wheel and source distribution: the same bytes from every build, what they should hold, and nothing else."""

from __future__ import annotations

import email
import os
import re
import shutil
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from packaging.metadata import Metadata

import tamis
from tamis.evaluation.segment_gold import unpack
from tests.packaging.conftest import ROOT, Built, build, copy_tree

pytestmark = pytest.mark.proof

MAX_BYTES = 3_000_000
STRAYS = (
    ".venv/lib/site.py",
    "data/README.md",
    "data/pages.jsonl",
    "dist/old.whl",
    "docs/.DS_Store",
    "notes.txt",
    "site/index.html",
    "src/tamis/__pycache__/old.cpython-311.pyc",
    "src/tamis/page/_kernel.c",
    "src/tamis/page/_kernel.old.so",
    "src/tamis/page/.model.py.swp",
    "src/tamis/page/model.py.orig",
    "src/tamis/page/model.py~",
    "tests/__pycache__/old.cpython-311.pyc",
)
"""What lies about in a tree that is worked in."""


def names_in_wheel(built: Built) -> set[str]:
    with zipfile.ZipFile(built.wheel) as archive:
        return set(archive.namelist())


def names_in_sdist(built: Built) -> set[str]:
    """Without the folder that all of them are in."""
    with tarfile.open(built.sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def metadata(built: Built) -> Metadata:
    """What the wheel says of itself; fields that are not valid are an error."""
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Metadata.from_email(archive.read(name), validate=True)


def test_a_build_elsewhere_later_and_by_another_gives_the_same_bytes(built: Built, tmp_path: Path) -> None:
    tree = copy_tree(built.tree, tmp_path / "a folder with another name")
    for file in sorted(tree.rglob("*"), reverse=True):
        os.utime(file, (1_800_000_000, 1_800_000_000))
        file.chmod(0o700 if file.stat().st_mode & 0o100 else 0o600)
    for name in STRAYS:
        stray = tree / name
        stray.parent.mkdir(parents=True, exist_ok=True)
        stray.write_text("left behind")
    again = build(tree, tmp_path / "dist", umask=0o077)
    assert names_in_sdist(again) == names_in_sdist(built)
    assert names_in_wheel(again) == names_in_wheel(built)
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    assert again.sdist.read_bytes() == built.sdist.read_bytes()


def test_the_wheel_built_from_the_source_distribution_is_the_same(built: Built, tmp_path: Path) -> None:
    unpack(built.sdist, tmp_path)
    (tree,) = tmp_path.iterdir()
    assert build(tree, tmp_path / "dist").wheel.read_bytes() == built.wheel.read_bytes()


def test_both_are_small(built: Built) -> None:
    assert built.wheel.stat().st_size <= MAX_BYTES
    assert built.sdist.stat().st_size <= MAX_BYTES


def test_the_wheel_holds_the_package_and_nothing_else(built: Built) -> None:
    name = f"tamis-{tamis.__version__}.dist-info"
    kinds = {".css", ".html", ".js", ".json", ".md", ".npz", ".png", ".py", ".so", ".svg", ".toml", ".typed"}
    names = names_in_wheel(built)
    assert {PurePosixPath(one).parts[0] for one in names} == {"tamis", name}
    inside = {one for one in names if one.startswith("tamis/")}
    assert {PurePosixPath(one.replace("py.typed", "x.typed")).suffix for one in inside} <= kinds
    assert names - inside == {
        f"{name}/{one}" for one in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }


def test_the_wheel_holds_every_file_of_the_package(built: Built) -> None:
    source = built.tree / "src"
    files = {
        str(file.relative_to(source))
        for file in source.rglob("*")
        if file.is_file() and file.suffix not in (".pxi", ".pyx")
    }
    assert files <= names_in_wheel(built)


@pytest.mark.parametrize(
    "pattern",
    [
        r"py\.typed",
        r"outputs/schema\.json",
        r"extractors/sieve/sieve\.(npz|md)",
        r"segmenters/mesh/mesh\.(npz|md)",
        r"extractors/elements/elements\.(json|md)",
        r"service/static/inspector/index\.html",
        r"service/templates/reader\.(html|css)",
    ],
)
def test_what_is_no_program_is_there_too(built: Built, pattern: str) -> None:
    assert any(re.fullmatch(f"tamis/{pattern}", name) for name in names_in_wheel(built))


def test_every_model_has_its_card(built: Built) -> None:
    weights = {PurePosixPath(name) for name in names_in_wheel(built)}
    models = {file for file in weights if file.suffix in (".npz", ".json") and file.stem == file.parent.name}
    assert models
    assert {file.with_suffix(".md") for file in models} <= weights


def test_the_source_distribution_holds_what_the_checks_need(built: Built) -> None:
    names = names_in_sdist(built)
    tops = {PurePosixPath(name).parts[0] for name in names if name}
    assert {"bench", "check", "constraints.txt", "docs", "examples", "pyproject.toml", "src", "tests"} <= tops
    assert {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "examples/article.html"} <= names
    assert tops.isdisjoint({".git", ".venv", "build", "data", "dist", "site"})


def test_the_metadata_says_what_the_project_says(built: Built, metadata: Metadata) -> None:
    project = tomllib.loads((built.tree / "pyproject.toml").read_text())["project"]
    assert (metadata.name, str(metadata.version)) == ("tamis", tamis.__version__)
    assert metadata.summary == project["description"]
    assert metadata.license_expression == "Apache-2.0"
    assert metadata.license_files == ["LICENSE"]
    assert str(metadata.requires_python) == ">=3.11"
    assert set(metadata.provides_extra or ()) == set(project["optional-dependencies"])


def test_the_description_is_the_readme(built: Built, metadata: Metadata) -> None:
    assert metadata.description_content_type == "text/markdown"
    assert metadata.description == (built.tree / "README.md").read_text()


def test_versions_of_python_are_named_from_the_lowest_that_is_accepted(metadata: Metadata) -> None:
    found = re.findall(r"Python :: 3\.(\d+)", "\n".join(metadata.classifiers or ()))
    minors = [int(minor) for minor in found]
    assert minors == list(range(11, minors[-1] + 1))
    assert "Typing :: Typed" in (metadata.classifiers or ())


def test_the_command_is_declared(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "tamis = tamis.cli:main" in archive.read(name).decode()


def tag_of(built: Built) -> str:
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/WHEEL"))
        return str(email.message_from_bytes(archive.read(name))["Tag"])


@pytest.mark.skipif(shutil.which("cc") is None, reason="without a C compiler nothing can be compiled")
def test_the_wheel_holds_the_kernels_for_this_python(built: Built) -> None:
    sources = {str(file.relative_to(built.tree / "src").parent) for file in built.tree.rglob("_kernel.pyx")}
    compiled = {str(PurePosixPath(name).parent) for name in names_in_wheel(built) if name.endswith(".so")}
    assert compiled == sources
    assert tag_of(built).startswith(f"cp3{sys.version_info.minor}-")


@pytest.mark.parametrize(
    "environment", [{"TAMIS_PURE": "1"}, {"CC": "no-such-compiler"}], ids=["asked for", "no compiler"]
)
def test_without_kernels_the_wheel_is_for_every_machine_and_otherwise_the_same(
    environment: dict[str, str], built: Built, tmp_path: Path
) -> None:
    pure = build(built.tree, tmp_path, variables=environment)
    assert tag_of(pure) == "py3-none-any"
    assert names_in_wheel(pure) == {name for name in names_in_wheel(built) if not name.endswith(".so")}


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [tamis.__version__]
    assert re.findall(r"^license: (.+)$", citation, re.MULTILINE) == ["Apache-2.0"]
