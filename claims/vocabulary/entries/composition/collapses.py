"""Mechanisms that hide a secret in one run and tell it in a few: Decoys.v and FourOutputs.v.

Expected numbers of runs are computed from the mechanism: a run leaves the databases that can give
its output, and Coq says in closed form what that comes to.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, SET, Law, Rows, Secret, joint, weight
from pufferproof.claims.vocabulary.terms import entry

ONE, HALF = Fraction(1), Fraction(1, 2)
Candidates = frozenset[int]
Done = Callable[[Candidates], bool]
Sides = Iterator[tuple[Fraction, Fraction]]


def next_candidates(M: Rows, x: int, now: Candidates) -> dict[Candidates, Fraction]:
    """Return with which probability a run on the database x leaves which of the candidates."""
    law: dict[Candidates, Fraction] = {}
    for w, p in enumerate(M[x]):
        if p:
            left = frozenset(y for y in now if M[y][w])
            law[left] = law.get(left, ZERO) + p
    return law


def expected_runs(M: Rows, x: int, now: Candidates, done: Done) -> Fraction | None:
    """Return the expected number of independent runs until `done`, None for infinite.

    Candidates only get fewer, so that each set of them is left once and for all.
    """
    if done(now):
        return ZERO
    following = next_candidates(M, x, now)
    stay = following.pop(now, ZERO)
    if stay == 1:
        return None
    total = ONE
    for left, p in following.items():
        rest = expected_runs(M, x, left, done)
        if rest is None:
            return None
        total += p * rest
    return total / (1 - stay)


def revealed_at(M: Rows, x: int, now: Candidates, done: Done, last: int) -> list[Fraction]:
    """Return the probabilities that run 1, .., last is the first after which `done` is true."""
    law, found = {now: ONE}, []
    for _ in range(last):
        after: dict[Candidates, Fraction] = {}
        for each, p in law.items():
            for left, q in next_candidates(M, x, each).items():
                after[left] = after.get(left, ZERO) + p * q
        found.append(sum((p for left, p in after.items() if done(left)), ZERO))
        law = {left: p for left, p in after.items() if not done(left)}
    return found


def possible(prior: Law) -> Candidates:
    """Return the databases of positive probability."""
    return frozenset(x for x, p in enumerate(prior) if p > 0)


def shown(x: int) -> Done:
    """Say that x is the only candidate."""
    return lambda left: left == {x}


def rest(p: Sequence[Any], s: Secret) -> Secret:
    """Return the complement of a secret."""
    return frozenset(range(len(p))) - s


@cache
def _decoys(p: tuple[Fraction, ...], s: Secret) -> list[list[Fraction]]:
    t, size = rest(p, s), range(len(p))
    totals = weight(p, s), weight(p, t)
    rows = []
    for x in size:
        row = []
        for a, b in product(size, size):
            own, other, law, total = (a, b, t, totals[1]) if x in s else (b, a, s, totals[0])
            row.append(quotient(p[other], total) if own == x and other in law else ZERO)
        rows.append(row)
    return rows


def decoys(p: Law, s: Secret) -> list[list[Fraction]]:
    """Return the mechanism of Example 1: its outputs are all pairs of databases."""
    return _decoys(tuple(p), s)


def _both_possible(p: Law, s: Secret) -> Sides:
    yield ZERO, weight(p, s)
    yield ZERO, weight(p, rest(p, s))


def _hide(p: Law, s: Secret) -> Sides:
    M, t, size = decoys(p, s), rest(p, s), range(len(p))
    for w, (x, y) in enumerate(product(size, size)):
        evidence = sum((a * row[w] for a, row in zip(p, M)), ZERO)
        own = (p[x] if x in s else ZERO) * (p[y] if y in t else ZERO)
        for u, other in ((s, t), (t, s)):
            given = joint(p, M, u, w)
            yield given, weight(p, u) * evidence
            yield given * weight(p, other), own


def _two_each(p: Law, s: Secret, x: int) -> Iterator[bool]:
    yield min(p) >= 0
    yield sum(p) == 1
    yield sum(p[y] > 0 for y in s) >= 2
    yield sum(p[y] > 0 for y in rest(p, s)) >= 2
    yield p[x] > 0


def _runs(p: Law, s: Secret, x: int, most: Fraction) -> Sides:
    found = None
    if all(_two_each(p, s, x)):
        found = expected_runs(decoys(p, s), x, possible(p), shown(x))
    yield (abs(most) + 1, most) if found is None else (found, most)


def _told_at(p: Law, s: Secret, x: int, k: int, chance: Fraction) -> Sides:
    if not all(_two_each(p, s, x)):
        yield abs(chance) + 1, chance
    else:
        found = revealed_at(decoys(p, s), x, possible(p), shown(x), k)
        yield found[-1] if k else ZERO, chance


def _shares(p: Law, s: Secret, x: int) -> list[Fraction]:
    other = rest(p, s) if x in s else s
    return [quotient(p[y], weight(p, other)) if y in other else ZERO for y in range(len(p))]


def _told_law(p: Law, s: Secret, x: int, k: int) -> Fraction:
    return sum((q ** max(k - 1, 0) * (1 - q) for q in _shares(p, s, x)), ZERO)


def _most(p: Law, s: Secret, m: Fraction) -> Sides:
    t = rest(p, s)
    for y, chance in enumerate(p):
        for u in (s, t):
            yield (chance if y in u else ZERO), m * weight(p, u)


TAKES = (LAW_OF, SET)
MEANING = (
    "Decoys show a database x of s as (x, y), where y is drawn from p given not s, and a database "
    "y that is not of s as (x, y), where x is drawn from p given s."
)
SETTING = "[0] is a law under which [1] and not [1] have two possible databases each and [2] is possible"
RUNS = (
    "Runs tell x if x is the one possible database that can give all of their outputs, and the "
    "expected number is that of independent runs on x until then."
)
BOTH_POSSIBLE = entry(
    "both possible",
    takes=TAKES,
    words="P_[0]([1]) > 0 and P_[0](not [1]) > 0",
    tex=r"0 < P_{[0]}([1]) < 1",
    coq="Decoys.both_possible [0] [1]",
    value=_both_possible,
    relation="<",
)
HIDE = entry(
    "decoys hide",
    takes=TAKES,
    words="for every output (x, y) of the decoys of [1] under [0] and for u being [1] or not [1], "
    "P_[0](u, (x, y)) = P_[0](u) P_[0]((x, y)) and P_[0]((x, y) | u) = "
    "P_[0](x | [1]) P_[0](y | not [1])",
    tex=r"P_{[0]}(u \mid (x, y)) = P_{[0]}(u),\ "
    r"P_{[0]}((x, y) \mid u) = P_{[0]}(x \mid [1]) P_{[0]}(y \mid \neg [1])",
    coq="Decoys.decoys_hide dD [0] [1]",
    value=_hide,
    relation="=",
    meaning=MEANING,
)
TWO_EACH = entry(
    "two possible databases each",
    takes=(*TAKES, "'D"),
    words=SETTING,
    tex=r"|\mathrm{supp}([0]) \cap [1]|, |\mathrm{supp}([0]) \setminus [1]| \ge 2,\ [0]_{[2]} > 0",
    coq="Decoys.two_each [0] [1] [2]",
    value=_two_each,
    relation="truth",
)
RUNS_AT_MOST = entry(
    "expected runs of decoys",
    takes=(*TAKES, "'D", "R"),
    words=f"{SETTING}, and the expected number of runs of the decoys of [1] on [2] until [2] is told is at most [3]",
    tex=r"E(\text{runs on } [2]) \le [3]",
    coq="Decoys.runs_at_most dD [0] [1] [2] [3]",
    value=_runs,
    relation="<=",
    meaning=f"{MEANING} {RUNS}",
)
TOLD_AT = entry(
    "run that tells",
    takes=(*TAKES, "'D", "nat", "R"),
    words=f"{SETTING}, and [4] is the probability that run [3] of the decoys of [1] on [2] tells "
    f"[2], and no run before does",
    tex=r"P(\text{run } [3] \text{ tells } [2]) = [4]",
    coq="Decoys.told_at dD [0] [1] [2] [3] [4]",
    value=_told_at,
    relation="=",
    meaning=f"{MEANING} {RUNS}",
)
TOLD_LAW = entry(
    "law of the run that tells",
    takes=(*TAKES, "'D", "nat"),
    gives="R",
    words="sum_y q_y^([3] - 1) (1 - q_y)",
    tex=r"\textstyle\sum_y q_y^{[3] - 1} (1 - q_y)",
    coq="Decoys.told_law [0] [1] [2] [3]",
    value=_told_law,
    meaning="The sum is over all databases y, and q_y is P_p(y | not s) if x is in s, and P_p(y | s) otherwise.",
)
MOST = entry(
    "at most of its secret",
    takes=(*TAKES, "R"),
    words="P_[0](y | [1]) <= [2] and P_[0](y | not [1]) <= [2] for every database y",
    tex=r"\forall y:\ P_{[0]}(y \mid [1]) \le [2],\ P_{[0]}(y \mid \neg [1]) \le [2]",
    coq="Decoys.most [0] [1] [2]",
    value=_most,
    relation="<=",
)
REST = entry(
    "inverse of the rest",
    takes=("R",),
    gives="R",
    words="1/(1 - [0])",
    tex=r"\tfrac{1}{1 - [0]}",
    coq="/ (1 - [0])",
    value=lambda m: quotient(ONE, 1 - m),
    precedence=35,
)
