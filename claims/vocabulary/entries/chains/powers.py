"""Chains whose steps are all alike, and what one record or two tell of another: powers of the steps
(ChainMoments.v, ChainInfluence.v). Records are counted from 0.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, law_of_chain, tables_of
from pufferproof.claims.vocabulary.terms import entry

F = Fraction
LAW_OF, STEPS = "'A -> R", "'A -> 'A -> R"
Pairs = Iterator[tuple[Fraction, Fraction]]
Within = tuple[Fraction, Law, Rows, int, int, int, int, int, int, int]
FromAny = tuple[Fraction, Rows, int, int, int, int, int, int, int]


def power(P: Rows, t: int) -> Rows:
    """Return P^t."""
    return _power(tuple(map(tuple, P)), t)


@lru_cache(maxsize=1000)
def _power(P: tuple[tuple[Fraction, ...], ...], t: int) -> Rows:
    size = range(len(P))
    if not t:
        return [[Fraction(x == y) for y in size] for x in size]
    before = _power(P, t - 1)
    return [[sum((a * P[z][y] for z, a in enumerate(row) if a), ZERO) for y in size] for row in before]


def law_at(t: int, m: Law, P: Rows, x: int) -> Fraction:
    """Return (m P^t)(x)."""
    return sum((a * row[x] for a, row in zip(m, power(P, t))), ZERO)


def _within(*asked: *Within) -> Pairs:
    """Yield both sides for all values of the records at the sides, by the law of all tables."""
    ratio, m, P, k, a, b, c, v, w, size = asked
    place, number = k + a, k + a + b + c + 1
    joint: dict[tuple[int | None, int, int | None], Fraction] = {}
    alone = [ZERO] * size
    law = law_of_chain(ChainOf(m, [P]), number)
    for chance, table in zip(law, tables_of(size, number)):
        key = table[k] if a else None, table[place], table[place + b] if b else None
        joint[key] = joint.get(key, ZERO) + chance
        alone[key[1]] += chance
    for x, y in {(x, y): None for x, _, y in joint}:
        both = [joint.get((x, u, y), ZERO) for u in (v, w)]
        yield both[0] * alone[w], ratio * alone[v] * both[1]


def _from_any(*asked: *FromAny) -> Pairs:
    """Yield both sides for all starts and values of the records at the sides, if both values are
    possible by some law; rows need not sum to 1. Where entries of P are negative, yield them for
    the uniform law.
    """
    ratio, P, k, a, b, c, v, w, size = asked
    near, whole = power(P, a), power(P, k + a)
    rest = [sum(row, ZERO) for row in power(P, c)]
    far = [[chance * each for chance, each in zip(row, rest)] for row in power(P, b)]
    after = [sum(row, ZERO) for row in far]
    if not all(any(row[u] * (after[u] > 0) > 0 for row in whole) for u in (v, w)):
        return
    if min(map(min, P)) < 0:
        yield from _within(ratio, [Fraction(1, size)] * size, P, k, a, b, c, v, w, size)
        return
    reached = [x for x in range(size) if any(row[x] > 0 for row in power(P, k))]
    for x, z, y in product(reached, range(size), range(size)):
        before = (near[x][v] * whole[z][w], near[x][w] * whole[z][v]) if a else (F(1), F(1))
        later = (far[v][y], far[w][y]) if b else (after[v], after[w])
        yield before[0] * later[0] * after[w], ratio * before[1] * later[1] * after[v]


POWER = entry(
    "power",
    takes=("nat", STEPS, "'A", "'A"),
    gives="R",
    words="[1]^([0])([2], [3])",
    tex="[1]^{[0]}([2], [3])",
    coq="Eigenvalues.steps [1] [0] [2] [3]",
    value=lambda t, P, x, y: power(P, t)[x][y],
    meaning="P^t(x, y) is the entry (x, y) of the t-th power of P.",
)
LAW_AT = entry(
    "law of a record",
    takes=("nat", LAW_OF, STEPS, "'A"),
    gives="R",
    words="([1] [2]^([0]))([3])",
    tex="([1] [2]^{[0]})([3])",
    coq="ChainMoments.law_at [1] [2] [0] [3]",
    value=law_at,
    meaning="(m P^t)(x) is the sum of m(z) P^t(z, x) over z, the probability of x t steps after m.",
)
IF_SHOWN = entry(
    "factor of a record",
    takes=("nat", "R"),
    gives="R",
    words="f([0], [1])",
    tex="f([0], [1])",
    coq="ChainInfluence.if_shown [0] [1]",
    value=lambda distance, x: x if distance else F(1),
    meaning="f(d, x) is x if d >= 1, and 1 if d = 0: without a record there is no factor.",
)
TOLD = (
    "That these records tell at most R of v against w means P(X_S = x, X_i = v) P(X_i = w) <= R "
    "P(X_i = v) P(X_S = x, X_i = w) for all x, where S are their places."
)
SIDES_WITHIN = entry(
    "sides tell at most",
    takes=("R", LAW_OF, STEPS, "nat", "nat", "nat", "nat", "'A", "'A", "Type"),
    words="the records [4] before and [5] after X_([3] + [4]), where a distance of 0 stands for no "
    "record on that side, tell at most [0] of [7] against [8], in the chain X_0, .., X_([3] + [4] "
    "+ [5] + [6]) with first law [1] and steps [2]",
    tex=r"P_{[1], [2]}(X_{[3]} \text{ if } [4] \ge 1, X_{[3] + [4] + [5]} \text{ if } [5] \ge 1 \mid "
    r"X_{[3] + [4]} = [7]) \le [0]\, P_{[1], [2]}(X_{[3]} \text{ if } [4] \ge 1, "
    r"X_{[3] + [4] + [5]} \text{ if } [5] \ge 1 \mid X_{[3] + [4]} = [8])",
    coq="ChainInfluence.sides_within (d[9]) [0] [1] [2] [3] [4] [5] [6] [7] [8]",
    value=_within,
    relation="<=",
    meaning=TOLD,
)
FROM_ANY = entry(
    "sides tell at most from any law",
    takes=("R", STEPS, "nat", "nat", "nat", "nat", "'A", "'A", "Type"),
    words="from every law of X_0 by which [6] and [7] are both possible for X_([2] + [3]) the records "
    "[3] before and [4] after X_([2] + [3]), where a distance of 0 stands for no record on that "
    "side, tell at most [0] of [6] against [7], in the chain X_0, .., X_([2] + [3] + [4] + [5]) "
    "with steps [1]",
    tex=r"\sup_m \max \frac{P_{m, [1]}(X_{[2]} \text{ if } [3] \ge 1, X_{[2] + [3] + [4]} "
    r"\text{ if } [4] \ge 1 \mid X_{[2] + [3]} = [6])}{P_{m, [1]}(X_{[2]} \text{ if } [3] \ge 1, "
    r"X_{[2] + [3] + [4]} \text{ if } [4] \ge 1 \mid X_{[2] + [3]} = [7])} \le [0]",
    coq="ChainInfluence.sides_within_from_any (d[8]) [0] [1] [2] [3] [4] [5] [6] [7]",
    value=_from_any,
    relation="<=",
    meaning=TOLD,
)
