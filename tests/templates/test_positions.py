"""Content is found again by its position, and only if it is built alike."""

from __future__ import annotations

import pytest

import tamis
from tamis.templates.positions import PrunedTree, Step, similarity

REPRESENTATIVE = "<body><div id=a><p>1</p><p>2</p></div><div id=b><ul><li>3</li><li>4</li></ul></div></body>"


def path_of_list() -> list[Step]:
    page = tamis.parse(REPRESENTATIVE)
    return PrunedTree(page).path(int(page.nodes.named("ul").argmax()))


def test_the_path_of_distinguished_positions_of_tv_10() -> None:
    assert path_of_list()[-2:] == [Step(2, 2, "b", "div"), Step(1, 1, None, "ul")]


@pytest.mark.parametrize(
    ("change", "is_found"),
    [
        (("<li>4</li>", "<li>4</li>" * 4), True),
        (("</body>", "<p>third</p></body>"), False),
        (("id=b", "id=c"), False),
        (("id=b", ""), False),
        (("<ul>", "<ol>"), False),
        (("<div id=a>", "<div id=z>"), True),
    ],
)
def test_where_the_list_is_found_again(change: tuple[str, str], is_found: bool) -> None:
    page = tamis.parse(REPRESENTATIVE.replace(*change))
    node = PrunedTree(page).locate(path_of_list())
    assert (node is not None and page.name(node) == "ul") is is_found


def test_tolerance_finds_it_behind_a_banner() -> None:
    page = tamis.parse(REPRESENTATIVE.replace("<body>", "<body><header>banner</header>"))
    tree = PrunedTree(page)
    assert tree.locate(path_of_list()) is None
    found = tree.locate(path_of_list(), tolerant=True)
    assert found is not None
    assert page.name(found) == "ul"


def test_the_similarity_of_tv_9() -> None:
    assert similarity(set("abcd"), set("abcef")) == 0.6
    assert similarity(set(), set()) == 1.0


def test_lists_of_any_length_are_built_alike() -> None:
    short, long = (tamis.parse(f"<ul>{'<li>x</li>' * count}</ul>") for count in (2, 50))
    paths = [PrunedTree(page).paths_below(int(page.nodes.named("ul").argmax())) for page in (short, long)]
    assert similarity(*paths) == 1.0


def article(number: int, banner: str = "") -> str:
    words = f"<p>{f'A sentence of page {number}, with enough words to be content. ' * 5}</p>"
    links = "".join(f"<li><a href=/{n}>link {n}</a></li>" for n in range(8))
    return (
        f"<body>{banner}<nav><ul>{links}</ul></nav><article><h1>Title of page {number}</h1>{words * 2}</article></body>"
    )


def test_the_content_of_one_page_shows_where_it_is_on_the_others() -> None:
    template = tamis.learn_template([article(number) for number in range(5)], method="positions")
    found = template.extract(tamis.parse(article(7)))
    assert "A sentence of page 7" in found.text
    assert "link 3" not in found.text
    assert found.notes == ()


def test_a_page_where_nothing_is_found_again_is_taken_alone() -> None:
    template = tamis.learn_template([article(number) for number in range(5)], method="positions")
    page = tamis.parse(article(7, "<div>banner</div>"))
    found = template.extract(page)
    assert "found again" in found.notes[0]
    assert found.spans == tamis.extract(page).spans
