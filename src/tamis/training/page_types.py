"""Training of the page types: softmax regression on page summaries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.extractors.sieve.network import Weights
from tamis.extractors.sieve.page_types import PAGE_TYPES, PageTypes
from tamis.page.text import Floats

_PENALTY = 3.0  # of squared weights; ours, not swept
# Fitted to the end: a summary that differs in its last digit must not be seen in the weights of a file.
_EXACT = {"ftol": 1e-15, "gtol": 1e-7, "maxiter": 20_000, "maxfun": 40_000}


def fit_page_types(summaries: Sequence[Weights], types: Sequence[str]) -> PageTypes:
    """A classifier fitted to pages whose types are among PAGE_TYPES."""
    from scipy.optimize import minimize

    inputs = np.array(summaries, dtype=np.float64)
    size = inputs.shape[1]
    shape = (size, len(PAGE_TYPES))
    wanted = np.eye(shape[1])[[PAGE_TYPES.index(name) for name in types]]

    def loss(values: Floats) -> tuple[float, Floats]:
        weights, biases = values[: -shape[1]].reshape(shape), values[-shape[1] :]
        odds = inputs @ weights + biases
        odds -= odds.max(axis=1, keepdims=True)
        logs = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
        error = np.exp(logs) - wanted
        total = -float((wanted * logs).sum()) + _PENALTY / 2 * float(np.square(weights).sum())
        return total, np.append((inputs.T @ error + _PENALTY * weights).ravel(), error.sum(axis=0))

    fitted = minimize(loss, np.zeros(size * shape[1] + shape[1]), jac=True, method="L-BFGS-B", options=_EXACT)
    values = fitted.x
    return PageTypes(values[: -shape[1]].reshape(shape).astype(np.float32), values[-shape[1] :].astype(np.float32))
