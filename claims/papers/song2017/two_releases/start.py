"""The two-release counterexample with both nodes secret: the law of X_1 matters; and a witness
whose numbers are all rational.

P(X_1=1|X_2) takes the part of P(X_2=1|X_1) for secrets of X_2: p' = r p/(r p + (1-r) q), q' = r
(1-p)/(1 - r p - (1-r) q) with r = P(X_1=1). Source: asked beyond song2017, appendix A-B.
"""

from functools import partial

import sympy
from sympy import And, Eq

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.two_releases import statement as two_releases
from pufferproof.claims.papers.song2017.two_releases.region import (
    POINT,
    at_noise,
    both_directions,
    x,
)
from pufferproof.claims.papers.song2017.two_releases.statement import (
    D_FIRST,
    D_SECOND,
    FIRST,
    SECOND,
    c,
    p,
    q,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = two_releases.NOTATION
HALF = sympy.Rational(1, 2)


@claim(
    "song2017.x-III4-start",
    where="Appendix A-B, asked beyond it",
    statement="With both nodes secret, p = 0.9 and q = 0.01, two releases leak more than twice "
    "what one leaks if P(X_1=1) = 1/11, and do not if P(X_1=1) = 1/3.",
    kind="theorem",
)
def start(check: Check) -> None:
    """Prove both by enclosures: for 1/3 secrets of X_2 raise the level of one release."""
    proved(
        check,
        "P(X_1=1) = 1/11",
        "p = 9/10, q = 1/100",
        _works,
        from_one_half=partial(_works, half=True),
    )
    proved(
        check,
        "P(X_1=1) = 1/3",
        "p = 9/10, q = 1/100",
        _fails,
        secrets_of_X_1_alone=partial(_fails, alone=True),
    )


def _works(argument: Argument, half: bool = False) -> None:
    both_directions(argument, HALF if half else sympy.Rational(1, 11))
    argument.enclosure(
        "more than twice", "the same for both nodes", at_noise(D_SECOND - SECOND**2), x, 1, 1
    )
    argument.enclosure(
        "the level of one release", "is the second value", at_noise(SECOND - FIRST), x, 1, 1
    )


def _fails(argument: Argument, alone: bool = False) -> None:
    r = sympy.Rational(1, 3)
    ones = r * POINT[0] + (1 - r) * POINT[1]
    backward = POINT if alone else (r * POINT[0] / ones, r * (1 - POINT[0]) / (1 - ones))
    chances = {"p": POINT[0], "q": POINT[1], "r": r}
    forward = "(r*p)/(r*p + (1 - r)*q)", "(r*(1 - p))/(1 - r*p - (1 - r)*q)"
    for name, formula, found in zip(("p'", "q'"), forward, backward):
        argument.identity(
            f"Bayes, {name}",
            "P(X_1=1|X_2) for X_2 = 1, or 0, r = P(X_1=1)",
            formula,
            found,
            at=chances,
        )
    argument.cite(
        "suprema",
        "at (p, q) for secrets of X_1, at (p', q') for those of X_2",
        "song2017.III4-maxima",
    )
    level = at_noise(FIRST, backward) ** 2
    for name, point in (("X_1", POINT), ("X_2", backward)):
        for rank, value in (("first", D_FIRST), ("second", D_SECOND)):
            argument.enclosure(
                f"{name}, {rank} value",
                "twice the level of one release for X_2 is enough",
                level - at_noise(value, point),
                x,
                1,
                1,
            )


@claim(
    "song2017.x-III4-rational",
    where="Theorem III.4, asked beyond it",
    statement="Two bits, P(X_2=1|X_1=1) = 1/2, P(X_2=1|X_1=0) = 1/10, P(X_1=1) = 1/6, M = X_1+X_2 "
    "plus geometric noise of ratio 1/2, clipped to 0, 1, 2: every node secret, one release has "
    "e^eps = 30/11, two have 100/13 > (30/11)^2.",
    kind="theorem",
)
def rational(check: Check) -> None:
    """Prove it from the closed forms at c = 2: geometric noise has the same ratios at integers."""
    proved(
        check,
        "as stated",
        "one instance, 4 databases and 3 outputs",
        _rational,
        ratio_one_third=partial(_rational, base=3),
    )


def _rational(argument: Argument, base: int = 2) -> None:
    point = [Eq(p, HALF), Eq(q, sympy.Rational(1, 10))]
    one, two = sympy.Rational(30, 11), sympy.Rational(100, 13)
    argument.cite(
        "suprema",
        "for any c > 1, at w = 0 and w = 2; outputs beyond have the same ratios",
        "song2017.III4-maxima",
    )
    both_directions(argument, sympy.Rational(1, 6), (HALF, sympy.Rational(1, 10)))
    argument.inequality(
        "levels",
        "second values, which are the larger ones",
        And(Eq(SECOND, one), Eq(D_SECOND, two), FIRST <= one, D_FIRST <= two),
        [Eq(c, base), *point],
    )
    argument.inequality(
        "more than twice", "100/13 > 900/121", D_SECOND > SECOND**2, [Eq(c, base), *point]
    )
