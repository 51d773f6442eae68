"""Kinds of redaction of a stationary chain of bits: data-independent, one-sided, and with three
regions: DataIndependent.v and SidesOfRecord.v.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.records.stationary import (
    BITS,
    CURVES,
    ONE,
    SHARES_OF,
    Chances,
    i0,
    i1,
    start,
)
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.terms import entry

Numbers = Sequence[Fraction]


class Endless(Sequence[list[Fraction]]):
    """Chances of records without end, each pair made from the number of its record."""

    def __init__(self, at: Callable[[int], list[Fraction]]) -> None:
        self.at = at

    def __len__(self) -> int:
        return sys.maxsize

    def __getitem__(self, k: Any) -> Any:
        return self.at(k)

    def __iter__(self) -> Iterator[list[Fraction]]:
        raise TypeError("expected a number of records, found chances without end")


def _changed(r: Chances, kept: Callable[[int], bool]) -> Chances:
    """Return chances that are 1 at records that are not kept."""
    return Endless(lambda k: late(r, k) if kept(k) else [ONE, ONE])


def _budget(El: Fraction, Er: Fraction, p: int, k: int) -> Fraction:
    return El if k < p else Er


def _three_r(a: Fraction, b: Fraction, El: Fraction, Er: Fraction, q: Numbers, p: int) -> Chances:
    def at(k: int) -> list[Fraction]:
        budget, D = _budget(El, Er, p, k), abs(k - p)
        if k == p or budget < i0(a, b, D):
            return [ONE, ONE]
        return [late(q, k), ONE] if budget < i1(a, b, D) else [ZERO, ZERO]

    return Endless(at)


def _three_r_share(a: Fraction, b: Fraction, El: Fraction, Er: Fraction, q: Numbers, n: int, p: int) -> Fraction:
    total = ZERO
    for k in range(n):
        budget, D = _budget(El, Er, p, k), abs(k - p)
        if k != p and budget >= i0(a, b, D):
            medium = budget < i1(a, b, D)
            total += start(a, b)[0] * (1 - late(q, k)) if medium else ONE
    return quotient(total, Fraction(n))


def _radius(rho: Numbers, n: int, p: int, Dl: int, Dr: int) -> Iterator[bool]:
    yield Dl <= p and p + Dr < n
    yield all(late(rho, j) == 1 for j in range(max(p - Dl, 0), p + Dr + 1))
    yield Dl >= p or late(rho, p - Dl - 1) < 1
    yield p + Dr + 1 >= n or late(rho, p + Dr + 1) < 1


def _of_radius(a: Fraction, b: Fraction, n: int, p: int, Dl: int, Dr: int) -> Fraction:
    left = i1(a, b, Dl + 1) if Dl < p else ONE
    return left * (i1(a, b, Dr + 1) if Dr < n - p - 1 else ONE)


def _exactly(a: Fraction, b: Fraction, n: int, p: int, Dl: int, Dr: int) -> Fraction:
    both = Dl < p and Dr < n - p - 1
    if both and a + b > 1 and (Dl + Dr) % 2:
        one = i1(a, b, Dl + 1) * i0(a, b, Dr + 1)
        return max(one, i0(a, b, Dl + 1) * i1(a, b, Dr + 1))
    return _of_radius(a, b, n, p, Dl, Dr)


def _first(a: Fraction, b: Fraction, R: Fraction, D: int, times: int = 1) -> Iterator[bool]:
    yield D >= 1
    yield i1(a, b, D) ** times <= R
    yield all(R < i1(a, b, k) ** times for k in range(1, D))


def _two_sided(fewer: int, De: int, Dh: int, p: int, n: int) -> Fraction:
    return 1 - quotient(Fraction(min(De + p, max(2 * Dh - fewer, 0))), Fraction(n))


SHARES = entry(
    "shares",
    takes=(SHARES_OF,),
    words="0 <= [0]_k <= 1 for each k",
    tex=r"\forall k:\ 0 \le [0]_k \le 1",
    coq="RedactionLeakage.shares [0]",
    value=lambda rho: (0 <= each <= 1 for each in rho),
    relation="truth",
)
ALWAYS = entry(
    "chance 1", takes=(), gives=SHARES_OF, words="1", tex="1", coq="(fun _ => 1)", value=lambda: [ONE], precedence=0
)
DIM = entry(
    "data-independent chances",
    takes=(SHARES_OF,),
    gives=BITS,
    words="[0]",
    tex="[0]",
    coq="(RedactionLeakage.dim [0])",
    value=lambda rho: [[each, each] for each in rho],
    precedence=0,
    meaning="A data-independent mechanism replaces X_k with a probability that is one number, not "
    "a pair, whatever its value.",
)
DIM_SHARE = entry(
    "share that a data-independent mechanism shows",
    takes=(SHARES_OF, "nat"),
    gives="R",
    words="1/[1] sum_(k < [1]) (1 - [0]_k)",
    tex=r"\textstyle\frac1{[1]} \sum_{k < [1]} (1 - [0]_k)",
    coq="DataIndependent.dim_share [0] [1]",
    value=lambda rho, n: quotient(sum((1 - late(rho, k) for k in range(n)), ZERO), Fraction(n)),
)
UP_TO = entry(
    "chances up to a record",
    takes=("nat", BITS),
    gives=BITS,
    words="[1] of records up to [0]",
    tex="[1]^{(l)}",
    coq="(SidesOfRecord.up_to [0] [1])",
    value=lambda p, r: _changed(r, lambda k: k <= p),
    precedence=0,
    meaning="The output Y^(l) is Y with all records after X_p replaced, Y^(r) is Y with all "
    "records before X_p replaced.",
)
FROM_ON = entry(
    "chances from a record on",
    takes=("nat", BITS),
    gives=BITS,
    words="[1] of records from [0] on",
    tex="[1]^{(r)}",
    coq="(SidesOfRecord.from_on [0] [1])",
    value=lambda p, r: _changed(r, lambda k: k >= p),
    precedence=0,
)
THREE_R = entry(
    "chances of a 3R mechanism",
    takes=("R", "R", "R", "R", SHARES_OF, "nat"),
    gives=BITS,
    words="3R([2], [3], [4])",
    tex=r"\mathrm{3R}([2], [3], [4])",
    coq="(SidesOfRecord.three_r [0] [1] [2] [3] [4] [5])",
    value=_three_r,
    precedence=0,
    meaning="3R(E, F, q) is the 3R mechanism for X_p with the budgets e^eps_l = E and e^eps_r = F: "
    "with B = E for k < p, B = F for k > p, and D = |k - p|, record k is always replaced if B < "
    "e^i0(D); it is replaced with probability q_k if it is 0, and always if it is 1, if e^i0(D) <= "
    "B < e^i1(D); it is shown if e^i0(D) <= B and e^i1(D) <= B. X_p is always replaced. "
    f"{CURVES}",
)
THREE_R_SHARE = entry(
    "share that a 3R mechanism shows",
    takes=("R", "R", "R", "R", SHARES_OF, "nat", "nat"),
    gives="R",
    words="(|S| + b/(a+b) sum_(k in M) (1 - [4]_k))/[5]",
    tex=r"\frac1{[5]}\Bigl(|S| + \frac{[1]}{[0]+[1]} \sum_{k \in M} (1 - [4]_k)\Bigr)",
    coq="SidesOfRecord.three_r_share [0] [1] [2] [3] [4] [5] [6]",
    value=_three_r_share,
    meaning="M are the records with e^i0(D) <= B < e^i1(D), S those with e^i0(D) <= B and e^i1(D) <= B, without X_p.",
)
RADIUS = entry(
    "radius of redaction",
    takes=(SHARES_OF, "nat", "nat", "nat", "nat"),
    words="([3], [4]) is the redaction radius of [0] around X_[2]",
    tex=r"([3], [4]) \text{ is the radius of } [0]",
    coq="DataIndependent.radius [0] [1] [2] [3] [4]",
    value=_radius,
    relation="truth",
    meaning="The redaction radius around X_p is (Dl, Dr) if X_(p-Dl), .., X_(p+Dr) are always "
    "replaced, and X_(p-Dl-1) and X_(p+Dr+1), as far as there are such records among n, are not.",
)
PARITY = entry(
    "radius even or to one side",
    takes=("nat", "nat", "nat"),
    words="[1] + [2] is even or [1] = [0]",
    tex=r"[1] + [2] \text{ is even or } [1] = [0]",
    coq="DataIndependent.even_or_one_sided [0] [1] [2]",
    value=lambda p, Dl, Dr: iter(((Dl + Dr) % 2 == 0 or Dl == p,)),
    relation="truth",
)
OF_RADIUS = entry(
    "influences of the nearest records",
    takes=("R", "R", "nat", "nat", "nat", "nat"),
    gives="R",
    words="e^(1([4] < [3]) i1([4] + 1) + 1([5] < [2] - [3] - 1) i1([5] + 1))",
    tex=r"e^{1([4]<[3])\, i_1([4]+1) + 1([5]<[2]-[3]-1)\, i_1([5]+1)}",
    coq="DataIndependent.of_radius [0] [1] [2] [3] [4] [5]",
    value=_of_radius,
    meaning=f"1(..) is 1 if the inequality holds, and 0 otherwise. {CURVES}",
)
EXACTLY = entry(
    "leakage of a radius",
    takes=("R", "R", "nat", "nat", "nat", "nat"),
    gives="R",
    words="L([4], [5])",
    tex="L([4], [5])",
    coq="DataIndependent.leakage_of_radius [0] [1] [2] [3] [4] [5]",
    value=_exactly,
    meaning="L(Dl, Dr) is the product of e^i1(Dl + 1), if Dl < p, and e^i1(Dr + 1), if Dr < "
    "n - p - 1; if there are both, lam < 0, and Dl + Dr is odd, it is the larger of e^(i1(Dl + 1) "
    f"+ i0(Dr + 1)) and e^(i0(Dl + 1) + i1(Dr + 1)). {CURVES}",
)
FIRST = entry(
    "least distance for a level",
    takes=("R", "R", "R", "nat"),
    words="[3] is the least D >= 1 with e^i1(D) <= [2]",
    tex=r"[3] = \min \{D \ge 1 : e^{i_1(D)} \le [2]\}",
    coq="RedactionUtility.first_at_most (TwoStates.i1 [0] [1]) [2] [3]",
    value=_first,
    relation="truth",
    meaning=CURVES,
)
FIRST_OF_HALF = entry(
    "least distance for half of a level",
    takes=("R", "R", "R", "nat"),
    words="[3] is the least D >= 1 with e^(2 i1(D)) <= [2]",
    tex=r"[3] = \min \{D \ge 1 : e^{2 i_1(D)} \le [2]\}",
    coq="RedactionUtility.first_at_most (fun D_ => TwoStates.i1 [0] [1] D_ * TwoStates.i1 [0] [1] D_) [2] [3]",
    value=lambda a, b, R, D: _first(a, b, R, D, 2),
    relation="truth",
    meaning=CURVES,
)
HALF = entry(
    "in the first half",
    takes=("nat", "nat"),
    words="2 ([0] + 1) <= [1]",
    tex=r"2([0] + 1) \le [1]",
    coq="(2 * S [0] <= [1])%nat",
    value=lambda p, n: iter((2 * (p + 1) <= n,)),
    precedence=0,
    relation="truth",
)
AFTER = entry(
    "number of records after",
    takes=("nat", "nat"),
    gives="nat",
    words="[0] - [1] - 1",
    tex="[0] - [1] - 1",
    coq="([0] - S [1])%nat",
    value=lambda n, p: max(n - p - 1, 0),
    precedence=0,
)
BELOW_BOTH = entry(
    "level below both ends",
    takes=("R", "R", "R", "nat", "nat"),
    words="[2] < e^(i1([4]) + i1([3] - [4] - 1)), or [4] = 0",
    tex=r"[2] < e^{i_1([4]) + i_1([3]-[4]-1)} \text{ or } [4] = 0",
    coq="DataIndependent.below_both [0] [1] [2] [3] [4]",
    value=lambda a, b, R, n, p: iter((p == 0 or R < i1(a, b, p) * i1(a, b, max(n - p - 1, 0)),)),
    relation="truth",
)
ONE_SIDED = entry(
    "bound of one side",
    takes=("nat", "nat", "nat"),
    gives="R",
    words="1 - ([0] + [1])/[2]",
    tex="1 - ([0] + [1])/[2]",
    coq="DataIndependent.one_sided_bound [0] [1] [2]",
    value=lambda De, p, n: 1 - quotient(Fraction(De + p), Fraction(n)),
)
TWO_SIDED = entry(
    "bound of two sides",
    takes=("nat", "nat", "nat", "nat"),
    gives="R",
    words="1 - min{[0] + [2], 2 [1] - 2}/[3]",
    tex=r"1 - \min\{[0] + [2], 2[1] - 2\}/[3]",
    coq="DataIndependent.two_sided_bound 2%nat [0] [1] [2] [3]",
    value=lambda De, Dh, p, n: _two_sided(2, De, Dh, p, n),
)
ANY_TWO_SIDED = entry(
    "bound of two sides, any chain",
    takes=("nat", "nat", "nat", "nat"),
    gives="R",
    words="1 - min{[0] + [2], 2 [1] - 3}/[3]",
    tex=r"1 - \min\{[0] + [2], 2[1] - 3\}/[3]",
    coq="DataIndependent.two_sided_bound 3%nat [0] [1] [2] [3]",
    value=lambda De, Dh, p, n: _two_sided(3, De, Dh, p, n),
)
