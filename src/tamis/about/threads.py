"""Comments below an article, posts of a forum thread, answers to a question: who said what, when, in reply to whom.

Posts are made by one template, so their texts stand in elements with the same class. Of all classes that sound like it,
the one is taken whose elements hold the most text and have, each in its own surroundings, a date and an author beside
it. Posts that the page only carries as JSON-LD are read from there.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tamis.about.comment_names import FORUM_URL, IN_COMMENTS, ONE_COMMENT, ONE_POST, POST, POST_TEXT
from tamis.about.declared_posts import declared_posts
from tamis.about.moments import find_moments
from tamis.about.post_authors import LINKED, NAMED, about_post, is_profile
from tamis.about.posts import MAX_POSTS, Post
from tamis.about.script_data import read_json_ld
from tamis.page.blocks import running_text
from tamis.page.html import mask
from tamis.page.model import INVISIBLE, Page
from tamis.page.spans import Span
from tamis.page.text import Bools, Ints, collapse

_MAX_GROUPS = 300  # classes that are weighed; the most frequent first
_MAX_CLIMB = 12  # levels between a text and the element that holds all of its post
_MAX_BESIDE = 200  # nodes beside a text that are searched for its author and date
_MIN_POSTS = 2  # of one class; a single post counts if its class says that it is a comment
_MAX_SIZE_SHARE = 0.95  # of the page's text in one post; beyond it is no post but the page
# Of the post in the middle, by length; less is a button (15 lost short posts of train/forum_harvest).
_MIN_CHARACTERS = 5
_LINE_WORDS = 15  # of a line such as "by Ann on Monday, 3 May 2021, 10:15"
_MIXED_LOSS = 0.5  # for texts that begin with a name or a date: there is a narrower class that does not
_MIN_SHARE = 0.5  # of posts that have a date and an author beside them
_MAX_HEADED = 0.5  # share of posts with a linked heading beside them; beyond it they are teasers of other pages
_NO_HOLDERS = (
    "a abbr aside b button cite em fieldset figcaption footer form h1 h2 h3 h4 h5 h6 header html body i iframe img "
    "input label "
    "legend nav option select small strong sub sup svg textarea time u video"
).split()
_DIGITS = re.compile(r"\d+")
_DEPTH = re.compile(r"(?:\A|\s)(?:depth|level|indent|lvl)-?(\d{1,2})(?:\s|\Z)", re.IGNORECASE)


def read_threads(page: Page) -> tuple[Post, ...]:
    """The posts of a page in their order; empty if there are none."""
    group = _best_group(page)
    if group is None:
        return tuple(declared_posts(read_json_ld(page)))
    parents = _parents(page, group.bodies)
    posts = []
    for number, body in enumerate(group.bodies):
        about = about_post(page, _beside(page, group, number))
        posts.append(
            Post(
                author=about.author,
                author_url=about.author_url,
                date=str(about.moment) if about.moment else None,
                text=_text(page, body, group.bodies),
                node=body,
                spans=page.subtree_spans(body),
                line=_line(page, about.places),
                parent=parents[number],
            )
        )
    return tuple(posts)


def _line(page: Page, places: Sequence[int]) -> tuple[Span, ...]:
    """The short blocks in which author and date stand; of longer ones only the words that say so."""
    blocks, nodes = page.blocks, page.nodes
    found = []
    for place in places:
        first, last = np.searchsorted(blocks.leaves, (place, nodes.end[place]))
        if first == last:
            continue  # said by an attribute of something that shows no text
        number = int(np.searchsorted(blocks.first_leaf, first, side="right")) - 1
        is_short = blocks.words[number] <= _LINE_WORDS
        starts, ends = (blocks.start, blocks.end) if is_short else (nodes.text_start, nodes.text_end)
        whose = number if is_short else place
        found.append(Span(int(starts[whose]), int(ends[whose])))
    return tuple(sorted(set(found)))


class _Group(NamedTuple):
    bodies: list[int]  # elements that hold the texts, in document order
    holders: list[tuple[int, int]]  # for each the nodes that belong to its post, from and to


def _best_group(page: Page) -> _Group | None:
    best, best_score = None, 0.0
    sizes = page.nodes.totals(page.flow.characters)
    weighed = [(float(_own_sizes(page, bodies, sizes).sum()), name, bodies) for name, bodies in _groups(page)]
    for length, name, bodies in sorted(weighed, key=lambda one: -one[0]):
        if length <= best_score:  # the score is at most the length
            break
        group = _Group(bodies, _holders(page, bodies))
        score = length * _fitness(page, group, name, sizes[bodies])
        if score > best_score:
            best, best_score = group, score
    return best


def _groups(page: Page) -> list[tuple[str, list[int]]]:
    """Elements that share a class or, but for digits, an id, where its name sounds like a post."""
    nodes = page.nodes
    is_holder = nodes.elements & ~nodes.named(*_NO_HOLDERS) & ((nodes.flags & INVISIBLE) == 0)
    candidates = np.flatnonzero(is_holder & (nodes.text_end > nodes.text_start))
    found: dict[str, list[int]] = {}
    for attribute in ("class", "id", "itemprop", "data-role"):
        for node, value in zip(candidates.tolist(), page.attribute(candidates, attribute), strict=True):
            if value and len(value) < 500 and POST_TEXT.search(value):
                for word in value.split():
                    if attribute != "id" or _DIGITS.search(word):
                        key = _DIGITS.sub("#", word)
                        if POST_TEXT.search(key):
                            name = f"{page.name(node)}.{key}"
                            found.setdefault(name, []).append(node)
                            found.setdefault(f"{_first_class(page, node)} > {name}", []).append(node)
    kept = [
        (name, group)
        for name, group in found.items()
        if len(group) >= (1 if ONE_COMMENT.search(name) else _MIN_POSTS) and len(group) <= MAX_POSTS
    ]
    kept.sort(key=lambda one: -len(one[1]))
    return kept[:_MAX_GROUPS]


def _first_class(page: Page, node: int) -> str:
    """Name and first class of the element around another: common names such as "content" need it to tell them apart."""
    above = max(0, int(page.nodes.parent[node]))
    return ".".join([page.name(above), *page.attributes(above).get("class", "").split()[:1]])


def _holders(page: Page, bodies: Sequence[int]) -> list[tuple[int, int]]:
    """For each text the largest element around it that holds no other, as the nodes that belong to its post."""
    nodes = page.nodes
    sorted_bodies = np.array(bodies, dtype=np.int64)
    holders = []
    for position, body in enumerate(bodies):
        node = body
        own = int(np.searchsorted(sorted_bodies, nodes.end[body])) - position
        for _ in range(_MAX_CLIMB):
            above = int(nodes.parent[node])
            if above <= 0 or page.name(above) in ("body", "html"):
                break
            inside = int(np.searchsorted(sorted_bodies, nodes.end[above])) - int(np.searchsorted(sorted_bodies, above))
            if inside > own:
                break
            node = above
        holders.append(node)
    return list(_with_gaps(page, holders))


def _with_gaps(page: Page, holders: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of nodes; what stands between two posts, such as a row with a name, belongs to the second."""
    nodes = page.nodes
    reach = 0
    for position, holder in enumerate(holders):
        above = int(nodes.parent[holder])
        start = max(above + 1, reach) if position == 0 or nodes.parent[holders[position - 1]] == above else holder
        end = int(nodes.end[holder])
        yield max(min(start, holder), holder - _MAX_BESIDE), end
        reach = end


def _fitness(page: Page, group: _Group, name: str, sizes: Ints) -> float:
    """How much a group looks like posts, from 0 to 1: each has a date and an author beside its text, not in it."""
    count = len(group.bodies)
    if np.median(sizes) < _MIN_CHARACTERS or sizes.max() > _MAX_SIZE_SHARE * page.flow.characters.sum():
        return 0.0
    sample = list(range(count)) if count <= 12 else [*range(6), *range(count - 6, count)]
    about = [about_post(page, _beside(page, group, number)) for number in sample]
    dated = sum(one.moment is not None for one in about) / len(sample)
    named = sum(one.rating >= NAMED for one in about) / len(sample)
    linked = sum(one.rating >= LINKED for one in about) / len(sample)
    headed = sum(_is_headed(page, group, number) for number in sample) / len(sample)
    if not _is_convincing(page, group, name, dated, named, linked) or headed > _MAX_HEADED:
        return 0.0
    mixed = sum(_holds_about(page, group.bodies[number]) for number in sample) / len(sample)
    return ((dated + max(named, linked)) / 2) ** 2 * (1 - _MIXED_LOSS * mixed)


def _is_convincing(page: Page, group: _Group, name: str, dated: float, named: float, linked: float) -> bool:
    """Whether a group are posts: lists of articles, too, have dates and authors.

    What is called a comment needs both; what stands in a forum needs names; anything else needs links to profiles too.
    """
    if IN_COMMENTS.search(name) or IN_COMMENTS.search(_around(page, group.bodies[0])):
        return min(dated, named) >= _MIN_SHARE or (linked >= _MIN_SHARE and len(group.bodies) > _MIN_POSTS)
    if len(group.bodies) <= _MIN_POSTS or not POST.search(name) or dated < _MIN_SHARE:
        return False
    return linked >= _MIN_SHARE or FORUM_URL.search(page.url or "") is not None


def _holds_about(page: Page, body: int) -> bool:
    """True when a text begins with what belongs beside it: a date, or a link to a profile."""
    nodes = page.nodes
    start = int(nodes.text_start[body])
    if next(find_moments(collapse(page.text[start : min(start + 150, int(nodes.text_end[body]))])), None):
        return True
    inside: Ints = np.arange(body, min(int(nodes.end[body]), body + 40))
    return any(map(is_profile, page.attribute(inside, "href")))


def _own_sizes(page: Page, bodies: Sequence[int], sizes: Ints) -> Ints:
    """Visible characters of each text without those of texts inside it."""
    ends = page.nodes.end
    own: Ints = sizes[bodies].copy()
    around: list[int] = []
    for position, body in enumerate(bodies):
        while around and ends[bodies[around[-1]]] <= body:
            around.pop()
        if around:
            own[around[-1]] -= sizes[body]
        around.append(position)
    return own


def _around(page: Page, node: int) -> str:
    words = []
    for _ in range(_MAX_CLIMB):
        node = int(page.nodes.parent[node])
        if node <= 0 or page.name(node) in ("body", "html"):
            break
        attributes = page.attributes(node)
        words += [attributes.get(name, "")[:200] for name in ("class", "id", "itemtype")]
    return " ".join(words)


def _beside(page: Page, group: _Group, number: int) -> list[int]:
    """Elements and texts of a post outside its text: before it first, then after it."""
    (start, end), body = group.holders[number], group.bodies[number]
    before = [*range(start, body)][-_MAX_BESIDE:]
    after = [*range(int(page.nodes.end[body]), end)][:_MAX_BESIDE]
    return before + after


def _is_headed(page: Page, group: _Group, number: int) -> bool:
    """True when a heading beside a text leads to another page; headings of posts lead to a place in a thread."""
    (start, _), body = group.holders[number], group.bodies[number]
    nodes = page.nodes
    before = np.arange(max(start, body - _MAX_BESIDE), body)
    for heading in before[mask("h1", "h2", "h3")[nodes.tag[before]]].tolist():
        links = np.flatnonzero(mask("a")[nodes.tag[heading : nodes.end[heading]]]) + heading
        for href in page.attribute(links, "href"):
            if href and "#" not in href and not is_profile(href):
                return True
    return False


def _parents(page: Page, bodies: Sequence[int]) -> list[int | None]:
    """For each post the one it answers: whose element holds it, or, in flat lists, the last one a level higher."""
    nodes = page.nodes
    candidates = np.flatnonzero(nodes.elements)
    marked: Bools = np.zeros(len(nodes), dtype=np.bool_)
    depths: dict[int, int] = {}
    for node, style in zip(candidates.tolist(), page.attribute(candidates, "class"), strict=True):
        if style and len(style) < 500 and any(ONE_POST.match(word) for word in style.split()):
            marked[node] = True
            depth = _DEPTH.search(style)
            if depth:
                depths[node] = int(depth[1])
    nearest = nodes.nearest(marked)
    owner_of: dict[int, int] = {}
    last_at_depth: dict[int, int] = {}
    parents: list[int | None] = []
    for number, body in enumerate(bodies):
        node = int(nearest[body])
        level = depths.get(node)
        parent: int | None = None
        while node > 0 and parent is None:
            owner = owner_of.setdefault(node, number)
            parent = None if owner == number else owner
            node = int(nearest[nodes.parent[node]])
        if level is not None:
            parent = last_at_depth.get(level - 1, parent)
            last_at_depth[level] = number
        parents.append(parent)
    return parents


def _text(page: Page, body: int, bodies: Sequence[int]) -> str:
    """The text below an element as a reader sees it, without the texts of posts inside it."""
    blocks, end = page.blocks, int(page.nodes.end[body])
    first, last = np.searchsorted(blocks.leaves, (body, end))
    leaves = blocks.leaves[first:last]
    for inner in bodies[bisect.bisect_right(bodies, body) : bisect.bisect_left(bodies, end)]:
        leaves = leaves[(leaves < inner) | (leaves >= page.nodes.end[inner])]
    runs = page.flow.run[leaves]
    starts = np.flatnonzero(np.diff(runs)) + 1
    paragraphs = (part.tolist() for part in np.split(leaves, starts) if len(part))
    texts = (running_text(page, part, [page.node_text(leaf) for leaf in part]) for part in paragraphs)
    return "\n\n".join(filter(None, texts))
