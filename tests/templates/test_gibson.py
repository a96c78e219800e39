"""Sub-trees and stretches of text that pages share measure how much of a site is template."""

from __future__ import annotations

import pytest

import tamis
from tamis.errors import OptionError
from tamis.templates import dom_hash, text_windows
from tests.templates.pages import MENU, articles


def site(count: int, share: float) -> list[str]:
    """Pages of 600 characters of which a share is the same on all."""
    fixed = int(600 * share)
    return [f"<div>{'s' * fixed}</div><p>{chr(97 + n) * (600 - fixed)}</p>" for n in range(count)]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("method", [dom_hash, text_windows])
def test_the_volume_is_the_share_that_was_put_there(method: object, share: float) -> None:
    name = method.__name__.rpartition(".")[2]  # type: ignore[attr-defined]
    pages = site(12, share)
    template = tamis.learn_template(pages, method=name)
    found = method.volume(tamis.parse(pages[3]), template, method.Options())  # type: ignore[attr-defined]
    assert found == pytest.approx(share, abs=0.01)


def test_two_pages_and_a_tenth_of_them_are_enough_for_a_sub_tree() -> None:
    pages = [f"<p>own words {n}</p>" + "<ul><li>shared item</li></ul>" * (n < 2) for n in range(10)]
    template = tamis.learn_template(pages, method="dom_hash")
    assert template.extract(tamis.parse(pages[0])).text == "own words 0"
    many = [f"<p>own words {n}</p>" + "<ul><li>shared item</li></ul>" * (n < 2) for n in range(40)]
    template = tamis.learn_template(many, method="dom_hash")
    assert "shared item" in template.extract(tamis.parse(many[0])).text


def test_attributes_are_part_of_a_sub_tree_and_their_order_is_not() -> None:
    pages = [f"<p>own {n}</p><div id=a class=b>same</div>" for n in range(3)]
    pages += [f"<p>own {n}</p><div class=b id=a>same</div>" for n in range(3, 6)]
    template = tamis.learn_template(pages, method="dom_hash")
    assert [template.extract(tamis.parse(page)).text for page in pages] == [f"own {n}" for n in range(6)]
    # The text node alone is the same whatever is around it.
    assert template.extract(tamis.parse("<p>new</p><div id=z>same</div>")).text == "new"


def test_the_largest_sub_tree_covers_all_that_is_in_it() -> None:
    pages = articles(6)
    options = dom_hash.Options()
    template = tamis.learn_template(pages, method="dom_hash")
    marked = dom_hash.template_nodes(pages[0], template, options)
    nav = int(pages[0].nodes.named("nav").argmax())
    assert marked[nav]
    assert MENU.count("<li>") == 6


def test_a_window_that_a_third_of_few_pages_share_is_template() -> None:
    long = "a stretch of text that is longer than the window of characters"
    pages = [f"<p>own words of page {n} {chr(97 + n) * 40}</p>" + f"<p>{long}</p>" * (n < 4) for n in range(9)]
    template = tamis.learn_template(pages, method="text_windows")
    assert long not in template.extract(tamis.parse(pages[0])).text
    rare = [page.replace(f"<p>{long}</p>", "") if n > 1 else page for n, page in enumerate(pages)]
    template = tamis.learn_template(rare, method="text_windows")
    assert long in template.extract(tamis.parse(rare[0])).text


def test_a_text_shorter_than_the_window_is_one_window() -> None:
    template = tamis.learn_template([f"<p>{n}</p>" for n in range(6)], method="text_windows")
    assert template.extract(tamis.parse("<p>3</p>")).text == "3"


def test_options_are_checked() -> None:
    with pytest.raises(OptionError):
        dom_hash.Options(min_share=0.5, max_share=0.1)
    with pytest.raises(OptionError):
        text_windows.Options(window=0)


def test_a_classifier_knows_template_blocks_by_their_looks() -> None:
    pages = articles(8)
    template = tamis.learn_template(pages, method="page_classifier")
    new = tamis.parse(
        "<body><nav><ul><li><a href=/q>Neverseen</a></li><li><a href=/r>Elsewhere</a></li></ul></nav>"
        f"<div id=main><h1>Title words here now</h1><p>{'Some words of an article. ' * 12}</p>"
        f"<p>{'More words of the same. ' * 12}</p></div><footer><p>Unknown footer</p></footer></body>"
    )
    found = template.extract(new)
    assert "Some words of an article." in found.text
    assert "Neverseen" not in found.text
    assert found.scores is not None
    assert found.scores[0] < 0.5 < max(found.scores)
