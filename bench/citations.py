"""Which method comes from which work: the list at the end of the README, from docs/references.md and the docstrings.

python -m bench.citations
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bench.pages import ROOT, documented
from tamis import registry

_ENTRY = re.compile(
    r"^- \*\*(?P<authors>[^(]+) \((?P<year>\d{4})\)\.\*\* (?P<rest>.*?)(?=^- |\Z)", re.MULTILINE | re.DOTALL
)
_REFERENCE = re.compile(r"^Reference: +(.*?)(?=^\w[\w ]*:|\Z)", re.MULTILINE | re.DOTALL)
# Authors before a year: "Finn, Kushmerick & Smyth (2001", "Han, Buttler & Pu 2001", "Finn et al. (2001".
_CITED = re.compile(
    r"(?<!\w)(?P<first>[A-Z][\w-]+)(?P<others>(?:, (?!as |and )[\w -]+?)*(?: & [\w -]+?)?| et al\.)"
    r" \(?(?P<year>\d{4})\b"
)


class Work(NamedTuple):
    """A paper or a thesis."""

    authors: str
    year: str
    rest: str  # title and where it was published

    @property
    def name(self) -> str:
        return f"{self.authors} ({self.year})"


def works() -> list[Work]:
    """All works, in the order of the page."""
    text = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    return [Work(found["authors"], found["year"], " ".join(found["rest"].split())) for found in _ENTRY.finditer(text)]


def reference(kind: str, name: str) -> str:
    """What a method's docstring says about where it comes from; empty for formats of output."""
    found = _REFERENCE.search(registry.load(kind, name).__doc__)
    return "" if found is None else " ".join(found[1].split())


def cited(text: str, known: list[Work]) -> Iterator[Work | str]:
    """The works that a text names, each by its authors and year; what cannot be told is given back as it is written."""
    for found in _CITED.finditer(text):
        named = re.findall(r"[A-Z][\w-]+", found["first"] + found["others"])
        fitting = [
            work
            for work in known
            if work.year == found["year"]
            and work.authors.startswith(found["first"])
            and all(author in work.authors for author in named)
        ]
        yield fitting[0] if len(fitting) == 1 else found[0]


def to_markdown() -> str:
    """One entry for each work with the methods that come from it; then those that are our own."""
    known = works()
    methods: dict[Work, list[str]] = {work: [] for work in known}
    own = []
    for kind in registry.kinds():
        for name in documented(kind):
            text = reference(kind, name)
            sources = [work for work in cited(text, known) if isinstance(work, Work)]
            for work in dict.fromkeys(sources):
                methods[work].append(name)
            if text.startswith(("our", "none")):
                own.append(name)
    lines = [f"- {work.name}. {work.rest} {_listed(names)}" for work, names in methods.items() if names]
    return "\n".join([*lines, f"- Ours, though most of them rest on some of the above: {_listed(own)}"]) + "\n"


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


def main() -> None:
    readme = ROOT / "README.md"
    marked = re.compile(r"(<!-- citations: begin -->\n).*(<!-- citations: end -->)", re.DOTALL)
    text = readme.read_text(encoding="utf-8")
    readme.write_text(marked.sub(lambda found: found[1] + to_markdown() + found[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
