"""Chains whose steps are all alike, and what two records tell of one between them: powers of the
steps (ChainMoments.v, ChainInfluence.v). Records are counted from 0.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, law_of_chain, tables_of
from pufferproof.claims.vocabulary.terms import entry

LAW_OF, STEPS = "'A -> R", "'A -> 'A -> R"
Pairs = Iterator[tuple[Fraction, Fraction]]


def power(P: Rows, t: int) -> Rows:
    """Return P^t."""
    return _power(tuple(map(tuple, P)), t)


@lru_cache(maxsize=1000)
def _power(P: tuple[tuple[Fraction, ...], ...], t: int) -> Rows:
    size = range(len(P))
    if not t:
        return [[Fraction(x == y) for y in size] for x in size]
    before = _power(P, t - 1)
    return [
        [sum((a * P[z][y] for z, a in enumerate(row) if a), ZERO) for y in size] for row in before
    ]


def law_at(t: int, m: Law, P: Rows, x: int) -> Fraction:
    """Return (m P^t)(x)."""
    return sum((a * row[x] for a, row in zip(m, power(P, t))), ZERO)


def _within(
    ratio: Fraction, m: Law, P: Rows, k: int, a: int, b: int, v: int, w: int, size: int
) -> Pairs:
    """Yield both sides for all values of the pair, by the law of all tables."""
    number = k + a + b + 1
    joint: dict[tuple[int, int, int], Fraction] = {}
    alone = [ZERO] * size
    law = law_of_chain(ChainOf(m, [P]), number)
    for chance, table in zip(law, tables_of(size, number)):
        key = table[k], table[k + a], table[k + a + b]
        joint[key] = joint.get(key, ZERO) + chance
        alone[key[1]] += chance
    for x, y in product(range(size), repeat=2):
        both = [joint.get((x, u, y), ZERO) for u in (v, w)]
        yield both[0] * alone[w], ratio * alone[v] * both[1]


def _from_any(ratio: Fraction, P: Rows, k: int, a: int, b: int, v: int, w: int, size: int) -> Pairs:
    """Yield both sides for all starts and values of the pair; rows need not sum to 1. Where entries
    of P are negative, yield them for the uniform law, if both values are possible by some law.
    """
    near, whole, far = power(P, a), power(P, k + a), power(P, b)
    reached = [any(row[x] > 0 for row in power(P, k)) for x in range(size)]
    after = [sum(row, ZERO) for row in far]
    if min(map(min, P)) < 0:
        chances = [[row[u] * after[u] for row in whole] for u in (v, w)]
        if all(max(each) > 0 for each in chances):
            yield from _within(ratio, [Fraction(1, size)] * size, P, k, a, b, v, w, size)
        return
    for x, z, y in product(range(size), repeat=3):
        if reached[x]:
            top = near[x][v] * whole[z][w] * far[v][y] * after[w]
            yield top, ratio * near[x][w] * whole[z][v] * far[w][y] * after[v]


POWER = entry(
    "power",
    ("nat", STEPS, "'A", "'A"),
    "R",
    "[1]^([0])([2], [3])",
    "[1]^{[0]}([2], [3])",
    "Eigenvalues.steps [1] [0] [2] [3]",
    lambda t, P, x, y: power(P, t)[x][y],
    meaning="P^t(x, y) is the entry (x, y) of the t-th power of P.",
)
LAW_AT = entry(
    "law of a record",
    ("nat", LAW_OF, STEPS, "'A"),
    "R",
    "([1] [2]^([0]))([3])",
    "([1] [2]^{[0]})([3])",
    "ChainMoments.law_at [1] [2] [0] [3]",
    law_at,
    meaning="(m P^t)(x) is the sum of m(z) P^t(z, x) over z, the probability of x t steps after m.",
)
TOLD = (
    "That the records a before and b after X_i tell at most R of v against w means P(X_(i-a) = x, "
    "X_i = v, X_(i+b) = y) P(X_i = w) <= R P(X_i = v) P(X_(i-a) = x, X_i = w, X_(i+b) = y) for all "
    "x and y, if X_0, .., X_(i+b) are the records of the chain."
)
PAIR_WITHIN = entry(
    "a pair tells at most",
    ("R", LAW_OF, STEPS, "nat", "nat", "nat", "'A", "'A", "Type"),
    "Prop",
    "the records [4] before and [5] after X_([3] + [4]) of the chain with first law [1] and steps "
    "[2] tell at most [0] of [6] against [7]",
    r"P_{[1], [2]}(X_{[3]}, X_{[3] + [4] + [5]} \mid X_{[3] + [4]} = [6]) \le "
    r"[0]\, P_{[1], [2]}(X_{[3]}, X_{[3] + [4] + [5]} \mid X_{[3] + [4]} = [7])",
    "ChainInfluence.pair_within (d[8]) [0] [1] [2] [3] [4] [5] [6] [7]",
    _within,
    relation="<=",
    meaning=TOLD,
)
FROM_ANY = entry(
    "a pair tells at most from any law",
    ("R", STEPS, "nat", "nat", "nat", "'A", "'A", "Type"),
    "Prop",
    "from every law of X_0 by which [5] and [6] are both possible for X_([2] + [3]) the records "
    "[3] before and [4] after X_([2] + [3]) of the chain with steps [1] tell at most [0] of [5] "
    "against [6]",
    r"\sup_m \max_{x, y} \frac{P_{m, [1]}(X_{[2]} = x, X_{[2] + [3] + [4]} = y \mid "
    r"X_{[2] + [3]} = [5])}{P_{m, [1]}(X_{[2]} = x, X_{[2] + [3] + [4]} = y \mid "
    r"X_{[2] + [3]} = [6])} \le [0]",
    "ChainInfluence.pair_within_from_any (d[7]) [0] [1] [2] [3] [4] [5] [6]",
    _from_any,
    relation="<=",
    meaning=TOLD,
)
