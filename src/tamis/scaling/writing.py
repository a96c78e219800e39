"""Output of one shard: rows and the reasons for missing ones, written aside and named when they are whole."""

from __future__ import annotations

import contextlib
import glob
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TextIO

from tamis.errors import MissingExtraError
from tamis.scaling.job import Job

ROW_GROUP = 1_000  # rows held before they are written; also the unit of which readers see statistics
_STRINGS = ("id", "url", "source", "digest", "text", "markdown", "html", "page_type", "title", "date", "language")
_MORE_STRINGS = ("site_name", "description", "method", "version", "status")
_LISTS = ("authors", "warnings")


class Rows(Protocol):
    """A file of rows."""

    def add(self, row: dict[str, Any]) -> None: ...
    def close(self) -> None: ...


class Aside:
    """A file under another name until ``keep`` is called; without that nothing of it is left."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = path.with_name(f".{path.name}.{os.getpid()}.part")

    def __enter__(self) -> Aside:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for left in self.path.parent.glob(f".{glob.escape(self.path.name)}.*.part"):  # by a process that was killed
            left.unlink(missing_ok=True)
        return self

    def keep(self) -> None:
        with self.part.open("rb") as file:
            os.fsync(file.fileno())
        self.part.replace(self.path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self.part.unlink(missing_ok=True)


def open_rows(path: Path, job: Job) -> Rows:
    return _ParquetRows(path, job) if job.output == "parquet" else LineRows(path)


class LineRows:
    """JSON, a line for each row."""

    def __init__(self, path: Path) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")

    def add(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class _ParquetRows:
    """A Parquet file with the columns of the job, also when it has no rows."""

    def __init__(self, path: Path, job: Job) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError("scaling", "writing Parquet files") from None
        self._arrow = pyarrow
        self._schema = _schema(pyarrow, job)
        self._rows: list[dict[str, Any]] = []
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd", write_statistics=True)

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(_clean(row))
        if len(self._rows) >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []


def _schema(arrow: Any, job: Job) -> Any:
    kinds: dict[str, Any] = dict.fromkeys((*_STRINGS, *_MORE_STRINGS), arrow.string())
    kinds |= dict.fromkeys(_LISTS, arrow.list_(arrow.string()))
    kinds |= {"offset": arrow.int64(), "words": arrow.int32(), "score": arrow.float32()}
    names = ["id", "url", "source", "offset", "digest", "text", *([job.format] if job.format != "text" else [])]
    names += ["words", "score", "page_type", "warnings"]
    if job.metadata:
        names += ["title", "authors", "date", "language", "site_name", "description"]
    names += ["method", "version", "status"]
    return arrow.schema([(name, kinds[name]) for name in names])


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    """Lone surrogates, which no UTF-8 file can hold, as question marks."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value
        for name, value in row.items()
    }
