"""The values of S(w) in the printed counterexample: four closed forms, and all values between them.

Letters as in `two_releases`; c stands for e, and what is not said of e holds for every c > 1.
Source: song2017, appendix A-B, cases 1 to 4.
"""

from fractions import Fraction

import sympy

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.song2017.statements import printed as said_printed
from pufferproof.claims.papers.song2017.two_releases import statement as two_releases
from pufferproof.claims.papers.song2017.two_releases.statement import (
    S_LEFT,
    S_MIDDLE,
    S_RIGHT,
    c,
    p,
    value,
)
from pufferproof.claims.registry import Check, claim

NOTATION = two_releases.NOTATION


@claim(
    "song2017.III4-cases",
    where="Appendix A-B, cases 1 to 4",
    statement="S(w) is (p+e(1-p))/(eq+e^2(1-q)) for w<=0; (p+e(1-p))/(eq+e^(2-2w)(1-q)) on [0,1], "
    "equal to its value at 0 or at 1; (e^(2w-2)p+e(1-p))/(eq+(1-q)) on [1,2], equal to its "
    "value at 1 or at 2; (e^2 p+e(1-p))/(eq+(1-q)) for w>=2.",
    kind="closed form",
    repair="song2017.III4-cases-repaired",
    says={"the closed forms": said_printed.CASES},
)
def cases(check: Check) -> None:
    """The four closed forms are right; between 0 and 1, and 1 and 2, values lie between those
    listed.

    W <= 0: s(w-2), s(w-1), s(w) are t/c^2, t/c, t. 0 <= w <= 1: they are t/c^2, t/c, 1/t. 1 <= w <=
    2: they are t/c^2, c/t, 1/t. W >= 2: they are c^2/t, c/t, 1/t. W = 1: both forms agree.

    Engines prove its formulas [lemma.III4-left], [lemma.III4-middle-left],
    [lemma.III4-middle-right], [lemma.III4-right].
    """
    proved(check, "on [0,1] and [1,2] only the values at the ends", "one counterexample", _between)
    check.tried("the closed forms")


@claim(
    "song2017.III4-cases-repaired",
    where="Appendix A-B, cases 1 to 4, repaired",
    statement="S(w) is (p+e(1-p))/(eq+e^2(1-q)) for w<=0, (p+e(1-p))/(eq+e^(2-2w)(1-q)) on [0,1], "
    "(e^(2w-2)p+e(1-p))/(eq+(1-q)) on [1,2] and (e^2 p+e(1-p))/(eq+(1-q)) for w>=2; on [0,1] "
    "and [1,2] it lies between its values at the ends.",
    kind="repair of song2017.III4-cases",
    says=said_printed.CASES_BETWEEN,
)
def cases_repaired(check: Check) -> None:
    """Prove the closed forms and that values in between lie between.

    W <= 0: s(w-2), s(w-1), s(w) are t/c^2, t/c, t. 0 <= w <= 1: they are t/c^2, t/c, 1/t. 1 <= w <=
    2: they are t/c^2, c/t, 1/t. W >= 2: they are c^2/t, c/t, 1/t. W = 1: both forms agree.
    Monotone: S never falls [song2017.x-III4-corners].
    """


def _between(proof: Proof) -> None:
    proof.counterexample(
        "w = 1/2",
        "Take p = 9/10 and q = 1/100. Then S(1/2) = (p + e(1-p))/(eq + e(1-q)) lies strictly "
        "between S(0) and S(1), so it differs from all three listed values",
        {"p": Fraction(9, 10), "q": Fraction(1, 100), "w": Fraction(1, 2)},
        lambda: _strictly((p + c * (1 - p)) / c),
    )


def _strictly(middle: sympy.Expr) -> bool:
    at = (Fraction(9, 10), Fraction(1, 100))
    return bool(
        value(S_LEFT, *at) < value(middle, *at) < value(S_MIDDLE, *at) < value(S_RIGHT, *at)
    )


@claim(
    "song2017.III4-three-values",
    where="Appendix A-B",
    statement="S(w) has in total 3 possible values: (p+e(1-p))/(eq+e^2(1-q)) <= "
    "(p+e(1-p))/(eq+(1-q)) <= (e^2 p+e(1-p))/(eq+(1-q)).",
    kind="proof step",
    repair="song2017.III4-three-values-repaired",
    says={"the order": said_printed.ORDER},
)
def three_values(check: Check) -> None:
    """S is continuous and takes all values between the extremes; their order is as printed.

    First and second: denominators are positive. Second and third: the same denominator.
    """
    proved(check, "no other values", "one counterexample", _between)
    check.tried("the order")


@claim(
    "song2017.III4-three-values-repaired",
    where="Appendix A-B, repaired",
    statement="The values of S lie between (p+e(1-p))/(eq+e^2(1-q)) and (e^2 p+e(1-p))/(eq+(1-q)), "
    "both taken, and S(1) = (p+e(1-p))/(eq+(1-q)) lies between them.",
    kind="repair of song2017.III4-three-values",
    says=said_printed.RANGE,
)
def three_values_repaired(check: Check) -> None:
    """Prove the range of S.

    Closed forms: S on the four pieces [song2017.III4-cases-repaired]. Extremes: least for w <= 0,
    largest for w >= 2 [song2017.x-III4-corners]. First and second: denominators are positive.
    Second and third: the same denominator.
    """
