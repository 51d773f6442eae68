"""The influence curve of a stationary chain of bits, and its printed formula: HiddenBits.v.

Quotients are as in Coq, where x/0 is 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.records.stationary import power, start
from pufferproof.claims.vocabulary.terms import entry

Sides = Sequence[tuple[Fraction, Fraction]]
Hidden = tuple[int, ...]


@cache
def compared(p: Fraction, q: Fraction, n: int, i: int) -> Mapping[Hidden, Sides]:
    """Return for every set of hidden records, marked by 1, what the values of the others weigh:
    given X_i = 0, times P(X_i = 1), and given X_i = 1, times P(X_i = 0).
    """
    tables = [*product((0, 1), repeat=n)]
    law, step = start(1 - p, 1 - q), power(1 - p, 1 - q, 1)
    weights = []
    for table in tables:
        weights.append(law[table[0]])
        for x, y in pairwise(table):
            weights[-1] *= step[x][y]
    found = {}
    for hidden in tables:
        sums: dict[Hidden, list[Fraction]] = {}
        for table, weight in zip(tables, weights):
            shown = tuple(x for x, marked in zip(table, hidden) if not marked)
            sums.setdefault(shown, [ZERO, ZERO])[table[i]] += weight
        zero, one = (sum((each[x] for each in sums.values()), ZERO) for x in (0, 1))
        found[hidden] = [(each[0] * one, each[1] * zero) for each in sums.values()]
    return found


def least(p: Fraction, q: Fraction, n: int, b: int) -> Fraction:
    """Return the least e^a*(b) of a chain of which every table is possible, where it is finite."""
    worst = Fraction(1)
    for i, v in product(range(n), (0, 1)):
        ratios = [
            max(pair[v] / pair[1 - v] for pair in pairs)
            for hidden, pairs in compared(p, q, n, i).items()
            if sum(hidden) <= b and hidden[i]
        ]
        worst = max([worst, *([min(ratios)] if ratios else [])])
    return worst


def _curve(R: Fraction, p: Fraction, q: Fraction, n: int, b: int) -> Iterator[bool]:
    for i, v in product(range(n), (0, 1)):
        yield any(
            all(pair[v] <= R * pair[1 - v] for pair in pairs)
            for hidden, pairs in compared(p, q, n, i).items()
            if sum(hidden) <= b
        )


def _term(p: Fraction, q: Fraction, d: int) -> Fraction:
    z = quotient(1 - q if p < q else 1 - p, 2 - p - q)
    u = (p + q - 1) ** d
    ratio = quotient(z + u * (1 - z), z - u * z)
    return max(ratio, quotient(Fraction(1), ratio))


def printed(p: Fraction, q: Fraction, b: int) -> Fraction:
    """Return e to the printed sum."""
    return _term(p, q, (b + 1) // 2) * _term(p, q, (b + 2) // 2)


CHAIN = "X is a stationary chain of T bits, of which 0 stays with probability p and 1 with probability q."
CURVE = entry(
    "influence curve of bits at most",
    takes=("R", "R", "R", "nat", "nat"),
    words="e^a*([4]) <= [0] in a chain of [3] bits",
    tex=r"e^{a^\star([4])} \le [0]",
    coq="HiddenBits.curve_at_most [0] [1] [2] [3] [4]",
    value=_curve,
    relation="truth",
    meaning=f"{CHAIN} e^a*(b) <= R if for every record X_i and each of its values v at most b "
    "records can be hidden such that P(X_L = y | X_i = v) <= R P(X_L = y | X_i = 1 - v) for all "
    "values y of the others, X_L.",
)
PRINTED = entry(
    "printed curve of bits",
    takes=("R", "R", "nat"),
    gives="R",
    words="e^s([2])",
    tex=r"e^{s([2])}",
    coq="HiddenBits.printed_curve [0] [1] [2]",
    value=printed,
    meaning="s(b) is the sum over d = floor((b + 1)/2) and d = ceil((b + 1)/2) of |log[(z + lam^d "
    "(1 - z))/(z - lam^d z)]|, where lam = p + q - 1, pi_0 = (1 - q)/(2 - p - q), pi_1 = 1 - pi_0, "
    "and z is pi_0 if q > p and pi_1 otherwise.",
)
