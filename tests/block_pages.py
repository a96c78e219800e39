"""Small pages with named boxes, and what a reader with a pencil would count on them."""

from __future__ import annotations

from hypothesis import strategies as st

import tamis
from tamis.page.model import Page

_TAGS = "div div section article main nav aside footer header ul li p p h1 h2 h3 table tr td pre form button".split()
_INLINE = "span b a em".split()
_ATTRIBUTES = (
    *("class=card", "class='card big'", "class=Post-Body", "class='  menu\n left '", "id=main", "role=navigation"),
    *("class=comments", "id=disqus_thread", "itemprop=articleBody", "class=card id=x role=main itemprop=name"),
    *("hidden", "style='display: none'", "aria-hidden=true", "", "", ""),
)
_TEXTS = (
    *(
        "word",
        "two words",
        " ",
        "Rivers of the north",
        "rivers NORTH",
        "A, B; c. 12!",
        "x\ny",
        "漢字、河水。漢",
        "۱۲ Ä؟",
    ),
    "one two three four five six seven eight nine ten",
    "One two, three four five six. Seven eight nine ten eleven twelve!",
)
_HEADS = (
    "",
    "<title>Rivers of the north</title>",
    "<title>漢字</title><meta property=og:type content=article>",
    "<meta property='og:type'><meta property=OG:TYPE content=product>",
    '<script type=\'application/ld+json\'>{"@type": ["NewsArticle"], "x": {"@type" : "QAPage"}}</script>',
    '<script type=application/ld+json>{"@type":"WebSite"}</script><script>{"@type":"Product"}</script>',
)


def _opening(name: str, attributes: str) -> str:
    return f"<{name} {attributes}>"


_openings = st.builds(_opening, st.sampled_from([*_TAGS, *_INLINE, "x-tag"]), st.sampled_from(_ATTRIBUTES))
_pieces = st.one_of(
    _openings,
    _openings,
    st.sampled_from([*_TAGS, *_INLINE, "x-tag"]).map(lambda name: f"</{name}>"),
    st.sampled_from(_TEXTS),
    st.sampled_from(_TEXTS),
    st.sampled_from(
        ["<a href=x>", "<br>", "<br><br>", "<img>", "<input>", "<template shadowrootmode=open>", "<!-- c -->"]
    ),
    # A whole entry, so that the same look comes more than once.
    st.sampled_from(_TEXTS).map(lambda text: f"<li class=card><h3>{text}</h3><p>{text}</p></li>"),
    st.sampled_from(_TEXTS).map(lambda text: f"<p><a href=y>{text}</a></p>"),
)
MARKUP = st.builds(
    lambda head, pieces: head + "<body>" + "".join(pieces), st.sampled_from(_HEADS), st.lists(_pieces, max_size=30)
)
PAGES = MARKUP.map(tamis.parse)
"""Pages that may hide some of their blocks."""
FILLED_PAGES = PAGES.map(Page.revealed).filter(lambda page: len(page.blocks) > 0)
"""Pages with blocks, those that hide themselves shown."""


def lineage(page: Page, node: int) -> list[int]:
    """An element and all elements around it, from the inside out; the document comes last."""
    found = []
    while node > 0:
        if not page.name(node).startswith("#"):
            found.append(node)
        node = int(page.nodes.parent[node])
    return [*found, 0]


def first_leaves(page: Page) -> list[int]:
    return [block.leaves[0] for block in page.blocks]


def held(page: Page, node: int) -> list[int]:
    """The blocks that begin below an element."""
    return [number for number, leaf in enumerate(first_leaves(page)) if node in lineage(page, leaf)]
