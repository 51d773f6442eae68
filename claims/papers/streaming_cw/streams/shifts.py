"""The shift of a slope, eq. (2), is the hockey-stick divergence, which falls as the slope grows.

Letters as in `assumptions`; all laws are on finitely many outcomes, so the proofs are inductions
over sums. Refutes the printed summands, which do not depend on the outcome. Source: "Composition
Theorem for streaming CW-privacy", Section 2, eq. (2).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Row, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.readings import ALL_SIZES
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

Pair = tuple[Row, Row]


@claim(
    "streaming_cw.eq2-shift",
    where="eq. (2)",
    statement="The shift of the slope R = e^{eps_{j|z}} is delta_{j|z} = max_S {sum_{y in S} "
    "P0(y_j|z) - R sum_{y in S} P1(y_j|z)}, that is, H_R(P0(.|z)||P1(.|z)).",
    kind="definition",
    repair="streaming_cw.eq2-shift-repaired",
)
def eq2_shift(check: Check) -> None:
    """The printed summands do not depend on y: the printed maximum is always 0."""
    name = "summands at y_j, eq. (1) for every outcome"
    with check.reading(name, ALL_SIZES) as argument:
        _printed_shift(argument)
        argument.cite("H is 0 too", "P0 = P1, so H_1 = 0", "streaming_cw.x-eq1-collapse")
    check.near_miss(
        f"{name}: not at y_j's own slope",
        lambda argument: _printed_shift(argument, sympy.Rational(1, 2)),
    )
    with check.reading(
        "summands at y_j, outcomes with a ratio of at least 1 listed", "smallest pmfs first"
    ) as argument:
        _printed_shift_fails(argument, [pair for m in (2, 3) for pair in pairs(m, 6)], listed=True)
    with check.reading("summands at y_j, no sign condition", "smallest pmfs first") as argument:
        _printed_shift_fails(argument, pairs(2, 6), listed=False)
    name = "summands at y"
    with check.reading(name, ALL_SIZES) as argument:
        _shift_is_hockey_stick(argument)
    check.near_miss(
        f"{name}: a set with a negative term",
        lambda argument: _shift_is_hockey_stick(argument, wrong=True),
    )


@claim(
    "streaming_cw.eq2-shift-repaired",
    where="eq. (2), summands at y",
    statement="With the summands of eq. (2) at y the shift is the hockey-stick divergence: the "
    "largest P0(S|z) - R P1(S|z) over all sets S of outcomes is the sum over all outcomes y of "
    "max(0, P0(y|z) - R P1(y|z)), attained by the set of those y with P0(y|z) >= R P1(y|z), "
    "for every real R.",
    kind="lemma",
)
def eq2_shift_repaired(check: Check) -> None:
    """Prove that the shift is the hockey-stick divergence."""
    with check.reading("summands at y", ALL_SIZES) as argument:
        _shift_is_hockey_stick(argument)
    check.near_miss(
        "summands at y: a set with a negative term",
        lambda arg: _shift_is_hockey_stick(arg, wrong=True),
    )


def _printed_shift(argument: Argument, offset: sympy.Rational = sympy.S.Zero) -> None:
    a, b, R, H = sympy.symbols("a b R H")
    own = [sympy.Eq(R * b, a + offset), b > 0, a > 0]
    argument.induction(
        "the printed sum",
        "a = P0(y_j|z), b = P1(y_j|z), R = a/b: H is the printed sum over S, which adds a - R b "
        "once per member of S",
        base=(sympy.Eq(a - R * b, 0), own),
        step=(sympy.Eq(H + a - R * b, 0), [sympy.Eq(H, 0), *own]),
    )


def _printed_shift_fails(argument: Argument, family: list[Pair], listed: bool) -> None:
    def slopes_of(pair: Pair) -> list[Fraction]:
        return [a / b for a, b in zip(*pair) if a >= b or not listed]

    def agrees(pair: Pair) -> bool:
        return all(hockey_stick(*pair, slope) == 0 for slope in slopes_of(pair))

    found = argument.exhaust("smallest pmfs", "printed shift 0 = H at every slope", family, agrees)
    if found is None:
        return
    slope = next(slope for slope in slopes_of(found) if hockey_stick(*found, slope))
    stream = blocks.pair_stream(*found)
    evidence = blocks.show(
        stream, z=(0,), slope=slope, printed=Fraction(0), shift=hockey_stick(*found, slope)
    )

    def violated() -> bool:
        top, bottom = blocks.one_step(stream, False, (0,)), blocks.one_step(stream, True, (0,))
        own = [(a, b) for a, b in zip(top, bottom) if b and a / b == slope]
        printed = max(size * (a - slope * b) for a, b in own for size in range(len(top) + 1))
        return blocks.assumption1(stream) and printed != hockey_stick(top, bottom, slope)

    sentence = (
        f"For P0 = ({', '.join(map(str, found[0]))}) and P1 = ({', '.join(map(str, found[1]))}) "
        f"and the slope {slope} the printed summands do not depend on y, and the printed maximum "
        f"is 0; the tangent of this slope has the shift {hockey_stick(*found, slope)}."
    )
    argument.counterexample("printed shift", sentence, evidence, violated)


def _shift_is_hockey_stick(argument: Argument, wrong: bool = False) -> None:
    g, h, A, H = sympy.symbols("g h A H")
    top = [h >= g, h >= 0]
    argument.induction(
        "no set has more",
        "g = P0(y) - R P1(y), h = max(0, g): A is the sum of g over the members of S so far, H "
        "that of h over all outcomes",
        base=(sympy.And(g <= h, h >= 0), top),
        step=(sympy.And(A + g <= H + h, H + h >= A), [A <= H, *top]),
    )
    chosen = sympy.Or(
        sympy.And(g >= 0, sympy.Eq(h, g)),
        sympy.And(g < 0, sympy.Eq(h, g if wrong else sympy.S.Zero)),
    )
    added = sympy.symbols("added")
    kept = sympy.Or(sympy.And(g >= 0, sympy.Eq(added, g)), sympy.And(g < 0, sympy.Eq(added, 0)))
    argument.induction(
        "one set has as much",
        "S = {y : P0(y) >= R P1(y)} adds g where g >= 0 and nothing elsewhere, which is h",
        base=(sympy.Eq(added, h), [chosen, kept]),
        step=(sympy.Eq(A + added, H + h), [sympy.Eq(A, H), chosen, kept]),
    )


@claim(
    "streaming_cw.minmax-shift",
    where="after eq. (2)",
    statement="The smallest shift delta_{z|min} is the one at eps_{z|max}, the largest, "
    "delta_{z|max}, the one at eps_{z|min}.",
    kind="lemma",
)
def minmax_shift(check: Check) -> None:
    """Prove that H_R falls as R grows; with the printed summands every shift is 0."""
    name = "summands at y_j"
    with check.reading(name, ALL_SIZES) as argument:
        _printed_shift(argument)
    check.near_miss(
        f"{name}: not at y_j's own slope",
        lambda argument: _printed_shift(argument, sympy.Rational(1, 2)),
    )
    name = "summands at y"
    with check.reading(name, ALL_SIZES) as argument:
        _falling_shift(argument)
    check.near_miss(
        f"{name}: the order of slopes exchanged",
        lambda argument: _falling_shift(argument, exchanged=True),
    )


def _falling_shift(argument: Argument, exchanged: bool = False) -> None:
    a, b, r, R, low, high, L, H = sympy.symbols("a b r R low high L H")
    order = [r >= R] if exchanged else [r <= R]
    argument.cite(
        "shifts", "a shift is a sum of max(0, P0(y) - R P1(y))", "streaming_cw.eq2-shift-repaired"
    )
    terms = [
        b >= 0,
        sympy.Or(sympy.Eq(high, 0), sympy.Eq(high, a - R * b)),
        low >= 0,
        low >= a - r * b,
    ]
    argument.induction(
        "a larger slope has the smaller shift",
        "a = P0(y|z), b = P1(y|z), slopes r <= R; low = max(0, a - r b), high = max(0, a - R b); "
        "L, H their sums so far",
        base=(high <= low, [*order, *terms]),
        step=(H + high <= L + low, [H <= L, *order, *terms]),
    )


@claim(
    "streaming_cw.x-min-shift-zero",
    where="beside eq. (2)",
    statement="Under Assumption 1 the shift at eps_{z|max}, the logarithm of the largest "
    "P0(y|z)/P1(y|z) over y in W, is 0: delta_{z|min} = 0 for every z.",
    kind="lemma",
    assumes=["Assumption 1"],
)
def min_shift_zero(check: Check) -> None:
    """Prove that nothing is left above the steepest line, whose slope is at least 1 and so is
    listed in every reading.
    """
    with check.reading("as stated", ALL_SIZES) as argument:
        _min_shift_zero(argument)
    check.near_miss(
        "as stated: a slope below the largest", lambda argument: _min_shift_zero(argument, True)
    )


def _min_shift_zero(argument: Argument, below: bool = False) -> None:
    a, b, R, H, A, B = sympy.symbols("a b R H A B")
    largest = [b > 0, a / b <= R + sympy.Rational(1, 10)] if below else [b > 0, a / b <= R]
    argument.induction(
        "sums of the laws",
        "A, B sum a = P0(y|z), b = P1(y|z) > 0 over the outcomes of W so far; R is at least every "
        "a/b: A <= R B",
        base=(a <= R * b, largest),
        step=(A + a <= R * (B + b), [A <= R * B, *largest]),
    )
    argument.inequality(
        "the largest slope is listed",
        "over all of W both sums are 1, so R >= 1",
        R >= 1,
        [A <= R * B, sympy.Eq(A, 1), sympy.Eq(B, 1)],
    )
    argument.induction(
        "no set is above the line",
        "a = P0(y|z), b = P1(y|z) > 0: H, the sum of a - R b over any S so far, is at most 0, "
        "which the empty set attains",
        base=(a - R * b <= 0, largest),
        step=(H + a - R * b <= 0, [H <= 0, *largest]),
    )


def pairs(outcomes: int, largest: int) -> list[Pair]:
    """Return pairs of pmfs without zeros, smallest common denominator first."""
    found: list[Pair] = []
    for denominator in range(outcomes, largest + 1):
        laws = list(_pmfs(outcomes, denominator))
        found += [(top, bottom) for top in laws for bottom in laws if (top, bottom) not in found]
    return found


def _pmfs(outcomes: int, denominator: int) -> Iterator[Row]:
    for parts in product(range(1, denominator + 1), repeat=outcomes):
        if sum(parts) == denominator:
            yield tuple(Fraction(part, denominator) for part in parts)
