"""Claims besides a level, as inequalities P(E | s) <= R P(E | s') + d that hold for all events.

An event with the probabilities p and q keeps a claim if (p, q) lies in a convex set. It is the set
in which p - R q <= d for all of its tangents:

    (epsilon, delta)  R = e^epsilon, d = delta: one tangent;
    rho-zCDP          r > s > 0, alpha > 1: with M = e^(alpha (alpha - 1) rho),
                      alpha r^(alpha-1) p - (alpha-1) r^alpha q
                        + alpha s^(alpha-1) (1-p) - (alpha-1) s^alpha (1-q) <= M,
                      as p^alpha q^(1-alpha) is convex, and homogeneous of degree 1;
    mu-GDP            R = e^x, d = Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu), for any real x.

Numbers are rounded so that an inequality says less. Sources: Bun and Steinke (2016), Definition
1.1, with the data-processing inequality; Dong, Roth and Su (2022), Corollary 1.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import ball, dyadic, exp_bounds, least, rounded_down
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, text_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BITS = 64  # of a rounded number
_FINE = 1 << 20  # numbers that choose a tangent are multiples of 1 / _FINE
_ROOT = 16
_ORDERS = (*range(17, 33), *range(34, 65, 2), *range(72, 161, 8), 192, 256, 384, 512)  # alpha 16
_ACCURACY = 96
_MOST = 10**4  # of rho and mu
_STEEPEST = 40.0
_LARGE = 600  # an exponent
_FAR = Fraction(30)  # where Phi is hardly more than 0, or less than 1

Place = tuple[Fraction, ...]


@dataclass(frozen=True)
class Tangent:
    """An inequality P(E | s) <= rate P(E | s') + slack."""

    rate: Fraction
    slack: Fraction


class Claim(Protocol):
    """What is claimed of every pair of probabilities of an event; `kind` is its key in files."""

    @property
    def kind(self) -> str:
        """The key of the claim in files, and its option."""

    @property
    def value(self) -> Fraction:
        """What is claimed: of delta, rho or mu."""

    def tangent(self, place: Place, value: Fraction) -> Tangent:
        """Return an inequality that holds for all events if the claim does with this value."""

    def tangent_approx(self, place: Place, value: float) -> tuple[float, float]:
        """Return its rate and its slack in floats."""

    def place(self, p: float, q: float) -> Place:
        """Return where the tangent through an event is, about."""

    def shown_approx(self, p: Any, q: Any) -> Any:
        """Return the least value with which the claim holds for events, in floats."""


@dataclass(frozen=True)
class DeltaClaim:
    """(epsilon, delta): P(E | s) <= e^epsilon P(E | s') + delta.

    >>> DeltaClaim(Level("log(2)"), Fraction(1, 8)).shown_approx(0.5, 0.125)
    0.25
    """

    level: Level
    value: Fraction
    kind = "delta"

    @cached_property
    def rate(self) -> Fraction:
        """e^epsilon, or a rational above it by less than a part in 2^60."""
        if self.level.ratio is not None:
            return self.level.ratio
        return rounded_up(self.level.bounds(_ACCURACY)[1])

    def tangent(self, place: Place, value: Fraction) -> Tangent:
        """Return the inequality."""
        return Tangent(self.rate, value)

    def tangent_approx(self, place: Place, value: float) -> tuple[float, float]:
        """Return it in floats."""
        return float(self.rate), value

    def place(self, p: float, q: float) -> Place:
        """There is one tangent."""
        return ()

    def shown_approx(self, p: Any, q: Any) -> Any:
        """Return p - e^epsilon q."""
        return p - float(self.rate) * q

    def __str__(self) -> str:
        return f"({self.level}, {brief(self.value)})"


@dataclass(frozen=True)
class ZcdpClaim:
    """rho-zCDP: the Renyi divergence of every order alpha is at most rho alpha.

    A tangent's place is alpha, u and v, where u^16 = r and v^16 = s.
    """

    value: Fraction
    kind = "zcdp"

    def tangent(self, place: Place, value: Fraction) -> Tangent:
        """Return the inequality at a place."""
        alpha, u, v = place
        above, below = _powers(u, alpha), _powers(v, alpha)
        exponent = alpha * (alpha - 1) * value
        moment = exp_bounds(exponent, _ACCURACY)[1] if 0 < exponent < _LARGE else Fraction(1)
        scale = alpha * (above[0] - below[0])
        rate = (alpha - 1) * (above[1] - below[1]) / scale
        slack = (moment - alpha * below[0] + (alpha - 1) * below[1]) / scale
        if exponent >= _LARGE:
            slack = Fraction(1)  # which every event has
        return Tangent(rounded_up(rate), rounded_up(slack))

    def tangent_approx(self, place: Place, value: float) -> tuple[float, float]:
        """Return it in floats."""
        alpha, u, v = map(float, place)
        r, s = u**_ROOT, v**_ROOT
        scale = alpha * (r ** (alpha - 1) - s ** (alpha - 1))
        rate = (alpha - 1) * (r**alpha - s**alpha) / scale
        if alpha * (alpha - 1) * value >= _LARGE:
            return rate, 1.0
        moment = math.exp(alpha * (alpha - 1) * value)
        return rate, (moment - alpha * s ** (alpha - 1) + (alpha - 1) * s**alpha) / scale

    def place(self, p: float, q: float) -> Place:
        """Return the order that shows most of an event, and its ratios."""
        import numpy as np

        r, s = p / q, (1 - p) / (1 - q)
        known = self._orders(np.array([p]), np.array([q]))[:, 0]
        usable = np.array([order / _ROOT * abs(math.log(r)) < _STEEPEST for order in _ORDERS])
        order = _ORDERS[int(np.argmax(np.where(usable, known, -np.inf)))]
        below = min(max(_fine(s ** (1 / _ROOT)), Fraction(1, _FINE)), Fraction(1))
        return (Fraction(order, _ROOT), max(_fine(r ** (1 / _ROOT)), below + Fraction(1, _FINE)), below)

    def shown_approx(self, p: Any, q: Any) -> Any:
        """Return the largest d_alpha(p || q) / alpha over some orders, with the sign of p - q."""
        import numpy as np

        p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
        sizes = self._orders(np.ravel(p), np.ravel(q)).max(axis=0).reshape(p.shape)
        return np.where(p > q, sizes, -sizes)[()]

    def _orders(self, p: "Floats", q: "Floats") -> "Floats":
        """Return d_alpha(p || q) / alpha, a row for each order."""
        import numpy as np

        alpha = np.array(_ORDERS)[:, None] / _ROOT
        least = 1e-300
        p, q = np.clip(p, least, 1 - 1e-16), np.clip(q, least, 1 - 1e-16)
        one = alpha * np.log(p) + (1 - alpha) * np.log(q)
        other = alpha * np.log1p(-p) + (1 - alpha) * np.log1p(-q)
        sizes: Floats = np.logaddexp(one, other) / (alpha * (alpha - 1))
        return sizes

    def __str__(self) -> str:
        return f"{brief(self.value)}-zCDP"


@dataclass(frozen=True)
class GdpClaim:
    """mu-GDP: Phi^-1(P(E | s)) - Phi^-1(P(E | s')) <= mu.

    A tangent's place is x, the logarithm of its rate.
    """

    value: Fraction
    kind = "gdp"

    def tangent(self, place: Place, value: Fraction) -> Tangent:
        """Return the inequality at a place."""
        (x,) = place
        rate = rounded_up(exp_bounds(x, _ACCURACY)[1]) if x else Fraction(1)
        if not value:
            return Tangent(rate, max(Fraction(0), 1 - rate))
        from flint import ctx

        with ctx.workprec(256):
            above, below = value / 2 - x / value, -value / 2 - x / value
            slack = _normal(max(above, -_FAR)) if above < _FAR else ball(1)
            if below > -_FAR:
                slack -= ball(x).exp() * _normal(min(below, _FAR))
            return Tangent(rate, max(Fraction(0), rounded_up(dyadic(slack.upper()))))

    def tangent_approx(self, place: Place, value: float) -> tuple[float, float]:
        """Return it in floats."""
        x = float(place[0])
        value = max(value, 1e-12)
        rate = math.exp(x)
        above, below = value / 2 - x / value, -value / 2 - x / value
        slack = _normal_approx(above) - rate * _normal_approx(below)
        return rate, max(slack, 0.0)

    def place(self, p: float, q: float) -> Place:
        """Return the logarithm of the slope phi(Phi^-1(p)) / phi(Phi^-1(q))."""
        quantile = NormalDist().inv_cdf
        slope = (quantile(q) ** 2 - quantile(p) ** 2) / 2
        return (_fine(max(-_STEEPEST, min(_STEEPEST, slope))),)

    def shown_approx(self, p: Any, q: Any) -> Any:
        """Return Phi^-1(p) - Phi^-1(q)."""
        import numpy as np

        quantile = np.vectorize(NormalDist().inv_cdf, otypes=[float])
        p, q = (np.clip(each, 1e-300, 1 - 1e-16) for each in (p, q))
        return quantile(p) - quantile(q)

    def __str__(self) -> str:
        return f"{brief(self.value)}-GDP"


def claim_of(level: Level | None, delta: object, zcdp: object, gdp: object) -> Claim | None:
    """Read a claim, None if nothing but a level is claimed. Raises `ModelError` unless numbers are
    in their range, and there is one claim.
    """
    given = [name for name, value in (("zcdp", zcdp), ("gdp", gdp)) if value is not None]
    if given and (delta is not None or level is not None or len(given) > 1):
        raise ModelError("goes alone, without epsilon and delta", given[0])
    if delta is not None:
        if level is None:
            raise ModelError("needs epsilon as well", "delta")
        return DeltaClaim(level, probability(delta, "delta"))
    if not given:
        return None
    value = _not_negative(zcdp if zcdp is not None else gdp, given[0])
    return ZcdpClaim(value) if zcdp is not None else GdpClaim(value)


def asked_json(claim: Claim | None) -> JsonObject:
    """Return what bets are against, without the value that is claimed."""
    level = claim.level if isinstance(claim, DeltaClaim) else None
    return {"kind": "leakage" if claim is None else claim.kind, "level": level_json(level)}


def level_json(level: Level | None) -> JsonObject | None:
    """Return a level as e to the power of it, or in nats."""
    if level is None:
        return None
    if level.ratio is not None:
        return {"ratio": text_of(level.ratio)}
    return {"nats": text_of(level.nats or Fraction(0))}


def _not_negative(value: object, where: str) -> Fraction:
    try:
        number = exact(value)
    except ModelError as error:
        raise error.within(where) from None
    if not 0 <= number <= _MOST:
        raise ModelError(f"expected a number from 0 to {_MOST}, found {brief(number)}", where)
    return number


def on_the_way(claim: Claim, p: float, q: float, value: float) -> tuple[float, float]:
    """Return the event between (p, q) and an even one for which the claim holds with a value."""
    middle = (p + q) / 2

    def at(part: float) -> tuple[float, float]:
        return middle + part * (p - middle), middle + part * (q - middle)

    part = least(lambda x: float(claim.shown_approx(*at(x))) >= value, (0.0, 1.0), 1e-5)[1]
    return at(part)


def rounded_up(value: Fraction) -> Fraction:
    """Return a rational of few digits that is at least a number, and hardly larger."""
    return -rounded_down(-value, _BITS) if value else value


def _fine(value: float) -> Fraction:
    return Fraction(round(value * _FINE), _FINE)


def _powers(root: Fraction, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """Return t^(alpha - 1) and t^alpha, where t = root^16 and 16 alpha is whole."""
    order = int(_ROOT * alpha)
    return root ** (order - _ROOT), root**order


def _normal_approx(value: float) -> float:
    return math.erfc(-value / math.sqrt(2)) / 2


def _normal(value: Fraction) -> Any:
    """Enclose Phi."""
    return (ball(-value) / ball(2).sqrt()).erfc() / 2
