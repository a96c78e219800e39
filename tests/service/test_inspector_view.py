"""What the inspector is told of a page: blocks, tree, curves, outputs and where they come from."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.service import inert
from tamis.service.alignment import align, differences
from tamis.service.curves import MAX_POINTS, curves
from tamis.service.inert import inert_page, inert_style
from tamis.service.inspector_view import inspect_page, lay_out
from tests.hostile import HOSTILE
from tests.outputs.attacks import ATTACKS

NEWS = """<!doctype html><html lang=en><head><title>Seals</title><style>p { color: red }</style></head><body>
<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Sport</a></li></ul></nav>
<article id=story class="long read"><h1>Seals</h1>
<p>The seals came back to the bay in <b>April</b>, forty, and lay on the sand as if they had never been away.</p>
<p>Nobody knows where they were. The harbour master says that he did not ask, and that they would not have told him.</p>
</article><footer><a href=/c>Imprint</a></footer></body></html>"""


@pytest.fixture(name="page")
def _page() -> Page:
    return tamis.parse(NEWS, "https://bay.example/seals")


def test_every_block_says_what_became_of_it_and_why(page: Page) -> None:
    found = inspect_page(page, "sieve", {})
    texts = [block["text"] for block in found["blocks"]]
    assert texts[:3] == ["Home", "Sport", "Seals"]
    story = found["blocks"][3]
    assert story["kept"]
    assert story["share"] == 1
    assert story["name"] == "p"
    assert (story["words"], story["link_words"]) == (22, 0)
    assert "probability" in story["reason"]
    assert found["blocks"][0]["link_words"] == 1
    assert [block["number"] for block in found["blocks"]] == list(range(6))


def test_an_inspection_survives_json(page: Page) -> None:
    for method in tamis.methods():
        found = inspect_page(page, method, {}, "bte")
        assert json.loads(json.dumps(found, allow_nan=False))["method"] == method


def test_options_reach_the_method(page: Page) -> None:
    assert not any(block["kept"] for block in inspect_page(page, "keep_all", {"drop": "body"})["blocks"])
    with pytest.raises(OptionError):
        inspect_page(page, "sieve", {"bias": 3.0})


def test_the_features_of_the_learned_method_are_those_it_read(page: Page) -> None:
    features = inspect_page(page, "sieve", {})["features"]
    values = {features["names"][place]: value for place, value in features["rows"][0]}
    assert values["link_density"] == 1.0
    assert values["in_nav"] == 1.0
    assert "in_article" not in values
    assert inspect_page(page, "bte", {})["features"] is None


def test_the_tree_knows_the_blocks_below_each_element(page: Page) -> None:
    tree = inspect_page(page, "keep_all", {})["tree"]
    article = tree["label"].index("#story.long.read")
    assert tree["name"][article] == "article"
    assert (tree["first_block"][article], tree["last_block"][article]) == (2, 4)
    assert tree["name"][tree["parent"][article]] == "body"
    assert (tree["first_block"][tree["name"].index("head")], tree["parent"][0]) == (-1, -1)


def test_a_rival_says_how_much_of_each_block_it_keeps(page: Page) -> None:
    rival = inspect_page(page, "keep_all", {}, "bte")["rival"]
    assert rival["text"] == tamis.extract(page, method="bte").text
    assert rival["shares"][0] == 0
    assert rival["shares"][3] == 1


def test_words_of_the_outputs_know_their_blocks(page: Page) -> None:
    found = inspect_page(page, "keep_all", {})
    for name in ("text", "markdown"):
        text, stretches = found["outputs"][name]["text"], found["outputs"][name]["stretches"]
        by_block = {block: text[start:end] for start, end, block in stretches}
        assert by_block[2] == "Seals"
        assert by_block[4].endswith("told him.")
        assert [block for _, _, block in stretches] == sorted(block for _, _, block in stretches)


def test_pictures_and_addresses_in_markdown_are_no_words_of_the_page() -> None:
    output = "![two words](https://a.example/two) one two words [three](https://three.example/four) four"
    assert align(output, [(0, "one two words"), (1, "three"), (2, "four")]) == [
        (36, 49, 0),
        (51, 56, 1),
        (len(output) - 4, len(output), 2),
    ]


WORDS = st.sampled_from("sea salt sand seal, shell. 漢字 l'île -- 7".split())


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), max_size=8))
def test_a_text_made_of_blocks_is_traced_back_to_them(texts: list[str]) -> None:
    blocks = list(enumerate(texts))
    output = "\n\n".join(texts)
    stretches = align(output, blocks)
    assert [block for _, _, block in stretches] == [number for number, text in blocks if re.search(r"\w", text)]
    for start, end, block in stretches:
        assert output[start:end] in texts[block]


@given(st.lists(WORDS, max_size=20).map(" ".join), st.lists(WORDS, max_size=20).map(" ".join))
def test_differences_lead_from_one_text_to_the_other(left: str, right: str) -> None:
    pieces = differences(left, right)
    for text, missing in ((left, "+"), (right, "-")):
        assert "".join("".join(piece for sign, piece in pieces if sign != missing).split()) == "".join(text.split())


def test_white_space_is_no_difference() -> None:
    assert [sign for sign, _ in differences("one two\n\nthree", "one  two three")] == ["="]
    assert differences("a b c", "a c") == [("=", "a "), ("-", "b "), ("=", "c")]


def test_the_curve_of_tag_ratios_has_a_point_for_each_line_and_the_block_on_it(page: Page) -> None:
    curve, scatter, scores = curves(tamis.extract(page, method="cetr"))
    assert curve["count"] == len(curve["series"][0]["values"]) == 6
    assert curve["blocks"] == [-1, 0, 2, 3, 4, 5]
    line = "The seals came back to the bay in April, forty, and lay on the sand as if they had never been away."
    assert curve["series"][0]["values"][3] == pytest.approx(len(line) / 4, rel=1e-3)
    assert len(scatter["points"]) == 6
    assert scores["series"][0]["name"] == "share kept"


def test_the_curve_of_bte_climbs_by_one_for_a_word_and_falls_by_one_for_a_tag() -> None:
    curve = curves(tamis.extract("<p>one two</p><p>three</p>", method="bte"))[0]
    assert curve["series"][0]["values"] == [-1, 0, 1, 0, -1, 0, -1]
    assert curve["chosen"] == [False, True, True, False, False, False, False]
    assert curve["blocks"] == [-1, 0, 0, 0, 0, 1, 1]


def test_the_limit_of_code_blurring_is_its_threshold_and_strips_end_in_the_line() -> None:
    page = tamis.parse(NEWS)
    curve = curves(tamis.extract(page, method="ccb", threshold=0.6))[0]
    assert curve["limit"] == 0.6
    assert curve["series"][0]["shape"] == "strip"
    assert curve["series"][-1]["values"] == curve["series"][-2]["values"]


@pytest.mark.parametrize("method", ["bte", "dsc", "adsc", "ccb", "accb", "tccb", "cetr", "cetr_km", "cetr_tm"])
def test_long_curves_are_thinned_and_choose_what_the_method_chooses(method: str) -> None:
    menu = "<li><a href=x><b>y</b></a></li>\n" * 150
    body = "".join(f"<p>{f'Sentence {number} has a few words in it, and no links. ' * 9}</p>\n" for number in range(60))
    extraction = tamis.extract(f"<ul>{menu}</ul>{body}<ul>{menu}</ul>", method=method)
    curve = curves(extraction)[0]
    sizes = {len(curve["chosen"]), len(curve["blocks"]), *(len(series["values"]) for series in curve["series"])}
    assert sizes == {min(curve["count"], MAX_POINTS)}
    kept = {block.number for block in extraction.blocks if block.kept}
    on_curve = {block for block, chosen in zip(curve["blocks"], curve["chosen"], strict=True) if chosen and block >= 0}
    assert len(on_curve & kept) >= 0.9 * len(on_curve) > 0


def test_pages_without_text_or_tags_have_no_curves_to_fail_on() -> None:
    for source in ("", "<p></p>", "only words", "<br>" * 10):
        for method in tamis.methods():
            curves(tamis.extract(source, method=method))


def test_the_layout_has_a_box_for_each_block_inside_the_page(page: Page) -> None:
    found = lay_out(page, "", {})
    assert found["estimated"]
    assert len(found["blocks"]) == 6
    for left, top, right, bottom in found["blocks"]:
        assert 0 <= left < right <= found["width"]
        assert 0 <= top < bottom <= found["height"]


def test_hidden_blocks_are_numbered_when_the_method_sees_them() -> None:
    page = tamis.parse("<p>seen</p><div hidden><p>unseen</p></div><p>seen again</p>")
    assert [box is None for box in lay_out(page, "", {}, revealed=True)["blocks"]] == [False, True, False]
    assert len(lay_out(page, "", {})["blocks"]) == 2


def test_regions_come_with_their_blocks_parents_first(page: Page) -> None:
    regions = lay_out(page, "text_nodes", {})["regions"]
    assert regions[0]["parent"] == -1
    assert all(region["parent"] < place for place, region in enumerate(regions))
    assert sorted({block for region in regions for block in region["blocks"]}) == list(range(6))


# The inert page.

SAFE = re.compile(r"<(!doctype html|/?[a-z][a-z0-9-]*)((?: [a-z-]+(?:=\"[^\"<>]*\")?)*)>")
NAMES = {
    *(
        inert.NODE_ATTRIBUTE,
        inert.BLOCK_ATTRIBUTE,
        inert.STYLE_ATTRIBUTE,
        "data-was",
        "data-link",
        "disabled",
        "hidden",
    ),
    *("charset", "http-equiv", "content", "src"),
    *inert._ATTRIBUTES,
}


def check(markup: str, sheets: tuple[str, ...]) -> None:
    """Fails if there is a tag or an attribute that is not meant to be there, or an address."""
    assert "<" not in SAFE.sub("", markup)
    for tag in SAFE.finditer(markup):
        for attribute in re.finditer(r' ([a-z-]+)(?:="([^"]*)")?', tag[2]):
            assert attribute[1] in NAMES
            if attribute[1] == "src":
                assert attribute[2].startswith("data:image/")
        assert tag[1] not in (
            "script",
            "iframe",
            "object",
            "embed",
            "link",
            "base",
            "svg",
            "math",
            "style",
            "form action",
        )
    for sheet in sheets:
        assert not re.search(r"url\((?!['\"]?data:image/)|@import", sheet, re.IGNORECASE)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_in_an_inert_page_can_run_or_load(attack: str) -> None:
    view = inert_page(tamis.parse(attack))
    check(view.markup, view.sheets)


@given(st.lists(st.sampled_from(ATTACKS), min_size=2, max_size=4).map("".join), st.data())
def test_nothing_runs_when_attacks_are_cut_and_joined(markup: str, data: st.DataObject) -> None:
    view = inert_page(tamis.parse(markup[data.draw(st.integers(0, len(markup))) :]))
    check(view.markup, view.sheets)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_can_be_inspected(name: str) -> None:
    hostile = HOSTILE[name]
    found = inspect_page(tamis.parse(hostile.make(hostile.small)), "sieve", {}, "bte")
    json.dumps(found, allow_nan=False)


def test_the_inert_page_shows_every_block_where_it_stands(page: Page) -> None:
    again = tamis.parse(inert_page(page).markup)
    marked = np.flatnonzero([again.name(node) == inert.TEXT_ELEMENT for node in range(len(again.nodes))])
    shown: dict[int, str] = {}
    for node in marked.tolist():
        block = int(again.attributes(node)[inert.BLOCK_ATTRIBUTE])
        shown[block] = shown.get(block, "") + again.node_text(node)
    assert [" ".join(shown[number].split()) for number in range(6)] == [block.text for block in page.blocks]


def test_styles_and_written_out_pictures_stay_and_addresses_go() -> None:
    source = (
        "<style media=print>p{background:URL( 'https://evil.example/x' )}</style>"
        "<p style='color:red;background:url(//evil.example)'>x<img src=https://evil.example/i.png alt=boat>"
        "<img src='data:image/png;base64,iVBO'><a href=https://evil.example>y</a>"
    )
    view = inert_page(tamis.parse(source))
    assert view.sheets == ("@media print { p{background:none} }",)
    assert 'data-style="color:red;background:none"' in view.markup
    assert 'src="data:image/png;base64,iVBO"' in view.markup
    assert 'alt="boat"' in view.markup
    assert "evil" not in view.markup


def test_a_sheet_loses_its_addresses_and_keeps_the_rest() -> None:
    assert inert_style("@import 'x.css'; p{color:red}") == "none p{color:red}"
    assert inert_style(r"p{background:\75 rl(//a.example);mask:u\000072L(//b)} @\69mport 'c';") == (
        "p{background:none;mask:none} none"
    )
    assert (
        inert_style("i{background:url(data:image/png;base64,AA==)}") == "i{background:url(data:image/png;base64,AA==)}"
    )


def test_a_page_that_is_too_long_to_be_shown_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch, page: Page) -> None:
    assert inert_page(page).complete
    monkeypatch.setattr(inert, "MAX_CHARACTERS", 500)
    view = inert_page(page)
    assert not view.complete
    assert 500 <= len(view.markup) < 1000


def test_of_a_page_with_too_many_blocks_the_first_are_inspected(monkeypatch: pytest.MonkeyPatch) -> None:
    page = tamis.parse("<p>words of one block</p>" * 6)
    for most, status in ((6, "ok"), (5, "truncated")):
        monkeypatch.setattr("tamis.service.inspector_view.MAX_BLOCKS", most)
        found = inspect_page(page, "keep_all", {})
        assert (len(found["blocks"]), found["result"]["status"]) == (most, status)


def test_of_a_page_that_is_too_long_the_beginning_is_inspected(monkeypatch: pytest.MonkeyPatch) -> None:
    page = tamis.parse("<p>one</p><p>two</p>", "https://bay.example/")
    for most, status, blocks in ((20, "ok", 2), (19, "truncated", 2), (10, "truncated", 1)):
        monkeypatch.setattr("tamis.service.inspector_view.MAX_SOURCE", most)
        found = inspect_page(page, "keep_all", {})
        assert (found["result"]["status"], len(found["blocks"])) == (status, blocks)
        assert found["page"]["url"] == "https://bay.example/"
