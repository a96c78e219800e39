"""Compiled or not: which of two twins runs.

A package with a hot loop holds it twice under the same function names: ``_reference.py``, which can be read, and
``_kernel.pyx``, which is compiled when Tamis is installed and a C compiler is there. Both give the same results; tests
compare them. ``TAMIS_PURE=1`` chooses the reference whatever was compiled.
"""

from __future__ import annotations

import importlib
import os
import zlib
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

PURE_VARIABLE = "TAMIS_PURE"
PACKAGES = (
    "tamis.page",
    "tamis.page.source",
    "tamis.about",
    "tamis.segmenters",
    "tamis.extractors.sieve",
    "tamis.outputs",
)
"""Packages that hold twins; the build compiles ``_kernel.pyx`` in each of them."""
_SOURCES = "_kernel*.p[xy][ix]"


def choose(package: str) -> ModuleType:
    """The compiled twin of a package if it can be used here, else the reference."""
    reason = why_not(package)
    return importlib.import_module(f"{package}.{'_reference' if reason else '_kernel'}")


def why_not(package: str) -> str:
    """Why the compiled twin of a package does not run; empty if it does."""
    if reason := why_absent(package):
        return reason
    try:
        kernel = importlib.import_module(f"{package}._kernel")
    except Exception as error:  # one that was compiled from an older source may fail in any way
        return f"cannot be loaded: {error}"
    # The source lies beside it where the package is installed for editing; it may have changed since.
    parts = sources(Path(str(kernel.__file__)).parent)
    if parts and digest(b"".join(part.read_bytes() for part in parts)) != kernel.SOURCE_DIGEST:
        return "compiled from an older source: run python hatch_build.py"
    return ""


def why_absent(package: str) -> str:
    """Why there is no compiled twin to try; empty if there is. Nothing is loaded to find out."""
    if os.environ.get(PURE_VARIABLE, "") not in ("", "0"):
        return f"{PURE_VARIABLE} is set"
    folder = Path(__file__).parent.joinpath(*package.split(".")[1:])
    is_there = any((folder / f"_kernel{suffix}").is_file() for suffix in EXTENSION_SUFFIXES)
    return "" if is_there else "not compiled"


def summary(why: Callable[[str], str] = why_not) -> str:
    """One line for those who ask what runs here.

    >>> summary().partition(":")[0] in ("compiled", "reference")
    True
    """
    reasons = {package: why(package) for package in PACKAGES}
    slow = [f"{package} ({reason})" for package, reason in reasons.items() if reason]
    return f"reference: {', '.join(slow)}" if slow else "compiled"


def sources(folder: Path, root: Path = Path(__file__).parent) -> list[Path]:
    """What the kernel in a folder is made of: the parts that all kernels share, ``_kernel.pyx``, and its own parts."""
    own = sorted(folder.glob(_SOURCES))
    return [*sorted(root.glob(_SOURCES)), *own] if own else []


def digest(source: bytes) -> int:
    """What a compiled twin remembers of the source it was made from."""
    return zlib.crc32(source.replace(b"\r\n", b"\n"))
