"""What two mechanisms can leak together of one pair of secrets under one law: Determined.v.

That mechanisms exist, or that all of them keep a level, is decided exactly: by how many databases
of each secret are possible.
"""

from collections.abc import Iterator

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    LAW_OF,
    SET,
    Law,
    Secret,
    weight,
)
from pufferproof.claims.vocabulary.terms import entry


def _possible(p: Law, s: Secret) -> int:
    return sum(p[x] > 0 for x in s)


def _single(p: Law, s: Secret) -> Iterator[bool]:
    yield _possible(p, s) == 1


def _pair(p: Law, s: Secret, t: Secret) -> Iterator[bool]:
    """That p is a law that allows two secrets without a common database."""
    yield min(p) >= 0
    yield sum(p) == 1
    yield not s & t
    yield weight(p, s) > 0
    yield weight(p, t) > 0


def _collapses(p: Law, s: Secret, t: Secret) -> Iterator[bool]:
    yield all(_pair(p, s, t))
    yield not (_possible(p, s) == _possible(p, t) == 1)


def _unbounded(p: Law, s: Secret, t: Secret, A: Fraction, B: Fraction) -> Iterator[bool]:
    yield min(A, B) >= 1
    yield from _collapses(p, s, t)


def _largest(p: Law, s: Secret, t: Secret, A: Fraction, B: Fraction, L: Fraction) -> Iterator[bool]:
    yield min(A, B) >= 1
    yield all(_pair(p, s, t))
    yield _possible(p, s) == _possible(p, t) == 1
    yield A * B == L


def _three(size: int) -> Iterator[bool]:
    yield size >= 3


def _some_collapse(size: int, x: int, y: int) -> Iterator[bool]:
    yield size >= 3
    yield x != y


PAIR = "[0] is a law under which the disjoint sets [1] and [2] have positive probability"
TAKES = (LAW_OF, SET, SET)
ONE_PAIR = entry(
    "one pair",
    TAKES,
    "Prop",
    PAIR,
    r"[1] \cap [2] = \emptyset,\ P_{[0]}([1]), P_{[0]}([2]) > 0",
    "Determined.one_pair [0] [1] [2]",
    _pair,
    relation="truth",
)
MEANING = (
    "That a mechanism keeps a number R between s and t means that its rows are laws and that "
    "P_p(w | s) <= R P_p(w | t) and P_p(w | t) <= R P_p(w | s) for every output w."
)
SINGLE = entry(
    "single",
    (LAW_OF, SET),
    "Prop",
    "exactly one database of [1] has positive probability under [0]",
    r"|\{x \in [1] : [0]_x > 0\}| = 1",
    "Determined.single [0] [1]",
    _single,
    relation="truth",
)
COLLAPSES = entry(
    "collapses",
    TAKES,
    "Prop",
    f"{PAIR}, and some mechanism with finitely many outputs keeps 1 between them, while two "
    "independent runs of it together keep no number",
    r"\exists M:\ \epsilon_{[1],[2]}(M) = 0 \wedge \epsilon_{[1],[2]}(M \otimes M) = \infty",
    "Determined.collapses [0] [1] [2]",
    _collapses,
    relation="truth",
    meaning=MEANING,
)
UNBOUNDED = entry(
    "unbounded together",
    (*TAKES, "R", "R"),
    "Prop",
    f"{PAIR}, [3] and [4] are at least 1, and some mechanisms M and N with finitely many outputs "
    "keep [3] and [4] between them, while the independent releases of M and N together keep no "
    "number",
    r"\sup_{M : R(M) \le [3],\, N : R(N) \le [4]} R_{[1],[2]}(M \otimes N) = \infty",
    "Determined.unbounded [0] [1] [2] [3] [4]",
    _unbounded,
    relation="truth",
    meaning=MEANING,
)
LARGEST = entry(
    "largest together",
    (*TAKES, "R", "R", "R"),
    "Prop",
    f"{PAIR}, [3] and [4] are at least 1, the independent releases of any two mechanisms with "
    "finitely many outputs that keep [3] and [4] between them together keep [5], and for some two "
    "of them no smaller number is kept",
    r"\max_{M : R(M) \le [3],\, N : R(N) \le [4]} R_{[1],[2]}(M \otimes N) = [5]",
    "Determined.largest [0] [1] [2] [3] [4] [5]",
    _largest,
    relation="truth",
    meaning=MEANING,
)
THREE = entry(
    "three databases",
    ("Type",),
    "Prop",
    "[0] has at least three members",
    r"|[0]| \ge 3",
    "@Existence.three_databases [0] _",
    _three,
    relation="truth",
)
DIFFER = entry(
    "differ",
    ("'D", "'D"),
    "Prop",
    "[0] and [1] differ",
    r"[0] \ne [1]",
    "[0] <> [1]",
    lambda x, y: iter((x != y,)),
    70,
    "truth",
    "none",
)
SOME_COLLAPSE = entry(
    "some mechanism collapses",
    ("Type", "'D", "'D"),
    "Prop",
    "there are a law p on [0], disjoint subsets s with [1] and t with [2] that have positive "
    "probability under p, and a mechanism on [0] with finitely many outputs that keeps 1 between s "
    "and t, while two independent runs of it together keep no number",
    r"\exists p, s \ni [1], t \ni [2], M:\ "
    r"\epsilon_{s,t}(M) = 0 \wedge \epsilon_{s,t}(M \otimes M) = \infty",
    "@Existence.some_collapse [0] _ [1] [2]",
    _some_collapse,
    relation="truth",
    meaning=MEANING,
)
