"""The two-release counterexample with both nodes secret: the law of X_1 matters; and a witness
whose numbers are all rational.

P(X_1=1|X_2) takes the part of P(X_2=1|X_1) for secrets of X_2: p' = r p/(r p + (1-r) q), q' = r
(1-p)/(1 - r p - (1-r) q) with r = P(X_1=1). Source: asked beyond song2017, appendix A-B.
"""

from collections.abc import Iterator

import sympy
from sympy import And, Eq

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.song2017.statements import twice as said_twice
from pufferproof.claims.papers.song2017.two_releases import statement as two_releases
from pufferproof.claims.papers.song2017.two_releases.region import (
    FAIR_START,
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

NOTATION = two_releases.NOTATION
HALF = sympy.Rational(1, 2)


THIRD = sympy.Rational(1, 3)


ONES = THIRD * POINT[0] + (1 - THIRD) * POINT[1]


BACKWARD = (THIRD * POINT[0] / ONES, THIRD * (1 - POINT[0]) / (1 - ONES))


@claim(
    "song2017.x-III4-start",
    where="Appendix A-B, asked beyond it",
    statement="With both nodes secret, p = 0.9 and q = 0.01, two releases leak more than twice "
    "what one leaks if P(X_1=1) = 1/11, and do not if P(X_1=1) = 1/3.",
    kind="theorem",
    says={"P(X_1=1) = 1/11": said_twice.EVERY_RECORD, "P(X_1=1) = 1/3": said_twice.NOT_MORE},
)
def start(check: Check) -> None:
    """Prove both by enclosures: for 1/3 secrets of X_2 raise the level of one release."""
    proved(
        check,
        "P(X_1=1) = 1/11",
        "p = 9/10, q = 1/100",
        _works,
        from_one_half=FAIR_START,
    )
    alone = [
        *[Edit(f"Bayes, {name}", instead=chance) for name, chance in zip(("p'", "q'"), POINT)],
        *[Edit(name, instead=left) for name, left in _left(POINT)],
    ]
    name = "P(X_1=1) = 1/3"
    proved(check, name, "p = 9/10, q = 1/100", _fails, secrets_of_X_1_alone=alone)


def _works(proof: Proof) -> None:
    both_directions(proof, sympy.Rational(1, 11))
    proof.enclosure(
        "more than twice", "the same for both nodes", at_noise(D_SECOND - SECOND**2), x, 1, 1
    )
    proof.enclosure(
        "the level of one release", "is the second value", at_noise(SECOND - FIRST), x, 1, 1
    )


def _left(backward: tuple[sympy.Expr, sympy.Expr]) -> Iterator[tuple[str, sympy.Expr]]:
    """Yield what twice the level of one release leaves over each value of two releases."""
    level = at_noise(FIRST, backward) ** 2
    for name, point in (("X_1", POINT), ("X_2", backward)):
        for rank, value in (("first", D_FIRST), ("second", D_SECOND)):
            yield f"{name}, {rank} value", level - at_noise(value, point)


def _fails(proof: Proof) -> None:
    chances = {"p": POINT[0], "q": POINT[1], "r": THIRD}
    forward = "(r*p)/(r*p + (1 - r)*q)", "(r*(1 - p))/(1 - r*p - (1 - r)*q)"
    for name, formula, chance in zip(("p'", "q'"), forward, BACKWARD):
        proof.identity(
            f"Bayes, {name}",
            "P(X_1=1|X_2) for X_2 = 1, or 0, r = P(X_1=1)",
            formula,
            chance,
            at=chances,
        )
    proof.cite(
        "suprema",
        "at (p, q) for secrets of X_1, at (p', q') for those of X_2",
        "song2017.III4-maxima",
    )
    for name, left in _left(BACKWARD):
        proof.enclosure(name, "twice the level of one release for X_2 is enough", left, x, 1, 1)


@claim(
    "song2017.x-III4-rational",
    where="Theorem III.4, asked beyond it",
    statement="Two bits, P(X_2=1|X_1=1) = 1/2, P(X_2=1|X_1=0) = 1/10, P(X_1=1) = 1/6, M = X_1+X_2 "
    "plus geometric noise of ratio 1/2, clipped to 0, 1, 2: every node secret, one release has "
    "e^eps = 30/11, two have 100/13 > (30/11)^2.",
    kind="theorem",
    says=said_twice.RATIONAL,
)
def rational(check: Check) -> None:
    """Prove it from the closed forms at c = 2: geometric noise has the same ratios at integers."""
    third = [Edit(step, without=Eq(c, 2), given=Eq(c, 3)) for step in ("levels", "more than twice")]
    name, scope = "as stated", "one instance, 4 databases and 3 outputs"
    proved(check, name, scope, _rational, ratio_one_third=third)


def _rational(proof: Proof) -> None:
    given = [Eq(c, 2), Eq(p, HALF), Eq(q, sympy.Rational(1, 10))]
    one, two = sympy.Rational(30, 11), sympy.Rational(100, 13)
    proof.cite(
        "suprema",
        "for any c > 1, at w = 0 and w = 2; outputs beyond have the same ratios",
        "song2017.III4-maxima",
    )
    both_directions(proof, sympy.Rational(1, 6), (HALF, sympy.Rational(1, 10)))
    proof.inequality(
        "levels",
        "second values, which are the larger ones",
        And(Eq(SECOND, one), Eq(D_SECOND, two), FIRST <= one, D_FIRST <= two),
        given,
        for_any=[c],
    )
    proof.inequality(
        "more than twice", "100/13 > 900/121", D_SECOND > SECOND**2, given, for_any=[c]
    )
