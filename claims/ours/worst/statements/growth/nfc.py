"""Conditions on single mechanisms: u_D is at most R times a weighted geometric mean of entries.

Weights are halves, so that squares of columns and levels are compared, which are fractions.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row, framework, processed
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.columns import laws_of
from pufferproof.claims.ours.worst.statements.cones import Pair, ratio, times

F = Fraction
Rows = Sequence[Sequence[F]]
Halves = Mapping[int, tuple[int, int]]


def square(column: Row, halves: Halves) -> F | None:
    """Return the least R^2 with u_D^2 <= R^2 u_l u_l' for all D, or None if it is infinite."""
    best = ZERO
    for D, (l, other) in halves.items():
        above, below = column[D] ** 2, column[l] * column[other]
        if above and not below:
            return None
        best = max(best, above / below) if below else best
    return best


def level_squared(rows: Rows, halves: Halves) -> F | None:
    """Return the least square of a level at which every column meets the condition."""
    squares = [square(u, halves) for u in zip(*rows)]
    return None if None in squares else max([ONE, *(each for each in squares if each)])


def conditions(draws: Draws) -> Instance:
    """Two or three databases, two laws with zeros, for each D in supp mu two databases of supp nu,
    or the same twice, each of weight 1/2; in half of all cases nu is mu beta; two mechanisms with
    two or three outputs, kernels for their outputs, and the least squares of levels, or 4.
    """
    size = 2 + draws.below(2)
    mu, nu = draws.law(size, 2), draws.law(size, 2)
    places = [y for y, p in enumerate(nu) if p]
    halves = {D: (draws.among(places), draws.among(places)) for D, p in enumerate(mu) if p}
    if draws.below(2):
        nu = image(mu, halves)
    rows = [draws.rows(size, 2 + draws.below(2), 3) for _ in range(2)]
    if not draws.below(3):
        rows[1] = rows[0]
    return {
        "mu": mu,
        "nu": nu,
        "halves": halves,
        "mechanisms": rows,
        "kernels": [draws.rows(len(each[0]), 2, 2) for each in rows],
        "squares": [level_squared(each, halves) or F(4) for each in rows],
    }


def image(mu: Row, halves: Halves) -> list[F]:
    """Return mu beta."""
    law = [ZERO] * len(mu)
    for D, pair in halves.items():
        for y in pair:
            law[y] += mu[D] / 2
    return law


def _meets(rows: Rows, halves: Halves, R2: F) -> bool:
    least = level_squared(rows, halves)
    return least is not None and least <= R2


def _all_meet(mechanisms: Sequence[Rows], halves: Halves, squares: Row, **_: object) -> bool:
    return all(_meets(rows, halves, R2) for rows, R2 in zip(mechanisms, squares))


MEET = "the columns satisfy NfC at their levels"


def _processed(
    mechanisms: Sequence[Rows],
    halves: Halves,
    kernels: Sequence[Rows],
    squares: Row,
    factor: F = ONE,
) -> bool:
    return all(
        _meets(processed(rows, kernel), halves, factor * R2)
        for rows, kernel, R2 in zip(mechanisms, kernels, squares)
    )


def _without_laws(mu: object, nu: object, **instance: object) -> Instance:
    return instance


NFC_CONE = Statement(
    family=conditions,
    given={MEET: _all_meet},
    holds=lambda factor=ONE, **instance: _processed(**_without_laws(**instance), factor=factor),
    too_strong={"99/100 of R^2": {"factor": ALMOST}},
    too_weak=[MEET],
)


def constant(mu: Row, nu: Row, halves: Halves) -> F | None:
    """Return the largest (mu beta)_l/nu_l, or None if it is infinite."""
    law = image(mu, halves)
    if any(a and not b for a, b in zip(law, nu)):
        return None
    return max(a / b for a, b in zip(law, nu) if b)


def _joint(
    mu: Row,
    nu: Row,
    halves: Mapping[int, tuple[int, int]],
    mechanisms: Sequence[Rows],
    squares: Row,
    kernels: Any = None,
    releases: int = 2,
    least: F | None = None,
) -> bool:
    """Whether the square of every joint ratio is at most that of the bound."""
    c = least or constant(mu, nu, halves)
    bound = None if c is None else c**2
    for R2 in squares[:releases]:
        bound = None if bound is None else bound * R2
    if kernels:
        mechanisms = [processed(rows, kernel) for rows, kernel in zip(mechanisms, kernels)]
    for u, v in product(*(list(zip(*rows)) for rows in mechanisms)):
        found = ratio([(mu, nu)], times(u, v))
        if not at_most(None if found is None else found**2, bound):
            return False
    return True


def _plain(kernels: object, **instance: object) -> Instance:
    return instance


NFC_CONSTANT = Statement(
    family=conditions,
    given={MEET: _all_meet},
    holds=lambda least=None, releases=2, **instance: _joint(
        **_plain(**instance), least=least, releases=releases
    ),
    too_strong={"without the constant": {"least": ONE}, "the last level left out": {"releases": 1}},
    too_weak=[MEET],
)
COUPLED = "mu beta = nu"


def _coupled(mu: Row, nu: Row, halves: Halves, **_: object) -> bool:
    return image(mu, halves) == list(nu)


COUPLING = Statement(
    family=conditions,
    given={MEET: _all_meet, COUPLED: _coupled},
    holds=lambda one_level=False, **instance: (
        (_joint(**_plain(**instance), least=ONE) and _joint(**instance, least=ONE))
        and (not one_level or (_joint(**instance, least=ONE, releases=1)))
    ),
    too_strong={"one level": {"one_level": True}},
    too_weak=[MEET, COUPLED],
)


def _only(mu: Row, nu: Row, halves: Halves, most: F = ONE, **_: object) -> bool:
    return at_most(constant(mu, nu, halves), most) == _coupled(mu, nu, halves)


ONLY_COUPLINGS = Statement(family=conditions, holds=_only, too_strong={"at most 2": {"most": F(2)}})


def runs(draws: Draws) -> Instance:
    """Up to four databases, two secrets, one or two priors with zeros, a mechanism with up to three
    outputs, one to three runs; for every law and x in its support two databases with weights 1/2.
    """
    drawn = framework(draws)
    (rows,) = drawn["mechanisms"]
    T = laws_of(drawn["priors"], drawn["s"], drawn["t"])
    chosen = []
    for mu, nu in T:
        places = [y for y, p in enumerate(nu) if p]
        some = {x: (draws.among(places), draws.among(places)) for x, p in enumerate(mu) if p}
        same = {x: (x, x) if x in places and draws.whether() else some[x] for x in some}
        chosen.append(same)
    weights = [p for prior in drawn["priors"] for p in prior if p]
    return {"T": T, "M": rows, "k": 1 + draws.below(3), "halves": chosen, "least": min(weights)}


def fold(T: Sequence[Pair], rows: Rows, k: int) -> F | None:
    """Return e to the k-fold leakage, at least 1, or None if it is infinite."""
    best: F | None = ONE
    for some in combinations_with_replacement(list(zip(*rows)), k):
        here = ratio(T, times(*some))
        if here is None or best is None:
            return None
        best = max(best, here)
    return best


def _runs(
    T: Sequence[Pair],
    M: Rows,
    k: int,
    halves: Sequence[Mapping[int, tuple[int, int]]],
    least: F,
    b: F | None = None,
    less: int = 0,
) -> bool:
    """Whether the square of the k-fold ratio is at most E^(2k)/b^2, E the least level; and b at
    least the smallest probability of a prior.
    """
    squares = [level_squared(M, each) for each in halves]
    E2 = max([ONE, *(each for each in squares if each)])
    smallest = min(p for _, nu in T for p in nu if p)
    found = fold(T, M, k)
    bounded = found is not None and found**2 <= E2 ** (k - less) / (b or smallest) ** 2
    return bounded and smallest >= least


WEIGHTED = "some weights satisfy the condition at a finite level"
RATE_UPPER = Statement(
    family=runs,
    computed=["least"],
    given={
        WEIGHTED: lambda T, M, halves, **_: (
            bool(T) and None not in [level_squared(M, each) for each in halves]
        )
    },
    holds=_runs,
    too_strong={"without log(1/b)": {"b": ONE}, "k - 1 runs counted": {"less": 1}},
)


def counts(draws: Draws) -> Instance:
    """Two or three databases, two laws with zeros, a mechanism with two or three outputs, x in supp
    mu, and how often each output is shown, three times at most in all.
    """
    size = 2 + draws.below(2)
    mu, nu = draws.law(size, 3), draws.law(size, 3)
    rows = draws.rows(size, 2 + draws.below(2), 3)
    shown = [draws.below(len(rows[0])) for _ in range(1 + draws.below(3))]
    x = draws.among([x for x, p in enumerate(mu) if p])
    return {"mu": mu, "nu": nu, "M": rows, "x": x, "shown": shown}


def _counted(
    mu: Row, nu: Row, M: Rows, x: int, shown: Sequence[int], weight: F | None = None
) -> bool:
    columns = list(zip(*M))
    U = times(*(columns[w] for w in shown))
    least = [U[x] / U[y] for y, p in enumerate(nu) if p and U[y]]
    found = fold([(mu, nu)], M, len(shown))
    return found is None or (bool(least) and found >= min(least) * (weight or mu[x]))


SHOWN = "every output that is counted has v_w[x] > 0"
RATE_LOWER = Statement(
    family=counts,
    given={SHOWN: lambda M, x, shown, **_: all(M[x][w] for w in shown)},
    holds=_counted,
    too_strong={"without log mu_x": {"weight": ONE}},
)
