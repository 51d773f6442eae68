"""Sets of outputs and regions in the plane: Regions.v."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, Law, Rows, joint, weight
from pufferproof.claims.vocabulary.terms import entry

NEIGHBOURS = "'D -> 'D -> Prop"
WORLDS = "('D -> R) -> ('D -> 'D -> R) -> Pufferfish.secret 'D -> Prop"
Pairs = Sequence[tuple[int, int]]
Sides = Iterator[tuple[Fraction, Fraction]]


def _split(P: Law, Q: Law) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Yield P(S), Q(S) and Q(S') for every set S of outputs, S' being all others."""
    for chosen in product((True, False), repeat=len(P)):
        inside = [sum((y for y, c in zip(row, chosen) if c), ZERO) for row in (P, Q)]
        yield inside[0], inside[1], sum((y for y, c in zip(Q, chosen) if not c), ZERO)


def near(ratio: Fraction, delta: Fraction, P: Law, Q: Law) -> Sides:
    """Yield P(S) and ratio Q(S) + delta for every set S."""
    return ((p, ratio * q + delta) for p, q, _ in _split(P, Q))


def first(ratio: Fraction, delta: Fraction, P: Law, Q: Law) -> Sides:
    """Yield 1 - delta and P(S) + ratio Q(S') for every set S."""
    return ((1 - delta, p + ratio * other) for p, _, other in _split(P, Q))


def second(ratio: Fraction, delta: Fraction, P: Law, Q: Law) -> Sides:
    """Yield 1 - delta and ratio P(S) + Q(S') for every set S."""
    return ((1 - delta, ratio * p + other) for p, _, other in _split(P, Q))


def _approximate(M: Rows, ratio: Fraction, delta: Fraction, pairs: Pairs) -> Sides:
    for x, y in pairs:
        yield from near(ratio, delta, M[x], M[y])


def parts(M: Rows, ratio: Fraction, delta: Fraction, pairs: Pairs) -> Sides:
    """Yield the sum of positive parts, and delta, for every pair."""
    for x, y in pairs:
        yield sum((max(ZERO, a - ratio * b) for a, b in zip(M[x], M[y])), ZERO), delta


def _first(M: Rows, ratio: Fraction, delta: Fraction, pairs: Pairs) -> Sides:
    for x, y in pairs:
        yield from first(ratio, delta, M[x], M[y])


def _inequalities(M: Rows, ratio: Fraction, delta: Fraction, pairs: Pairs) -> Sides:
    for x, y in pairs:
        yield from first(ratio, delta, M[x], M[y])
        yield from second(ratio, delta, M[x], M[y])


def _in_square(M: Rows, ratio: Fraction, delta: Fraction, pairs: Pairs) -> Sides:
    """A half-plane contains a region exactly if it contains its generating points."""
    yield from _inequalities(M, ratio, delta, pairs)
    for x, y in pairs:
        for p, _, other in _split(M[x], M[y]):
            yield from ((ZERO, p), (ZERO, other), (p, Fraction(1)), (other, Fraction(1)))


def _given(p: Law, M: Rows, s: frozenset[int]) -> list[Fraction]:
    return [joint(p, M, s, w) / weight(p, s) for w in range(len(M[0]))]


def _other_world(alt: Rows, M: Rows) -> list[list[Fraction]]:
    columns = [*zip(*M)]
    return [[sum((a * b for a, b in zip(row, c)), ZERO) for c in columns] for row in alt]


def _two_rows(M: Rows, worlds: Any) -> Iterator[tuple[Law, Law]]:
    """Yield the laws of the output given each event of positive probability, in both worlds."""
    for p, alt, s in worlds:
        if weight(p, s) > 0:
            yield _given(p, M, s), _given(p, _other_world(alt, M), s)


def _coupled(M: Rows, ratio: Fraction, delta: Fraction, worlds: object) -> Sides:
    for P, Q in _two_rows(M, worlds):
        yield from near(ratio, delta, P, Q)
        yield from near(ratio, delta, Q, P)


def _inequalities_given(M: Rows, ratio: Fraction, delta: Fraction, worlds: object) -> Sides:
    for P, Q in _two_rows(M, worlds):
        yield from first(ratio, delta, P, Q)
        yield from second(ratio, delta, P, Q)


ROWS_TOTAL = entry(
    "rows of sum 1",
    takes=(CHANNEL,),
    words="every row of [0] sums to 1",
    tex=r"\forall x:\ \textstyle\sum_y [0](x, y) = 1",
    coq="forall x_, (Σ y_, [0] x_ y_) = 1",
    value=lambda M: ((sum(row, ZERO), Fraction(1)) for row in M),
    precedence=200,
    relation="=",
)
BOTH_WAYS = entry(
    "both ways",
    takes=(NEIGHBOURS,),
    gives=NEIGHBOURS,
    words="the symmetric closure of [0]",
    tex=r"\overline{[0]}",
    coq="Regions.both_ways [0]",
    value=lambda pairs: [*pairs, *((y, x) for x, y in pairs)],
)
APPROXIMATE = entry(
    "approximately private",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words="P([0](x) in S) <= [1] P([0](x') in S) + [2] for all pairs (x, x') in [3] and all sets S of outputs",
    tex=r"\forall (x, x') \in [3], S:\ P_x(S) \le [1]\, P_{x'}(S) + [2]",
    coq="Regions.approximate [0] [1] [2] [3]",
    value=_approximate,
    relation="<=",
)
POSITIVE_PARTS = entry(
    "positive parts",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words="sum_y max(0, P([0](x) = y) - [1] P([0](x') = y)) <= [2] for all pairs (x, x') in [3]",
    tex=r"\forall (x, x') \in [3]:\ \textstyle\sum_y \max(0, P_x(y) - [1]\, P_{x'}(y)) \le [2]",
    coq="forall x_ y_, [3] x_ y_ -> (Σ w_, Rmax 0 ([0] x_ w_ - [1] * [0] y_ w_)) <= [2]",
    value=parts,
    precedence=200,
    relation="<=",
)
INEQUALITIES = entry(
    "two inequalities",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words="P([0](x) in S) + [1] P([0](x') not in S) >= 1 - [2] and [1] P([0](x) in S) + P([0](x') not in "
    "S) >= 1 - [2] for all pairs (x, x') in [3] and all sets S of outputs",
    tex=r"\forall (x, x') \in [3], S:\ P_x(S) + [1]\, P_{x'}(S^c) \ge 1 - [2] "
    r"\wedge [1]\, P_x(S) + P_{x'}(S^c) \ge 1 - [2]",
    coq="Regions.inequalities [0] [1] [2] [3]",
    value=_inequalities,
    relation="<=",
)
ONE_INEQUALITY = entry(
    "one inequality",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words="P([0](x) in S) + [1] P([0](x') not in S) >= 1 - [2] for all pairs (x, x') in [3] and all sets S of outputs",
    tex=r"\forall (x, x') \in [3], S:\ P_x(S) + [1]\, P_{x'}(S^c) \ge 1 - [2]",
    coq="forall x_ y_, [3] x_ y_ -> Regions.first_inequality [1] [2] ([0] x_) ([0] y_)",
    value=_first,
    precedence=200,
    relation="<=",
)
REGION = "R(M, x, x') is the convex hull of the points (P(M(x) in S), P(M(x') not in S)) for all sets S of outputs."
LINES = "{(a, b): a + [1] b >= 1 - [2], [1] a + b >= 1 - [2]}"
LINES_TEX = r"\{(a, b) : a + [1] b \ge 1 - [2],\ [1] a + b \ge 1 - [2]\}"
REGIONS_ALLOWED = entry(
    "regions allowed",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words=f"R([0], x, x') lies in {LINES} for every pair (x, x') in [3]",
    tex=r"\textstyle\bigcup_{(x, x') \in [3]} R([0], x, x') \subseteq " + LINES_TEX,
    coq="forall a_ b_, Regions.regions [0] [3] a_ b_ -> Regions.allowed [1] [2] a_ b_",
    value=_inequalities,
    precedence=200,
    relation="<=",
    meaning=REGION,
)
HULL_ALLOWED = entry(
    "hull allowed",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words=f"the convex hull of the union of R([0], x, x') over all pairs (x, x') in [3] lies in {LINES}",
    tex=r"\mathrm{conv} \textstyle\bigcup_{(x, x') \in [3]} R([0], x, x') \subseteq " + LINES_TEX,
    coq="forall a_ b_, Regions.mixture_of (fun z_ => Regions.regions [0] [3] (fst z_) (snd z_)) a_ b_ "
    "-> Regions.allowed [1] [2] a_ b_",
    value=_inequalities,
    precedence=200,
    relation="<=",
    meaning=REGION,
)
SQUARE_ALLOWED = entry(
    "regions allowed in the square",
    takes=(CHANNEL, "R", "R", NEIGHBOURS),
    words=f"R([0], x, x') lies in {LINES} and in the unit square for every pair (x, x') in [3]",
    tex=r"\textstyle\bigcup_{(x, x') \in [3]} R([0], x, x') \subseteq " + LINES_TEX + r" \cap [0, 1]^2",
    coq="forall a_ b_, Regions.regions [0] [3] a_ b_ -> Regions.allowed [1] [2] a_ b_ /\\ Regions.square a_ b_",
    value=_in_square,
    precedence=200,
    relation="<=",
    meaning=REGION,
)
ALTERNATIVES_TOTAL = entry(
    "alternatives of sum 1",
    takes=(WORLDS,),
    words="every row of every alternative in [0] sums to 1",
    tex=r"\forall (p, a, s) \in [0], x:\ \textstyle\sum_y a(x, y) = 1",
    coq="forall p_ a_ s_, [0] p_ a_ s_ -> forall x_, (Σ y_, a_ x_ y_) = 1",
    value=lambda worlds: ((sum(row, ZERO), Fraction(1)) for _, alt, _ in worlds for row in alt),
    precedence=200,
    relation="=",
)
COUPLED = entry(
    "coupled worlds",
    takes=(CHANNEL, "R", "R", WORLDS),
    words="P([0](X) in S | s) <= [1] P([0](alt(X)) in S | s) + [2] and P([0](alt(X)) in S | s) <= [1] "
    "P([0](X) in S | s) + [2] for all (p, alt, s) in [3] with p(s) > 0 and all sets S of outputs",
    tex=r"\forall (p, a, s) \in [3], S:\ P([0](X) \in S \mid s) \le [1]\, P([0](a(X)) \in S \mid s) + "
    r"[2] \wedge P([0](a(X)) \in S \mid s) \le [1]\, P([0](X) \in S \mid s) + [2]",
    coq="Regions.coupled_worlds [0] [1] [2] [3]",
    value=_coupled,
    relation="<=",
)
INEQUALITIES_GIVEN = entry(
    "two inequalities, given events",
    takes=(CHANNEL, "R", "R", WORLDS),
    words="P([0](X) in S | s) + [1] P([0](alt(X)) not in S | s) >= 1 - [2] and [1] P([0](X) in S | s) + "
    "P([0](alt(X)) not in S | s) >= 1 - [2] for all (p, alt, s) in [3] with p(s) > 0 and all sets "
    "S of outputs",
    tex=r"\forall (p, a, s) \in [3], S:\ P([0](X) \in S \mid s) + [1]\, P([0](a(X)) \in S^c \mid s) "
    r"\ge 1 - [2] \wedge [1]\, P([0](X) \in S \mid s) + P([0](a(X)) \in S^c \mid s) \ge 1 - [2]",
    coq="Regions.inequalities_given [0] [1] [2] [3]",
    value=_inequalities_given,
    relation="<=",
)
