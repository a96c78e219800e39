"""``tamis extract --scripts``: pages that their scripts write, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright")

from tamis.cli import main
from tamis.errors import TamisError
from tamis.rendering.browser import find_browser

# Without its script the first page has nothing, and the second another text.
WRITTEN = """<!doctype html><title>Tides</title><div id=root></div><script>
document.querySelector("#root").innerHTML = "<article><h1>Tides</h1><p>The sea was measured by hand each day, and the "
  + "books in which it was written down are kept to this day.</p><p>Later a machine did it, without a pause.</p>";
</script>"""
CHANGED = """<!doctype html><title>Mills</title><article><h1>Mills</h1><p>The old mills of the valley stood still for
forty days, until the rain came.</p><p id=last>This is written in the page.</p></article><script>
document.querySelector("#last").textContent = "This is written by a script.";</script>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    try:
        find_browser()
    except TamisError as error:
        pytest.skip(str(error))
    (tmp_path / "a-written.html").write_text(WRITTEN)
    (tmp_path / "b-changed.html").write_text(CHANGED)
    return tmp_path


@pytest.mark.parametrize(
    ("flags", "is_written", "is_changed"),
    [([], False, False), (["--scripts"], True, True), (["--scripts-if-empty"], True, False)],
)
def test_scripts_run_for_all_pages_or_for_empty_ones_or_for_none(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], flags: list[str], is_written: bool, is_changed: bool
) -> None:
    assert main(["extract", str(folder), *flags]) == 0
    told = capfdbinary.readouterr().out.decode()
    assert ("written down are kept to this day" in told) == is_written
    assert ("written by a script" in told) == is_changed
    assert ("written in the page" in told) != is_changed
