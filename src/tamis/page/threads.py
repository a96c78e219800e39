"""Comments below an article, posts of a forum thread, answers to a question: who said what, when, in reply to whom.

Posts are made by one template, so their texts stand in elements with the same class. Of all classes that sound like it,
the one is taken whose elements hold the most text and have, each in its own surroundings, a date and an author beside
it. Posts that the page only carries as JSON-LD are read from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tamis.page.blocks import running_text
from tamis.page.declared import cleaned, kinds_of, texts_of
from tamis.page.html import TEXT, mask
from tamis.page.model import INVISIBLE, Page
from tamis.page.moments import Moment, find_moments, read_moment
from tamis.page.script_data import JsonObject, read_json_ld
from tamis.page.spans import Span
from tamis.page.text import Bools, Ints, collapse

_MAX_POSTS = 5_000
_MAX_GROUPS = 300  # classes that are weighed; the most frequent first
_MAX_CLIMB = 12  # levels between a text and the element that holds all of its post
_MAX_BESIDE = 200  # nodes beside a text that are searched for its author and date
_MAX_NAME = 60  # characters
_MAX_NAME_WORDS = 5
_MIN_POSTS = 2  # of one class; a single post counts if its class says that it is a comment
_MAX_SIZE_SHARE = 0.95  # of the page's text in one post; beyond it is no post but the page
_MIN_CHARACTERS = (
    5  # of the post in the middle, by length; less is a button (15 lost short posts of train/forum_harvest)
)
_MIXED_LOSS = 0.5  # for texts that begin with a name or a date: there is a narrower class that does not
_MIN_SHARE = 0.5  # of posts that have a date and an author beside them
_BOLD, _NAMED, _LINKED, _DECLARED = 1, 2, 3, 4  # how sure it is that a name is the author's
_MAX_HEADED = 0.5  # share of posts with a linked heading beside them; beyond it they are teasers of other pages
_WORDS = re.compile(
    r"(?i)comment|post|message|msg|repl(?:y|ies)|answer|posting|content|text|body|entry|kommentar|beitrag|discuss|"
    r"restore|"
    r"wrapper|review|opini|response|thread"
)
_COMMENT_WORDS = re.compile(
    r"(?i)(?:\A|[\s/._#>-])(?:user-?)?(?:comments?|kommentare?|repl(?:y|ies)|answers?|forum|threads?|discussions?|"
    r"comment(?=[A-Z]))"
    r"(?:\Z|[\s._#>-]|\d|list|s?[A-Z])|Comment\b|commentlist|DiscussionForumPosting"
)
_POST_WORDS = re.compile(r"(?i)post|message|msg|content|beitrag|entry|text")
_FORUM_ADDRESS = re.compile(r"(?i)forum|thread|topic|showthread|discuss|community|board|/read\.php")
_ONE_COMMENT = re.compile(r"(?i)(?:comment|kommentar|reply)[-_]{0,2}(?:content|body|text)")
_NO_HOLDERS = (
    "a abbr aside b button cite em fieldset figcaption footer form h1 h2 h3 h4 h5 h6 header html body i iframe img "
    "input label "
    "legend nav option select small strong sub sup svg textarea time u video"
).split()
_RECORD = re.compile(
    r"(?i)\A(?:comment|reply|post|message|answer|kommentar|beitrag|response)(?:[-_]?\d+|[-_]{1,2}(?:item|entry|"
    r"node))?\Z"
)
_AUTHOR_WORDS = re.compile(
    r"(?i)(?:\A|[\s_-])(?:author|user-?name|user(?:link|info|details)?|poster|nick(?:name)?|member(?:name)?|creator|"
    r"fn|commenter|by|"
    r"bigusername|profile(?:link)?|display-?name|postuser\w*|autor|screen-?name|login)(?:\Z|[\s_-])|username|author|"
    r"PostUser"
)
_PROFILE = re.compile(
    r"(?i)(?:/|\b)(?:u|users?|members?|memberlist|profiles?|profil|mitglieder|userinfo|"
    r"User-Dashboard)\b(?:\.php)?[/?#=]|viewprofile|action=profile|member\.php"
)
_MEMBERSHIP = re.compile(r"(?i)join|regist|since|seit|dabei|inscri|miembro|member|beitritt|anmeld|geburt|birth")
_BY = re.compile(r"\A(?:by|von|posted by|written by|author|autor|de|par|por)\b\s*:?\s*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_DEPTH = re.compile(r"(?:\A|\s)(?:depth|level|indent|lvl)-?(\d{1,2})(?:\s|\Z)", re.IGNORECASE)
_POSTING_KINDS = ("comment", "answer", "discussionforumposting", "socialmediaposting", "usercomments", "question")
_LISTED = ("comment", "acceptedAnswer", "suggestedAnswer", "answer")


@dataclass(frozen=True, kw_only=True)
class Post:
    """One post: of a forum, below an article, or an answer."""

    author: str | None
    author_url: str | None = None  # as the page links to it
    date: str | None = None
    text: str = field(repr=False)
    node: int = 0  # the element that holds the text; 0 if it is not in the markup
    spans: tuple[Span, ...] = field(default=(), repr=False)  # of page.text
    parent: int | None = None  # position, in the list of all posts, of the post that is replied to


def read_threads(page: Page) -> tuple[Post, ...]:
    """The posts of a page in their order; empty if there are none."""
    group = _best_group(page)
    if group is None:
        return tuple(_declared_posts(read_json_ld(page)))
    parents = _parents(page, group.bodies)
    posts = []
    for number, body in enumerate(group.bodies):
        about = _about(page, group, number)
        posts.append(
            Post(
                author=about.author,
                author_url=about.author_url,
                date=str(about.moment) if about.moment else None,
                text=_text(page, body, group.bodies),
                node=body,
                spans=page.subtree_spans(body),
                parent=parents[number],
            )
        )
    return tuple(posts)


class _Group(NamedTuple):
    bodies: list[int]  # elements that hold the texts, in document order
    holders: list[tuple[int, int]]  # for each the nodes that belong to its post, from and to


class _About(NamedTuple):
    author: str | None
    author_url: str | None
    rating: int
    moment: Moment | None


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
            if value and len(value) < 500 and _WORDS.search(value):
                for word in value.split():
                    if attribute != "id" or _DIGITS.search(word):
                        key = _DIGITS.sub("#", word)
                        if _WORDS.search(key):
                            name = f"{page.name(node)}.{key}"
                            found.setdefault(name, []).append(node)
                            found.setdefault(f"{_first_class(page, node)} > {name}", []).append(node)
    kept = [
        (name, group)
        for name, group in found.items()
        if len(group) >= (1 if _ONE_COMMENT.search(name) else _MIN_POSTS) and len(group) <= _MAX_POSTS
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
    about = [_about(page, group, number) for number in sample]
    dated = sum(one.moment is not None for one in about) / len(sample)
    named = sum(one.rating >= _NAMED for one in about) / len(sample)
    linked = sum(one.rating >= _LINKED for one in about) / len(sample)
    headed = sum(_is_headed(page, group, number) for number in sample) / len(sample)
    if not _is_convincing(page, group, name, dated, named, linked) or headed > _MAX_HEADED:
        return 0.0
    mixed = sum(_holds_about(page, group.bodies[number]) for number in sample) / len(sample)
    return ((dated + max(named, linked)) / 2) ** 2 * (1 - _MIXED_LOSS * mixed)


def _is_convincing(page: Page, group: _Group, name: str, dated: float, named: float, linked: float) -> bool:
    """Whether a group are posts: lists of articles, too, have dates and authors.

    What is called a comment needs both; what stands in a forum needs names; anything else needs links to profiles too.
    """
    if _COMMENT_WORDS.search(name) or _COMMENT_WORDS.search(_around(page, group.bodies[0])):
        return min(dated, named) >= _MIN_SHARE or (linked >= _MIN_SHARE and len(group.bodies) > _MIN_POSTS)
    if len(group.bodies) <= _MIN_POSTS or not _POST_WORDS.search(name) or dated < _MIN_SHARE:
        return False
    return linked >= _MIN_SHARE or _FORUM_ADDRESS.search(page.url or "") is not None


def _holds_about(page: Page, body: int) -> bool:
    """True when a text begins with what belongs beside it: a date, or a link to a profile."""
    nodes = page.nodes
    start = int(nodes.text_start[body])
    if next(find_moments(collapse(page.text[start : min(start + 150, int(nodes.text_end[body]))])), None):
        return True
    inside: Ints = np.arange(body, min(int(nodes.end[body]), body + 40))
    return any(href and _PROFILE.search(href) for href in page.attribute(inside, "href"))


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
            if href and "#" not in href and not _PROFILE.search(href):
                return True
    return False


def _about(page: Page, group: _Group, number: int) -> _About:
    """Author and date that stand beside a text."""
    beside = _beside(page, group, number)
    nodes = page.nodes
    chosen: Ints = np.array(beside, dtype=np.int64)
    chosen = chosen[nodes.elements[chosen]] if len(chosen) else chosen
    author, address, rating = _author(page, chosen)
    return _About(author, address, rating, _moment(page, chosen, beside))


def _author(page: Page, chosen: Ints) -> tuple[str | None, str | None, int]:
    """The name beside a text: in an element called so, in a link to a profile."""
    columns = [page.attribute(chosen, name) for name in ("itemprop", "class", "href", "rel")]
    rated: list[tuple[int, int, int]] = []
    bold = mask("b", "strong", "cite", "h4", "h5", "h6")[page.nodes.tag[chosen]].tolist()
    for position, (node, prop, style, href, relation) in enumerate(zip(chosen.tolist(), *columns, strict=True)):
        rating = 0
        if prop and "author" in prop.lower().split():
            rating = _DECLARED
        elif href and _PROFILE.search(href):
            rating = _LINKED
        elif (style and _AUTHOR_WORDS.search(style)) or (relation and "author" in relation.lower()):
            rating = _NAMED
        elif bold[position]:
            rating = _BOLD
        length = int(page.nodes.text_end[node] - page.nodes.text_start[node])
        if rating and 0 < length <= 3 * _MAX_NAME:
            rated.append((-rating, position, node))
    for rating, _, node in sorted(rated):
        name = _name_in(page, node)
        if name:
            return name, _link_of(page, node), -rating
    return None, None, 0


def _name_in(page: Page, node: int) -> str | None:
    """The first text below a node that can be a name: ranks and counts follow it."""
    nodes = page.nodes
    links = np.flatnonzero(mask("a")[nodes.tag[node : nodes.end[node]]])[:1] + node
    for holder in [*links.tolist(), node]:
        leaves = np.flatnonzero(nodes.tag[holder : nodes.end[holder]] == TEXT)[:10] + holder
        for leaf in leaves.tolist():
            text = _BY.sub("", cleaned(page.node_text(leaf))).strip(" :,|–-»")
            is_name = (
                0 < len(text) <= _MAX_NAME and any(map(str.isalpha, text)) and len(text.split()) <= _MAX_NAME_WORDS
            )
            if is_name and not next(find_moments(text), None):
                return text
    return None


def _link_of(page: Page, node: int) -> str | None:
    end = int(page.nodes.end[node])
    for inner in range(node, min(end, node + 20)):
        if page.name(inner) == "a" and page.attributes(inner).get("href"):
            return page.attributes(inner)["href"]
    above = int(page.nodes.parent[node])
    return page.attributes(above).get("href") if above > 0 and page.name(above) == "a" else None


def _moment(page: Page, chosen: Ints, beside: Sequence[int]) -> Moment | None:
    for name in ("datetime", "title", "data-time", "data-timestamp", "data-xutime", "content"):
        for value in page.attribute(chosen, name):
            if value and len(value) < 60:
                moment = read_moment(value)
                if moment:
                    return moment
    texts = [node for node in beside if page.nodes.tag[node] == TEXT]
    joined = collapse(" ".join(page.node_text(node)[:200] for node in texts))[-4_000:]
    reach = 0
    for found in find_moments(joined):
        if not _MEMBERSHIP.search(joined[max(reach, found.start - 25) : found.start]):
            return found.moment
        reach = found.end
    return None


def _parents(page: Page, bodies: Sequence[int]) -> list[int | None]:
    """For each post the one it answers: whose element holds it, or, in flat lists, the last one a level higher."""
    nodes = page.nodes
    candidates = np.flatnonzero(nodes.elements)
    marked: Bools = np.zeros(len(nodes), dtype=np.bool_)
    depths: dict[int, int] = {}
    for node, style in zip(candidates.tolist(), page.attribute(candidates, "class"), strict=True):
        if style and len(style) < 500 and any(_RECORD.match(word) for word in style.split()):
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
    blocks = page.blocks
    first, last = np.searchsorted(blocks.leaves, (body, page.nodes.end[body]))
    inner = [one for one in bodies if body < one < page.nodes.end[body]]
    leaves = blocks.leaves[first:last]
    for one in inner:
        leaves = leaves[(leaves < one) | (leaves >= page.nodes.end[one])]
    runs = page.flow.run[leaves]
    parts = []
    for run in np.unique(runs).tolist():
        members = leaves[runs == run].tolist()
        parts.append(running_text(page, members, [page.node_text(leaf) for leaf in members]))
    return "\n\n".join(filter(None, parts))


def _declared_posts(items: Sequence[JsonObject]) -> Iterator[Post]:
    """Comments and answers that JSON-LD carries; a comment on a comment follows it."""
    posts: list[Post] = []
    roots = [item for item in items if any(name in item for name in _LISTED)]
    nested = {id(part) for item in roots for name in _LISTED for part in _dicts(item.get(name))}
    for item in roots:
        if id(item) not in nested:
            is_post = any(kind.lower() in _POSTING_KINDS for kind in kinds_of(item))
            number = _add(posts, item, None) if is_post else None
            _add_answers(posts, item, number, 0)
    yield from posts


def _add_answers(posts: list[Post], item: Mapping[str, Any], parent: int | None, depth: int) -> None:
    for name in _LISTED:
        for part in _dicts(item.get(name)):
            if len(posts) < _MAX_POSTS and depth < 20:
                _add_answers(posts, part, _add(posts, part, parent), depth + 1)


def _add(posts: list[Post], item: Mapping[str, Any], parent: int | None) -> int | None:
    text = next((item[name] for name in ("text", "articleBody", "description") if isinstance(item.get(name), str)), "")
    author = item.get("author")
    if not text.strip() or not (author or item.get("datePublished") or item.get("dateCreated")):
        return parent  # questions and answers that nobody asked and gave are text of the page
    moment = read_moment(next(iter(texts_of(item.get("datePublished") or item.get("dateCreated"))), ""))
    address = author.get("url") if isinstance(author, dict) and isinstance(author.get("url"), str) else None
    posts.append(
        Post(
            author=next(iter(texts_of(author)), None),
            author_url=address,
            date=str(moment) if moment else None,
            text=collapse(re.sub(r"<[^<>]{0,2000}>", " ", text)).encode("utf-8", "replace").decode("utf-8"),
            parent=parent,
        )
    )
    return len(posts) - 1


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]
