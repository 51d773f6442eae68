"""A mechanism that hides each of several fair bits and tells all of them: FairBits.v,
MatchingBits.v.
"""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import product
from operator import xor

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.collapses import HALF, RUNS, Sides, expected_runs, shown
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, joint, weight
from pufferproof.claims.vocabulary.sorts import listed, natural, row
from pufferproof.claims.vocabulary.terms import Sort, entry

Bits = tuple[int, ...]
ON_BITS = Sort("Chain.vec bool n -> R", "a real function on tables of n bits", "list Q", "law_of_bits {}", row)
SOME_BITS = Sort(
    "Chain.vec bool n",
    "a table of n bits",
    "list nat",
    "vec_of false _ (map (Nat.eqb 1) {})",
    lambda bits: listed(natural)(bits),
)
LAW_OF_BITS, TABLE_OF_BITS = ON_BITS.coq, SOME_BITS.coq


def differences(x: Bits) -> Bits:
    """Return the output of type A."""
    return tuple(each ^ x[0] for each in x[1:])


def parity(x: Bits) -> int:
    """Return the output of type B: of all bits for odd n, else of all but the first."""
    return reduce(xor, x if len(x) % 2 else x[1:], 0)


@cache
def databases(n: int) -> list[Bits]:
    """List all databases of n bits."""
    return list(product(range(2), repeat=n))


@cache
def bits_mechanism(n: int) -> tuple[list[Bits], list[list[Fraction]]]:
    """Return the outputs of the mechanism of Example 2, tuples of type A and then 0 and 1, and its
    rows.
    """
    outputs = [*databases(max(n - 1, 0)), (0,), (1,)]
    kinds = len(outputs) - 2
    found = []
    for x in databases(n):
        row = [HALF * (w < kinds and y == differences(x)) for w, y in enumerate(outputs)]
        row[kinds + parity(x)] = HALF
        found.append(row)
    return outputs, found


@cache
def with_bit(n: int, i: int, j: int) -> frozenset[int]:
    """Return the databases whose bit i, counted from 0, is j."""
    return frozenset(number for number, y in enumerate(databases(n)) if y[i] == j)


@cache
def bits_time(x: Bits) -> Fraction | None:
    """Return the expected number of runs on x until x is told, None for infinite."""
    _, M = bits_mechanism(len(x))
    place = databases(len(x)).index(x)
    return expected_runs(M, place, frozenset(range(len(M))), shown(place))


def _fair(n: int, p: Law) -> Sides:
    return ((chance, HALF**n) for chance in p)


def _hide(n: int, p: Law) -> Sides:
    _, M = bits_mechanism(n)
    everything = frozenset(range(len(p)))
    evidence = [joint(p, M, everything, w) for w in range(len(M[0]))]
    for i, j in product(range(n), range(2)):
        s = with_bit(n, i, j)
        chance = weight(p, s)
        for w, each in enumerate(evidence):
            yield joint(p, M, s, w), chance * each


def _given(n: int, p: Law) -> Sides:
    outputs, M = bits_mechanism(n)
    kinds = len(outputs) - 2
    for i, j in product(range(n), range(2)):
        s = with_bit(n, i, j)
        chance = weight(p, s)
        for w in (kinds, kinds + 1):
            yield joint(p, M, s, w), chance / 4
        for w, y in enumerate(outputs[:kinds]):
            found = joint(p, M, s, w)
            matching = [x for x in s if differences(databases(n)[x]) == y]
            yield found, HALF**n * chance
            yield found, p[matching[0]] / 2 if len(matching) == 1 else found + 1


def _runs(n: int, p: Law, x: Bits, number: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    found = None
    if n > 2 and all(a == b for a, b in _fair(n, p)):
        found = bits_time(tuple(x))
    yield (abs(number) + 1, number) if found is None else (found, number)


def _both_tell(n: int, x: Bits) -> Iterator[tuple[int, int]]:
    x = tuple(x)
    yield reduce(xor, differences(x), 0), reduce(xor, x[1:] if n % 2 else x, 0)
    both = differences(x), parity(x)
    yield sum((differences(y), parity(y)) == both for y in databases(n)), 1


MEANING = (
    "Example 2 shows a table x of n bits as the exclusive or of x_1 with each of x_2, .., x_n "
    "(type A) or, for odd n, as that of all bits, and for even n, as that of x_2, .., x_n (type "
    "B), each with probability 1/2."
)
TWO = entry(
    "2, a natural number", takes=(), gives="nat", words="2", tex="2", coq="2%nat", value=lambda: 2, precedence=0
)
FAIR = entry(
    "fair bits",
    takes=("nat", LAW_OF_BITS),
    words="[1] is the law of [0] independent fair bits: [1](x) = 2^-[0] for every table x of [0] bits",
    tex=r"\forall x \in \{0, 1\}^{[0]}:\ [1](x) = 2^{-[0]}",
    coq="@FairBits.fair [0] [1]",
    value=_fair,
    relation="=",
)
HIDES = entry(
    "bits are hidden",
    takes=("nat", LAW_OF_BITS),
    words="for every i = 1, .., [0], j = 0, 1 and every output w of Example 2 on [0] bits, "
    "P_[1](x_i = j, w) = P_[1](x_i = j) P_[1](w)",
    tex=r"\forall i, j, w:\ P_{[1]}(x_i = j \mid w) = P_{[1]}(x_i = j)",
    coq="@FairBits.bits_hide [0] [1]",
    value=_hide,
    relation="=",
    meaning=MEANING,
)
BOTH_TELL = entry(
    "both types tell",
    takes=("nat", TABLE_OF_BITS),
    words="in Example 2 on [0] bits, the exclusive or of the entries of the tuple of type A on [1] is "
    "that of all bits of [1] but the first if [0] is odd, and that of all bits of [1] "
    "otherwise, and no table of [0] bits but [1] shows both this tuple and the value of type B on "
    "[1]",
    tex=r"\textstyle\bigoplus_{i > 1} ([1]_i \oplus [1]_1) = \bigoplus_{i > ([0] \bmod 2)} [1]_i,\ "
    r"(A, B)([1]) \mapsto [1]",
    coq="@MatchingBits.both_tell [0] [1]",
    value=_both_tell,
    relation="=",
    meaning=MEANING,
)
GIVEN = entry(
    "likelihoods given a bit",
    takes=("nat", LAW_OF_BITS),
    words="for every i = 1, .., [0] and j = 0, 1, in Example 2 on [0] bits P_[1](c, x_i = j) = "
    "1/4 P_[1](x_i = j) for each value c of type B, and for each tuple y of type A there is one "
    "table x of [0] bits with x_i = j that shows y, and P_[1](y, x_i = j) = [1](x)/2 = "
    "2^-[0] P_[1](x_i = j)",
    tex=r"\forall i, j:\ P_{[1]}(c \mid x_i = j) = \tfrac{1}{4},\ "
    r"P_{[1]}(y \mid x_i = j) = \tfrac{1}{2} P_{[1]}(x \mid x_i = j) = 2^{-[0]}",
    coq="@MatchingBits.bits_given [0] [1]",
    value=_given,
    relation="=",
    meaning=MEANING,
)
TELLS = entry(
    "expected runs of bits",
    takes=("nat", LAW_OF_BITS, TABLE_OF_BITS, "R"),
    words="[1] is the law of [0] > 2 independent fair bits, and [3] is the expected number of runs of "
    "Example 2 on [2] until [2] is told",
    tex=r"E(\text{runs on } [2]) = [3]",
    coq="@FairBits.bits_runs [0] [1] [2] [3]",
    value=_runs,
    relation="=",
    meaning=f"{MEANING} {RUNS}",
)
