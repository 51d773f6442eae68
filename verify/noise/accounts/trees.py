"""Likelihoods of a noisy query at its ends on a forest of bits: one pass up, with pairs that are
not normalised, and one down to the records asked about. With u_j the weights of the values of j,

    up_j(x) = sum_y P(x_j = y | parent = x) held_j(y),     held_j(y) = u_j(y) prod_c up_c(y),

c over the records that hang on j. Only positive numbers are multiplied and added: enclosures stay
close whatever the exponents are, and what is 0 is exactly 0.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.priors.forest import Forest

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
    passes = _Passes(forest, weights)
    before, plain = passes.before(wanted), _Passes(forest, None).before(wanted)
    told = {}
    for record in wanted:
        known = [a * h for a, h in zip(before[record], passes.held[record - 1])]
        total = known[0] + known[1]
        for value, law in enumerate(plain[record]):
            if law > 0:
                told[record, value] = known[value] / law / total
    return told


class _Passes:
    """What passes along the arrows of a forest; without weights what is above a record is its
    law.
    """

    def __init__(self, forest: Forest, weights: "Sequence[Sequence[arb]] | None") -> None:
        from flint import arb, ctx

        self.forest, self.weights = forest, weights
        self.balls: dict[int, tuple[Pair, Pair]]  # by the identity of a kernel, for all passes
        self.balls = forest.__dict__.setdefault(f"_balls_{ctx.prec}", {})
        self.held = [list(pair) for pair in weights or ()]
        self.up: list[Pair] = [(arb(1), arb(1))] * len(self.held)
        for record in reversed(forest.downward if weights else ()):
            parent = forest.parents[record - 1]
            if parent is not None:
                zero, one = self.held[record - 1]
                (p00, p01), (p10, p11) = self.kernel(record)
                self.up[record - 1] = moved = p00 * zero + p01 * one, p10 * zero + p11 * one
                above = self.held[parent - 1]
                above[0], above[1] = above[0] * moved[0], above[1] * moved[1]

    def kernel(self, record: int) -> "tuple[Pair, Pair]":
        """Enclose the law of a record given 0 and given 1 above it."""
        kernel = self.forest.kernels[record - 1]
        known = self.balls.get(id(kernel))
        if known is None:
            (p00, p01), (p10, p11) = kernel
            known = (_ball(p00), _ball(p01)), (_ball(p10), _ball(p11))
            self.balls[id(kernel)] = known
        return known

    def before(self, wanted: Iterable[int]) -> "dict[int, Pair]":
        """Return the weight of x_i = 0 and of x_i = 1 with all that is not below a record, its own
        weight left out, of some records and all that they hang on.
        """
        asked = self.forest.with_above(wanted)
        known: dict[int, Pair] = {}
        for record in (each for each in self.forest.downward if each in asked):
            if self.forest.parents[record - 1] is None:
                known[record] = self.kernel(record)[0]
            zero, one = known[record]
            for child, (others_0, others_1) in self._shared(record, asked):
                (p00, p01), (p10, p11) = self.kernel(child)
                first, second = zero * others_0, one * others_1
                known[child] = first * p00 + second * p10, first * p01 + second * p11
        return known

    def _shared(self, record: int, asked: set[int]) -> "Iterable[tuple[int, Pair]]":
        """Yield the asked records that hang on one, with its own weights times what the others
        that hang on it pass up.
        """
        from flint import arb

        children = self.forest.children[record - 1]
        if self.weights is None:
            yield from ((child, (arb(1), arb(1))) for child in children if child in asked)
            return
        if not any(child in asked for child in children):
            return
        own = self.weights[record - 1]
        first, last = [(own[0], own[1])], [(arb(1), arb(1))]
        for child, other in zip(children, reversed(children)):
            first.append(_times(first[-1], self.up[child - 1]))
            last.append(_times(last[-1], self.up[other - 1]))
        for place, child in enumerate(children):
            if child in asked:
                yield child, _times(first[place], last[len(children) - 1 - place])


def _ball(number: Fraction) -> "arb":
    from flint import arb, fmpq

    return arb(fmpq(number.numerator, number.denominator))


def _times(one: "Pair", other: "Pair") -> "Pair":
    return one[0] * other[0], one[1] * other[1]
