"""3R mechanisms as programs: their privacy, their utility, and how the region M grows.

Laws of all records and outputs are written out.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    LEVELS,
    budget,
    is_independent_of_data,
    three_regions,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    leakage,
    local,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    medium,
    profile,
    region,
)

F = Fraction


def mechanisms(draws: Draws) -> Instance:
    """A chain with a <= b of one to four records, budgets left and right, the regions that they
    give, p in L, and q_t in (0, 1] for M, such that the sides keep their budgets or not.
    """
    return three_regions(draws)


def smaller_mechanisms(draws: Draws) -> Instance:
    """A chain with a <= b of one to three records, budgets left and right, the regions that they
    give, p in L, and q_t in (0, 1] for M, such that the sides keep their budgets or not.
    """
    return three_regions(draws, longest=3)


def _keeps_budgets(of: Chain, p: int, left: F, right: F, split: str, q: Mapping[int, F]) -> bool:
    n, mechanism = len(split), local(profile(split, q))
    sides = (range(1, p + 1), left), (range(p, n + 1), right)
    return all(at_most(leakage(of, n, p, mechanism, S), level) for S, level in sides)


def _private(of: Chain, p: int, split: str, q: Any, level: F) -> bool:
    return at_most(leakage(of, len(split), p, local(profile(split, q))), level)


def _composed(of: Chain, p: int, left: F, right: F, split: str, q: object, factor: F = ONE) -> bool:
    return _private(of, p, split, q, max(ONE, factor * left * right))


BUDGETS = "both sides keep their budgets"
EQUAL, EMPTY = "a = b", "M is empty"
NO_GAIN = {
    "a = b: M is empty": Statement(
        family=mechanisms,
        given={EQUAL: lambda of, **_: of.a == of.b},
        holds=lambda split, **_: not medium(split),
        too_weak=[EQUAL],
    ),
    "M empty: no 3R mechanism is better than all DIMs": Statement(
        family=smaller_mechanisms,
        given={EMPTY: lambda split, **_: not medium(split), BUDGETS: _keeps_budgets},
        holds=lambda factor=ONE, **at: (
            is_independent_of_data(profile(at["split"], at["q"])) and _composed(**at, factor=factor)
        ),
        too_strong={"99/100 of the product of both budgets": {"factor": ALMOST}},
        too_weak=[EMPTY],
    ),
}


def two_chains(draws: Draws) -> Instance:
    """Two chains, 0 < a <= b, with quotients b/a from 1 to 9, most often of the same lam; b may be
    1 or more, so that this is no chain. A threshold T, often an influence of one of them.
    """
    lam = draws.among([F(1, 2), F(-1, 4), F(1, 4), F(0), F(-1, 10), F(3, 4)])
    other = lam if draws.below(4) else draws.among([F(1, 2), F(-1, 4), F(1, 5)])
    quotients = [F(1), F(3, 2), F(2), F(3), F(9), F(5, 4)]
    pair = [
        Chain((1 - each) / (1 + c), c * (1 - each) / (1 + c))
        for each, c in ((lam, draws.among(quotients)), (other, draws.among(quotients)))
    ]
    inside = [of for of in pair if of.b < 1]
    T = budget(draws, draws.among(inside)) if inside else draws.among(LEVELS)
    return {"one": pair[0], "two": pair[1], "T": T}


def _medium(of: Chain, T: F) -> set[int]:
    """The distances from 1 to 4 at which a record is in M."""
    return {D for D in range(1, 5) if region(of, D, T) == "M"}


FIXED, CHAINS = "lam is the same", "a, b < 1 in both chains"
QUOTIENTS = "b/a is not smaller for the second"
IS_LARGER: dict[str, Callable[..., bool]] = {
    CHAINS: lambda one, two, T: one.b < 1 and two.b < 1,
    QUOTIENTS: lambda one, two, T: one.b * two.a <= two.b * one.a,
    FIXED: lambda one, two, T: one.eigenvalue == two.eigenvalue,
}
GROWTH = Statement(
    family=two_chains,
    given=IS_LARGER,
    holds=lambda one, two, T, never_gains_one=False: (
        (_medium(one, T) <= _medium(two, T))
        and (not never_gains_one or (_medium(one, T) == _medium(two, T)))
    ),
    too_strong={"it never gains one": {"never_gains_one": True}},
    too_weak=[FIXED, QUOTIENTS],
)
