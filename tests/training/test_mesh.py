from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import InputError
from tamis.evaluation.segment_gold import MarkedPage, read_blocks
from tamis.page.model import Page
from tamis.segmenters.mesh import Options, segment_with
from tamis.segmenters.mesh.model import MeshModel, load_model
from tamis.training import mesh
from tamis.training.mesh import MeshExample, MeshScore, TrainedMesh, agreement, read_example, write_model
from tamis.training.mesh_card import write_card
from tests.toy_mesh import toy_mesh

MARKED = """<div data-block=1 data-block-type=Header id=h><p>aaaa</p><p>bb</p></div>
<div data-block=1 data-block-type=Content id=c><div data-block=2 data-block-type=Article id=a><p>cccc</p><p>dd</p></div>
<p>eeee</p></div>"""


def marked_page(folder: Path, site: str = "a.example", markup: str = MARKED) -> MarkedPage:
    return MarkedPage(
        site=site,
        url=None,
        html=markup.encode(),
        file=folder / f"{site}.blocks.html",
        folder=folder,
        blocks=read_blocks(tamis.parse(markup)),
    )


def read(folder: Path) -> tuple[Page, MeshExample]:
    marked = marked_page(folder)
    example = read_example(marked, marked.parse())
    assert example is not None
    return marked.parse(), example


def test_candidates_learn_how_many_pairs_of_their_parts_are_in_one_block(tmp_path: Path) -> None:
    _, example = read(tmp_path)
    # Pieces count their characters and one more: 5 3 | (5 3) 5, in blocks h h | (a a) c.
    # The candidates are the page, h, its two pieces, c, a, its two pieces, and the last piece.
    top, deepest = example.together
    assert top.tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1]
    assert deepest.tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 1]


def test_what_is_at_stake_is_the_weight(tmp_path: Path) -> None:
    _, example = read(tmp_path)
    page_pairs, header_pairs = 21**2 - 8**2 - 13**2, 8**2 - 5**2 - 3**2
    assert example.weights[0][0] == pytest.approx(np.sqrt(page_pairs / 21 / 21))
    assert example.weights[0][1] == pytest.approx(np.sqrt(header_pairs / 8 / 21))
    assert example.weights[0][2] == 0  # a piece has no parts


def test_blocks_teach_their_names(tmp_path: Path) -> None:
    _, example = read(tmp_path)
    assert example.labels == ("header", "main", "article")
    assert example.blocks.tolist() == [1, 4, 5]
    assert example.is_top.tolist() == [True, True, False]


def test_text_in_no_block_is_together_with_nothing(tmp_path: Path) -> None:
    marked = marked_page(tmp_path, markup="<div data-block=1 data-block-type=Header>a</div><p>b</p><p>c</p>")
    example = read_example(marked, marked.parse())
    assert example is not None
    assert example.together[0][0] == 0


def test_a_page_on_which_nothing_is_seen_teaches_nothing(tmp_path: Path) -> None:
    marked = marked_page(tmp_path, markup="<div data-block=1></div>")
    assert read_example(marked, marked.parse()) is None


def test_no_model_has_seen_the_site_it_is_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[set[str]] = []
    models: list[MeshModel] = []

    def fit(examples: list[MeshExample]) -> MeshModel:
        fitted.append({example.site for example in examples})
        models.append(toy_mesh())
        return models[-1]

    monkeypatch.setattr(mesh, "fit", fit)
    sites = ["0.example", *(f"{number}.example" for number in range(11))]
    marked = [marked_page(tmp_path, site) for site in sites]
    found = mesh.left_out_models(marked, [page.parse() for page in marked])
    assert len(fitted) == mesh.FOLDS
    for site, model in zip(sites, found, strict=True):
        seen = fitted[models.index(model)]
        assert site not in seen
        assert len(seen) >= 9


def test_every_page_teaches_twice_as_rendered_and_by_its_estimate(tmp_path: Path) -> None:
    marked = [marked_page(tmp_path)]
    assert len(mesh.read_examples(marked, [marked[0].parse()])) == 2


def test_agreement_is_1_for_the_marked_blocks_and_less_for_others(tmp_path: Path) -> None:
    page = tamis.parse(MARKED)
    found = tamis.segment(page, method="one")
    top, deepest = agreement(page, found, marked_page(tmp_path))
    # Of 16 characters 6 are in the header and 10 in the content, of those 6 in the article.
    assert top == pytest.approx(2 * (36 + 100) / 256 / (1 + (36 + 100) / 256))
    assert deepest == pytest.approx(2 * (36 + 36 + 16) / 256 / (1 + (36 + 36 + 16) / 256))


def test_a_page_that_cannot_be_rendered_stops_the_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh, "render_marked", lambda marked, kept: (marked.parse(), kept and None))
    monkeypatch.setattr(mesh, "marked_pages", lambda archive: contextlib.nullcontext([marked_page(archive)]))
    with pytest.raises(InputError, match=r"a\.example could not be rendered"):
        mesh.train_mesh(tmp_path, tmp_path / "work", print)


def test_the_card_says_how_good_the_model_is(tmp_path: Path) -> None:
    scores = [
        MeshScore(
            site=site, top=top, deepest=0.5, estimated_top=0.25, estimated_deepest=0.125, right_labels=3, labels=4
        )
        for site, top in (("good.example", 1.0), ("bad.example", 0.5))
    ]
    trained = TrainedMesh(model=toy_mesh(), scores=tuple(scores), candidates=1234)
    out = tmp_path / "m.npz"
    write_model(trained, out)
    card = write_card(trained, out)
    assert "| rendered | 0.750 | 0.500 |" in card
    assert "| estimated | 0.250 | 0.125 |" in card
    assert "Of 8 marked blocks, 75.0% are called" in card
    assert "1,234 candidates" in card
    assert card.index("bad.example") < card.index("good.example")
    assert load_model(str(out)).labels == ("article", "main")
    assert [file.name for file in tmp_path.iterdir()] == ["m.npz"]


def test_a_model_is_learned_that_tells_blocks_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("catboost", reason="the extra train")
    for parameters in (mesh._TREES, mesh._LABEL_TREES):
        monkeypatch.setitem(parameters, "iterations", 40)
    marked = [marked_page(tmp_path, f"{number}.example", page_number(number)) for number in range(8)]
    examples = mesh.read_examples(marked, [page.parse() for page in marked])
    first, again = mesh.fit(examples), mesh.fit(examples)
    assert np.array_equal(first.deepest.leaf, again.deepest.leaf)
    assert first.labels == ("footer", "main")
    other = marked_page(tmp_path, "other.example", page_number(9))
    segmentation = segment_with(first, other.parse(), Options())
    assert agreement(other.parse(), segmentation, other) == (1.0, 1.0)
    assert [part.label for part in segmentation.root.parts] == ["main", "footer"]


def page_number(number: int) -> str:
    text = "".join(f"<p>{'word ' * (20 + number + line)}</p>" for line in range(5))
    return (
        f"<div data-block=1 data-block-type=Content class=content>{text}</div>"
        f"<div data-block=1 data-block-type=Footer class=footer><p>{'foot ' * 5}</p><p>note {number}</p></div>"
    )
