"""``tamis cluster``: the pages of a folder, grouped by the template they were made from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

import tamis
from tamis import batch, clusterers, distances, registry
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.batch import write_file
from tamis.cli.flags import Input, offers, with_flags
from tamis.cli.items import Item, make_folder, plan
from tamis.cli.progress import tracked
from tamis.errors import TamisError
from tamis.options import options_of
from tamis.page.model import Page
from tamis.results import Clustering

_MAX_IN_MATRIX = 1000  # pages; a picture has no more points
_MAX_ON_MAP = 400  # more cannot be told apart, and each step of the scaling compares all of them


def cluster(
    folder: Annotated[Input, Parameter(help="The folder; every page below it is read.")],
    /,
    *,
    method: Annotated[
        str, Parameter(help="How to group: tamis methods clusterers", completer=offers(*registry.names("clusterers")))
    ] = clusterers.DEFAULT,
    out: Annotated[
        Path | None, Parameter(help="Where groups.json, matrix.svg and map.svg go; else the groups are printed.")
    ] = None,
    **options: Any,
) -> int:
    """Group pages by the template they were made from.

    Examples:
      tamis cluster pages/
      tamis cluster pages/ --out groups/
      tamis cluster pages/ --method average_linkage
    """
    items = plan([folder], "json", None)
    if out is not None:
        make_folder(out)
    measure = options.get("distance", distances.DEFAULT)
    reading = _Reading(items, measure)
    clustering = clusterers.cluster(reading.pages(), method, **options)
    answer = json.dumps(_to_dict(clustering, reading.names), ensure_ascii=False, indent=2) + "\n"
    if out is None:
        streams.write(answer)
    else:
        for name, text in {"groups.json": answer, **_plots(clustering, reading)}.items():
            write_file(out / name, text)
    counts = Counter(reading.statuses)
    told = ", ".join(f"{counts[status]} {status}" for status in batch.STATUSES if counts[status])
    streams.say(
        f"{counted(len(reading.names), 'page')} in {counted(len(clustering.groups), 'group')} ({told or 'none read'})"
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

    def pages(self) -> Iterator[Page]:
        for item in tracked(self._items):
            try:
                page = tamis.parse(Path(item.source))
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


def _plots(clustering: Clustering, reading: _Reading) -> dict[str, str]:
    from tamis.pictures import maps

    measure, names = reading.measure, [_writable(name) for name in reading.names]
    shown = _sample(len(names), _MAX_IN_MATRIX)
    found = measure.matrix([reading.features[page] for page in shown], measure.Options())
    on_map = _sample(len(shown), _MAX_ON_MAP)
    points, stress = maps.scale(found[np.ix_(on_map, on_map)])
    kind = measure.__name__.rpartition(".")[2].replace("_", " ")
    return {
        "matrix.svg": maps.matrix_plot(found, _among(clustering, shown), f"Distances: {kind}"),
        "map.svg": maps.map_plot(
            points,
            _among(clustering, [shown[place] for place in on_map]),
            [names[shown[place]] for place in on_map],
            f"Map by {kind}, stress {stress:.3f}",
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
