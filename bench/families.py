"""The order in which the documentation shows the extractors: by what they look at."""

from __future__ import annotations

from collections.abc import Mapping

from bench.pages import documented

_FAMILIES = {
    "The default": "sieve",
    "The baseline": "keep_all",
    "Words and tags from left to right": "bte dsc adsc",
    "Content and code, blurred": "ccb accb tccb",
    "Source lines": "cetr_tm cetr_km cetr",
    "Blocks, links and names": "lqf crunch fe kfe elisa",
    "Sub-trees": "ltc hf lsi lp nce wish",
    "Content elements": "elements",
    "The page as it is shown": "visual",
    "Several methods": "combine",
}
_OTHERS = "Others"


def families() -> Mapping[str, tuple[str, ...]]:
    """Names of all extractors that exist, family by family."""
    existing = documented("extractors")
    known = {family: tuple(name for name in names.split() if name in existing) for family, names in _FAMILIES.items()}
    others = tuple(name for name in existing if not any(name in names for names in known.values()))
    return {family: names for family, names in {**known, _OTHERS: others}.items() if names}


def ordered_names() -> list[str]:
    """The same without the families."""
    return [name for names in families().values() for name in names]
