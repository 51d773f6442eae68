"""The influence of one record on another as a function of their distance: powers of the chain and
closed forms.

Letters: a, b and lam = 1 - a - b of the chain, l = lam^D, A and B the entries (0, 1) and (1, 0) of
P^D. e^i_c(D) is the larger of (1 + c l)/(1 - l) and its inverse; influences are compared as such
ratios. Source: massny2025, proposition 1, (13)-(17).
"""

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.papers.massny2025.influence.instances import chains, pointwise
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, l, A, B = sympy.symbols("a b l A B")
LAM = 1 - a - b
ANY = [a > 0, a < 1, b > 0, b < 1]
ORDERED = [a > 0, a <= b, b < 1]
POWER = [l**2 <= LAM**2, Implies(LAM >= 0, l >= 0)]
"""What holds of every power l = lam^D, D >= 1: see `massny2025.x-powers`."""
ALL = "all 0 < a <= b < 1, all distances, every n and p"
PRINTED = "as printed"


@claim(
    "massny2025.x-powers",
    where="Appendix F, used silently",
    statement="For 0 < a, b < 1, lam^D, D >= 1, satisfies |lam^D| <= |lam| < 1, lam^D >= 0 if lam "
    ">= 0, and all entries of P^D are positive.",
    kind="lemma",
)
def powers(check: Check) -> None:
    """Prove what later steps use of powers of the eigenvalue."""
    with check.reading("as stated", "all a, b in (0, 1), all D >= 1") as argument:
        _powers(argument)
    check.near_miss("as stated: the last entry above b", lambda argument: _powers(argument, b))


def _powers(argument: Argument, bound: sympy.Expr | int = 0) -> None:
    argument.induction(
        "size and sign of l",
        "l = lam for D = 1; the next power is lam l",
        base=(And(*POWER), [Eq(l, LAM), *ANY]),
        step=(And((LAM * l) ** 2 <= LAM**2, Implies(LAM >= 0, LAM * l >= 0)), [*POWER, *ANY]),
    )
    argument.inequality(
        "smaller than 1", "1 - l, which closed forms divide by", And(l < 1, l > -1), [*POWER, *ANY]
    )
    argument.inequality(
        "positive entries",
        "(a + b) times the entries of P^D: a (1 - l), b (1 - l), b + a l and a + b l",
        And(a * (1 - l) > 0, b * (1 - l) > 0, b + a * l > 0, a + b * l > bound),
        [*POWER, *ANY],
    )


@claim(
    "massny2025.prop1-power",
    where="Appendix F, equations (15) and (16)",
    statement="P^D = [[1-a_D, a_D],[b_D, 1-b_D]] with a_D = (a/(a+b))(1-lam^D), b_D = "
    "(b/(a+b))(1-lam^D); a_D/b_D = a/b; 1-a_D-b_D = lam^D.",
    kind="closed form",
)
def prop1_power(check: Check) -> None:
    """Prove the power by induction on D."""
    with check.reading(PRINTED, "all a, b in (0, 1), all D >= 1") as argument:
        _power(argument)
    check.near_miss(f"{PRINTED}: lam = 1 - a", lambda argument: _power(argument, 1 - a))


def _power(argument: Argument, eigenvalue: sympy.Expr = LAM) -> None:
    rows = And(Eq((a + b) * A, a * (1 - l)), Eq((a + b) * B, b * (1 - l)))
    first, second = (1 - A) * a + A * (1 - b), B * (1 - a) + (1 - B) * b
    argument.induction(
        "the entries of P^D",
        "A and B are the entries (0, 1) and (1, 0) of P^D, its rows sum to 1, l = lam^D. The "
        "entries of P^D P are (1 - A) a + A (1 - b) and B (1 - a) + (1 - B) b, and lam^(D+1) = lam "
        "l",
        base=(rows, [Eq(A, a), Eq(B, b), Eq(l, eigenvalue), *ANY]),
        step=(
            And(
                Eq((a + b) * first, a * (1 - eigenvalue * l)),
                Eq((a + b) * second, b * (1 - eigenvalue * l)),
            ),
            [rows, *ANY],
        ),
    )
    argument.cite("l < 1", "so a_D and b_D are positive", "massny2025.x-powers")
    argument.inequality(
        "(15) and (16)",
        "a_D b = b_D a with b_D > 0, and 1 - a_D - b_D = l",
        And(Eq(A * b, B * a), B > 0, Eq(1 - A - B, l)),
        [rows, l < 1, *ANY],
    )


@claim(
    "massny2025.prop1-order",
    where="Appendix F",
    statement="a <= b implies i(X_p~>X_t=0) <= i(X_p~>X_t=1), for every t other than p.",
    kind="lemma",
)
def prop1_order(check: Check) -> None:
    """Prove the order of the two influences; it is an equality exactly if a = b or lam = 0."""
    with check.reading(PRINTED, ALL) as argument:
        prove_order(argument)
    check.near_miss(f"{PRINTED}: strictly", lambda argument: prove_order(argument, strict=True))
    check.near_miss(
        f"{PRINTED}: without a <= b",
        lambda argument: argument.exhaust(
            "a > b",
            "from powers of the matrix",
            chains(4, ordered=False),
            lambda of: pointwise(of, 1, 0) <= pointwise(of, 1, 1),
        ),
    )


def prove_order(argument: Argument, strict: bool = False) -> None:
    """i0 <= i1 in the two cases l >= 0 and l <= 0, as products of the entries of P^D."""
    below = sympy.Lt if strict else sympy.Le
    argument.cite("entries", "the entries of P^D", "massny2025.prop1-power")
    argument.cite("signs", "are positive", "massny2025.x-powers")
    argument.inequality(
        "l >= 0",
        "P(X_t=c|X_p=c) / P(X_t=c|X_p=1-c) is (b + a l)/(b (1 - l)) for c = 0 and (a + b l)/(a (1 "
        "- l)) for c = 1: both at least 1, so influences are their logarithms, and they compare as "
        "(b + a l) a and (a + b l) b",
        And(
            b + a * l >= b * (1 - l),
            a + b * l >= a * (1 - l),
            below((b + a * l) * a, (a + b * l) * b),
        ),
        [*ORDERED, l >= 0, l < 1],
    )
    argument.inequality(
        "l <= 0",
        "Both ratios are at most 1, influences are the logarithms of their inverses, and these "
        "compare the other way",
        And(
            b + a * l <= b * (1 - l),
            a + b * l <= a * (1 - l),
            below((a + b * l) * b, (b + a * l) * a),
        ),
        [*ORDERED, l <= 0, l > -1],
    )
    argument.case_split("signs of l", "positive, negative or zero", [l >= 0, l <= 0], ORDERED)


@claim(
    "massny2025.prop1-closed",
    where="Proposition 1, equations (13), (14), (17)",
    statement="For D = |p-t| > 0, i_c(D) = |log((1 + c lam^D)/(1 - lam^D))|: i(X_p~>X_t=0) = "
    "i_{a/b}(D), i(X_p~>X_t=1) = Inf(X_p~>X_t) = i_{b/a}(D), the same left and right of p.",
    kind="closed form",
)
def prop1_closed(check: Check) -> None:
    """Prove the closed forms for every sign of the eigenvalue."""
    with check.reading(PRINTED, ALL) as argument:
        _closed(argument)
    check.near_miss(
        f"{PRINTED}: c = b/a for the value 0", lambda argument: _closed(argument, b / a)
    )
    check.near_miss(
        f"{PRINTED}: a > b",
        lambda argument: argument.exhaust(
            "the max-influence is that of the value 1",
            "from powers of the matrix",
            chains(4, ordered=False),
            lambda of: max(pointwise(of, 1, 0), pointwise(of, 1, 1)) == pointwise(of, 1, 1),
        ),
    )


def _closed(argument: Argument, c: sympy.Expr = a / b) -> None:
    argument.cite("entries", "P(X_t = . | X_p = .) is P^D for t = p + D", "massny2025.prop1-power")
    argument.cite(
        "left of p", "and for t = p - D, since the chain is reversible", "massny2025.reversible"
    )
    argument.cite(
        "signs",
        "all entries and 1 - l are positive: no quotient is undefined",
        "massny2025.x-powers",
    )
    entry_a, entry_b = a * (1 - l) / (a + b), b * (1 - l) / (a + b)
    argument.identity(
        "value 0",
        "P(X_t=0|X_p=0) / P(X_t=0|X_p=1) = (1 - a_D)/b_D",
        (1 - entry_a) / entry_b,
        (1 + c * l) / (1 - l),
    )
    argument.identity(
        "value 1",
        "P(X_t=1|X_p=1) / P(X_t=1|X_p=0) = (1 - b_D)/a_D",
        (1 - entry_b) / entry_a,
        (1 + b / a * l) / (1 - l),
    )
    r, s = sympy.symbols("r s")
    argument.inequality(
        "the maximum over x",
        "r is such a ratio and s = 1/r the one for the other x: their maximum is the one that is "
        "at least 1, e^|log r|",
        Or(And(r >= 1, r >= s), And(s >= 1, s >= r)),
        [r > 0, Eq(r * s, 1)],
    )
    argument.cite(
        "the larger influence",
        "Inf is the maximum over the two values of X_t",
        "massny2025.prop1-order",
    )
