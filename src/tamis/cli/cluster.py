"""``tamis cluster``: the pages of a folder, grouped by the template they were made from."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from tamis import batch, clusterers, distances, registry
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.delivery import write_file
from tamis.cli.flags import Input, offers, with_flags
from tamis.cli.items import Item, is_address, make_folder, plan
from tamis.cli.progress import tracked
from tamis.cli.sources import Reader
from tamis.errors import OptionError, TamisError
from tamis.options import options_of
from tamis.page.model import Page
from tamis.results import Clustering

_MAX_IN_MATRIX = 1000  # pages; a picture has no more points
_MAX_ON_MAP = 400  # more cannot be told apart, and each step of the scaling compares all of them
_LINKAGES = {"average_linkage": "average_linkage"}  # whose joins a dendrogram shows; of all others single linkage's


def cluster(
    folder: Annotated[Input, Parameter(help="The folder; every page below it is read.")],
    /,
    *,
    method: Annotated[
        str,
        Parameter(help="Clusterer; list: tamis methods clusterers", completer=offers(*registry.names("clusterers"))),
    ] = clusterers.DEFAULT,
    out: Annotated[
        Path | None, Parameter(help="Folder for groups.json and four pictures; default: print the groups.")
    ] = None,
    redesigns: Annotated[
        bool, Parameter(help="Also find redesigns of a site; the file names must be in chronological order.")
    ] = False,
    **options: Any,
) -> int:
    """Group pages by the template they were made from.

    Examples:
      tamis cluster pages/
      tamis cluster pages/ --out groups/
      tamis cluster pages/ --method average_linkage
      tamis cluster snapshots/ --redesigns
    """
    if is_address(folder):
        raise OptionError(f"cluster reads saved pages: tamis site {folder} fetches pages of a site and groups them")
    items = plan([folder], "json", None)
    if out is not None:
        make_folder(out)
    measure = options.get("distance", distances.DEFAULT)
    reading = _Reading(items, measure)
    clustering = clusterers.cluster(reading.pages(), method, **options)
    clustering = _largest_first(clustering)
    told = _to_dict(clustering, reading.names)
    if redesigns:
        told["redesigns"] = _redesigns(reading)
    answer = json.dumps(told, ensure_ascii=False, indent=2) + "\n"
    if out is None:
        streams.write(answer)
    else:
        for name, text in {"groups.json": answer, **_plots(clustering, reading)}.items():
            write_file(out / name, text)
    counts = Counter(reading.statuses)
    read = ", ".join(f"{counts[status]} {status}" for status in batch.STATUSES if counts[status])
    streams.say(
        f"{counted(len(reading.names), 'page')} in {counted(len(clustering.groups), 'group')} ({read or 'none read'})"
    )
    return batch.exit_code(counts)


class _Reading:
    """Pages one by one; what the plots need is kept of each, the page is not."""

    def __init__(self, items: Sequence[Item], measure: str) -> None:
        self.names: list[str] = []
        self.features: list[Any] = []
        self.statuses: list[str] = []
        self.measure = registry.load("distances", measure)
        self._items = items
        self._reader = Reader(allow_private=False, respect_robots=True)

    def pages(self) -> Iterator[Page]:
        for item in tracked(self._items):
            try:
                page = self._reader.read(item.source)
            except TamisError as error:
                streams.say(f"failed: {error}")
                self.statuses.append("failed")
                continue
            self.statuses.append("truncated" if page.truncated else "ok" if page.text.strip() else "empty")
            self.names.append(item.source)
            self.features.append(self.measure.features(page, self.measure.Options()))
            yield page


def command(method: str) -> Callable[..., int]:
    """The function ``cluster`` with the options of one method in the place of ``**options``."""
    own = options_of(registry.load("clusterers", method))
    return with_flags(cluster, {f"Options of {method}": own})


def _to_dict(clustering: Clustering, names: Sequence[str]) -> dict[str, Any]:
    chosen = clustering.representatives or [None] * len(clustering.groups)
    return {
        "method": clustering.made.method,
        "options": clustering.made.options,
        "version": clustering.made.version,
        "threshold": clustering.threshold,
        "groups": [
            {
                **({} if page is None else {"representative": _writable(names[page])}),
                "pages": [_writable(names[member]) for member in group],
            }
            for group, page in zip(clustering.groups, chosen, strict=True)
        ],
    }


def _redesigns(reading: _Reading) -> list[dict[str, Any]]:
    """Where the pages begin to be built otherwise; each is told as well."""
    from tamis.sites.redesigns import Options, find_in

    names = [_writable(name) for name in reading.names]
    options = Options(distance=reading.measure.__name__.rpartition(".")[2])
    found = find_in(reading.measure.matrix(reading.features, reading.measure.Options()), options)
    for place, distance in found:
        streams.say(f"redesign between {names[place - 1]} and {names[place]} (distance {distance:.2f})")
    return [{"before": names[place - 1], "after": names[place], "distance": distance} for place, distance in found]


def _largest_first(clustering: Clustering) -> Clustering:
    """The same groups in the order in which ``tamis site`` numbers them."""
    order = sorted(range(len(clustering.groups)), key=lambda one: (-len(clustering.groups[one]), one))
    chosen = clustering.representatives
    return dataclasses.replace(
        clustering,
        groups=tuple(clustering.groups[one] for one in order),
        representatives=tuple(chosen[one] for one in order) if chosen else chosen,
    )


def _plots(clustering: Clustering, reading: _Reading) -> dict[str, str]:
    from tamis.pictures import dendrograms, maps, plots

    measure, names = reading.measure, [_writable(name) for name in reading.names]
    shown = _sample(len(names), _MAX_IN_MATRIX)
    found = measure.matrix([reading.features[page] for page in shown], measure.Options())
    on_map = _sample(len(shown), _MAX_ON_MAP)
    few = found[np.ix_(on_map, on_map)]
    groups, labels = _among(clustering, [shown[place] for place in on_map]), [names[shown[place]] for place in on_map]
    points, stress = maps.scale(few)
    kind = measure.__name__.rpartition(".")[2].replace("_", " ")
    threshold = clustering.threshold
    linkage = registry.load("clusterers", _LINKAGES.get(clustering.made.method, "single_linkage"))
    colours = {page: colour for group, colour in zip(groups, maps.group_colours(groups), strict=True) for page in group}
    return {
        "matrix.svg": maps.matrix_plot(found, _among(clustering, shown), f"Distances: {kind}"),
        "map.svg": maps.map_plot(points, groups, labels, f"Map by {kind}, stress {stress:.3f}"),
        "dendrogram.svg": dendrograms.dendrogram(linkage.join(few), labels, colours, f"Joins by {kind}", threshold),
        "histogram.svg": plots.histogram(
            found[np.triu_indices(len(found), 1)],
            f"Distances between two pages, {counted(len(shown), 'page')}",
            kind,
            None if threshold is None else (threshold, f"threshold {threshold:.3g}"),
        ),
    }


def _sample(count: int, most: int) -> list[int]:
    """Some of so many places, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64)).tolist() if count else []


def _among(clustering: Clustering, shown: Sequence[int]) -> list[list[int]]:
    """The groups, by place among the pages that are shown; groups without any keep their number."""
    place = {page: number for number, page in enumerate(shown)}
    return [[place[page] for page in group if page in place] for group in clustering.groups]


def _writable(name: str) -> str:
    """A name of a file that is no UTF-8, with escapes."""
    return name.encode("utf-8", "backslashreplace").decode()
