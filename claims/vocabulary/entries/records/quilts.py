"""Sets of records of a stationary chain of bits: what they tell of a record, and Markov quilts:
QuiltsOfRecords.v.
"""

from collections.abc import Iterator
from itertools import pairwise, product
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.records.redaction import Numbers
from pufferproof.claims.vocabulary.entries.records.stationary import CHAIN, ONE, SHARES_OF, power, start, told
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import naturals
from pufferproof.claims.vocabulary.terms import Sort, entry

RECORDS = "nat -> bool"
SET_OF_RECORDS = Sort(RECORDS, "a set of numbers of records", "list nat", "(fun k => existsb (Nat.eqb k) {})", naturals)
Records = frozenset[int]


def _influences(
    R: Fraction, a: Fraction, b: Fraction, n: int, p: int, Q: Records
) -> Iterator[tuple[Fraction, Fraction]]:
    shown = [[ZERO, ZERO] if k in Q else [ONE, ONE] for k in range(n)]
    (zero, one), values = told(a, b, n, p, shown)
    if zero > 0 and one > 0:
        for with_zero, with_one in values:
            yield with_zero * one, R * zero * with_one
            yield with_one * zero, R * one * with_zero


def _quilt(a: Fraction, b: Fraction, n: int, p: int, Q: Records, N: Records) -> Iterator[tuple[Fraction, Fraction]]:
    law, step = start(a, b), power(a, b, 1)
    tables = {
        x: prod((step[u][v] for u, v in pairwise(x)), start=law[x[0]] if x else ONE) for x in product((0, 1), repeat=n)
    }

    def weight(y: tuple[int, ...], at: Records, value: int | None) -> Fraction:
        return sum(
            (
                w
                for x, w in tables.items()
                if all(x[k] == y[k] for k in at if k < n) and (value is None or (p < n and x[p] == value))
            ),
            ZERO,
        )

    off = frozenset(k for k in range(n) if k not in N)
    for y, value in product(tables, (0, 1)):
        left = weight(y, off, value) * weight(y, Q, None)
        yield left, weight(y, Q, value) * weight(y, off, None)


def _all_released(Q: Records, rho: Numbers) -> Iterator[tuple[Fraction, Fraction]]:
    return ((late(rho, k), ONE) for k in sorted(Q))


INFLUENCES = entry(
    "influence of a record at most",
    takes=("R", "R", "R", "nat", "nat", RECORDS),
    words="e^Inf(X_[4] ~> X_[5]) <= [0]",
    tex=r"e^{\mathrm{Inf}(X_{[4]} \rightsquigarrow X_{[5]})} \le [0]",
    coq="QuiltsOfRecords.influences_at_most [0] [1] [2] [3] [4] [5]",
    value=_influences,
    relation="<=",
    meaning=f"{CHAIN} e^Inf(X_p ~> X_Q) is the largest P(X_Q = y | X_p = x)/P(X_Q = y | X_p = 1-x) over y and x.",
)
QUILT = entry(
    "quilt among records",
    takes=("R", "R", "nat", "nat", RECORDS, RECORDS),
    words="given X_[4], X_[3] is independent of the records outside [5]",
    tex=r"X_{[3]} \perp X_{[2] \setminus [5]} \mid X_{[4]}",
    coq="QuiltsOfRecords.quilt_of [0] [1] [2] [3] [4] [5]",
    value=_quilt,
    relation="=",
    meaning=CHAIN,
)
RELEASED = entry(
    "records that are released",
    takes=(RECORDS, SHARES_OF),
    words="[1]_k < 1 for each k in [0]",
    tex=r"\forall k \in [0]:\ [1]_k < 1",
    coq="forall k_, [0] k_ = true -> [1] k_ < 1",
    value=_all_released,
    precedence=200,
    relation="<",
)
REPLACED = entry(
    "records that are replaced",
    takes=(RECORDS, SHARES_OF),
    words="[1]_k = 1 for each k in [0]",
    tex=r"\forall k \in [0]:\ [1]_k = 1",
    coq="forall k_, [0] k_ = true -> [1] k_ = 1",
    value=_all_released,
    precedence=200,
    relation="=",
)
