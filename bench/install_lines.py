"""Writes into all pages how Tamis is installed.

    python -m bench.install_lines

While Tamis is on no index, lines that install it name the folder of the source: ``pip install '.[cli]'``. When it is on
one, ``SOURCE`` is ``tamis``.
"""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = "."
"""What pip is told to install: the folder of the source, or the name on an index."""
ROOT = Path(__file__).resolve().parent.parent
ADDING = "a missing extra show `pip install 'tamis[fetching]'`"
"""The one sentence about adding an extra, which works by name either way."""
_LINE = re.compile(r"(pip install (?:-\S+ (?:\S+\.txt )?)*')(?:\.|tamis)(\[[a-z,-]+\]')")


def pages() -> list[Path]:
    """All pages that show how Tamis is installed."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rewritten(text: str) -> str:
    """A page with the lines as they are to be.

    >>> rewritten("`pip install 'tamis[cli,ray]'` and pip install -c constraints.txt 'tamis[cli]'")
    "`pip install '.[cli,ray]'` and pip install -c constraints.txt '.[cli]'"
    """
    return ADDING.join(_LINE.sub(rf"\g<1>{SOURCE}\g<2>", part) for part in text.split(ADDING))


if __name__ == "__main__":
    for page in pages():
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
