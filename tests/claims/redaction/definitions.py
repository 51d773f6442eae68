"""Definitions of the statements on redaction, in fractions: laws of sequences, local and central
mechanisms, leakage.

A law maps sequences (tuples of values) to probabilities. A local mechanism is a list of rows, one
per record: the probability that each value is redacted. Nothing here uses what proves the claims,
nor what evaluates their counterexamples.
"""

from fractions import Fraction
from itertools import pairwise, product
from math import prod

from tests.brute.laws import marginal

F = Fraction
STAR = "*"


def sequences(start, steps):
    """P(X = x) for all x of positive probability; steps[t] leads from record t to record t + 1."""
    found = {}
    for x in product(*(range(len(row)) for row in [start, *(step[0] for step in steps)])):
        p = start[x[0]] * prod((step[y][z] for step, (y, z) in zip(steps, pairwise(x))), start=F(1))
        if p:
            found[x] = p
    return found


def bits(a, b):
    return [[1 - a, a], [b, 1 - b]]


def stationary(a, b, n):
    """The law of n bits of a stationary chain."""
    return sequences([b / (a + b), a / (a + b)], [bits(a, b)] * (n - 1))


def given_each(law, records):
    """The laws given every possible value of some records, counted from 1."""
    found = {}
    for x, p in law.items():
        key = tuple(x[t - 1] for t in records)
        found.setdefault(key, {})[x] = p
    return {
        key: {x: p / sum(part.values()) for x, p in part.items()} for key, part in found.items()
    }


def largest(laws):
    """The largest ratio of two laws, None for infinite, 1 if there is one law."""
    best = F(1)
    for left, right in product(laws, repeat=2):
        for y, p in left.items():
            if p and not right.get(y):
                return None
            if p:
                best = max(best, p / right[y])
    return best


def at_most(left, right):
    """left <= right, None being infinite."""
    return right is None or (left is not None and left <= right)


def influence(law, p, records):
    """e^Inf(X_p ~> X_S)."""
    return largest([marginal(each, records) for each in given_each(law, [p]).values()])


def pointwise(law, p, t, value):
    """e^i(X_p ~> X_t = value), 1 where the value is impossible."""
    laws = [marginal(each, [t]) for each in given_each(law, [p]).values()]
    return largest([{value: each.get((value,), F(0))} for each in laws])


def outputs(law, rows):
    """The law of the output of a local mechanism."""
    found = {}
    for x, p in law.items():
        for marks in product((False, True), repeat=len(x)):
            chance = p * prod(
                row[v] if hide else 1 - row[v] for row, v, hide in zip(rows, x, marks)
            )
            if chance:
                y = tuple(STAR if hide else v for v, hide in zip(x, marks))
                found[y] = found.get(y, F(0)) + chance
    return found


def leakage(law, rows, private, seen=None):
    """e^Lk about X_A of the outputs at some records, of all if left out."""
    seen = range(1, len(rows) + 1) if seen is None else seen
    return largest(
        [marginal(outputs(each, rows), seen) for each in given_each(law, private).values()]
    )


def released(law, rows):
    """The expected number of released records."""
    return sum(p * (1 - row[v]) for x, p in law.items() for row, v in zip(rows, x))


def random_row(random, size, zero=True, denominator=4):
    while True:
        row = [random.randint(0 if zero else 1, denominator) for _ in range(size)]
        if sum(row):
            return [F(each, sum(row)) for each in row]


def random_step(random, size, zero=True):
    return [random_row(random, size, zero) for _ in range(size)]


CHANCES = [F(0), F(1, 3), F(1, 2), F(1), F(1)]


def random_rows(random, n, hidden, size=2):
    """A local mechanism that always redacts some records, often of the forms that the claims
    speak of.
    """
    rows = []
    for t in range(1, n + 1):
        row = [random.choice(CHANCES) for _ in range(size)]
        if random.random() < 0.5:
            row = [F(1)] * size
            row[random.randrange(size)] = random.choice(CHANCES[1:4])
        rows.append([F(1)] * size if t in hidden else row)
    return rows
