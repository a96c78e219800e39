"""Compiles the kernels while the package is built, and does without them where that is not possible.

    python hatch_build.py              compile in place, for working on the sources (an editable install does it too)
    python hatch_build.py --checked    the same with bounds checks, AddressSanitizer and UBSan
    python hatch_build.py --guided     checked, and libFuzzer sees the branches that are reached; needs CC=clang

Every ``_kernel.pyx`` below ``src``, with the ``_kernel_*.pxi`` that it includes, becomes an extension beside it. Parts
in ``src/tamis`` itself are shared.
Without a C compiler, or with ``TAMIS_PURE=1``, the build gives a package of Python alone, which does the same more
slowly.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
# Paths and debug data stay out, so that the same source gives the same bytes in every folder. No contraction of
# floating-point operations and nothing of the builder's processor: the same numbers on every machine. Nobody reads
# ``errno`` after a square root, which would keep the compiler from taking several roots at a time.
_FLAGS = ["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno"]
_CHECKED_FLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
_SANITIZERS = {"--checked": "-fsanitize=address,undefined", "--guided": "-fsanitize=address,undefined,fuzzer-no-link"}
_DIRECTIVES = {"boundscheck": False, "wraparound": False, "initializedcheck": False, "cdivision": True}
_CHECKED_DIRECTIVES = {"boundscheck": True, "wraparound": False, "initializedcheck": True, "cdivision": True}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Adds the compiled kernels to a wheel, or puts them beside their sources for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        if os.environ.get("TAMIS_PURE", "") not in ("", "0"):
            self.app.display_warning("TAMIS_PURE is set: a package of Python alone")
            return
        self._made = tempfile.TemporaryDirectory()  # gone when the hook is; the wheel is written before
        target = Path(self._made.name)
        try:
            made = compile_kernels(Path(self.root), target)
        except (Exception, SystemExit) as error:  # whatever is wrong with a compiler must not stop an installation
            self.app.display_warning(f"no compiled kernels, Python does it more slowly: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for file in made:
            inside = file.relative_to(target)
            if version == "editable":
                shutil.copy2(file, Path(self.root, "src", inside))
            else:
                build_data["force_include"][str(file)] = str(inside)


def compile_kernels(root: Path, target: Path, sanitizer: str = "") -> list[Path]:
    """Compile every ``_kernel.pyx`` below ``root/src``; gives the extensions, which lie below ``target``."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    flags = [*_CHECKED_FLAGS, sanitizer] if sanitizer else _FLAGS
    with _inside(root / "src"), tempfile.TemporaryDirectory() as scratch:
        extensions = []
        shared = sorted(Path("tamis").glob("_kernel*.pxi"))
        for source in sorted(Path("tamis").rglob("_kernel.pyx")):
            # As tamis.kernels does, which cannot be imported while the package is built.
            own = sorted(source.parent.glob("_kernel*.p[xy][ix]"))
            parts = b"".join(part.read_bytes() for part in (*shared, *own))
            macros = [("TAMIS_SOURCE_DIGEST", f"{zlib.crc32(parts)}u")]
            extension = Extension(
                ".".join(source.with_suffix("").parts),
                [str(source)],
                define_macros=macros,
                extra_compile_args=[*flags, f"-ffile-prefix-map={scratch}=build"],
                extra_link_args=[sanitizer] if sanitizer else ["-s"],
            )
            extensions.append(extension)
        directives = _CHECKED_DIRECTIVES if sanitizer else _DIRECTIVES
        made = cythonize(extensions, build_dir=scratch, compiler_directives=directives, quiet=True, force=True)
        command = build_ext(Distribution({"name": "tamis", "ext_modules": made}))
        command.build_lib, command.build_temp, command.force = str(target), scratch, True
        command.parallel = os.cpu_count()  # compilers at a time
        command.ensure_finalized()
        command.run()
        return [Path(output) for output in command.get_outputs()]


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """In this folder for a while: the compiler writes the paths it was given into what it makes."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    for made in compile_kernels(ROOT, ROOT / "src", _SANITIZERS[sys.argv[1]] if sys.argv[1:] else ""):
        print(made.relative_to(ROOT))  # noqa: T201
