"""Max-influence by its definition: enumerate all sequences of a chain, and divide."""

from fractions import Fraction
from itertools import pairwise, product

INFINITE = None


def sequence_law(initial, transition, length):
    """P(X_1 .. X_T = x) for every sequence of positive probability."""
    law = {}
    for values in product(range(len(transition)), repeat=length):
        weight = Fraction(initial[values[0]])
        for now, then in pairwise(values):
            weight *= transition[now][then]
        if weight:
            law[values] = weight
    return law


def conditional(law, record, others):
    """v -> outcome of the other records -> P(outcome | X_i = v), for values v of positive
    probability.
    """
    found, mass = {}, {}
    for values, weight in law.items():
        v, outcome = values[record - 1], tuple(values[other - 1] for other in others)
        mass[v] = mass.get(v, 0) + weight
        row = found.setdefault(v, {})
        row[outcome] = row.get(outcome, 0) + weight
    return {
        v: {outcome: weight / mass[v] for outcome, weight in row.items()}
        for v, row in found.items()
    }


def largest(conditionals, pairs=None):
    """The largest P(outcome | v) / P(outcome | w) over ordered pairs, at least 1; INFINITE
    where one excludes an outcome.
    """
    best = Fraction(1)
    for v, w in pairs or product(conditionals, repeat=2):
        for outcome, above in conditionals[v].items():
            below = conditionals[w].get(outcome, 0)
            if below == 0:
                return INFINITE
            best = max(best, above / below)
    return best


def influence(initial, transition, length, record, others):
    return largest(conditional(sequence_law(initial, transition, length), record, others))
