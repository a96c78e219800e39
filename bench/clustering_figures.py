"""The pictures of clusterings in the documentation, docs/figures/clusters/: drawn by ``python -m bench.clustering``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tamis
from tamis import distances, registry
from tamis.clusterers import single_linkage
from tamis.pictures import dendrograms, maps, plots

FIGURES = Path(__file__).parent.parent / "docs" / "figures" / "clusters"


def draw_all() -> bool:
    """The pictures of the documentation: a hundred pages of the made-up sites."""
    from tests.sites.generator import make_corpus

    corpus = make_corpus(5, 5, 4)
    pages = [tamis.parse(page.html) for page in corpus]
    names = [page.url for page in corpus]
    FIGURES.mkdir(parents=True, exist_ok=True)
    for method, short in {"common_tag_sequence_shingles": "ctss", "tag_vector": "tv"}.items():
        matrix = distances.matrix(pages, method)
        groups = single_linkage.cluster_by(matrix, single_linkage.Options(distance=method, k=5)).groups
        plot = maps.matrix_plot(matrix, groups, f"Distances: {method.replace('_', ' ')}")
        (FIGURES / f"matrix_{short}.svg").write_text(plot + "\n", encoding="utf-8")
        points, stress = maps.scale(matrix)
        plot = maps.map_plot(points, groups, names, f"Map by {method.replace('_', ' ')}, stress {stress:.3f}")
        (FIGURES / f"map_{short}.svg").write_text(plot + "\n", encoding="utf-8")
    measure = registry.load("distances", distances.DEFAULT)
    matrix = distances.matrix(pages)
    mark = (measure.THRESHOLD, f"threshold {measure.THRESHOLD}")
    values = matrix[np.triu_indices(len(matrix), 1)].tolist()
    plot = plots.histogram(
        values, "Distances between two of a hundred pages", distances.DEFAULT.replace("_", " "), mark
    )
    (FIGURES / "histogram_ctss.svg").write_text(plot + "\n", encoding="utf-8")
    some = [page for page in range(len(pages)) if page % 5 < 2]
    by_site: dict[int, list[int]] = {}
    for place, page in enumerate(some):
        by_site.setdefault(corpus[page].site, []).append(place)
    shades = zip(by_site.values(), maps.group_colours(list(by_site.values())), strict=True)
    colours = {page: colour for group, colour in shades for page in group}
    few = matrix[np.ix_(some, some)]
    plot = dendrograms.dendrogram(
        single_linkage.join(few), [names[page] for page in some], colours, "Joins of forty pages", measure.THRESHOLD
    )
    (FIGURES / "dendrogram_ctss.svg").write_text(plot + "\n", encoding="utf-8")
    return True
