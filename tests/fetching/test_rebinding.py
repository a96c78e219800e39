"""DNS rebinding with the system's own resolver: a name that changes its meaning never leads to this machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fetching.rebinding import PAGE, SECRET

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What came of fetching the page in several ways, in a network where its name is bound again."""
    apart = ["unshare", "--mount", "--net", *([] if os.getuid() == 0 else ["--map-root-user"])]
    missing = [name for name in ("unshare", "ip", "mount") if shutil.which(name) is None]
    if missing or subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"a network apart cannot be made here ({', '.join(missing) or 'no permission'})")
    folder = tmp_path_factory.mktemp("names")
    command = [*apart, sys.executable, "-m", "tests.fetching.rebinding", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    outcomes: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return outcomes


def test_a_client_that_checks_and_then_connects_by_name_is_deceived(told: dict[str, dict[str, Any]]) -> None:
    """The other tests would see it if rebinding worked."""
    assert told["careless"] == {"came": SECRET, "lookups": 2, "public": [], "private": ["/page"]}


def test_the_machine_that_was_checked_answers(told: dict[str, dict[str, Any]]) -> None:
    assert told["page"] == {"came": PAGE, "lookups": 1, "public": ["/page"], "private": []}


@pytest.mark.parametrize(("way", "seen"), [("robots", ["/robots.txt"]), ("moved", ["/moved"]), ("again", ["/page"])])
def test_each_connection_is_checked_anew(told: dict[str, dict[str, Any]], way: str, seen: list[str]) -> None:
    """After its robots.txt, after a redirect, and when another page is fetched."""
    assert told[way] == {"came": "refused", "lookups": 2, "public": seen, "private": []}
