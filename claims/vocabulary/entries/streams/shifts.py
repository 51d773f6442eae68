"""Sets of outputs of steps, and sets of tuples of outputs: Shifts.v."""

from collections.abc import Iterator, Sequence
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law
from pufferproof.claims.vocabulary.entries.streams.blocks import (
    LAWS,
    STEPS,
    WINDOWS,
    Blocks,
    Laws,
    Windows,
    all_known,
    late,
    outputs_given,
    step,
)
from pufferproof.claims.vocabulary.entries.streams.regions import Sides, near
from pufferproof.claims.vocabulary.terms import Log, entry

LEVELS, SHIFTS = "nat -> level", "nat -> R"


def _laws(B: int, K: Windows) -> Iterator[bool]:
    for row in (row for rows in K for row in rows):
        yield min(row) >= 0
        yield sum(row) == 1


def law_of_step(p: Laws, B: int, K: Windows, k: int, z: Blocks) -> Law:
    """Return the probability of each output of a step, given the known blocks."""
    return [step(p, B, K, k, y, z) for y in range(len(K[0][0]))]


def law_of_outputs(p: Laws, B: int, K: Windows, n: int, z: Blocks) -> Law:
    """Return the probability of each tuple of n outputs, given the known blocks."""
    every = product(range(len(K[0][0])), repeat=n)
    return [outputs_given(p, B, K, n, ys, z) for ys in every]


def sets_of_steps(p: Laws, B: int, K0: Windows, K1: Windows, gamma: Sequence[Log], delta: Law, n: int) -> Sides:
    """Yield both sides for each step before n, each set of outputs, and all known blocks."""
    for k in range(n):
        zs = all_known(p, B, k + 1)
        tops, bottoms = ([law_of_step(p, B, K, k, z) for z in zs] for K in (K0, K1))
        for top, bottom in product(tops, bottoms):
            yield from near(late(gamma, k).of, late(delta, k), top, bottom)


def _sets_of_step(p: Laws, B: int, K0: Windows, K1: Windows, k: int, ratio: Fraction, delta: Law, z: Blocks) -> Sides:
    top, bottom = (law_of_step(p, B, K, k, z) for K in (K0, K1))
    yield from near(ratio, late(delta, k), top, bottom)


def _sets_of_outputs(
    p: Laws, B: int, K0: Windows, K1: Windows, n: int, ratio: Fraction, delta: Fraction, z: Blocks
) -> Sides:
    top, bottom = (law_of_outputs(p, B, K, n, z) for K in (K0, K1))
    yield from near(ratio, delta, top, bottom)


LAWS_AT_WINDOWS = entry(
    "laws at windows",
    takes=("nat", WINDOWS),
    words="every row of [1] at a window of [0] blocks is a law",
    tex=r"\forall k, x:\ [1]_k(x) \text{ is a law}",
    coq="Shifts.laws_at_windows [0] [1]",
    value=_laws,
    relation="truth",
)
SETS_OF_STEPS = entry(
    "sets of steps within",
    takes=(LAWS, "nat", WINDOWS, WINDOWS, LEVELS, SHIFTS, "nat"),
    words="P([2]_k in S | u) <= e^([4]_k) P([3]_k in S | u') + [5]_k for every step k < [6], every set S "
    "of outputs, and all u and u' that are possible as the last [1] - 1 blocks of its window",
    tex=r"\forall k < [6], S, z, z':\ P([2]_k \in S \mid z) \le e^{[4]_k} P([3]_k \in S \mid z') + "
    "[5]_k",
    coq="Shifts.sets_of_steps [0] [1] [2] [3] [4] [5] [6]",
    value=sets_of_steps,
    relation="<=",
    meaning=STEPS,
)
SETS_OF_STEP = entry(
    "sets of a step within",
    takes=(LAWS, "nat", WINDOWS, WINDOWS, "nat", "R", SHIFTS, "list 'B"),
    words="P([2]_[4] in S | [7]) <= [5] P([3]_[4] in S | [7]) + [6]_[4] for every set S of outputs",
    tex=r"\forall S:\ P([2]_{[4]} \in S \mid [7]) \le [5]\, P([3]_{[4]} \in S \mid [7]) + [6]_{[4]}",
    coq="Shifts.sets_of_step [0] [1] [2] [3] [4] [5] ([6] [4]) [7] [7]",
    value=_sets_of_step,
    relation="<=",
    meaning=STEPS,
)
SETS_OF_OUTPUTS = entry(
    "sets of outputs within",
    takes=(LAWS, "nat", WINDOWS, WINDOWS, "nat", "R", "R", "list 'B"),
    words="P([2] in S | [7]) <= [5] P([3] in S | [7]) + [6] for every set S of tuples of [4] outputs",
    tex=r"\forall S:\ P([2] \in S \mid [7]) \le [5]\, P([3] \in S \mid [7]) + [6]",
    coq="Shifts.sets_of_outputs [0] [1] [2] [3] [4] [5] [6] [7]",
    value=_sets_of_outputs,
    relation="<=",
    meaning="Of tuples of m outputs, P(K in S | z) is the probability that the steps 0 to m - 1 of "
    "K show a tuple in S, if block j < m is drawn from p_j by itself and the blocks from block m "
    "on are z; step k sees a window of B blocks, from block k on.",
)
LEVELS_BEFORE = entry(
    "levels before a step",
    takes=(LEVELS, "nat"),
    gives="level",
    words="sum_(k < [1]) [0]_k",
    tex=r"\textstyle\sum_{k < [1]} [0]_k",
    coq="Shifts.before [0] [1]",
    value=lambda gamma, n: sum((late(gamma, k) for k in range(n)), Log(Fraction(1))),
)
SHIFTS_BEFORE = entry(
    "shifts before a step",
    takes=(SHIFTS, "nat"),
    gives="R",
    words="sum_(k < [1]) [0]_k",
    tex=r"\textstyle\sum_{k < [1]} [0]_k",
    coq="Shifts.before [0] [1]",
    value=lambda delta, n: sum((late(delta, k) for k in range(n)), ZERO),
)
