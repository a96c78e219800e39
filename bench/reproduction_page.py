"""Writes docs/reproduction.md from a table of scores."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from bench import cetr_claims, gottron_claims, reproduction_headline
from bench.claims import HOLDS, NOT, PARTLY, Claim, claim_verdict, part_verdict
from bench.scores import LINK_RICH, ROOT, SHORT, Scores, of_means

PAGE = ROOT / "docs" / "reproduction.md"
DIVERSE = ("public/cleaneval", "public/krdwrd_canola", "public/wcxb")
Layout = TypeVar("Layout")

_TEXT = """# Reproduction

Which published findings about the methods hold on other pages. A script writes this page:

```sh
python -m bench.reproduction --work DIR
```

It runs every extractor with its default options, and a few variants, on a fixed sample of {datasets} datasets (at most
{most} pages of each, chosen by the hash of their ids; {pages} pages in all), scores them, and compares the numbers with
the published ones. The numbers are in [reproduction.csv](reproduction.csv). The datasets are public and for measuring
only: no option was chosen on them. `train/chinese_wced` is the exception; it replaces the Chinese half of CleanEval,
and some defaults of CETR were chosen on training pages.

Unless noted otherwise, F1 is for words in order (longest common subsequence; Gottron's WS, but case-insensitive), as
the mean over pages. `link-rich` are the {link_rich} pages of all public datasets whose gold text is at least 15 %
links, `short` the {short} pages whose gold text is at most a tenth of the page's words.

{summary}

## F1 by dataset

{by_dataset}

Some methods differ from those of the authors. `elisa` uses rules written for Tamis, since its own are not published;
`nce` and `wish` have our numbers where their descriptions have none; `combine`, `sieve` and `visual` are ours. `sieve`
and `elements` are trained, also on pages of `train/chinese_wced`, so their scores there are not held-out. No page was
rendered, so `visual` uses an estimated layout.

## All measures

Means over the public datasets with equal weight. The deviation is the standard deviation of F1 over the pages of a
dataset. The time is for parsing, extracting and writing text, the median over pages; differences below a fifth are
noise. `elements`, `sieve` and `visual` were run later than the others, and their time is processor time.

{by_measure}

## The claims of Gottron (2008)

The thesis compares fourteen methods on fourteen packages: one site each, an encyclopaedia (`wiki`, rich in links), a
site with short items under long comments (`slashdot`), and one of mixed pages (`manual`). Our datasets are mixtures of
sites, so a method's failure on one site hardly shows in the mean. Packages are compared with ours by kind: `wiki` with
`link-rich`, `slashdot` with `short`, `manual` with {diverse}.

A claim consists of parts, and a part of comparisons of two numbers, which the same code makes on the tables of the
thesis and on ours. A part *holds* if our share of true comparisons is at least nine tenths of the published share,
*holds partly* from half of it, and else *does not hold*. A claim whose parts differ holds partly.

{gottron}

{packages}

## Table 4 of CETR (2010)

The paper's F1 are harmonic means of mean precision and mean recall, and so are ours in this section; they are higher
than the means over pages above. Except for CleanEval, its datasets are not public. Chinese articles replace the Chinese
half of CleanEval, and four datasets of news replace Myriad 40, Big 5, NYTimes and BBC. `lqf` is `LQ` in the paper; the
threshold used there is not known.

{table_4}

{cetr}
"""


def render_page(scores: Scores, rebuilt: Scores) -> str:
    """The whole page, from the scores on our datasets and those on the packages rebuilt from them."""
    public = [name for name in scores.datasets if name.startswith("public/")]
    cells = {name: scores.cells[name, "keep_all", "words"].pages for name in (*scores.datasets, LINK_RICH, SHORT)}
    packages = gottron_claims.Packages(tuple(public), tuple(public), LINK_RICH, SHORT, DIVERSE)
    return _TEXT.format(
        datasets=len(scores.datasets),
        most=max(cells[name] for name in scores.datasets),
        pages=sum(cells[name] for name in scores.datasets),
        link_rich=cells[LINK_RICH],
        short=cells[SHORT],
        diverse=", ".join(f"`{_short(name)}`" for name in DIVERSE),
        summary=_summary(scores, packages),
        by_dataset=_by_dataset(scores, public),
        by_measure=_by_measure(scores, public),
        gottron=_claims(
            gottron_claims.CLAIMS,
            *gottron_claims.published(),
            scores,
            packages,
        ),
        packages=reproduction_headline.render(gottron_claims.published()[0], rebuilt),
        table_4=_table_4(of_means(scores)),
        cetr=_claims(cetr_claims.CLAIMS, *cetr_claims.published(), of_means(scores), cetr_claims.OURS),
    )


def ranked(scores: Scores, datasets: Sequence[str]) -> list[str]:
    """Systems from the best mean F1 to the worst."""
    return sorted(scores.systems, key=lambda system: -scores.mean(system, datasets=datasets))


def _by_dataset(scores: Scores, public: Sequence[str]) -> str:
    columns = [*public, "train/chinese_wced", LINK_RICH, SHORT]
    rows = [
        [_written(system), f"**{scores.mean(system, datasets=public):.3f}**"]
        + [f"{scores.f1(name, system):.3f}" for name in columns]
        for system in ranked(scores, public)
    ]
    return _table(["method", "mean of public", *map(_short, columns)], rows)


def _by_measure(scores: Scores, public: Sequence[str]) -> str:
    rows = []
    for system in ranked(scores, public):
        f1 = (scores.mean(system, measure=measure, datasets=public) for measure in ("words", "bag", "set"))
        others = (scores.mean(system, field, datasets=public) for field in ("precision", "recall", "deviation"))
        time = scores.mean(system, "us_per_kb", datasets=public)
        rows.append([_written(system), *(f"{value:.3f}" for value in (*f1, *others)), f"{time:.0f}"])
    columns = ["method", "F1 in order", "F1 of bags", "F1 of sets", "precision", "recall", "deviation", "µs per kB"]
    return _table(columns, rows)


def _summary(scores: Scores, packages: gottron_claims.Packages) -> str:
    """How many claims hold."""
    lines = []
    for title, verdicts in (
        ("- Claims of Gottron", _verdicts(gottron_claims.CLAIMS, *gottron_claims.published(), scores, packages)),
        (
            "- Statements of Table 4",
            _verdicts(cetr_claims.CLAIMS, *cetr_claims.published(), of_means(scores), cetr_claims.OURS),
        ),
    ):
        counts = Counter(claim_verdict(found) for found in verdicts)
        lines.append(f"{title}: {HOLDS} {counts[HOLDS]}, {PARTLY} {counts[PARTLY]}, {NOT} {counts[NOT]}.")
    return "\n".join(lines)


def _claims(
    claims: Sequence[Claim[Layout]], published: Scores, their_layout: Layout, scores: Scores, layout: Layout
) -> str:
    rows = [
        [
            claim.name,
            "<br>".join(part.text for part in claim.parts),
            "<br>".join(part.count(published, their_layout) for part in claim.parts),
            "<br>".join(part.count(scores, layout) for part in claim.parts),
            f"**{claim_verdict(found)}**" + (f"<br>({'; '.join(found)})" if len(set(found)) > 1 else ""),
            claim.why,
        ]
        for claim, found in zip(claims, _verdicts(claims, published, their_layout, scores, layout), strict=True)
    ]
    return _table(["claim", "what was found", "authors", "ours", "verdict", "why"], rows, right=False)


def _verdicts(
    claims: Sequence[Claim[Layout]], published: Scores, their_layout: Layout, scores: Scores, layout: Layout
) -> list[list[str]]:
    """For each claim the verdicts on its parts."""
    return [
        [part_verdict(part.share(published, their_layout), part.share(scores, layout)) for part in claim.parts]
        for claim in claims
    ]


def _table_4(scores: Scores) -> str:
    published, sources = cetr_claims.published()
    ours = cetr_claims.OURS
    columns = [
        "method",
        *(f"{name} / {_short(own)}" for name, own in zip(sources.every, ours.every, strict=True)),
        "mean",
    ]
    names = sorted((*cetr_claims.CETR, *cetr_claims.OTHERS), key=lambda name: -published.mean(name))
    rows = [
        [
            f"`{name}`",
            *(
                f"{published.f1(theirs, name):.3f} / {scores.f1(own, name):.3f}"
                for theirs, own in zip(sources.every, ours.every, strict=True)
            ),
            f"**{published.mean(name):.3f} / {scores.mean(name, datasets=ours.every):.3f}**",
        ]
        for name in names
    ]
    return _table(columns, rows) + f"\n\n{_order(published, scores, names)}"


def _order(published: Scores, scores: Scores, names: Sequence[str]) -> str:
    means = {name: (published.mean(name), scores.mean(name, datasets=cetr_claims.OURS.every)) for name in names}
    pairs = list(itertools.combinations(names, 2))
    same = sum((means[one][0] - means[other][0]) * (means[one][1] - means[other][1]) > 0 for one, other in pairs)
    tau = (2 * same - len(pairs)) / len(pairs)
    return f"Of {len(pairs)} pairs of methods, {same} have the same order of means (Kendall's τ {tau:.2f})."


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: bool = True) -> str:
    align = ["---", *["---:" if right else "---"] * (len(columns) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (columns, align, *rows))


def _short(name: str) -> str:
    return name.rpartition("/")[2]


def _written(system: str) -> str:
    return f"`{system}`"
