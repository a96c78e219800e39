"""Logistic regression on sparse rows, for the tables of names and of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamis.page.text import Floats


def fit_logistic(matrix: Any, labels: Floats, weights: Floats, *, penalty: float, rounds: int) -> Floats:
    """The weight of each column of a SciPy matrix; labels are shares, the penalty is on squared weights."""
    from scipy.optimize import minimize

    turned = matrix.T.tocsr()

    def loss(values: Floats) -> tuple[float, Floats]:
        odds = matrix @ values[:-1] + values[-1]
        error = weights * (1 / (1 + np.exp(-odds)) - labels)
        total = float((weights * (np.logaddexp(0, odds) - labels * odds)).sum())
        total += penalty / 2 * float(np.square(values[:-1]).sum())
        return total, np.append(turned @ error + penalty * values[:-1], error.sum())

    fitted = minimize(loss, np.zeros(matrix.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": rounds})
    found: Floats = fitted.x[:-1]
    return found
