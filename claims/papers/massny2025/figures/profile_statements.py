"""Figure 4 as programs: a = 1/100 and b = 4/5 at fractions E that are e to seven digits or another
number, on the first five of the ten records: what is shown of X_5 separates it from later ones.
"""

from functools import cache

from pufferproof.claims.language.instances.laws import ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    set_influence,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    medium,
    profile,
    regions,
    relaxed,
)

F = Fraction
OF = chain("1/100", "4/5")
EULER = F(27182818, 10**7)
STEP = F(1, 10**6)


def budgets(draws: Draws) -> Instance:
    """A fraction E from 2.7182818 to 2.7182819, or in one of eight draws another budget from 5/4 to
    20; a record t from 1 to 5; a number q that is a little off the printed one, or it.
    """
    near = EULER + F(draws.below(11), 10**8)
    other = draws.among([F(5, 4), F(2), F(3), F(20)])
    return {
        "E": near if draws.below(8) < 7 else other,
        "t": 1 + draws.below(5),
        "off": draws.among([-1, 1]) * (1 + draws.below(50)),
    }


@cache
def _shown(E: F, t: int) -> bool:
    """Whether MQ shows X_t: it redacts min(D*, 9) records beside X_1, D* being the first distance
    at which the influence on X_1 is within the budget.
    """
    within = [d for d in range(1, 5) if at_most(set_influence(OF, 5, 1, [1 + d]), E)]
    return t > 1 + min([*within, 9])


@cache
def _meets(E: F, q: F, exact: bool) -> bool:
    """Whether a constant q keeps the budget, by the leakage or in the relaxation."""
    split = regions(OF, 5, 1, E, E)
    constant = dict.fromkeys(medium(split), q)
    if exact:
        return at_most(leakage(OF, 5, 1, local(profile(split, constant))), E)
    return at_most(relaxed(OF, 1, split, constant) or ZERO, E)


def _decides(E: F, off: int, printed: F, exact: bool) -> bool:
    """Whether M is X_2 and X_3, and a constant q keeps the budget iff it is above the printed one,
    to six digits.
    """
    of_M = regions(OF, 5, 1, E, E) == "LMMSS"
    return of_M and _meets(E, printed + off * STEP, exact) == (off > 0)


def _formula(E: F, printed: F) -> bool:
    """Whether the printed q is e^(-1/2) ((1 + 80 lam^3)/(1 - lam^3))^(1/2), to six digits."""
    cube = (1 - F(1, 100) - F(4, 5)) ** 3
    square = (1 + 80 * cube) / (1 - cube) / E
    return (printed - STEP) ** 2 < square < (printed + STEP) ** 2


AT_E = "E is e, to seven digits"
GIVEN = {AT_E: lambda E, **_: bool(0 <= E - EULER <= F(1, 10**7))}
RELAXED, LEAST = F(757415, 10**6), F(546926, 10**6)
PROFILES = {
    "the window of MQ": Statement(
        family=budgets,
        given=GIVEN,
        holds=lambda E, t, off, from_on=False: _shown(E, t) == (t >= 4 if from_on else t == 5),
        too_strong={"from X_4 on": {"from_on": True}},
        too_weak=[AT_E],
    ),
    "3R relaxation": Statement(
        family=budgets,
        given=GIVEN,
        holds=lambda E, t, off, printed=RELAXED: (
            _decides(E, off, printed, False) and _formula(E, RELAXED)
        ),
        too_strong={"q = 0.757425": {"printed": RELAXED + 10 * STEP}},
        too_weak=[AT_E],
    ),
    "3R numerical": Statement(
        family=budgets,
        given=GIVEN,
        holds=lambda E, t, off, printed=LEAST: _decides(E, off, printed, True),
        too_strong={"q = 0.546936": {"printed": LEAST + 10 * STEP}},
        too_weak=[AT_E],
    ),
}
