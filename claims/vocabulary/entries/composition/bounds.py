"""Cones of columns, and what bounds a pair of columns: Bounds.v.

A set of pairs of laws is a list of them at an instance.
"""

from collections.abc import Iterator, Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, LAW_OF, SET, Law, Secret, inside, weight
from pufferproof.claims.vocabulary.terms import entry

Pairs = Sequence[tuple[Law, Law]]
LAWS = f"({LAW_OF}) -> ({LAW_OF}) -> Prop"


def inner(mu: Law, u: Sequence[Fraction]) -> Fraction:
    """Return <mu, u>."""
    return sum((a * b for a, b in zip(mu, u)), ZERO)


def _laws(pairs: Sequence[tuple[Secret, Secret]], priors: Sequence[Law]) -> list[tuple[list[Fraction], list[Fraction]]]:
    return [(_given(p, s), _given(p, t)) for p in priors for s, t in pairs if weight(p, s) > 0 and weight(p, t) > 0]


def _given(p: Law, s: Secret) -> list[Fraction]:
    total = weight(p, s)
    return [inside(p, s, x) / total for x in range(len(p))]


def _in_cone(ratio: Fraction, T: Pairs, u: Sequence[Fraction]) -> Iterator[tuple[Fraction, Fraction]]:
    for each in u:
        yield ZERO, each
    for mu, nu in T:
        yield inner(mu, u), ratio * inner(nu, u)


LAWS_GIVEN = entry(
    "laws given secrets",
    takes=(f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"),
    gives=LAWS,
    words="T([0], [1])",
    tex="T([0], [1])",
    coq="Bounds.laws_of [0] [1]",
    value=_laws,
    meaning="T(Q, Theta) is the set of all (mu, nu) with mu = p(. | s) and nu = p(. | t), for p in "
    "Theta and (s, t) in Q with P_p(s) > 0 and P_p(t) > 0.",
)
IN_CONE = entry(
    "in the cone",
    takes=("R", LAWS, LAW_OF),
    words="[2] lies in the cone of [0] and [1]",
    tex=r"[2] \in C_{[0]}([1])",
    coq="Bounds.in_cone [0] [1] [2]",
    value=_in_cone,
    relation="<=",
    meaning="The cone of R and T is the set of all u >= 0 with sum_x mu_x u_x <= R sum_x nu_x u_x "
    "for every (mu, nu) in T.",
)
COLUMN_OF = entry(
    "column of",
    takes=(CHANNEL, "'W"),
    gives=LAW_OF,
    words="column [1] of [0]",
    tex=r"[0](\cdot)_{[1]}",
    coq="(fun x_ => [0] x_ [1])",
    value=lambda M, w: [row[w] for row in M],
    precedence=0,
)
SAME = entry(
    "identity matrix",
    takes=("'D", "'D"),
    gives="R",
    words="1_([0] = [1])",
    tex=r"\mathbf{1}_{[0] = [1]}",
    coq="Spectrum.point [0] [1]",
    value=lambda x, y: Fraction(int(x == y)),
    meaning="1_(x = y) is 1 if x = y, and 0 otherwise.",
)
