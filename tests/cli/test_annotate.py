"""``tamis annotate`` on a folder: what it refuses, and what it exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.cli import main
from tamis.service import annotating
from tamis.training.annotations import Annotation, append, page_digest
from tamis.training.attachments import ElementPaths, fewest_marks
from tests.service.test_annotating import no_browser
from tests.training.pages import sample

pytest.importorskip("starlette")


def test_a_folder_without_pages_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", str(tmp_path)]) == 2
    assert "there are no pages in" in capsys.readouterr().err


def test_what_was_committed_is_exported(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    import tamis

    file = tmp_path / "a.html"
    file.write_text("<p>One paragraph.</p><p>Another one.</p>")
    page = tamis.parse(file)
    mark = ElementPaths(page).mark(int(page.nodes.named("p").argmax()))
    said = Annotation(page="a.html", annotator="ann", committed=True, digest=page_digest(page), marks=(mark,))
    append(tmp_path / "annotations.jsonl", said)
    out = tmp_path_factory.mktemp("out")
    assert main(["annotate", str(tmp_path), "--annotator", "ann", "--export", str(out)]) == 0
    assert "1 page with 2 elements written to" in capsys.readouterr().err
    assert 'class="CEML__MAIN__CONTENT">One' in (out / "ceml" / "a.html").read_text()
    assert main(["annotate", str(tmp_path), "--annotator", "bob", "--export", str(out)]) == 2
    assert "'bob' has committed no page; ann has" in capsys.readouterr().err


def annotated(place: Path, label: str = "main", wrapper: str = "{}") -> Path:
    """A folder with pages on which Ann has said of titles and paragraphs what they are."""
    import tamis

    folder = place / "pages"
    folder.mkdir()
    for host in range(6):
        file = folder / f"{host}.html"
        file.write_text(wrapper.format(sample(host, 0).markup))
        page = tamis.parse(file)
        marks = fewest_marks(page, dict.fromkeys(page.select("h1, p"), label))
        append(
            folder / annotating.FILE,
            Annotation(page=file.name, annotator="ann", committed=True, digest=page_digest(page), marks=marks),
        )
    return folder


@pytest.mark.parametrize("wrapper", ["{}", "<div class=has-nav>{}</div>", "<div class=ads-enabled>{}</div>"])
@pytest.mark.parametrize("exported", ["pages.jsonl", "elements.csv"])
def test_what_was_annotated_is_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exported: str, wrapper: str
) -> None:
    """Also where everything stands in an element that is called like a menu, or like an advertisement."""
    pytest.importorskip("rapidfuzz", reason="belongs to the extra train")
    import tamis

    monkeypatch.setattr(annotating, "render_full", no_browser)
    folder = annotated(tmp_path, wrapper=wrapper)
    assert main(["annotate", str(folder), "--annotator", "ann", "--export", str(tmp_path / "out")]) == 0
    model = tmp_path / "my.json"
    asked = ["train", str(tmp_path / "out" / exported), "--model", "elements", "--out", str(model), "--workers", "1"]
    assert main([*asked, "--work", str(tmp_path / "work")]) == 0
    found = tamis.extract(wrapper.format(sample(7, 3).markup), method="elements", model=str(model)).text
    assert found.split() == (sample(7, 3).gold or "").split()


@pytest.mark.parametrize("exported", ["pages.jsonl", "elements.csv"])
def test_one_class_cannot_be_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], exported: str
) -> None:
    pytest.importorskip("rapidfuzz", reason="belongs to the extra train")
    monkeypatch.setattr(annotating, "render_full", no_browser)
    folder = annotated(tmp_path, "noisy")
    assert main(["annotate", str(folder), "--annotator", "ann", "--export", str(tmp_path / "out")]) == 0
    asked = ["train", str(tmp_path / "out" / exported), "--model", "elements", "--out", str(tmp_path / "my.json")]
    assert main([*asked, "--work", str(tmp_path / "work"), "--workers", "1"]) == 2
    assert "all elements are of one class" in capfd.readouterr().err
    assert not (tmp_path / "my.json").exists()
