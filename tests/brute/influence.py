"""Max-influence and influence curves by their definition: enumerate all sequences, and divide.

Laws are dictionaries from tuples of values to probabilities; an ordered pair of secrets is two
functions that say of such a tuple whether the secret holds.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product

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
    return {v: {outcome: weight / mass[v] for outcome, weight in row.items()} for v, row in found.items()}


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


def value_at(record, value):
    """The secret X_i = v."""
    return lambda values: values[record - 1] == value


def ratio(law, pair, shown):
    """The largest P(X_L = z | s) / P(X_L = z | t), or None if it is infinite; 0 if s or t has
    probability 0.
    """
    above, below = (marginal({x: p for x, p in law.items() if holds(x)}, shown) for holds in pair)
    if not above or not below:
        return Fraction(0)
    masses = sum(above.values()), sum(below.values())
    if above.keys() - below.keys():
        return INFINITE
    return max((p / masses[0]) / (below[z] / masses[1]) for z, p in above.items())


def marginal(law, shown):
    found = {}
    for values, p in law.items():
        outcome = tuple(values[record - 1] for record in shown)
        found[outcome] = found.get(outcome, 0) + p
    return found


def least(laws, pair, count, hidden):
    """min over H, |H| = b, of the largest ratio over the laws: None if it is infinite, 0 where
    no law counts.
    """
    found = []
    for chosen in combinations(range(1, count + 1), hidden):
        shown = [record for record in range(1, count + 1) if record not in chosen]
        ratios = [ratio(law, pair, shown) for law in laws]
        found.append(None if None in ratios else max(ratios))
    finite = [each for each in found if each is not None]
    return min(finite) if finite else INFINITE


def curve(laws, pairs, count, most=None):
    """e^a*(b) for b = 0 .. most, or None if it is infinite."""
    points = []
    for hidden in range((count if most is None else most) + 1):
        found = [least(laws, pair, count, hidden) for pair in pairs]
        points.append(None if None in found else max(found))
    return points
