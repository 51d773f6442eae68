"""A box of transition matrices that holds the true one with a stated probability.

Let the records be a Markov chain with matrix P. Whenever it is in state x, the next value is y with
probability P(x, y), whatever came before; so `lasting_interval` of how often y followed x, and
something else did, misses P(x, y) with probability at most r, whenever the recording ended. With

    r = (1 - confidence) / intervals

all hold at once with at least the confidence. Every state has an interval per state, or one in all
where there are two.

Sequences count together if each is such a chain given those before it. The law of the first record
may be any; the states must be known.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, Literal

from pufferproof.models.numbers.enclosures import least
from pufferproof.models.priors.chains.box import IntervalChain

RESTS_ON = ("general.confidence-box",)
INTERVALS_REST_ON = ("general.lasting-interval",)
_STEPS = 10**6  # ends are multiples of 1 / _STEPS


def lasting_interval(successes: int, failures: int, risk: Fraction) -> tuple[Fraction, Fraction]:
    """Return the interval for probability `risk` of missing, its ends rounded outward to six
    decimals.

    Every number outside is decided by Arb balls; what these do not tell apart stays inside.

    >>> lasting_interval(3, 97, Fraction(1, 20))
    (Fraction(1879, 1000000), Fraction(122949, 1000000))
    >>> lasting_interval(0, 0, Fraction(1, 20))
    (Fraction(0, 1), Fraction(1, 1))
    """
    outside = _Outside(successes, failures, risk)
    lower = outside.reaching_up() if successes else 0
    upper = outside.reaching_down() if failures else _STEPS
    return Fraction(lower, _STEPS), Fraction(upper, _STEPS)


class _Outside:
    """Which multiples of 1 / _STEPS lie outside, surely."""

    def __init__(self, successes: int, failures: int, risk: Fraction) -> None:
        from flint import arb, ctx, fmpq

        self.successes, self.failures = successes, failures
        trials = successes + failures
        self.bits = 96 + 2 * trials.bit_length()
        half = fmpq(1, 2)
        with ctx.workprec(self.bits):
            # log(r Q), with B(a, b) = Gamma(a) Gamma(b) / Gamma(a + b)
            self.least = (
                arb(fmpq(risk.numerator, risk.denominator)).log()
                + arb(successes + half).lgamma()
                + arb(failures + half).lgamma()
                - arb(trials + 1).lgamma()
                - arb.pi().log()
            )

    def __call__(self, place: int) -> bool:
        """Whether p^k (1-p)^m < r Q, surely, at p = place / _STEPS."""
        if (place == 0 and self.successes) or (place == _STEPS and self.failures):
            return True
        from flint import ctx

        with ctx.workprec(self.bits):
            return bool(self._likelihood(place) < self.least)

    def _likelihood(self, place: int) -> Any:
        """Return log(p^k (1-p)^m), 0 log 0 being 0."""
        from flint import arb, fmpq

        total = arb(0)
        for count, chance in ((self.successes, place), (self.failures, _STEPS - place)):
            if count:
                total += count * arb(fmpq(chance, _STEPS)).log()
        return total

    def reaching_up(self) -> int:
        """Return the largest place below the interval: p^k (1-p)^m increases up to k / (k+m)."""
        peak = self.successes * _STEPS // (self.successes + self.failures)
        return least(lambda place: not self(place), (0, peak + 1))[0]

    def reaching_down(self) -> int:
        """Return the least place above the interval."""
        trials = self.successes + self.failures
        return least(self, (-(-self.successes * _STEPS // trials) - 1, _STEPS))[1]


BOX_RESTS_ON = (*RESTS_ON, *INTERVALS_REST_ON)
Start = Literal["any", "stationary"]


def confidence_box(
    counts: Sequence[Sequence[int]],
    confidence: Fraction,
    initial: Start = "any",
    absorbing: Collection[int] = (),
) -> IntervalChain:
    """Return the box for steps counted from each state (rows) to each. An absorbing state stays.

    >>> box = confidence_box([[633, 204], [204, 419]], Fraction(19, 20))
    >>> [[float(entry) for entry in row] for row in box.lower]
    [[0.696898, 0.190264], [0.259433, 0.599306]]
    >>> [[float(entry) for entry in row] for row in box.upper]
    [[0.809736, 0.303102], [0.400694, 0.740567]]
    """
    size = len(counts)
    risk = (1 - confidence) / (size if size == 2 else size * size)
    lower: list[list[Fraction]] = []
    upper: list[list[Fraction]] = []
    for place, row in enumerate(counts):
        if place in absorbing:
            bounds = [(Fraction(y == place),) * 2 for y in range(size)]
        else:
            bounds = [lasting_interval(count, sum(row) - count, risk) for count in row]
        lower.append([low for low, _ in bounds])
        upper.append([high for _, high in bounds])
    return IntervalChain(initial, lower, upper)
