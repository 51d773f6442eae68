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
    (LAW_OF, SET, "'D"),
    "R",
    "[0]([2], [1])",
    "[0]([2], [1])",
    "Pufferfish.inside [0] [1] [2]",
    inside,
    meaning="Here p(x, s) is p(x) if x is in s, and 0 otherwise.",
)
P = entry("P", (LAW_OF, SET), "R", "P_[0]([1])", "P_{[0]}([1])", "Pufferfish.P [0] [1]", weight)
PW = entry(
    "Pw",
    (LAW_OF, CHANNEL, SET, "'W"),
    "R",
    "P_[0]([2], [1] = [3])",
    "P_{[0]}([2], [1] = [3])",
    "Pufferfish.Pw [0] [1] [2] [3]",
    joint,
)
LAW = entry(
    "law", (LAW_OF,), "Prop", "[0] is a law", r"[0] \text{ is a law}", "Pufferfish.law [0]", _law, relation="truth"
)
NONNEGATIVE = entry(
    "no entry negative",
    (CHANNEL,),
    "Prop",
    "no entry of [0] is negative",
    r"[0] \ge 0",
    "forall u_ v_, 0 <= [0] u_ v_",
    lambda M: pairs_of([x for row in M for x in row]),
    precedence=200,
    relation="<=",
)
WEIGHTS = entry(
    "no weight negative",
    (LAW_OF,),
    "Prop",
    "no entry of [0] is negative",
    r"[0] \ge 0",
    "forall u_, 0 <= [0] u_",
    pairs_of,
    precedence=200,
    relation="<=",
)
LIKELIHOOD = entry(
    "likelihood",
    (CHANNEL,),
    "Prop",
    "no entry of [0] is negative",
    r"[0] \ge 0",
    "Pufferfish.likelihood [0]",
    lambda M: pairs_of([x for row in M for x in row]),
    relation="<=",
)
KEEPS = entry(
    "keeps",
    ("R", CHANNEL, f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"),
    "Prop",
    "[1] keeps [0] for [2] under [3]",
    r"\forall p \in [3], (s, t) \in [2], w:\ P_p([1] = w \mid s) \le [0]\, P_p([1] = w \mid t)",
    "Pufferfish.pufferfish [0] [1] [2] [3]",
    _keeps,
    relation="<=",
    meaning="That M keeps R for Q under Theta means that P_p(M = w | s) <= R P_p(M = w | t) for "
    "every p in Theta, every pair (s, t) in Q with P_p(s) > 0 and P_p(t) > 0, and every output w. "
    "A mechanism with infinitely many outputs keeps R for all events if and only if, for every "
    "partition of the outputs into finitely many events, the mechanism that shows the event keeps "
    "R (general.partitions).",
)
KEEPS_AT = entry(
    "keeps at",
    ("R", LAW_OF, CHANNEL, SET, SET, "'W"),
    "Prop",
    "P_[1]([2] = [5], [3]) P_[1]([4]) <= [0] P_[1]([3]) P_[1]([2] = [5], [4])",
    r"P_{[1]}([2] = [5], [3])\, P_{[1]}([4]) \le [0]\, P_{[1]}([3])\, P_{[1]}([2] = [5], [4])",
    "Pufferfish.Pw [1] [2] [3] [5] * Pufferfish.P [1] [4] <= "
    "[0] * Pufferfish.P [1] [3] * Pufferfish.Pw [1] [2] [4] [5]",
    _keeps_at,
    precedence=70,
    relation="<=",
    meaning="P_p(M = y, s) is the probability of s together with the outputs y.",
)
PROCESS = entry(
    "process",
    (CHANNEL, "'W -> 'V -> R"),
    "'D -> 'V -> R",
    "[0] followed by [1]",
    r"([1] \circ [0])",
    "Pufferfish.process [0] [1]",
    _processed,
)
HIDDEN = entry(
    "hidden coin",
    ("'C -> R", "'C -> 'D -> 'W -> R"),
    CHANNEL,
    "the mixture of all [1]_i with the weights [0]_i",
    r"\textstyle\sum_i [0]_i [1]_i",
    "(fun x_ w_ => Σ i_, [0] i_ * [1] i_ x_ w_)",
    _hidden,
    precedence=0,
)
PUBLISHED = entry(
    "published coin",
    ("'C -> R", "'C -> 'D -> 'W -> R"),
    "'D -> ('C * 'W) -> R",
    "the mixture of all [1]_i with the weights [0]_i that also shows i",
    "([0], [1]_{[0]})",
    "Pufferfish.mixed [0] [1]",
    _published,
)
