from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.extractors._k_means import k_means

POINTS = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=40).map(np.array)


@given(POINTS)
def test_a_pinned_centroid_never_moves(points: np.ndarray) -> None:
    _, centroids = k_means(points, np.array([[0.0, 0.0], [50.0, 50.0]]), pinned=1)
    assert centroids[0].tolist() == [0.0, 0.0]


@given(POINTS)
def test_every_point_belongs_to_its_nearest_centroid(points: np.ndarray) -> None:
    labels, centroids = k_means(points, points[:3])
    distances = np.linalg.norm(points[:, None] - centroids[None], axis=2)
    assert np.allclose(distances[np.arange(len(points)), labels], distances.min(axis=1))


def test_ties_go_to_the_first_cluster() -> None:
    labels, _ = k_means(np.array([[1.0]]), np.array([[0.0], [2.0]]), pinned=2)
    assert labels.tolist() == [0]


def test_an_empty_cluster_keeps_its_centroid() -> None:
    _, centroids = k_means(np.array([[1.0]]), np.array([[1.0], [99.0]]))
    assert centroids.tolist() == [[1.0], [99.0]]


def test_no_points_make_no_labels() -> None:
    labels, _ = k_means(np.zeros((0, 1)), np.array([[1.0]]))
    assert labels.tolist() == []
