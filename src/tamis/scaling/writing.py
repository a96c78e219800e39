"""Output of one shard: rows and the reasons for missing ones, written aside and named when they are whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeVar

from tamis.errors import MissingExtraError
from tamis.scaling.job import Job
from tamis.stored import reading
from tamis.stored.documents import read_lines
from tamis.stored.values import made

ROW_GROUP = 1_000  # rows held before they are written; also the unit of which readers see statistics
_HELD_CHARS = 1 << 26  # of long texts fewer rows are held
Kind = TypeVar("Kind")
SIGNATURE = "signature"  # the column by which duplicates are found; the last stage leaves it out
_LISTS = ("authors", "warnings")


class Rows(Protocol):
    """A file of rows."""

    def add(self, row: dict[str, Any]) -> None: ...
    def close(self) -> None: ...


def open_rows(path: Path, job: Job, *, has_signatures: bool = False) -> Rows:
    return _ParquetRows(path, _names(job, has_signatures)) if job.output == "parquet" else LineRows(path)


def read_rows(path: Path, job: Job, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a file that was written by ``open_rows``, or some columns of them."""
    if job.output == "jsonl":
        yield from read_objects(path)
        return
    with import_parquet().ParquetFile(path) as table:
        for batch in table.iter_batches(batch_size=ROW_GROUP, columns=columns):
            yield from batch.to_pylist()


def read_objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects in a file that ``LineRows`` wrote; a damaged one is an error that says what to do."""
    with reading("the rows", path, "remove the output folder and run again"):
        yield from (made(dict[str, Any], line.value, f"the line at {line.offset}") for line in read_lines(path))


def read_places(path: Path, kind: type[Kind], start: int = 0) -> Iterator[tuple[int, Kind]]:
    """Rows that are read again from where they stand: each with the byte at which it begins."""
    with reading("the rows", path, "remove the output folder and run again"):
        for offset, value in read_lines(path, start):
            yield offset, made(kind, value, f"the line at {offset}")


class LineRows:
    """JSON, a line for each row."""

    def __init__(self, path: Path) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")

    def add(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class _ParquetRows:
    """A Parquet file with these columns, also when it has no rows."""

    def __init__(self, path: Path, names: list[str]) -> None:
        parquet = import_parquet()
        import pyarrow

        self._arrow = pyarrow
        self._schema = pyarrow.schema([(name, _kind(pyarrow, name)) for name in names])
        self._rows: list[dict[str, Any]] = []
        self._chars = 0
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd", write_statistics=True)

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self._chars += sum([len(value) for value in row.values() if isinstance(value, str)])
        if len(self._rows) >= ROW_GROUP or self._chars >= _HELD_CHARS:
            self._flush()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(self._table())
        self._rows, self._chars = [], 0

    def _table(self) -> Any:
        try:
            return self._arrow.Table.from_pylist(self._rows, schema=self._schema)
        except UnicodeEncodeError:  # in one of the rows; few pages have what no UTF-8 file can hold
            rows = [{name: _clean(value) for name, value in row.items()} for row in self._rows]
            return self._arrow.Table.from_pylist(rows, schema=self._schema)


def import_parquet() -> Any:
    """What reads and writes Parquet files; a missing one is answered with the install line."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("scaling", "reading and writing Parquet files") from None
    return pyarrow.parquet


def _names(job: Job, has_signatures: bool) -> list[str]:
    names = ["id", "url", "source", "offset", "digest", "text", *([job.format] if job.format != "text" else [])]
    names += ["words", "score", "page_type", "warnings"]
    if job.metadata:
        names += ["title", "authors", "date", "language", "site_name", "description"]
    return [*names, "method", "version", "status", *([SIGNATURE] if has_signatures else [])]


def _kind(arrow: Any, name: str) -> Any:
    if name in _LISTS:
        return arrow.list_(arrow.string())
    numbers = {"offset": arrow.int64(), "words": arrow.int32(), "score": arrow.float32()}
    return numbers.get(name) or arrow.string()


def _clean(value: Any) -> Any:
    """Lone surrogates, which no UTF-8 file can hold, as question marks."""
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value
