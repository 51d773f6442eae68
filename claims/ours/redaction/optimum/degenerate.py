"""What survives of designs at the borders: values or order of records exchanged, level 0,
eigenvalue 0, q_t = 0.

Letters: f, g are probabilities of paths in two chains, k, j those of one more step or of one
redaction. Source of the setting: massny2025, whose statements assume a <= b, eps > 0 and 0 < q_t.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, F, G, K, N, R = sympy.symbols("E F G K N R")
a, b, f, g, j, k, l, m, n, p, q, r, s, t, u, v, w, x, y = sympy.symbols(
    "a b f g j k l m n p q r s t u v w x y"
)
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
)
def exchanged(check: Check) -> None:
    """Prove that paths and redactions keep their probabilities."""
    with check.reading(VALUES, "all a, b in (0, 1), every n, p and local mechanism") as argument:
        _values(argument)
        _same(argument)
    check.near_miss(f"{VALUES}: a and b left as they are", partial(_values, kept=True))
    with check.reading(ORDER, "all a, b in (0, 1), every n, p and local mechanism") as argument:
        argument.cite(
            "paths",
            "of the stationary chain have the same probability backwards",
            "massny2025.reversible",
        )
        argument.cite(
            "indices",
            "t -> n+1-t maps 1 .. n to itself, p > (n+1)/2 to p <= (n+1)/2",
            "massny2025.wlog-p-repaired",
        )
        _same(argument)
    check.near_miss(f"{ORDER}: redactions left as they are", partial(_same, kept=True))


def _values(argument: Argument, kept: bool = False) -> None:
    """(c, d) is (b, a), the chain of the exchanged values; `stay` and `leave` of value 0 there
    are those of 1 here.
    """
    c, d = sympy.symbols("c d")
    other = [Eq(c, a), Eq(d, b)] if kept else [Eq(c, b), Eq(d, a)]
    argument.inequality(
        "the first record",
        "P(X_1 = 0) = d/(c+d) there is P(X_1 = 1) = a/(a+b) here",
        Eq(d * (a + b), a * (c + d)),
        [*other, a > 0, b > 0],
    )
    argument.induction(
        "one more step",
        "k from value 0 to 0 or 1, 1 to 0 or 1 there, j from 1 to 1 or 0, 0 to 1 or 0 here: paths "
        "f and g stay equal",
        base=(Eq(f, g), [Eq(f * (c + d), d), Eq(g * (a + b), a), *other, a > 0, b > 0]),
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
                a > 0,
                b > 0,
            ],
        ),
    )


def _same(argument: Argument, kept: bool = False) -> None:
    argument.induction(
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
                *([] if kept else [Eq(r, s)]),
            ],
        ),
    )
    argument.cite(
        "sums over paths",
        "likelihoods of outputs, and of released records, are equal",
        "lemma.finite-sums",
    )
    argument.inequality(
        "leakage",
        "is a maximum over both values of X_p and all outputs: the likelihoods f, g of an output "
        "keep a level iff u = g, v = f do",
        sympy.Equivalent(And(f <= E * g, g <= E * f), And(u <= E * v, v <= E * u)),
        [Eq(f, v), Eq(g, u), f >= 0, g >= 0, E >= 1],
    )


@claim(
    "redaction.level-zero",
    where="Borders of the setting",
    statement="a and b in (0, 1) in any order. eps = 0 and lam != 0: no eps-private local "
    "redaction mechanism releases anything. lam = 0: every local redaction mechanism that "
    "redacts X_p leaks nothing, so that all n-1 other records can be released at every eps >= "
    "0.",
)
def level_zero(check: Check) -> None:
    """Prove it by pointwise influences, and by independence."""
    none, free = "eps = 0, lam != 0", "lam = 0"
    with check.reading(none, "all a, b in (0, 1) with a + b != 1, every n and p") as argument:
        argument.cite("a released value", "of record t: Lk >= i(X_p~>X_t = x)", "massny2025.lemma1")
        argument.cite("X_p", "is always redacted", "massny2025.self-redaction")
        argument.cite(
            "for a <= b",
            "both influences are positive at every distance; for a > b exchange the values",
            "massny2025.prop1-decreasing-repaired",
        )
        argument.cite("a > b", "the same mechanisms", "redaction.exchanged")
        _positive(argument)
    check.near_miss(f"{none}: influences that may be 0", partial(_positive, zero=True))
    with check.reading(free, "all a + b = 1, every n, p and eps >= 0") as argument:
        _independent(argument)
    check.near_miss(f"{free}: a + b != 1", partial(_independent, other=True))


def _positive(argument: Argument, zero: bool = False) -> None:
    argument.inequality(
        "too much", "R = e^Lk >= e^i > 1 = e^eps", R > 1, [R >= E, E >= 1 if zero else E > 1]
    )


def _independent(argument: Argument, other: bool = False) -> None:
    argument.inequality(
        "one step forgets",
        "the likelihoods f, g of what later records show given X_t = 0 and 1: u = (1-a) f + a g "
        "and v = b f + (1-b) g given the record before are equal; so are those given X_p, on both "
        "sides",
        Eq(u, v),
        [
            Eq(u, (1 - a) * f + a * g),
            Eq(v, b * f + (1 - b) * g),
            a > 0,
            b > 0,
            f >= 0,
            g >= 0,
            *([a + b < 1] if other else [Eq(a + b, 1)]),
        ],
    )
    argument.inequality(
        "nothing is leaked",
        "the product of both sides is the same for both values of X_p",
        Eq(f * g, u * v),
        [Eq(f, u), Eq(g, v)],
    )


@claim(
    "redaction.q-zero",
    where="Borders of the setting",
    statement="Admitting q_t = 0 in the 3R family, a <= b, budgets > 0, changes nothing, for every "
    "lam: no q with q_t = 0 for a record of M is feasible.",
    kind="lemma",
)
def q_zero(check: Check) -> None:
    """Prove it for both signs of the eigenvalue."""
    positive, negative = "lam > 0", "lam <= 0"
    with check.reading(
        positive, "all a <= b with a + b < 1, every n, p and budget > 0"
    ) as argument:
        argument.cite("q_t > 0", "for every q that keeps the budget", "redaction.one-constraint")
        _shown(argument)
    check.near_miss(f"{positive}: a record of S", partial(_shown, small=True))
    with check.reading(
        negative, "all a <= b with a + b >= 1, every n, p and budget > 0"
    ) as argument:
        argument.cite(
            "M",
            "has at most one record on a side, all nearer ones are redacted; for lam = 0 none",
            "massny2025.x-medium-one",
        )
        argument.cite(
            "value 1", "of that record has the influence i1 > the budget", "massny2025.prop1-closed"
        )
        _shown(argument)
    check.near_miss(f"{negative}: a record of S", partial(_shown, small=True))


def _shown(argument: Argument, small: bool = False) -> None:
    argument.inequality(
        "redacted means 1",
        "q_t = 0: * shows X_t = 1, of probabilities x and y given X_p, y/x = e^i1 > E; f of what "
        "lies beyond is a factor",
        y * f > E * x * f,
        [y >= x if small else y > E * x, x > 0, f > 0, E > 1],
    )
