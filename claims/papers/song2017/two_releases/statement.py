"""The printed counterexample with two records: its closed forms, where it works, and theorem III.4.

c stands for e; what is not said of e holds for every c > 1. P(X_2=1|X_1=1) = p, P(X_2=1|X_1=0) = q,
F = X_1 + X_2, Laplace noise of scale 1, two releases. Given X_1 the likelihood ratio of one output
w is

    S(w) = (u(w) p + 1 - p) / (q + v(w) (1 - q)),    u = s(w-2)/s(w-1), v = s(w)/s(w-1)

u runs from 1/c (w <= 1) to c (w >= 2), v from c (w <= 0) to 1/c (w >= 1). Source: song2017,
appendix A-B.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from pufferproof.claims.language import above, letter
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.papers.song2017.statements import printed as said_printed
from pufferproof.claims.registry import Check, claim

if TYPE_CHECKING:
    from flint import arb

c = letter("c", "e, or e to one over the scale of the noise", above(1))
p = letter("p", "P(X_2=1|X_1=1)")
q = letter("q", "P(X_2=1|X_1=0)")
NOTATION = {
    "p": p.meaning,
    "q": q.meaning,
    "s": "s(w) = e^-|w| / 2, the density of the noise",
    "s_0": "e^-|w|, twice s(w); s_1 is e^-|w-1|, and s_2 is e^-|w-2|",
    "S": "S(w), the ratio of densities of one output w given X_1 = 1 and X_1 = 0: (s(w-2)p + "
    "s(w-1)(1-p)) / (s(w-1)q + s(w)(1-q)); in (S,Q,Theta) the secrets",
    "D": "D(w,w'), the same ratio for two releases with the outputs w and w'; D(w) = D(w,w)",
    "F": "X_1 + X_2, unless the statement has another function",
    "M": "F + Z, unless the statement has another mechanism",
    "(M,M)": "two releases of M, each with noise of its own",
    "e": "the base of natural logarithms",
}
PRINTED = "as printed"
CLOSED = "the closed form, where s(2w) is 2 s(w)^2"


S_LEFT = (p + c * (1 - p)) / (c * q + c**2 * (1 - q))
S_MIDDLE = (p + c * (1 - p)) / (c * q + 1 - q)
S_RIGHT = (c**2 * p + c * (1 - p)) / (c * q + 1 - q)
D_FIRST = c**2 * (q + c**2 * (1 - q)) / (p + c**2 * (1 - p))


@claim(
    "song2017.III4-diag",
    where="Appendix A-B",
    statement="D(w,w) = [s(2w-4)p + s(2w-2)(1-p)] / [s(2w-2)q + s(2w)(1-q)] =: D(w), which equals "
    "max_{w'=w}{D(w,w'), 1/D(w,w')} and is a lower bound of max_{w,w'}{D, 1/D}.",
    kind="closed form",
    repair="song2017.III4-diag-repaired",
    says={
        CLOSED: formula(
            "(p*(s_2/2)**2 + (1 - p)*(s_1/2)**2)/(q*(s_1/2)**2 + (1 - q)*(s_0/2)**2) = "
            "(s_2**2/2*p + s_1**2/2*(1 - p))/(s_1**2/2*q + s_0**2/2*(1 - q))"
        )
    },
)
def diagonal(check: Check) -> None:
    """The closed form is right; D(w) is not the larger of D(w,w) and its inverse where D(w) < 1.

    The square of s(w) is s(2w)/2, as e^-|2w| is the square of e^-|w|.
    """
    with check.reading("D(w) = max{D(w,w), 1/D(w,w)} at every w", "one counterexample") as proof:
        proof.counterexample(
            "w = 0",
            "Take p = 9/10, q = 1/100 and w = 0. Then D(0) < 1, so that 1/D(0) is larger. "
            "Multiplied by e^4 > 0, D(0) is (p + e^2 (1-p))/(e^2 q + e^4 (1-q)), which is "
            "enclosed",
            {"p": Fraction(9, 10), "q": Fraction(1, 100), "w": 0},
            lambda: bool(value(1 / D_FIRST, Fraction(9, 10), Fraction(1, 100)) < 1),
        )
    check.formula(CLOSED)


@claim(
    "song2017.III4-diag-repaired",
    where="Appendix A-B, repaired",
    statement="D(w,w) = [s(2w-4)p + s(2w-2)(1-p)] / [s(2w-2)q + s(2w)(1-q)] =: D(w). For every w "
    "the larger of D(w) and 1/D(w) is a lower bound of max_{w,w'}{D(w,w'), 1/D(w,w')}, and its "
    "maximum over w is that maximum.",
    kind="repair of song2017.III4-diag",
    says=said_printed.DIAGONAL_LARGEST,
)
def diagonal_repaired(check: Check) -> None:
    """Prove the closed form and that the diagonal has the extremes.

    The square of s(w) is s(2w)/2: with e^-|w-2|, e^-|w-1|, e^-|w|; s of the doubled arguments are
    half their squares. Extremes: D(w,w') is largest at w = w' = 2 and least at w = w' = 0
    [song2017.x-III4-corners]. Larger of the two: at least 1 and D(w,w). Pairs and the diagonal:
    D(w,w') lies between D(0,0) and D(2,2): the larger of it and its inverse is at most the larger
    of most and 1/least, which the diagonal has.
    """


@claim(
    "song2017.x-III4-corners",
    where="Appendix A-B, used silently",
    statement="S(w) never falls in w: least for w <= 0, largest for w >= 2. D(w,w') never falls in "
    "w and w': least at w = w' = 0, largest at w = w' = 2. So the suprema of max{S,1/S} and "
    "max{D,1/D} are attained there.",
    kind="lemma",
    says={PRINTED: said_printed.CORNERS},
)
def corners(check: Check) -> None:
    """Prove it by the ranges of u and v, one coordinate at a time.

    One ratio per output: u = s(w-2)/s(w-1), v = s(w)/s(w-1), and the same for the other output. U
    never falls, v never rises: X = e^w <= Y = e^w', with the values u, v and U, V: 1/c up to w = 1,
    then X^2/c^3, then c; and c up to w = 0, then c/X^2, then 1/c from w = 1. One output: S at two
    outputs, the second further right; cross-multiplied. Two outputs, one moved: the other output
    stays; both factors of the products in the cross-multiplied inequality are in order, and not
    negative. So are the products: of the smaller and of the larger factors. Both signs of the
    logarithm: the largest of S and 1/S over w is the larger of the largest S and the largest 1/S.

    An engine proves its formula [lemma.III4-ratio-of-ratios].
    """


@claim(
    "song2017.III4-maxima",
    where="Appendix A-B",
    statement="max_w{S,1/S} is e(q+e(1-q))/(p+e(1-p)) or e(ep+(1-p))/(eq+(1-q)); "
    "max_w{D(w),1/D(w)} is e^2(q+e^2(1-q))/(p+e^2(1-p)) or e^2(e^2 p+(1-p))/(e^2 q+(1-q)).",
    kind="closed form",
    says={PRINTED: said_printed.MAXIMA},
)
def maxima(check: Check) -> None:
    """Prove that they are 1/S(0), S(2), 1/D(0) and D(2).

    Extremes: largest and least values of S and D [song2017.x-III4-corners]. 1/S for w <= 0: case 1.
    S for w >= 2: case 4. 1/D for w <= 0: s(2w-4), s(2w-2), s(2w) are 1, c^2, c^4 times one number.
    D for w >= 2: they are c^4, c^2, 1 times one number.
    """


@claim(
    "song2017.III4-quadratic",
    where="Appendix A-B",
    statement="The first value for S is the larger one whenever the first value for D is; both "
    "comparisons are quadratics centred at 1/2.",
    kind="proof step",
    says={PRINTED: said_printed.QUADRATIC},
)
def quadratic(check: Check) -> None:
    """Prove it: both say q(1-q) > p(1-p).

    S: side of q: x (1-x) = 1/4 - (x - 1/2)^2. S: side of p: x (1-x) = 1/4 - (x - 1/2)^2. D: side of
    q: x (1-x) = 1/4 - (x - 1/2)^2. D: side of p: x (1-x) = 1/4 - (x - 1/2)^2. D decides as S does:
    for p(1-p) and q(1-q).

    An engine proves its formula [lemma.III4-side].
    """


def value(expression: sympy.Expr, at_p: Fraction, at_q: Fraction, bits: int = 200) -> "arb":
    """Enclose a rational function of p, q and c at c = e."""
    from flint import arb, ctx, fmpq

    def at(term: Any) -> "arb":
        if term.is_Rational:
            return arb(fmpq(int(term.p), int(term.q)))
        if term.is_Symbol:
            if term == c:
                return arb(1).exp()
            number = at_p if term == p else at_q
            return arb(fmpq(number.numerator, number.denominator))
        parts = [at(part) for part in term.args]
        if term.is_Add:
            return sum(parts, arb(0))
        if term.is_Mul:
            product = arb(1)
            for part in parts:
                product *= part
            return product
        return parts[0] ** int(term.args[1])

    with ctx.workprec(bits):
        return at(sympy.sympify(expression))
