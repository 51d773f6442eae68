"""Weights of sequences of bits that attract one another, means of functions of them, and columns
with a level for each bit: Supermodular.v and LevelColumns.v.

Bits are counted from 0. At an instance a function of sequences of n bits is a list of 2^n numbers,
one for each sequence in the order of the numbers that they are.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise, product
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.counts import INITIAL, STEPS, Steps
from pufferproof.claims.vocabulary.entries.records.accounts import RECORDS_IN_COQ
from pufferproof.claims.vocabulary.entries.records.stationary import SHARES_OF
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import row
from pufferproof.claims.vocabulary.terms import Entry, Sort, entry

ONE, ZERO = Fraction(1), Fraction(0)
Bits = tuple[int, ...]
Function = Sequence[Fraction] | Callable[[Bits], Fraction]
Pairs = Iterator[tuple[Fraction, Fraction]]
FUNCTION_OF = "list bool -> R"


def function(words: str = "a real function of sequences of bits") -> Sort:
    """A function of sequences of bits."""
    return Sort(FUNCTION_OF, words, "list Q", "Attracted.bits_read {}", row)


def at(u: Function, bits: Bits) -> Fraction:
    """Return the value of a function of sequences of bits."""
    if callable(u):
        return u(bits)
    place = sum(x << k for k, x in enumerate(reversed(bits)))
    return u[place] if place < len(u) else ZERO


def sequences(n: int) -> list[Bits]:
    """Return the sequences of n bits."""
    return [*product((0, 1), repeat=n)]


def chain_law(initial: Sequence[Fraction], T: Steps) -> Callable[[Bits], Fraction]:
    """Return the law of a chain of bits."""

    def law(bits: Bits) -> Fraction:
        steps = (late(T, k)[x][y] for k, (x, y) in enumerate(pairwise(bits)))
        return prod(steps, start=initial[bits[0]] if bits else ONE)

    return law


def _mean(value: int) -> Callable[..., Fraction]:
    def found(mu: Function, u: Function, n: int, i: int) -> Fraction:
        some = (x for x in sequences(n) if i < n and x[i] == value)
        return sum((at(mu, x) * at(u, x) for x in some), ZERO)

    return found


def _attract(mu: Function, n: int) -> Pairs:
    for x in sequences(n):
        yield ZERO, at(mu, x)
        for y in sequences(n):
            both = tuple(map(max, x, y)), tuple(map(min, x, y))
            yield at(mu, x) * at(mu, y), at(mu, both[0]) * at(mu, both[1])


def _exchanged(some: Collection[int], u: Function) -> Callable[[Bits], Fraction]:
    return lambda bits: at(u, tuple(x ^ (k in some) for k, x in enumerate(bits)))


def _column(w: Sequence[Fraction], n: int, u: Function) -> Pairs:
    for x in sequences(n):
        yield ZERO, at(u, x)
        for j in range(n):
            other = at(u, (*x[:j], 1 - x[j], *x[j + 1 :]))
            yield ONE, late(w, j)
            yield at(u, x), late(w, j) * other


def _favour(value: int) -> Callable[..., Callable[[Bits], Fraction]]:
    def found(w: Sequence[Fraction]) -> Callable[[Bits], Fraction]:
        return lambda bits: prod((late(w, k) for k, x in enumerate(bits) if x == value), start=ONE)

    return found


CHAIN_LAW = entry(
    "law of a chain of bits",
    takes=(INITIAL, STEPS),
    gives=FUNCTION_OF,
    words="([0], [1])",
    tex="([0], [1])",
    coq="Chain.chain_weight [0] [1]",
    value=chain_law,
    meaning="(p, P) is the law of a chain of bits X_0, X_1, .. with the law p of X_0 and the step "
    "P_k from X_k to X_(k+1).",
)
ATTRACT = entry(
    "bits attract one another",
    takes=(FUNCTION_OF, "nat"),
    words="[0] is nowhere negative, and [0](x) [0](y) <= [0](x or y) [0](x and y), for all "
    "sequences x and y of [1] bits",
    tex=r"0 \le [0](x),\ [0](x)\, [0](y) \le [0](x \vee y)\, [0](x \wedge y)",
    coq="Supermodular.attract [0] [1]",
    value=_attract,
    relation="<=",
    meaning="x or y and x and y are the larger and the smaller of x and y, bit by bit. Products of "
    "such functions are such functions, so that a network of bits with such tables has such a law.",
)
EXCHANGED = entry(
    "exchanged values",
    takes=(RECORDS_IN_COQ, FUNCTION_OF),
    gives=FUNCTION_OF,
    words="[1]^[0]",
    tex="[1]^{[0]}",
    coq="LevelColumns.exchanged [0] [1]",
    value=_exchanged,
    meaning="u^e(x) is u at x with the values of all bits in e exchanged: u in exchanged values.",
)
COLUMN = entry(
    "column of levels",
    takes=(SHARES_OF, "nat", FUNCTION_OF),
    words="[2] is nowhere negative, and [0]_j >= 1 and [2](x) <= [0]_j [2](y) for all sequences x and y "
    "of [1] bits that differ in bit j alone",
    tex=r"0 \le [2](x),\ 1 \le [0]_j,\ [2](x) \le [0]_j\, [2](x \oplus e_j)",
    coq="LevelColumns.column [0] [1] [2]",
    value=_column,
    relation="<=",
)


def _of_value(value: int, coq: str) -> tuple[Entry, Entry]:
    """Return the mean over sequences with X_i = value, and the product of levels at the value."""
    return (
        entry(
            f"mean with bit {value}",
            takes=(FUNCTION_OF, FUNCTION_OF, "nat", "nat"),
            gives="R",
            words=f"E_[0]([1]; X_[3] = {value})",
            tex=f"E_{{[0]}}([1]; X_{{[3]}} = {value})",
            coq=f"Supermodular.mean [0] [1] [2] [3] {coq}",
            value=_mean(value),
            meaning="E_m(u; X_i = x) is the sum of m(X) u(X) over all sequences X of n bits X_0, "
            "X_1, .. with X_i = x: if m is a law, the mean of u given X_i = x times the "
            "probability of X_i = x.",
        ),
        entry(
            f"levels at bit {value}",
            takes=(SHARES_OF,),
            gives=FUNCTION_OF,
            words=f"prod_j [0]_j^[X_j = {value}]",
            tex=rf"\prod_j [0]_j^{{[X_j = {value}]}}",
            coq=f"LevelColumns.favour [0] {coq}",
            value=_favour(value),
        ),
    )


(MEAN_0, LEVELS_0), (MEAN_1, LEVELS_1) = _of_value(0, "false"), _of_value(1, "true")
