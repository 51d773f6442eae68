"""What survives of designs at the borders: values or order of records exchanged, level 0,
eigenvalue 0, q_t = 0.

Source of the setting: massny2025, whose statements assume a <= b, eps > 0 and 0 < q_t.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.leakages import (
    EXCHANGED_ORDER,
    EXCHANGED_VALUES,
    FREE,
    LEVEL_ZERO,
)
from pufferproof.claims.ours.redaction.statements.sides import (
    ZERO_NEGATIVE,
    ZERO_POSITIVE,
)
from pufferproof.claims.registry import Check, claim

VALUES, ORDER = "values exchanged", "order of the records exchanged"
NOTATION = {
    **SETTING,
    **FAMILY,
    "x": "a value of a bit, and 1-x the other one",
}


@claim(
    "redaction.exchanged",
    where="Borders of the setting",
    statement="a and b in (0, 1) in any order: x -> 1-x with (a, b) -> (b, a), r_t(x) -> r_t(1-x), "
    "and t -> n+1-t with p -> n+1-p, r_t -> r_(n+1-t), map local redaction mechanisms on "
    "stationary chains one to one to such mechanisms, with the same leakage and utility. So "
    "what holds for a <= b, p <= (n+1)/2 holds for a > b with the values exchanged: r_t = (1, "
    "q_t) in M, i1 in place of i0; and for p > (n+1)/2 with the sides exchanged.",
    says={
        "values exchanged": EXCHANGED_VALUES,
        "order of the records exchanged": EXCHANGED_ORDER,
    },
)
def exchanged(check: Check) -> None:
    """Prove that paths and redactions keep their probabilities.

    Values exchanged. The first record: P(X_1 = 0) = d/(c+d) there is P(X_1 = 1) = a/(a+b) here. One
    more step: k from value 0 to 0 or 1, 1 to 0 or 1 there, j from 1 to 1 or 0, 0 to 1 or 0 here:
    paths f and g stay equal. Redactions: f, g are probabilities of a path with some symbols, k, j
    that of the symbol of one more record: 1 - r or r of the same pair. Sums over paths: likelihoods
    of outputs, and of released records, are equal [lemma.finite-sums]. Leakage: is a maximum over
    both values of X_p and all outputs: the likelihoods out0, out1 of an output keep a level iff ex0
    = out1, ex1 = out0 do.

    Order of the records exchanged. Paths: of the stationary chain have the same probability
    backwards [massny2025.reversible]. Indices: t -> n+1-t maps 1 .. n to itself, p > (n+1)/2 to p
    <= (n+1)/2 [massny2025.wlog-p-repaired]. Redactions: f, g are probabilities of a path with some
    symbols, k, j that of the symbol of one more record: 1 - r or r of the same pair. Sums over
    paths: likelihoods of outputs, and of released records, are equal [lemma.finite-sums]. Leakage:
    is a maximum over both values of X_p and all outputs: the likelihoods out0, out1 of an output
    keep a level iff ex0 = out1, ex1 = out0 do.
    """
    check.tried(VALUES)
    check.tried(ORDER)


@claim(
    "redaction.level-zero",
    where="Borders of the setting",
    statement="a and b in (0, 1) in any order. eps = 0 and lam != 0: no eps-private local "
    "redaction mechanism releases anything. lam = 0: every local redaction mechanism that "
    "redacts X_p leaks nothing, so that all n-1 other records can be released at every eps >= "
    "0.",
    says={
        "eps = 0, lam != 0": LEVEL_ZERO,
        "lam = 0": FREE,
    },
)
def level_zero(check: Check) -> None:
    """Prove it by pointwise influences, and by independence.

    Eps = 0, lam != 0. A released value: of record t: Lk >= i(X_p~>X_t = x) [massny2025.lemma1].
    X_p: is always redacted [massny2025.self-redaction]. For a <= b: both influences are positive at
    every distance; for a > b exchange the values [massny2025.prop1-decreasing-repaired]. A > b: the
    same mechanisms [redaction.exchanged]. Too much: R = e^Lk >= e^i > 1 = e^eps.

    Lam = 0. One step forgets: the likelihoods late0, late1 of what later records show given X_t = 0
    and 1: early0 = (1-a) late0 + a late1 and early1 = b late0 + (1-b) late1 given the record before
    are equal; so are those given X_p, on both sides. Nothing is leaked: the product of both sides
    is the same for both values of X_p.
    """
    none, free = "eps = 0, lam != 0", "lam = 0"
    check.tried(none)
    check.tried(free)


@claim(
    "redaction.q-zero",
    where="Borders of the setting",
    statement="Admitting q_t = 0 in the 3R family, a <= b, budgets > 0, changes nothing, for every "
    "lam: no q with q_t = 0 for a record of M is feasible.",
    kind="lemma",
    says={
        "lam > 0": ZERO_POSITIVE,
        "lam <= 0": ZERO_NEGATIVE,
    },
)
def q_zero(check: Check) -> None:
    """Prove it for both signs of the eigenvalue.

    Lam > 0. Q_t > 0: for every q that keeps the budget [redaction.one-constraint]. Redacted means
    1: q_t = 0: * shows X_t = 1, of probabilities x and y given X_p, y/x = e^i1 > E; behind of what
    lies beyond is a factor.

    Lam <= 0. M: has at most one record on a side, all nearer ones are redacted; for lam = 0 none
    [massny2025.x-medium-one]. Value 1: of that record has the influence i1 > the budget
    [massny2025.prop1-closed]. Redacted means 1: q_t = 0: * shows X_t = 1, of probabilities x and y
    given X_p, y/x = e^i1 > E; behind of what lies beyond is a factor.
    """
    positive, negative = "lam > 0", "lam <= 0"
    check.tried(positive)
    check.tried(negative)
