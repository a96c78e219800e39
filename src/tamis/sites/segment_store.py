"""Representatives of segmented pages in a file, so that another run need not segment their templates again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamis.distances._structure import Hashes
from tamis.errors import InputError
from tamis.results import Made, Region
from tamis.sites import write_text
from tamis.sites.places import Place
from tamis.sites.segment_cache import Area, Representative, SegmentCache, Target

FORMAT = 1  # grows when a saved file can no longer be read by an older version


def save(cache: SegmentCache, path: Path) -> None:
    """Write all representatives of a cache as JSON: the whole file or none."""
    sites = {site: [_plain(one) for one in known] for site, known in cache.known.items()}
    written = {"format": FORMAT, "method": _made(cache), "sites": sites}
    write_text(path, json.dumps(written, allow_nan=False))


def load(cache: SegmentCache, path: Path) -> None:
    """Add the representatives in a file to a cache; it must have been written for the same method and options."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if values["format"] != FORMAT:
            raise ValueError(f"format is {values['format']!r}, but {FORMAT} is expected")
        method = values["method"]
        sites = {site: [_representative(one) for one in known] for site, known in values["sites"].items()}
    except (OSError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"cannot read representatives from {str(path)!r}: {error!r}; delete it to begin anew"
        ) from error
    if method != _made(cache):
        raise InputError(f"{str(path)!r} was written for {method}, not for {_made(cache)}: use another file")
    for site, known in sites.items():
        cache.known.setdefault(site, []).extend(known)


def _made(cache: SegmentCache) -> dict[str, Any]:
    """What the representatives depend on, in types JSON has."""
    plain: dict[str, Any] = json.loads(
        json.dumps({"name": cache.method, "options": dict(cache.options), "ids": cache.reuse.ids})
    )
    return plain


def _plain(one: Representative) -> dict[str, Any]:
    return {
        "url": one.url,
        "paths": one.paths.tolist(),
        "places": one.places,
        "root": _plain_region(one.root),
        "levels": [
            [
                [
                    _plain_region(area.region),
                    area.parts,
                    area.weight,
                    [_plain_target(target) for target in area.targets],
                ]
                for area in level
            ]
            for level in one.levels
        ],
        "covered": one.covered,
        "made": {**dataclasses.asdict(one.made), "options": dict(one.made.options)},
    }


def _plain_region(region: Region) -> list[Any]:
    return [region.nodes, region.box, region.score, region.label]


def _plain_target(target: Target) -> list[Any]:
    return [target.place, target.text, target.texts, target.paths.tolist(), target.weight]


def _representative(values: dict[str, Any]) -> Representative:
    levels = tuple(
        tuple(
            Area(_region(region), parts, tuple(map(_target, targets)), weight)
            for region, parts, weight, targets in level
        )
        for level in values["levels"]
    )
    options = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values["made"]["options"].items()
    }
    return Representative(
        url=values["url"],
        paths=_hashes(values["paths"]),
        places=tuple(Place(*place) for place in values["places"]),
        root=_region(values["root"]),
        levels=levels,
        covered=values["covered"],
        made=Made(**{**values["made"], "options": options}),
    )


def _region(values: Sequence[Any]) -> Region:
    nodes, box, score, label = values
    return Region(nodes=tuple(nodes), box=None if box is None else tuple(box), score=score, label=label)


def _target(values: Sequence[Any]) -> Target:
    place, text, texts, paths, weight = values
    return Target(place, text, texts, _hashes(paths), weight)


def _hashes(values: Sequence[int]) -> Hashes:
    return np.array(values, dtype=np.uint64)
