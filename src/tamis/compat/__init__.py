"""The calls of other extractors with our results, so that trying Tamis is one changed import.

    from tamis.compat import trafilatura
    text = trafilatura.extract(html, url=url, include_comments=False)

Names and arguments are theirs; what comes out is ours. The packages themselves are not needed and never imported. What
an argument cannot do here is said in the module that takes it, and in docs/migrating.md.
"""

from __future__ import annotations

from collections.abc import Iterable


def missing(module: str, name: str, names: Iterable[str]) -> str:
    """What is said of a name that the other package has and we have not."""
    return (
        f"module {module!r} has no attribute {name!r}: it has {', '.join(names)}; what to use in the place of other "
        "calls is in docs/migrating.md"
    )
