"""Representatives of segmented pages in a file, so that another run need not segment their templates again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from tamis.distances._structure import Hashes
from tamis.results import Made, Region
from tamis.sites import write_text
from tamis.sites.places import PathStep
from tamis.sites.segment_cache import WHOLE, CachedRegion, SegmentCache, SegmentedPage, Target
from tamis.stored import DamageError, reading
from tamis.stored.documents import read_json
from tamis.stored.keys import source_digest
from tamis.stored.values import check_format, made

FORMAT = 1  # grows when a saved file can no longer be read by an older version
_MAX_BYTES = 512 << 20  # ours: a hundred representatives of a site with large pages have some 50 MB
_MAX_VALUES = 64_000_000

_PlainRegion = tuple[list[int], tuple[float, float, float, float] | None, float | None, str]
_PlainTarget = tuple[int, int, int, list[int], int]
_PlainArea = tuple[_PlainRegion, int, int, list[_PlainTarget]]


class _PlainRepresentative(TypedDict):
    """A representative in types that JSON has."""

    url: str | None
    paths: list[int]
    places: list[PathStep]
    root: _PlainRegion
    levels: list[list[_PlainArea]]
    covered: float
    made: Made


class _PlainStore(TypedDict):
    format: int
    method: dict[str, Any]
    sites: dict[str, list[_PlainRepresentative]]


def save(cache: SegmentCache, path: Path) -> None:
    """Write all representatives of a cache as JSON: the whole file or none."""
    sites = {site: [_plain(one) for one in known] for site, known in cache.known.items()}
    written = {"format": FORMAT, "method": _made(cache), "sites": sites}
    write_text(path, json.dumps(written, allow_nan=False))


def load(cache: SegmentCache, path: Path) -> None:
    """Add the representatives in a file to a cache; it must have been written for the same method and options."""
    with reading("the file of representatives", path, "delete it to begin anew"):
        values = read_json(path, max_bytes=_MAX_BYTES, max_values=_MAX_VALUES)
        check_format(values, FORMAT)
        plain: _PlainStore = made(_PlainStore, values)
        method = plain["method"]
        sites = {site: [_representative(one) for one in known] for site, known in plain["sites"].items()}
        if method != _made(cache):
            raise DamageError(f"was written for {method}, not for {_made(cache)}: use another file")
    for site, known in sites.items():
        cache.known.setdefault(site, []).extend(known)


def _made(cache: SegmentCache) -> dict[str, Any]:
    """What the representatives depend on, in types JSON has."""
    modules = (f"tamis.segmenters.{cache.method}", "tamis.segmenters", "tamis.sites.segment_cache")
    sources = source_digest(modules, resources=True)  # the model of the segmenter is one
    made_by = {"name": cache.method, "options": dict(cache.options), "ids": cache.reuse.ids, "sources": sources}
    plain: dict[str, Any] = json.loads(json.dumps(made_by))
    return plain


def _plain(one: SegmentedPage) -> dict[str, Any]:
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


def _representative(values: _PlainRepresentative) -> SegmentedPage:
    _check_places(values["places"])
    _check_levels(values)
    levels = tuple(
        tuple(
            CachedRegion(_region(region), parts, tuple(map(_target, targets)), weight)
            for region, parts, weight, targets in level
        )
        for level in values["levels"]
    )
    options = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values["made"].options.items()
    }
    return SegmentedPage(
        url=values["url"],
        paths=_hashes(values["paths"]),
        places=tuple(values["places"]),
        root=_region(values["root"]),
        levels=levels,
        covered=values["covered"],
        made=dataclasses.replace(values["made"], options=options),
    )


def _check_places(places: Sequence[PathStep]) -> None:
    """An error unless every place stands behind the one above it, and among its siblings."""
    for number, place in enumerate(places):
        is_among = 1 <= place.position <= place.siblings and place.turn >= 1
        if not -1 <= place.parent < number or (place.parent < 0) != (number == 0) or not is_among:
            raise DamageError(f"is damaged (place {number} is nowhere)")


def _check_levels(values: _PlainRepresentative) -> None:
    """An error unless areas consist of those of the next level, and of places that there are."""
    levels = values["levels"]
    following = [*(len(level) for level in levels), 0][1:]
    if [sum(area[1] for area in level) for level in levels] != following[: len(levels)]:
        raise DamageError("is damaged (an area consists of parts that there are not)")
    for _, parts, weight, targets in (area for level in levels for area in level):
        for place, text, texts, _, size in targets:
            if not 0 <= place < len(values["places"]) or not (text == WHOLE or 0 <= text < texts) or size < 0:
                raise DamageError("is damaged (a target is nowhere)")
        if parts < 0 or weight < 0:
            raise DamageError("is damaged (an area has less than nothing)")
    if values["root"][0] != [0] or not 0 <= values["covered"] <= 1:
        raise DamageError("is damaged (its root is not the page)")


def _region(values: _PlainRegion) -> Region:
    nodes, box, score, label = values
    return Region(nodes=tuple(nodes), box=box, score=score, label=label)


def _target(values: _PlainTarget) -> Target:
    place, text, texts, paths, weight = values
    return Target(place, text, texts, _hashes(paths), weight)


def _hashes(values: Sequence[int]) -> Hashes:
    """Hashes as they are kept: each once, the smallest first."""
    if any(value < 0 for value in values):
        raise DamageError("is damaged (a hash is negative)")
    hashes = np.array(values, dtype=np.uint64)
    if (hashes[1:] <= hashes[:-1]).any():
        raise DamageError("is damaged (hashes are not in order)")
    return hashes
