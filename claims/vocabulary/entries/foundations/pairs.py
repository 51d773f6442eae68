"""What mechanisms can leak together of one pair of secrets under one law: Determined.v, OnePair.v.

That mechanisms exist, or that all of them keep a level, is decided exactly: by how many databases
of each secret are possible, and how probable they are.
"""

from collections.abc import Iterator, Sequence
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import quotient
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, SET, Law, Secret, weight
from pufferproof.claims.vocabulary.terms import entry

ONE = Fraction(1)
Levels = Sequence[Fraction]


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


def _several(Rs: Levels) -> Iterator[bool]:
    yield len(Rs) > 1


def _allowed(p: Law, s: Secret, t: Secret, Rs: Levels) -> Iterator[bool]:
    yield all(R >= 1 for R in Rs)
    yield all(_pair(p, s, t))


def _unbounded(p: Law, s: Secret, t: Secret, Rs: Levels) -> Iterator[bool]:
    yield from _allowed(p, s, t, Rs)
    yield len(Rs) > 1
    yield not (_possible(p, s) == _possible(p, t) == 1)


def _largest(p: Law, s: Secret, t: Secret, Rs: Levels, L: Fraction) -> Iterator[bool]:
    yield from _allowed(p, s, t, Rs)
    yield len(Rs) <= 1 or _possible(p, s) == _possible(p, t) == 1
    yield prod(Rs, start=ONE) == L


def _unbounded_one_way(p: Law, s: Secret, t: Secret, Rs: Levels) -> Iterator[bool]:
    yield from _allowed(p, s, t, Rs)
    yield len(Rs) > 1
    yield _possible(p, t) != 1


def _largest_one_way(p: Law, s: Secret, t: Secret, Rs: Levels, L: Fraction) -> Iterator[bool]:
    yield from _allowed(p, s, t, Rs)
    yield len(Rs) <= 1 or _possible(p, t) == 1
    yield _one_way(p, s, Rs) == L


def _one_way(p: Law, s: Secret, Rs: Levels) -> Fraction:
    """The product of ratios over the least share to the power of one less than their number."""
    shares = [quotient(p[x], weight(p, s)) for x in s if p[x] > 0]
    return quotient(prod(Rs, start=ONE), min([ONE, *shares]) ** max(len(Rs) - 1, 0))


def _three(size: int) -> Iterator[bool]:
    yield size >= 3


def _some_collapse(size: int, x: int, y: int) -> Iterator[bool]:
    yield size >= 3
    yield x != y


PAIR = "[0] is a law under which the disjoint sets [1] and [2] have positive probability"
TAKES = (LAW_OF, SET, SET)
ONE_PAIR = entry(
    "one pair",
    takes=TAKES,
    words=PAIR,
    tex=r"[1] \cap [2] = \emptyset,\ P_{[0]}([1]), P_{[0]}([2]) > 0",
    coq="Determined.one_pair [0] [1] [2]",
    value=_pair,
    relation="truth",
)
MEANING = (
    "That a mechanism keeps a number R between s and t means that its rows are laws and that "
    "P_p(w | s) <= R P_p(w | t) and P_p(w | t) <= R P_p(w | s) for every output w."
)
SINGLE = entry(
    "single",
    takes=(LAW_OF, SET),
    words="exactly one database of [1] has positive probability under [0]",
    tex=r"|\{x \in [1] : [0]_x > 0\}| = 1",
    coq="Determined.single [0] [1]",
    value=_single,
    relation="truth",
)
COLLAPSES = entry(
    "collapses",
    takes=TAKES,
    words=f"{PAIR}, and some mechanism with finitely many outputs keeps 1 between them, while two "
    "independent runs of it together keep no number",
    tex=r"\exists M:\ \epsilon_{[1],[2]}(M) = 0 \wedge \epsilon_{[1],[2]}(M \otimes M) = \infty",
    coq="Determined.collapses [0] [1] [2]",
    value=_collapses,
    relation="truth",
    meaning=MEANING,
)
RELEASES = (
    "A joint release of a list R is that of independent mechanisms with finitely many outputs, one "
    "for each member R_k of R, which keeps R_k."
)
BETWEEN = (
    "That a release keeps a number c between s and t means that its rows are laws and that "
    "P_p(w | s) <= c P_p(w | t) and P_p(w | t) <= c P_p(w | s) for every output w. " + RELEASES
)
AGAINST = (
    "That a release keeps a number c of s against t means that its rows are laws and that "
    "P_p(w | s) <= c P_p(w | t) for every output w. " + RELEASES
)
LISTED = (*TAKES, "list R")
SEVERAL = entry(
    "several",
    takes=("list R",),
    words="[0] has at least two members",
    tex=r"|[0]| \ge 2",
    coq="OnePair.several [0]",
    value=_several,
    relation="truth",
)
UNBOUNDED = entry(
    "unbounded together",
    takes=LISTED,
    words=f"{PAIR}, no member of [3] is below 1, and some joint release of [3] keeps no number between them",
    tex=r"\sup_{M_k : R(M_k) \le [3]_k} R_{[1],[2]}(M_1 \otimes \dots \otimes M_K) = \infty",
    coq="OnePair.unbounded [0] [1] [2] [3]",
    value=_unbounded,
    relation="truth",
    meaning=BETWEEN,
)
LARGEST = entry(
    "largest together",
    takes=(*LISTED, "R"),
    words=f"{PAIR}, no member of [3] is below 1, every joint release of [3] keeps [4] between them, and "
    "some joint release of [3] keeps no smaller number",
    tex=r"\max_{M_k : R(M_k) \le [3]_k} R_{[1],[2]}(M_1 \otimes \dots \otimes M_K) = [4]",
    coq="OnePair.largest [0] [1] [2] [3] [4]",
    value=_largest,
    relation="truth",
    meaning=BETWEEN,
)
UNBOUNDED_ONE_WAY = entry(
    "unbounded one way",
    takes=LISTED,
    words=f"{PAIR}, no member of [3] is below 1, and some joint release of [3] keeps no number of [1] against [2]",
    tex=r"\sup_{M_k : R(M_k) \le [3]_k} R_{[1] | [2]}(M_1 \otimes \dots \otimes M_K) = \infty",
    coq="OnePair.unbounded_one_way [0] [1] [2] [3]",
    value=_unbounded_one_way,
    relation="truth",
    meaning=AGAINST,
)
LARGEST_ONE_WAY = entry(
    "largest one way",
    takes=(*LISTED, "R"),
    words=f"{PAIR}, no member of [3] is below 1, every joint release of [3] keeps [4] of [1] against "
    "[2], and some joint release of [3] keeps no smaller number",
    tex=r"\max_{M_k : R(M_k) \le [3]_k} R_{[1] | [2]}(M_1 \otimes \dots \otimes M_K) = [4]",
    coq="OnePair.largest_one_way [0] [1] [2] [3] [4]",
    value=_largest_one_way,
    relation="truth",
    meaning=AGAINST,
)
RATIO_ONE_WAY = entry(
    "ratio one way",
    takes=(LAW_OF, SET, "list R"),
    gives="R",
    words="prod [2] / m([0], [1])^(|[2]| - 1)",
    tex=r"\textstyle\prod [2] / m([0], [1])^{|[2]| - 1}",
    coq="OnePair.one_way_ratio [0] [1] [2]",
    value=_one_way,
    meaning="m(p, s) is the least probability p_x / P_p(s) that is not 0 of a database x of s. "
    "Where R is empty, |R| - 1 stands for 0.",
)
THREE = entry(
    "three databases",
    takes=("Type",),
    words="[0] has at least three members",
    tex=r"|[0]| \ge 3",
    coq="@Existence.three_databases [0] _",
    value=_three,
    relation="truth",
)
DIFFER = entry(
    "differ",
    takes=("'D", "'D"),
    words="[0] and [1] differ",
    tex=r"[0] \ne [1]",
    coq="[0] <> [1]",
    value=lambda x, y: iter((x != y,)),
    precedence=70,
    relation="truth",
    infix="none",
)
SOME_COLLAPSE = entry(
    "some mechanism collapses",
    takes=("Type", "'D", "'D"),
    words="there are a law p on [0], disjoint subsets s with [1] and t with [2] that have positive "
    "probability under p, and a mechanism on [0] with finitely many outputs that keeps 1 between s "
    "and t, while two independent runs of it together keep no number",
    tex=r"\exists p, s \ni [1], t \ni [2], M:\ "
    r"\epsilon_{s,t}(M) = 0 \wedge \epsilon_{s,t}(M \otimes M) = \infty",
    coq="@Existence.some_collapse [0] _ [1] [2]",
    value=_some_collapse,
    relation="truth",
    meaning=MEANING,
)
