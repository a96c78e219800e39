"""WCXB folders: ``html/0001.html`` (plain or gzipped) and ``ground-truth/0001.json`` with the same stem."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.evaluation.datasets import UNREADABLE, Report, Sample
from tamis.stored import DamageError
from tamis.stored.documents import parse_json, read_all

_GOLD_FOLDER, _PAGE_FOLDER = "ground-truth", "html"


def recognises(path: Path) -> bool:
    return path.is_dir() and next(path.rglob(f"{_GOLD_FOLDER}/*.json"), None) is not None


def read(path: Path, report: Report) -> Iterator[Sample]:
    for file in sorted(path.rglob(f"{_GOLD_FOLDER}/*.json")):
        try:
            yield _sample(file, parse_json(_content(file), is_ours=False))
        except (DamageError, KeyError, TypeError, AttributeError) as error:
            report(str(file), f"not a WCXB label ({error!r}); expected an object with ground_truth")
        except UNREADABLE as error:
            report(str(file), f"the label or its page in {_PAGE_FOLDER}/ cannot be read: {error}")


def _sample(file: Path, record: Mapping[str, Any]) -> Sample:
    truth = record["ground_truth"]
    page_type = (record.get("_internal") or {}).get("page_type") or record.get("page_type")
    return Sample(
        id=file.stem,
        html=_page(file),
        gold=truth.get("main_content"),
        url=record.get("url"),
        split=file.parent.parent.name,
        page_type=page_type.get("primary") if isinstance(page_type, dict) else page_type,
        extra={
            "title": truth.get("title"),
            "author": truth.get("author"),
            "date": truth.get("publish_date"),
            "with_": truth.get("with") or [],
            "without": truth.get("without") or [],
        },
    )


def _page(label: Path) -> bytes:
    plain = label.parent.parent / _PAGE_FOLDER / f"{label.stem}.html"
    packed = plain.with_name(f"{plain.name}.gz")
    return _content(packed if packed.exists() else plain)


def _content(file: Path) -> bytes:
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
        return read_all(opened)
