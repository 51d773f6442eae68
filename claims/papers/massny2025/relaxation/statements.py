"""The relaxed bound of 3R mechanisms as programs: inequality (4), which q are feasible, and how
many records M has.
"""

from collections.abc import Mapping
from math import prod
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    budget,
    chain_and_distance,
)
from pufferproof.claims.papers.massny2025.influence.instances import Chain, pointwise
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    delta,
    medium,
    nearer,
    region,
    relaxed,
)
from pufferproof.claims.papers.massny2025.relaxation.output_statements import (
    HAS_MEDIUM,
    IS_MEDIUM,
    SIZES,
    first_records,
    keeps,
    leak,
    mechanisms,
)

F = Fraction


def _side_of(split: str, p: int, step: int) -> list[int]:
    return [t for t in medium(split) if (t - p) * step > 0]


def _right_side(of: Chain, p: int, split: str, q: Any, step: int, both: bool = False) -> F:
    """The largest e^delta_t / prod of q over M_t on a side, at least 1; M_t on both sides of p or
    on that of t.
    """
    best = ONE
    for t in _side_of(split, p, step):
        near = [i for i in medium(split) if abs(i - p) <= abs(t - p)] if both else None
        product_of = prod(q[i] for i in (near or nearer(split, p, t)))
        best = max(best, delta(of, p, split, t) / product_of)
    return best


def _met(of: Chain, E: F, split: str, q: Any) -> bool:
    bound = relaxed(of, 1, split, q)
    return bound is None or bound <= E


def two_choices(draws: Draws) -> Instance:
    """A chain with a <= b of two to four records, p = 1, a budget E = e^eps_r, often an influence,
    the regions that it gives, and q_t in (0, 1] for M, often near 1 or the least constant of (4);
    other q'_t in (0, 1]; most often none is below q_t.
    """
    drawn = first_records(draws)
    larger = draws.below(4) > 0
    other = {t: draws.among(SIZES) for t in drawn["q"]}
    if larger:
        other = {t: max(each, drawn["q"][t]) for t, each in other.items()}
    return drawn | {"other": other}


KEPT, RAISED = "q keeps the budget", "q_t <= q'_t <= 1"
UP_SET = Statement(
    family=two_choices,
    given={
        HAS_MEDIUM: IS_MEDIUM[HAS_MEDIUM],
        RAISED: lambda q, other, **_: all(each >= q[t] for t, each in other.items()),
        KEPT: lambda of, E, split, q, other: keeps(of, E, split, q),
    },
    holds=lambda of, E, split, q, other, factor=ONE: keeps(of, E, split, other, factor=factor),
    too_strong={"at 99/100 of the budget": {"factor": ALMOST}},
    too_weak=[KEPT, RAISED],
)


def _feasible(of: Chain, p: int, left: F, right: F, split: str, q: object, both: bool) -> bool:
    return all(
        _right_side(of, p, split, q, step, both) <= (left if step < 0 else right)
        for step in (-1, 1)
    )


def _private(
    of: Chain, p: int, left: F, right: F, split: str, q: Mapping[int, F], factor: F = ONE
) -> bool:
    return at_most(leak(of, split, q, p), max(ONE, factor * left * right))


def _two_sided(both: bool) -> Statement:
    words = "q is feasible for the budget of each side"
    return Statement(
        family=mechanisms,
        given={words: lambda **at: _feasible(**at, both=both)},
        holds=_private,
        too_strong={"99/100 of e^eps": {"factor": ALMOST}},
        too_weak=[words],
    )


BOTH_SIDES = {
    "M_t on the side of t": _two_sided(both=False),
    "M_t on both sides, as |i-p| <= |t-p| says": _two_sided(both=True),
}


def constants(draws: Draws) -> Instance:
    """A chain with a <= b of two to four records, p = 1, a budget E = e^eps_r, often an influence,
    the regions that it gives, and one q for all of M, among it the least one where M has one
    record.
    """
    drawn = first_records(draws)
    q = draws.among([*drawn["q"].values()] or [ONE])
    return drawn | {"q": q}


def _constant(of: Chain, E: F, split: str, q: F, less: int = 0, strictly: bool = False) -> bool:
    """q is feasible iff q >= (e^delta_t / e^eps)^(1/(|M_t| - less)) for every t in M."""
    limits = [(delta(of, 1, split, t) / E, len(nearer(split, 1, t)) - less) for t in medium(split)]
    least = all(q**k > c if strictly else q**k >= c for c, k in limits)
    return _met(of, E, split, dict.fromkeys(medium(split), q)) == least


CONSTANT = Statement(
    family=constants,
    given=IS_MEDIUM,
    holds=_constant,
    too_strong={"|M_t| - 1 instead": {"less": 1}, "q above it": {"strictly": True}},
)


def thresholds(draws: Draws) -> Instance:
    """A chain with a <= b, a distance D from 1 to 6, and T = e^eps', often an influence."""
    drawn = chain_and_distance(draws)
    return drawn | {"T": budget(draws, drawn["of"])}


def _one_medium(of: Chain, D: int, T: F, most: int = 1) -> bool:
    found = [d for d in range(1, 7) if region(of, d, T) == "M"]
    falls = of.eigenvalue == 0 or pointwise(of, D + 1, 1) < pointwise(of, D, 0)
    return falls and len(found) <= (0 if of.eigenvalue == 0 else most)


NOT_POSITIVE = "lam <= 0"
MEDIUM_ONE = Statement(
    family=thresholds,
    given={NOT_POSITIVE: lambda of, **_: of.eigenvalue <= 0},
    holds=_one_medium,
    too_strong={"none": {"most": 0}},
    too_weak=[NOT_POSITIVE],
)
