"""Dates as people and programs write them."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.about.moments import MAX_YEAR, MIN_YEAR, find_moments, is_month, read_moment

DAY = "2017-08-26"


@pytest.mark.parametrize(
    "written",
    [
        "26. August 2017",
        "Samstag, 26.08.2017",
        "26.08.17",
        "26 août 2017",
        "26 de agosto de 2017",
        "26 sierpnia 2017",
        "26 августа 2017 г.",
        "26 Αυγούστου 2017",
        "26 أغسطس 2017",
        "26 Ağustos 2017",
        "26 tháng 8, 2017",
        "2017. augusztus 26.",
        "2017年8月26日",
        "2017년 8월 26일",
        "Aug 26, 2017",
        "AUGUST 26TH, 2017",
        "26th of August, 2017",
        "26 Aug '17",
        "26-Aug-2017",
        "8/26/2017",
        "26/8/2017",
        "2017/8/26",
        "2017.08.26",
        "20170826",
        "Posted on August 26, 2017 by someone",
    ],
)
def test_a_day_is_read_in_many_languages_and_orders(written: str) -> None:
    assert str(read_moment(written)) == DAY


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2017-08-26T10:00:00+02:00", "2017-08-26T10:00:00+02:00"),
        ("2017-08-26 10:00:00 +0200", "2017-08-26T10:00:00+02:00"),
        ("2017-08-26T10:00:00.123Z", "2017-08-26T10:00:00Z"),
        ("Sat, 26 Aug 2017 10:00:00 GMT", "2017-08-26T10:00:00Z"),
        ("Sat Aug 26 10:00:00 +0200 2017", "2017-08-26T10:00:00+02:00"),
        ("Sat Aug 26 2017 10:00:00 GMT+0200 (CEST)", "2017-08-26T10:00:00+02:00"),
        ("26.08.2017, 14:30 Uhr", "2017-08-26T14:30"),
        ("August 26, 2017 at 3:05 pm", "2017-08-26T15:05"),
        ("August 26, 2017 12:05 a.m.", "2017-08-26T00:05"),
        ("20170826T101112Z", "2017-08-26T10:11:12Z"),
        ("1503741600", "2017-08-26T10:00:00Z"),
        ("1503741600000", "2017-08-26T10:00:00Z"),
    ],
)
def test_time_and_zone_are_kept_where_they_are_given(written: str, expected: str) -> None:
    assert str(read_moment(written)) == expected


@pytest.mark.parametrize(
    "written",
    [
        "",
        "yesterday",
        "1970-01-01T00:00:00Z",
        "0001-01-01",
        "0",
        "1989-12-31",
        "2040-01-01",
        "2099-12-31",
        "2017-02-30",
        "31 June 2017",
        "192.168.20.17",
        "1.2.2017.3",
        "10 items 2017",
        "12-10-08",
        "+49 30 2017 2018",
    ],
)
def test_what_is_no_date_or_a_placeholder_is_none(written: str) -> None:
    assert read_moment(written) is None


def test_the_first_and_the_last_year_count() -> None:
    assert read_moment(f"{MIN_YEAR}-01-02")
    assert read_moment(f"{MAX_YEAR}-12-31")
    assert read_moment(f"{MIN_YEAR - 1}-12-31") is None
    assert read_moment(f"{MAX_YEAR + 1}-01-02") is None


def test_only_what_the_numbers_leave_open_depends_on_the_language() -> None:
    assert str(read_moment("3/4/2020")) == "2020-04-03"
    assert str(read_moment("3/4/2020", month_first=True)) == "2020-03-04"
    assert str(read_moment("13/4/2020", month_first=True)) == "2020-04-13"
    assert str(read_moment("3.4.2020", month_first=True)) == "2020-04-03"  # nobody writes months first with dots


def test_dates_are_found_where_they_stand() -> None:
    text = "From 1 May 2020 until 2020-06-02, and not 3 Mai."
    assert [(str(found.moment), text[found.start : found.end]) for found in find_moments(text)] == [
        ("2020-05-01", "1 May 2020"),
        ("2020-06-02", "2020-06-02"),
    ]


def test_a_date_is_found_behind_any_length_of_text_and_the_longest_name_of_a_month() -> None:
    for before in ("", "a ", "a word, " * 9, "1 2 3 " * 9, "5/6 2014, "):
        for date in ("Kolokvartalnik 3, 2014", "September 3rd , 2014", "Sept. - 3 - 2014", "Septembris. / 13 / 2014"):
            found = [str(one.moment) for one in find_moments(before + date)]
            assert found == ([] if date.startswith("K") else [f"2014-09-{'13' if '13' in date else '03'}"]), date


def test_months_are_known_by_name_and_abbreviation() -> None:
    assert is_month("Dezember")
    assert is_month("déc.")
    assert is_month("SEPT")
    assert not is_month("Monroe")
    assert not is_month("day")


@given(st.dates(datetime.date(MIN_YEAR, 1, 2), datetime.date(MAX_YEAR, 12, 31)))
def test_every_day_survives_being_written_and_read(day: datetime.date) -> None:
    if day.isoformat() in ("1999-12-31", "2000-01-01", "2001-01-01", "2038-01-19"):
        return
    for written in (day.isoformat(), f"{day:%d %B %Y}", f"{day:%B %d, %Y}", f"{day:%d.%m.%Y}", f"{day:%Y%m%d}"):
        assert str(read_moment(written)) == day.isoformat(), written


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("12 March 2021 at 12:30 gmt", "2021-03-12T12:30Z"),
        ("12 March 2021 at 12:30 Gmt+0200", "2021-03-12T12:30+02:00"),
        ("March 12, 2021 12:30 utc", "2021-03-12T12:30Z"),
        ("12.3.2021 12:30 z", "2021-03-12T12:30Z"),
        ("12 March 2021 12:3\u0660 +\u0660\u0662:00", "2021-03-12T12:30+02:00"),  # a few Arabic digits
        ("20210312T101099", "2021-03-12"),
        ("Fri Mar 12 24:00:00 2021", "2021-03-12"),
    ],
)
def test_times_and_zones_are_read_in_any_case_and_kept_if_they_exist(written: str, moment: str) -> None:
    assert str(read_moment(written)) == moment


WRITTEN = st.lists(
    st.sampled_from(
        "12 31 3 \u0663 March mar. 2021 '21 20\u0662\u0661 12:30 25:61 12:30:59 12:3\u0660 1:30pm gmt GMT utc Z z "
        "+02:00 -0530 +99 +99:99 gmt+0200 gmt-99:99 at T 2021-03-12 12/3/2021 20210312 T101099 1600000000 Fri "
        "GMT+9999 年 月 日 tháng".split()
    ),
    max_size=10,
)


@given(WRITTEN, st.sampled_from(["", " ", "/", "-", ".", ", "]))
def test_pieces_of_dates_in_any_order_are_answered_with_moments_that_exist(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    for moment in (read_moment(text), *(found.moment for found in find_moments(text))):
        assert moment is None or datetime.datetime.fromisoformat(str(moment))


@given(st.text(max_size=60))
def test_any_text_is_answered_with_days_that_exist(text: str) -> None:
    for found in find_moments(text):
        assert 0 <= found.start < found.end <= len(text)
        datetime.datetime.fromisoformat(str(found.moment))
