"""Jobs: the same values make the same job, and a mistake is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.errors import InputError, OptionError
from tamis.scaling.job import Duplicates, Filter, Job, RecordLimits, Templates, from_dict, load_job

TEXT = """\
method = "bte"
format = "markdown"

[limits]
seconds = 5

[[filters]]
name = "length"
min_words = 50
"""
FILTER = '"length"\nmin_words = 50'


def test_a_job_file_says_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text(TEXT)
    job = load_job(path)
    assert (job.method, job.format, job.output) == ("bte", "markdown", "parquet")
    assert job.limits == RecordLimits(seconds=5)
    assert job.filters == (Filter(name="length", parameters={"min_words": 50}),)


def test_a_job_survives_json() -> None:
    job = Job(
        method="bte", filters=(Filter(name="language", parameters={"only": ["en"]}),), limits=RecordLimits(seconds=2)
    )
    assert from_dict(json.loads(json.dumps(job.to_dict()))) == job
    job = Job(duplicates=Duplicates(resemblance=1), templates=Templates(min_pages=5))
    assert from_dict(json.loads(json.dumps(job.to_dict()))) == job


def test_everything_that_differs_makes_another_job() -> None:
    jobs = [
        Job(),
        Job(method="bte"),
        Job(options={"bias": 0.5}),
        Job(format="html"),
        Job(output="jsonl"),
        Job(metadata=False),
        Job(limits=RecordLimits(seconds=1)),
        Job(filters=(Filter(name="length"),)),
        Job(duplicates=Duplicates()),
        Job(duplicates=Duplicates(resemblance=1)),
        Job(templates=Templates()),
        Job(version="0"),
    ]
    assert len({job.digest() for job in jobs}) == len(jobs)
    assert {len(job.digest()) for job in jobs} == {16}
    assert from_dict(json.loads(json.dumps(Job().to_dict()))).digest() == Job().digest()
    assert Job(options={"bias": 0.5, "title": "keep"}).digest() == Job(options={"title": "keep", "bias": 0.5}).digest()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"bte"', '"bet"', "line 1: unknown method in extractors 'bet': did you mean bte"),
        ('method = "bte"', 'methd = "bte"', "line 1: unknown key of the job 'methd': did you mean method"),
        ('"markdown"', '"pdf"', "line 2: 'format' of the job is 'pdf', but 'text' or 'markdown' or 'html' is expected"),
        ("seconds = 5", 'seconds = "5"', "line 5: 'seconds' of limits is '5', but float is expected"),
        ("seconds", "second", "line 5: unknown key of limits 'second': did you mean seconds"),
        ('"length"', '"lenght"', "line 8: unknown filter 'lenght': did you mean length"),
        ("min_words", "minwords", "line 9: unknown parameter of the filter length 'minwords': did you mean min_words"),
        (
            "min_words = ",
            "min_words = 1979-05-27 #",
            "line 9: 'min_words' of the filter length is .*, but int is expected",
        ),
        (FILTER, '"url"\ndeny = ["("]', r"line 8: the filter 'url' has '\(', which is not a regular expression"),
        (FILTER, '"url"\ndeny = "x"', "line 9: 'deny' of the filter url is 'x', but a list of str or None is"),
        ('"length"', '"no.such:check"', "line 8: the filter 'no.such:check' cannot be imported"),
        ("[limits]", "[limits", "not valid TOML: .*line 4"),
        ("[limits]", "[duplicates]\nresemblance = 0.4\n[limits]", "line 5: resemblance is 0.4, but must be from"),
        ("[limits]", "[templates]\nmin_pages = 3\n[limits]", "line 5: min_pages is 3, but must be from 4 to 40"),
        ("[limits]", "[templates]\nmethod = 'slot'\n[limits]", "line 5: unknown method in templates 'slot'"),
        ("[[filters]]", "[filters]", "'filters' is .*, but a list of tables is expected"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "job.toml"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(OptionError, match=said):
        load_job(path)


def test_a_job_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the job file"):
        load_job(tmp_path / "job.toml")


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"memory_mb": 255}, {"bytes": 0}])
def test_limits_that_no_record_could_keep_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=r"is \d+, but must be (above|at least)"):
        RecordLimits(**limits)


def test_a_filter_by_language_needs_the_metadata() -> None:
    language = (Filter(name="language", parameters={"only": ["en"]}),)
    with pytest.raises(OptionError, match="'language' needs the metadata, but 'metadata' is false"):
        Job(metadata=False, filters=language)
    assert Job(filters=language).metadata


def test_a_record_may_cost_what_the_documentation_says() -> None:
    assert RecordLimits() == RecordLimits(seconds=30, memory_mb=4096, bytes=32 << 20)
    assert (Templates().min_pages, Templates().max_pages, Duplicates().resemblance) == (10, 40, 0.8)


def test_what_lies_at_the_border_is_accepted() -> None:
    limits = RecordLimits(seconds=0.001, memory_mb=256, bytes=1)
    job = Job(limits=limits, templates=Templates(min_pages=4, max_pages=4), duplicates=Duplicates(resemblance=0.5))
    assert from_dict(job.to_dict()) == job
    assert Templates(min_pages=200, max_pages=200).max_pages == 200


@pytest.mark.parametrize("sizes", [{"min_pages": 3}, {"min_pages": 41}, {"max_pages": 201}])
def test_templates_are_learned_from_some_pages_but_not_from_all(sizes: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=r"(min|max)_pages is \d+, but must be from"):
        Templates(**sizes)  # type: ignore[arg-type]


@pytest.mark.parametrize("filters", [[{"min_words": 3}], [{"name": 3}], ["length"], {"name": "length"}])
def test_filters_are_a_list_of_tables_with_names(filters: object) -> None:
    with pytest.raises(OptionError, match="filters"):
        from_dict({"filters": filters})


@pytest.mark.parametrize(
    "values",
    [{"metadata": 1}, {"limits": {"memory_mb": True}}, {"limits": {"seconds": False}}, {"limits": {"bytes": 1.5}}],
)
def test_a_value_of_another_kind_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="is expected"):
        from_dict(values)


@pytest.mark.parametrize("resemblance", [0.49, 1.01])
def test_texts_that_share_less_than_half_are_not_the_same(resemblance: float) -> None:
    with pytest.raises(OptionError, match=r"must be from 0\.5 to 1"):
        Duplicates(resemblance=resemblance)
