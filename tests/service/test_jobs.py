"""The pool: bounded in number, in queue and in time; a worker that is lost costs its own job alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tamis.service import jobs
from tamis.service.jobs import Pool, Reply
from tamis.service.problems import ProblemError

SLOW_PAGE = b"<p>one two three " * 400_000  # a third of a second of work and more


def _run(test: Callable[[Pool], Awaitable[None]], **values: Any) -> None:
    async def with_pool() -> None:
        pool = Pool(**{"workers": 1, "queue": 4, "timeout_seconds": 60.0, **values})
        try:
            await test(pool)
        finally:
            await pool.close()

    asyncio.run(with_pool())


async def _extract(pool: Pool, page: bytes = b"<p>A sentence for the worker.", **values: Any) -> Reply:
    asked = {"content_type": "text/html", "query": {"format": "text", "method": "keep_all"}}
    return await pool.run("extract", asked, page, **values)


async def _started(pool: Pool) -> None:
    while not pool.running:
        await asyncio.sleep(0.01)


def test_a_job_is_done_by_another_process() -> None:
    async def test(pool: Pool) -> None:
        reply = await _extract(pool)
        assert reply.values["status"] == 200
        assert reply.body == b"A sentence for the worker."
        assert os.getpid() not in pool.process_ids()

    _run(test)


def test_bytes_of_any_size_go_there_and_back() -> None:
    async def test(pool: Pool) -> None:
        page = b"<p>" + b"word " * 1_000_000
        assert len((await _extract(pool, page)).body) == 5 * 1_000_000 - 1
        assert (await _extract(pool, b"")).body == b""

    _run(test)


def test_jobs_are_done_side_by_side_and_each_gets_its_own_answer() -> None:
    async def test(pool: Pool) -> None:
        pages = [f"<p>This is page number {number}.".encode() for number in range(40)]
        replies = await asyncio.gather(*(_extract(pool, page) for page in pages))
        assert [reply.body for reply in replies] == [page.removeprefix(b"<p>") for page in pages]

    _run(test, workers=2, queue=40)


def test_a_job_that_takes_too_long_is_given_up_and_the_next_one_is_done() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        before = pool.process_ids()
        with pytest.raises(ProblemError, match=r"took longer than 0\.1 s") as caught:
            await _extract(pool, SLOW_PAGE, timeout_seconds=0.1)
        assert caught.value.status == 504
        assert (await _extract(pool)).values["status"] == 200
        assert pool.lost == {"timed out": 1, "crashed": 0, "not opened": 0}
        assert not set(before) & set(pool.process_ids())
        for process in before:
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)

    _run(test)


def test_a_worker_that_dies_costs_its_own_job_alone() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        lost = asyncio.create_task(_extract(pool, SLOW_PAGE))
        await _started(pool)
        waiting = asyncio.create_task(_extract(pool))
        os.kill(pool.process_ids()[0], signal.SIGKILL)
        with pytest.raises(ProblemError, match="crashed on this page") as caught:
            await lost
        assert caught.value.status == 500
        assert (await waiting).values["status"] == 200
        assert pool.lost["crashed"] == 1

    _run(test)


def test_a_full_queue_says_when_to_come_again() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        first = asyncio.create_task(_extract(pool, SLOW_PAGE, timeout_seconds=0.1))
        await _started(pool)
        waiting = [asyncio.create_task(_extract(pool)) for _ in range(2)]
        await asyncio.sleep(0)
        assert pool.waiting == 2
        with pytest.raises(ProblemError) as caught:
            await _extract(pool)
        assert caught.value.status == 503
        assert caught.value.headers["Retry-After"] == "1"
        with pytest.raises(ProblemError):
            await first
        for reply in await asyncio.gather(*waiting):
            assert reply.values["status"] == 200
        assert pool.waiting == pool.running == 0

    _run(test, queue=2)


def test_a_worker_finishes_its_job_when_nobody_waits_for_it_any_more() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        process = pool.process_ids()
        left = asyncio.create_task(_extract(pool, b"<p>word " * 50_000))
        await _started(pool)
        left.cancel()
        reply = await _extract(pool, b"<p>The next one.")
        assert reply.body == b"The next one."
        assert pool.process_ids() == process

    _run(test)


def test_a_job_that_nobody_waits_for_any_more_gives_up_its_place() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        first = asyncio.create_task(_extract(pool, SLOW_PAGE))
        await _started(pool)
        given_up, second = (asyncio.create_task(_extract(pool)) for _ in range(2))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
        assert pool.waiting == 1
        assert [reply.values["status"] for reply in await asyncio.gather(first, second)] == [200, 200]

    _run(test)


def test_jobs_that_wait_when_the_pool_closes_are_told_so() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        first = asyncio.create_task(_extract(pool, b"<p>word " * 50_000))
        await _started(pool)
        waiting = asyncio.create_task(_extract(pool))
        await asyncio.sleep(0)
        await pool.close()
        with pytest.raises(ProblemError, match="shutting down") as caught:
            await waiting
        assert caught.value.status == 503
        assert (await first).values["status"] == 200

    _run(test)


def test_closing_waits_for_the_job_under_way_and_takes_no_more() -> None:
    async def with_pool() -> None:
        pool = Pool(workers=1, queue=4, timeout_seconds=60.0)
        await _extract(pool)
        job = asyncio.create_task(_extract(pool, b"<p>word " * 50_000))
        await _started(pool)
        processes = pool.process_ids()
        await pool.close()
        assert (await job).values["status"] == 200
        with pytest.raises(ProblemError) as caught:
            await _extract(pool)
        assert caught.value.status == 503
        for process in processes:
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)

    asyncio.run(with_pool())


def test_a_worker_is_replaced_after_many_jobs_and_works_until_the_other_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tamis.service.jobs._MOST_JOBS", 3)

    async def test(pool: Pool) -> None:
        await _extract(pool)
        (first,) = pool.process_ids()
        for _ in range(3):
            await _extract(pool)
            assert first in pool.process_ids()  # the fourth job is done while another begins
        while first in pool.process_ids():
            await _extract(pool)
        (second,) = pool.process_ids()
        assert second != first
        assert pool.lost == {"timed out": 0, "crashed": 0, "not opened": 0}

    _run(test)


def test_a_worker_that_dies_while_another_takes_its_place_is_replaced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.service.jobs._MOST_JOBS", 1)

    async def test(pool: Pool) -> None:
        pool.start()
        await asyncio.sleep(0)
        (first,) = pool.process_ids()
        await _extract(pool)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(ProblemError):
            await _extract(pool)
        monkeypatch.setattr("tamis.service.jobs._MOST_JOBS", 100)
        await _extract(pool)
        await asyncio.sleep(1)
        assert len(pool.process_ids()) == 1

    _run(test)


@pytest.mark.parametrize("jobs_before", [0, 1])
def test_a_worker_that_could_not_be_opened_is_opened_later(monkeypatch: pytest.MonkeyPatch, jobs_before: int) -> None:
    """Too many files may be open when a pool begins, or when a worker is to be relieved."""
    opened: list[int] = []
    real = jobs._Worker

    def open_worker() -> jobs._Worker:
        opened.append(len(opened))
        if opened[-1] == jobs_before:
            raise OSError(24, "Too many open files")
        return real()

    monkeypatch.setattr(jobs, "_AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(jobs, "_MOST_JOBS", 1)
    monkeypatch.setattr(jobs, "_Worker", open_worker)

    async def work(pool: Pool) -> None:
        for _ in range(3):
            assert (await _extract(pool)).values["status"] == 200
        assert pool.lost["not opened"] == 1
        for process in pool.process_ids():
            os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ProblemError):
            await _extract(pool)
        assert (await _extract(pool)).values["status"] == 200

    _run(lambda pool: asyncio.wait_for(work(pool), 20))


def test_a_fault_in_the_work_is_a_problem_and_the_worker_lives_on() -> None:
    async def test(pool: Pool) -> None:
        await _extract(pool)
        before = pool.process_ids()
        reply = await pool.run("no such operation", {}, b"")
        assert reply.values["status"] == 500
        assert json.loads(reply.body)["type"] == "urn:tamis:problem:fault"
        assert (await _extract(pool)).values["status"] == 200
        assert pool.process_ids() == before

    _run(test)
