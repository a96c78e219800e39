"""Posts that a page only carries as JSON-LD: comments, answers, and what is said in reply to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tamis import urls
from tamis.about.comment_names import DECLARED_PROPERTIES, DECLARED_TYPES
from tamis.about.declared import kinds_of, texts_of
from tamis.about.moments import read_moment
from tamis.about.posts import MAX_POSTS, Post
from tamis.about.script_data import JsonObject
from tamis.characters import writable
from tamis.page.text import collapse


def declared_posts(items: Sequence[JsonObject]) -> Iterator[Post]:
    """Comments and answers that JSON-LD carries; a comment on a comment follows it."""
    posts: list[Post] = []
    roots = [item for item in items if any(name in item for name in DECLARED_PROPERTIES)]
    nested = {id(part) for item in roots for name in DECLARED_PROPERTIES for part in _dicts(item.get(name))}
    for item in roots:
        if id(item) not in nested:
            is_post = any(kind.lower() in DECLARED_TYPES for kind in kinds_of(item))
            number = _add(posts, item, None) if is_post else None
            _add_answers(posts, item, number, 0)
    yield from posts


def _add_answers(posts: list[Post], item: Mapping[str, Any], parent: int | None, depth: int) -> None:
    for name in DECLARED_PROPERTIES:
        for part in _dicts(item.get(name)):
            if len(posts) < MAX_POSTS and depth < 20:
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
            author_url=urls.resolve(address, "") or None,
            date=str(moment) if moment else None,
            text=collapse(re.sub(r"<[^<>]{0,2000}>", " ", writable(text))),
            parent=parent,
        )
    )
    return len(posts) - 1


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]
