"""One side of a 3R mechanism: conditions (5) and (6), products of the q_k of M, and the relaxed
bound: RelaxedBound.v.

Records of a side are counted by their distance from X_p; X_t is any record of the side.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.records.stationary import CURVES, ONE, SHARES_OF, i0, i1, power
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.terms import entry

Numbers = Sequence[Fraction]
SIDE = ("R", "R", "R", "R", SHARES_OF, "nat", "nat")
"""a, b, E, F, q, p and t."""


class Side:
    """The records on the side of X_t, seen from X_p."""

    def __init__(self, a: Fraction, b: Fraction, E: Fraction, F: Fraction, q: Numbers, p: int, t: int) -> None:
        self.a, self.b, self.q, self.p = a, b, q, p
        self.after = p < t
        self.budget = F if self.after else E
        self.distance = abs(t - p)
        self.step = power(a, b, 1)

    def size(self, n: int) -> int:
        """How many records of n are on the side."""
        return max(n - self.p - 1, 0) if self.after else self.p

    def chance(self, k: int) -> Fraction:
        """Return q at the distance k."""
        chance: Fraction = late(self.q, self.p + k if self.after else max(self.p - k, 0))
        return chance

    def region(self, k: int) -> str:
        """Return the region of the record at the distance k."""
        if self.budget < i0(self.a, self.b, k):
            return "L"
        return "M" if self.budget < i1(self.a, self.b, k) else "S"

    def medium(self, last: int) -> list[int]:
        """Return the distances of the records of M up to one."""
        return [k for k in range(1, last + 1) if self.region(k) == "M"]

    def replaced(self, k: int, x: int) -> Fraction:
        """Return the weight of a record of M: q for 0 and 1 for 1; 1 for all others."""
        return self.chance(k) if x == 0 and self.region(k) == "M" else ONE

    def mean(self, last: int, x: int, z: int | None) -> Fraction:
        """Return P(X_(t+) = z | X_p = x) G(x), or G(x) without z."""
        here = {x: ONE}
        for k in range(1, last + 1):
            here = {y: sum((w * self.step[v][y] for v, w in here.items()), ZERO) * self.replaced(k, y) for y in (0, 1)}
        ends = ((w, ONE if z is None else self.step[v][z]) for v, w in here.items())
        return sum((w * end for w, end in ends), ZERO)

    def products(self) -> list[Fraction]:
        """Return the products of q over all subsets of M_t."""
        records = self.medium(self.distance)
        sizes = range(len(records) + 1)
        return [prod(map(self.chance, A), start=ONE) for m in sizes for A in combinations(records, m)]

    def shows(self, k: int, z: int) -> bool:
        """Whether the record at the distance k shows z with positive probability."""
        region = self.region(k)
        return region == "S" or (region == "M" and z == 0 and self.chance(k) < 1)

    def conditions(self, n: int, R: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield both sides of (5) and (6)."""
        size = self.size(n)
        for D in self.medium(size):
            shown = [z for z in (0, 1) if self.shows(D + 1, z)] if D < size else [None]
            for z in shown:
                left, right = (self.mean(D, x, z) for x in (0, 1))
                yield left, R * right
                yield right, R * left

    def delta(self, n: int, D: int) -> Fraction:
        """Return e^delta of the record at a distance, or 1 if it is not in M."""
        if self.region(D) != "M" or D >= self.size(n):
            return ONE
        return (i1 if self.region(D + 1) == "S" else i0)(self.a, self.b, D + 1)

    def relaxed(self, n: int) -> Fraction:
        """Return the largest e^delta/prod q, or 1."""
        best = ONE
        for D in self.medium(self.size(n)):
            product = prod(map(self.chance, self.medium(D)), start=ONE)
            best = max(best, quotient(self.delta(n, D), product))
        return best

    def first(self, n: int) -> Fraction:
        """Return e^i of the first record that is not in L, or 1."""
        for k in range(1, self.size(n) + 1):
            if self.region(k) != "L":
                return (i0 if self.region(k) == "M" else i1)(self.a, self.b, k)
        return ONE


def _before(*at: Any) -> Fraction:
    found = Side(*at[:7])
    return found.mean(found.distance, at[8], at[7])


def _mean(*at: Any) -> Fraction:
    found = Side(*at[:7])
    return found.mean(found.distance, at[7], None)


def _conditions(R: Fraction, *at: Any) -> Iterator[tuple[Fraction, Fraction]]:
    return Side(*at[:5], *at[6:]).conditions(at[5], R)


def _relaxed(*at: Any) -> Fraction:
    return Side(*at[:5], *at[6:]).relaxed(at[5])


REGIONS = (
    "M are the records X_k with e^i0(D) <= B < e^i1(D), L those with B < e^i0(D), S those with "
    "e^i0(D) <= B and e^i1(D) <= B, where D = |k - p|, B = E for k < p, and B = F for k > p."
)
M_T = f"M_t are the records of M on the side of X_t that are no farther from X_p than X_t. {REGIONS} {CURVES}"
G_OF = "the sum over all subsets A of M_t of prod_(k in A) q_k P(X_k = 0 for k in A, X_k = 1 for all others of M_t"
M_S = M_T.replace("X_t", "X_s").replace("M_t", "M_s")
STEPS = (
    "X is a stationary chain of bits, X_k for every integer k, that steps from 0 to 1 with "
    "probability a and from 1 to 0 with b."
)
BUDGET = entry(
    "budget of a side",
    takes=("R", "R", "nat", "nat"),
    gives="R",
    words="B_[3]",
    tex="B_{[3]}",
    coq="RelaxedBound.side_budget [0] [1] [2] [3]",
    value=lambda E, F, p, t: F if p < t else E,
    meaning="B_t is the budget of the side of X_t: E before X_p, and F after it.",
)
USABLE = entry(
    "positive chances",
    takes=(SHARES_OF,),
    words="0 < [0]_k <= 1 for each k",
    tex=r"\forall k:\ 0 < [0]_k \le 1",
    coq="RelaxedBound.usable [0]",
    value=lambda q: (0 < each <= 1 for each in q),
    relation="truth",
)
OVER = entry(
    "quotient",
    takes=("R", "R"),
    gives="R",
    words="([0] / [1])",
    tex=r"\frac{[0]}{[1]}",
    coq="[0] / [1]",
    value=quotient,
    precedence=40,
)
BEFORE = entry(
    "weight of replaced records before a value",
    takes=(*SIDE, "bool", "bool"),
    gives="R",
    words="P(X_([6]+)=[7] | X_[5]=[8]) G_[7]([8])",
    tex=r"\Pr(X_{[6]_+}=[7] \mid X_{[5]}=[8])\, G_{[7]}([8])",
    coq="RelaxedBound.medium_before [0] [1] [2] [3] [4] [5] [6] [7] [8]",
    value=_before,
    meaning=f"{STEPS} X_(t+) is the record next to X_t that is farther from X_p. G_z(x) is {G_OF} "
    f"| X_p = x, X_(t+) = z). {M_T}",
)
MEAN = entry(
    "weight of replaced records",
    takes=(*SIDE, "bool"),
    gives="R",
    words="G([7])",
    tex="G([7])",
    coq="RelaxedBound.medium_mean [0] [1] [2] [3] [4] [5] [6] [7]",
    value=_mean,
    meaning=f"{STEPS} G(x) is {G_OF} | X_p = x). {M_T}",
)
PRODUCT = entry(
    "product over records of M",
    takes=SIDE,
    gives="R",
    words="prod_(k in M_[6]) [4]_k",
    tex=r"\prod_{k \in M_{[6]}} [4]_k",
    coq="RelaxedBound.medium_product [0] [1] [2] [3] [4] [5] [6]",
    value=lambda *at: Side(*at).products()[-1],
    meaning=M_T,
)
LEAST = entry(
    "least product over subsets of M",
    takes=SIDE,
    gives="R",
    words="min_A (prod_(k in A) [4]_k)",
    tex=r"\min_{A \subseteq M_{[6]}} \prod_{k \in A} [4]_k",
    coq="RelaxedBound.least_product [0] [1] [2] [3] [4] [5] [6]",
    value=lambda *at: min(Side(*at).products()),
    meaning=f"A are the subsets of M_t; the product over none is 1. {M_T}",
)
LARGEST = entry(
    "largest product over subsets of M",
    takes=SIDE,
    gives="R",
    words="max_A (prod_(k in A) [4]_k)",
    tex=r"\max_{A \subseteq M_{[6]}} \prod_{k \in A} [4]_k",
    coq="RelaxedBound.largest_product [0] [1] [2] [3] [4] [5] [6]",
    value=lambda *at: max(Side(*at).products()),
    meaning=f"A are the subsets of M_t; the product over none is 1. {M_T}",
)
DELTAS = (
    "There are n records X_0 .. X_(n-1). e^delta_t is 1 if X_t is the last one of its side; else, "
    "of the record next to it that is farther from X_p, it is e^i0(|t-p| + 1) if that is in M, and "
    "e^i1(|t-p| + 1) if it is in S."
)
WHOLE = ("R", "R", "R", "R", SHARES_OF, "nat", "nat", "nat")
CONDITIONS = entry(
    "conditions (5) and (6)",
    takes=("R", *WHOLE),
    words="(5) and (6) hold at the level [0] on the side of X_[8]",
    tex=r"(5), (6) \text{ hold at } [0] \text{ on the side of } X_{[8]}",
    coq="RelaxedBound.side_conditions [0] [1] [2] [3] [4] [5] [6] [7] [8]",
    value=_conditions,
    relation="<=",
    meaning=f"{STEPS} (5) at the level R: P(X_(s+)=z | X_p=x) G_z(x) <= R P(X_(s+)=z | X_p=1-x) "
    "G_z(1-x) for both x, all records X_s of M on the side except the last record of the side, and "
    "all z that X_(s+) shows with positive probability. (6): G(x) <= R G(1-x) for both x, if the "
    "last record X_s of the side is in M. X_(s+) is the record next to X_s that is farther from "
    f"X_p. G_z(x) is {G_OF.replace('M_t', 'M_s')} | X_p = x, X_(s+) = z); G(x) is the same without "
    f"X_(s+). {M_S}",
)
UNREDACTED = entry(
    "no redaction",
    takes=(SHARES_OF,),
    words="[0]_k = 1 for each k",
    tex=r"\forall k:\ [0]_k = 1",
    coq="RelaxedBound.unredacted [0]",
    value=lambda q: (each == 1 for each in q),
    relation="truth",
)
DELTA = entry(
    "influence of the record behind",
    takes=("R", "R", "R", "R", "nat", "nat", "nat"),
    gives="R",
    words="e^delta_[6]",
    tex=r"e^{\delta_{[6]}}",
    coq="RelaxedBound.delta_at [0] [1] [2] [3] [4] [5] [6]",
    value=lambda a, b, E, F, n, p, t: Side(a, b, E, F, [ONE], p, t).delta(n, abs(t - p)),
    meaning=f"{DELTAS} If X_t is not in M, e^delta_t stands for 1. {REGIONS} {CURVES}",
)
RELAXED = entry(
    "relaxed bound of a side",
    takes=WHOLE,
    gives="R",
    words="max{1, max_(s in M) e^delta_s/prod_(k in M_s) [4]_k}",
    tex=r"\max\{1, \max_{s \in M} e^{\delta_s} / \prod_{k \in M_s} [4]_k\}",
    coq="RelaxedBound.relaxed_bound [0] [1] [2] [3] [4] [5] [6] [7]",
    value=_relaxed,
    meaning=f"X_s is on the side of X_t. {DELTAS.replace('_t', '_s').replace('t-p', 's-p')} {M_S}",
)
FIRST_OUTSIDE = entry(
    "influence of the first record outside L",
    takes=("R", "R", "R", "R", "nat", "nat", "nat"),
    gives="R",
    words="e^i*",
    tex="e^{i^*}",
    coq="RelaxedBound.first_influence [0] [1] [2] [3] [4] [5] [6]",
    value=lambda a, b, E, F, n, p, t: Side(a, b, E, F, [ONE], p, t).first(n),
    meaning="With D the distance from X_p of the first record on the side of X_t that is not in L, "
    "e^i* is e^i0(D) if it is in M, e^i1(D) if it is in S, and 1 if there is none. "
    f"{REGIONS} {CURVES}",
)
