"""Where 3R is a best local mechanism: two records, and one-sided designs with a negative
eigenvalue.

P = [[1-a, a], [b, 1-b]], a <= b, lam = 1-a-b, R = e^eps, pi0 = b/(a+b); D0 and D1 are the first
distances with i0(D) <= eps and i1(D) <= eps. Source of the setting: massny2025, section IV.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import Eq, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, a, b, c, q, x, y = sympy.symbols("R a b c q x y")
D, E, K, N = sympy.symbols("D E K N")
CHAIN = [a > 0, a <= b, b < 1]
ONE = Fraction(1)
POSITIVE, NEGATIVE = "lam > 0", "lam < 0"


@claim(
    "redaction.two-records",
    where="Optimal local redaction",
    statement="n = 2, a <= b, lam not 0: the best local mechanism releases 0 records in "
    "expectation if R < e^i0(1), 1 if R >= e^i1(1), and in between pi0 (R-1)/(R(1-a)-b) for "
    "lam > 0, pi0 (R-1)/(Rb-1+a) for lam < 0, with r = (q,1) at the record other than p. It is "
    "a 3R mechanism, with all of eps for this side.",
    kind="closed form",
)
def two_records(check: Check) -> None:
    """Prove it: one record, one step, and the output * as the only constraint on q."""
    for name, negative in [(POSITIVE, False), (NEGATIVE, True)]:
        with check.reading(name, f"all 0 < a <= b < 1 with {name}, every R >= 1") as argument:
            argument.cite(
                "thresholds",
                "0 is released only if e^i0(1) <= R, 1 only if e^i1(1) <= R",
                "massny2025.lemma1",
            )
            argument.cite("the form", "(1,1), (q,1), (1,q) or (0,0)", "redaction.three-regions")
            between(argument, negative)
        check.near_miss(
            f"{name}: 1% less", partial(between, negative=negative, factor=Fraction(99, 100))
        )


def between(argument: Argument, negative: bool, factor: Fraction = ONE) -> None:
    """Prove the closed form between the two influences, times a factor."""
    zero, one = (1 - a) * q + a, b * q + 1 - b
    if negative:
        sign, low, high, scale, tight = (
            a + b > 1,
            b / (1 - a),
            a / (1 - b),
            R * b - 1 + a,
            zero <= R * one,
        )
    else:
        sign, low, high, scale, tight = (
            a + b < 1,
            (1 - a) / b,
            (1 - b) / a,
            R * (1 - a) - b,
            one <= R * zero,
        )
    case = [*CHAIN, sign, R >= low, R < high, R > 1]
    argument.inequality(
        "at most",
        "(x, y) = (zero, one) are P(*|X_p=0), P(*|X_p=1) for r = (q, 1); the expected number N = "
        "pi0 (1 - q)",
        (N * (a + b) * scale <= sympy.Rational(factor.numerator, factor.denominator) * b * (R - 1))
        & (scale > 0),
        [*case, tight, q >= 0, q <= 1, Eq(N * (a + b), b * (1 - q))],
    )
    argument.inequality(
        "attained",
        "q with equality: it lies in (0, 1), and the output 0 and the reverse ratio of * keep R: "
        "it is the 3R mechanism with its best q",
        (q > 0)
        & (q < 1)
        & Eq(N * (a + b) * scale, b * (R - 1))
        & (one <= R * zero)
        & (zero <= R * one)
        & (1 - a <= R * b)
        & (b <= R * (1 - a)),
        [
            *case,
            Eq(one if not negative else zero, R * (zero if not negative else one)),
            Eq(N * (a + b), b * (1 - q)),
        ],
    )


@claim(
    "redaction.one-sided-negative",
    where="Optimal local redaction",
    statement="p = 1, a <= b, lam < 0: for all n and eps some 3R mechanism with eps_r = eps "
    "releases as many records in expectation as any eps-private local mechanism.",
)
def one_sided_negative(check: Check) -> None:
    """Prove that delaying the full release never pays where the medium region has one record."""
    name = "as stated"
    with check.reading(
        name, "all 0 < a <= b < 1 with a + b > 1, every n and e^eps >= 1"
    ) as argument:
        argument.cite("the form", "(1,1) before D0, (0,0) from c >= D1 on", "redaction.one-sided")
        argument.cite("M", "has one record at most, so D1 <= D0 + 1", "massny2025.x-medium-one")
        argument.cite(
            "3R with c = D1",
            "For q = 1 it is the DIM that releases all from D1 on, of leakage i1(D1) <= eps, or "
            "nothing: so some q is feasible",
            "massny2025.x-dim-leakage",
        )
        _delayed(argument)
    check.near_miss(
        f"{name}: two records released at D0 + 1", lambda argument: _delayed(argument, free=True)
    )


def _delayed(argument: Argument, free: bool = False) -> None:
    argument.inequality(
        "two records",
        "Losses (redaction probabilities) at D0 and D0 + 1: K of 3R with (q,1), (0,0), q <= 1; N "
        "of a mechanism with c > D0 + 1, which releases 0 at D0 with probability 1 - x, or "
        "nothing, and 1 at D0 + 1 with 1 - y, or nothing; or which releases nothing at D0 and 0 at "
        "D0 + 1 with 1 - y. All else is equal or worse",
        K <= N,
        [
            Eq(K * (a + b), a + b * q),
            q >= 0,
            q <= 1,
            Or(
                Eq(N * (a + b), a + b * x + (0 if free else b) + a * y),
                Eq(N * (a + b), a + b + a + b * y),
            ),
            x >= 0,
            y >= 0,
            *CHAIN,
        ],
    )
    argument.inequality(
        "the cases",
        "Integers D0 <= D1 <= D0 + 1 and c >= D1, written c = D1 or c >= D1 + 1: c = D1 is in the "
        "3R family; for D1 = D0 the 3R mechanism has no loss from D0 on; the rest is c > D0 + 1",
        Or(Eq(c, E), Eq(E, D), c > D + 1),
        [Or(Eq(E, D), Eq(E, D + 1)), Or(Eq(c, E), c >= E + 1)],
    )
