"""Small random pages as trees of plain objects, for methods to be checked against the words of their authors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st


@dataclass(frozen=True, eq=False)
class Tree:
    """A node and what is below it; ``text`` belongs to texts, programs and comments."""

    name: str
    text: str = ""
    children: tuple[Tree, ...] = ()
    href: str = ""

    def markup(self) -> str:
        if self.name == "#comment":
            return f"<!--{self.text}-->"
        inner = self.text + "".join(child.markup() for child in self.children)
        if self.name.startswith("#"):
            return inner
        return f"<{self.name}{self.href}>{inner}</{self.name}>"

    def in_document_order(self) -> Iterator[Tree]:
        yield self
        for child in self.children:
            yield from child.in_document_order()

    def number_of(self, node: Tree) -> int:
        return list(self.in_document_order()).index(node)

    def characters(self) -> int:
        """Of the texts below, white space not counted."""
        texts = [node.text for node in self.in_document_order() if node.name == "#text"]
        return len("".join("".join(texts).split()))

    def link_characters(self) -> int:
        return sum(node.characters() for node in self.in_document_order() if node.href)

    def links(self) -> int:
        return sum(bool(node.href) for node in self.in_document_order())


def _leaf(text: str, kind: str) -> Tree:
    if kind in ("#text", "#comment"):
        return Tree(kind, text)
    if kind == "script":
        return Tree("script", children=(Tree("#code", text),))
    return Tree("a", children=(Tree("#text", text),), href=" href=x" if kind == "link" else "")


def _element(name: str, children: list[Tree]) -> Tree:
    # A parser joins texts that stand next to each other.
    kept = [
        child
        for before, child in zip([None, *children], children, strict=False)
        if not (before and before.name == child.name == "#text")
    ]
    return Tree(name, children=tuple(kept))


def _page(body: Tree) -> Tree:
    return Tree("#document", children=(Tree("html", children=(Tree("head"), body)),))


_TEXTS = st.text("ab ", min_size=1, max_size=12)
_LEAVES = st.builds(_leaf, _TEXTS, st.sampled_from(["#text", "#text", "link", "link", "anchor", "script", "#comment"]))
_INNER = st.recursive(
    _LEAVES,
    lambda below: st.builds(_element, st.sampled_from(["div", "section", "span"]), st.lists(below, max_size=4)),
    max_leaves=25,
)
PAGES = st.lists(_INNER, max_size=5).map(lambda children: _page(_element("body", children)))
"""Whole pages; node numbers are those of ``tamis.parse(tree.markup())``."""
