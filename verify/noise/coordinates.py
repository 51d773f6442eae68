"""Coordinates of a query that are affine functions of one another, under noise whose density decays
exponentially.

If coordinate l is c + r times coordinate k under every secret, the two of them leak exactly as
coordinate k alone does with decay t_k t_l^|r|. So a histogram of two values leaks as a count with
half the scale, and K independent releases of one query leak as a single one with a K-th of it.

Derived: noise.parallel, noise.runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.noise.additive import Vector
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.verify.noise.laws import Law, LawPair


@dataclass(frozen=True)
class Merged:
    """Laws and decays of the kept coordinates; `places[l] = (k, r, c)` if coordinate l is r times
    the k-th kept one plus c.

    A coordinate that is constant under all laws has r = 0; where all are, the first is kept.
    """

    decays: tuple[Power, ...]
    pairs: tuple[LawPair, ...]
    places: tuple[tuple[int, Fraction, Fraction], ...]

    def whole(self, output: Vector) -> Vector:
        """Return the output of all coordinates, given that of the kept ones."""
        return tuple(ratio * output[k] + shift for k, ratio, shift in self.places)


def merged(decays: Sequence[Power], pairs: Sequence[LawPair]) -> Merged:
    """Merge coordinates that are affine functions of one another under all laws of all pairs.

    >>> law = {
    ...     (Fraction(0), Fraction(3)): Fraction(1, 2),
    ...     (Fraction(1), Fraction(1)): Fraction(1, 2),
    ... }
    >>> fewer = merged([Power.exp(Fraction(-1))] * 2, [LawPair("theta", ("s", "t"), law, law)])
    >>> fewer.decays[0].nats, fewer.whole((Fraction(1),))
    (Fraction(-3, 1), (Fraction(1, 1), Fraction(1, 1)))
    """
    if len(decays) == 1:
        return Merged(tuple(decays), tuple(pairs), ((0, Fraction(1), Fraction(0)),))
    vectors = list(
        dict.fromkeys(
            vector for pair in pairs for law in (pair.above, pair.below) for vector in law
        )
    )
    kept: list[int] = []
    joint: list[Power] = []
    known: dict[tuple[Fraction, ...], int] = {}
    places: list[tuple[int, Fraction, Fraction]] = []
    for coordinate, column in enumerate(zip(*vectors)):
        shape, step = _shape(column)
        if not step:
            places.append((0, Fraction(0), column[0]))
            continue
        if shape not in known:
            known[shape] = len(kept)
            kept.append(coordinate)
            joint.append(ONE)
        k = known[shape]
        first = [vector[kept[k]] for vector in vectors]
        ratio = step / _shape(first)[1]
        joint[k] = joint[k].times(decays[coordinate].to(abs(ratio)))
        places.append((k, ratio, column[0] - ratio * first[0]))
    if not kept:
        kept, joint = [0], [decays[0]]
    return Merged(tuple(joint), tuple(_kept(pair, kept) for pair in pairs), tuple(places))


def _shape(column: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return a column shifted and scaled so that its first two different entries are 0 and 1,
    and the scale; 0 if constant.
    """
    step = next((x - column[0] for x in column if x != column[0]), Fraction(0))
    return tuple((x - column[0]) / step for x in column) if step else (), step


def _kept(pair: LawPair, kept: Sequence[int]) -> LawPair:
    above, below = (_projected(law, kept) for law in (pair.above, pair.below))
    return LawPair(pair.prior, pair.pair, above, below)


def _projected(law: Law, kept: Sequence[int]) -> Law:
    return {tuple(vector[k] for k in kept): p for vector, p in law.items()}
