"""Statements on continuity in the budget as programs: a budget and one that is larger or smaller by
a hundred-thousandth, and the constants q that both allow, to a five-thousandth.

Feasible constants are an interval up to 1 (massny2025.x-feasible-up-set), so that halving finds the
least one.
"""

from functools import cache

from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import any_chain, budget
from pufferproof.claims.papers.massny2025.influence.instances import Chain, leakage, local
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    medium,
    profile,
    regions,
    relaxed,
)

F = Fraction
LITTLE, CLOSE = F(1, 10**5), F(1, 100)
HALVINGS = 12


def close_budgets(draws: Draws) -> Instance:
    """A chain with a <= b of one to three records, p = 1, a budget E = e^eps, often an influence,
    and another one that is a hundred-thousandth larger or smaller.
    """
    of, n = any_chain(draws), 1 + draws.below(3)
    E = max(1 + LITTLE, budget(draws, of))
    return {"of": of, "n": n, "E": E, "other": E * (1 + LITTLE * draws.among([1, -1]))}


@cache
def _split(of: Chain, n: int, E: F) -> str:
    return regions(of, n, 1, E, E)


def _feasible(of: Chain, split: str, E: F, q: F, exact: bool) -> bool:
    constant = dict.fromkeys(medium(split), q)
    if exact:
        return at_most(leakage(of, len(split), 1, local(profile(split, constant))), E)
    return at_most(relaxed(of, 1, split, constant) or ZERO, E)


@cache
def _least(of: Chain, n: int, E: F, exact: bool) -> F:
    """The least constant q that keeps the budget, by exact leakage or in the relaxation."""
    split, low, high = _split(of, n, E), ZERO, ONE
    if "M" not in split:
        return ONE
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _feasible(of, split, E, middle, exact) else (middle, high)
    return high


def _utility(of: Chain, n: int, E: F, exact: bool) -> F:
    """nu: records of S are shown, zeros in M with probability 1 - q."""
    split, zero = _split(of, n, E), of.b / (of.a + of.b)
    return (split.count("S") + split.count("M") * zero * (1 - _least(of, n, E, exact))) / n


def _stays(of: Chain, n: int, E: F, other: F, exact: bool, close: F = CLOSE) -> bool:
    """Whether the utilities at both budgets are close."""
    return abs(_utility(of, n, E, exact) - _utility(of, n, other, exact)) <= close


def _infimum_stays(of: Chain, n: int, E: F, other: F, close: F = CLOSE) -> bool:
    return abs(_least(of, n, E, True) - _least(of, n, other, True)) <= close


SAME = "M does not change"
GIVEN = {SAME: lambda of, n, E, other: bool(_split(of, n, E) == _split(of, n, other))}


def _utility_statement(exact: bool) -> Statement:
    return Statement(
        family=close_budgets,
        given=GIVEN,
        holds=lambda same_at_three=False, **instance: (
            (_stays(**instance, exact=exact))
            and (
                not same_at_three
                or (_stays(instance["of"], instance["n"], instance["E"], 3 * instance["E"], exact))
            )
        ),
        too_strong={"the same at three times the budget": {"same_at_three": True}},
        too_weak=[SAME],
    )


INFIMUM = Statement(
    family=close_budgets,
    given=GIVEN,
    holds=_infimum_stays,
    too_strong={"the same at three times the budget": lambda E, **_: {"other": 3 * E}},
    too_weak=[SAME],
)
RELAXED_UTILITY, BEST_UTILITY = _utility_statement(exact=False), _utility_statement(exact=True)
