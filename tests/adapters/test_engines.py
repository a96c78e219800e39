"""Adapters: inside other engines a page gives the same text as in a run."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from tamis.adapters.engines import daft_function, datatrove_extractor, spark_function
from tamis.adapters.rows import extract_content, extract_row
from tamis.scaling.job import Filter, Job
from tests.scaling.archives import page

JOB = Job(method="keep_all", metadata=False, filters=(Filter(name="url", parameters={"deny": ["/tag/"]}),))
TEXT = extract_content(page("one"), job=JOB)


def test_a_row_says_what_became_of_the_page() -> None:
    row = extract_row(page("one"), "https://example.org/a", JOB)
    assert (row["url"], row["status"], row["text"]) == ("https://example.org/a", "ok", TEXT)
    skipped = extract_row(page("one"), "https://example.org/tag/a", JOB)
    assert (skipped["status"], skipped["text"]) == ("skipped", None)
    assert skipped["reason"] == "url: its address holds /tag/"
    assert extract_content(None, job=JOB) is None


@pytest.mark.filterwarnings("ignore")
def test_datatrove() -> None:
    data = pytest.importorskip("datatrove.data")
    step = datatrove_extractor(JOB)
    documents = [data.Document(text=page(word).decode(), id=word) for word in ("one", "two")]
    documents.append(data.Document(text="", id="empty"))
    assert [(document.id, "says " + document.id in document.text) for document in step.run(documents)] == [
        ("one", True),
        ("two", True),
    ]


@pytest.mark.filterwarnings("ignore")
def test_daft() -> None:
    daft = pytest.importorskip("daft")
    frame = daft.from_pydict({"html": [page("one").decode(), ""], "url": ["https://example.org/", None]})
    found = frame.with_column("text", daft_function(JOB)(daft.col("html"), daft.col("url"))).to_pydict()
    assert found["text"] == [TEXT, None]


def test_spark_is_given_a_function_of_two_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for Spark, which needs Java: it shows what is asked of it, not that it works."""
    functions, types = ModuleType("pyspark.sql.functions"), ModuleType("pyspark.sql.types")
    made: list[Any] = []

    def udf(function: Any, kind: Any) -> Any:
        made.append(kind)
        return function

    functions.udf = udf  # type: ignore[attr-defined]
    types.StringType = lambda: "string"  # type: ignore[attr-defined]
    for name, module in (("pyspark.sql.functions", functions), ("pyspark.sql.types", types)):
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("pyspark", "pyspark.sql"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    content = spark_function(JOB)
    assert content(page("one").decode(), "https://example.org/") == TEXT
    assert made == ["string"]
