"""The adapters inside the real packages; each test is skipped where its package is not installed.

The checks install none of them. A release does, one extra at a time: the job ``adapters`` of the workflow, or
``python -m bench.adapters``.
"""

from __future__ import annotations

import importlib
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.adapters import pieces
from tamis.adapters.pieces import PageReader
from tamis.adapters.rows import extract_row
from tamis.adapters.tables import Content, add_to_pandas, add_to_polars
from tamis.errors import AddressError, InputError, MissingExtraError, OptionError
from tests.fetching.web import Web, answer, running_web

PAGE = """<html lang=en><title>Tides at Brest</title><meta name=author content="A. Writer"><nav><a href=/>Home</a></nav>
<article><h1>Tides at Brest</h1><p>The height of the sea at Brest was written down each day for three centuries.</p>
<h2>The record</h2><p>It is one of the <em>longest</em> in the world, and many who study the sea use it.</p></article>
"""
EMPTY = "<title>Nothing</title>"
URL = "https://news.example/tides"
needs_warnings = pytest.mark.filterwarnings("ignore")  # of the packages, on importing them


def needs(module: str) -> pytest.MarkDecorator:
    """Skips a test whose package is not there, and says how it would be."""
    extra = {"langchain_core": "langchain", "llama_index": "llama-index"}.get(module, module)
    missing = importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed: pip install '.[{extra}]'")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "tides.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text(EMPTY)
    return tmp_path / "tides.html"


@pytest.fixture
def web() -> Iterator[Web]:
    with running_web() as server:
        server.answers["/tides"] = answer(PAGE)
        yield server


def test_a_page_is_one_text_with_what_is_known_of_it(file: Path) -> None:
    ((text, metadata),) = PageReader().pieces(file)
    assert text == tamis.extract(PAGE).markdown
    known = {"title": "Tides at Brest", "authors": "A. Writer", "language": "en"}
    assert metadata == {"source": str(file), **known}


def test_chunks_know_their_headings(file: Path) -> None:
    found = list(PageReader(max_tokens=20).pieces([file]))
    assert [metadata["headings"][-1] for _, metadata in found] == ["Tides at Brest", "The record"]
    assert all(metadata["source"] == str(file) for _, metadata in found)


def test_pages_without_content_give_nothing(file: Path) -> None:
    assert list(PageReader().pieces(file.with_name("empty.html"))) == []


def test_urls_are_fetched(web: Web) -> None:
    from tamis.fetching.http import Options

    url = web.url("/tides", "127.0.0.1")
    ((text, metadata),) = PageReader(fetching=Options(allow_private=True)).pieces(url)
    assert text.startswith("# Tides at Brest")
    assert (metadata["source"], metadata["url"]) == (url, url)
    with pytest.raises(AddressError, match="this machine"):
        list(PageReader().pieces(url))


def test_what_cannot_be_read_is_an_error_or_left_out(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    sources: list[str | Path] = ["missing.html", file]
    with pytest.raises(InputError, match=r"missing\.html"):
        list(PageReader().pieces(sources))
    with caplog.at_level("WARNING", logger=pieces.LOGGER.name):
        assert len(list(PageReader(continue_on_failure=True).pieces(sources))) == 1
    assert "missing.html was left out" in caplog.text


def test_wrong_options_are_told_before_a_page_is_read() -> None:
    with pytest.raises(OptionError, match="did you mean sieve"):
        PageReader(method="siev")
    with pytest.raises(OptionError, match="did you mean markdown"):
        PageReader(format="markdwn")
    with pytest.raises(OptionError, match="max_tokens"):
        PageReader(max_tokens=0)
    with pytest.raises(OptionError, match="overlap"):
        PageReader(max_tokens=5, overlap=5)


@pytest.mark.parametrize(
    ("module", "name", "needed"),
    [
        ("langchain", "TamisLoader", "langchain_core"),
        ("llama_index", "TamisReader", "llama_index"),
        ("haystack", "TamisConverter", "haystack"),
    ],
)
def test_a_missing_package_is_answered_with_the_install_line(module: str, name: str, needed: str) -> None:
    adapter = importlib.import_module(f"tamis.adapters.{module}")
    with pytest.raises(AttributeError, match="Other"):
        _ = adapter.Other
    if importlib.util.find_spec(needed) is None:
        with pytest.raises(MissingExtraError, match="pip install"):
            getattr(adapter, name)


@needs("langchain_core")
@needs_warnings
def test_langchain(file: Path) -> None:
    from langchain_core.document_loaders import BaseLoader

    from tamis.adapters.langchain import TamisLoader

    loader = TamisLoader([str(file)], max_tokens=20)
    assert isinstance(loader, BaseLoader)
    first, second = loader.load()
    assert first.page_content.startswith("Tides at Brest")
    assert second.metadata["headings"] == ["Tides at Brest", "The record"]
    assert [document.page_content for document in TamisLoader(file).lazy_load()] == [tamis.extract(PAGE).markdown]


@needs("llama_index")
@needs_warnings
def test_llama_index(file: Path) -> None:
    from llama_index.core import SimpleDirectoryReader

    from tamis.adapters.llama_index import TamisReader

    (document,) = TamisReader().load_data([file], extra_info={"shelf": "sea"})
    assert document.text == tamis.extract(PAGE).markdown
    assert (document.metadata["title"], document.metadata["shelf"]) == ("Tides at Brest", "sea")
    found = SimpleDirectoryReader(str(file.parent), file_extractor={".html": TamisReader()}).load_data()
    assert [one.text for one in found] == [document.text]
    assert found[0].metadata["file_name"] == "tides.html"


@needs("haystack")
@needs_warnings
def test_haystack(file: Path) -> None:
    from haystack import Pipeline
    from haystack.dataclasses import ByteStream

    from tamis.adapters.haystack import TamisConverter

    pipeline = Pipeline()
    pipeline.add_component("converter", TamisConverter(method="lqf", options={"threshold": 0.4}, max_tokens=50))
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["tamis.adapters.haystack"])
    assert again.to_dict() == pipeline.to_dict()
    pipeline = Pipeline()
    pipeline.add_component("converter", TamisConverter())
    sources = [file, ByteStream(PAGE.encode(), meta={"url": URL}), Path("missing.html")]
    documents = pipeline.run({"converter": {"sources": sources, "meta": {"shelf": "sea"}}})["converter"]["documents"]
    assert [document.content for document in documents] == [tamis.extract(PAGE).markdown] * 2
    assert [document.meta["shelf"] for document in documents] == ["sea", "sea"]
    assert documents[1].meta["url"] == URL


@needs("scrapy")
@needs_warnings
def test_scrapy(tmp_path: Path) -> None:
    from scrapy.utils.misc import build_from_crawler, load_object
    from scrapy.utils.test import get_crawler

    job = tmp_path / "job.toml"
    job.write_text('format = "markdown"\n')
    made = load_object("tamis.adapters.scrapy.TamisPipeline")
    pipeline = build_from_crawler(made, get_crawler(settings_dict={"TAMIS_JOB": str(job)}))
    item = pipeline.process_item({"html": PAGE, "url": URL})
    assert item["tamis"]["markdown"] == tamis.extract(PAGE).markdown
    assert item["tamis"]["url"] == URL


ROWS = {"html": [PAGE, None, EMPTY], "url": [URL, None, "https://news.example/none"], "kept": [1, 2, 3]}


def _check(rows: list[dict[str, Any]]) -> None:
    expected = extract_row(PAGE, URL)
    assert [row["kept"] for row in rows] == [1, 2, 3]
    assert [row["text"] for row in rows] == [expected["text"], None, None]
    assert [row["status"] for row in rows] == ["ok", "empty", "empty"]
    assert (rows[0]["title"], list(rows[0]["authors"])) == ("Tides at Brest", ["A. Writer"])


def test_columns_are_made_in_batches_and_go_to_other_processes() -> None:
    content = pickle.loads(pickle.dumps(Content()))  # noqa: S301 - our own
    found = content(ROWS)
    columns = {"kept": ROWS["kept"], **found}
    _check([dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)])
    assert Content()({"html": [PAGE]})["text"] == found["text"][:1]


def test_columns_may_hold_pages_and_urls_in_bytes_of_any_kind() -> None:
    page, url = PAGE.encode(), "https://example.org/"
    expected = Content()({"html": [PAGE], "url": [url]})
    assert expected["status"] == ["ok"]
    for kind in (bytes, bytearray, memoryview):
        assert Content()({"html": [kind(page)], "url": [url.encode()]}) == expected


@needs("datasets")
@needs_warnings
def test_hugging_face_datasets() -> None:
    from datasets import Dataset

    _check(Dataset.from_dict(ROWS).map(Content(), batched=True, batch_size=2).to_list())


@needs("pandas")
@needs_warnings
def test_pandas() -> None:
    import pandas

    frame = pandas.DataFrame(ROWS, index=[7, 8, 9])
    found = add_to_pandas(frame)
    _check(json.loads(found.to_json(orient="records")))
    assert list(found.index) == [7, 8, 9]
    assert "text" not in frame
    assert add_to_pandas(found)["text"].tolist() == found["text"].tolist()


@needs("polars")
@needs_warnings
def test_polars() -> None:
    import polars

    frame = polars.DataFrame(ROWS)
    _check(add_to_polars(frame).to_dicts())
    assert "text" not in frame.columns
    assert add_to_polars(frame.clear())["authors"].dtype == polars.List(polars.String)
