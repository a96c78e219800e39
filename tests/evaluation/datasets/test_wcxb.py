from __future__ import annotations

import gzip
import json
from pathlib import Path

from tamis.evaluation.datasets import open_dataset
from tamis.stored.documents import MAX_BYTES

TRUTH = {"main_content": "Text.", "title": "T", "with": ["Te"], "without": ["Menu"]}


def put(folder: Path, name: str, label: object, page: bytes | None, ending: str = "html") -> None:
    for part in ("html", "ground-truth"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "ground-truth" / f"{name}.json").write_text(label if isinstance(label, str) else json.dumps(label))
    if page is not None:
        (folder / "html" / f"{name}.{ending}").write_bytes(page)


def test_plain_and_packed_pages_are_read(tmp_path: Path) -> None:
    label = {"url": "http://a.example/", "page_type": {"primary": "forum"}, "ground_truth": TRUTH}
    put(tmp_path / "dev", "1", label, b"<p>Text.")
    put(tmp_path / "dev", "2", {"ground_truth": TRUTH, "page_type": "listing"}, gzip.compress(b"<p>Text."), "html.gz")
    first, second = open_dataset(tmp_path)
    assert (first.id, first.gold, first.url, first.split, first.page_type) == (
        "1",
        "Text.",
        "http://a.example/",
        "dev",
        "forum",
    )
    assert first.extra["with_"] == ["Te"]
    assert first.extra["without"] == ["Menu"]
    assert (second.html, second.page_type) == (b"<p>Text.", "listing")


def test_broken_labels_and_missing_pages_are_reported(tmp_path: Path) -> None:
    put(tmp_path, "1", {"ground_truth": TRUTH}, b"<p>Text.")
    put(tmp_path, "2", "{broken", b"<p>")
    put(tmp_path, "3", ["no object"], b"<p>")
    put(tmp_path, "4", {"ground_truth": None}, b"<p>")
    put(tmp_path, "5", {"ground_truth": TRUTH}, None)
    put(tmp_path, "6", {"ground_truth": TRUTH}, b"not packed", "html.gz")
    put(tmp_path, "7", "[" * 100_000, b"<p>")
    put(tmp_path, "8", {"ground_truth": TRUTH}, gzip.compress(bytes(MAX_BYTES + 1), 1), "html.gz")
    dataset = open_dataset(tmp_path)
    assert [sample.id for sample in dataset] == ["1"]
    assert [Path(problem.place).stem for problem in dataset.problems] == ["2", "3", "4", "5", "6", "7", "8"]
    assert f"more than {MAX_BYTES} bytes" in dataset.problems[-1].reason
