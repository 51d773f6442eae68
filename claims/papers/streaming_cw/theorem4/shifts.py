"""Steps in the proof of Theorem 4 on shifts: from the last output's support to its smallest shift,
and t shifts in all.

Derives the smallest shift and the last lines; refutes the equality of the sums over V_t and over
the sets V_{t|z#}, where the inequality that holds points the other way. Source: "Composition
Theorem for streaming CW-privacy", Theorem 4, second half of the proof.
"""

from fractions import Fraction

import sympy

from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.readings import ALL_SIZES, SMALLEST
from pufferproof.claims.papers.streaming_cw.theorem4.supports import (
    prove_slope_and_shift,
    supports_of,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument


@claim(
    "streaming_cw.thm4-Vt",
    where="Theorem 4, V_t",
    statement="(1-(t-1) delta_max) sum_{z#} sum_{y_t in V_{t|z#}} P^0(y_t|X_t=[z#,z]) p(z#) = "
    "(1-(t-1) delta_max) sum_{y_t in V_t} P0(y_t|z), V_t = {y_t : P1(y_t|z) != 0}.",
    kind="proof step",
    repair="streaming_cw.thm4-Vt-repaired",
)
def vt(check: Check) -> None:
    """False: V_t is the union of the sets V_{t|z#}, and the right side may be larger, against
    the sense of the proof.
    """
    for name in ("with Assumption 1", "without Assumption 1"):
        with check.reading(name, SMALLEST) as argument:
            _union_larger(argument, blocks.flip_stream(blocks.oldest(), 2))
    name = "<= instead of ="
    with check.reading(name, ALL_SIZES) as argument:
        _union_at_least(argument)
    check.near_miss(f"{name}: >= instead", lambda argument: _union_at_least(argument, reverse=True))


@claim(
    "streaming_cw.thm4-Vt-repaired",
    where="Theorem 4, V_t, repaired",
    statement="For every z the sum over z# and over y_t in V_{t|z#} of P^0(y_t|X_t=[z#,z]) p(z#) "
    "is at most the sum over y_t in V_t of P0(y_t|z); both are equal if V_{t|z#} = V_t for "
    "every z# with p(z#) > 0, which Assumption 1 does not say.",
    kind="proof step",
)
def vt_repaired(check: Check) -> None:
    """Prove equality when the supports do not depend on the oldest block."""
    with check.reading("at most", ALL_SIZES) as argument:
        _union_at_least(argument)
    check.near_miss("at most: >= instead", lambda argument: _union_at_least(argument, reverse=True))
    with check.reading("supports equal for every z#", ALL_SIZES) as argument:
        _union_equal(argument)
    check.near_miss(
        "supports equal for every z#: one support smaller",
        lambda argument: _union_equal(argument, True),
    )


def _both_sums(stream: Stream, z: Window) -> tuple[Fraction, Fraction]:
    whole = blocks.one_step(stream, True, z)
    left = Fraction(0)
    for first, mass in enumerate(stream.law):
        row = stream.mechanism[(first, *z)]
        left += mass * sum((row[y] for (y,) in supports_of(stream, z, first)[1]), start=Fraction(0))
    right = sum(
        (a for a, b in zip(blocks.one_step(stream, False, z), whole) if b), start=Fraction(0)
    )
    return left, right


def _union_larger(argument: Argument, stream: Stream) -> None:
    z = (0,)
    left, right = _both_sums(stream, z)
    evidence = blocks.show(stream, z=z, left=left, right=right, delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.assumption1(stream) and blocks.slopes_all_one(stream) and left != right

    argument.counterexample(
        "union",
        f"M outputs the oldest of two bits and alt flips it, so that delta_max = 0: for each z# "
        f"the data and the scrubbed data have no outcome in common, and the left side is {left}; "
        f"but V_t holds both outcomes, and the right side is {right}.",
        evidence,
        violated,
    )


def _union_at_least(argument: Argument, reverse: bool = False) -> None:
    s, w, L, U = sympy.symbols("s w L U")
    member = [w >= 0, sympy.Or(sympy.Eq(s, w), sympy.Eq(s, 0))]
    step = L + s >= U + w if reverse else L + s <= U + w
    argument.induction(
        "term by term",
        "w = P^0(y|[z#,z]) p(z#) for y in V_t; s = w if y is in V_{t|z#} and 0 if not; L sums s, U "
        "sums w",
        base=(s <= w, member),
        step=(step, [L >= U if reverse else L <= U, *member]),
    )
    argument.cite("order of summation", "U = sum of P0(y|z) over V_t", "lemma.finite-sums")


def _union_equal(argument: Argument, smaller: bool = False) -> None:
    s, w, L, U = sympy.symbols("s w L U")
    member = [w >= 0, sympy.Or(sympy.Eq(s, w), sympy.Eq(s, 0)) if smaller else sympy.Eq(s, w)]
    argument.induction(
        "term by term",
        "as before, with s = w for every y in V_t = W and every z#",
        base=(sympy.Eq(s, w), member),
        step=(sympy.Eq(L + s, U + w), [sympy.Eq(L, U), *member]),
    )
    argument.cite("order of summation", "U = sum of P0(y|z) over V_t", "lemma.finite-sums")


@claim(
    "streaming_cw.thm4-min-shift",
    where="Theorem 4, minimum shift",
    statement="The sum of P0(y_t|z) over V_t is the minimum shift of M(X_t) given z, and it is at "
    "least 1 - delta_{z|min}.",
    kind="proof step",
    repair="streaming_cw.thm4-min-shift-repaired",
)
def min_shift(check: Check) -> None:
    """The sum is one minus the minimum shift."""
    with check.reading("the sum is the minimum shift", SMALLEST) as argument:
        _sum_is_not_shift(argument)
    name = "the sum is 1 - delta_{z|min}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_minus_shift(argument)
    check.near_miss(
        f"{name}: at a slope below the largest",
        lambda argument: _one_minus_shift(argument, below=True),
    )


@claim(
    "streaming_cw.thm4-min-shift-repaired",
    where="Theorem 4, minimum shift",
    statement="The sum of P0(y_t|z) over V_t is 1 - delta_{z|min}, where delta_{z|min} is the "
    "shift at the largest finite slope at z.",
    kind="proof step",
    assumes=["there is a finite slope at z"],
)
def min_shift_repaired(check: Check) -> None:
    """Prove it as the case t = 1 of the shift at the largest slope."""
    name = "the sum is 1 - delta_{z|min}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_minus_shift(argument)
    check.near_miss(
        f"{name}: at a slope below the largest",
        lambda argument: _one_minus_shift(argument, below=True),
    )


def _one_minus_shift(argument: Argument, below: bool = False) -> None:
    N, Z, T, delta = sympy.symbols("N Z T delta")
    prove_slope_and_shift(argument, bounded=False, below=below)
    argument.cite("smallest shift", "is the one at the largest slope", "streaming_cw.minmax-shift")
    argument.inequality(
        "so",
        "N = sum over V_t, Z = T - N the shift at the largest slope, with T = 1 over all outcomes, "
        "and delta = delta_{z|min}",
        sympy.Eq(N, 1 - delta),
        [sympy.Eq(Z, T - N), sympy.Eq(T, 1), sympy.Eq(Z, delta), N >= 0],
    )


def _sum_is_not_shift(argument: Argument) -> None:
    stream, z = blocks.flip_stream(blocks.oldest(), 1), (0,)
    top, bottom = blocks.one_step(stream, False, z), blocks.one_step(stream, True, z)
    slope = max(a / b for a, b in zip(top, bottom) if b)
    total = sum((a for a, b in zip(top, bottom) if b), start=Fraction(0))
    shift = hockey_stick(top, bottom, slope)
    evidence = blocks.show(stream, z=z, sum=total, slope=slope, minimum_shift=shift)
    argument.counterexample(
        "1 and 0",
        "M outputs the oldest of two bits and alt flips it, so that P0 = P1 = (1/2, 1/2) and V_t "
        "holds both outcomes: the sum of P0 over V_t is 1, but the shift at the only slope, 1, is "
        "0.",
        evidence,
        lambda: blocks.assumption1(stream) and total != shift,
    )


@claim(
    "streaming_cw.thm4-last",
    where="Theorem 4, last lines",
    statement="(1-(t-1) delta_max)(1-delta_{z|min}) >= 1 - t delta_max; so delta_t <= t delta_max.",
    kind="proof step",
    assumes=["0 <= delta_{z|min} <= delta_max", "t >= 1"],
)
def last(check: Check) -> None:
    """Prove the polynomial inequality, and the conclusion when the first factor is negative."""
    name = "product"
    with check.reading(name, "all real t >= 1") as argument:
        _last_product(argument)
    check.near_miss(
        f"{name}: t - 1/2 shifts", lambda argument: _last_product(argument, sympy.Rational(1, 2))
    )
    name = "product and conclusion, first factor of any sign"
    with check.reading(name, "all real t >= 1") as argument:
        _last_conclusion(argument)
    check.near_miss(
        f"{name}: t - 1/2 shifts", lambda argument: _last_conclusion(argument, sympy.Rational(1, 2))
    )


def _last_product(argument: Argument, fewer: sympy.Rational = sympy.S.Zero) -> None:
    t, delta, low = sympy.symbols("t delta low")
    argument.inequality(
        "expand",
        "delta = delta_max, low = delta_{z|min}: the difference is delta - low + (t-1) delta low",
        (1 - (t - 1) * delta) * (1 - low) >= 1 - (t - fewer) * delta,
        [low >= 0, low <= delta, t >= 1],
    )


def _last_conclusion(argument: Argument, fewer: sympy.Rational = sympy.S.Zero) -> None:
    t, delta, low, f, x, N = sympy.symbols("t delta low f x N")
    _last_product(argument, fewer)
    argument.case_split(
        "the factor, or the goal, has a sign",
        "f = 1 - (t-1) delta is not negative, or 1 - t delta is negative",
        [f >= 0, t * delta > 1],
        [sympy.Eq(f, 1 - (t - 1) * delta), delta >= low, low >= 0],
    )
    base = [
        sympy.Eq(f, 1 - (t - 1) * delta),
        low >= 0,
        low <= delta,
        t >= 1,
        x >= 1 - low,
        f * x <= N,
        N >= 0,
    ]
    goal = 1 - (t - fewer) * delta <= N
    argument.inequality(
        "f >= 0", "N = P^0(S_t|z) >= f x, x = the sum over V_t", goal, [f >= 0, *base]
    )
    argument.inequality("t delta > 1", "then 1 - t delta < 0 <= N", goal, [t * delta > 1, *base])
