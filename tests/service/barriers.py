"""What axe-core finds on a page that keeps people out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

AXE = Path(os.environ.get("TAMIS_AXE", Path(__file__).parents[2] / ".venv/node/node_modules/axe-core/axe.min.js"))
needs_axe = pytest.mark.skipif(
    not AXE.is_file(), reason=f"axe-core is not at {AXE}: npm install --prefix .venv/node axe-core"
)


def serious_barriers(page: Any) -> list[tuple[str, list[str]]]:
    """Violations that axe-core calls serious or critical, and where they are; the page's policy must be bypassed."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("() => axe.run(document, { iframes: false, resultTypes: ['violations'] })")
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
