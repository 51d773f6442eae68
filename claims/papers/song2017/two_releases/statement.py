"""The printed counterexample with two records: its closed forms, where it works, and theorem III.4.

c stands for e; what is not said of e holds for every c > 1. P(X_2=1|X_1=1) = p, P(X_2=1|X_1=0) = q,
F = X_1 + X_2, Laplace noise of scale 1, two releases. Given X_1 the likelihood ratio of one output
w is

    S(w) = (u(w) p + 1 - p) / (q + v(w) (1 - q)),    u = s(w-2)/s(w-1), v = s(w)/s(w-1)

u runs from 1/c (w <= 1) to c (w >= 2), v from c (w <= 0) to 1/c (w >= 1). Source: song2017,
appendix A-B.
"""

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.language import proved
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

if TYPE_CHECKING:
    from flint import arb

c, p, q, t, u, v, U, V, x, z = sympy.symbols("c p q t u v U V x z")
NOTATION = {
    "p": "P(X_2=1|X_1=1)",
    "q": "P(X_2=1|X_1=0)",
    "s": "s(w) = e^-|w| / 2, the density of the noise",
    "S": "S(w), the ratio of densities of one output w given X_1 = 1 and X_1 = 0: (s(w-2)p + "
    "s(w-1)(1-p)) / (s(w-1)q + s(w)(1-q)); in (S,Q,Theta) the secrets",
    "D": "D(w,w'), the same ratio for two releases with the outputs w and w'; D(w) = D(w,w)",
    "F": "X_1 + X_2, unless the statement has another function",
    "M": "F + Z, unless the statement has another mechanism",
    "(M,M)": "two releases of M, each with noise of its own",
    "e": "the base of natural logarithms",
}
CHANCES = [p >= 0, p <= 1, q >= 0, q <= 1, c > 1]
EVERY = "all p, q in [0, 1], every scale of the noise (every c > 1)"
PRINTED = "as printed"


def low(chance: sympy.Expr, base: sympy.Expr = c) -> sympy.Expr:
    """1 + (c - 1) x = c x + 1 - x."""
    return 1 + (base - 1) * chance


S_LEFT = (p + c * (1 - p)) / (c * q + c**2 * (1 - q))
S_MIDDLE = (p + c * (1 - p)) / (c * q + 1 - q)
S_RIGHT = (c**2 * p + c * (1 - p)) / (c * q + 1 - q)
FIRST = c * (q + c * (1 - q)) / (p + c * (1 - p))
SECOND = c * (c * p + 1 - p) / (c * q + 1 - q)
D_FIRST = c**2 * (q + c**2 * (1 - q)) / (p + c**2 * (1 - p))
D_SECOND = c**2 * (c**2 * p + 1 - p) / (c**2 * q + 1 - q)


@claim(
    "song2017.III4-diag",
    where="Appendix A-B",
    statement="D(w,w) = [s(2w-4)p + s(2w-2)(1-p)] / [s(2w-2)q + s(2w)(1-q)] =: D(w), which equals "
    "max_{w'=w}{D(w,w'), 1/D(w,w')} and is a lower bound of max_{w,w'}{D, 1/D}.",
    kind="closed form",
    repair="song2017.III4-diag-repaired",
)
def diagonal(check: Check) -> None:
    """The closed form is right; D(w) is not the larger of D(w,w) and its inverse where D(w) < 1."""
    with check.reading("D(w) = max{D(w,w), 1/D(w,w)} at every w", "one counterexample") as argument:
        argument.counterexample(
            "w = 0",
            "p = 9/10, q = 1/100, w = 0: D(0) < 1, so that 1/D(0) is larger. Multiplied by e^4 > "
            "0, D(0) is (p + e^2 (1-p))/(e^2 q + e^4 (1-q)), enclosed",
            {"p": Fraction(9, 10), "q": Fraction(1, 100), "w": 0},
            lambda: bool(value(1 / D_FIRST, Fraction(9, 10), Fraction(1, 100)) < 1),
        )
    name = "the closed form"
    proved(check, name, EVERY, _diagonal, another_factor=partial(_diagonal, factor=3))


@claim(
    "song2017.III4-diag-repaired",
    where="Appendix A-B, repaired",
    statement="D(w,w) = [s(2w-4)p + s(2w-2)(1-p)] / [s(2w-2)q + s(2w)(1-q)] =: D(w). For every w "
    "the larger of D(w) and 1/D(w) is a lower bound of max_{w,w'}{D(w,w'), 1/D(w,w')}, and its "
    "maximum over w is that maximum.",
    kind="repair of song2017.III4-diag",
)
def diagonal_repaired(check: Check) -> None:
    """Prove the closed form and that the diagonal has the extremes."""
    proved(
        check,
        "as stated",
        EVERY,
        _diagonal_repaired,
        another_factor=partial(_diagonal_repaired, factor=3),
        no_least_value=partial(_diagonal_repaired, unbounded=True),
    )


def _diagonal_repaired(argument: Argument, factor: int = 2, unbounded: bool = False) -> None:
    _diagonal(argument, factor)
    argument.cite(
        "extremes",
        "D(w,w') is largest at w = w' = 2 and least at w = w' = 0",
        "song2017.x-III4-corners",
    )
    argument.inequality(
        "larger of the two",
        "x = D(w,w), z the larger of x and 1/x: at least 1 and x",
        And(z >= 1, z >= x),
        [x > 0, Or(And(Eq(z, x), x >= 1), And(Eq(z * x, 1), x <= 1))],
    )
    argument.inequality(
        "pairs and the diagonal",
        "x = D(w,w') lies between u = D(0,0) and U = D(2,2): the larger of x and 1/x is at most "
        "the larger of U and 1/u, which the diagonal has",
        Or(z <= U, z <= 1 / u),
        [u > 0, x > 0, x <= U, *([] if unbounded else [x >= u]), Or(Eq(z, x), Eq(z * x, 1))],
    )


def _diagonal(argument: Argument, factor: int = 2) -> None:
    """s(w-2), s(w-1), s(w) are e^-|.|/2: squares of each are s(2w-4)/2, s(2w-2)/2, s(2w)/2."""
    a, b, d = sympy.symbols("a b d")
    squares = [(each / 2) ** 2 for each in (a, b, d)]
    doubled = [each**factor / 2 for each in (a, b, d)]
    argument.identity(
        "s(w) squared is s(2w)/2",
        "a, b, d = e^-|w-2|, e^-|w-1|, e^-|w|; s of the doubled arguments are a^2/2, b^2/2, d^2/2",
        (squares[0] * p + squares[1] * (1 - p)) / (squares[1] * q + squares[2] * (1 - q)),
        (doubled[0] * p + doubled[1] * (1 - p)) / (doubled[1] * q + doubled[2] * (1 - q)),
    )


@claim(
    "song2017.x-III4-corners",
    where="Appendix A-B, used silently",
    statement="S(w) never falls in w: least for w <= 0, largest for w >= 2. D(w,w') never falls in "
    "w and w': least at w = w' = 0, largest at w = w' = 2. So the suprema of max{S,1/S} and "
    "max{D,1/D} are attained there.",
    kind="lemma",
)
def corners(check: Check) -> None:
    """Prove it by the ranges of u and v, one coordinate at a time."""
    proved(check, PRINTED, EVERY, _corners, decreasing=partial(_corners, wrong=True))


def _corners(argument: Argument, wrong: bool = False) -> None:
    ranges = [u <= U, v >= V, u > 0, V > 0]
    e, f, X, Y, a, b, d, g, h, k = sympy.symbols("e f X Y a b d g h k")

    def pieces(power: sympy.Expr, left: sympy.Expr, right: sympy.Expr) -> list[sympy.Basic]:
        return [
            Or(
                And(power <= c, Eq(left * c, 1)),
                And(power >= c, power <= c**2, Eq(left * c**3, power**2)),
                And(power >= c**2, Eq(left, c)),
            ),
            Or(
                And(power <= 1, Eq(right, c)),
                And(power >= 1, power <= c, Eq(right * power**2, c)),
                And(power >= c, Eq(right * c, 1)),
            ),
        ]

    argument.identity(
        "one ratio per output",
        "a, b, d are s(w-2), s(w-1), s(w), g, h, k those of the other output; u = a/b, v = d/b",
        (a * g * p + b * h * (1 - p)) / (b * h * q + d * k * (1 - q)),
        ((a / b) * (g / h) * p + 1 - p) / (q + (d / b) * (k / h) * (1 - q)),
    )
    argument.inequality(
        "u never falls, v never rises",
        "X = e^w <= Y = e^w', with the values u, v and U, V: 1/c up to w = 1, then X^2/c^3, "
        "then c; and c up to w = 0, then c/X^2, then 1/c from w = 1",
        And(*ranges),
        [*pieces(X, u, v), *pieces(Y, U, V), X <= Y, X > 0, c > 1],
    )
    up = (u * p + 1 - p) * (q + V * (1 - q)) <= (U * p + 1 - p) * (q + v * (1 - q))
    argument.inequality(
        "one output",
        "S at two outputs, the second further right; cross-multiplied",
        ~up if wrong else up,
        [*ranges, *CHANCES],
    )
    argument.inequality(
        "two outputs, one moved",
        "e and f > 0 belong to the other output, which stays; both factors of the products in the "
        "cross-multiplied inequality are in order, and not negative",
        And(u * e * p + 1 - p <= U * e * p + 1 - p, q + V * f * (1 - q) <= q + v * f * (1 - q)),
        [*ranges, e > 0, f > 0, *CHANCES],
    )
    argument.inequality(
        "so are the products",
        "of the smaller and of the larger factors",
        a * b <= d * g,
        [a >= 0, b >= 0, a <= d, b <= g],
    )
    argument.inequality(
        "both signs of the logarithm",
        "the largest of S and 1/S over w is the larger of the largest S and the largest 1/S",
        Or(z <= U, z * u <= 1),
        [u > 0, x >= u, x <= U, Or(Eq(z, x), Eq(z * x, 1))],
    )


@claim(
    "song2017.III4-maxima",
    where="Appendix A-B",
    statement="max_w{S,1/S} is e(q+e(1-q))/(p+e(1-p)) or e(ep+(1-p))/(eq+(1-q)); "
    "max_w{D(w),1/D(w)} is e^2(q+e^2(1-q))/(p+e^2(1-p)) or e^2(e^2 p+(1-p))/(e^2 q+(1-q)).",
    kind="closed form",
)
def maxima(check: Check) -> None:
    """Prove that they are 1/S(0), S(2), 1/D(0) and D(2)."""
    proved(check, PRINTED, EVERY, _maxima, without_the_factor_e=partial(_maxima, factor=c))


def _maxima(argument: Argument, factor: sympy.Expr | int = 1) -> None:
    argument.cite("extremes", "largest and least values of S and D", "song2017.x-III4-corners")
    argument.identity("1/S for w <= 0", "case 1", 1 / S_LEFT, FIRST / factor)
    argument.identity("S for w >= 2", "case 4", S_RIGHT, SECOND)
    argument.identity(
        "1/D for w <= 0",
        "s(2w-4), s(2w-2), s(2w) are 1, c^2, c^4 times one number",
        (c**2 * q + c**4 * (1 - q)) / (p + c**2 * (1 - p)),
        D_FIRST,
    )
    argument.identity(
        "D for w >= 2",
        "they are c^4, c^2, 1 times one number",
        (c**4 * p + c**2 * (1 - p)) / (c**2 * q + 1 - q),
        D_SECOND,
    )


@claim(
    "song2017.III4-quadratic",
    where="Appendix A-B",
    statement="The first value for S is the larger one whenever the first value for D is; both "
    "comparisons are quadratics centred at 1/2.",
    kind="proof step",
)
def quadratic(check: Check) -> None:
    """Prove it: both say q(1-q) > p(1-p)."""
    proved(
        check,
        PRINTED,
        EVERY,
        _quadratic,
        another_centre=partial(_quadratic, shift=sympy.Rational(1, 10)),
    )


def _quadratic(argument: Argument, shift: sympy.Expr | int = 0) -> None:
    """Cross-multiplied, either comparison is of base + (base-1)^2 x(1-x) at q and at p."""
    centre = sympy.Rational(1, 2) + shift
    for base, name in ((c, "S"), (c**2, "D")):
        argument.identity(
            f"{name}: side of q",
            "x (1-x) = 1/4 - (x - 1/2)^2",
            (q + base * (1 - q)) * (base * q + 1 - q),
            base + (base - 1) ** 2 * (sympy.Rational(1, 4) - (q - centre) ** 2),
        )
        argument.identity(
            f"{name}: side of p",
            "the same",
            (p + base * (1 - p)) * (base * p + 1 - p),
            base + (base - 1) ** 2 * (sympy.Rational(1, 4) - (p - centre) ** 2),
        )
    argument.inequality(
        "D decides as S does",
        "x and z stand for p(1-p) and q(1-q)",
        Implies(
            c**2 + (c**2 - 1) ** 2 * z > c**2 + (c**2 - 1) ** 2 * x,
            c + (c - 1) ** 2 * z > c + (c - 1) ** 2 * x,
        ),
        [c > 1],
    )


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
