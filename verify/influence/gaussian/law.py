"""A truncated Gaussian law in numbers: logarithms of what is integrated over the hidden records.

With Q = Sigma^-1, hidden records H, which hold the secret record i, and shown ones L, the density
of x_L given that x_i lies in a window s is, up to a factor that does not depend on s,
e^A_s(x_L) / P_s, where

    A_s(x_L) = log of the integral of exp(-x_H'Q_HH x_H/2 - x_H'Q_HL x_L), x_i in s, the rest of H
    in the box, and P_s = e^A_s with every record hidden.

A window that is one point u stands for x_i = u.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import Window
from pufferproof.verify.influence.gaussian.box import BoxIntegral
from pufferproof.verify.influence.gaussian.rows import TooMuchWorkError

if TYPE_CHECKING:
    from flint import arb, arb_mat, fmpq

_LEAST_BITS = 160
_MOST_BITS = 20_000
_ROWS = 4e7
_LOOSER = (1.0, 1e3, 1e6)  # tolerances to try, relative to that asked for
Hidden = tuple[int, ...]


def fmpq_of(value: Fraction) -> "fmpq":
    """Return a rational as flint has it."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


@dataclass(frozen=True)
class GaussianLaw:
    """A prior on `count` records, which are counted from 0 here."""

    prior: TruncatedGaussian
    count: int
    _integrals: dict[tuple[Hidden, int, Window], BoxIntegral] = field(default_factory=dict)
    _odds: dict[tuple[int, Window, Window], "arb"] = field(default_factory=dict)

    @cached_property
    def bits(self) -> int:
        """A precision at which Sigma^-1 has enough digits."""
        return self._inverse[0]

    @property
    def precision(self) -> "arb_mat":
        """Q = Sigma^-1, an Arb matrix."""
        return self._inverse[1]

    @cached_property
    def _inverse(self) -> "tuple[int, arb_mat]":
        from flint import arb, ctx

        bits = _LEAST_BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                try:
                    q = self.prior.arb_covariance(self.count).inv()
                except ZeroDivisionError:
                    bits *= 2
                    continue
                sizes = [q[i, i].sqrt() for i in range(self.count)]
                every = [(i, j) for i in range(self.count) for j in range(self.count)]
                if all(q[i, j].rad() < arb(2) ** -100 * sizes[i] * sizes[j] for i, j in every):
                    return bits, q
            bits *= 2
        raise TooMuchWorkError

    def log_given(self, window: Window, record: int, hidden: Hidden, x: Sequence[Fraction], tolerance: float) -> "arb":
        """Enclose A_s(x_L), x in the order of the shown records. Raises `TooMuchWorkError` where
        that would take too long.
        """
        from flint import ctx

        with ctx.workprec(self.bits):
            return self._log_given(window, record, hidden, x, tolerance)

    def _log_given(self, window: Window, record: int, hidden: Hidden, x: Sequence[Fraction], tolerance: float) -> "arb":
        from flint import arb

        q = self.precision
        shown = [k for k in range(self.count) if k not in hidden]
        values = [(k, fmpq_of(value)) for k, value in zip(shown, x)]
        constant = arb(0)
        if window[0] == window[1]:
            u = fmpq_of(window[0])
            constant = -q[record, record] * u * u / 2
            constant -= sum((q[record, k] * value for k, value in values), arb(0)) * u
            values.append((record, u))
            hidden = tuple(k for k in hidden if k != record)
            if not hidden:
                return constant
        linear = [sum((q[h, k] * value for k, value in values), arb(0)) for h in hidden]
        integral = self._integral(window, record, hidden)
        for looser in _LOOSER:
            try:
                return constant + integral.log(linear, min(tolerance * looser, 1e-2), _ROWS)
            except TooMuchWorkError:
                if looser == _LOOSER[-1] or tolerance * looser >= 1e-2:
                    raise
        raise TooMuchWorkError

    def _integral(self, window: Window, record: int, hidden: Hidden) -> BoxIntegral:
        key = (hidden, record, window)
        if key not in self._integrals:
            from flint import arb_mat

            sides = [window if k == record else self.prior.box for k in hidden]
            q = arb_mat([[self.precision[i, j] for j in hidden] for i in hidden])
            self._integrals[key] = BoxIntegral(
                q, [fmpq_of(low) for low, _ in sides], [fmpq_of(high) for _, high in sides]
            )
        return self._integrals[key]

    def odds(self, record: int, one: Window, other: Window, tolerance: float) -> "arb":
        """Enclose log(P_other / P_one), of windows of one record: exactly 0 where the box is
        symmetric and so are they.
        """
        from flint import arb, ctx

        if self.mirrored and one == (-other[1], -other[0]):
            return arb(0)
        key = (record, one, other)
        if key not in self._odds or float(self._odds[key].rad()) > 4 * tolerance:
            every = tuple(range(self.count))
            with ctx.workprec(self.bits):
                found = [self._log_given(w, record, every, (), tolerance) for w in (other, one)]
                self._odds[key] = found[0] - found[1]
        return self._odds[key]

    @property
    def mirrored(self) -> bool:
        """Whether x and -x have the same law."""
        return self.prior.box[0] == -self.prior.box[1]
