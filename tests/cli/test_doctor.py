from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis import kernels
from tamis._version import VERSION
from tamis.cli import doctor, main, versions
from tamis.errors import InputError, MissingExtraError, MissingProgramError
from tamis.extractors.sieve import model as sieve_model
from tamis.rendering.browser import check_browser

CORE = ["numpy>=1.26", "turbohtml>=1.15"]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., None]]:
    """The core alone, without browser and data; called with requirements, an installation with these extras."""

    def require(*more: str) -> None:
        monkeypatch.setattr(metadata, "requires", lambda _: [*CORE, *more])
        versions.requirements.cache_clear()

    monkeypatch.setenv("TAMIS_BROWSER", "no-such-browser")
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path / "no-data"))
    require()
    yield require
    versions.requirements.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Install a package of one module with this code, for this process and those that it starts."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))

    def package(name: str, code: str) -> None:
        (site / f"{name}.py").write_text(code)
        about = site / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "RECORD").write_text(f"{name}.py,,\n{about.name}/METADATA,,\n")

    return package


def examined(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, str]]]:
    code = main(["doctor", "--json"])
    out, err = capsys.readouterr()
    answer: dict[str, Any] = json.loads(out)
    assert err.count("\n") == 1
    assert answer["version"] == VERSION
    assert answer["works"] == (code == 0)
    return code, {finding.pop("name"): finding for finding in answer["findings"]}


def test_the_core_alone_works_and_the_rest_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = examined(capsys)
    assert code == 0
    assert {name: finding["state"] for name, finding in found.items()} == {
        "core": "ok",
        "machine": "ok",
        "kernels": "ok" if kernels.summary() == "compiled" else "missing",
        "temporary files": "ok",
        "model elements": "ok",
        "model mesh": "ok",
        "model sieve": "ok",
        "extraction": "ok",
        "browser": "missing",
        "data": "missing",
    }
    assert f"numpy {metadata.version('numpy')}" in found["core"]["detail"]
    assert "no-such-browser" in found["browser"]["detail"]
    assert "TAMIS_DATA" in found["data"]["remedy"]


def test_a_missing_extra_is_no_failure_and_comes_with_its_install_line(
    bare: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    bare("cyclopts>=5; extra == 'cli'", "rich; extra == 'peers'", "not-installed-here; extra == 'peers'")
    code, found = examined(capsys)
    assert code == 0
    assert found["extra cli"]["state"] == "ok"
    assert found["extra peers"] == {
        "state": "missing",
        "detail": "not-installed-here not installed",
        "remedy": "pip install 'tamis[peers]'",
    }


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("raise ImportError('no\\nsymbol')", "frail cannot be imported (ImportError: no symbol)"),
        ("raise SystemExit(0)", "frail cannot be imported (SystemExit: 0)"),
        ("import os; os._exit(3)", "importing frail ended Python with exit code 3"),
        ("print('noise')", None),
    ],
)
def test_a_package_that_is_installed_and_cannot_be_imported_is_a_failure(
    module: str,
    told: str | None,
    bare: Callable[..., None],
    install: Callable[[str, str], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    install("frail", module)
    bare("frail; extra == 'peers'")
    code, found = examined(capsys)
    assert (code, found["extra peers"]["state"]) == ((1, "broken") if told else (0, "ok"))
    assert found["extra peers"]["detail"] == (told or "frail 1.0")


def test_an_import_that_does_not_end_is_a_failure(
    bare: Callable[..., None], install: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("frail", "import time; time.sleep(60)")
    bare()
    monkeypatch.setattr(doctor, "_IMPORT_SECONDS", 0.5)
    assert doctor._import_fault(["frail"]) == "importing frail took more than 0.5 seconds"


@pytest.mark.parametrize(
    ("package", "modules"),
    [("cyclopts", ["cyclopts"]), ("pillow", ["PIL"]), ("pytest", ["py", "pytest"]), ("brotli", ["brotli"])],
)
def test_modules_of_a_package_are_found_in_its_files(package: str, modules: list[str]) -> None:
    assert doctor.modules_of(package) == modules


def test_libraries_beside_a_package_that_python_cannot_import_are_no_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    files = map(metadata.PackagePath, ("quick.abi3.so", "quicker.cpython-311-x86_64-linux-gnu.so", "asan.so", "a.py"))
    monkeypatch.setattr(metadata, "files", {"fuzzer": [*files]}.get)
    assert doctor.modules_of("fuzzer") == ["a", "quick", "quicker"]


def test_a_model_that_cannot_be_read_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load_model(path: str) -> None:
        raise InputError("the model is damaged")

    monkeypatch.setattr(sieve_model, "load_model", load_model)
    code, found = examined(capsys)
    assert code == 1
    assert found["model sieve"] == {"state": "broken", "detail": "the model is damaged", "remedy": ""}


def test_an_extraction_with_the_wrong_result_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = tamis.extract
    monkeypatch.setattr(tamis, "extract", lambda page: right(page, method="keep_all"))
    code, found = examined(capsys)
    assert (code, found["extraction"]["state"]) == (1, "broken")


def test_datasets_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data" / "public").mkdir(parents=True)
    for name in ("README.md", "one.jsonl", "public/two.jsonl.xz"):
        (tmp_path / "data" / name).touch()
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path / "data"))
    assert examined(capsys)[1]["data"] == {"state": "ok", "detail": f"2 datasets in {tmp_path / 'data'}", "remedy": ""}


def test_a_browser_is_asked_to_show_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAMIS_BROWSER")
    try:
        check_browser()
    except (MissingExtraError, MissingProgramError) as error:
        pytest.skip(f"no page can be rendered here: {error}")
    found = doctor._browser()
    assert found.state == "ok"
    assert found.detail.endswith("shows a page")


def test_a_browser_that_does_not_start_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("TAMIS_BROWSER", str(program))
    done = subprocess.run(  # apart: the browser of this process may be running for other tests
        [sys.executable, "-c", "from tamis.cli import doctor; print(doctor._checked('browser', doctor._browser))"],
        capture_output=True,
        text=True,
    )
    assert "state='broken'" in done.stdout
    assert str(program) in done.stdout


def test_the_table_has_a_row_for_every_finding(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "summary", lambda: "compiled")
    assert main(["doctor"]) == 0
    out, err = capsys.readouterr()
    rows = [line.split() for line in out.splitlines() if not line.startswith(" ")]
    assert [row[0] for row in rows] == ["ok"] * 8 + ["missing"] * 2
    assert err == "tamis: everything installed works; missing: browser, data\n"


def test_without_compiled_kernels_it_says_why_and_what_helps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "why_not", lambda _: "not compiled")
    monkeypatch.delenv(kernels.PURE_VARIABLE, raising=False)
    monkeypatch.setattr(kernels.summary, "__defaults__", (kernels.why_not,))
    code, found = examined(capsys)
    assert code == 0
    assert found["kernels"]["state"] == "missing"
    assert "not compiled" in found["kernels"]["detail"]
    assert "C compiler" in found["kernels"]["remedy"]


def test_a_core_that_is_broken_is_told_without_a_traceback(install: Callable[[str, str], None], tmp_path: Path) -> None:
    install("numpy", "raise ImportError('wrong architecture')")
    about = tmp_path / "site" / "tamis-1.0.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: tamis\nVersion: 1.0\nRequires-Dist: numpy\n")
    done = subprocess.run(
        [sys.executable, "-m", "tamis", "doctor"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}
    )
    assert done.returncode == 1
    assert "numpy cannot be imported (ImportError: wrong architecture)" in done.stdout
    assert done.stderr.startswith("tamis: broken: core, ")
    assert "Traceback" not in done.stdout + done.stderr
