"""Labelled pages: one file per format, each with ``recognises(path)`` and ``read(path, report)``.

A dataset is named by the path of its file or folder, or by its place below the data folder (``public/dragnet``), which
is ``$TAMIS_DATA`` or ``../shared/data``. Readers yield samples one by one; nothing is unpacked to disk. A record that
is damaged or lacks something is reported, and reading goes on; a file that cannot be read at all is an ``InputError``.
Other packages add formats through entry points in the group ``tamis.datasets``.
"""

from __future__ import annotations

import dataclasses
import hashlib
import heapq
import importlib
import lzma
import os
import pkgutil
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tamis import registry
from tamis.characters import counted
from tamis.errors import InputError, OptionError
from tamis.stored import DamageError
from tamis.stored.documents import read_all

__all__ = ["Dataset", "Problem", "Report", "Sample", "file_bytes", "open_dataset"]

DATA_VARIABLE = "TAMIS_DATA"
GOLD_MARKED = "gold_marked"
"""In ``extra``: the gold text with CleanEval's marks for headings, paragraphs and list items, if it has them."""
LINKED_PAGES = "linked_pages"
"""In ``extra``: other pages, by URL, for methods that read several; systems are shown them with the page."""
GOLD_SPANS = "gold_spans"
"""In ``extra``: where the gold text stands, as ranges of ``page.text`` of the parsed markup, if that is known."""
_BESIDE_PROJECT = Path("..", "shared", "data")
_SUFFIXES = (".jsonl.xz", ".jsonl.gz", ".jsonl", ".zip")
_PARTS_OF_THE_DATA_FOLDER = ("public", "train")
_PAGES_LOOKED_AT = 20  # enough to know a folder
UNREADABLE = (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile)
"""What opening or unpacking a damaged file raises."""

Report = Callable[[str, str], None]
"""Called with the place of a problem and the reason."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One page and what is known about it."""

    id: str
    html: str | bytes = field(repr=False)
    gold: str | None = field(default=None, repr=False)  # None: the label is something else, in extra
    dataset: str = ""
    url: str | None = None
    split: str | None = None
    page_type: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def markup(self) -> str:
        """The page as text; bytes are decoded as a browser would."""
        return self.html if isinstance(self.html, str) else decoded(self.html)

    @property
    def data(self) -> bytes:
        """The page as bytes, UTF-8 unless it was read as bytes."""
        return self.html if isinstance(self.html, bytes) else self.html.encode("utf-8", "replace")


class Problem(NamedTuple):
    """A record that is damaged or lacks something."""

    place: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Samples at a path, in a format that has a reader."""

    name: str
    path: Path
    format: str
    problems: list[Problem] = field(default_factory=list, compare=False, repr=False)  # found by the last reading

    def __iter__(self) -> Iterator[Sample]:
        def report(place: str, reason: str) -> None:
            self.problems.append(Problem(place, reason))

        self.problems.clear()
        count = 0
        try:
            for sample in with_unique_ids(_format(self.format).read(self.path, report), report):
                if sample.gold is None and not any(sample.extra.values()):
                    report(sample.id, "no gold text and no other label")
                count += 1
                yield dataclasses.replace(sample, dataset=sample.dataset or self.name)
        except UNREADABLE as error:
            raise InputError(f"cannot read {str(self.path)!r} after {counted(count, 'page')}: {error}") from error
        if self.problems and not count:
            first = ": ".join(self.problems[0])
            raise InputError(
                f"no page of {str(self.path)!r} can be read ({counted(len(self.problems), 'problem')}; {first})"
            )

    def digest(self) -> str:
        """Fingerprint of the files, to tell whether a dataset has changed."""
        files = sorted(self.path.rglob("*")) if self.path.is_dir() else [self.path]
        digest = hashlib.sha256()
        for file in files:
            if file.is_file():
                digest.update(file.relative_to(self.path.parent).as_posix().encode())
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A dataset in numbers."""

    count: int
    with_gold: int
    mean_bytes: float
    page_types: Mapping[str, int]
    digest: str
    problems: tuple[Problem, ...]


def formats() -> list[str]:
    """Names of the formats that can be read: ours, then those of other packages; the first that fits is taken."""
    own = _own_formats()
    return [*own, *sorted(set(registry.foreign("datasets")).difference(own))]


def open_dataset(place: str | Path) -> Dataset:
    """The dataset at a path, or of this name below the data folder."""
    path = _find(str(place))
    name = _stem(path.resolve().name)
    if path.parent.name in _PARTS_OF_THE_DATA_FOLDER:
        name = f"{path.parent.name}/{name}"
    for format_name in formats():
        if _format(format_name).recognises(path):
            return Dataset(name=name, path=path, format=format_name)
    raise InputError(
        f"{str(place)!r} is not a dataset in one of the formats {', '.join(formats())}; "
        "a folder is one if the gold text of x.html is beside it in x.txt"
    )


def describe(dataset: Dataset) -> Summary:
    """Read a dataset once and count."""
    count = with_gold = size = 0
    page_types: Counter[str] = Counter()
    for sample in dataset:
        count += 1
        with_gold += sample.gold is not None
        size += len(sample.data)
        page_types[sample.page_type or "unknown"] += 1
    return Summary(
        count=count,
        with_gold=with_gold,
        mean_bytes=size / count if count else 0.0,
        page_types=dict(page_types),
        digest=dataset.digest(),
        problems=tuple(dataset.problems),
    )


def take(dataset: Iterable[Sample], count: int, seed: int = 0) -> list[Sample]:
    """Some of the samples, in their order: the same ones whatever their order, and nearly so when others are added."""

    def rank(item: tuple[int, Sample]) -> bytes:
        return hashlib.sha256(f"{seed}:{item[1].id}".encode("utf-8", "replace")).digest()

    chosen = heapq.nsmallest(count, enumerate(dataset), key=rank)
    return [sample for _, sample in sorted(chosen, key=lambda item: item[0])]


def write(path: Path, samples: Iterable[Sample]) -> int:
    """Write samples in the format that the end of the name asks for; how many."""
    if path.name.endswith(".zip"):
        return int(_format("package").create(path, samples))
    if path.name.endswith(_SUFFIXES):
        return int(_format("json_lines").write(path, samples))
    raise OptionError(f"cannot write a dataset to {str(path)!r}: the name must end in {' or '.join(_SUFFIXES)}")


def convert(dataset: Dataset, path: Path) -> int:
    """Write a dataset in another format; how many pages."""
    return write(path, dataset)


def data_folder() -> Path | None:
    """The folder of datasets, if there is one."""
    named = os.environ.get(DATA_VARIABLE)
    folder = Path(named) if named else _BESIDE_PROJECT
    return folder if folder.is_dir() else None


def decoded(data: bytes) -> str:
    """Bytes of a page as text: UTF-8 where they are valid, whatever the page says, else what a browser would read."""
    # Collections are often converted to UTF-8 without their meta elements. ASCII may be an encoding with escapes.
    if not data.isascii():
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    from tamis.page.load import parse

    return parse(data).source


def holds_mark(folder: Path, mark: re.Pattern[str]) -> bool:
    """True when one of the first pages of a folder is marked."""
    pages = sorted(folder.glob("*.html"))[:_PAGES_LOOKED_AT] if folder.is_dir() else []
    return any(mark.search(decoded(file_bytes(page, lambda *_: None) or b"")) for page in pages)


def file_bytes(file: Path, report: Report) -> bytes | None:
    """What is in a file; None and a report if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return read_all(opened)
    except OSError as error:
        report(str(file), error.strerror or str(error))
    except DamageError as error:
        report(str(file), str(error))
    return None


def with_unique_ids(samples: Iterable[Sample], report: Report) -> Iterator[Sample]:
    """The samples; one with an id that is taken gets a number added to it."""
    taken: set[str] = set()
    for sample in samples:
        unique, number = sample.id, 2
        while unique in taken:
            unique, number = f"{sample.id}#{number}", number + 1
        if unique != sample.id:
            report(sample.id, f"the id is taken; this page is called {unique}")
        taken.add(unique)
        yield dataclasses.replace(sample, id=unique)


def _find(place: str) -> Path:
    if Path(place).exists():
        return Path(place)
    folder = data_folder()
    if folder is None:
        raise InputError(f"no dataset at {place!r}, and no data folder: set {DATA_VARIABLE} to one")
    candidates = [folder / place, *(folder / (place + suffix) for suffix in _SUFFIXES)]
    found = next((path for path in candidates if path.exists()), None)
    if found is None:
        known = sorted(_stem(str(file.relative_to(folder))) for file in folder.rglob("*.jsonl*"))
        raise InputError(f"no dataset {place!r} in {folder}; there are {', '.join(known) or 'none'}")
    return found


def _stem(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)


def _own_formats() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))


def _format(name: str) -> Any:
    if name in _own_formats():
        return importlib.import_module(f"{__name__}.{name}")
    return registry.foreign("datasets")[name].load()
