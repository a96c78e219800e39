"""The bench of integrity counts what it says it counts, on pages and outputs written by hand."""

from __future__ import annotations

import pytest

from bench.integrity import Counts, measure
from bench.markdown_systems import System
from tamis.evaluation.datasets import Sample

PAGE = """<title>Rivers rise - Post</title><div>Share this page</div><h1>Rivers rise</h1>
<p>The river rose in the night, and by morning the lower road was under water.</p>
<figure><img src=r.jpg><figcaption>The bridge at noon</figcaption></figure><p>It fell in the evening.</p>
<h2>Lengths of rivers</h2><p>All of them were measured anew this spring.</p>
<table><tr><th>Name of river<th>Kilometres<tr><td>The Elbe<td>1094 in all<tr><td>The Oder<td>866 in all</table>
<h2>What to take</h2><p>You will need all of these:</p>
<ul><li>a good torch</li><li>dry woollen socks</li><li>a loaf of bread</li></ul>
<p>Then type this and wait:</p><pre>import river
river.watch(hours=3)</pre><p>It stops by itself when the water falls again.</p>"""
LEAD = "The river rose in the night, and by morning the lower road was under water."
WHOLE = f"""# Rivers rise

{LEAD}

![](r.jpg)

The bridge at noon

It fell in the evening.

## Lengths of rivers

All of them were measured anew this spring.

| Name of river | Kilometres |
| --- | --- |
| The Elbe | 1094 in all |
| The Oder | 866 in all |

## What to take

You will need all of these:

- a good *torch*
- dry [woollen](https://example.org/a_b) socks
- a loaf of bread

Then type this and wait:

```
import river
river.watch(hours=3)
```

It stops by itself when the water falls again.
"""


def shares(output: str) -> dict[str, tuple[int, int]]:
    counts = {"it": Counts()}
    systems: dict[str, System] = {"it": lambda _: output}
    measure(Sample(id="1", html=PAGE, gold=""), systems, counts)
    own = counts["it"]
    return {name: (own.found[name], own.of[name]) for name in own.of}


def test_a_whole_document_has_no_faults() -> None:
    assert shares(WHOLE) == {
        **dict.fromkeys(("headline", "first"), (1, 1)),
        **dict.fromkeys(("tables", "lists", "code", "captions", "doubled", "glued", "raw"), (0, 1)),
        "colons": (0, 2),
        "heads": (0, 2),
        "bare": (0, 3),
    }


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("# Rivers rise\n", "", {"headline": (0, 1), "first": (0, 1), "bare": (0, 2)}),
        ("# Rivers", "Share this page\n\n# Rivers", {"first": (0, 1)}),
        ("| The Oder | 866 in all |\n", "", {"tables": (1, 1)}),
        ("| Name of river | Kilometres |", "| | |", {"tables": (1, 1), "heads": (2, 2)}),
        ("- dry [woollen](https://example.org/a_b) socks\n", "", {"lists": (1, 1)}),
        ("river.watch(hours=3)\n", "", {"code": (1, 1)}),
        ("The bridge at noon\n", "", {"captions": (1, 1)}),
        ("```\nimport river\nriver.watch(hours=3)\n```\n", "", {"code": (1, 1), "colons": (1, 2)}),
        ("It stops", "## Other\n\n## More\n\nIt stops", {"bare": (1, 5)}),
        (
            "All of them",
            f"{LEAD}\n\nAll of them",
            {"doubled": (1, 1)},
        ),
        ("were measured", "weremeasured", {"glued": (1, 1)}),
        ("It stops", "<div>It</div> stops", {"raw": (1, 1)}),
    ],
)
def test_each_fault_is_counted_once(old: str, new: str, fault: dict[str, tuple[int, int]]) -> None:
    assert old in WHOLE
    assert shares(WHOLE.replace(old, new)) == {**shares(WHOLE), **fault}


def test_what_is_not_kept_at_all_is_not_partial() -> None:
    found = shares(f"# Rivers rise\n\n{LEAD}")
    assert not {"tables", "heads", "lists", "code", "captions", "colons"} & set(found)


def test_commands_of_formulas_are_no_glued_words() -> None:
    """The page says "then" and "type", and ``\\thentype`` is a command."""
    assert shares(WHOLE.replace("All of them", "$\\thentype x$ All of them"))["glued"] == (0, 1)
    assert shares(WHOLE.replace("All of them", "thentype All of them"))["glued"] == (1, 1)
