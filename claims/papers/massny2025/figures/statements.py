"""Example 1, and what holds of the figures for every chain, as programs."""

from collections.abc import Callable, Mapping

from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    any_chain,
    budget,
    independent_of_data,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    Redaction,
    chain,
    given,
    leakage,
    local,
    marginal,
    set_influence,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    medium,
    profile,
    regions,
    relaxed,
)

F = Fraction
THREE_HALVES = F(3, 2)
EXAMPLE = chain("1/4", "1/2")
ABOVE = F(33, 20)
"""A little above e^(1/2), and below 2."""


def cells(draws: Draws) -> Instance:
    """A cell of the table: x and z."""
    return {"x": draws.below(2), "z": draws.below(2)}


def _ratio(x: int, z: int) -> F:
    laws = [marginal(given(EXAMPLE, 2, 1, v), [2])[str(z)] for v in (0, 1)]
    return laws[x] / laws[1 - x]


def _cell(x: int, z: int, first: F = THREE_HALVES) -> bool:
    table = {(0, 0): first, (0, 1): F(1, 2), (1, 0): F(2, 3), (1, 1): F(2)}
    influences = max(_ratio(0, 0), _ratio(1, 0)), max(_ratio(0, 1), _ratio(1, 1))
    largest = set_influence(EXAMPLE, 2, 1, [2])
    return _ratio(x, z) == table[x, z] and influences == (first, F(2)) and largest == 2


TABLE = Statement(
    family=cells,
    holds=_cell,
    too_strong={"4/3 for 3/2": {"first": F(4, 3)}},
    always="the table has four cells, and all are right",
)


def small_mechanisms(draws: Draws) -> Instance:
    """Data-independent mechanisms for the two records of the example; both redacted often."""
    r = [draws.among([F(1), F(1), F(1), F(0), F(1, 2), F(99, 100)]) for _ in range(2)]
    return {"r": [(each, each) for each in r]}


def _is_private(r: Redaction) -> bool:
    return at_most(leakage(EXAMPLE, 2, 1, local(r)), ABOVE)


PRIVATE = "e^Lk <= 33/20, which is above e^(1/2)"
IS_PRIVATE: dict[str, Callable[..., bool]] = {PRIVATE: lambda r: _is_private(r)}
ALL_REDACTED = {
    "DIM (i): any r_t(0) = r_t(1)": Statement(
        family=small_mechanisms,
        given=IS_PRIVATE,
        holds=lambda r, times=1: r == [ALWAYS] * 2 * times,
        too_strong={"twice as many": {"times": 2}},
        too_weak=[PRIVATE],
    ),
    "DIM (ii): deterministic": Statement(
        family=small_mechanisms,
        given={"r_t is 0 or 1": lambda r: all(each[0] in (0, 1) for each in r), **IS_PRIVATE},
        holds=lambda r, times=1: r == [ALWAYS] * 2 * times,
        too_strong={"twice as many": {"times": 2}},
        too_weak=[PRIVATE],
    ),
}


def choices_of_q(draws: Draws) -> Instance:
    """q_2 from 0 to 1 in steps of 1/40, or 1/8, and E = e^eps from 3/2 to 2, sometimes below."""
    q = draws.among([F(draws.below(41), 40), ZERO, F(1, 8)])
    levels = [ABOVE, F(3, 2), F(18, 11), F(19, 10), F(7, 4), F(1999, 1000), F(5, 4)]
    return {"q": q, "E": draws.among(levels)}


def _leaks_at_most(q: F, E: F) -> bool:
    return at_most(leakage(EXAMPLE, 2, 1, local([ALWAYS, (q, ONE)])), E)


def _condition(q: F, E: F) -> bool:
    """The displayed condition, and that it is q >= (1 - b - a E)/(E (1 - a) - b)."""
    a, b = EXAMPLE.a, EXAMPLE.b
    displayed = (q * b + 1 - b) / (a + q * (1 - a)) <= E
    return displayed == (q >= (1 - b - a * E) / (E * (1 - a) - b)) == _leaks_at_most(q, E)


UNDER = F(1648, 1000)
"""A little below e^(1/2)."""
UTILITY = F(7, 24)


def _eighth(q: F, E: F, level: F = UNDER, utility: F = UTILITY) -> bool:
    """Whether the mechanism keeps a level below e^(1/2), and has this utility."""
    return _leaks_at_most(q, level) and _utility(EXAMPLE, [ALWAYS, (q, ONE)]) == 2 * utility


EIGHTH = "q_2 = 1/8"
BELOW_2, AT_LEAST = "the mechanism is eps-private, e^eps < 2", "log(3/2) <= eps"
CHOICE = {
    "q_2 > 0 is needed": Statement(
        family=choices_of_q,
        given={BELOW_2: _leaks_at_most},
        holds=lambda q, E: q > 0,
        too_weak=[BELOW_2],
    ),
    "q_2 = 1/8 is private, nu = 7/24": Statement(
        family=choices_of_q,
        given={EIGHTH: lambda q, E: q == F(1, 8)},
        holds=_eighth,
        too_strong={"at e^eps = 8/5": {"level": F(8, 5)}, "nu = 3/10": {"utility": F(3, 10)}},
        too_weak=[EIGHTH],
    ),
    "the condition decides; least q_2": Statement(
        family=choices_of_q,
        given={AT_LEAST: lambda q, E: E >= F(3, 2)},
        holds=_condition,
        too_weak=[AT_LEAST],
    ),
}


def against_independent(draws: Draws) -> Instance:
    """A chain with a <= b of one to four records, p = 1, a budget E = e^eps, often an influence,
    the regions that it gives, q_t in (0, 1], often near 1, and a data-independent mechanism.
    """
    of, n = any_chain(draws), 1 + draws.below(4)
    E = budget(draws, of)
    split = regions(of, n, 1, E, E)
    q = {t: draws.among([F(1), F(9, 10), F(3, 4), F(1, 2)]) for t in medium(split)}
    r = independent_of_data(draws, n, 1, hidden=draws.below(8) < 7)
    return {"of": of, "E": E, "split": split, "q": q, "r": r}


def _utility(of: Chain, r: Redaction) -> F:
    """n nu, by the sum of Pr(X_t=x)(1 - r_t(x))."""
    a, b = of.a, of.b
    return sum(((b * (1 - zero) + a * (1 - one)) / (a + b) for zero, one in r), ZERO)


def _keeps(of: Chain, E: F, r: Redaction) -> bool:
    return at_most(leakage(of, len(r), 1, local(r)), E)


def _not_worse(
    of: Chain, E: F, split: str, q: Mapping[int, F], r: Redaction, more: F = ZERO
) -> bool:
    return _utility(of, profile(split, q)) >= _utility(of, r) + more


DIM, THREE = "the DIM is eps-private", "q keeps the budget"
NOT_WORSE = Statement(
    family=against_independent,
    given={
        DIM: lambda of, E, split, q, r: _keeps(of, E, r),
        THREE: lambda of, E, split, q, r: _keeps(of, E, profile(split, q)),
    },
    holds=_not_worse,
    too_strong={"strictly better": {"more": F(1, 1000)}},
    too_weak=[DIM],
)


def constants(draws: Draws) -> Instance:
    """A chain with a <= b of one to four records, p = 1, a budget E = e^eps, often an influence,
    the regions that it gives, and one q in (0, 1] for all of M.
    """
    drawn = against_independent(draws)
    q = draws.among([F(1), F(9, 10), F(3, 4), F(1, 2), F(1, 4)])
    return {"of": drawn["of"], "E": drawn["E"], "split": drawn["split"], "q": q}


def _constant(split: str, q: F) -> dict[int, F]:
    return dict.fromkeys(medium(split), q)


def _meets(of: Chain, E: F, split: str, q: F) -> bool:
    bound = relaxed(of, 1, split, _constant(split, q))
    return bound is None or bound <= E


RELAXED = "q is feasible in the relaxation"
WIDER = Statement(
    family=constants,
    given={"M is not empty": lambda split, **_: "M" in split, RELAXED: _meets},
    holds=lambda of, E, split, q, factor=ONE: _keeps(
        of, max(ONE, factor * E), profile(split, _constant(split, q))
    ),
    too_strong={"at 99/100 of the budget": {"factor": F(99, 100)}},
    too_weak=[RELAXED],
)
FOR_EVERY_CHAIN = {
    "never worse than the bound, for every feasible q": NOT_WORSE,
    "the supremum over feasible constants q is at least the utility of the relaxation": WIDER,
}
