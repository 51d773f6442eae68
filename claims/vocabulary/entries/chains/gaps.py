"""Chains with a gap, and what records at a distance tell then (Gap.v, GapQuilts.v).

That an eigenvalue is at most a square is a property of a quadratic form: nothing of mean 0 is
shrunk less by a step backwards.
"""

from collections.abc import Iterator
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.powers import LAW_OF, STEPS, power
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, law_of_chain, tables_of
from pufferproof.claims.vocabulary.terms import entry

F = Fraction
Pairs = Iterator[tuple[Fraction, Fraction]]


def nowhere_negative(form: Rows) -> bool:
    """Return whether a quadratic form is nowhere negative, by completing squares."""
    if not form:
        return True
    a, beside = form[0][0], [x + row[0] for x, row in zip(form[0][1:], form[1:])]
    if a == 0:
        return not any(beside) and nowhere_negative([row[1:] for row in form[1:]])
    rest = [[each - x * y / (4 * a) for each, y in zip(row[1:], beside)] for row, x in zip(form[1:], beside)]
    return a > 0 and nowhere_negative(rest)


def shrinks(pi: Law, P: Rows, r: Fraction) -> bool:
    """Return whether a step backwards shrinks variances to r^2 of them."""
    size = range(len(pi))
    back = [[pi[x] * P[x][z] / pi[z] for x in size] for z in size]
    form = [
        [
            r * r * (pi[x] * (x == y) - pi[x] * pi[y])
            - sum((pi[z] * back[z][x] * back[z][y] for z in size), ZERO)
            + pi[x] * pi[y]
            for y in size
        ]
        for x in size
    ]
    return nowhere_negative(form)


def _stationary(pi: Law, P: Rows) -> Iterator[bool]:
    size = range(len(pi))
    yield min(pi) > 0
    yield sum(pi) == 1
    yield all(min(row) >= 0 and sum(row) == 1 for row in P)
    yield all(sum((pi[y] * P[y][x] for y in size), ZERO) == pi[x] for x in size)


def _gap(pi: Law, P: Rows, r: Fraction) -> Iterator[bool]:
    yield from _stationary(pi, P)
    yield 0 <= r < 1
    yield min(pi) > 0 and shrinks(pi, P, r)


def _reversible(pi: Law, P: Rows, r: Fraction) -> Iterator[bool]:
    yield from _gap(pi, P, r)
    yield all(pi[x] * P[x][y] == pi[y] * P[y][x] for x, y in product(range(len(pi)), repeat=2))


def over(low: Fraction, x: Fraction) -> Fraction:
    """Return (low + x)/(low - x), or 0 if that is not positive below the line."""
    return (low + x) / (low - x) if x < low else ZERO


def told(low: Fraction, r: Fraction, n: int, lo: int, hi: int, i: int) -> Fraction:
    """Return the bound of what the two records tell."""
    left = over(low, r ** max(i + 1 - lo, 0)) ** 2 if lo else F(1)
    return left * (over(low, r ** max(hi - i, 0)) if hi < n else 1)


def _far(low: Fraction, r: Fraction, n: int, lo: int, hi: int, i: int) -> Iterator[bool]:
    yield lo == 0 or r ** max(i + 1 - lo, 0) < low
    yield hi >= n or r ** max(hi - i, 0) < low


def _within(ratio: Fraction, m: Law, P: Rows, n: int, lo: int, hi: int, i: int, v: int, w: int, size: int) -> Pairs:
    """Yield both sides for all values of the two records, by the law of all tables."""
    joint: dict[tuple[int | None, int | None], dict[int, Fraction]] = {}
    alone = dict.fromkeys((v, w), ZERO)
    for chance, x in zip(law_of_chain(ChainOf(m, [P]), n), tables_of(size, n)):
        if i < n and x[i] in alone:
            shown = x[lo - 1] if 0 < lo <= n else None, x[hi] if hi < n else None
            column = joint.setdefault(shown, dict.fromkeys(alone, ZERO))
            column[x[i]] += chance
            alone[x[i]] += chance
    for column in joint.values():
        yield column[v] * alone[w], ratio * alone[v] * column[w]


def close(d: Fraction, pi: Law, P: Rows, t: int) -> Pairs:
    """Yield what is compared for all entries of a power."""
    for row in power(P, t):
        for a, b in zip(row, pi):
            yield b, a + d * b
            yield a, b + d * b


NUMBER_POWER = entry(
    "power of a number",
    takes=("R", "nat"),
    gives="R",
    words="[0]^([1])",
    tex="[0]^{[1]}",
    coq="pow [0] [1]",
    value=lambda r, t: r**t,
)
OVER = entry(
    "ratio of sum and difference",
    takes=("R", "R"),
    gives="R",
    words="([0] + [1])/([0] - [1])",
    tex=r"\frac{[0] + [1]}{[0] - [1]}",
    coq="Gap.over [0] [1]",
    value=over,
)
PART = entry(
    "part",
    takes=("R", "R"),
    gives="R",
    words="[1]/[0]",
    tex=r"\frac{[1]}{[0]}",
    coq="GapQuilts.part [0] [1]",
    value=lambda low, x: x / low if low > 0 else ZERO,
)
CLOSE = entry(
    "close to a law",
    takes=("R", LAW_OF, STEPS, "nat"),
    words="(1 - D) [1](y) <= [2]^([3])(x, y) <= (1 + D) [1](y) for D = [0] and all x and y",
    tex=r"\left|\frac{[2]^{[3]}(x, y)}{[1](y)} - 1\right| \le [0]",
    coq="GapQuilts.close [0] [1] [2] [3]",
    value=close,
    relation="<=",
    meaning="P^t(x, y) is the entry (x, y) of the t-th power of P.",
)
LOWEST = entry(
    "lower bound of a law",
    takes=("R", LAW_OF),
    words="no entry of [1] is below [0]",
    tex=r"[0] \le [1]",
    coq="forall x_, [0] <= [1] x_",
    value=lambda low, pi: ((low, each) for each in pi),
    precedence=200,
    relation="<=",
)
GAP = entry(
    "gap of both ways",
    takes=(LAW_OF, STEPS, "R"),
    words="[0] is a law without zeros, every row of [1] is a law, [0] [1] = [0], 0 <= [2] < 1, 1 is a "
    "simple eigenvalue of [1] [1]*, and no other one is above [2]^2",
    tex=r"[0] > 0,\ [0] [1] = [0],\ \lambda_2([1] [1]^*) \le [2]^2 < 1",
    coq="Gap.gap_of_both_ways [0] [1] [2]",
    value=_gap,
    relation="truth",
    meaning="P* is the chain P backwards: P*(x, y) = pi(y) P(y, x)/pi(x). Of the gap g = 1 - lam, "
    "lam the largest of the others, r = e^(-g/2) is such a number, as 1 - g <= e^(-g).",
)
REVERSIBLE = entry(
    "gap of a reversible chain",
    takes=(LAW_OF, STEPS, "R"),
    words="[0] is a law without zeros, every row of [1] is a law, [0] [1] = [0], [1] is reversible, 0 <= "
    "[2] < 1, 1 is a simple eigenvalue of [1], and no other one is above [2] in absolute value",
    tex=r"[0] > 0,\ [0](x) [1](x, y) = [0](y) [1](y, x),\ |\lambda_*([1])| \le [2] < 1",
    coq="Gap.gap_of_reversible [0] [1] [2]",
    value=_reversible,
    relation="truth",
    meaning="That P is reversible means that pi(x) P(x, y) = pi(y) P(y, x). Of the gap g = 1 - "
    "|lam|, lam the largest of the others in absolute value, r = e^(-g) is such a number, as 1 - g "
    "<= e^(-g).",
)
FAR = entry(
    "far",
    takes=("R", "R", "nat", "nat", "nat", "nat"),
    words="if [3] > 0 then [3] <= [5] and [1]^a < [0] for the distance a = [5] + 1 - [3] of X_([3] - 1), "
    "and if [4] < [2] then [5] < [4] and [1]^b < [0] for the distance b = [4] - [5] of X_([4])",
    tex=r"\left([3] > 0 \Rightarrow [3] \le [5],\ [1]^{[5] + 1 - [3]} < [0]\right),\ "
    r"\left([4] < [2] \Rightarrow [5] < [4],\ [1]^{[4] - [5]} < [0]\right)",
    coq="GapQuilts.far [0] [1] [2] [3] [4] [5]",
    value=_far,
    relation="truth",
)
TOLD = entry(
    "told at most",
    takes=("R", "R", "nat", "nat", "nat", "nat"),
    gives="R",
    words="the bound of [0] and [1] for X_([3] - 1) and X_([4]) beside X_([5]) among [2] records",
    tex=r"h_{[0], [1]}([5] + 1 - [3])^2\, h_{[0], [1]}([4] - [5])",
    coq="GapQuilts.told_at_most [0] [1] [2] [3] [4] [5]",
    value=told,
    meaning="The bound of l and r for X_(i-a) and X_(i+b) beside X_i is ((l + r^a)/(l - r^a))^2 "
    "(l + r^b)/(l - r^b), without the square if there is no X_(i-a) and without the last quotient "
    "if there is no X_(i+b).",
)
QUILT_WITHIN = entry(
    "a quilt tells at most",
    takes=("R", LAW_OF, STEPS, "nat", "nat", "nat", "nat", "'A", "'A", "Type"),
    words="of the first [3] records of the chain with first law [1] and steps [2], counted from 0, "
    "X_([4] - 1) and X_([5]), as far as there are such, tell at most [0], of X_([6]) = [7] against "
    "X_([6]) = [8]",
    tex=r"P_{[1], [2]}(X_{[4] - 1}, X_{[5]} \mid X_{[6]} = [7]) \le [0]\, "
    r"P_{[1], [2]}(X_{[4] - 1}, X_{[5]} \mid X_{[6]} = [8])",
    coq="GapQuilts.quilt_within (d[9]) [0] [1] [2] [3] [4] [5] [6] [7] [8]",
    value=_within,
    relation="<=",
    meaning="That X_L and X_R tell at most R of X_i = v against X_i = w means P(X_L = x, X_i = v, "
    "X_R = y) P(X_i = w) <= R P(X_i = v) P(X_L = x, X_i = w, X_R = y) for all x and y.",
)
