"""Records of a shard, one after the other; what cannot be read is a record with a problem, not an exception."""

from __future__ import annotations

import gzip
import io
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tamis.errors import InputError, MissingExtraError
from tamis.fetching.answers import CONTENT_TYPES, Fetched
from tamis.fetching.records import read_records
from tamis.fetching.warc import HEAD_ROOM, read_answer
from tamis.scaling.job import Columns, Job
from tamis.scaling.shard_plan import Shard, open_source
from tamis.stored import DamageError
from tamis.stored.documents import parse_json

_BATCH = 64  # rows of a Parquet file held at a time


class InputRecord(NamedTuple):
    """One page as it was found."""

    id: str
    source: str
    offset: int | None  # byte in a web archive or a JSON lines file, row of a Parquet file
    url: str | None = None
    html: bytes | str = b""
    encoding: str | None = None  # as the transport said
    cut: str = ""  # why it is not the whole page: longer than the limit, or broken off
    problem: str = ""  # why it cannot be worked on
    skip: str = ""  # why it is none to be worked on


def read_shard(shard: Shard, job: Job) -> Iterator[InputRecord]:
    """Every record of a shard, in order."""
    for source in shard.sources:
        if shard.kind == "html":
            yield _read_file(source, shard.root, job.limits.bytes)
            continue
        try:
            with open_source(source) as file:
                if shard.kind == "warc":
                    yield from _read_warc(file, source, job.limits.bytes)
                elif shard.kind == "jsonl":
                    yield from _read_lines(file, source, job.columns, job.limits.bytes)
                else:
                    yield from _read_parquet(file, source, job.columns, job.limits.bytes)
        except (InputError, OSError, EOFError) as error:
            yield InputRecord(source, source, None, problem=f"cannot be read: {error}")


def _read_warc(file: BinaryIO, source: str, max_bytes: int) -> Iterator[InputRecord]:
    for record in read_records(file, max_bytes + HEAD_ROOM):
        answer = None if record.problem and not record.block else read_answer(record, max_bytes)
        identity = f"{source}@{record.place}"
        if answer is None:
            if record.problem:
                yield InputRecord(identity, source, record.place, problem=record.problem)
            continue  # requests, metadata and so on are no pages
        yield InputRecord(
            identity,
            source,
            record.place,
            url=answer.url,
            html=answer.body,
            encoding=answer.encoding,
            cut=record.problem or _shorter(answer.body, answer.truncated),
            skip=_why_not(answer),
        )


def _shorter(html: bytes | str, is_cut: bool) -> str:
    unit = "characters" if isinstance(html, str) else "bytes"
    return f"only {len(html)} {unit} of the page are there" if is_cut else ""


def _why_not(answer: Fetched) -> str:
    if answer.status != 200:
        return f"status: {answer.status}"
    kind = answer.content_type
    return "" if kind in (None, *CONTENT_TYPES) else f"content_type: {kind}"


def _read_lines(file: BinaryIO, source: str, columns: Columns, max_bytes: int) -> Iterator[InputRecord]:
    lines = _unpacked(file, source)
    offset, max_line = 0, 8 * max_bytes + (1 << 20)  # a byte of HTML may be written as six, and there are other fields
    while True:
        try:
            line = lines.readline(max_line)
        except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
            yield InputRecord(f"{source}@{offset}", source, offset, problem=f"cannot be unpacked: {error}")
            return
        if not line:
            return
        size, is_long = len(line), not line.endswith(b"\n") and len(line) == max_line
        while is_long and not line.endswith(b"\n") and (line := lines.readline(1 << 20)):
            size += len(line)
        if is_long:
            yield InputRecord(f"{source}@{offset}", source, offset, problem=f"a line of {size} bytes")
        elif line.strip():
            yield _from_line(line, source, offset, columns, max_bytes)
        offset += size


def _unpacked(file: BinaryIO, source: str) -> BinaryIO:
    """A file's content, by the ending of its name."""
    if source.endswith(".gz"):
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if source.endswith(".xz"):
        return lzma.LZMAFile(file)  # type: ignore[return-value]
    if not source.endswith(".zst"):
        return file
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("scaling", "reading files compressed with zstd") from None
    return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True))


def _from_line(line: bytes, source: str, offset: int, columns: Columns, max_bytes: int) -> InputRecord:
    identity = f"{source}@{offset}"
    try:
        values = parse_json(line, is_ours=False)
    except DamageError as error:
        return InputRecord(identity, source, offset, problem=f"no JSON: it {error}")
    if not isinstance(values, dict):
        return InputRecord(identity, source, offset, problem="no JSON object")
    return _from_values(values, identity, source, offset, columns, max_bytes)


def _from_values(
    values: dict[str, Any], identity: str, source: str, offset: int, columns: Columns, max_bytes: int
) -> InputRecord:
    html, url = values.get(columns.html), values.get(columns.url)
    identity = str(values.get(columns.id) or identity)
    if not isinstance(html, str | bytes):
        return InputRecord(identity, source, offset, problem=f"its column {columns.html!r} holds no page")
    cut = html[:max_bytes]
    return InputRecord(
        identity, source, offset, url if isinstance(url, str) else None, cut, cut=_shorter(cut, len(cut) < len(html))
    )


def _read_parquet(file: BinaryIO, source: str, columns: Columns, max_bytes: int) -> Iterator[InputRecord]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("scaling", "reading Parquet files") from None
    try:
        table = pyarrow.parquet.ParquetFile(file)
        names = table.schema_arrow.names
        if columns.html not in names:
            raise InputError(
                f"there is no column {columns.html!r}, only {', '.join(names)}: set the name under [columns]"
            )
        wanted = [name for name in (columns.html, columns.url, columns.id) if name in names]
        row = 0
        for batch in table.iter_batches(batch_size=_BATCH, columns=wanted):
            for values in batch.to_pylist():
                yield _from_values(values, f"{source}#{row}", source, row, columns, max_bytes)
                row += 1
    except pyarrow.ArrowException as error:
        raise InputError(f"not a Parquet file, or damaged: {error}") from error


def _read_file(source: str, root: str, max_bytes: int) -> InputRecord:
    name = str(Path(source).relative_to(root)) if root and Path(source).is_relative_to(root) else source
    try:
        with open_source(source) as file:
            data = file.read(max_bytes + 1)
    except (InputError, OSError) as error:
        return InputRecord(name, source, None, problem=str(error))
    html = data[:max_bytes]
    return InputRecord(name, source, None, html=html, cut=_shorter(html, len(data) > max_bytes))
