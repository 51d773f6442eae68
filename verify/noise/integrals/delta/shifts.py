"""The moment of noise about two values, and what it says by a coupling of the moment of two laws.

    at most the sum over (v, v') of pi(v, v') prod over k of m_k(v_k - v'_k),

m_k that of noise k about two values: by joint convexity of f^alpha g^(1 - alpha).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.verify.noise.integrals.delta.coupling import Axis, Coupling

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("noise.coupling",)


def coupled_moment(
    coupling: Coupling, axes: Sequence[Axis], order: Fraction, bits: int
) -> tuple[Fraction, Fraction]:
    """Enclose the bound, which is the moment where there is one value each."""
    from flint import arb, ctx

    with ctx.workprec(bits):
        total = arb(0)
        known = cache(lambda k, distance: shift_moment(axes[k], distance, order))
        for v, w, mass in coupling.moved:
            part = ball(mass)
            for k, (x, y) in enumerate(zip(v, w)):
                part *= known(k, abs(x - y))
            total += part
        return dyadic(total.lower()), dyadic(total.upper())


def shift_moment(noise: Axis, distance: Fraction, order: Fraction) -> arb:
    """Enclose the moment of noise about two values at a distance, at the working precision: by
    Mironov (2017), Propositions 6 and 7, and a sum of integers.
    """
    from flint import arb

    if not distance:
        return arb(1)
    if noise.variance is not None or noise.decay is None:
        return ball(order * (order - 1) * distance**2 / (2 * (noise.variance or Fraction(1)))).exp()
    fall = noise.decay.to(distance).ball()
    gain, loss = (fall.log() * ball(1 - order)).exp(), (fall.log() * ball(order)).exp()
    if not noise.on_integers:
        return (ball(order) * gain + ball(order - 1) * loss) / ball(2 * order - 1)
    rate = noise.decay.ball()
    # the ratios between the two values are a geometric series of ratio a^(2 alpha - 1)
    steps = (rate.log() * ball(2 * order - 1)).exp()
    inner = (1 - rate) * gain * (steps - (steps.log() * ball(distance)).exp()) / (1 - steps)
    return (gain + loss + inner) / (1 + rate)
