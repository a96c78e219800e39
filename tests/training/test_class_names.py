from __future__ import annotations

import numpy as np
import pytest

from tamis.evaluation.datasets import Sample
from tamis.extractors.sieve.class_names import ClassNames
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.features import name_columns
from tamis.page.html import TAG_CODES, TAG_NAMES
from tamis.training.block_records import LabelledBlocks, _record
from tamis.training.class_names import MIN_HOSTS, _frequent, _rows, fit_table
from tests.training.pages import sample

pytest.importorskip("scipy", reason="the extra train")


def record_of(html: str, gold: str, host: str = "a.example") -> LabelledBlocks:
    made = _record(Sample(id="1", html=html, gold=gold, url=f"https://{host}/"))
    assert made is not None
    return made


def records_of(hosts: int) -> list[LabelledBlocks]:
    found = [_record(sample(host, number)) for host in range(hosts) for number in range(2)]
    return [record for record in found if record is not None]


def test_words_of_the_trade_get_the_weight_they_deserve() -> None:
    table = fit_table(records_of(20))
    own, around = (dict(zip(table.words, weights.tolist(), strict=True)) for weights in (table.own, table.around))
    assert around["post-body"] > 100
    assert around["sidebar"] < -100
    assert own["<p>"] > own["<li>"]
    assert table.own.dtype.kind == table.around.dtype.kind == "i"


def test_a_fit_is_the_same_every_time() -> None:
    records = records_of(8)
    first, second = fit_table(records), fit_table(records)
    assert first.words == second.words
    assert np.array_equal(first.around, second.around)


@pytest.mark.parametrize(("hosts", "known"), [(MIN_HOSTS - 1, False), (MIN_HOSTS, True)])
def test_words_of_few_hosts_are_not_learned(hosts: int, known: bool) -> None:
    text = "one two three four five six"
    records = [
        record_of(f"<div class=teaser><p>{text}</p></div><p>{text} x</p>", text, f"h{host}") for host in range(hosts)
    ]
    records += [record_of("<p class=lonely>one two</p>", "one two", "h0")] * MIN_HOSTS
    frequent = _frequent(records)
    assert ("teaser" in frequent) == known
    assert "lonely" not in frequent
    assert frequent[TAG_CODES["p"]] == "<p>"


def test_rows_are_looks_and_columns_what_is_around_them() -> None:
    text = "one two three four five six seven eight"
    record = record_of(f"<div class=box><p>{text}</p><p>{text}</p><p><b>{text}</b></p></div>", text)
    number = {word: place for place, word in enumerate(_frequent([record] * 4))}
    number["box"] = len(number)
    called, holding, labels, weights, own, around = _rows([record, record], number)
    size = len(record.containers)
    assert holding == 2 * size
    assert len(labels) == len(weights) == 4  # plain paragraphs and bold ones, on each of two pages
    assert sorted(weights.tolist()) == pytest.approx([1, 1, 2, 2])  # there are two plain paragraphs
    places = dict(zip(record.containers.node.tolist(), range(size), strict=True))
    names = {
        place: {column for at, column in zip(*map(np.ndarray.tolist, called), strict=True) if at == place}
        for place in range(size)
    }
    tag = record.containers.tag.tolist()
    assert all(tag[place] in names[place] for place in places.values())
    box = next(place for place in range(size) if number["box"] in names[place])
    assert tag[box] == TAG_CODES["div"]
    for row in range(4):
        base = size * (row // 2)
        outer = sorted(int(place) - base for at, place in zip(*around, strict=True) if at == row)
        assert [tag[place] for place in outer] == [TAG_CODES[name] for name in ("#document", "html", "body", "div")]
        inner = sorted(name_of(tag[int(place) - base]) for at, place in zip(*own, strict=True) if at == row)
        assert inner in (["p"], ["b", "p"])


def name_of(code: int) -> str:
    return TAG_NAMES[code]


def test_a_table_from_pages_without_names_can_be_used() -> None:
    table = fit_table(
        [record_of("<p>one two three</p><div>four</div>", "one two three", f"h{host}") for host in range(5)]
    )
    assert set(table.words) <= {f"<{name}>" for name in TAG_NAMES}
    record = record_of("<p>one</p>", "one")
    columns = name_columns(record.containers, ClassNames(table).scores(record.containers))
    assert np.isfinite(columns).all()


def test_containers_of_records_are_those_of_inference() -> None:
    import tamis

    page = tamis.parse(sample(0, 0).html).revealed()
    made, fresh = records_of(1)[0].containers, build_containers(page)
    assert np.array_equal(made.node, fresh.node)
    assert made.names == fresh.names
