from __future__ import annotations

import importlib
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.errors import InputError, OptionError
from tamis.workers import EndedTask, map_in_order, run_all
from tests.locks import is_released

MODULE = '''
import fcntl
import os
import signal
import sys
import time

from tamis.errors import InputError


def hold(path):
    """Lock a file for as long as this process lives, then hang."""
    file = open(path, "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    file.write("held")
    file.flush()
    time.sleep(60)


def work(task):
    word, _, rest = task.partition(" ")
    if word == "raise":
        raise ValueError(rest)
    if word == "refuse":
        raise InputError(rest)
    if word == "wait":
        time.sleep(float(rest))
    if word == "exit":
        sys.exit(rest)
    if word == "hang":
        time.sleep(60)
    if word == "hold":
        hold(rest)
    if word == "fork":
        if os.fork() == 0:
            hold(rest)
        time.sleep(60)
    if word == "stray":  # the child comes back from the task, too
        if os.fork() == 0:
            return "from the child"
        os.wait()
    if word == "die":
        os._exit(3)
    if word == "orphan":  # dies, while a child keeps its side of the pipe open
        if os.fork() == 0:
            hold(rest)
        os._exit(3)
    if word == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "print":
        print("noise" * 1000, flush=True)
        os.write(1, bytes(range(256)))
    return f"{os.getpid()} {task}"


def make():
    return work


def make_wrong():
    raise ValueError("no such model")


def make_deadly():
    os._exit(4)
'''


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Tasks of every kind, in a module that workers can import."""
    (tmp_path / "odd_tasks.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("odd_tasks")
    sys.modules.pop("odd_tasks", None)


def outcomes(odd: Any, *tasks: str, count: int = 2, timeout_seconds: float = 20.0) -> dict[str, EndedTask[str]]:
    found = list(run_all(tasks, odd.make, count=count, timeout_seconds=timeout_seconds))
    assert sorted(outcome.task for outcome in found) == sorted(tasks)
    return {outcome.task: outcome for outcome in found}


def test_every_task_has_an_outcome_and_few_workers_do_them_all(odd: Any) -> None:
    found = outcomes(odd, *(f"task {number}" for number in range(40)))
    assert {outcome.status for outcome in found.values()} == {"done"}
    assert all(outcome.value.endswith(task) for task, outcome in found.items())
    assert len({outcome.value.split()[0] for outcome in found.values()}) <= 2


def test_without_tasks_nothing_is_started(odd: Any) -> None:
    assert outcomes(odd) == {}


def test_a_task_that_raises_or_exits_is_reported_and_its_worker_goes_on(odd: Any) -> None:
    found = outcomes(odd, "raise the reason", "exit early", "plain", count=1)
    assert (found["raise the reason"].status, found["raise the reason"].error) == ("raised", "ValueError: the reason")
    assert (found["exit early"].status, found["exit early"].error) == ("raised", "SystemExit: early")
    assert found["plain"].status == "done"


@pytest.mark.parametrize(("task", "reason"), [("die", "ended with 3"), ("segfault", "SIGSEGV")])
def test_a_task_that_kills_its_worker_costs_itself(odd: Any, task: str, reason: str) -> None:
    found = outcomes(odd, "before", task, "after", count=1)
    assert {name: outcome.status for name, outcome in found.items()} == {
        "before": "done",
        task: "crashed",
        "after": "done",
    }
    assert reason in found[task].error


def test_a_task_that_hangs_is_ended_and_the_others_are_done(odd: Any) -> None:
    found = outcomes(odd, "hang", "a", "b", timeout_seconds=1.0)
    assert {name: outcome.status for name, outcome in found.items()} == {"hang": "timed out", "a": "done", "b": "done"}
    assert found["hang"].seconds >= 1.0


def test_a_child_that_a_task_has_forked_ends_with_its_worker(odd: Any, tmp_path: Path) -> None:
    found = outcomes(odd, f"fork {tmp_path / 'lock'}", timeout_seconds=1.5)
    assert [outcome.status for outcome in found.values()] == ["timed out"]
    assert (tmp_path / "lock").read_text() == "held"
    assert is_released(tmp_path / "lock")


def test_a_death_is_noticed_though_a_child_keeps_the_pipe_open(odd: Any, tmp_path: Path) -> None:
    (outcome,) = outcomes(odd, f"orphan {tmp_path / 'lock'}").values()
    assert outcome.status == "crashed"
    assert not (tmp_path / "lock").exists() or is_released(tmp_path / "lock")


def test_a_forked_child_does_not_answer_for_its_worker(odd: Any) -> None:
    found = outcomes(odd, "stray", "next", count=1)
    assert found["stray"].value.endswith(" stray")
    assert found["next"].value.endswith(" next")


def test_what_a_task_prints_disturbs_nothing(odd: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert outcomes(odd, "print")["print"].status == "done"
    assert capfd.readouterr() == ("", "")


def test_tasks_are_read_only_as_workers_become_free(odd: Any) -> None:
    taken = []

    def endless() -> Iterator[str]:
        for number in itertools.count():
            taken.append(number)
            yield f"task {number}"

    pool = run_all(endless(), odd.make, count=1, timeout_seconds=20)
    assert [next(pool).task for _ in range(3)] == ["task 0", "task 1", "task 2"]
    pool.close()
    assert len(taken) <= 4


def test_closing_ends_busy_workers(odd: Any, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    pool = run_all(itertools.chain([f"hold {lock}"], itertools.repeat("quick")), odd.make, count=2, timeout_seconds=50)
    for outcome in pool:
        assert outcome.task == "quick"
        if lock.exists() and lock.read_text():
            break
    pool.close()
    assert is_released(lock)


def test_a_pool_works_in_a_thread(odd: Any) -> None:
    found: list[dict[str, EndedTask[str]]] = []
    thread = threading.Thread(target=lambda: found.append(outcomes(odd, "a", "b")))
    thread.start()
    thread.join()
    assert [outcome.status for outcome in found[0].values()] == ["done", "done"]


def test_what_cannot_be_opened_is_an_error(odd: Any) -> None:
    with pytest.raises(OptionError, match="ValueError: no such model"):
        list(run_all(["a"], odd.make_wrong, count=1, timeout_seconds=20))
    with pytest.raises(OptionError, match="ended with 4"):
        list(run_all(["a"], odd.make_deadly, count=1, timeout_seconds=20))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_when_the_program_is_ended(odd: Any, tmp_path: Path, how: signal.Signals) -> None:
    lock = tmp_path / "lock"
    script = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import odd_tasks
        from tamis.workers import run_all
        list(run_all(["fork {lock}"], odd_tasks.make, count=1, timeout_seconds=50))
    """)
    program = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    try:
        while not (lock.exists() and lock.read_text()):
            assert program.poll() is None
            time.sleep(0.05)
        os.kill(program.pid, how)
        assert program.wait(timeout=10) != 0
    finally:
        program.kill()
        program.wait()
    assert is_released(lock)


@pytest.mark.parametrize("count", [1, 2])
def test_values_come_in_the_order_of_their_tasks(odd: Any, count: int) -> None:
    tasks = ["wait 0.3", "second", "third"]
    assert [value.partition(" ")[2] for value in map_in_order(odd.work, tasks, count=count)] == tasks


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_of_tamis_comes_out_of_a_worker_as_it_was(odd: Any, count: int) -> None:
    with pytest.raises(InputError, match=r"^no page$"):
        list(map_in_order(odd.work, ["first", "refuse no page"], count=count))


@pytest.mark.parametrize("task", ["raise the reason", "die"])
def test_values_end_with_the_first_task_that_has_none(odd: Any, task: str) -> None:
    with pytest.raises(RuntimeError, match=r"the reason|ended with 3"):
        list(map_in_order(odd.work, ["first", task], count=2))
