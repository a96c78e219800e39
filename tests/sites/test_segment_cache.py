"""One page of each template is segmented, the others take its regions over if they are found there."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

import tamis
from tamis import segmenters
from tamis.clusterers.representatives import prune
from tamis.errors import OptionError
from tamis.page.boxes import Boxes
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tamis.regions import texts, walk
from tamis.results import Segmentation
from tamis.sites.places import NOT_FOUND, TreeToWalk, locate, places_of
from tamis.sites.segment_cache import CacheReport, Options, SegmentAnswer, SegmentCache, segment_pages
from tests.contract.test_segmenters import nodes_exist, parts_are_inside, siblings_share_nothing


def layout_of(markup: str) -> TreeToWalk:
    return TreeToWalk(prune(tamis.parse(markup)), ids=True)


def element(layout: TreeToWalk, name: str) -> int:
    return [layout.name(number) for number in range(len(layout.pruned.ids))].index(name)


EXAMPLE = "<div id=a><p>x</p><p>x</p></div><div id=b><ul><li>x</li><li>x</li></ul></div>"  # the tree of TV-10


def test_a_place_is_told_by_position_siblings_id_and_name_on_the_way() -> None:
    layout = layout_of(EXAMPLE)
    places, number = places_of(layout, [element(layout, "ul")])
    steps = [(place.position, place.siblings, place.id, place.name) for place in places]
    assert steps == [(1, 1, None, "html"), (1, 1, None, "body"), (2, 2, "b", "div"), (1, 1, None, "ul")]
    assert [place.parent for place in places] == [-1, 0, 1, 2]
    assert number[element(layout, "ul")] == 3


def found_in(markup: str, *, tolerant: bool = False) -> str | None:
    """The name of what is found where the list of the example stood."""
    example, layout = layout_of(EXAMPLE), layout_of(markup)
    places, number = places_of(example, [element(example, "ul")])
    place = locate(layout, places, tolerant=tolerant)[number[element(example, "ul")]]
    return None if place == NOT_FOUND else layout.name(place)


FIVE = EXAMPLE.replace("<li>x</li>", "<li>x</li>" * 5)


@pytest.mark.parametrize(
    ("markup", "strict", "tolerant"),
    [
        (FIVE, "ul", "ul"),
        (EXAMPLE + "<p>third child</p>", None, "ul"),
        ("<div>another</div>" + EXAMPLE, None, "ul"),
        (EXAMPLE.replace("id=b", "id=c"), None, None),
        (EXAMPLE.replace("id=b", ""), None, None),
        (EXAMPLE.replace("ul>", "ol>"), None, None),
        (EXAMPLE.replace("</div><div", "</div><script>var a</script><div"), "ul", "ul"),
    ],
)
def test_an_element_is_found_where_all_that_is_said_of_its_place_is_true(
    markup: str, strict: str | None, tolerant: str | None
) -> None:
    assert found_in(markup) == strict
    assert found_in(markup, tolerant=True) == tolerant


def test_places_that_are_found_are_different_elements() -> None:
    rows = "<div><b>x</b><p>y</p></div>" * 3
    first, second = layout_of(rows), layout_of("<section>new</section>" + rows)
    places, _ = places_of(first, range(len(first.pruned.ids)))
    for layout, tolerant in ((first, False), (second, True)):
        found = [place for place in locate(layout, places, tolerant=tolerant) if place != NOT_FOUND]
        assert len(set(found)) == len(found) == len(places)


def test_paths_below_do_not_depend_on_where_an_element_stands() -> None:
    deep, shallow = layout_of(f"<main><section>{EXAMPLE}</section></main>"), layout_of(EXAMPLE)
    for name in ("div", "ul", "li"):
        assert np.array_equal(deep.paths_below(element(deep, name)), shallow.paths_below(element(shallow, name)))
    assert len(shallow.paths_below(0)) == 2  # p in div#a, li in div#b
    other = layout_of(EXAMPLE.replace("id=b", "id=c"))
    assert len(np.intersect1d(other.paths_below(0), shallow.paths_below(0))) == 1


WORDS = "river council harbour market school winter minister bridge report village engine garden letter".split()


def words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count))


def filled(template: int, number: int) -> str:
    """A page: the template says what there is, the number how much and which words."""
    chance = random.Random(f"{template} {number}")
    entries = "".join(f"<li><a href='/{entry}'>{words(chance, 2)}</a></li>" for entry in range(chance.randint(3, 9)))
    paragraphs = "".join(f"<p>{words(chance, 20)}</p>" for _ in range(chance.randint(3, 8)))
    menu = f"<nav id=menu><ul>{entries}</ul></nav>"
    return [
        f"{menu}<main><article><h1>{words(chance, 3)}</h1>{paragraphs}</article></main><footer><p>Imprint</p></footer>",
        f"<div id=top>{menu}</div><table><tr><td><dl><dt>{words(chance, 1)}</dt><dd>{words(chance, 9)}</dd></dl></td>"
        f"<td><blockquote>{paragraphs}</blockquote></td></tr></table>",
        f"<header><h2>{words(chance, 2)}</h2></header><section><div id=gallery><ol>{entries}</ol></div></section>"
        f"<aside><form><fieldset>{paragraphs}</fieldset></form></aside>",
    ][template]


def crawl(templates: int, pages: int) -> list[Page]:
    urls = [(template, number) for number in range(pages) for template in range(templates)]
    return [tamis.parse(filled(*one), f"https://a.example/{one}") for one in urls]


def said(segmentation: Segmentation) -> list[tuple[int, str, str]]:
    placed = walk(segmentation.root)
    found = zip(placed, texts(segmentation.page, placed), strict=True)
    return [(item.depth, item.region.label, " ".join(text.split())) for item, text in found]


@pytest.mark.parametrize("method", ["one", "partition"])
def test_pages_of_k_templates_store_k_representatives_and_regions_hold_what_a_segmenter_finds(method: str) -> None:
    cache = SegmentCache(method, options={"min_links": 3} if method == "partition" else {})
    report = CacheReport()
    for page in crawl(3, 8):
        answer = cache.segment(page)
        report = report.plus(answer)
        direct = segmenters.segment(page, method, **cache.options)
        assert said(answer.segmentation) == said(direct)
        assert answer.segmentation.made == direct.made
        for promise in (nodes_exist, parts_are_inside, siblings_share_nothing):
            promise(answer.segmentation)
    assert len(cache.known["a.example"]) == 3
    assert (report.pages, report.hits) == (24, 21)
    assert report.hit_ratio == 1 - 3 / 24


def test_only_pages_without_an_example_are_rendered() -> None:
    rendered: list[str | None] = []

    def render(page: Page) -> Page:
        rendered.append(page.url)
        boxes = estimate_boxes(page)
        return page.with_boxes(dataclasses.replace(boxes, estimated=False))

    pages = crawl(2, 4)
    answers = list(segment_pages(pages, "partition", render=render))
    assert rendered == [pages[0].url, pages[1].url]
    assert [answer.hit for answer in answers] == [False, False] + [True] * 6
    assert [answer.representative for answer in answers[2:4]] == rendered
    assert answers[2].segmentation.page is pages[2]
    assert answers[2].segmentation.root.parts[0].box == answers[0].segmentation.root.parts[0].box


def test_a_page_is_answered_before_the_next_is_read() -> None:
    def endless() -> object:
        yield tamis.parse(EXAMPLE)
        raise AssertionError("the second page was read")

    assert not next(segment_pages(endless(), "one")).hit  # type: ignore[arg-type]


def test_sites_do_not_share_examples() -> None:
    pages = [
        tamis.parse(EXAMPLE, url) for url in ("https://a.example/1", "https://b.example/1", "https://x.a.example/")
    ]
    assert [answer.hit for answer in segment_pages(pages, "one")] == [False, False, True]


def hits(markups: list[str], method: str = "partition", **options: float) -> list[bool]:
    return [answer.hit for answer in segment_pages(map(tamis.parse, markups), method, reuse=Options(**options))]  # type: ignore[arg-type]


def boxes(*names: str) -> str:
    return "<div>" + "".join(f"<{name}>text</{name}>" for name in names) + "</div>"


@pytest.mark.parametrize(("min_similarity", "hit"), [(0.59, True), (0.6, False), (0.7, False)])
def test_more_than_the_wanted_share_of_paths_must_be_shared(min_similarity: float, hit: bool) -> None:
    """TV-9: three paths of four and five are 0.6."""
    first, second = boxes("p", "ul", "h1", "h2"), boxes("p", "ul", "h1", "h3", "h4")
    assert hits([first, second], "one", min_similarity=min_similarity) == [False, hit]


LINKS = "<a href=x>some words</a> " * 4


def test_a_region_that_is_built_differently_is_left_out_and_a_page_with_too_few_of_them_is_segmented() -> None:
    first = f"<nav>{LINKS}</nav><main><h1>Title of it</h1><p>{'text ' * 9}</p></main><footer>{LINKS}</footer>"
    second = first.replace("<h1>Title of it</h1>", "<ol><li>One</li></ol><h2>b</h2><h3>c</h3>")
    pages = [tamis.parse(first), tamis.parse(second)]
    lenient = list(segment_pages(pages, "partition", reuse=Options(min_similarity=0.4, min_found=0.5)))
    assert [answer.hit for answer in lenient] == [False, True]
    assert len(lenient[0].segmentation.root.parts) == 3
    assert [pages[1].name(part.nodes[0]) for part in lenient[1].segmentation.root.parts] == ["nav", "footer"]
    assert hits([first, second], min_similarity=0.4, min_found=0.9) == [False, False]


def test_one_more_sibling_hides_all_places_unless_siblings_may_come_and_go() -> None:
    first = f"<nav>{LINKS}</nav><main><p>{'text ' * 9}</p></main><footer>{LINKS}</footer>"
    banner = "<p>A banner.</p>" + first
    assert hits([first, banner], min_similarity=0.5, tolerant=False) == [False, False]
    assert hits([first, banner], min_similarity=0.5) == [False, True]


def test_a_page_whose_places_were_not_found_is_an_example_from_then_on() -> None:
    first = f"<nav>{LINKS}</nav><main><p>{'text ' * 9}</p></main><footer>{LINKS}</footer>"
    banner = "<p>A banner.</p>" + first
    assert hits([first, banner, first, banner], min_similarity=0.5, tolerant=False) == [False, False, True, True]


def test_texts_of_one_element_in_different_regions_are_found_again() -> None:
    page = tamis.parse("<p>one <b>two</b> three</p>")
    other = tamis.parse("<p>eins <b>zwei</b> drei</p>")
    fewer = tamis.parse("<p><b>zwei</b> drei</p>")
    answers = list(segment_pages([page, other, fewer], "text_nodes"))
    assert [answer.hit for answer in answers] == [False, True, False]
    found = [other.node_text(part.nodes[0]).strip() for part in answers[1].segmentation.root.parts]
    assert found == ["eins", "zwei", "drei"]


def results_page(records: int) -> str:
    rows = "".join(f"<li><a href=x>Title {number}</a> {'words ' * 30}</li>" for number in range(records))
    return f"<nav>Menu</nav><main><h1>Results</h1><ul>{rows}</ul></main>"


@pytest.mark.parametrize(("records", "found"), [(6, 6), (7, 6), (5, 5)])
def test_entries_that_the_example_lacks_belong_to_the_list_alone(records: int, found: int) -> None:
    pages = [tamis.parse(results_page(6)), tamis.parse(results_page(records))]
    first, second = segment_pages(pages, "visual_records", min_area=0.1)
    assert len(first.segmentation.root.parts[0].parts) == 6
    assert second.hit
    (region,) = second.segmentation.root.parts
    assert pages[1].name(region.nodes[0]) == "ul"
    assert len(region.parts) == found
    parts_are_inside(second.segmentation)
    siblings_share_nothing(second.segmentation)


@pytest.mark.parametrize(("records", "hit"), [(4, False), (5, True), (8, True), (9, False)])
def test_enough_of_the_example_and_enough_of_the_page_must_be_found(records: int, hit: bool) -> None:
    pages = [tamis.parse(results_page(6)), tamis.parse(results_page(records))]
    _, second = segment_pages(pages, "visual_records", min_area=0.1)
    assert second.hit == hit


def test_the_examples_that_were_not_used_for_longest_make_room() -> None:
    a, b, c = (boxes(name, "p") for name in ("ul", "ol", "dl"))
    assert hits([a, b, a, c, a, b], "one", max_representatives=2) == [False, False, True, False, True, False]


def test_what_scripts_made_of_a_page_is_no_example_for_what_servers_send() -> None:
    def render(page: Page) -> Page:
        return tamis.parse(page.source + "<p>made by a script</p>")

    answers = list(segment_pages([tamis.parse(EXAMPLE), tamis.parse(EXAMPLE)], "one", render=render))
    assert [answer.hit for answer in answers] == [False, False]
    assert "made by a script" in answers[0].segmentation.page.text


def test_the_report_counts_what_hits_would_have_cost() -> None:
    segmentation = tamis.segment("", method="one")
    report = CacheReport()
    assert (report.hit_ratio, report.seconds_saved) == (0.0, 0.0)
    for answer in (
        SegmentAnswer(segmentation, False, None, 0.25, 4.0, 1.0),
        SegmentAnswer(segmentation, False, None, 0.25, 2.0, 1.0),
        SegmentAnswer(segmentation, True, "x", 0.5),
    ):
        report = report.plus(answer)
    assert (report.pages, report.hits, report.seconds_matching) == (3, 1, 1.0)
    assert (report.seconds_rendering, report.seconds_segmenting) == (6.0, 2.0)
    assert report.seconds_saved == 1 * (8.0 / 2) - 1.0


def test_pages_with_nothing_on_them_are_answered() -> None:
    answers = list(segment_pages([tamis.parse(""), tamis.parse(""), tamis.parse(" ")], "text_nodes"))
    assert [answer.segmentation.root.parts for answer in answers] == [(), (), ()]


def test_no_box_is_needed_for_a_hit() -> None:
    first, second = (tamis.parse(filled(0, number)) for number in (1, 2))
    boxes = estimate_boxes(first)
    assert isinstance(boxes, Boxes)
    answers = list(segment_pages([first.with_boxes(boxes), second], "partition"))
    assert answers[1].hit
    assert answers[1].segmentation.page.boxes is None


@pytest.mark.parametrize("wrong", [{"min_similarity": 1.1}, {"min_found": -0.1}, {"max_representatives": 0}])
def test_options_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        Options(**wrong)  # type: ignore[arg-type]
