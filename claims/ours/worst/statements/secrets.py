"""Several pairs or priors: universal collapse, phase transitions, singletons, bits and parities."""

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import Pair, both, worst

F = Fraction


def transitions(draws: Draws) -> Instance:
    """X in a, b1, b2, secrets a and not a in both orders; two to three probabilities of b1 given
    not a, from 0 to 1; R from 1 to 3, which is often the threshold; K = 2 or 3 releases.
    """
    unit = draws.among([3, 5, 2, 4])
    p = sorted({F(draws.below(unit + 1), unit) for _ in range(2 + draws.below(2))})
    if len(p) == 1:
        p = sorted({*p, F(1, 6)})
    R = draws.among([ONE, F(2), F(3, 2), F(4, 3), F(3)])
    return {"p": p, "R": R, "K": 2 + draws.below(2)}


def of_probabilities(p: Row) -> list[Pair]:
    """Return T for these probabilities of b1 given not a."""
    return both([([ONE, ZERO, ZERO], [ZERO, q, 1 - q]) for q in p])


def _over(p: Row, R: F) -> bool:
    """Whether R^2 is at least the larger quotient."""
    quotients = [(1 - p[0], 1 - p[-1]), (p[-1], p[0])]
    return all(low > 0 and R**2 * low >= high for high, low in quotients)


OVER, UNDER = "R^2 is at least the threshold", "R^2 is below the threshold"
ABOVE_THRESHOLD = Statement(
    family=transitions,
    given={OVER: lambda p, R, K: _over(p, R)},
    holds=lambda p, R, K, one_release=False: (
        worst(of_probabilities(p), ([R] if one_release else [R, R])) is None
    ),
    too_strong={"one release": {"one_release": True}},
    too_weak=[OVER],
)
BELOW_THRESHOLD = Statement(
    family=transitions,
    given={UNDER: lambda p, R, K: not _over(p, R)},
    holds=lambda p, R, K, no_more_than=False: (
        (worst(of_probabilities(p), [R] * K) is not None)
        and (
            not no_more_than
            or ((most := worst(of_probabilities(p), [R] * K)) is not None and most <= R**2)
        )
    ),
    too_strong={"no more than R^2": {"no_more_than": True}},
    too_weak=[UNDER],
)
