"""Likelihoods of a noisy query at its ends on a forest of bits: one pass up, with pairs that are
not normalised, and one down to the records asked about. With u_j the weights of the values of j,

    up_j(x) = sum_y P(x_j = y | parent = x) held_j(y),     held_j(y) = u_j(y) prod_c up_c(y),

c over the records that hang on j. Only positive numbers are multiplied and added: enclosures stay
close whatever the exponents are, and what is 0 is exactly 0.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.priors.forest import Forest, Kernel
from pufferproof.verify.noise.laws.passes import ForestPasses, Passing

if TYPE_CHECKING:
    from flint import arb

    Pair = tuple[arb, arb]

RESTS_ON = ("noise.law",)


def told_by_tree(
    forest: Forest, weights: "Sequence[Sequence[arb]]", wanted: Sequence[int]
) -> "dict[tuple[int, int], arb]":
    """Enclose E[w | x_i = v] / E[w] for all possible values of the wanted records, w the product of
    the weights of the values of all records, at the present precision.

    >>> from fractions import Fraction as F
    >>> from flint import arb
    >>> step, coin = ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))), ((F(1, 2), F(1, 2)),) * 2
    >>> told = told_by_tree(Forest((None, 1), (coin, step)), [[arb(1), arb(3)]] * 2, [1])
    >>> (told[1, 1] / told[1, 0]).contains(arb(5))
    True
    """
    balls = _Balls(forest)
    passes = ForestPasses(forest, balls, weights)
    before, plain = passes.before(wanted), ForestPasses(forest, balls, None).before(wanted)
    odds = {}
    for record in wanted:
        held = balls.times(weights[record - 1], passes.after[record - 1])
        masses = balls.times(before[record], held)
        total = masses[0] + masses[1]
        for value, law in enumerate(plain[record]):
            if law > 0:
                odds[record, value] = masses[value] / law / total
    return odds


class _Balls(Passing["Sequence[arb]"]):
    """The weight of x_j = 0 and of x_j = 1: upwards given the value of the record that j hangs on,
    downwards with the law of x_j.
    """

    def __init__(self, forest: Forest) -> None:
        from flint import arb, ctx

        self.one = arb(1), arb(1)
        self._kernels: dict[int, tuple[Pair, Pair]]  # by the identity of a kernel, for all passes
        self._kernels = forest.__dict__.setdefault(f"_balls_{ctx.prec}", {})

    def times(self, one: "Sequence[arb]", other: "Sequence[arb]") -> "Pair":
        return one[0] * other[0], one[1] * other[1]

    def start(self, kernel: Kernel) -> "Pair":
        return self._enclosed(kernel)[0]

    def moved(self, message: "Sequence[arb]", kernel: Kernel, upward: bool) -> "Pair":
        (p00, p01), (p10, p11) = self._enclosed(kernel)
        zero, one = message
        if upward:
            return p00 * zero + p01 * one, p10 * zero + p11 * one
        return zero * p00 + one * p10, zero * p01 + one * p11

    def _enclosed(self, kernel: Kernel) -> "tuple[Pair, Pair]":
        known = self._kernels.get(id(kernel))
        if known is None:
            (p00, p01), (p10, p11) = kernel
            known = (ball(p00), ball(p01)), (ball(p10), ball(p11))
            self._kernels[id(kernel)] = known
        return known
