"""The public names, and what they promise."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis import extractors, kernels
from tamis.errors import OptionError, TamisError, UnknownNameError

PAGE = "<nav><a href=/>Home</a></nav><p>A sentence that says something.</p>"
UNTYPED: Any = tamis  # for calls that a type checker would not let pass


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True).stdout


def test_public_names_exist() -> None:
    classes = {"Clustering", "Extraction", "Limits", "Page", "Region", "Segmentation", "Site", "Span", "Template"}
    functions = {"cluster", "extract", "learn_template", "methods", "parse", "render", "score", "segment"}
    assert set(tamis.__all__) == classes | functions | {"__version__"}
    assert len(tamis.__all__) == len(set(tamis.__all__))
    assert all(hasattr(tamis, name) for name in tamis.__all__)
    with pytest.raises(AttributeError, match="extrakt"):
        tamis.extrakt  # noqa: B018


PUBLIC = {
    "about.embedded": {"Embedded", "read_embedded"},
    "adapters.engines": {"daft_function", "datatrove_extractor", "spark_function"},
    "adapters.haystack": {"TamisConverter"},
    "adapters.langchain": {"TamisLoader"},
    "adapters.llama_index": {"TamisReader"},
    "adapters.pieces": {"PageReader"},
    "adapters.rows": {"extract_content", "extract_row"},
    "adapters.scrapy": {"TamisPipeline"},
    "adapters.tables": {"Content", "add_to_pandas", "add_to_polars"},
    "compat.readability": {"Document", "Unparseable"},
    "compat.trafilatura": {"Document", "bare_extraction", "extract", "extract_metadata", "fetch_url", "html2txt"},
    "distances": {"DEFAULT", "distance", "matrix"},
    "evaluation.clusterings": {
        "adjusted_rand_index",
        "contingency",
        "dunn_index",
        "mean_purity",
        "mutual_information",
        "rand_index",
    },
    "evaluation.datasets": {"Dataset", "Problem", "Report", "Sample", "file_bytes", "open_dataset"},
    "evaluation.segmentations": {"Cover", "Quality", "adjusted_rand", "b_cubed", "box_f", "cover", "partition"},
    "extractors.elements.groups": {"GROUPS", "Elements", "find_elements"},
    "extractors.elisa.rules": {"LabelRule", "load_rules", "parse_rules"},
    "fetching.addresses": {"Address", "check"},
    "fetching.answers": {"Fetched", "Hop"},
    "fetching.crawl": {"Crawled", "Failure", "Options", "crawl"},
    "fetching.http": {"BusyError", "Fetcher", "Options", "fetch"},
    "fetching.warc": {"Archive", "read_pages"},
    "rendering.render": {"Options", "RenderOutcome", "Rendering", "render", "render_full", "render_many"},
    "results": {
        "TEMPLATE_FORMAT",
        "WALL",
        "BlockChoice",
        "Chunk",
        "Clustering",
        "Extraction",
        "Labelling",
        "Made",
        "Memo",
        "Merge",
        "Part",
        "Region",
        "Segmentation",
        "Template",
        "without_wall",
    },
    "scaling.job": {"Columns", "Duplicates", "Filter", "Job", "RecordLimits", "Templates", "load_job"},
    "segmenters": {"DEFAULT", "boxes_of", "segment", "shown_pieces", "whole_page"},
    "service.app": {"create_app"},
    "service.demo": {"TourPage", "examples"},
    "sites": {"Cleaned", "Options", "PageGroup", "clean_site"},
    "sites.bootstrap": {"Options", "extract_from_web"},
    "sites.pagination": {"joined"},
    "sites.redesigns": {"find_redesigns"},
    "sites.sections": {"misleading_sections"},
    "sites.segment_cache": {"CacheReport", "Options", "SegmentAnswer", "SegmentCache", "segment_pages"},
    "sites.sources": {"SiteItem", "from_address", "from_file", "from_folder", "from_warc", "from_web"},
    "training.annotations": {"Annotation", "Mark", "Passage", "append", "latest", "read"},
    "training.attachments": {
        "Agreement",
        "Attached",
        "ElementPaths",
        "agreement",
        "attach",
        "enclosed",
        "fewest_marks",
        "from_extraction",
        "rectangle_marks",
        "section_labels",
    },
    "training.ceml": {"from_ceml", "labelled", "read_labels"},
    "training.label_spans": {"from_label_spans"},
}
"""What is public of modules below ``tamis``; the rest of them may change in any version."""


def test_public_names_of_modules_are_these_and_exist() -> None:
    for name, names in PUBLIC.items():
        module = importlib.import_module(f"tamis.{name}")
        assert set(module.__all__) == names, name
        assert all(one in vars(module).get("__annotations__", ()) or hasattr(module, one) for one in names), name


def test_other_modules_have_no_public_names_but_their_packages() -> None:
    folder = Path(tamis.__file__).parent
    found = set()
    for file in folder.rglob("*.py"):
        if re.search(r"^__all__ = ", file.read_text(encoding="utf-8"), re.MULTILINE):
            found.add(".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"))
    assert {name for name in found if "_" not in {part[0] for part in name.split(".")}} - INNER == set(PUBLIC)


INNER = {"extractors.sieve.features", *(f"{package.removeprefix('tamis.')}.kernel" for package in kernels.PACKAGES)}
"""Modules that say by ``__all__`` what they have from elsewhere."""


def test_importing_tamis_imports_nothing_heavy() -> None:
    heavy = run("import sys, tamis; print({'numpy', 'turbohtml', 'typing_extensions'} & set(sys.modules))")
    assert heavy.strip() == "set()"


def test_extracting_does_not_load_what_takes_more_memory_than_a_page() -> None:
    code, table = "<code>a = 1<br>b = 2</code>", "<table><tr><td>d<td>e<tr><td>f<td>g</table>"
    page = f"<ol><li>{code}<li>{code}</ol>{table}{PAGE}"
    made = f"result = tamis.extract({page!r}); result.text, result.markdown, result.html, result.metadata"
    assert run(f"import sys, tamis; {made}; print('numpy.ma' in sys.modules)").strip() == "False"


def test_a_page_is_parsed_once_for_all_methods() -> None:
    page = tamis.parse(PAGE)
    assert all(tamis.extract(page, method=method).page is page for method in tamis.methods())


def test_the_address_is_that_of_the_page() -> None:
    assert tamis.extract(PAGE, url="http://a.example/").page.url == "http://a.example/"


def test_no_method_means_the_usual_one() -> None:
    assert tamis.extract(PAGE).made.method == extractors.DEFAULT
    assert extractors.DEFAULT in tamis.methods()


def test_text_is_what_was_kept() -> None:
    assert tamis.extract(PAGE, method="keep_all").text == "Home\n\nA sentence that says something."


def test_an_unknown_method_is_answered_with_near_matches() -> None:
    with pytest.raises(UnknownNameError, match="did you mean bte"):
        tamis.extract(PAGE, method="btee")


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(OptionError, match="'depth'"):
        tamis.extract(PAGE, method="keep_all", depth=3)


@pytest.mark.parametrize("arguments", [{"method": "?"}, {"method": "bte", "x": 1}])
def test_all_errors_have_one_root(arguments: dict[str, Any]) -> None:
    with pytest.raises(TamisError):
        tamis.extract(PAGE, **arguments)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: UNTYPED.extract(PAGE, url=5), "url is 5"),
        (lambda: UNTYPED.parse(UNTYPED.parse(PAGE), b"https://example.org/"), "url is b'https"),
        (lambda: UNTYPED.parse(PAGE, encoding=5), "encoding is 5"),
        (lambda: UNTYPED.parse(PAGE, limits=5), "limits is 5"),
        (lambda: UNTYPED.Limits(max_nodes=1.5), "max_nodes is 1.5"),
        (lambda: UNTYPED.extract(PAGE, method=""), "unknown method in extractors ''"),
        (lambda: UNTYPED.extract(PAGE, method=5), "unknown method in extractors 5"),
        (lambda: UNTYPED.extract(PAGE).render(None), "unknown method in outputs None"),
        (lambda: UNTYPED.methods([]), r"unknown kind of method \[\]"),
        (lambda: UNTYPED.extract(Path("\0")), "cannot read"),
        (lambda: UNTYPED.extract(PAGE, model="\0"), "no file has such a name"),
        (lambda: UNTYPED.cluster(PAGE), "not one str"),
        (lambda: UNTYPED.learn_template(PAGE.encode()), "not one bytes"),
        (lambda: UNTYPED.cluster(UNTYPED.parse(PAGE)), "not one Page"),
        (lambda: UNTYPED.score(None, "a"), "gold is NoneType"),
        (lambda: UNTYPED.score("a", b"a"), "extracted is bytes"),
    ],
)
def test_values_of_other_types_are_named(call: Callable[[], object], said: str) -> None:
    with pytest.raises(TamisError, match=said):
        call()


def test_a_result_is_ready_for_json() -> None:
    result = json.loads(json.dumps(tamis.extract(PAGE).to_dict(), allow_nan=False))
    assert result["status"] == "ok"
    assert result["text"] == tamis.extract(PAGE).text


WATCH = f"""
import sys, tamis
page = {PAGE!r}
for name in tamis.methods():
    tamis.extract(page, method=name).text  # a first run may read the program's own files
seen = []
watched = ("open", "socket.", "subprocess.", "os.")
sys.addaudithook(lambda event, arguments: seen.append(event) if event.startswith(watched) else None)
for name in tamis.methods():
    tamis.extract(page + "<img src=http://a.example/b.png><link rel=stylesheet href=/etc/passwd>", method=name).text
print(seen)
"""


def test_extraction_touches_neither_network_nor_disk() -> None:
    assert run(WATCH).strip() == "[]"
