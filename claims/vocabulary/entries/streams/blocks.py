"""Streams of blocks that are seen through windows: Streams.v.

A sequence without end is a list at an instance, and its last entry goes on. A mechanism on windows
has its rows in the order of the windows; where there is no such row, all of it is 0.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law
from pufferproof.claims.vocabulary.terms import Log, entry

Laws = Sequence[Law]
Windows = Sequence[Sequence[Law]]
Blocks = Sequence[int]
Levels = Sequence[Sequence[Log]]
ONE = Fraction(1)
LAWS, WINDOWS = "nat -> 'B -> R", "nat -> list 'B -> 'W -> R"
LEVELS, OUTPUTS, BLOCKS = "nat -> 'W -> level", "list 'W", "list 'B"


def late(things: Sequence[Any], number: int) -> Any:
    """Return an entry of a sequence of which the last entry goes on."""
    return things[min(number, len(things) - 1)]


def row_of(K: Windows, k: int, window: Blocks, sizes: tuple[int, int]) -> Law:
    """Return the row of a window at a step, or zeros where there is none."""
    blocks, outputs = sizes
    place = 0
    for block in window:
        place = place * blocks + block
    rows = late(K, k)
    return rows[place] if place < len(rows) else [ZERO] * outputs


def _sizes(p: Laws, K: Windows) -> tuple[int, int]:
    return len(p[0]), len(K[0][0])


def step(p: Laws, B: int, K: Windows, k: int, y: int, z: Blocks) -> Fraction:
    """Return the probability of an output of a step, the oldest block being drawn."""
    sizes = _sizes(p, K)
    law = enumerate(late(p, k))
    return sum((a * row_of(K, k, [b, *z][:B], sizes)[y] for b, a in law), ZERO)


def known(p: Laws, B: int, j: int, z: Blocks) -> Iterator[bool]:
    """Yield whether z is as long as a window less one block, and each block is possible."""
    yield len(z) == max(B - 1, 0)
    yield all(late(p, j + i)[b] > 0 for i, b in enumerate(z))


def all_known(p: Laws, B: int, j: int) -> list[Blocks]:
    """List all possible known blocks."""
    every = product(range(len(p[0])), repeat=max(B - 1, 0))
    return [z for z in every if all(known(p, B, j, z))]


def _within(p: Laws, B: int, K0: Windows, K1: Windows, gamma: Levels) -> Iterator[tuple[Fraction, Fraction]]:
    for k in range(max(map(len, (p, K0, K1, gamma))) + 1):
        zs = all_known(p, B, k + 1)
        for y in range(len(gamma[0])):
            for z, other in product(zs, zs):
                right = late(gamma, k)[y].of * step(p, B, K1, k, y, other)
                yield step(p, B, K0, k, y, z), right


def outputs_given(p: Laws, B: int, K: Windows, n: int, ys: Blocks, z: Blocks) -> Fraction:
    """Return the probability of outputs, given the last blocks; n older ones are drawn."""
    sizes = _sizes(p, K)
    total = ZERO
    for older in product(range(len(p[0])), repeat=n):
        stream = [*older, *z]
        chance = prod((late(p, j)[b] for j, b in enumerate(older)), start=ONE)
        for k, y in enumerate(ys):
            chance *= row_of(K, k, stream[k:][:B], sizes)[y]
        total += chance
    return total


def _positive(B: int, K: Windows) -> Iterator[tuple[Fraction, Fraction]]:
    size = max(len(rows) for rows in K)
    return ((ZERO, a) for rows in K for row in rows[:size] for a in row)


STEPS = (
    "P(K_k = v | u) is the probability that step k of K shows v, if the oldest block of its window "
    "is drawn from p_k and the other blocks are u."
)
LAWS_OF_BLOCKS = entry(
    "laws of blocks",
    takes=(LAWS,),
    words="every [0]_j is a law",
    tex=r"\forall j:\ [0]_j \text{ is a law}",
    coq="forall j_, Pufferfish.law ([0] j_)",
    value=lambda p: (each for law in p for each in (min(law) >= 0, sum(law) == 1)),
    precedence=200,
    relation="truth",
)
POSITIVE = entry(
    "positive at windows",
    takes=("nat", WINDOWS),
    words="no entry of [1] at a window of [0] blocks is negative",
    tex=r"[1] \ge 0",
    coq="Streams.positive_at_windows [0] [1]",
    value=_positive,
    relation="<=",
)
WITHIN = entry(
    "steps within",
    takes=(LAWS, "nat", WINDOWS, WINDOWS, LEVELS),
    words="P([2]_k = v | u) <= e^([4]_k(v)) P([3]_k = v | u') for every step k, every output v, and all "
    "u and u' that are possible as the last [1] - 1 blocks of its window",
    tex=r"\forall k, y, z, z':\ P([2]_k = y \mid z) \le e^{[4]_k(y)} P([3]_k = y \mid z')",
    coq="Streams.steps_within [0] [1] [2] [3] [4]",
    value=_within,
    relation="<=",
    meaning=STEPS,
)
KNOWN = entry(
    "known blocks",
    takes=(LAWS, "nat", "nat", BLOCKS),
    words="[3] is possible as [1] - 1 blocks from block [2] on",
    tex=r"[3] \in \mathrm{supp}([0]_{[2]}, \dots)",
    coq="Streams.known [0] [1] [2] [3]",
    value=known,
    relation="truth",
    meaning="Blocks from block j on are possible if each has positive probability under its own "
    "law p_j, p_(j+1), ..; a window of 0 blocks has no last blocks.",
)
GIVEN = entry(
    "outputs of a stream",
    takes=(LAWS, "nat", WINDOWS, "nat", OUTPUTS, BLOCKS),
    gives="R",
    words="P([2] = [4] | [5])",
    tex=r"P([2] = [4] \mid [5])",
    coq="Streams.given [0] [1] [2] [3] [4] [5]",
    value=outputs_given,
    meaning="Of n outputs y, P(K = y | z) is the probability that the steps 0 to n - 1 of K show "
    "y, if block j < n is drawn from p_j by itself and the blocks from block n on are z; step k "
    "sees a window of B blocks, from block k on.",
)
STEP = entry(
    "output of a step",
    takes=(LAWS, "nat", WINDOWS, "nat", "'W", BLOCKS),
    gives="R",
    words="P([2]_[3] = [4] | [5])",
    tex=r"P([2]_{[3]} = [4] \mid [5])",
    coq="Streams.one_step [0] [1] [2] [3] [4] [5]",
    value=step,
    meaning=STEPS,
)
SPENT = entry(
    "levels of outputs",
    takes=(LEVELS, OUTPUTS),
    gives="level",
    words="sum_k [0]_k([1]_k)",
    tex=r"\textstyle\sum_k [0]_k([1]_k)",
    coq="Streams.total [0] 0 [1]",
    value=lambda gamma, ys: Log(prod((late(gamma, k)[y].of for k, y in enumerate(ys)), start=ONE)),
)
APPENDED = entry(
    "one more output",
    takes=(OUTPUTS, "'W"),
    gives=OUTPUTS,
    words="([0], [1])",
    tex="([0], [1])",
    coq="(List.app [0] [[1]])",
    value=lambda ys, y: [*ys, y],
    precedence=0,
)
