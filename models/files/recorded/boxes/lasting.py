"""The interval of a probability that holds at all times together, after k successes and m failures:
{p : p^k (1-p)^m >= r Q(k, m)}, Q the mixture of Krichevsky and Trofimov.
"""

from fractions import Fraction
from typing import Any

from pufferproof.models.numbers.enclosures import least

RESTS_ON = ("general.lasting-interval",)
STEPS = 10**6  # ends are multiples of 1 / STEPS


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
    upper = outside.reaching_down() if failures else STEPS
    return Fraction(lower, STEPS), Fraction(upper, STEPS)


class _Outside:
    """Which multiples of 1 / STEPS lie outside, surely."""

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
        """Whether p^k (1-p)^m < r Q, surely, at p = place / STEPS."""
        if (place == 0 and self.successes) or (place == STEPS and self.failures):
            return True
        from flint import ctx

        with ctx.workprec(self.bits):
            return bool(self._likelihood(place) < self.least)

    def _likelihood(self, place: int) -> Any:
        """Return log(p^k (1-p)^m), 0 log 0 being 0."""
        from flint import arb, fmpq

        total = arb(0)
        for count, chance in ((self.successes, place), (self.failures, STEPS - place)):
            if count:
                total += count * arb(fmpq(chance, STEPS)).log()
        return total

    def reaching_up(self) -> int:
        """Return the largest place below the interval: p^k (1-p)^m increases up to k / (k+m)."""
        peak = self.successes * STEPS // (self.successes + self.failures)
        return least(lambda place: not self(place), (0, peak + 1))[0]

    def reaching_down(self) -> int:
        """Return the least place above the interval."""
        trials = self.successes + self.failures
        return least(self, (-(-self.successes * STEPS // trials) - 1, STEPS))[1]
