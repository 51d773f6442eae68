"""Several runs of the Markov Quilt Mechanism as programs: what they leak together, and the steps
of theorem III.7.
"""

from collections.abc import Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.instances.chains import given_values, marginal
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, largest_ratio
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.noise import (
    FAIR_BIT,
    LIPSCHITZ,
    SCALES,
    STEEP,
    Law,
    Run,
    best,
    density,
    exact,
    is_lipschitz,
    least_score,
    outputs,
    priors,
    query,
)
from pufferproof.claims.papers.song2017.statements.quilts import Sides, near, sides

F = Fraction


def _all_lipschitz(runs: Sequence[Run], **_: object) -> bool:
    return all(is_lipschitz(table) for table, _ in runs)


ALL_LIPSCHITZ = {LIPSCHITZ: _all_lipschitz}


def two_runs(draws: Draws) -> Instance:
    """The law of one to three records of a chain, a record i and two runs of the Markov Quilt
    Mechanism, with 1-Lipschitz functions and rho.
    """
    drawn = priors(draws)
    T, states = drawn["T"], drawn["states"]
    read = list(range(1, T + 1))
    return {
        "law": drawn["laws"][0],
        "T": T,
        "i": 1 + draws.below(T),
        "runs": [(query(draws, states, T, read), draws.among(SCALES)) for _ in range(2)],
    }


def _nearby(T: int, i: int, quilts: Sequence[Sides]) -> list[int]:
    return sorted(frozenset.intersection(*(near(T, i, *each) for each in quilts)))


def _given_rest(law: Law, T: int, i: int, N: Sequence[int], runs: Sequence[Run]) -> F | None:
    """The largest ratio of densities of both outputs given X_RuQ = x and two values of X_i."""
    rest = [k for k in range(1, T + 1) if k not in N]
    best_: F | None = ONE
    laws = given_values(law, i).values()
    for key in marginal(law, rest):
        found = []
        for each in laws:
            part = {x: p for x, p in each.items() if tuple(x[k - 1] for k in rest) == key}
            if total := sum(part.values(), ZERO):
                shares = {x: p / total for x, p in part.items()}
                tables = [table for table, _ in runs]
                found.append({w: density(shares, runs, w) for w in outputs(tables)})
        best_ = max(best_ or ONE, largest_ratio(found) or ONE)
    return best_


def _first_ratio(law: Law, T: int, i: int, runs: Sequence[Run], factor: F = ONE) -> bool:
    """The ratio, and how far F_1 and F_2 vary, with the active quilts of both runs."""
    levels_ = [best(law, T, i, rho) for _, rho in runs]
    quilts = [least_score(law, T, i, R) for R in levels_]
    N = _nearby(T, i, quilts)
    bound = prod(R / (exact(law, i, quilt) or ONE) for R, quilt in zip(levels_, quilts))
    varies = max(
        abs(table[x] - table[y])
        for table, _ in runs
        for x, y in product(table, repeat=2)
        if all(k in N for k, (a, b) in enumerate(zip(x, y), 1) if a != b)
    )
    return varies <= len(N) <= min(len(near(T, i, *each)) for each in quilts) and at_most(
        _given_rest(law, T, i, N, runs), factor * bound
    )


FIRST_RATIO = Statement(
    family=two_runs,
    edges=[{"law": FAIR_BIT, "T": 1, "i": 1, "runs": [(STEEP, F(2))] * 2}],
    given=ALL_LIPSCHITZ,
    holds=_first_ratio,
    too_strong={"99/100 of it": {"factor": ALMOST}},
    too_weak=[LIPSCHITZ],
)


def with_nearby_set(draws: Draws) -> Instance:
    """The law of one to three records of a chain, a record i, the nearby set N of any quilt of X_i,
    and two runs of the Markov Quilt Mechanism, with 1-Lipschitz functions and rho.
    """
    drawn = two_runs(draws)
    return drawn | {"N": near(drawn["T"], drawn["i"], *draws.among(sides(drawn["T"], drawn["i"])))}


def _displayed(
    law: Law, T: int, i: int, runs: Sequence[Run], N: frozenset[int], moved: bool = False
) -> bool:
    """Whether the density of both outputs given x_RuQ and X_i is the sum over x_N of P(x_N|..)
    times densities of w_k - F_k, F_k at x_N and the value of X_i, or at another value of X_i.
    """
    rest = [k for k in range(1, T + 1) if k not in N]
    tables = [table for table, _ in runs]
    for value, each in given_values(law, i).items():
        for key in marginal(each, rest):
            part = {x: p for x, p in each.items() if tuple(x[k - 1] for k in rest) == key}
            total = sum(part.values(), ZERO)
            for w in outputs(tables):
                terms = ZERO
                for x, p in part.items():
                    at = (*x[: i - 1], 1 - value if moved else value, *x[i:])
                    noise = (rho ** -abs(o - table[at]) for (table, rho), o in zip(runs, w))
                    terms += p / total * prod(noise, start=ONE)
                if density(part, runs, w) / total != terms:
                    return False
    return True


DISPLAY = Statement(
    family=with_nearby_set,
    holds=lambda law, T, i, runs, N, at_another_value=False: (
        _displayed(law, T, i, runs, N)
        and (
            not at_another_value
            or (max(max(x) for x in law) > 1 or _displayed(law, T, i, runs, N, moved=True))
        )
    ),
    too_strong={"F_k at another value of X_i": {"at_another_value": True}},
    always="the display is the definition of the density, written out",
)
