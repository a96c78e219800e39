from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

import pytest

import tamis
from bench.pages import documented
from bench.reference_pages import FOLDER, pages
from tamis import errors, registry
from tamis.cli.app import names
from tamis.options import options_of

PAGES = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.md")}


def headings(page: str, level: int) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", PAGES[page], re.MULTILINE)


@pytest.mark.proof
def test_the_reference_says_what_the_code_says() -> None:
    wanted = pages()
    differing = [name for name in {*PAGES, *wanted} if PAGES.get(name) != wanted.get(name)]
    assert differing == [], "run python -m bench.reference_pages"


def test_every_public_function_is_described() -> None:
    functions = {name for name in tamis.__all__ if name.islower() and name != "__version__"}
    assert set(headings("functions", 2)) == functions


def test_everything_a_public_function_returns_is_described() -> None:
    described = {*headings("results", 2), *headings("pages", 2)}
    assert {name for name in tamis.__all__ if name[0].isupper()} <= described


ROOT = FOLDER.parents[1]
IMPORT = re.compile(r"^(?:>>> )?from (tamis[\w.]*) import (.+)$", re.MULTILINE)


def test_documentation_and_examples_import_only_public_names() -> None:
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.py")]
    found = [(file.name, *one) for file in files for one in IMPORT.findall(file.read_text(encoding="utf-8"))]
    assert found
    for file, module, imported in found:
        for name in imported.split(","):
            own = name.strip().partition(" as ")[0]
            assert _is_public(module, own), (file, module, own)


def _is_public(module: str, name: str) -> bool:
    """Whether a module says so in ``__all__``; methods, errors and compatible modules are public by their place."""
    if module == "tamis.errors":
        return hasattr(errors, name)
    _, _, kind = module.partition(".")
    if kind == "compat" or (kind in registry.FUNCTIONS and name in registry.names(kind)):
        return find_spec(f"{module}.{name}") is not None
    if module == "tamis" and name in registry.FUNCTIONS:
        return True
    return name in import_module(module).__all__


def test_every_error_is_described() -> None:
    told = set(re.findall(r"^\| `(\w+Error)`", PAGES["errors"], re.MULTILINE))
    assert told == {name for name in vars(errors) if name.endswith("Error")}


@pytest.mark.parametrize("kind", ["extractors", "segmenters", "clusterers", "distances", "templates"])
def test_every_option_of_every_method_is_described(kind: str) -> None:
    _, _, rest = PAGES["options"].partition(f"\n## {kind.capitalize()}\n")
    sections = re.split(r"^### (.+)$", rest.partition("\n## ")[0], flags=re.MULTILINE)[1:]
    told = dict(zip(sections[::2], sections[1::2], strict=True))
    assert set(told) == set(documented(kind))
    for name, section in told.items():
        wanted = [option.name for option in options_of(registry.load(kind, name))]
        assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == wanted


def test_every_command_is_described() -> None:
    assert {heading.split()[1] for heading in headings("commands", 3)} == set(names())


def test_no_public_function_or_property_is_without_a_word() -> None:
    silent = re.findall(r"^\| `\w+\(?[^`]*`.*\|\s+\|$", "\n".join(_tables("property", "method")), re.MULTILINE)
    assert silent == []


def _tables(*kinds: str) -> list[str]:
    """Tables of the reference that begin with one of these words."""
    parts = (part for page in PAGES.values() for part in page.split("\n\n"))
    return [part for part in parts if part.startswith(tuple(f"| {kind} |" for kind in kinds))]
