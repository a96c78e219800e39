"""Every extra works on its own, and what needs another one answers with the line that installs it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench.extras import ADAPTERS, PROMISES
from tests.packaging.conftest import ROOT, Built
from tests.packaging.worlds import bare_python, make_world

pytestmark = pytest.mark.proof

APART = {
    "docs": "the site is built by tests/docs/test_site.py; python -m bench.packaging docs",
    "peers": "its packages are no part of the environment of the tests; python -m bench.packaging peers",
    "more-peers": "likewise",
    **dict.fromkeys(ADAPTERS, "its package is no part of the environment of the tests; see tests/adapters"),
    "ray": "a cluster takes long to start, and tests/scaling/test_ray.py has one; python -m bench.packaging ray",
}


@pytest.mark.parametrize("extra", sorted({*PROMISES} - {*APART}))
def test_an_extra_works_alone_and_the_others_are_asked_for(extra: str, built: Built, tmp_path: Path) -> None:
    wanted = () if extra == "core" else (extra,)
    environment = make_world(built.wheel, tmp_path, wanted)
    program = str(ROOT / "bench" / "extras.py")
    done = subprocess.run(
        [bare_python(), "-S", "-P", program, *wanted], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"ok  {extra} works" in done.stdout
    others = {"cli", "evaluation", "fetching", "ray", "rendering", "scaling", "service", "train"} - {extra}
    if extra == "train":
        others.remove("evaluation")  # brings all of it along
    assert {line.rpartition(" ")[2] for line in done.stdout.splitlines() if " asks for " in line} - {"peers"} == others
