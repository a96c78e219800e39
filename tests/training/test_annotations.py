from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError, OptionError
from tamis.page.load import parse
from tamis.training.annotations import CATEGORIES, PAGE_TYPES, Annotation, Mark, append, latest, page_digest, read

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


def annotation(annotator: str = "ann", *paths: str, page: str = "a.html") -> Annotation:
    return Annotation(page=page, annotator=annotator, marks=tuple(Mark(path=path, quote="q") for path in paths))


def test_there_are_seven_categories_and_three_page_types() -> None:
    assert list(CATEGORIES) == "advertisement navigation promoted legal irrelevant references input".split()
    assert list(PAGE_TYPES) == ["article", "directory", "form"]


def test_what_is_appended_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "set" / "annotations.jsonl"
    mark = Mark(path="/html[1]", label="noisy", category="legal", quote="© é \u2028", before="b", after="a")
    whole = Annotation(
        page="a.html",
        annotator="ann",
        page_type="article",
        committed=True,
        digest="0f",
        marks=(mark,),
        rectangles=((1.0, 2.0, 3.5, 4.0),),
    )
    append(file, whole)
    append(file, annotation("bob"))
    assert read(file) == ([whole, annotation("bob")], [])


@given(TEXTS, TEXTS, TEXTS)
def test_any_text_survives(page: str, annotator: str, quote: str) -> None:
    whole = Annotation(page=page, annotator=annotator, marks=(Mark(path="/p[1]", quote=quote),))
    assert Annotation.from_dict(json.loads(json.dumps(whole.to_dict()))) == whole


def test_no_file_is_no_annotation(tmp_path: Path) -> None:
    assert read(tmp_path / "none.jsonl") == ([], [])


def test_the_last_word_of_each_annotator_counts(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    said = [annotation("ann", "/p[1]"), annotation("bob"), annotation("ann", "/p[2]"), annotation("ann", page="b.html")]
    for item in said:
        append(file, item)
    assert latest(read(file)[0]) == {
        ("a.html", "ann"): said[2],
        ("a.html", "bob"): said[1],
        ("b.html", "ann"): said[3],
    }


def test_a_crash_at_any_byte_costs_only_the_line_that_was_being_written(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    append(file, annotation("ann", "/p[1]"))
    whole = file.read_bytes()
    append(file, annotation("ann", "/p[2]"))
    both = file.read_bytes()
    for size in range(len(whole), len(both)):
        file.write_bytes(both[:size])
        append(file, annotation("ann", "/p[3]"))
        found, problems = read(file)
        complete = both[:size] == both[: len(both) - 1]  # only the line end is missing: nothing is lost
        paths = [item.marks[0].path for item in found]
        assert paths == ["/p[1]", *(["/p[2]"] if complete else []), "/p[3]"]
        assert len(problems) == (0 if complete or size == len(whole) else 1)


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{",
        '{"page": "a"}',
        '{"page": 1, "annotator": "x"}',
        '{"page": "a", "annotator": "x", "marks": [1]}',
        '{"page": "a", "annotator": "x", "marks": [{"path": "/p[1]", "label": "good"}]}',
        '{"page": "a", "annotator": "x", "rectangles": [[1, 2]]}',
        '{"page": "a", "annotator": "x", "rectangles": [[1, 2, 3, NaN]]}',
        f'{{"page": "a", "annotator": "x", "rectangles": [[1, 2, 3, {10**400}]]}}',
        '{"page": "a", "annotator": "x", "marks": [{"quote": "no path"}]}',
        '{"page": "a", "annotator": "x", "marks": {"path": "/p"}}',
        "[" * 100_000,
        "\0",
        '{"page": "a", "annotator": "x", "page_type": "blog"}',
    ],
)
def test_a_line_that_is_no_annotation_is_named_and_the_others_are_read(line: str, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    append(file, annotation())
    with file.open("a") as stream:
        stream.write(line + "\n")
    append(file, annotation("bob"))
    found, problems = read(file)
    assert [item.annotator for item in found] == ["ann", "bob"]
    assert [problem.place for problem in problems] == [f"{file}, line 2"]


@given(st.lists(st.binary(max_size=30), max_size=4))
def test_any_bytes_between_lines_cost_nothing_else(tmp_path_factory: pytest.TempPathFactory, junk: list[bytes]) -> None:
    file = tmp_path_factory.mktemp("set") / "a.jsonl"
    for number, data in enumerate(junk):
        append(file, annotation(f"ann{number}"))
        with file.open("ab") as stream:
            stream.write(data)
    append(file, annotation("bob"))
    assert [item.annotator for item in read(file)[0]] == [*(f"ann{number}" for number in range(len(junk))), "bob"]


def test_lines_of_two_processes_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    program = (
        "import sys; from pathlib import Path; from tamis.training.annotations import *\n"
        "marks = tuple(Mark(path=f'/p[{n}]', quote='q' * 100) for n in range(100))\n"
        "for n in range(40): append(Path(sys.argv[1]), Annotation(page=str(n), annotator=sys.argv[2], marks=marks))"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(file), name]) for name in ("ann", "bob")]
    assert [writer.wait() for writer in writers] == [0, 0]
    found, problems = read(file)
    assert problems == []
    for name in ("ann", "bob"):
        assert [item.page for item in found if item.annotator == name] == [str(number) for number in range(40)]


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read(tmp_path)


def test_labels_and_categories_are_checked() -> None:
    with pytest.raises(OptionError, match="'main' or 'noisy', not 'good'"):
        Mark(path="/p[1]", label="good")
    with pytest.raises(OptionError, match="a category is one of"):
        Mark(path="/p[1]", label="noisy", category="spam")
    with pytest.raises(OptionError, match="main content has no category"):
        Mark(path="/p[1]", category="legal")
    with pytest.raises(OptionError, match="a page type is one of article, directory, form"):
        Annotation(page="a", annotator="b", page_type="blog")


def test_the_kind_of_a_mark_is_its_category_if_it_has_one() -> None:
    assert Mark(path="/p[1]").kind == "main"
    assert Mark(path="/p[1]", label="noisy").kind == "noisy"
    assert Mark(path="/p[1]", label="noisy", category="input").kind == "input"


def test_the_digest_is_that_of_the_markup() -> None:
    assert page_digest(parse("<p>a")) == page_digest(parse(b"<p>a")) != page_digest(parse("<p>b"))


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.training.annotations._MAX_BYTES", 100)
    (tmp_path / "a.jsonl").write_bytes(b"\n" * 100)
    assert read(tmp_path / "a.jsonl") == ([], [])
    (tmp_path / "a.jsonl").write_bytes(b"\n" * 101)
    with pytest.raises(InputError, match="has more than 100 bytes"):
        read(tmp_path / "a.jsonl")
