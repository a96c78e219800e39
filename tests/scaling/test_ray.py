"""Ray: the same shards give the same files, and the loss of a process or a machine costs nothing that was finished."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.scaling.job import Filter, Job, RecordLimits
from tamis.scaling.run import RunProgress, run
from tests.scaling.archives import STAGES, page, write_warc

ray = pytest.importorskip("ray")
pytest.importorskip("pyarrow")
utils = pytest.importorskip("ray.cluster_utils")

pytestmark = [pytest.mark.proof, pytest.mark.filterwarnings("ignore")]  # the warnings are Ray's own


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stages")
    (folder / "stages_of_tests.py").write_text(STAGES)
    return folder


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[Any]:
    """Two machines, as far as Ray can tell; the second one does the work."""
    made = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    made.add_node(num_cpus=1)
    environment = {"env_vars": {"PYTHONPATH": str(folder)}}
    ray.init(address=made.address, log_to_driver=False, runtime_env=environment)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def job(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.syspath_prepend(folder)
    limits = RecordLimits(seconds=60, memory_mb=2048)  # on a busy machine even a quick record may take seconds
    filters = (Filter(name="stages_of_tests:misbehave"),)
    return Job(method="keep_all", metadata=False, output="jsonl", filters=filters, limits=limits)


def files(out: Path) -> dict[str, bytes]:
    return {
        f"{kind}/{file.name}": file.read_bytes() for kind in ("data", "rejected") for file in (out / kind).iterdir()
    }


def test_bad_records_cost_themselves_and_files_are_those_of_the_local_engine(
    tmp_path: Path, cluster: Any, job: Job
) -> None:
    job = dataclasses.replace(job, limits=dataclasses.replace(job.limits, seconds=3))
    bodies = [page(word) for word in ("one", "SEGFAULT", "two", "FOREVER", "MEMORY", "RAISE")]
    sources = [str(write_warc(tmp_path / "a.warc.gz", bodies)), str(write_warc(tmp_path / "b.warc.gz", bodies[:1]))]
    report = run(sources, job, tmp_path / "ray", engine="ray")
    counts = {status: count for status, count in report.counts.items() if count}
    assert counts == {"ok": 3, "failed": 1, "timed out": 1, "crashed": 2}
    local = run(sources, job, tmp_path / "local", workers=1)
    assert local.counts == report.counts
    timed_out = b"not done after"  # the exact moment differs
    assert {name: data for name, data in files(tmp_path / "ray").items() if timed_out not in data} == {
        name: data for name, data in files(tmp_path / "local").items() if timed_out not in data
    }


def test_a_process_that_is_killed_is_replaced(tmp_path: Path, cluster: Any, job: Job) -> None:
    source = write_warc(tmp_path / "a.warc.gz", [page("SLOW")] * 12)
    other = write_warc(tmp_path / "b.warc.gz", [page("one")] * 2)
    killed: list[int] = []

    def kill(progress: RunProgress) -> None:
        if not killed and progress.counts.total() >= 1 and (found := _workers(next(iter(cluster.worker_nodes)))):
            os.kill(found[0], signal.SIGKILL)
            killed.append(found[0])

    report = run([str(source), str(other)], job, tmp_path / "out", engine="ray", watch=kill)
    assert killed
    assert (report.counts["ok"], report.failures) == (14, ())
    assert len(b"".join(files(tmp_path / "out").values()).splitlines()) == 14


def test_what_a_lost_machine_had_is_done_by_another(tmp_path: Path, cluster: Any, job: Job) -> None:
    sources = [str(write_warc(tmp_path / f"{name}.warc.gz", [page("SLOW")] * 8)) for name in "ab"]
    old = next(iter(cluster.worker_nodes))
    cluster.add_node(num_cpus=1)
    lost: list[int] = []

    def lose(progress: RunProgress) -> None:
        if not lost and progress.counts.total() >= 1:
            lost.append(_raylet(old))
            os.kill(lost[0], signal.SIGKILL)

    report = run(sources, job, tmp_path / "out", engine="ray", watch=lose)
    assert lost
    assert (report.counts["ok"], report.failures) == (16, ())
    assert len(b"".join(files(tmp_path / "out").values()).splitlines()) == 16
    assert list((tmp_path / "out").rglob(".*.part")) == []


_DRIVER = """
import sys
import ray
from pathlib import Path
from tamis.scaling.job import load_job
from tamis.scaling.run import run
address, folder, job, out, *sources = sys.argv[1:]
sys.path.append(folder)
ray.init(address=address, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": folder}})
run(sources, load_job(Path(job)), Path(out), engine="ray")
"""


def test_a_rerun_after_the_driver_was_killed_does_what_is_missing_and_nothing_twice(
    tmp_path: Path, cluster: Any, folder: Path
) -> None:
    cluster.add_node(num_cpus=1)  # several machines work when the driver goes
    out, job_file = tmp_path / "out", tmp_path / "job.toml"
    job_file.write_text(
        'method = "keep_all"\nmetadata = false\noutput = "jsonl"\n[[filters]]\nname = "stages_of_tests:misbehave"\n'
    )
    # Two shards that are done at once, and others that are under way for long.
    bodies = [[page("quick")] * 2] * 2 + [[page("SLOW")] * 10] * 3
    sources = [str(write_warc(tmp_path / f"{number}.warc.gz", some)) for number, some in enumerate(bodies)]
    command = [sys.executable, "-c", _DRIVER, cluster.address, str(folder), str(job_file), str(out), *sources]

    def shards_done() -> set[str]:
        """A shard with a manifest is done; one that has only its data will be done again."""
        return {f"{file.stem}.jsonl" for file in (out / "manifests").glob("*.json")}

    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        while driver.poll() is None and not shards_done():
            time.sleep(0.05)
        driver.kill()
    before = shards_done()
    times = {name: (out / "data" / name).stat().st_mtime_ns for name in before}
    assert 1 <= len(before) < len(sources)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for data in files(out).values() for line in data.splitlines()]
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids)) == sum(map(len, bodies))
    assert all(row["status"] == "ok" for row in rows)
    assert {name: (out / "data" / name).stat().st_mtime_ns for name in before} == times  # not done again
    assert list(out.rglob(".*.part")) == []


def _raylet(node: Any) -> int:
    pid: int = node.all_processes["raylet"][0].process.pid
    return pid


def _workers(node: Any) -> list[int]:
    """The processes of a machine that work on shards."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                command = (entry / "cmdline").read_bytes()
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if command.startswith(b"ray::_process") and parent == _raylet(node):
                found.append(int(entry.name))
    return found
