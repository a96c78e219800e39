"""``tamis annotate`` on a folder: what it refuses, and what it exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.cli import main
from tamis.training.annotations import Annotation, append, page_digest
from tamis.training.attachments import Places

pytest.importorskip("starlette")


def test_a_folder_without_pages_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", str(tmp_path)]) == 2
    assert "there are no pages in" in capsys.readouterr().err


def test_what_was_committed_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import tamis

    file = tmp_path / "a.html"
    file.write_text("<p>One paragraph.</p><p>Another one.</p>")
    page = tamis.parse(file)
    mark = Places(page).mark(int(page.nodes.named("p").argmax()))
    said = Annotation(page="a.html", annotator="ann", committed=True, digest=page_digest(page), marks=(mark,))
    append(tmp_path / "annotations.jsonl", said)
    out = tmp_path / "out"
    assert main(["annotate", str(tmp_path), "--annotator", "ann", "--export", str(out)]) == 0
    assert "1 pages with 2 elements written to" in capsys.readouterr().err
    assert 'class="CEML__MAIN__CONTENT">One' in (out / "ceml" / "a.html").read_text()
    assert main(["annotate", str(tmp_path), "--annotator", "bob", "--export", str(out)]) == 2
    assert "'bob' has committed no page; ann has" in capsys.readouterr().err
