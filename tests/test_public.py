"""The public names, and what they promise."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import tamis
from tamis import extractors
from tamis.errors import OptionError, TamisError, UnknownNameError

PAGE = "<nav><a href=/>Home</a></nav><p>A sentence that says something.</p>"


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


def test_importing_tamis_imports_nothing_heavy() -> None:
    heavy = run("import sys, tamis; print({'numpy', 'turbohtml', 'typing_extensions'} & set(sys.modules))")
    assert heavy.strip() == "set()"


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
