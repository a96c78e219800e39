"""Writes docs/mining.md from a table of numbers."""

from __future__ import annotations

import csv
from pathlib import Path

from bench.scores import ROOT

PAGE = ROOT / "docs" / "mining.md"
TABLE = ROOT / "docs" / "mining.csv"
READING = ("minutes to listen", "words kept", "words on 320 x 240", "words on 640 x 480")
MINING = (
    "words per page",
    "naive Bayes, known sites",
    "naive Bayes, new sites",
    "naive Bayes, one site known",
    "k-means, kinds",
    "k-means, sites",
)


def render_page(table: Path) -> str:
    """The whole page."""
    values = read_values(table)
    return _TEXT.format(reading=_table(values, READING), mining=_table(values, MINING))


def read_values(table: Path) -> dict[tuple[str, str], float]:
    """Numbers by task and method."""
    with table.open(encoding="utf-8", newline="") as file:
        return {(row["task"], row["method"]): float(row["value"]) for row in csv.DictReader(file)}


def _table(values: dict[tuple[str, str], float], tasks: tuple[str, ...]) -> str:
    methods = list(dict.fromkeys(method for task, method in values if task in tasks))
    lines = [f"| method | {' | '.join(tasks)} |", f"|---|{'---:|' * len(tasks)}"]
    lines += [f"| `{method}` | {' | '.join(_cell(values[task, method]) for task in tasks)} |" for method in methods]
    return "\n".join(lines)


def _cell(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


_TEXT = """# Does extraction help?

For reading, yes: there is less to listen to, and more of the text is on the screen. For data mining it depends on the
boilerplate. On product pages it names the kind of product, so removing it page by page makes classification and
clustering a little worse, and removing only what a site repeats (`sst`) makes clustering a little better.

Gottron (2008) leaves this question open, and warns of both kinds of evaluation: measures of reading reward a method
that deletes everything, and measures of mining one that keeps hints in menus. So the first table also shows how much of
the main text is kept, and the second separates sites that were used for training from new ones.

This command writes this page and its numbers ([mining.csv](mining.csv)):

```sh
python -m bench.mining
```

No option was chosen on these pages.

## Reading

Means over 100 pages, 20 of each of `cleaneval`, `dragnet`, `l3s_gn1`, `google_trends_2017` and `wcxb`. A screen reader
speaks 180 words per minute. The screens are those of Gupta et al. (2003), with letters of 8 by 16 pixels: 40 by 15 and
80 by 30 letters; counted are words of the gold text that are visible without scrolling. `keep_all` is the whole page.

{reading}

`sieve` saves a third of the time and loses 6 % of the main text, part of which is due to what the gold counts as text;
four times as many words are on the small screen. `accb` takes as little time because it loses more.

## Mining

232 pages of 29 sites, eight of each, which sell or list cars, books, cameras, jobs and basketball players
(`swde_sample`): five kinds from five sites or more each, as in the experiment of Yi, Liu & Li (2003). Naive Bayes
learns the kinds from other pages of the same sites (*known sites*), from all other sites (*new sites*), or from one
site of each kind (*one site known*); the number is F1, the mean over kinds. k-means makes five groups from word
vectors; the numbers are adjusted Rand indices with the kinds and with the sites, means of 20 starts.

{mining}

- Each site has one kind of pages here, and its boilerplate reveals which: what `sieve` drops is enough to distinguish
  all kinds on new sites. So nothing beats the whole page, and page-by-page extraction costs naive Bayes most if it has
  seen only one site: `sieve` 0.07, `accb` 0.27.
- Removing only what a site repeats is different: `sst` removes two fifths of the words, costs naive Bayes nothing and
  improves the clusters, as Yi, Liu & Li report.
- Extraction does not make clusters depend less on the site: the index with sites does not change.

Conclusion: extract if people read the text, or if the text itself matters. For classes that apply to whole sites, use
the whole page or what a [template method](templates.md) leaves of it. Measure with your own classes: if a site has
pages of several kinds, its menus name all of them and reveal nothing.
"""
