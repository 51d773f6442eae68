"""When a bound is computed, and which share of the risk each time has.

A run means to draw n samples of either secret, n fixed before. Bounds are computed at n, n/2, n/4
and so on, and, if the run is resumed for more, at 2n, 4n and so on. Of the risk, half is for n,
and 1/(4 j (j + 1)) for each of n/2^j and n 2^j: together all of it, as the sum of 1/(j (j + 1)) is
1. All these times are known before anything is drawn, so that the probability that any of the
bounds is too large is at most the risk: one may stop at any of them, and resume.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_LEAST = 64  # samples of either secret at which a bound is worth its share


@dataclass(frozen=True)
class Checkpoint:
    """A number of samples of either secret, and the share of the risk that is spent there."""

    samples: int
    share: Fraction


def checkpoints(meant: int, after: int = 0, until: int | None = None) -> Iterator[Checkpoint]:
    """Yield the checkpoints of a run that means to draw so many samples, in order: those with more
    than `after`, and at most `until`, which is as many as are meant if left out.

    >>> [each.samples for each in checkpoints(1000)]
    [125, 250, 500, 1000]
    >>> [each.samples for each in checkpoints(1000, after=1000, until=5000)]
    [2000, 4000]
    >>> sum(each.share for each in checkpoints(1000, until=10**100)) < 1
    True
    """
    step, last = 0, meant if until is None else until
    while meant >> step + 1 >= _LEAST:
        step += 1
    while (samples := meant >> step if step >= 0 else meant << -step) <= last:
        if samples > after:
            yield Checkpoint(samples, _share(abs(step)))
        step -= 1


def _share(step: int) -> Fraction:
    return Fraction(1, 4 * step * (step + 1)) if step else Fraction(1, 2)
