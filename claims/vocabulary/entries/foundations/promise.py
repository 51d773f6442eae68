"""The promise and what keeps it: Pufferfish.v and Laws.v."""

from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, pairs_of
from pufferproof.claims.vocabulary.terms import entry

Rows = Sequence[Sequence[Fraction]]
Law = Sequence[Fraction]
Secret = frozenset[int]
LAW_OF, CHANNEL, SET = "'D -> R", "'D -> 'W -> R", "Pufferfish.secret 'D"


def inside(p: Law, s: Secret, x: int) -> Fraction:
    """Return the weight of a database as far as it is in a secret."""
    return p[x] if x in s else ZERO


def weight(p: Law, s: Secret) -> Fraction:
    """Return P(s)."""
    return sum((p[x] for x in s), ZERO)


def joint(p: Law, M: Any, s: Secret, w: Any) -> Fraction:
    """Return P(s, M = w)."""
    return sum((p[x] * M[x][w] for x in s), ZERO)


def _law(p: Law) -> Iterator[bool]:
    yield min(p) >= 0
    yield sum(p) == 1


def _keeps(ratio: Fraction, M: Rows, pairs: Any, priors: Any) -> Iterator[tuple[object, object]]:
    for p in priors:
        for s, t in pairs:
            if (ps := weight(p, s)) > 0 and (pt := weight(p, t)) > 0:
                for w in range(len(M[0])):
                    yield joint(p, M, s, w) * pt, ratio * ps * joint(p, M, t, w)


def _keeps_at(ratio: Fraction, p: Law, M: object, s: Secret, t: Secret, w: object) -> Iterator[tuple[object, object]]:
    yield joint(p, M, s, w) * weight(p, t), ratio * weight(p, s) * joint(p, M, t, w)


def _processed(M: Rows, K: Rows) -> list[list[Fraction]]:
    columns = [*zip(*K)]
    return [[sum((a * b for a, b in zip(row, c)), ZERO) for c in columns] for row in M]


def _hidden(c: Law, Ms: Sequence[Rows]) -> list[list[Fraction]]:
    sizes = range(len(Ms[0])), range(len(Ms[0][0]))
    return [[sum((a * M[x][w] for a, M in zip(c, Ms)), ZERO) for w in sizes[1]] for x in sizes[0]]


def _published(c: Law, Ms: Sequence[Rows]) -> list[list[Fraction]]:
    return [[a * each for a, M in zip(c, Ms) for each in M[x]] for x in range(len(Ms[0]))]


INSIDE = entry(
    "weight inside",
    takes=(LAW_OF, SET, "'D"),
    gives="R",
    words="[0]([2], [1])",
    tex="[0]([2], [1])",
    coq="Pufferfish.inside [0] [1] [2]",
    value=inside,
    meaning="Here p(x, s) is p(x) if x is in s, and 0 otherwise.",
)
P = entry(
    "P",
    takes=(LAW_OF, SET),
    gives="R",
    words="P_[0]([1])",
    tex="P_{[0]}([1])",
    coq="Pufferfish.P [0] [1]",
    value=weight,
)
PW = entry(
    "Pw",
    takes=(LAW_OF, CHANNEL, SET, "'W"),
    gives="R",
    words="P_[0]([2], [1] = [3])",
    tex="P_{[0]}([2], [1] = [3])",
    coq="Pufferfish.Pw [0] [1] [2] [3]",
    value=joint,
)
LAW = entry(
    "law",
    takes=(LAW_OF,),
    words="[0] is a law",
    tex=r"[0] \text{ is a law}",
    coq="Pufferfish.law [0]",
    value=_law,
    relation="truth",
)
NONNEGATIVE = entry(
    "no entry negative",
    takes=(CHANNEL,),
    words="no entry of [0] is negative",
    tex=r"[0] \ge 0",
    coq="forall u_ v_, 0 <= [0] u_ v_",
    value=lambda M: pairs_of([x for row in M for x in row]),
    precedence=200,
    relation="<=",
)
WEIGHTS = entry(
    "no weight negative",
    takes=(LAW_OF,),
    words="no entry of [0] is negative",
    tex=r"[0] \ge 0",
    coq="forall u_, 0 <= [0] u_",
    value=pairs_of,
    precedence=200,
    relation="<=",
)
LIKELIHOOD = entry(
    "likelihood",
    takes=(CHANNEL,),
    words="no entry of [0] is negative",
    tex=r"[0] \ge 0",
    coq="Pufferfish.likelihood [0]",
    value=lambda M: pairs_of([x for row in M for x in row]),
    relation="<=",
)
KEEPS = entry(
    "keeps",
    takes=("R", CHANNEL, f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"),
    words="[1] keeps [0] for [2] under [3]",
    tex=r"\forall p \in [3], (s, t) \in [2], w:\ P_p([1] = w \mid s) \le [0]\, P_p([1] = w \mid t)",
    coq="Pufferfish.pufferfish [0] [1] [2] [3]",
    value=_keeps,
    relation="<=",
    meaning="That M keeps R for Q under Theta means that P_p(M = w | s) <= R P_p(M = w | t) for "
    "every p in Theta, every pair (s, t) in Q with P_p(s) > 0 and P_p(t) > 0, and every output w. "
    "A mechanism with infinitely many outputs keeps R for all events if and only if, for every "
    "partition of the outputs into finitely many events, the mechanism that shows the event keeps "
    "R (general.partitions).",
)
KEEPS_AT = entry(
    "keeps at",
    takes=("R", LAW_OF, CHANNEL, SET, SET, "'W"),
    words="P_[1]([2] = [5], [3]) P_[1]([4]) <= [0] P_[1]([3]) P_[1]([2] = [5], [4])",
    tex=r"P_{[1]}([2] = [5], [3])\, P_{[1]}([4]) \le [0]\, P_{[1]}([3])\, P_{[1]}([2] = [5], [4])",
    coq="Pufferfish.Pw [1] [2] [3] [5] * Pufferfish.P [1] [4] <= "
    "[0] * Pufferfish.P [1] [3] * Pufferfish.Pw [1] [2] [4] [5]",
    value=_keeps_at,
    precedence=70,
    relation="<=",
    meaning="P_p(M = y, s) is the probability of s together with the outputs y.",
)
PROCESS = entry(
    "process",
    takes=(CHANNEL, "'W -> 'V -> R"),
    gives="'D -> 'V -> R",
    words="[0] followed by [1]",
    tex=r"([1] \circ [0])",
    coq="Pufferfish.process [0] [1]",
    value=_processed,
)
HIDDEN = entry(
    "hidden coin",
    takes=("'C -> R", "'C -> 'D -> 'W -> R"),
    gives=CHANNEL,
    words="the mixture of all [1]_i with the weights [0]_i",
    tex=r"\textstyle\sum_i [0]_i [1]_i",
    coq="(fun x_ w_ => Σ i_, [0] i_ * [1] i_ x_ w_)",
    value=_hidden,
    precedence=0,
)
PUBLISHED = entry(
    "published coin",
    takes=("'C -> R", "'C -> 'D -> 'W -> R"),
    gives="'D -> ('C * 'W) -> R",
    words="the mixture of all [1]_i with the weights [0]_i that also shows i",
    tex="([0], [1]_{[0]})",
    coq="Pufferfish.mixed [0] [1]",
    value=_published,
)
