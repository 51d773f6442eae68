"""The influence of one record on another as a function of their distance: powers of the chain and
closed forms.

e^i_c(D) is the larger of (1 + c lam^D)/(1 - lam^D) and its inverse; influences are compared as such
ratios. Source: massny2025, proposition 1, (13)-(17).
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.registry import Check, claim


@claim(
    "massny2025.x-powers",
    where="Appendix F, used silently",
    statement="For 0 < a, b < 1, lam^D, D >= 1, satisfies |lam^D| <= |lam| < 1, lam^D >= 0 if lam "
    ">= 0, and all entries of P^D are positive.",
    kind="lemma",
    says=statements.POWERS,
)
def powers(check: Check) -> None:
    """Prove what later steps use of powers of the eigenvalue.

    Size and sign of l: l = lam for D = 1; the next power is lam l. Smaller than 1: 1 - l, which
    closed forms divide by. Positive entries: (a + b) times the entries of P^D: a (1 - l), b (1 -
    l), b + a l and a + b l.
    """


@claim(
    "massny2025.prop1-power",
    where="Appendix F, equations (15) and (16)",
    statement="P^D = [[1-a_D, a_D],[b_D, 1-b_D]] with a_D = (a/(a+b))(1-lam^D), b_D = "
    "(b/(a+b))(1-lam^D); a_D/b_D = a/b; 1-a_D-b_D = lam^D.",
    kind="closed form",
    says={PRINTED: statements.POWER},
)
def prop1_power(check: Check) -> None:
    """Prove the power by induction on D.

    The entries of P^D: A and B are the entries (0, 1) and (1, 0) of P^D, its rows sum to 1, l =
    lam^D. The entries of P^D P are (1 - A) a + A (1 - b) and B (1 - a) + (1 - B) b, and lam^(D+1) =
    lam l. L < 1: so a_D and b_D are positive [massny2025.x-powers]. (15) and (16): a_D b = b_D a
    with b_D > 0, and 1 - a_D - b_D = l.
    """


@claim(
    "massny2025.prop1-order",
    where="Appendix F",
    statement="a <= b implies i(X_p~>X_t=0) <= i(X_p~>X_t=1), for every t other than p.",
    kind="lemma",
    says={PRINTED: statements.ORDER},
)
def prop1_order(check: Check) -> None:
    """Prove the order of the two influences; it is an equality exactly if a = b or lam = 0.

    Entries: the entries of P^D [massny2025.prop1-power]. Signs: are positive [massny2025.x-powers].
    L >= 0: P(X_t=c|X_p=c) / P(X_t=c|X_p=1-c) is (b + a l)/(b (1 - l)) for c = 0 and (a + b l)/(a (1
    - l)) for c = 1: both at least 1, so influences are their logarithms, and they compare as (b + a
    l) a and (a + b l) b. L <= 0: Both ratios are at most 1, influences are the logarithms of their
    inverses, and these compare the other way. Signs of l: positive, negative or zero.

    An engine proves its formula [lemma.prop1-order].
    """


@claim(
    "massny2025.prop1-closed",
    where="Proposition 1, equations (13), (14), (17)",
    statement="For D = |p-t| > 0, i_c(D) = |log((1 + c lam^D)/(1 - lam^D))|: i(X_p~>X_t=0) = "
    "i_{a/b}(D), i(X_p~>X_t=1) = Inf(X_p~>X_t) = i_{b/a}(D), the same left and right of p.",
    kind="closed form",
    says={PRINTED: statements.CLOSED},
)
def prop1_closed(check: Check) -> None:
    """Prove the closed forms for every sign of the eigenvalue.

    P(X_t = . | X_p = .) is P^D for t = p + D [massny2025.prop1-power], and for t = p - D, since the
    chain is reversible [massny2025.reversible]; all entries and 1 - l are positive
    [massny2025.x-powers]. Value 0 has (1 - a_D)/b_D, value 1 has (1 - b_D)/a_D
    [lemma.prop1-closed]; for the other x the ratio is the inverse, and the maximum is e^|log
    ratio|. The larger influence is that of 1 [massny2025.prop1-order].
    """
