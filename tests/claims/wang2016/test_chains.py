"""Chains and their influence bounds: powers, spectra and influences computed independently."""

from math import exp

import numpy as np
import pytest
from tests.claims.examination import evidence

from pufferproof.claims.language.instances.matrices import eigenvalues
from pufferproof.claims.papers.wang2016.chains.instances import deviation, matrix


def floats(rows):
    return np.array([[float(entry) for entry in row] for row in rows])


def parameters(rows):
    """Stationary law, and 1 minus the second largest absolute value of an eigenvalue, in floats."""
    values, vectors = np.linalg.eig(floats(rows).T)
    top = int(np.argmin(abs(values - 1)))
    law = np.real(vectors[:, top] / vectors[:, top].sum())
    others = np.delete(values, top)
    return law, 1 - (max(abs(others)) if len(others) else 0), np.real(others)


@pytest.mark.claims
@pytest.mark.parametrize(("reading", "signed"), [(1, False), (2, True)])
def test_counterexamples_to_the_spectral_lemma_in_floats(reading, signed):
    shown = evidence("wang2016.lemA1", reading)
    rows, t = shown["P"], shown["t"]
    law, gap, others = parameters(rows)
    if signed:
        gap = 1 - min(others, key=lambda value: -abs(value))
    left = abs(np.linalg.matrix_power(floats(rows), t) / law - 1).max()
    assert left > exp(-gap * t) / law.min() + 0.01
    assert np.linalg.matrix_power(floats(rows), 9).min() > 0  # irreducible and aperiodic


def test_deviations_and_eigenvalues_are_those_of_numpy():
    for rows in [matrix("1/2 1/2 0", "1/4 1/2 1/4", "0 1/2 1/2"), matrix("1/4 3/4", "3/4 1/4")]:
        law, gap, _ = parameters(rows)
        assert 1 - max(abs(v) for v, _ in eigenvalues(rows) if v != 1) == pytest.approx(gap)
        for t in range(1, 6):
            found = abs(np.linalg.matrix_power(floats(rows), t) / law - 1).max()
            assert float(deviation(rows, t)) == pytest.approx(found)


def printed_relations(rows, x, y, t):
    """The four expressions of the printed inequality with Cauchy and Schwarz, in their order."""
    law, _, _ = parameters(rows)
    root = np.sqrt(law)
    values, vectors = np.linalg.eigh(root[:, None] * floats(rows) / root)
    order = np.argsort(-abs(values))
    values, u = values[order], vectors[:, order] / root[:, None]
    rest, star = slice(1, None), values[1]
    return [
        abs(np.linalg.matrix_power(floats(rows), t)[x, y] / law[y] - 1),
        (u[y, rest] * values[rest] ** t * u[x, rest]).sum(),
        (u[y, rest] * star**t * u[x, rest]).sum(),
        star**t * ((u[x, rest] ** 2).sum() * (u[y, rest] ** 2).sum()) ** 0.5,
    ]


@pytest.mark.claims
def test_each_printed_relation_fails_at_its_counterexample_in_floats():
    for n in range(3):
        found = printed_relations(evidence("wang2016.A5-cauchy", n)["P"], 0, 1, 1)
        assert found[n] > found[n + 1] + 0.1
