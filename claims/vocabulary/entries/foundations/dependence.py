"""Two releases that depend on each other: Dependence.v."""

from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, LAW_OF, SET, Law, joint, weight
from pufferproof.claims.vocabulary.sorts import rows
from pufferproof.claims.vocabulary.terms import Log, Sort, entry

PAIR = "'D -> ('W * 'V) -> R"
PAIRS, PRIORS = f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"


def joint_mechanism(of: str, to: str, and_to: str) -> Sort:
    """A channel with two outputs; its rows are those of the first output, one after the other."""
    return Sort(
        f"{of} -> ({to} * {and_to}) -> R",
        f"a mechanism from {of} to pairs of members of {to} and {and_to}",
        "list (list Q)",
        "Dependent.pair_rows {}",
        rows,
    )


def _near(level: Log, J: Any, M: Any, N: Any, p: Law, s: Any) -> Iterator[Any]:
    several = len(N[0])
    for w in range(len(M[0])):
        for v in range(several):
            both = joint(p, J, s, w * several + v) * weight(p, s)
            alone = joint(p, M, s, w) * joint(p, N, s, v)
            yield both, level.of * alone
            yield alone, level.of * both


def _nearly(level: Log, J: object, M: object, N: object, pairs: Any, priors: Any) -> Iterator[object]:
    for p in priors:
        for s, t in pairs:
            if weight(p, s) > 0 and weight(p, t) > 0:
                yield from _near(level, J, M, N, p, s)
                yield from _near(level, J, M, N, p, t)


def _laws(priors: Sequence[Sequence[Fraction]]) -> Iterator[bool]:
    for p in priors:
        yield min(p) >= 0
        yield sum(p) == 1


LAWS_ONLY = entry(
    "laws only",
    takes=(PRIORS,),
    words="every prior in [0] is a law",
    tex=r"[0] \text{ are laws}",
    coq="Pufferfish.laws_only [0]",
    value=_laws,
    relation="truth",
)
NEARLY = entry(
    "nearly independent",
    takes=("level", PAIR, CHANNEL, "'D -> 'V -> R", PAIRS, PRIORS),
    words="P_p([1] = (w, v) | u) <= e^([0]) P_p([2] = w | u) P_p([3] = v | u) and P_p([2] = w | u) "
    "P_p([3] = v | u) <= e^([0]) P_p([1] = (w, v) | u) for every p in [5], every pair (s, t) in "
    "[4] with P_p(s) > 0 and P_p(t) > 0, u = s and u = t, and all outputs w and v",
    tex=r"D_\infty(P([1] | s) \| P([2] | s) P([3] | s)) \le [0], "
    r"D_\infty(P([2] | s) P([3] | s) \| P([1] | s)) \le [0]",
    coq="forall p_, [5] p_ -> forall s_ t_, [4] s_ t_ -> 0 < Pufferfish.P p_ s_ -> "
    "0 < Pufferfish.P p_ t_ -> Dependence.nearly_independent (exp [0]) p_ s_ [1] [2] [3] /\\ "
    "Dependence.nearly_independent (exp [0]) p_ t_ [1] [2] [3]",
    value=_nearly,
    precedence=200,
    relation="<=",
)
