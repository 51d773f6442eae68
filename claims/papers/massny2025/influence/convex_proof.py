"""The printed proof of convexity: the second derivative for lam >= 0, and differences of two
parities for lam < 0.

For lam = 0 the second derivative is 0. For lam < 0 the difference f decreases along even and along
odd distances, which is all that the derivative shows; the conclusion that it decreases over all
positive integers is false. Letters as in `monotone`; in identities d is |lam|. Source: massny2025,
appendix F, equations (18) and (19).
"""

from functools import partial

import sympy
from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.papers.massny2025 import NOTATION as PAPER
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.papers.massny2025.influence.convex import DISTANCES, refute_convexity
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain, pointwise
from pufferproof.claims.papers.massny2025.influence.monotone import NEGATIVE, c, m, u
from pufferproof.claims.registry import Check, claim

a = letter("a", PAPER["a"], above(0))
b = letter("b", PAPER["b"], below(1))
d = letter("d", "|lam| for lam < 0")
L = letter("L", "the logarithm of |lam|", below(0))
v = letter("v", "lam^D for lam > 0", above(0), below(1))
w = letter("w", "another power of |lam|")
A, B = letters("A B", "a number")
g = letter("g", "m^2")
QUOTIENTS = {
    "(18), first": (c, m),
    "(18), second": (-c * m, sympy.Integer(-1)),
    "(19), first": (sympy.Integer(1), c * m),
    "(19), second": (-m, -c),
}
"""A and B of the four quotients (1 + A u)/(1 + B u)."""

SHAPE = "(18), (19), the derivative and the signs"
DECREASE = "f(D) >= f(D+2)"
NOTATION = {"A": "a number", "B": "a number"}


@claim(
    "massny2025.prop1-convex-pos",
    where="Appendix F",
    statement="For lam >= 0, c > 0 and real D > 0: the second derivative of i_c(D) in D is (log "
    "lam)^2 lam^D [c/(1+c lam^D)^2 + 1/(1-lam^D)^2] > 0.",
    kind="proof step",
    repair="massny2025.prop1-convex-pos-repaired",
    says={"lam > 0": statements.CURVATURE},
)
def prop1_convex_pos(check: Check) -> None:
    """Prove it for lam > 0; refute it for lam = 0, where log lam is undefined and i_c = 0."""
    _second_derivative(check)
    proved(check, "lam >= 0", "one counterexample", _independent)


def _independent(proof: Proof) -> None:
    half = chain("1/2", "1/2")
    proof.counterexample(
        "lam = 0",
        "a = b = 1/2. Claimed: for lam >= 0 the second derivative is the displayed positive "
        "number. For lam = 0 log lam does not exist, and lam^D = 0 for all D > 0: i_c is 0 and "
        "its second derivative is 0, which the second difference at D = 1, 2, 3 shows",
        {"a": half.a, "b": half.b, "lam": half.eigenvalue, "e^i_c(D)": pointwise(half, 1, 1)},
        lambda: (
            half.eigenvalue == 0
            and all(pointwise(half, d, v) == 1 for d in DISTANCES for v in (0, 1))
        ),
        " and ".join(f"{influence(d)} = 1" for d in (1, 2, 3)),
    )


@claim(
    "massny2025.prop1-convex-pos-repaired",
    where="Appendix F, repaired",
    statement="For 0 < lam < 1, c > 0 and real D > 0: the second derivative of i_c(D) in D is (log "
    "lam)^2 lam^D [c/(1+c lam^D)^2 + 1/(1-lam^D)^2] > 0.",
    kind="repair of massny2025.prop1-convex-pos",
    says=statements.CURVATURE,
)
def prop1_convex_pos_repaired(check: Check) -> None:
    """Prove the formula and its sign."""
    _second_derivative(check)


def _second_derivative(check: Check) -> None:
    not_squared = Edit("second derivative", instead="L**2*v*(c/(1+c*v)**2 + 1/(1-v))")
    scope = "all c > 0, 0 < lam < 1, real D > 0"
    proved(check, "lam > 0", scope, _derive, **{"1/(1 - lam^D) not squared": not_squared})


def _derive(proof: Proof) -> None:
    first = L * v * (c / (1 + c * v) + 1 / (1 - v))
    proof.identity(
        "first derivative",
        "v = lam^D has derivative L v, L = log lam; i_c = log(1 + c v) - log(1 - v), and log x has "
        "derivative 1/x",
        L * v * c / (1 + c * v) - (-L * v) / (1 - v),
        first,
    )
    slope = L**2 * v * (c / (1 + c * v) ** 2 + 1 / (1 - v) ** 2)
    quotient = L * (c / ((1 + c * v) * (1 + c * w)) + 1 / ((1 - v) * (1 - w)))
    proof.identity(
        "difference quotient",
        "of the first derivative as a function of v, between w and v: with w -> v it is its "
        "derivative in v",
        first - first.subs(v, w),
        (v - w) * quotient,
    )
    proof.identity(
        "second derivative",
        "the derivative L v of v, times that of L v (c/(1 + c v) + 1/(1 - v)) in v by the rules "
        "for products and quotients",
        "L*v*(L*(c/(1+c*v) + 1/(1-v)) + L*v*(1/(1-v)**2 - c**2/(1+c*v)**2))",
        "L**2*v*(c/(1+c*v)**2 + 1/(1-v)**2)",
    )
    proof.inequality("sign", "L is not 0", slope > 0, [c > 0])


@claim(
    "massny2025.prop1-convex-neg",
    where="Appendix F, equations (18) and (19)",
    statement="For lam < 0 let d = |lam|, u = d^D and let f be the function f(D) = i_c(D) - "
    "i_c(D+1). (18): f(D) = log((1+c u)/(1+d u)) + log((1-c d u)/(1-u)) for D even. (19): f(D) "
    "= log((1+u)/(1+c d u)) + log((1-d u)/(1-c u)) for D odd. Both are built from quotients "
    "(1+A u)/(1+B u), A and B numbers, whose derivative (A-B) log(d) u/(1+B u)^2 in D is "
    "negative if A > B; with c d < 1 and c > d, f is decreasing over the positive integers.",
    kind="proof step",
    repair="massny2025.prop1-convex-neg-repaired",
    says=statements.NEGATIVE_STEPS,
)
def prop1_convex_neg(check: Check) -> None:
    """Refute the conclusion; prove every display before it."""
    for name, values in (
        ("the conclusion, both c", (0, 1)),
        ("the conclusion, c = b/a", (1,)),
    ):
        proved(check, name, "one counterexample", partial(refute_convexity, values=values))
    _proved(check)


@claim(
    "massny2025.prop1-convex-neg-repaired",
    where="Appendix F, repaired",
    statement="For lam < 0 let d = |lam|, u = d^D and let f be the function f(D) = i_c(D) - "
    "i_c(D+1), c = a/b or b/a. (18): f(D) = log((1+c u)/(1+d u)) + log((1-c d u)/(1-u)) for D "
    "even. (19): f(D) = log((1+u)/(1+c d u)) + log((1-d u)/(1-c u)) for D odd. A quotient (1+A "
    "u)/(1+B u), A and B numbers with 1+B u > 0, has the derivative (A-B) log(d) u/(1+B u)^2 "
    "in D, negative for the four quotients in (18) and (19), as c d < 1 and c > d; f decreases "
    "along the even and along the odd positive integers: f(D) > f(D+2).",
    kind="repair of massny2025.prop1-convex-neg",
    says=statements.NEGATIVE_STEPS,
)
def prop1_convex_neg_repaired(check: Check) -> None:
    """Prove what the displays show."""
    _proved(check)


def _proved(check: Check) -> None:
    scope = "all a <= b with a + b > 1, all D"
    exchanged = Edit("(18)", instead="((1+d*u)/(1+c*u))*((1-c*d*u)/(1-u))")
    proved(check, SHAPE, scope, _displays, **{"(18) with c and d exchanged": exchanged})
    dropped = [Edit(step, without=c > m) for step in QUOTIENTS]
    proved(check, DECREASE, scope, _two_steps, **{"c > d dropped": dropped})


def _displays(proof: Proof) -> None:
    proof.cite(
        "closed form", "e^i_c(D), with l = u if D is even, -u if odd", "massny2025.prop1-closed"
    )
    proof.cite("c d < 1 and c > d", "for both c", "massny2025.prop1-cd")
    proof.identity(
        "(18)",
        "D even: e^f is e^i_c(D) over e^i_c(D+1), where u is m^D and d u is m^(D+1)",
        "((1+c*u)/(1-u))/((1+d*u)/(1-c*(d*u)))",
        "((1+c*u)/(1+d*u))*((1-c*d*u)/(1-u))",
    )
    proof.identity(
        "(19)",
        "D odd: e^f is e^i_c(D) over e^i_c(D+1), where u is m^D and d u is m^(D+1)",
        "((1+u)/(1-c*u))/((1+c*(d*u))/(1-d*u))",
        "((1+u)/(1+c*d*u))*((1-d*u)/(1-c*u))",
    )
    _falling_quotients(proof)


def _falling_quotients(proof: Proof) -> None:
    proof.inequality(
        "positive arguments",
        "of all logarithms",
        (c * u < 1) & (c * m * u < 1) & (m * u < 1) & (u < 1),
        [*NEGATIVE, u <= m],
    )
    value, slope = (1 + A * u) / (1 + B * u), (A - B) * L * u / (1 + B * u) ** 2
    proof.identity(
        "difference quotient",
        "of F_{A,B} as a function of u, between w and u",
        value - value.subs(u, w),
        (u - w) * (A - B) / ((1 + B * u) * (1 + B * w)),
    )
    proof.identity(
        "derivative",
        "the derivative L u of u = m^D, L = log m, times that of F_{A,B} in u by the rule for "
        "quotients",
        "L*u*((A*(1+B*u) - (1+A*u)*B)/(1+B*u)**2)",
        "(A-B)*L*u/(1+B*u)**2",
    )
    proof.inequality("its sign", "L < 0", slope < 0, [A > B, 1 + B * u > 0])
    proof.inequality(
        "all four quotients fall",
        "(A, B) = (c, d), (-c d, -1), (1, c d), (-d, -c): the numerator (A - B) L u of the "
        "derivative is negative, 1 + B u is positive",
        sympy.And(
            *((over - under) * L * u < 0 for over, under in QUOTIENTS.values()),
            *(1 + under * u > 0 for _, under in QUOTIENTS.values()),
        ),
        [*NEGATIVE, u <= m],
    )


def _two_steps(proof: Proof) -> None:
    proof.cite("c d < 1 and c > d", "for both c", "massny2025.prop1-cd")
    for name, (over, under) in QUOTIENTS.items():
        proof.inequality(
            name,
            "F_{A,B} at D and D + 2, g = m^2, multiplied by the denominators",
            (1 + over * u) * (1 + under * g * u) > (1 + over * g * u) * (1 + under * u),
            [u <= m, c > 0, c * m < 1, c > m, Eq(g, m**2)],
        )


@claim(
    "massny2025.prop1-cd",
    where="Appendix F",
    statement="For lam < 0 and a <= b: (a/b)|lam| <= (b/a)|lam| = 1 - ((a+b)/a)(1-b) < 1, hence c "
    "d < 1 for both c; c d < 1 and c > d are equivalent for a <= b, where d = |lam|.",
    kind="proof step",
    says=statements.CD,
)
def prop1_cd(check: Check) -> None:
    """Prove the chain of inequalities, c > d, and both readings of the equivalence."""
    scope = "all 0 < a <= b < 1 with a + b > 1"
    ends = Edit("the ends", without=b < 1, given=b <= 1)
    proved(check, "the inequalities", scope, _ends, **{"b = 1 allowed": ends})
    steps = ("across the two values of c", "for each c")
    equal = [Edit(step, without=b < 1, given=b <= 1) for step in steps]
    proved(check, "the equivalence", scope, _equivalent, **{"b = 1 allowed": equal})


NEGATIVE_CHAIN = [a <= b, a + b > 1, Eq(d, a + b - 1)]


def _ends(proof: Proof) -> None:
    proof.identity(
        "the middle", "|lam| = a + b - 1", b / a * (a + b - 1), 1 - (a + b) / a * (1 - b)
    )
    proof.inequality(
        "the ends",
        "multiplied by a b",
        (a**2 * d <= b**2 * d) & (b * d < a) & (a * d < b),
        NEGATIVE_CHAIN,
    )


def _equivalent(proof: Proof) -> None:
    proof.inequality(
        "across the two values of c",
        "(b/a) d < 1 iff a/b > d, as each is b d < a",
        sympy.Equivalent(b / a * d < 1, a / b > d) & sympy.Equivalent(a / b * d < 1, b / a > d),
        NEGATIVE_CHAIN,
    )
    both = [sympy.Equivalent(x * d < y, x > d * y) for x, y in ((a, b), (b, a))]
    proof.inequality(
        "for each c",
        "both hold for both c",
        sympy.And(*both, a * d < b, a > d * b),
        NEGATIVE_CHAIN,
    )
