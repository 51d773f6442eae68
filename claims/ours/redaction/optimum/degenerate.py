"""What survives of designs at the borders: values or order of records exchanged, level 0,
eigenvalue 0, q_t = 0.

Source of the setting: massny2025, whose statements assume a <= b, eps > 0 and 0 < q_t.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
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

a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)", above(0))
c, d = letters("c d", "the same for the chain of the exchanged values")
f, g = letters(
    "f g", "probabilities of a path with some symbols in the other chain, and in this one"
)
k, j = letters("k j", "those of one more step, or of one more symbol, there and here")
r, s = letters("r s", "probabilities of redaction there and here")
E = letter("E", "e to a level", at_least(1))
out0, out1 = letters("out0 out1", "likelihoods of an output here", at_least(0))
ex0, ex1 = letters("ex0 ex1", "likelihoods of the output there")
R = letter("R", "e^Lk")
influence = letter("influence", "e^i of a released value", above(1))
late0, late1 = letters(
    "late0 late1", "likelihoods of what later records show given X_t = 0 and 1", at_least(0)
)
early0, early1 = letters("early0 early1", "the same given the record before")
left0, right0 = letters("left0 right0", "likelihoods of outputs of the sides given X_p = 0")
left1, right1 = letters("left1 right1", "likelihoods of outputs of the sides given X_p = 1")
x = letter("x", "P(X_t = 1 | X_p = 0)", above(0))
y = letter("y", "P(X_t = 1 | X_p = 1)")
behind = letter("behind", "the likelihood of what lies beyond", above(0))
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
    """Prove that paths and redactions keep their probabilities."""
    proved(
        check,
        VALUES,
        "all a, b in (0, 1), every n, p and local mechanism",
        _exchanged_values,
        a_and_b_left_as_they_are=[
            Edit("the first record", without=[Eq(c, b), Eq(d, a)], given=[Eq(c, a), Eq(d, b)]),
            Edit("one more step", without=[Eq(c, b), Eq(d, a)], given=[Eq(c, a), Eq(d, b)]),
        ],
    )
    proved(
        check,
        ORDER,
        "all a, b in (0, 1), every n, p and local mechanism",
        _exchanged_order,
        redactions_left_as_they_are=Edit("redactions: step", without=Eq(r, s)),
    )


def _exchanged_values(proof: Proof) -> None:
    _values(proof)
    _same(proof)


def _exchanged_order(proof: Proof) -> None:
    proof.cite(
        "paths",
        "of the stationary chain have the same probability backwards",
        "massny2025.reversible",
    )
    proof.cite(
        "indices",
        "t -> n+1-t maps 1 .. n to itself, p > (n+1)/2 to p <= (n+1)/2",
        "massny2025.wlog-p-repaired",
    )
    _same(proof)


def _values(proof: Proof) -> None:
    """(c, d) is (b, a), the chain of the exchanged values; `stay` and `leave` of value 0 there
    are those of 1 here.
    """
    other = [Eq(c, b), Eq(d, a)]
    proof.inequality(
        "the first record",
        "P(X_1 = 0) = d/(c+d) there is P(X_1 = 1) = a/(a+b) here",
        Eq(d * (a + b), a * (c + d)),
        [*other],
    )
    proof.induction(
        "one more step",
        "k from value 0 to 0 or 1, 1 to 0 or 1 there, j from 1 to 1 or 0, 0 to 1 or 0 here: paths "
        "f and g stay equal",
        base=(Eq(f, g), [Eq(f * (c + d), d), Eq(g * (a + b), a), *other]),
        step=(
            Eq(f * k, g * j),
            [
                Eq(f, g),
                *other,
                Or(
                    And(Eq(k, 1 - c), Eq(j, 1 - b)),
                    And(Eq(k, c), Eq(j, b)),
                    And(Eq(k, d), Eq(j, a)),
                    And(Eq(k, 1 - d), Eq(j, 1 - a)),
                ),
            ],
        ),
    )


def _same(proof: Proof) -> None:
    proof.induction(
        "redactions",
        "f, g are probabilities of a path with some symbols, k, j that of the symbol of one more "
        "record: 1 - r or r of the same pair",
        base=(Eq(f, g), [Eq(f, g), f > 0]),
        step=(
            Eq(f * k, g * j),
            [
                Eq(f, g),
                f > 0,
                Or(And(Eq(k, r), Eq(j, s)), And(Eq(k, 1 - r), Eq(j, 1 - s))),
                Eq(r, s),
            ],
        ),
    )
    proof.cite(
        "sums over paths",
        "likelihoods of outputs, and of released records, are equal",
        "lemma.finite-sums",
    )
    proof.inequality(
        "leakage",
        "is a maximum over both values of X_p and all outputs: the likelihoods out0, out1 of an "
        "output keep a level iff ex0 = out1, ex1 = out0 do",
        sympy.Equivalent(
            And(out0 <= E * out1, out1 <= E * out0), And(ex0 <= E * ex1, ex1 <= E * ex0)
        ),
        [Eq(out0, ex1), Eq(out1, ex0)],
    )


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
    """Prove it by pointwise influences, and by independence."""
    none, free = "eps = 0, lam != 0", "lam = 0"
    proved(
        check,
        none,
        "all a, b in (0, 1) with a + b != 1, every n and p",
        _nothing,
        influences_that_may_be_0=Edit("too much", without=influence > 1, given=influence >= 1),
    )
    proved(
        check,
        free,
        "all a + b = 1, every n, p and eps >= 0",
        _independent,
        **{"a + b != 1": Edit("one step forgets", without=Eq(a + b, 1), given=a + b < 1)},
    )


def _nothing(proof: Proof) -> None:
    proof.cite("a released value", "of record t: Lk >= i(X_p~>X_t = x)", "massny2025.lemma1")
    proof.cite("X_p", "is always redacted", "massny2025.self-redaction")
    proof.cite(
        "for a <= b",
        "both influences are positive at every distance; for a > b exchange the values",
        "massny2025.prop1-decreasing-repaired",
    )
    proof.cite("a > b", "the same mechanisms", "redaction.exchanged")
    _positive(proof)


def _positive(proof: Proof) -> None:
    proof.inequality("too much", "R = e^Lk >= e^i > 1 = e^eps", R > 1, [R >= influence])


def _independent(proof: Proof) -> None:
    proof.inequality(
        "one step forgets",
        "the likelihoods late0, late1 of what later records show given X_t = 0 and 1: early0 = "
        "(1-a) late0 + a late1 and early1 = b late0 + (1-b) late1 given the record before are "
        "equal; so are those given X_p, on both sides",
        Eq(early0, early1),
        [
            Eq(early0, (1 - a) * late0 + a * late1),
            Eq(early1, b * late0 + (1 - b) * late1),
            Eq(a + b, 1),
        ],
    )
    proof.inequality(
        "nothing is leaked",
        "the product of both sides is the same for both values of X_p",
        Eq(left0 * right0, left1 * right1),
        [Eq(left0, left1), Eq(right0, right1)],
    )


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
    """Prove it for both signs of the eigenvalue."""
    positive, negative = "lam > 0", "lam <= 0"
    proved(
        check,
        positive,
        "all a <= b with a + b < 1, every n, p and budget > 0",
        _lam_above_0,
        a_record_of_S=Edit("redacted means 1", without=y > E * x, given=y >= x),
    )
    proved(
        check,
        negative,
        "all a <= b with a + b >= 1, every n, p and budget > 0",
        _lam_at_most_0,
        a_record_of_S=Edit("redacted means 1", without=y > E * x, given=y >= x),
    )


def _lam_above_0(proof: Proof) -> None:
    proof.cite("q_t > 0", "for every q that keeps the budget", "redaction.one-constraint")
    _shown(proof)


def _lam_at_most_0(proof: Proof) -> None:
    proof.cite(
        "M",
        "has at most one record on a side, all nearer ones are redacted; for lam = 0 none",
        "massny2025.x-medium-one",
    )
    proof.cite(
        "value 1", "of that record has the influence i1 > the budget", "massny2025.prop1-closed"
    )
    _shown(proof)


def _shown(proof: Proof) -> None:
    proof.inequality(
        "redacted means 1",
        "q_t = 0: * shows X_t = 1, of probabilities x and y given X_p, y/x = e^i1 > E; behind of "
        "what lies beyond is a factor",
        y * behind > E * x * behind,
        [y > E * x, E > 1],
    )
