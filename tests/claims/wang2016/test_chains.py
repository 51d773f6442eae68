"""Claims on chains and their influence bounds: powers, spectra and influences computed
independently agree.
"""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, inf, log

import networkx as nx
import numpy as np
import pytest
from tests.claims.examination import examined

from pufferproof import MarkovChain
from pufferproof.claims.language.instances.matrices import eigenvalues
from pufferproof.claims.papers.wang2016.chains.instances import (
    deviation,
    exceeds,
    matrices,
    matrix,
    reversible,
)
from pufferproof.claims.papers.wang2016.chains.irreversible import WINDOW
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.influence.network import is_quilt
from pufferproof.models.sequences.chain import Along


def test_quilts_of_all_chains_up_to_eight_nodes():
    for length in range(1, 9):
        graph = nx.path_graph(range(1, length + 1), create_using=nx.DiGraph)
        for i in range(1, length + 1):
            for low, high in product(range(i), range(i + 1, length + 2)):
                quilt = [end for end in (low, high) if 1 <= end <= length]
                nearby = list(range(low + 1, high))
                remote = [*range(1, low), *range(high + 1, length + 1)]
                assert is_quilt(graph, i, quilt, nearby, remote) == ""


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
    evidence = examined("wang2016.lemA1").readings[reading].evidence
    rows, t = evidence["P"], evidence["t"]
    law, gap, others = parameters(rows)
    if signed:
        gap = 1 - min(others, key=lambda value: -abs(value))
    left = abs(np.linalg.matrix_power(floats(rows), t) / law - 1).max()
    assert left > exp(-gap * t) / law.min() + 0.01
    assert np.linalg.matrix_power(floats(rows), 9).min() > 0  # irreducible and aperiodic


def test_the_repaired_spectral_lemma_on_all_small_reversible_chains():
    count = 0
    for states, parts in [(2, 4), (2, 5), (3, 3)]:
        for rows in matrices(states, parts):
            if reversible(rows):
                count += 1
                assert not any(exceeds(rows, t) for t in range(1, 6))
    assert count > 40


def test_deviations_and_eigenvalues_are_those_of_numpy():
    for rows in [matrix("1/2 1/2 0", "1/4 1/2 1/4", "0 1/2 1/2"), matrix("1/4 3/4", "3/4 1/4")]:
        law, gap, _ = parameters(rows)
        assert 1 - max(abs(v) for v, _ in eigenvalues(rows) if v != 1) == pytest.approx(gap)
        for t in range(1, 6):
            found = abs(np.linalg.matrix_power(floats(rows), t) / law - 1).max()
            assert float(deviation(rows, t)) == pytest.approx(found)


def bound(law, gap, distance):
    """h(t), infinite at and below the threshold."""
    decay = exp(-gap * distance)
    return log((law.min() + decay) / (law.min() - decay)) if decay < law.min() else inf


def test_influences_stay_below_the_bound_for_every_start():
    checked = 0
    for rows in [*matrices(2, 4), *matrices(3, 3)]:
        if not reversible(rows):
            continue
        law, gap, _ = parameters(rows)
        if gap < 1e-9:
            continue
        influence = ChainInfluence(Along(MarkovChain("stationary", rows), 30))
        for a, b in [(None, 2), (2, None), (3, 3), (5, 2), (2, 5), (6, None)]:
            limit = (2 * bound(law, gap, a) if a else 0) + (bound(law, gap, b) if b else 0)
            if limit < inf:
                found = influence.any_start((a or 0) + 1, a, b)
                assert found.upper is not None
                assert log(found.upper) <= limit + 1e-9
                checked += 1
    assert checked > 60


@pytest.mark.claims
def test_the_bound_fails_without_reversibility():
    evidence = examined("wang2016.x-lemA2-irreversible").readings[0].evidence
    rows = evidence["P"]
    law, gap, _ = parameters(rows)
    assert gap == pytest.approx(0.5, abs=1e-6)
    power = np.linalg.matrix_power(floats(rows), 5)
    ratio = (power.max(axis=0) / power.min(axis=0)).max()
    assert float(evidence["R"]) == pytest.approx(ratio)
    delta = exp(-2.5) / law.min()
    assert delta < 1
    assert ratio > (1 + delta) / (1 - delta) + 0.01
    influence = ChainInfluence(Along(MarkovChain("stationary", rows), 6))
    assert influence.of(1, None, 5).upper == evidence["R"]


def test_four_bits_are_not_forgotten_in_three_steps():
    """Stationary: X_1 and X_4 share one bit, so that some backward probabilities are 0, above
    the threshold.
    """
    rows = WINDOW
    law, _, others = parameters(rows)
    assert np.allclose(law, 1 / 16)
    assert (
        abs(np.linalg.matrix_power(floats(rows) - 1 / 16, 4)).max() < 1e-12
    )  # all eigenvalues but one are 0
    assert len(others) == 15
    assert exp(-3) < 1 / 16
    assert ChainInfluence(Along(MarkovChain("stationary", rows), 4)).of(4, 3, None).upper is None


@pytest.mark.claims
def test_printed_forms_of_the_powers_differ_from_the_powers():
    rows = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]]
    law = [Fraction(1, 3), Fraction(2, 3)]
    root = np.diag(np.sqrt([1 / 3, 2 / 3]))
    symmetric = root @ floats(rows) @ np.linalg.inv(root)
    assert np.allclose(symmetric, symmetric.T)
    assert not np.allclose(root @ symmetric @ root, floats(rows))
    assert np.allclose(np.linalg.inv(root) @ symmetric @ root, floats(rows))
    values, v = np.linalg.eigh(symmetric)
    back = np.linalg.inv(root)
    forms = [
        root @ symmetric @ symmetric @ root,
        root @ (v * values) @ v.T @ root,
        (back @ v * values) @ (v.T @ root @ root) @ back,
        (back @ v * values) @ (back @ v).T @ root @ root,
    ]
    assert [np.allclose(one, other) for one, other in pairwise(forms)] == [False, False, True]
    found = [reading.verdict.value for reading in examined("wang2016.A5-power").readings]
    assert found == ["REFUTED", "REFUTED", "REFUTED", "DERIVED", "REFUTED", "DERIVED"]
    assert all(1 + row[y] - law[y] != row[y] for row in rows for y in (0, 1))


def spectral(rows):
    """Stationary law, eigenvalues by falling absolute value, and the columns u_i, by numpy."""
    law, _, _ = parameters(rows)
    root = np.sqrt(law)
    values, vectors = np.linalg.eigh(root[:, None] * floats(rows) / root)
    order = np.argsort(-abs(values))
    return law, values[order], vectors[:, order] / root[:, None]


def printed_relations(rows, x, y, t):
    """The four expressions of the printed inequality with Cauchy and Schwarz, from left to
    right.
    """
    law, values, u = spectral(rows)
    rest, star = slice(1, None), values[1]
    return [
        abs(np.linalg.matrix_power(floats(rows), t)[x, y] / law[y] - 1),
        (u[y, rest] * values[rest] ** t * u[x, rest]).sum(),
        (u[y, rest] * star**t * u[x, rest]).sum(),
        star**t * ((u[x, rest] ** 2).sum() * (u[y, rest] ** 2).sum()) ** 0.5,
    ]


@pytest.mark.claims
def test_each_printed_relation_fails_at_its_counterexample_in_floats():
    readings = examined("wang2016.A5-cauchy").readings
    first = printed_relations(readings[0].evidence["P"], 0, 1, 1)
    assert first[0] > first[1] + 0.1
    second = printed_relations(readings[1].evidence["P"], 0, 1, 1)
    assert second[1] > second[2] + 0.1
    third = printed_relations(readings[2].evidence["P"], 0, 1, 1)
    assert third[2] > third[3] + 0.1


def test_the_repaired_relations_hold_for_all_small_reversible_chains():
    for rows in [*matrices(2, 4), *matrices(3, 3)]:
        if reversible(rows):
            law, values, u = spectral(rows)
            assert np.allclose(u.T @ (law[:, None] * u), np.eye(len(law)))
            for t, x, y in product(range(1, 5), range(len(law)), range(len(law))):
                power = np.linalg.matrix_power(floats(rows), t)[x, y]
                terms = u[y] * values**t * u[x]
                assert abs(terms.sum() * law[y] - power) < 1e-9
                assert abs(terms[1:].sum()) <= abs(values[1]) ** t / (law[x] * law[y]) ** 0.5 + 1e-9
