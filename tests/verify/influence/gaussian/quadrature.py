"""Influence under truncated Gaussian laws by quadrature in floats, straight from the definition."""

from itertools import combinations, product
from math import prod

import numpy as np
from numpy.polynomial.legendre import leggauss

NODES, WEIGHTS = leggauss(40)
AT_ONCE = 50_000  # nodes, few enough for a cache


def squared_exponential(count, length):
    """Sigma_jk = exp(-(j - k)^2 / length)."""
    places = np.arange(count)
    return np.exp(-((places[:, None] - places) ** 2) / float(length))


def panels(low, high, pieces):
    """Nodes and weights of composite Gauss-Legendre."""
    edges = np.linspace(low, high, pieces + 1)
    half = np.diff(edges) / 2
    middle = (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * NODES).ravel(), (half[:, None] * WEIGHTS).ravel()


def log_integral(sigma, record, window, hidden, box, shown):
    """log of the integral of exp(-x'Sigma^-1 x/2) over x_i in the window and the other hidden
    records in the box, the shown ones being fixed. Where all others are, record k deviates by the
    square root of 1 / precision[k, k]: a panel has 40 nodes for eight times that.
    """
    precision = np.linalg.inv(sigma)
    pieces = np.ceil((box[1] - box[0]) * np.sqrt(precision.diagonal()) / 8).astype(int)
    sides = [(*window, 1) if k == record else (*box, pieces[k]) for k in hidden]
    grids = [panels(*side) for side in sides]
    points = np.meshgrid(*(nodes for nodes, _ in grids), indexing="ij", sparse=True)
    values = dict(zip(hidden, points)) | shown
    squares = [-0.5 * precision[j, j] * values[j] ** 2 for j in range(len(sigma))]
    products = [-precision[j, k] * values[j] * values[k] for j, k in combinations(range(len(sigma)), 2)]
    parts = sorted((np.reshape(each, np.shape(each) or (1,) * len(hidden)) for each in squares + products), key=np.size)
    (first, along), *others = ((nodes.size, weights) for nodes, weights in grids)
    few = max(1, AT_ONCE // prod(size for size, _ in others))
    logs = []
    for start in range(0, first, few):
        exponent = sum(part[start : start + few] if len(part) > 1 else part for part in parts)
        top = exponent.max()
        total = np.exp(np.subtract(exponent, top, out=exponent), out=exponent)
        for _, weights in reversed(others):
            total = total @ weights
        logs.append(np.log(total @ along[start : start + few]) + top)
    return float(np.logaddexp.reduce(logs))


def log_ratio(sigma, record, one, other, hidden, box, shown):
    """log p(x_L | s) / p(x_L | t) at one place."""
    every = tuple(range(len(sigma)))
    given = [log_integral(sigma, record, w, hidden, box, shown) for w in (one, other)]
    mass = [log_integral(sigma, record, w, every, box, {}) for w in (one, other)]
    return given[0] - given[1] - mass[0] + mass[1]


def supremum(sigma, record, one, other, hidden, box, steps):
    """The largest log-ratio on a grid of the shown records: a lower bound, near for many steps."""
    others = [k for k in range(len(sigma)) if k not in hidden]
    grid = np.linspace(*box, steps)
    every = tuple(range(len(sigma)))
    mass = [log_integral(sigma, record, w, every, box, {}) for w in (one, other)]
    best = -np.inf
    for place in product(grid, repeat=len(others)):
        shown = dict(zip(others, place))
        given = [log_integral(sigma, record, w, hidden, box, shown) for w in (one, other)]
        best = max(best, given[0] - given[1])
    return best - mass[0] + mass[1]


def curve(sigma, record, one, other, box, steps=5):
    """The least supremum over sets of b hidden records, b = 1 .. n - 1, for one ordered pair."""
    others = [k for k in range(len(sigma)) if k != record]
    return [
        min(
            supremum(sigma, record, one, other, tuple(sorted((record, *some))), box, steps)
            for some in combinations(others, b - 1)
        )
        for b in range(1, len(sigma))
    ]
