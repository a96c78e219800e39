"""Posts: what is said of each, wherever it was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from tamis.page.spans import Span

MAX_POSTS = 5_000


@dataclass(frozen=True, kw_only=True)
class Post:
    """One post: of a forum, below an article, or an answer."""

    author: str | None
    author_url: str | None = None  # as the page links to it, if that can be followed safely
    date: str | None = None
    text: str = field(repr=False)
    node: int = 0  # the element that contains the text; 0 if it is not in the markup
    spans: tuple[Span, ...] = field(default=(), repr=False)  # of page.text
    line: tuple[Span, ...] = field(default=(), repr=False)  # of page.text: where author and date stand beside the text
    parent: int | None = None  # position, in the list of all posts, of the post that is replied to
