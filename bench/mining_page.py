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

For reading, yes: less to hear, and more of the text on the screen. For mining it depends on what the clutter says. On
product pages it names the kind of product, so that removing it by page makes classes and groups a little worse, and
removing only what a site repeats (`sst`) makes them a little better.

The question is an open one in Gottron (2008), who names both kinds of evaluation and their traps: measures of reading
reward a method that deletes everything, and measures of mining one that keeps hints in menus. So the first table also
says how much of the main text is kept, and the second tells sites that were learned from from sites that were not.

```sh
python -m bench.mining
```

writes this page and the numbers beside it ([mining.csv](mining.csv)). No option was chosen on these pages.

## Reading

Means over 100 pages, 20 of each of `cleaneval`, `dragnet`, `l3s_gn1`, `google_trends_2017` and `wcxb`. A screen reader
says 180 words a minute. Screens are those of Gupta et al. (2003), with letters of 8 by 16 pixels: 40 by 15 and 80 by 30
of them; counted are words of the gold text that are seen before anybody scrolls. `keep_all` is the page as it is.

{reading}

`sieve` saves a third of the time and loses 6 % of the main text, some of which is a matter of what the gold takes for
text; four times as many of its words are on the small screen. `accb` is as quick to hear because it loses more.

## Mining

232 pages of 29 sites, eight of each, which sell or list cars, books, cameras, jobs and basketball players
(`swde_sample`): five kinds from five sites or more each, as in the experiment of Yi, Liu & Li (2003). Naive Bayes
learns the kinds from other pages of the same sites (*known sites*), from all other sites (*new sites*), or from one
site of each kind (*one site known*); the number is F1, the mean over kinds. k-means makes five groups from word
vectors; the numbers are adjusted Rand indices with the kinds and with the sites, means of 20 starts.

{mining}

- A site has one kind of pages here, and its clutter says which: what `sieve` drops is enough to tell all kinds apart
  on new sites. So nothing beats the whole page, and extraction by page costs naive Bayes most where it has seen one
  site only: `sieve` 0.07, `accb` 0.27.
- What a site repeats is another matter: `sst` removes two fifths of the words, costs naive Bayes nothing and makes
  groups better, as Yi, Liu & Li report.
- Extraction does not make groups follow sites less: the index with sites stays where it was.

So: extract before people read, or where the text itself is what counts. For classes that a site has as a whole, use the
whole page or what a [template method](templates.md) leaves of it. Measure on your own classes: where a site has pages
of several kinds, its menus name all of them and tell nothing.
"""
