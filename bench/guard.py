"""The default on the pages of tests/guard: score by page, by kind and by language.

    python -m bench.guard                  prints the table; the exit status is 1 if a page falls short
    python -m bench.guard SLUG …           these pages only, with what fell short
    python -m bench.guard --raise-floors   raises floors to 0.02 below what is reached; none is ever lowered

Word F1 is that of ``tamis.score`` (bag of words) between ``gold.txt`` and the plain text; similarity is the F1 of
characters in order between ``gold.md`` and the Markdown, white space collapsed, so that order and marks count.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import tamis
from tamis.evaluation import measures

FOLDER = Path(__file__).parent.parent / "tests" / "guard"
ACCEPTABLE = 0.6  # no floor is lower: below it a reader would say that the page was not extracted
SLACK = 0.02  # between a floor and what was reached when it was set: another version of the parser may move a word


@dataclass(frozen=True)
class Case:
    """One page written for the guard, with what a careful editor wants from it."""

    slug: str
    kind: str
    language: str
    why: str
    words_floor: float
    markdown_floor: float
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    known_failures: Mapping[str, str]  # "words", "markdown" or a snippet that is missed today → the reason

    @property
    def page(self) -> bytes:
        return (FOLDER / self.slug / "page.html").read_bytes()

    @property
    def gold_text(self) -> str:
        return (FOLDER / self.slug / "gold.txt").read_text("utf-8")

    @property
    def gold_markdown(self) -> str:
        return (FOLDER / self.slug / "gold.md").read_text("utf-8")


class Found(NamedTuple):
    """What the default makes of a page, and how far it falls short."""

    words: measures.Score
    markdown: float
    missed: Mapping[str, str]  # "words", "markdown" or a snippet → what is wrong


def slugs() -> list[str]:
    return sorted(about.parent.name for about in FOLDER.glob("*/about.toml"))


def load(slug: str) -> Case:
    about = tomllib.loads((FOLDER / slug / "about.toml").read_text("utf-8"))
    return Case(
        slug=slug,
        kind=about["kind"],
        language=about["language"],
        why=about["why"],
        words_floor=about["floors"]["words"],
        markdown_floor=about["floors"]["markdown"],
        must=tuple(about["must"]),
        must_not=tuple(about["must_not"]),
        known_failures=about.get("known_failures", {}),
    )


def judge(case: Case) -> Found:
    """Extract the page once with the default and compare it with its gold."""
    result = tamis.extract(case.page)
    return compare(case, result.text, result.markdown)


def compare(case: Case, text: str, markdown: str) -> Found:
    """What these renderings reach, and each floor and snippet that they miss, in words."""
    words = measures.bag_of_words(case.gold_text, text)
    similarity = measures.character_sequence(case.gold_markdown, markdown).f1
    missed = {}
    if words.f1 < case.words_floor:
        missed["words"] = (
            f"word F1 {words.f1:.3f} (precision {words.precision:.3f}, recall {words.recall:.3f}) "
            f"is below its floor {case.words_floor}"
        )
    if similarity < case.markdown_floor:
        missed["markdown"] = f"Markdown similarity {similarity:.3f} is below its floor {case.markdown_floor}"
    missed |= {snippet: f"lacks {snippet!r}" for snippet in case.must if not occurs(snippet, text)}
    missed |= {snippet: f"contains {snippet!r}" for snippet in case.must_not if occurs(snippet, text)}
    return Found(words, similarity, missed)


def occurs(snippet: str, text: str) -> bool:
    return measures.snippets([snippet], [], text).recall == 1.0


def complaint(case: Case, found: Found) -> str | None:
    """Why the test of this page fails, or None if exactly what ``about.toml`` says is missed."""
    wrong = [message for name, message in found.missed.items() if name not in case.known_failures]
    wrong += [
        f"{name!r} is good now: remove it from known_failures in about.toml"
        for name in case.known_failures
        if name not in found.missed
    ]
    if not wrong:
        return None
    reached = f"word F1 {found.words.f1:.3f}, Markdown {found.markdown:.3f}"
    return "\n  ".join([f"{case.slug} ({case.kind}, {case.language}; {reached}): {case.why}", *wrong])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slugs", nargs="*", metavar="SLUG")
    parser.add_argument("--raise-floors", action="store_true")
    arguments = parser.parse_args()
    judged = [(case := load(slug), judge(case)) for slug in arguments.slugs or slugs()]
    print_pages(judged)
    if not arguments.slugs:
        print_groups(judged)
    if arguments.raise_floors:
        for case, found in judged:
            raise_floors(case, found)
    complaints = list(filter(None, (complaint(case, found) for case, found in judged)))
    print(*complaints, sep="\n", file=sys.stderr)
    return 1 if complaints else 0


def print_pages(judged: Iterable[tuple[Case, Found]]) -> None:
    print(
        f"{'page':26}{'kind':18}{'lang':6}{'precision':>10}{'recall':>8}{'F1':>7}{'floor':>7}{'Markdown':>10}{'floor':>7}"
    )
    for case, found in judged:
        mark = "  known failure" if case.known_failures else ""
        print(
            f"{case.slug:26}{case.kind:18}{case.language:6}{found.words.precision:>10.3f}{found.words.recall:>8.3f}"
            f"{found.words.f1:>7.3f}{case.words_floor:>7.2f}{found.markdown:>10.3f}{case.markdown_floor:>7.2f}{mark}"
        )


def print_groups(judged: Sequence[tuple[Case, Found]]) -> None:
    groups: dict[str, list[Found]] = defaultdict(list)
    for case, found in judged:
        for name in ("all", f"kind {case.kind}", f"language {case.language}"):
            groups[name].append(found)
    print(f"\n{'mean':26}{'pages':>6}{'F1':>8}{'Markdown':>10}")
    for name in sorted(groups):
        words = statistics.fmean(found.words.f1 for found in groups[name])
        markdown = statistics.fmean(found.markdown for found in groups[name])
        print(f"{name:26}{len(groups[name]):>6}{words:>8.3f}{markdown:>10.3f}")


def raise_floors(case: Case, found: Found) -> None:
    """Write higher floors into ``about.toml`` where the page is far above them; the rest of the file stays."""
    path = FOLDER / case.slug / "about.toml"
    text = path.read_text("utf-8")
    for name, floor, reached in (
        ("words", case.words_floor, found.words.f1),
        ("markdown", case.markdown_floor, found.markdown),
    ):
        if name not in case.known_failures:
            text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {max(floor, floor_of(reached))}", text)
    path.write_text(text, "utf-8")


def floor_of(reached: float) -> float:
    """The floor for a page that reaches this.

    >>> floor_of(0.987), floor_of(0.5)
    (0.96, 0.6)
    """
    return max(ACCEPTABLE, math.floor((reached - SLACK) * 100) / 100)


if __name__ == "__main__":
    sys.exit(main())
