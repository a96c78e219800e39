"""Data in scripts, whole and broken."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.about.script_data import _PAIRS, Blob, read_blobs, read_json_ld, strings_of

FILLING = {"filling": "x" * 300}  # scripts that are too short for an article are not read
STATE = {"title": 'A "quoted" title', **FILLING}


def blobs(markup: str) -> list[Blob]:
    return list(read_blobs(tamis.parse(markup)))


@pytest.mark.parametrize(
    ("script", "origin"),
    [
        (f"<script type=application/json id=__NEXT_DATA__>{json.dumps(STATE)}</script>", "__NEXT_DATA__"),
        (f"<script type='application/json; charset=utf-8'>{json.dumps(STATE)}</script>", "JSON script"),
        (f"<script>window.__INITIAL_STATE__ = {json.dumps(STATE)};</script>", "window.__INITIAL_STATE__"),
        (f"<script>a={{b:1}};window['__S__']={json.dumps(STATE)};c()</script>", "window['__S__']"),
        (f"<script>x=JSON.parse({json.dumps(json.dumps(STATE))})</script>", "x"),
        (
            f"<script type=application/json data-url=/a>{json.dumps({'body': json.dumps(STATE)})}</script>",
            "JSON script",
        ),
    ],
)
def test_state_is_read_wherever_frameworks_put_it(script: str, origin: str) -> None:
    assert blobs(script) == [Blob(origin, STATE)]


def test_streamed_state_is_put_together() -> None:
    rows = f'1:"short"\n2:{json.dumps(STATE)}\n3:T5,Grüß\n4:["after"]\n'
    halves = rows[:100], rows[100:]
    scripts = "".join(
        f"<script>{' ' * 300}self.__next_f.push([1,{json.dumps(half, ensure_ascii=False)}])</script>" for half in halves
    )
    values = [blob.value for blob in blobs(scripts)]
    assert values == ["short", STATE, ["after"], {"content": {"$3": "Grü"}}]  # five bytes


def test_of_a_program_its_strings_are_read() -> None:
    code = 'window.__NUXT__=(function(a){return {body:"One\\u0020two",n:a,body:"1"}})(3)' + " " * 300
    assert blobs(f"<script>{code}</script>") == [Blob("__NUXT__", {"body": "One two"})]
    assert blobs(f"<script>{code.replace('__NUXT__', 'other')}</script>") == []


def test_json_ld_is_taken_apart_in_order() -> None:
    code = '{"@graph": [{"@type": "A", "b": {"@type": "B"}}, {"@type": "C"}]}'
    items = read_json_ld(tamis.parse(f"<script type=application/ld+json>{code}</script>"))
    assert [item.get("@type") for item in items] == [None, "A", "B", "C"]


def test_of_hopeless_json_the_named_strings_are_left() -> None:
    code = '{"headline": "T", "description": "an "unescaped" quote", "datePublished": "2020-01-02"'
    items = read_json_ld(tamis.parse(f"<script type=application/ld+json>{code}</script>"))
    assert items[0]["headline"] == "T"
    assert items[0]["datePublished"] == "2020-01-02"


def test_the_longest_string_of_a_name_counts() -> None:
    assert strings_of('{"a":"1","a":"123",b:"\\"2","c":') == {"a": "123", "b": '"2'}


_STRING = r'"((?:[^"\\]|\\.)*+)(?:"|\Z)'
_PLAIN_PAIRS = re.compile(
    rf'\\.|(?:"(\w{{1,60}})"|\b([A-Za-z_]\w{{0,60}}))\s{{0,9}}:\s{{0,9}}{_STRING}|{_STRING}', re.DOTALL
)


@given(
    st.lists(
        st.sampled_from(
            ['"', "\\", ":", " ", " " * 10, "a", "1b", "é", "_", "{", ",", "x" * 61, '\\"', '"a":"b"', 'a:"c']
        )
    ).map("".join)
)
def test_what_names_no_string_is_skipped(code: str) -> None:
    pairs = [(match[1] or match[2], match[3]) for match in _PLAIN_PAIRS.finditer(code) if match[1] or match[2]]
    found = [(match[1] or match[2], match[3]) for match in _PAIRS.finditer(code) if match[1] or match[2]]
    assert found == pairs


SOUP = st.lists(
    st.sampled_from(
        ['{"', '"', "\\", "a=", "{", "}", "[", "]", ":", ",", "1", "JSON.parse(", "self.__next_f.push([1,", "x" * 90]
    ),
    max_size=40,
).map("".join)


@settings(max_examples=80, deadline=None)
@given(SOUP, st.sampled_from(["", "type=application/json", "type=application/ld+json"]))
def test_any_script_is_answered_with_data(code: str, kind: str) -> None:
    page = tamis.parse(f"<script {kind}>{code}{' ' * 300}</script>")
    for blob in read_blobs(page):
        json.dumps(blob.value).encode()
    assert all(isinstance(item, dict) for item in read_json_ld(page))
