"""A mechanism with four outputs, under many priors: FourOutputs.v and FiniteLevel.v."""

from collections.abc import Iterator, Sequence
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.collapses import HALF, Sides, expected_runs, possible, rest
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    CHANNEL,
    LAW_OF,
    SET,
    Law,
    Rows,
    Secret,
    joint,
    weight,
)
from pufferproof.claims.vocabulary.terms import entry

F = Fraction
PRIORS, PAIR = f"({LAW_OF}) -> Prop", f"{SET} -> {SET} -> Prop"
ENDS = ("R", "R", "R", "R")
OUTPUTS = [*product((True, False), repeat=2)]


def four(size: int, s: Secret, U: Secret) -> list[list[Fraction]]:
    """Return the mechanism: outputs 1a2a, 1a2b, 1b2a, 1b2b."""
    places = [0 if x in s else 1 for x in range(size)]
    return [[HALF if w[place] == (x in U) else ZERO for w in OUTPUTS] for x, place in enumerate(places)]


def _both(size: int, s: Secret) -> list[tuple[Secret, Secret]]:
    t = rest(range(size), s)
    return [(s, t), (t, s)]


def _allowing(priors: Sequence[Law], s: Secret) -> Iterator[tuple[Law, Secret]]:
    for p in priors:
        t = rest(p, s)
        if weight(p, s) > 0 and weight(p, t) > 0:
            yield p, t


def _fractions(priors: Sequence[Law], s: Secret, U: Secret, LT: F, UT: F, LF: F, UF: F) -> Sides:
    for p, t in _allowing(priors, s):
        for low, high, each in ((LT, UT, s), (LF, UF, t)):
            yield low * weight(p, each), weight(p, each & U)
            yield weight(p, each & U), high * weight(p, each)


def eight(LT: F, UT: F, LF: F, UF: F) -> list[tuple[F, F]]:
    """Return the printed ratios as pairs of numerators and denominators."""
    return [
        *((UT, LF), (LT, UF), (1 - UT, UF), (1 - LT, LF)),
        *((LT, 1 - LF), (UT, 1 - UF), (1 - UT, 1 - LF), (1 - LT, 1 - UF)),
    ]


def _eight(R: F, *ends: F) -> Sides:
    for a, b in eight(*ends):
        yield a, R * b
        yield b, R * a


def _printed(R: F, *ends: F) -> Sides:
    return ((a, R * b) for a, b in eight(*ends))


def _corners(priors: Sequence[Law], s: Secret, U: Secret, LT: F, UT: F, LF: F, UF: F) -> Iterator[bool]:
    for a, b in product((LT, UT), (LF, UF)):
        yield any(
            weight(p, s & U) == a * weight(p, s) and weight(p, t & U) == b * weight(p, t)
            for p, t in _allowing(priors, s)
        )


def _intervals(priors: Sequence[Law], s: Secret, U: Secret, LT: F, UT: F, LF: F, UF: F) -> Sides:
    ends = [(LT, UF, UT, LF), (LT, 1 - LF, UT, 1 - UF)]
    ends += [(1 - UT, UF, 1 - LT, LF), (1 - UT, 1 - LF, 1 - LT, 1 - UF)]
    for p, t in _allowing(priors, s):
        M = four(len(p), s, U)
        for w, (a, b, c, d) in enumerate(ends):
            given = weight(p, t) * joint(p, M, s, w)
            other = weight(p, s) * joint(p, M, t, w)
            yield a * other, b * given
            yield d * given, c * other


def _kinds(p: Law, s: Secret, U: Secret, x: int) -> Iterator[bool]:
    yield min(p) >= 0
    yield sum(p) == 1
    yield p[x] > 0
    for u in (s, rest(p, s)):
        yield weight(p, u & U) > 0
        yield weight(p, u - U) > 0


def runs_until_told(p: Law, M: Rows, s: Secret, x: int) -> Fraction | None:
    """Return the expected number of runs on x until it is told whether s is true of it."""
    own = s if x in s else rest(p, s)
    return expected_runs(M, x, possible(p), lambda left: left <= own)


def _some_level(M: Rows, pairs: Sequence[tuple[Secret, Secret]], priors: Sequence[Law]) -> Iterator[bool]:
    for p in priors:
        yield min(p) >= 0
        yield sum(p) == 1
    for p, (s, t) in product(priors, pairs):
        if weight(p, s) > 0 and weight(p, t) > 0:
            outputs = range(len(M[0]))
            yield all(joint(p, M, s, w) <= 0 or joint(p, M, t, w) > 0 for w in outputs)


def _runs(p: Law, s: Secret, U: Secret, x: int, number: F) -> Sides:
    found = None
    if all(_kinds(p, s, U, x)):
        found = runs_until_told(p, four(len(p), s, U), s, x)
    yield (abs(number) + 1, number) if found is None else (found, number)


FOUR = entry(
    "four outputs",
    takes=("Type", SET, SET),
    gives="[0] -> (bool * bool) -> R",
    words="the four-output mechanism for [1] and [2]",
    tex=r"M^{*}_{[1],[2]}",
    coq="@FourOutputs.four [0] [1] [2]",
    value=four,
    meaning="The four-output mechanism for s and U shows 1a2a, 1a2b, 1b2a or 1b2b: on a "
    "database of s it shows 1a if it is in U and 1b if not, and 2a or 2b with probability 1/2 "
    "each; on another one 2a if it is in U and 2b if not, and 1a or 1b with probability 1/2 each.",
)
SOME_LEVEL = entry(
    "keeps some level",
    takes=(CHANNEL, PAIR, PRIORS),
    words="all priors in [2] are laws, and there is a number R such that P_p([0] = w | s) <= "
    "R P_p([0] = w | t) for every p in [2], every pair (s, t) in [1] with P_p(s) > 0 and "
    "P_p(t) > 0, and every output w",
    tex=r"\exists R\ \forall p \in [2], (s, t) \in [1], w:\ P_p([0] = w \mid s) \le R\, "
    r"P_p([0] = w \mid t)",
    coq="FiniteLevel.some_level [0] [1] [2]",
    value=_some_level,
    relation="truth",
)
BOTH_WAYS = entry(
    "secret and its negation",
    takes=("Type", SET),
    gives=PAIR.replace("'D", "[0]"),
    words="[1] and not [1]",
    tex=r"([1], \neg [1])^{\pm}",
    coq="@FourOutputs.both_ways [0] [1]",
    value=_both,
    meaning="A secret and its negation are taken in both orders.",
)
ONE_WAY = entry(
    "secret before its negation",
    takes=("Type", SET),
    gives=PAIR.replace("'D", "[0]"),
    words="([1], not [1])",
    tex=r"([1], \neg [1])",
    coq="@FourOutputs.one_way [0] [1]",
    value=lambda size, s: _both(size, s)[:1],
)
FRACTIONS = entry(
    "fractions of a secret",
    takes=(PRIORS, SET, SET, *ENDS),
    words="[3] <= P_p([2] | [1]) <= [4] and [5] <= P_p([2] | not [1]) <= [6] for every p in [0] "
    "that allows [1] and not [1]",
    tex=r"\forall p \in [0]:\ [3] \le P_p([2] \mid [1]) \le [4], "
    r"[5] \le P_p([2] \mid \neg [1]) \le [6]",
    coq="FourOutputs.fractions [1] [2] [0] [3] [4] [5] [6]",
    value=_fractions,
    relation="<=",
)
EIGHT = entry(
    "eight ratios and their inverses",
    takes=("R", *ENDS),
    words="the quotients [2]/[3], [1]/[4], (1 - [2])/[4], (1 - [1])/[3], [1]/(1 - [3]), [2]/(1 - [4]), "
    "(1 - [2])/(1 - [3]), (1 - [1])/(1 - [4]) and their inverses, multiplied out, are at most [0]",
    tex=r"\left|\ln\tfrac{[2]}{[3]}\right|, \left|\ln\tfrac{[1]}{[4]}\right|, \dots, "
    r"\left|\ln\tfrac{1 - [1]}{1 - [4]}\right| \le \ln [0]",
    coq="FourOutputs.eight [0] [1] [2] [3] [4]",
    value=_eight,
    relation="<=",
)
PRINTED = entry(
    "eight ratios",
    takes=("R", *ENDS),
    words="the quotients [2]/[3], [1]/[4], (1 - [2])/[4], (1 - [1])/[3], [1]/(1 - [3]), [2]/(1 - [4]), "
    "(1 - [2])/(1 - [3]) and (1 - [1])/(1 - [4]), multiplied out, are at most [0]",
    tex=r"\tfrac{[2]}{[3]}, \tfrac{[1]}{[4]}, \dots, \tfrac{1 - [1]}{1 - [4]} \le [0]",
    coq="FourOutputs.printed [0] [1] [2] [3] [4]",
    value=_printed,
    relation="<=",
)
CORNERS = entry(
    "corners",
    takes=(PRIORS, SET, SET, *ENDS),
    words="for a being [3] or [4] and b being [5] or [6], some p in [0] allows [1] and not [1] and has "
    "P_p([2] | [1]) = a and P_p([2] | not [1]) = b",
    tex=r"\forall a \in \{[3], [4]\}, b \in \{[5], [6]\}\ \exists p \in [0]:\ "
    r"P_p([2] \mid [1]) = a, P_p([2] \mid \neg [1]) = b",
    coq="FourOutputs.corners [1] [2] [0] [3] [4] [5] [6]",
    value=_corners,
    relation="truth",
)
INTERVALS = entry(
    "intervals of four ratios",
    takes=(PRIORS, SET, SET, *ENDS),
    words="for every p in [0] that allows [1] and not [1] the quotient P_p(w | [1])/P_p(w | not [1]), "
    "multiplied out, is in [[3]/[6], [4]/[5]] for w = 1a2a, in [(1 - [4])/[6], (1 - [3])/[5]] for "
    "1b2a, in [[3]/(1 - [5]), [4]/(1 - [6])] for 1a2b, and in [(1 - [4])/(1 - [5]), "
    "(1 - [3])/(1 - [6])] for 1b2b",
    tex=r"\tfrac{P_p(1a2a \mid [1])}{P_p(1a2a \mid \neg [1])} \in "
    r"\left[\tfrac{[3]}{[6]}, \tfrac{[4]}{[5]}\right], \dots",
    coq="FourOutputs.four_intervals [1] [2] [0] [3] [4] [5] [6]",
    value=_intervals,
    relation="<=",
    meaning=FOUR.meaning,
)
KINDS = entry(
    "four kinds of databases",
    takes=(LAW_OF, SET, SET, "'D"),
    words="[0] is a law under which databases of [1] in [2] and not in [2], and others in [2] and not in "
    "[2], are possible, and so is [3]",
    tex=r"0 < P_{[0]}([2] \mid [1]), P_{[0]}([2] \mid \neg [1]) < 1,\ [0]_{[3]} > 0",
    coq="FourOutputs.four_kinds [1] [2] [0] [3]",
    value=_kinds,
    relation="truth",
)
FOUR_RUNS = entry(
    "expected runs of four outputs",
    takes=(LAW_OF, SET, SET, "'D", "R"),
    words="[0] is a law under which all four kinds of databases are possible and [3] is, and [4] is the "
    "expected number of runs of the four outputs on [3] until it is told whether [3] is in [1]",
    tex=r"E(\text{runs on } [3]) = [4]",
    coq="FourOutputs.four_runs [1] [2] [0] [3] [4]",
    value=_runs,
    relation="=",
    meaning=f"{FOUR.meaning} Runs tell it if all possible databases that can give all of their "
    "outputs are in s, or none is; they are independent.",
)
THREE = entry("3", takes=(), gives="R", words="3", tex="3", coq="3", value=lambda: F(3), precedence=0)
