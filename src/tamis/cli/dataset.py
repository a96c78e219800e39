"""``tamis dataset``: look at a dataset, convert it, take a sample of it, or make one of a site."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input
from tamis.ranges import COUNT, check_range

_DATASET = Parameter(help="A file, a folder, or a name below the data folder such as public/dragnet.")
_TARGET = Parameter(help="The new file: .jsonl, .jsonl.gz, .jsonl.xz, or .zip for an evaluation package.")
_SHOWN_FAILURES = 20  # on the screen; the report has them all
_RULES = Parameter(help="Rule file of the site (TOML).")
_SITE_PAGES = Parameter(help="A folder with saved pages of the site, or a dataset.")
_REPORT = Parameter(help="Write a table of the pages on which the rules fail, and why (CSV).")


def info(dataset: Annotated[Input, _DATASET], /) -> None:
    """Count the pages and their types, and list problems.

    Examples:
      tamis dataset info pages.jsonl
      tamis dataset info public/dragnet
    """
    from tamis.evaluation.datasets import describe, open_dataset

    found = open_dataset(dataset)
    summary = describe(found)
    lines = [f"{name.replace('_', ' ')}\t{_cell(value)}" for name, value in vars(summary).items()]
    streams.write("\n".join([f"name\t{found.name}", f"format\t{found.format}", *lines]) + "\n")
    for problem in found.problems:
        streams.say(f"{problem.place}: {problem.reason}")


def convert(dataset: Annotated[Input, _DATASET], target: Annotated[Path, _TARGET], /) -> None:
    """Write all pages of a dataset in another format.

    Examples:
      tamis dataset convert pages.jsonl pages.zip
    """
    from tamis.evaluation.datasets import convert as write_all
    from tamis.evaluation.datasets import open_dataset

    streams.say(f"{counted(write_all(open_dataset(dataset), target), 'page')} written to {target}")


def sample(
    dataset: Annotated[Input, _DATASET],
    target: Annotated[Path, _TARGET],
    /,
    *,
    count: Annotated[int, Parameter(help="Number of pages.")] = 100,
    seed: Annotated[int, Parameter(help="Another seed gives other pages.")] = 0,
) -> None:
    """Write a sample of a dataset; the same seed gives the same pages.

    Examples:
      tamis dataset sample pages.jsonl some.jsonl --count 20
    """
    from tamis.evaluation.datasets import open_dataset, take, write

    check_range("--count", count, COUNT)
    streams.say(f"{counted(write(target, take(open_dataset(dataset), count, seed)), 'page')} written to {target}")


def link(
    dataset: Annotated[Input, _DATASET],
    target: Annotated[Path, _TARGET],
    /,
    *,
    most: Annotated[int, Parameter(help="Other pages for each page, at most.")] = 20,
) -> None:
    """Add to each page other pages of its host, so that template methods can be evaluated.

    Examples:
      tamis dataset link pages.jsonl linked.zip
    """
    from tamis.evaluation.datasets import open_dataset, write
    from tamis.evaluation.neighbours import with_neighbours

    check_range("--most", most, COUNT)
    streams.say(f"{counted(write(target, with_neighbours(open_dataset(dataset), most)), 'page')} written to {target}")


def articles(dataset: Annotated[Input, _DATASET], /) -> None:
    """List which pages contain an article, by the test of QuASM; if page types are known, with precision and recall.

    Examples:
      tamis dataset articles pages.jsonl
    """
    from tamis.evaluation.articles import confusion, judge
    from tamis.evaluation.datasets import open_dataset

    judged = []
    for page in judge(open_dataset(dataset)):
        judged.append(page)
        streams.write(f"{'article' if page.is_article else 'other'}\t{page.id}\n")
    streams.say(f"{sum(page.is_article for page in judged)} of {counted(len(judged), 'page')} contain an article")
    cells = confusion(judged)
    if sum(cells):
        said = f"precision {cells.score.precision:.2f}, recall {cells.score.recall:.2f}"
        streams.say(f"by page type: {said} (tp {cells.tp}, fp {cells.fp}, fn {cells.fn}, tn {cells.tn})")


def volume(
    dataset: Annotated[Input, _DATASET],
    /,
    *,
    method: Annotated[Literal["dom_hash", "text_windows"], Parameter(help="How templates are found.")] = "dom_hash",
) -> None:
    """Measure how much of each site is template: the share of the text of its pages, from 0 to 1.

    Examples:
      tamis dataset volume pages.jsonl
      tamis dataset volume pages.jsonl --method text_windows
    """
    from tamis.evaluation.datasets import open_dataset
    from tamis.evaluation.volumes import template_volumes

    found = template_volumes(open_dataset(dataset), method)
    for site in found:
        share = "too few pages" if site.share is None else f"{site.share:.3f}"
        streams.write(f"{share}\t{site.pages}\t{site.site}\n")
    shares = [site.share for site in found if site.share is not None]
    mean = f"; {sum(shares) / len(shares):.1%} of their text is template, as a mean over sites" if shares else ""
    streams.say(f"{len(shares)} of {counted(len(found), 'site')} measured{mean}")


def gold(
    rules: Annotated[Path, _RULES],
    pages: Annotated[Input, _SITE_PAGES],
    target: Annotated[Path, _TARGET],
    /,
    *,
    report: Annotated[Path | None, _REPORT] = None,
) -> int:
    """Make gold text for all pages of a site by rules; pages on which they fail are listed and left out.

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
    """Suggest rules for a site from a few annotated pages, and print their word F1 on these.

    Examples:
      tamis dataset suggest labelled/pages.jsonl site.toml
    """
    from tamis.evaluation.datasets import open_dataset
    from tamis.evaluation.wrappers.rules import to_toml
    from tamis.evaluation.wrappers.suggest import suggest as search
    from tamis.files import write_text

    found = search(open_dataset(labelled))
    write_text(target, to_toml(found.wrapper))
    for page, score in found.scores.items():
        streams.write(f"{page}\t{score:.3f}\n")
    streams.say(f"{counted(len(found.wrapper.parts), 'part')} written to {target}; the numbers are word F1")


dataset = App(name="dataset", help="Inspect, convert or sample a dataset, or make one from the pages of a site.")
for _command in (info, convert, sample, link, articles, volume, gold, suggest):
    dataset.command(_command)


def _cell(value: object) -> str:
    if isinstance(value, tuple | list | dict) and not value:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{name or 'not given'} {count}" for name, count in value.items())
    return f"{value:.0f}" if isinstance(value, float) else str(value)
