"""A place where neither layout nor text changes is noise."""

from __future__ import annotations

import pytest

import tamis
from tamis.errors import OptionError
from tamis.templates.sst import Element, Style, importances, inner_importance, node_importance, site_tree
from tests.templates.pages import articles


def test_the_worked_importance_of_an_element_with_two_styles() -> None:
    own = node_importance((0.75, 0.25), 4)
    assert own == pytest.approx(0.4056, abs=5e-5)
    assert inner_importance(own, 0.25 * 1, 2, 0.9) == pytest.approx(0.2796, abs=5e-5)
    assert inner_importance(own, 0.75 * 0.2 + 0.25 * 0.8, 2, 0.9) == pytest.approx(0.3606, abs=5e-5)


def test_the_same_from_a_tree() -> None:
    """Style one holds a leaf with a word of all pages (0), style two a leaf of one page (1)."""
    inner = Element(pages=4, styles={"one": Style(3, [1]), "two": Style(1, [2])})
    shared = Element(pages=3, styles={"": Style(3)}, features={"word": [1, 1, 1]})
    alone = Element(pages=1, styles={"": Style(1)}, features={"other": [1]})
    assert importances([inner, shared, alone], 0.9) == [pytest.approx(0.2796, abs=5e-5), pytest.approx(0.0), 1.0]


def test_a_leaf_of_one_word_on_all_pages_is_noise_and_one_of_new_words_is_not() -> None:
    same = Element(pages=4, styles={"": Style(4)}, features={"word": [1, 1, 1, 1]})
    new = Element(pages=4, styles={"": Style(4)}, features={f"word{n}": [1] for n in range(4)})
    empty = Element(pages=4, styles={"": Style(4)})
    assert [importances([one], 0.9)[0] for one in (same, new, empty)] == [pytest.approx(0.0), 1.0, 0.0]


def test_pages_of_one_style_share_their_elements() -> None:
    pages = [tamis.parse(f"<body><div class=a><p>{n}</p></div><p>x</p></body>") for n in range(3)]
    tree = site_tree(pages)
    assert [element.pages for element in tree] == [3, 3, 3, 3]
    other = tamis.parse("<body><div class=b><p>1</p></div><p>x</p></body>")
    assert sorted(element.pages for element in site_tree([*pages, other])) == [1, 1, 1, 3, 3, 3, 4]


def test_elements_without_text_are_in_the_tree() -> None:
    pages = [tamis.parse(f"<body><div><img src=/{n}.png></div><hr><script>1</script><p>x</p></body>") for n in range(3)]
    tree = site_tree(pages)
    assert [element.pages for element in tree] == [3, 3, 3, 3, 3]  # body, div, hr, p, img
    assert site_tree([*pages, tamis.parse("<body><div></div><p>x</p></body>")])[0].styles.keys() > tree[0].styles.keys()


def test_image_files_are_features() -> None:
    """An image that changes from page to page matters, and one that does not is noise, alone and beside text."""
    pages = [
        tamis.parse(
            f"<body><div><img src=/logo.png></div><div><img src=/{n}.jpg></div><p>x<img src=/{n}.jpg></p></body>"
        )
        for n in range(4)
    ]
    tree = site_tree(pages)
    features = [set(element.features) for element in tree]
    assert {"image /logo.png"} in features
    assert {f"image /{n}.jpg" for n in range(4)} in features
    assert {"word x", *(f"image /{n}.jpg" for n in range(4))} in features
    importance = dict(zip(map(frozenset, features), importances(tree, 0.9), strict=True))
    assert importance[frozenset({"image /logo.png"})] == pytest.approx(0.0)
    assert importance[frozenset(f"image /{n}.jpg" for n in range(4))] == 1.0


def test_the_menu_is_deleted_and_an_unknown_part_is_kept() -> None:
    pages = articles(8)
    template = tamis.learn_template(pages, method="sst")
    assert "River" not in template.extract(pages[0]).text.split("\n")[0]
    strange = tamis.parse("<body><section><p>Never seen before.</p></section></body>")
    assert template.extract(strange).text == "Never seen before."


def test_a_higher_threshold_removes_more() -> None:
    pages = [
        f"<body><p>{'same words here' if n % 2 else 'other words here'}</p><div>own{n}</div></body>" for n in range(6)
    ]
    texts = [
        tamis.learn_template(pages, method="sst", threshold=threshold).extract(tamis.parse(pages[0])).text
        for threshold in (0.0, 0.15, 0.99)
    ]
    assert len(texts[0]) >= len(texts[1]) > len(texts[2])


def test_options_are_checked() -> None:
    with pytest.raises(OptionError):
        tamis.learn_template([], method="sst", gamma=2.0)
