"""Chains of bits and redaction of them by their definitions, in fractions: sums over databases and
outputs.

For tests of statements. Nothing here uses what proves the claims, nor the evaluation that their
counterexamples use. Ratios are exponentials of leakages, influences and budgets; None is infinite.
Records count from 1.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import prod

from tests.brute.laws import marginal

F = Fraction
HIDDEN, SHOWN = (F(1), F(1)), (F(0), F(0))


@cache
def databases(a, b, n):
    """P(X = x) for every x, from the stationary law."""
    step, start = ((1 - a, a), (b, 1 - b)), (b / (a + b), a / (a + b))
    return {
        x: start[x[0]] * prod((step[y][z] for y, z in pairwise(x)), start=F(1))
        for x in product((0, 1), repeat=n)
    }


@cache
def given(a, b, n, p, value):
    """P(X = x | X_p = value)."""
    kept = {x: w for x, w in databases(a, b, n).items() if x[p - 1] == value}
    total = sum(kept.values())
    return {x: w / total for x, w in kept.items()}


def ratio(left, right):
    """The largest quotient in either order, 0/0 left out."""
    best = F(1)
    for key in {*left, *right}:
        low, high = sorted((left.get(key, F(0)), right.get(key, F(0))))
        if high and not low:
            return None
        best = max(best, high / low if low else best)
    return best


@cache
def influence(a, b, n, p, records):
    """e^Inf(X_p~>X_S)."""
    return ratio(*(marginal(given(a, b, n, p, v), records) for v in (0, 1)))


@cache
def pointwise(a, b, distance, value):
    """e^i(X_p~>X_t=value) at a distance, from the chain X_1, .., X_(1+distance)."""
    rows = [marginal(given(a, b, distance + 1, 1, v), (distance + 1,))[value,] for v in (0, 1)]
    return max(rows[0] / rows[1], rows[1] / rows[0])


def outputs(law, redaction):
    """The law of Y, None for *, if each record is redacted by itself with the probabilities
    (r_t(0), r_t(1)).
    """
    found = {}
    for x, w in law.items():
        partial = {(): w}
        for bit, chances in zip(x, redaction):
            hidden = chances[bit]
            partial = {
                (*y, mark): v * c
                for y, v in partial.items()
                for mark, c in ((bit, 1 - hidden), (None, hidden))
                if c
            }
        for y, v in partial.items():
            found[y] = found.get(y, F(0)) + v
    return found


def leakage(a, b, n, p, redaction, records=None):
    """e^Lk(X_p->Y), or of some outputs."""
    laws = [outputs(given(a, b, n, p, v), redaction) for v in (0, 1)]
    return ratio(*(laws if records is None else [marginal(law, records) for law in laws]))


@cache
def pattern_leakage(a, b, n, p, kept):
    """e^Lk of releasing these records and redacting the others, whatever their values."""
    return influence(a, b, n, p, kept)


def patterns(n, p):
    """Sets of released records, without p."""
    others = [t for t in range(1, n + 1) if t != p]
    return [kept for size in range(n) for kept in combinations(others, size)]


def utility(a, b, redaction):
    """n nu: the expected number of records with Y_t = X_t."""
    weights = (b / (a + b), a / (a + b))
    return sum(w * (1 - r[v]) for r in redaction for v, w in enumerate(weights))


def least(a, b, level, power=1):
    """D*: the least D >= 1 with i1(D) <= eps, of eps/2 with the power 2."""
    return next(d for d in range(1, 40) if pointwise_long(a, b, d) ** power <= level)


@cache
def pointwise_long(a, b, distance):
    """e^i1 at any distance, by one step of the chain after another."""
    rows = [(F(1), F(0)), (F(0), F(1))]
    for _ in range(distance):
        rows = [(u * (1 - a) + v * b, u * a + v * (1 - b)) for u, v in rows]
    return max(rows[0][1] / rows[1][1], rows[1][1] / rows[0][1])


def random_parameters(random, largest=8):
    """0 < a <= b < 1."""
    n, m = random.randint(2, largest), random.randint(2, largest)
    return tuple(sorted((F(random.randint(1, n - 1), n), F(random.randint(1, m - 1), m))))


def region(a, b, distance, budget):
    if budget < pointwise(a, b, distance, 0):
        return "L"
    return "M" if budget < pointwise(a, b, distance, 1) else "S"


def regions(a, b, n, p, left, right):
    """The regions of records 1 .. n; p is in L."""
    return "".join(
        "L" if t == p else region(a, b, abs(t - p), left if t < p else right)
        for t in range(1, n + 1)
    )


def three_regions(letters, q):
    """r_t = (1, 1) in L, (q_t, 1) in M, (0, 0) in S."""
    return [
        HIDDEN if c == "L" else SHOWN if c == "S" else (q[t], F(1))
        for t, c in enumerate(letters, 1)
    ]
