"""Keys of caches: what a stored result was made from, so that one made by other data, options or code is not used.

The code that takes part is found by reading the sources: a module, and all modules of the package that it imports,
wherever in it that is written, and the kernels that are compiled in the place of one of them (``tamis.kernels``).
Methods that are called by name are not found in this way and must be named.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from tamis import kernels

PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARIES = ("numpy", "turbohtml")  # what the document model is made with
_TWIN = "_reference.py"
_LENGTH = 16  # hexadecimal digits: enough for all the results that one folder will ever hold


def key_of(data: Any, options: Any, modules: Iterable[str], *, resources: bool = False) -> str:
    """A name for what is made of some data, with some options, by some modules of the package.

    ``data`` and ``options`` are values that JSON has; of large data a digest. With ``resources``, files other than
    sources that lie beside the modules, such as models, take part.
    """
    made_from = [data, options, source_digest(tuple(modules), resources=resources)]
    return hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()[:_LENGTH]


@functools.lru_cache(maxsize=256)
def source_digest(modules: tuple[str, ...], package: Path = PACKAGE, *, resources: bool = False) -> str:
    """A digest of the sources of modules and of all modules of the package that they import, and of the libraries."""
    files = _taking_part(modules, package)
    files |= {source for file in files if file.name == _TWIN for source in kernels.sources(file.parent, package)}
    if resources:
        files = {*files, *(found for folder in {file.parent for file in files} for found in _resources(folder))}
    digest = hashlib.sha256(json.dumps([_version(name) for name in _LIBRARIES]).encode())
    for file in sorted(files):
        digest.update(file.relative_to(package).as_posix().encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """A digest of what a file holds."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_digest(folder: Path) -> str:
    """A digest of all files below a folder, and of their names."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder).as_posix()}\0{file_digest(file)}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def _taking_part(modules: Iterable[str], package: Path) -> set[Path]:
    found: set[Path] = set()
    waiting = list(modules)
    while waiting:
        file = _file(waiting.pop(), package)
        if file is not None and file not in found:
            found.add(file)
            waiting += _imported(file, package, file.stat().st_mtime_ns)
    return found


def _file(module: str, package: Path) -> Path | None:
    """The source of a module; None for names that are none, such as those of functions."""
    place = package.joinpath(*module.split(".")[1:])
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)


@functools.lru_cache(maxsize=4096)
def _imported(file: Path, package: Path, stamp: int) -> tuple[str, ...]:
    """The modules of the package that a source names in its imports; read again only when the file has changed."""
    found: list[str] = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            # A package takes part for what it defines itself, not for being around a module.
            names = [name if _file(name, package) else node.module for name in below]
        else:
            continue
        found += (name for name in names if name.partition(".")[0] == package.name)
    return tuple(found)


def _resources(folder: Path) -> Iterator[Path]:
    """Files beside sources, and in folders there that hold no sources."""
    for path in folder.iterdir():
        if path.is_dir() and path.name != "__pycache__" and not any(path.glob("*.py")):
            yield from (file for file in path.rglob("*") if file.is_file())
        elif path.is_file() and path.suffix not in (".py", ".pyc"):
            yield path


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""
