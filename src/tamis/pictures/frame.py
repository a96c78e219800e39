"""One HTML page that needs nothing else: the frame of every report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }}
body {{ max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .6rem; border-bottom: 1px solid #8886; }}
.side {{ display: flex; gap: 1rem; overflow-x: auto; }}
.side > div {{ min-width: 22rem; flex: 1; }}
pre {{ white-space: pre-wrap; font: 13px/1.4 system-ui, sans-serif; }}
svg {{ max-width: 100%; height: auto; }}
{style}
</style></head><body id="all"><h1>{title}</h1>
{body}
</body></html>
"""


def html_page(title: str, body: Sequence[str], style: str = "") -> str:
    """The page; ``style`` comes after what all reports share.

    >>> html_page("A & B", ["<p>Text.</p>"]).splitlines()[-3:]
    ['</style></head><body id="all"><h1>A &amp; B</h1>', '<p>Text.</p>', '</body></html>']
    """
    return _FRAME.format(title=escape(title), style=style, body="\n".join(body))
