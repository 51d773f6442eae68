"""The influence of one record on another as a function of their distance: powers of the chain and
closed forms.

e^i_c(D) is the larger of (1 + c lam^D)/(1 - lam^D) and its inverse; influences are compared as such
ratios. Source: massny2025, proposition 1, (13)-(17).
"""

from sympy import And, Eq, Implies, Or

from pufferproof.claims.language import PRINTED, Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.papers.massny2025.influence.instances import chains, pointwise
from pufferproof.claims.registry import Check, claim

a = letter("a", NOTATION["a"], above(0))
b = letter("b", NOTATION["b"], below(1))
l = letter("l", "lam^D")
A, B = letters("A B", "the entries (0, 1) and (1, 0) of P^D")
ratio, inverse = letters("ratio inverse", "a ratio of probabilities of X_t, for x and for 1 - x")
LAM = 1 - a - b
ANY = [a < 1, b > 0]
POWER = [l**2 <= LAM**2, Implies(LAM >= 0, l >= 0)]
"""What holds of every power l = lam^D, D >= 1: see `massny2025.x-powers`."""
ALL = "all 0 < a <= b < 1, all distances, every n and p"


@claim(
    "massny2025.x-powers",
    where="Appendix F, used silently",
    statement="For 0 < a, b < 1, lam^D, D >= 1, satisfies |lam^D| <= |lam| < 1, lam^D >= 0 if lam "
    ">= 0, and all entries of P^D are positive.",
    kind="lemma",
    says=statements.POWERS,
)
def powers(check: Check) -> None:
    """Prove what later steps use of powers of the eigenvalue."""
    above_b = Edit("positive entries", put={a + b * l > 0: a + b * l > b})
    scope = "all a, b in (0, 1), all D >= 1"
    proved(check, "as stated", scope, _powers, the_last_entry_above_b=above_b)


def _powers(proof: Proof) -> None:
    proof.induction(
        "size and sign of l",
        "l = lam for D = 1; the next power is lam l",
        base=(And(*POWER), [Eq(l, LAM), *ANY]),
        step=(And((LAM * l) ** 2 <= LAM**2, Implies(LAM >= 0, LAM * l >= 0)), [*POWER, *ANY]),
    )
    proof.inequality(
        "smaller than 1", "1 - l, which closed forms divide by", And(l < 1, l > -1), [*POWER, *ANY]
    )
    proof.inequality(
        "positive entries",
        "(a + b) times the entries of P^D: a (1 - l), b (1 - l), b + a l and a + b l",
        And(a * (1 - l) > 0, b * (1 - l) > 0, b + a * l > 0, a + b * l > 0),
        [*POWER, *ANY],
    )


@claim(
    "massny2025.prop1-power",
    where="Appendix F, equations (15) and (16)",
    statement="P^D = [[1-a_D, a_D],[b_D, 1-b_D]] with a_D = (a/(a+b))(1-lam^D), b_D = "
    "(b/(a+b))(1-lam^D); a_D/b_D = a/b; 1-a_D-b_D = lam^D.",
    kind="closed form",
    says=statements.POWER,
)
def prop1_power(check: Check) -> None:
    """Prove the power by induction on D."""
    wrong = [
        Edit("the entries of P^D: base", without=Eq(l, LAM), given=Eq(l, 1 - a)),
        Edit("the entries of P^D: step", put={LAM: 1 - a}),
    ]
    scope = "all a, b in (0, 1), all D >= 1"
    proved(check, PRINTED, scope, _power, **{"lam = 1 - a": wrong})


def _power(proof: Proof) -> None:
    rows = And(Eq((a + b) * A, a * (1 - l)), Eq((a + b) * B, b * (1 - l)))
    first, second = (1 - A) * a + A * (1 - b), B * (1 - a) + (1 - B) * b
    proof.induction(
        "the entries of P^D",
        "A and B are the entries (0, 1) and (1, 0) of P^D, its rows sum to 1, l = lam^D. The "
        "entries of P^D P are (1 - A) a + A (1 - b) and B (1 - a) + (1 - B) b, and lam^(D+1) = lam "
        "l",
        base=(rows, [Eq(A, a), Eq(B, b), Eq(l, LAM), *ANY]),
        step=(
            And(
                Eq((a + b) * first, a * (1 - LAM * l)),
                Eq((a + b) * second, b * (1 - LAM * l)),
            ),
            [rows, *ANY],
        ),
    )
    proof.cite("l < 1", "so a_D and b_D are positive", "massny2025.x-powers")
    proof.inequality(
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
    says=statements.ORDER,
)
def prop1_order(check: Check) -> None:
    """Prove the order of the two influences; it is an equality exactly if a = b or lam = 0."""
    strictly = [
        Edit("l >= 0", put={ZERO <= ONE: ZERO < ONE}),
        Edit("l <= 0", put={ONE <= ZERO: ONE < ZERO}),
    ]
    proved(
        check, PRINTED, ALL, prove_order, strictly=strictly, **{"without a <= b": _without_order}
    )


def _without_order(proof: Proof) -> None:
    proof.exhaust(
        "a > b",
        "from powers of the matrix",
        chains(4, ordered=False),
        lambda of: pointwise(of, 1, 0) <= pointwise(of, 1, 1),
    )


ZERO, ONE = (b + a * l) * a, (a + b * l) * b
"""The ratios (b + a l)/(b (1 - l)), (a + b l)/(a (1 - l)) of the values 0, 1 by a b (1 - l)."""


def prove_order(proof: Proof) -> None:
    """i0 <= i1 in the two cases l >= 0 and l <= 0, as products of the entries of P^D."""
    proof.cite("entries", "the entries of P^D", "massny2025.prop1-power")
    proof.cite("signs", "are positive", "massny2025.x-powers")
    proof.inequality(
        "l >= 0",
        "P(X_t=c|X_p=c) / P(X_t=c|X_p=1-c) is (b + a l)/(b (1 - l)) for c = 0 and (a + b l)/(a (1 "
        "- l)) for c = 1: both at least 1, so influences are their logarithms, and they compare as "
        "(b + a l) a and (a + b l) b",
        And(
            b + a * l >= b * (1 - l),
            a + b * l >= a * (1 - l),
            ZERO <= ONE,
        ),
        [a <= b, l >= 0, l < 1],
    )
    proof.inequality(
        "l <= 0",
        "Both ratios are at most 1, influences are the logarithms of their inverses, and these "
        "compare the other way",
        And(
            b + a * l <= b * (1 - l),
            a + b * l <= a * (1 - l),
            ONE <= ZERO,
        ),
        [a <= b, l <= 0, l > -1],
    )
    proof.case_split("signs of l", "positive, negative or zero", [l >= 0, l <= 0], [a <= b])


@claim(
    "massny2025.prop1-closed",
    where="Proposition 1, equations (13), (14), (17)",
    statement="For D = |p-t| > 0, i_c(D) = |log((1 + c lam^D)/(1 - lam^D))|: i(X_p~>X_t=0) = "
    "i_{a/b}(D), i(X_p~>X_t=1) = Inf(X_p~>X_t) = i_{b/a}(D), the same left and right of p.",
    kind="closed form",
    says=statements.CLOSED,
)
def prop1_closed(check: Check) -> None:
    """Prove the closed forms for every sign of the eigenvalue."""
    other = Edit("value 0", put={(1 + a / b * l) / (1 - l): (1 + b / a * l) / (1 - l)})
    near_misses = {"c = b/a for the value 0": other}
    proved(check, PRINTED, ALL, _closed, **near_misses, **{"a > b": _larger_influence})


def _larger_influence(proof: Proof) -> None:
    proof.exhaust(
        "the max-influence is that of the value 1",
        "from powers of the matrix",
        chains(4, ordered=False),
        lambda of: max(pointwise(of, 1, 0), pointwise(of, 1, 1)) == pointwise(of, 1, 1),
    )


def _closed(proof: Proof) -> None:
    proof.cite("entries", "P(X_t = . | X_p = .) is P^D for t = p + D", "massny2025.prop1-power")
    proof.cite(
        "left of p", "and for t = p - D, since the chain is reversible", "massny2025.reversible"
    )
    proof.cite(
        "signs",
        "all entries and 1 - l are positive: no quotient is undefined",
        "massny2025.x-powers",
    )
    entry_a, entry_b = a * (1 - l) / (a + b), b * (1 - l) / (a + b)
    proof.identity(
        "value 0",
        "P(X_t=0|X_p=0) / P(X_t=0|X_p=1) = (1 - a_D)/b_D",
        (1 - entry_a) / entry_b,
        (1 + a / b * l) / (1 - l),
    )
    proof.identity(
        "value 1",
        "P(X_t=1|X_p=1) / P(X_t=1|X_p=0) = (1 - b_D)/a_D",
        (1 - entry_b) / entry_a,
        (1 + b / a * l) / (1 - l),
    )
    proof.inequality(
        "the maximum over x",
        "the ratio for the other x is the inverse: their maximum is the one that is at least 1, "
        "e^|log ratio|",
        Or(And(ratio >= 1, ratio >= inverse), And(inverse >= 1, inverse >= ratio)),
        [ratio > 0, Eq(ratio * inverse, 1)],
    )
    proof.cite(
        "the larger influence",
        "Inf is the maximum over the two values of X_t",
        "massny2025.prop1-order",
    )
