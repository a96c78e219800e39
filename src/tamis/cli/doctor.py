"""``tamis doctor``: what is installed here, and whether it works."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module, metadata
from typing import Annotated, Literal

from cyclopts import Parameter

from tamis import kernels
from tamis._version import VERSION
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.versions import CORE, browser_version, model_digests, requirements, version_of
from tamis.errors import MissingExtraError, MissingProgramError

_IMPORT_SECONDS = 120.0  # ours: the largest extras take seconds on a quiet machine
_RENDER_SECONDS = 30.0  # as for any other page
_MODELS = {"elements": "extractors.elements.trees", "mesh": "segmenters.mesh.model", "sieve": "extractors.sieve.model"}
"""Shipped models, and the module that reads each."""
_PAGE = "<nav><a href='/'>Home</a></nav><h1>Rain</h1><p>After forty dry days the valley has water again.</p>"
_TEXT = "After forty dry days the valley has water again."
_COLOURS = {"ok": "green", "missing": "yellow", "broken": "red"}

# Run by an interpreter of its own: a library that is broken may end the process that imports it.
_IMPORTS = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
faults = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        faults[name] = f"{type(error).__name__}: {error}"
sys.stderr.write("\\n" + json.dumps(faults))
"""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One part, and how it is."""

    name: str
    state: Literal["ok", "missing", "broken"]  # missing: it can be installed; broken: it is there and does not work
    detail: str
    remedy: str = ""


def doctor(
    *,
    as_json: Annotated[
        bool, Parameter(name="--json", help="Print JSON instead of a table.", negative="", show_default=False)
    ] = False,
) -> int:
    """Check the installation: which extras, models, browser and data are there and work.

    It imports the packages of every extra, reads the models, extracts a page and renders another in the browser. The
    exit code is 1 if something is installed but broken, else 0.

    Examples:
      tamis doctor
      tamis doctor --json
    """
    findings = examine()
    broken = [finding.name for finding in findings if finding.state == "broken"]
    missing = [finding.name for finding in findings if finding.state == "missing"]
    if as_json:
        answer = {"version": VERSION, "works": not broken, "findings": [asdict(finding) for finding in findings]}
        streams.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
    else:
        _print_table(findings)
    told = [f"broken: {', '.join(broken)}" if broken else "everything installed works"]
    streams.say("; ".join([*told, *([f"missing: {', '.join(missing)}"] if missing else [])]))
    return int(bool(broken))


def examine() -> list[Finding]:
    """All findings; whatever goes wrong becomes one of them."""
    extras = requirements()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        packages = list(pool.map(lambda extra: _checked(_name(extra), lambda: _packages(extra)), extras))
    checks: dict[str, Callable[[], Finding]] = {
        "machine": _machine,
        "kernels": _kernels,
        "temporary files": _temporary_files,
        **{f"model {name}": functools.partial(_model, name) for name in _MODELS},
        "extraction": _extraction,
        "browser": _browser,
        "data": _data,
    }
    return [*packages, *(_checked(name, check) for name, check in checks.items())]


def _checked(name: str, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except Exception as error:  # the fault is what was looked for
        return Finding(name=name, state="broken", detail=_one_line(error))


def _name(extra: str) -> str:
    return "core" if extra == CORE else f"extra {extra}"


def _packages(extra: str) -> Finding:
    name, install = _name(extra), f"pip install 'tamis{f'[{extra}]' if extra else ''}'"
    versions = {package: version_of(package) for package in requirements()[extra]}
    if absent := [package for package, version in versions.items() if version is None]:
        return Finding(name=name, state="missing", detail=f"{', '.join(absent)} not installed", remedy=install)
    if fault := _import_fault([module for package in versions for module in modules_of(package)]):
        return Finding(name=name, state="broken", detail=fault, remedy=f"{install} --force-reinstall")
    return Finding(name=name, state="ok", detail=", ".join(f"{each} {version}" for each, version in versions.items()))


def modules_of(package: str) -> list[str]:
    """What an installed package is imported by, as its list of files tells.

    >>> modules_of("numpy")
    ['numpy']
    """
    files = metadata.files(package) or []
    folders = {file.parts[0] for file in files if len(file.parts) == 2 and file.name == "__init__.py"}
    # A library without a tag such as ``.abi3`` is one for other programs: atheris brings sanitizers.
    alone = [file for file in files if len(file.parts) == 1 and (file.suffix == ".py" or file.suffixes[1:] == [".so"])]
    names = folders | {file.name.partition(".")[0] for file in alone}
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


def _import_fault(modules: Sequence[str]) -> str:
    """What happens when these are imported, in one line; empty if all goes well."""
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter
            [sys.executable, "-c", _IMPORTS, *modules],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_IMPORT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"importing {', '.join(modules)} took more than {_IMPORT_SECONDS:g} seconds"
    if done.returncode:
        return f"importing {', '.join(modules)} ended Python with exit code {done.returncode}"
    faults = json.loads(done.stderr.splitlines()[-1])
    return "; ".join(f"{name} cannot be imported ({_short(fault)})" for name, fault in faults.items())


def _machine() -> Finding:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = ""
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        memory = f", {os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.1f} GiB of memory"
    python = ".".join(map(str, sys.version_info[:3]))
    return Finding(name="machine", state="ok", detail=f"Python {python}, {cores} cores{memory}")


def _kernels() -> Finding:
    detail = kernels.summary()
    if detail == "compiled" or os.environ.get(kernels.PURE_VARIABLE):
        return Finding(name="kernels", state="ok", detail=detail)
    remedy = "install a C compiler, then pip install --force-reinstall --no-deps tamis"
    return Finding(name="kernels", state="missing", detail=f"{detail}; results are the same, slower", remedy=remedy)


def _temporary_files() -> Finding:
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    return Finding(name="temporary files", state="ok", detail=f"{tempfile.gettempdir()} can be written")


def _model(name: str) -> Finding:
    import_module(f"tamis.{_MODELS[name]}").load_model("")
    return Finding(name=f"model {name}", state="ok", detail=f"SHA-256 {model_digests()[name]}…")


def _extraction() -> Finding:
    import tamis

    found = tamis.extract(_PAGE).text
    if _TEXT not in found or "Home" in found:
        return Finding(name="extraction", state="broken", detail=f"a page of two blocks gave {found!r}")
    return Finding(name="extraction", state="ok", detail="the content of a small page is found")


def _browser() -> Finding:
    from tamis.rendering.browser import check_browser

    try:
        check_browser()
    except (MissingExtraError, MissingProgramError) as error:
        return Finding(name="browser", state="missing", detail=_one_line(error))
    import tamis

    page = tamis.render(_PAGE, timeout_seconds=_RENDER_SECONDS)
    if page.boxes is None:
        return Finding(name="browser", state="broken", detail=_short("; ".join(page.warnings)))
    return Finding(name="browser", state="ok", detail=f"{browser_version()} shows a page")


def _data() -> Finding:
    from tamis.evaluation.datasets import DATA_VARIABLE, data_folder

    folder = data_folder()
    if folder is None:
        named = os.environ.get(DATA_VARIABLE)
        detail = f"{DATA_VARIABLE} names {named!r}, which is not a folder" if named else "no folder of datasets"
        return Finding(name="data", state="missing", detail=detail, remedy=f"set {DATA_VARIABLE} to a folder of them")
    count = sum(1 for _ in folder.rglob("*.jsonl*"))
    return Finding(name="data", state="ok", detail=f"{counted(count, 'dataset')} in {folder}")


def _one_line(error: Exception) -> str:
    return _short(str(error) or type(error).__name__)


def _short(text: str) -> str:
    return " ".join(text.split())[:300]


def _print_table(findings: Sequence[Finding]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        detail = f"{finding.detail}: {finding.remedy}" if finding.remedy else finding.detail
        table.add_row(Text(finding.state, _COLOURS[finding.state]), Text(finding.name), Text(detail))
    streams.screen().print(table)
