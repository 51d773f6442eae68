"""Quilts of a class of chains, and the Markov quilt mechanism on boxes of any number of states.

The influence over the class of a quilt at distances a and b is bounded once for all records that
have it (`class_influence` without a record), so that a bound, and a scale, take some dozens of
influences however many records are private. Distances are those of `WIDTHS`: any quilt is sound,
and a better one may be between them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import inf

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import log_approx
from pufferproof.models.priors.chains.gap import ChainClass
from pufferproof.models.sequences.arithmetic import Bounds, PrecisionError
from pufferproof.verify.influence.box.largest import class_influence

RESTS_ON = ("general.quilt-account", "wang2016.thm-4.4")
WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
EFFORT = 100  # boxes tried for the influence of a quilt of more than two states
Quilt = tuple[int | None, int | None]  # distances to the left and to the right


@dataclass(frozen=True)
class ClassQuilts:
    """The quilts that are tried for records of a class of chains, with bounds of their influence.

    >>> from pufferproof.models.priors.chains.box import IntervalChain
    >>> steady = [["7/10", "1/10"], ["1/10", "7/10"]], [["9/10", "3/10"], ["3/10", "9/10"]]
    >>> quilts = ClassQuilts(IntervalChain("any", *steady), 9)
    >>> quilts.influence((1, None)), len(list(quilts.around(1))), len(list(quilts.around(5)))
    (<Bounds: 81>, 7, 19)
    """

    box: ChainClass
    length: int
    _known: dict[Quilt, Bounds] = field(default_factory=dict, repr=False)

    def around(self, record: int) -> Iterator[Quilt]:
        """Yield the quilts of a record: none, one side near an end, and two similar sides."""
        lefts = [width for width in WIDTHS if width < record]
        rights = [width for width in WIDTHS if width <= self.length - record]
        yield None, None
        if not self._inner(record):
            yield from ((left, None) for left in lefts)
            yield from ((None, right) for right in rights)
        for place, left in enumerate(lefts):
            yield from ((left, right) for right in rights[max(0, place - 1) : place + 2])

    def influence(self, quilt: Quilt) -> Bounds:
        """Return bounds of e^e of a quilt of any record, the upper one None if none is known."""
        if quilt not in self._known:
            try:
                known = class_influence(self.box, self.length, None, *quilt, EFFORT)
            except PrecisionError:
                known = Bounds(Fraction(1), None)
            self._known[quilt] = known
        return self._known[quilt]

    def best(self, record: int, cost: Callable[[Quilt, float], float]) -> Quilt:
        """Return the quilt of a record whose cost is least, the first of several.

        `cost` is that of a quilt with an influence of so many nats, in floats, and grows with it.
        """
        chosen: tuple[float, Quilt] = (inf, (None, None))
        for least, quilt in sorted(
            ((cost(quilt, 0.0), quilt) for quilt in self.around(record)), key=lambda known: known[0]
        ):
            if least >= chosen[0]:
                break
            upper = self.influence(quilt).upper
            value = inf if upper is None else cost(quilt, log_approx(upper))
            if value < chosen[0]:
                chosen = (value, quilt)
        return chosen[1]

    def places(self, records: Sequence[int] | None) -> list[int]:
        """Return records, all if None, but of those far from both ends one only: they have the
        same quilts, with as many records nearby.

        Raises `ModelError` unless there are some, all on the chain.
        """
        chosen = range(1, self.length + 1) if records is None else sorted(set(records))
        if not chosen:
            raise ModelError("expected at least one record, found none", "records")
        for record in (chosen[0], chosen[-1]):
            if not 1 <= record <= self.length:
                raise ModelError(f"expected a record from 1 to {self.length}, found {record}", "records")
        inner = [record for record in chosen if self._inner(record)]
        return [record for record in chosen if not self._inner(record)] + inner[:1]

    def _inner(self, record: int) -> bool:
        return WIDTHS[-1] < record <= self.length - WIDTHS[-1]


@lru_cache(maxsize=16)
def quilts_of(box: ChainClass, length: int) -> ClassQuilts:
    """Return the quilts of a class, with the influences that were bounded before."""
    return ClassQuilts(box, length)


def nearby(record: int, quilt: Quilt, length: int) -> tuple[int, int]:
    """Return the first and the last record that a quilt leaves nearby."""
    left, right = quilt
    return (1 if left is None else record - left + 1, length if right is None else record + right - 1)
