"""The delta of Laplace noise on one number, between bounds as close as asked for.

With values v_1 < ... < v_m and c_j = P(F = v_j | s) - e^epsilon P(F = v_j | s'), the positive part
is to be integrated of

    h(w) = (rate / 2) sum_j c_j e^(-rate |w - v_j|).

Between two values, h is A e^(-rate (L - y)) + B e^(-rate y), y the distance from the left one and
L that between them: with at most one zero, at e^(2 rate y) = -(B/A) e^(rate L). Beyond the extreme
values its sign is constant. A coefficient whose sign balls do not tell is taken as 0, which is
wrong by at most half its size.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion, Enclosed

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("noise.delta-step",)
ScalarLaw = dict[Fraction, Fraction]
_INFINITY = float("inf")


def laplace_delta(above: ScalarLaw, below: ScalarLaw, decay: Power, level: Level, bits: int) -> DeltaRegion:
    """Return the delta of the ordered pair of laws, at a working precision.

    >>> region = laplace_delta(
    ...     {Fraction(0): Fraction(1)}, {Fraction(1): Fraction(1)}, Power.exp(Fraction(-1)), Level("0"), 128
    ... )
    >>> float(region.lower), region.outputs  # 1 - e^(-1/2)
    (0.3934693402873666, ('(-inf, 0.5)',))
    """
    from flint import ctx

    with ctx.workprec(bits):
        factor = level.ball()
        values = sorted({*above, *below})
        weights = [ball(above.get(v, _NONE)) - factor * ball(below.get(v, _NONE)) for v in values]
        gaps = [high - low for low, high in pairwise(values)]
        falls = [decay.to(gap).ball() for gap in gaps]
        up, down = rising(weights, falls), falling(weights, falls)
        total = Enclosed()
        total.signed(up[0] / 2, -_INFINITY, float(values[0]))
        rate = -decay.ball().log()
        for place, gap in enumerate(gaps):
            piece = _DeltaPiece(up[place + 1], down[place], falls[place], rate, ball(gap))
            piece.add_to(total, values[place], gap)
        total.signed(down[-1] / 2, float(values[-1]), _INFINITY)
        return total.region()


_NONE = Fraction(0)


def rising(weights: list[arb], falls: list[arb]) -> list[arb]:
    """Return the sums of c_j e^(-rate (v_j - v_i)) over j >= i, for every i."""
    sums = [weights[-1]]
    for weight, fall in zip(reversed(weights[:-1]), reversed(falls)):
        sums.append(weight + fall * sums[-1])
    return sums[::-1]


def falling(weights: list[arb], falls: list[arb]) -> list[arb]:
    """Return the sums of c_j e^(-rate (v_i - v_j)) over j <= i, for every i."""
    sums = [weights[0]]
    for weight, fall in zip(weights[1:], falls):
        sums.append(weight + fall * sums[-1])
    return sums


class _DeltaPiece:
    """Between two neighbouring values: `rising` A, `falling` B, `fall` e^(-rate L)."""

    def __init__(self, rising: arb, falling: arb, fall: arb, rate: arb, length: arb) -> None:
        self.rising, self.falling = rising, falling
        self.fall, self.rate, self.length = fall, rate, length

    def add_to(self, total: Enclosed, start: Fraction, length: Fraction) -> None:
        """Add the integral of the positive part; a coefficient of unknown sign is left out, and
        half of it doubted.
        """
        from flint import arb

        for name in ("rising", "falling"):
            ball = getattr(self, name)
            if not ball >= 0 and not ball <= 0:
                total.doubt(arb(ball.abs_upper()) / 2)
                setattr(self, name, arb(0))
        if not (self.rising <= 0 and self.falling <= 0):
            first, last = self._ends()
            low, high = (float(start) + float((end / self.length).mid()) * float(length) for end in (first, last))
            total.add(self._integral(first, last), low, high)

    def _ends(self) -> tuple[arb, arb]:
        """Return where the function is positive, as distances from the left value."""
        from flint import arb

        nothing, all_of_it = arb(0), self.length
        if self.rising >= 0 and self.falling >= 0:
            return nothing, all_of_it
        zero = ((-self.falling / self.rising).log() / self.rate + self.length) / 2
        inside = zero.max(nothing).min(all_of_it)
        return (inside, all_of_it) if self.rising > 0 else (nothing, inside)

    def _integral(self, first: arb, last: arb) -> arb:
        up = (-self.rate * (self.length - last)).exp() - (-self.rate * (self.length - first)).exp()
        down = (-self.rate * first).exp() - (-self.rate * last).exp()
        return (self.rising * up + self.falling * down) / 2
