"""The driver of long jobs: an outcome for every item, in one vocabulary, whatever becomes of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from tamis import batch
from tamis.batch import LOST, OF_ONE_PROCESS, STATUSES, Outcome
from tamis.errors import InputError


def doubled(number: int) -> Outcome[int]:
    if number == 3:
        raise InputError("three cannot be read")
    if number == 4:
        raise ZeroDivisionError("no fours")
    return Outcome("ok" if number else "empty", 2 * number)


@pytest.mark.parametrize("threads", [1, 3])
def test_every_item_has_an_outcome_and_they_keep_their_order(threads: int) -> None:
    found = list(batch.run(range(6), doubled, threads=threads))
    assert [item for item, _ in found] == list(range(6))
    assert [outcome.status for _, outcome in found] == ["empty", "ok", "ok", "failed", "failed", "ok"]
    assert [outcome.value for _, outcome in found] == [0, 2, 4, None, None, 10]


def test_an_expected_error_says_itself_and_a_fault_names_the_item() -> None:
    reasons = [batch.attempt(item, doubled, name=lambda one: f"page {one}").reason for item in (1, 3, 4)]
    assert reasons == ["", "three cannot be read", "'page 4' made the method fail: ZeroDivisionError: no fours"]


def test_items_are_taken_as_there_is_room_for_them() -> None:
    """A list of millions of pages is not read ahead."""
    taken: list[int] = []

    def items() -> object:
        for item in range(100):
            taken.append(item)
            yield item

    outcomes = batch.run(items(), doubled, threads=2)  # type: ignore[arg-type]
    next(outcomes)
    assert len(taken) <= 3
    outcomes.close()


def fate() -> Callable[[str], Outcome[str]]:
    def work(item: str) -> Outcome[str]:
        if item == "dies":
            os.kill(os.getpid(), 9)
        if item == "hangs":
            time.sleep(600)
        if item == "fills":
            raise MemoryError("no room")
        if item == "fails":
            raise ValueError("no reason")
        return Outcome("ok", item.upper())

    return work


def test_a_process_that_is_lost_costs_one_item() -> None:
    items = ("fine", "dies", "hangs", "fills", "fails", "well")
    found = dict(batch.run_supervised(items, fate, processes=2, timeout_seconds=2.0))
    assert {item: outcome.status for item, outcome in found.items()} == {
        "fine": "ok",
        "dies": "crashed",
        "hangs": "timed out",
        "fills": "crashed",
        "fails": "failed",
        "well": "ok",
    }
    assert found["well"].value == "WELL"
    assert found["dies"].reason == "the process was ended by SIGKILL"
    assert found["hangs"].seconds > 1.5


def test_what_is_done_is_not_done_again() -> None:
    assert batch.left(["a", "b", "c"], {"b"}.__contains__) == ["a", "c"]


def test_progress_counts_what_was_done_before() -> None:
    seen: list[tuple[str, int, int]] = []
    outcomes = batch.run([1, 2], doubled)
    assert len(list(batch.watched(outcomes, lambda *step: seen.append(step), "pages", 5, before=3))) == 2
    assert seen == [("pages", 4, 5), ("pages", 5, 5)]


def test_the_exit_code_says_whether_something_was_lost() -> None:
    assert {status: batch.exit_code({status: 1}) for status in STATUSES} == {
        status: int(status in LOST) for status in STATUSES
    }
    assert set(OF_ONE_PROCESS) < set(STATUSES)
