"""``tamis --version``: Tamis and the parts it is made of."""

from __future__ import annotations

import functools
import hashlib
import platform
import re
import subprocess
from collections.abc import Iterator, Mapping
from importlib import metadata, resources
from pathlib import Path

from tamis import kernels
from tamis._version import VERSION
from tamis.cli import streams
from tamis.errors import MissingProgramError

CORE = ""
"""The place of packages in ``requirements`` that are always installed."""
_FOR_DEVELOPERS = ("bench", "dev", "docs")
_BROWSER_SECONDS = 2.0  # ours: a version is not worth a longer wait
_DIGITS = 12  # of a digest; enough to tell models apart


def show() -> int:
    """The version on standard output, for scripts; on standard error what else belongs in a report of a fault."""
    streams.write(f"{VERSION}\n")
    for line in _parts():
        streams.say(line)
    return 0


def _parts() -> Iterator[str]:
    yield f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield f"kernels: {kernels.summary(kernels.why_absent)}"
    for extra, packages in requirements().items():
        if installed := [f"{name} {version}" for name in packages if (version := version_of(name))]:
            yield f"{extra or 'core'}: {', '.join(installed)}"
    if browser := browser_version():
        yield f"browser: {browser}"
    yield f"models: {', '.join(f'{name} {digest}' for name, digest in model_digests().items())}"


@functools.cache
def requirements() -> Mapping[str, tuple[str, ...]]:
    """Packages by the extra that needs them, as the installation says; nothing if Tamis is not installed as a package.

    Extras for those who work on Tamis itself are left out.
    """
    found: dict[str, list[str]] = {CORE: []}
    try:
        lines = metadata.requires("tamis") or []
    except metadata.PackageNotFoundError:
        return {}
    for line in lines:
        package, _, condition = line.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", condition)
        name = re.match(r"[\w.-]+", package)
        if name and (extra is None or extra[1] not in _FOR_DEVELOPERS):
            found.setdefault(extra[1] if extra else CORE, []).append(name[0])
    return {extra: tuple(packages) for extra, packages in found.items()}


def version_of(package: str) -> str | None:
    """The version of an installed package; None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def browser_version() -> str | None:
    """The browser that pages are rendered with: where it is and, if it says so in time, its version."""
    from tamis.rendering.browser import find_browser

    try:
        program = find_browser()
    except MissingProgramError:
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - the program that renders pages
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_BROWSER_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return program
    return f"{program} ({answer.stdout.decode(errors='replace').strip()})"


def model_digests() -> Mapping[str, str]:
    """The models that are shipped, by name, with the first digits of the SHA-256 of their files."""
    package = Path(str(resources.files("tamis")))
    models = sorted((*package.glob("extractors/*/*.*"), *package.glob("segmenters/*/*.*")), key=lambda file: file.stem)
    return {
        file.stem: hashlib.sha256(file.read_bytes()).hexdigest()[:_DIGITS]
        for file in models
        if file.suffix in (".npz", ".json") and file.stem == file.parent.name
    }
