"""``tamis dataset gold`` and ``tamis dataset suggest``: gold text for all pages of a site by a few rules."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input

_SHOWN_FAILURES = 20  # on the screen; the report has them all
_RULES = Parameter(help="Rule file of the site (TOML).")
_PAGES = Parameter(help="A folder with saved pages of the site, or a dataset.")
_TARGET = Parameter(help="The new dataset: .jsonl, .jsonl.gz, .jsonl.xz, or .zip for an evaluation package.")
_REPORT = Parameter(help="Write a table of the pages on which the rules fail, and why (CSV).")


def gold(
    rules: Annotated[Path, _RULES],
    pages: Annotated[Input, _PAGES],
    target: Annotated[Path, _TARGET],
    /,
    *,
    report: Annotated[Path | None, _REPORT] = None,
) -> int:
    """Cut the gold text of all pages of a site out by rules; pages on which they fail are named and left out.

    Examples:
      tamis dataset gold site.toml pages/ gold.jsonl
      tamis dataset gold site.toml pages/ gold.zip --report failed.csv
    """
    from tamis.evaluation.datasets import Problem, write
    from tamis.evaluation.wrappers import read_pages
    from tamis.evaluation.wrappers.cutting import gold_samples
    from tamis.evaluation.wrappers.rules import read_wrapper
    from tamis.files import aside

    wrapper = read_wrapper(rules)
    failed: list[Problem] = []
    samples = read_pages(pages, lambda place, reason: failed.append(Problem(place, reason)))
    count = write(target, gold_samples(samples, wrapper, failed))
    for problem in failed[:_SHOWN_FAILURES]:
        streams.say(f"{problem.place}: {problem.reason}")
    names = Counter(problem.place for problem in failed)
    if len(failed) > _SHOWN_FAILURES:
        streams.say(f"and {counted(len(failed) - _SHOWN_FAILURES, 'more failure')}")
    if report is not None:
        with aside(report) as part, part.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([("page", "reason"), *failed])
    streams.say(f"{counted(count, 'page')} written to {target}, {len(names)} failed")
    return 1 if failed else 0


def suggest(
    labelled: Annotated[Input, Parameter(help="A dataset with gold text: a few pages of one site.")],
    target: Annotated[Path, Parameter(help="The new rule file (TOML).")],
    /,
) -> None:
    """Suggest rules for a site from a few annotated pages, and tell how well they cut these.

    Examples:
      tamis dataset suggest labelled/pages.jsonl site.toml
    """
    from tamis.evaluation.datasets import open_dataset
    from tamis.evaluation.wrappers.rules import to_toml
    from tamis.evaluation.wrappers.suggest import suggest as search
    from tamis.files import aside

    found = search(open_dataset(labelled))
    with aside(target) as part:
        part.write_text(to_toml(found.wrapper), encoding="utf-8")
    for page, score in found.scores.items():
        streams.write(f"{page}\t{score:.3f}\n")
    streams.say(f"{counted(len(found.wrapper.parts), 'part')} written to {target}; the numbers are word F1")
