"""Files that are read back: whatever they hold, there is the value that was written, or one clear error."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import random
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import FileFormatError, InputError, OptionError
from tamis.extractors.elements import trees as element_trees
from tamis.extractors.sieve import model as sieve_model
from tamis.results import Template
from tamis.scaling.job import load_job
from tamis.segmenters.mesh import model as mesh_model
from tamis.sites import segment_store
from tamis.sites.segment_cache import SegmentCache
from tamis.stored import DamageError
from tamis.stored.documents import parse_json
from tests.sites.test_segment_cache import crawl
from tests.templates.pages import article

_SHIPPED = {"sieve": sieve_model._SHIPPED, "mesh": mesh_model._SHIPPED, "elements": element_trees._SHIPPED}
ARTICLES = [article(number) for number in range(5)]
_stamp = iter(range(1, 1 << 40))


def _load_store(path: Path) -> object:
    cache = SegmentCache("partition")
    segment_store.load(cache, path)
    return cache


READERS: dict[str, Callable[[Path], object]] = {
    "sieve": lambda path: sieve_model.load_model(str(path)),
    "mesh": lambda path: mesh_model.load_model(str(path)),
    "elements": lambda path: element_trees.load_model(str(path)),
    "template": Template.load,
    "representatives": _load_store,
}


@functools.cache
def whole(kind: str) -> bytes:
    """A file of a kind as it is written."""
    if kind in _SHIPPED:
        return _SHIPPED[kind].read_bytes()
    with TemporaryDirectory() as folder:
        file = Path(folder, kind)
        if kind == "template":
            tamis.learn_template(ARTICLES, method="site").save(file)
        else:
            cache = SegmentCache("partition")
            for page in crawl(1, 2):
                cache.segment(page)
            segment_store.save(cache, file)
        return file.read_bytes()


def _refused(kind: str, path: Path, content: bytes) -> str:
    """What is said of a file that is refused; empty if it is read."""
    path.write_bytes(content)
    os.utime(path, ns=(0, next(_stamp)))  # models are read again only when their file has changed
    said = ""
    try:
        READERS[kind](path)
    except FileFormatError as error:
        said = str(error)
    assert not said or (str(path) in said and "; " in said), "the file, and the way out"
    return said


@pytest.mark.parametrize("kind", READERS)
def test_what_was_written_is_read(kind: str, tmp_path: Path) -> None:
    assert _refused(kind, tmp_path / "file", whole(kind)) == ""


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 1000,
        b"\xff\xfe",
        b"PK\x03\x04",
        b"PK\x05\x06" + b"\0" * 18,
        b"<html>",
        b"\x80\x04K\x01.",
        b"null",
        b"[]",
        b"{}",
        b'{"format": NaN}',
        b'{"format": 1}',
        b'{"format": true}',
        b'{"format": 1e999}',
        b'{"format": ' + b"9" * 5000 + b"}",
        b'{"format": "1"}',
        b"[" * 200_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b'"' + b"a" * 1000,
    ],
    ids=lambda content: repr(content[:24]),
)
def test_a_file_of_something_else_is_refused(kind: str, tmp_path: Path, content: bytes) -> None:
    assert _refused(kind, tmp_path / "file", content)


def test_many_small_values_are_refused_before_they_are_made() -> None:
    """A list in a list takes twenty times the room that it takes in the file."""
    assert parse_json(b"[[],[]]", max_values=5) == [[], []]
    with pytest.raises(DamageError, match="more than 4 values"):
        parse_json(b"[[],[],[]]", max_values=4)


@pytest.mark.parametrize("kind", READERS)
def test_a_file_that_was_cut_off_or_changed_anywhere_is_refused_or_read(kind: str, tmp_path: Path) -> None:
    """Some changes cannot be seen, such as of a letter in a name; no other error may come of any."""
    content, chance = whole(kind), random.Random(18)
    for _ in range(20):
        place = chance.randrange(len(content))
        assert _refused(kind, tmp_path / "file", content[:place])
        for instead in (bytes([chance.randrange(256)]), b"9", b"-", b"[", b'"'):
            _refused(kind, tmp_path / "file", content[:place] + instead + content[place + 1 :])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _replaced(value: Any, chance: random.Random, instead: Any) -> Any:
    """A plain value with another one somewhere in it."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        if chance.random() < 0.1:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: _replaced(value[key], chance, instead)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        return [*value[:place], _replaced(value[place], chance, instead), *value[place + 1 :]]
    return instead


@pytest.mark.parametrize("kind", ["elements", "template", "representatives"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(0, 1 << 30), instead=PLAIN)
def test_json_with_any_other_value_anywhere_is_refused_or_works(
    kind: str, tmp_path: Path, seed: int, instead: Any
) -> None:
    changed = _replaced(json.loads(whole(kind)), random.Random(seed), instead)
    path = tmp_path / "file"
    if _refused(kind, path, json.dumps(changed).encode()):
        return
    page = tamis.parse(article(9))
    if kind == "template":
        assert Template.load(path).extract(page).status in ("ok", "empty")
    elif kind == "elements":
        assert tamis.extract(page, method="elements", model=str(path)).status in ("ok", "empty")
    else:
        cache = SegmentCache("partition")
        segment_store.load(cache, path)
        assert cache.segment(next(iter(crawl(1, 1)))).segmentation.root.nodes


@pytest.mark.parametrize("method", tamis.methods("templates"))
def test_a_template_with_a_wrong_model_is_refused_when_it_is_read(method: str, tmp_path: Path) -> None:
    """For every method: a key that is missing, one more, and in the place of each value one of another type."""
    pages = ARTICLES
    plain = tamis.learn_template(pages, method=method).to_dict()
    path = tmp_path / "file"
    assert _refused("template", path, json.dumps(plain).encode()) == ""
    for name in plain["model"]:
        wrong: list[Any] = [None, "x", {"x": "y"}, [[[]]], [{"x": 1}]]
        others = [{**plain["model"], name: value} for value in wrong]
        for model in (*others, {key: value for key, value in plain["model"].items() if key != name}):
            assert _refused("template", path, json.dumps({**plain, "model": model}).encode()), (name, model)
    assert _refused("template", path, json.dumps({**plain, "model": {**plain["model"], "more": 1}}).encode())


Arrays = dict[str, Any]


def _arrays(content: bytes) -> Arrays:
    with np.load(io.BytesIO(content)) as archive:
        return {name: archive[name] for name in archive.files}


def _npz(content: bytes, **changes: Any) -> bytes:
    """A model with other arrays."""
    file = io.BytesIO()
    np.savez_compressed(file, **{**_arrays(content), **changes})
    return file.getvalue()


def _wider(array: Any, axis: int = -1) -> Any:
    """The array with its last entries twice."""
    return np.concatenate((array, np.take(array, [-1], axis=axis)), axis=axis)


# Each is the shipped array but for what the case says, so that it is refused for that and nothing else.
WRONG_ARRAYS: dict[str, tuple[Callable[[Arrays], Arrays], str]] = {
    "an array too many": (lambda _: {"more": np.zeros(3)}, "nobody knows its array 'more'"),
    "objects": (lambda a: {"dense": a["dense"].astype(object)}, "holds no plain numbers"),
    "text": (lambda a: {"dense": a["dense"].astype(str)}, "holds no plain numbers"),
    "complex numbers": (lambda a: {"dense": a["dense"].astype(np.complex64)}, "holds no plain numbers"),
    "records": (lambda a: {"dense": a["dense"].astype([("a", "f2")])}, "holds no plain numbers"),
    "other numbers": (lambda a: {"dense": a["dense"].astype(np.float64)}, "'dense' holds float64"),
    "whole numbers": (lambda a: {"tree_border": a["tree_border"].astype(np.int32)}, "'tree_border' holds int32"),
    "the other end first": (lambda a: {"half": a["half"].astype(">f4")}, "holds no plain numbers"),
    "one axis more": (lambda a: {"dense": a["dense"][..., None]}, "'dense' has the shape"),
    "no axis": (lambda a: {"dense": a["dense"][0, 0]}, "'dense' has the shape ()"),
    "turned round": (lambda a: {"dense": a["dense"].T.copy()}, "'dense' has the shape"),
    "empty": (lambda a: {"dense": a["dense"][:0]}, "'dense' has the shape (0,"),
    "hidden sizes differ": (lambda a: {"pool": _wider(a["pool"], 1)}, "'pool' has the shape"),
    "a layer more": (lambda a: {"up": _wider(a["up"], 0)}, "'up' has the shape"),
    "a page type more": (lambda a: {"type_biases": _wider(a["type_biases"])}, "'type_biases' has the shape"),
    "no number": (lambda a: {"half": a["half"] * np.float32("nan")}, "'half' holds numbers that are not finite"),
    "infinite": (
        lambda a: {"tree_leaf": np.full_like(a["tree_leaf"], np.inf)},
        "'tree_leaf' holds numbers that are not finite",
    ),
    "no spread": (lambda a: {"spread": np.zeros_like(a["spread"])}, "has no spread"),
    "a negative half": (lambda a: {"half": -a["half"]}, "has no spread"),
    "a feature that there is not": (
        lambda a: {"tree_feature": np.full_like(a["tree_feature"], 200)},
        "ask for a feature that there is not",
    ),
    "leaves for other levels": (lambda a: {"tree_leaf": a["tree_leaf"][:, ::2].copy()}, "6 levels and 32 leaves"),
    "no trees": (
        lambda a: {name: a[name][:0] for name in ("tree_feature", "tree_border", "tree_leaf")},
        "the trees 'tree'",
    ),
    "nine levels": (
        lambda a: {
            **{name: np.repeat(a[name], 2, axis=1)[:, :9] for name in ("tree_feature", "tree_border")},
            "tree_leaf": np.repeat(a["tree_leaf"], 8, axis=1),
        },
        "9 levels",
    ),
    "no words": (lambda a: {"words": a["words"][:0]}, "argument"),
    "words that are no text": (lambda a: {"words": np.full_like(a["words"], 255)}, "decode"),
    "a format that is text": (lambda _: {"format": np.array("1")}, "'format' holds no plain numbers"),
    "two formats": (lambda _: {"format": np.array([1, 1])}, "no array 'format'"),
}


@pytest.mark.parametrize("wrong", WRONG_ARRAYS)
def test_arrays_that_are_not_what_the_format_says_are_refused(wrong: str, tmp_path: Path) -> None:
    change, reason = WRONG_ARRAYS[wrong]
    said = _refused("sieve", tmp_path / "file", _npz(whole("sieve"), **change(_arrays(whole("sieve")))))
    assert "is damaged" in said
    assert reason in said


def test_a_small_file_that_unpacks_to_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    huge = _npz(whole("sieve"), dense=np.zeros((1 << 19, 80), dtype=np.float16))
    assert len(huge) < 2 << 20
    tracemalloc.start()
    try:
        assert "are the most" in _refused("sieve", tmp_path / "file", huge)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("shape", ["(1000000000000,)", "(-1,)", "(1, 2, 3)", "(True,)", "(9,) + (9,)", "", "(" * 500])
def test_a_head_that_promises_more_than_there_is_is_refused(shape: str, tmp_path: Path) -> None:
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + b"\0" * 8
    content = io.BytesIO(whole("sieve"))
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("more.npy", array)
    assert _refused("sieve", tmp_path / "file", content.getvalue())


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (kind, given)
        for kind in ("sieve", "mesh", "elements")
        for given in ("sieve", "mesh", "elements")
        if kind != given
    ],
)
def test_a_model_of_another_method_is_named_and_not_called_damaged(kind: str, given: str, tmp_path: Path) -> None:
    said = _refused(kind, tmp_path / "file", whole(given))
    assert f"is a model of the method {given}, not of {kind}" in said
    assert "damaged" not in said


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        for read in READERS.values():
            with pytest.raises(InputError, match=path.name):
                read(path)


@pytest.mark.parametrize(
    "content",
    [b"\xff", b"[", b"a = " + b"[" * 5_000, b"method = 1", b"limits = 3", b"[limits]\nseconds = nan", b"version = []"],
    ids=lambda content: repr(content[:24]),
)
def test_job_files_that_are_wrong_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_bytes(content)
    with pytest.raises((InputError, OptionError), match=r"job\.toml"):
        load_job(tmp_path / "job.toml")


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_job_files_with_any_change_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    text = bytearray(
        b'method = "bte"\nformat = "text"\n[limits]\nseconds = 3\nbytes = 1000\n[[filters]]\nname = "length"\n'
    )
    for _ in range(chance.randint(1, 4)):
        text[chance.randrange(len(text))] = chance.choice(b'"[]{}=.\n\t0e_-#\\\xff')
    (tmp_path / "job.toml").write_bytes(text)
    with contextlib.suppress(InputError, OptionError):
        load_job(tmp_path / "job.toml")
