"""Gaussian noise on vectors whose values lie in a flat of fewer dimensions: the same on fewer
numbers.

With the inner product <x, y> = sum_k x_k y_k / sigma_k^2 and orthogonal vectors b_1 .. b_d that
span the differences of the values, found by Gram and Schmidt with rationals, the likelihood of an
output w depends on t_i = <w - v_0, b_i> / <b_i, b_i> alone: independent numbers, of variances
1 / <b_i, b_i>. One of them is the line of `pufferproof.verify.noise.normal.lines`.
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.models.noise.additive import Vector
from pufferproof.verify.noise.laws.of_framework import Law, LawPair


def flat_laws(pair: LawPair, variances: Sequence[Fraction]) -> tuple[Law, Law, list[Fraction]]:
    """Return the laws of a pair in coordinates of the flat of its values, and the variances there.

    >>> from dataclasses import replace
    >>> one = Fraction(1)
    >>> laws = {(one, 0 * one): one}, {(0 * one, one): one}
    >>> above, below, variances = flat_laws(LawPair("theta", ("s", "t"), *laws), [one, one])
    >>> [[str(x) for x in value] for value in (*above, *below)], [str(v) for v in variances]
    ([['1'], ['0']], ['1/2'])
    """
    values = sorted({*pair.above, *pair.below})

    def inner(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
        return sum((a * b / v for a, b, v in zip(x, y, variances)), Fraction(0))

    def minus(x: Vector, y: Vector) -> Vector:
        return tuple(a - b for a, b in zip(x, y))

    basis: list[Vector] = []
    for value in values[1:]:
        rest = minus(value, values[0])
        for b in basis:
            share = inner(rest, b) / inner(b, b)
            rest = minus(rest, tuple(share * each for each in b))
        if any(rest):
            basis.append(rest)

    def place(value: Vector) -> Vector:
        return tuple(inner(minus(value, values[0]), b) / inner(b, b) for b in basis)

    above, below = ({place(v): p for v, p in law.items()} for law in (pair.above, pair.below))
    return above, below, [1 / inner(b, b) for b in basis]
