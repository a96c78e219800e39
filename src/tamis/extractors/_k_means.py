"""k-means on few dimensions, without chance."""

from __future__ import annotations

import numpy as np

from tamis.page.text import Floats, Ints

_MAX_ROUNDS = 100  # k-means on the lines of a page settles within about ten


def k_means(points: Floats, seeds: Floats, *, pinned: int = 0) -> tuple[Ints, Floats]:
    """The cluster of each point, and the centroids.

    Rows of ``points`` and ``seeds`` are positions. The first ``pinned`` centroids never move; a cluster that loses all
    its points keeps its centroid; a point as near to two centroids goes to the first.

    >>> labels, centroids = k_means(np.array([[0.0], [1.0], [10.0]]), np.array([[0.0], [10.0]]))
    >>> labels.tolist(), centroids.tolist()
    ([0, 0, 1], [[0.5], [10.0]])
    """
    centroids = seeds.astype(np.float64)
    labels = np.full(len(points), -1, dtype=np.int64)
    for _ in range(_MAX_ROUNDS):
        distances = ((points[:, None, :] - centroids[None, :, :]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1) if len(points) else labels
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        for cluster in range(pinned, len(centroids)):
            members = points[labels == cluster]
            if len(members):
                centroids[cluster] = members.mean(axis=0)
    return labels, centroids
