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
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import ball, dyadic, exp_bounds, least, rounded_down
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, text_of

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

# A lower confidence bound of a likelihood ratio, by betting on the coins of calls with an event.
#
# A fair coin chooses the secret of every call. If P(E | s) <= R P(E | s') at every call, whatever happened before, the
# coin of a call with E shows s with probability at most rho = R / (1 + R). After a of them show s and b show s', a bet
# that s has probability q has made 1 into
#
#     (q / rho)^a ((1 - q) / (1 - rho))^b,
#
# and the mean over a Beta(A, B) law of q, without q < rho, is
#
#     W(rho) = B(a + A, b + B) I_(1-rho)(b + B, a + A) / (B(A, B) rho^a (1 - rho)^b).
#
# It ever reaches 1 / risk with probability at most risk, for any sampler. Source: Waudby-Smith and Ramdas (2024).

RESTS_ON = ("general.coin-bets", "general.coin-bound")
_STEP = Fraction(1, 1 << 30)  # how far below the proposal the first attempt is, relatively
_COIN_BITS = (128, 256, 512)  # of the enclosures, in turn
_EVEN = (1, 1)
_WIDTH = 1e-9  # nats, of a proposal
_FLOAT_ROUNDING, _MOST_TERMS, _TINY = 1e-15, 100_000, 1e-300  # of a continued fraction in floats
_FAR_COIN = 40.0  # above log(a), where a bet wins next to nothing

Prior = tuple[int, int]


@dataclass(frozen=True)
class Evidence:
    """What shows a bound: of the calls in which an event happened, the coin showed the first secret
    of the pair `seen[0]` times and the second `seen[1]` times, of `calls` with either secret.
    """

    event: int
    seen: tuple[int, int]
    calls: tuple[int, int]
    prior: Prior
    risk: Fraction

    @cached_property
    def share(self) -> Fraction:
        """With the confidence, the probability that such a coin shows the first secret is at least
        that; proved when it is asked for.
        """
        return share_at_least(self.seen, self.prior, self.risk)

    @property
    def ratio(self) -> Fraction:
        return self.share / (1 - self.share)


def share_at_least(seen: tuple[int, int], prior: Prior, risk: Fraction) -> Fraction:
    """Return a number that exceeds the largest probability with which a coin of a call with the
    event shows the first secret, at this or any other time, with probability at most `risk`; 1/2
    where nothing is shown.

    Args:
        seen: how often the coins showed the first secret, and the second.
        prior: A and B, positive integers that do not depend on these coins: half of the stake is
            bet by Beta(A, B), half by Beta(1, 1).

    >>> round(float(share_at_least((70, 10), (1, 1), Fraction(1, 20))), 3)
    0.723
    >>> share_at_least((30, 30), (1, 1), Fraction(1, 20))
    Fraction(1, 2)
    """
    proposal = nats_approx(seen, prior, risk)
    if proposal <= 0:
        return Fraction(1, 2)
    ratio, step = Fraction(math.exp(proposal)), _STEP
    while (lower := ratio * (1 - step)) > 1:
        share = lower / (1 + lower)
        if _reaches(share, seen, prior, 1 / risk):
            return share
        step *= 2
    return Fraction(1, 2)


def nats_approx(seen: tuple[int, int], prior: Prior, risk: Fraction) -> float:
    """Return the logarithm of the bound of the likelihood ratio in floats, of which nothing is
    proved; 0 where nothing is shown.
    """
    (a, b), goal = seen, -math.log(risk)
    priors = _mixed(prior)
    starts = [_log_beta(*each) + math.log(len(priors)) for each in priors]
    if a <= b or _log_wealth_approx(0.0, seen, priors, starts) < goal:
        return 0.0
    ends = 0.0, math.log(a / b) if b else math.log(a) + _FAR_COIN
    return least(lambda nats: _log_wealth_approx(nats, seen, priors, starts) < goal, ends, _WIDTH, _WIDTH)[0]


def _log_wealth_approx(nats: float, seen: tuple[int, int], priors: Sequence[Prior], starts: Sequence[float]) -> float:
    """Return log W at rho = 1 / (1 + e^-nats)."""
    (a, b), losing = seen, 1 / (1 + math.exp(nats))
    logs = [
        _log_beta(a + x, b + y) - start + _log_beta_tail_approx(b + y, a + x, losing)
        for (x, y), start in zip(priors, starts)
    ]
    spent = a * math.log1p(math.exp(-nats)) + b * (nats + math.log1p(math.exp(-nats)))
    return _log_sum(logs) + spent


def _log_sum(logs: Sequence[float]) -> float:
    top = max(logs, default=-math.inf)
    return top + math.log(sum(math.exp(log - top) for log in logs)) if top > -math.inf else top


def _log_beta_tail_approx(a: int, b: int, x: float) -> float:
    """Return log I_x(a, b), the regularised incomplete beta function, for 0 < x < 1: where
    x < (a + 1) / (a + b + 2), by the continued fraction 8.17.22 of the DLMF with the recurrence of
    Lentz, elsewhere by I_x(a, b) = 1 - I_{1-x}(b, a).
    """
    mirrored = x >= (a + 1) / (a + b + 2)
    if mirrored:
        a, b, x = b, a, 1 - x
    front = a * math.log(x) + b * math.log1p(-x) - _log_beta(a, b) - math.log(a)
    upper, lower = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value, factor, m = lower, 0.0, 0
    while abs(factor - 1) > _FLOAT_ROUNDING and m < _MOST_TERMS:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        lower, upper = 1 / (1 + even * lower or _TINY), 1 + even / upper or _TINY
        value *= lower * upper
        lower, upper = 1 / (1 + odd * lower or _TINY), 1 + odd / upper or _TINY
        factor = lower * upper
        value *= factor
    log = front + math.log(value)
    if not mirrored:
        return log
    return math.log1p(-math.exp(log)) if log < 0 else -math.inf


def _log_beta(a: int, b: int) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _mixed(prior: Prior) -> list[Prior]:
    """Return the priors that have equal parts of the stake."""
    return [_EVEN] if prior == _EVEN else [_EVEN, prior]


def _reaches(share: Fraction, seen: tuple[int, int], prior: Prior, goal: Fraction) -> bool:
    """Whether W(share) >= goal is proved."""
    from flint import arb, ctx

    a, b = seen
    for bits in _COIN_BITS:
        with ctx.workprec(bits):
            wins, loses = ball(share), ball(1 - share)
            total = arb(0)
            priors = _mixed(prior)
            for first, second in priors:
                logs = _log_beta_ball(a + first, b + second) - _log_beta_ball(first, second)
                tail = loses.beta_lower(arb(b + second), arb(a + first), True)
                total += tail * (logs - a * wins.log() - b * loses.log()).exp()
            if total >= ball(goal) * len(priors):
                return True
            if total < ball(goal) * len(priors):
                return False
    return False


def _log_beta_ball(a: int, b: int) -> "arb":
    from flint import arb

    return arb(a).lgamma() + arb(b).lgamma() - arb(a + b).lgamma()


if TYPE_CHECKING:
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
Share = Any  # the probability of an event, or an array of those of many


@dataclass(frozen=True)
class Tangent:
    """An inequality P(E | s) <= rate P(E | s') + slack."""

    rate: Fraction
    slack: Fraction


# What is claimed of every pair of probabilities of an event. Every claim has its `kind`, the key in files and the
# option, and the `value` that is claimed: of delta, rho or mu. A `tangent` is an inequality that holds for all events
# if the claim does with a value, `place` is where the tangent through an event is, about, and `shown_approx` the least
# value with which the claim holds for events.


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
        return Tangent(self.rate, value)

    def tangent_approx(self, place: Place, value: float) -> tuple[float, float]:
        return float(self.rate), value

    def place(self, p: float, q: float) -> Place:
        return ()

    def shown_approx(self, p: Share, q: Share) -> Share:
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
        alpha, u, v = place
        order = int(_ROOT * alpha)  # whole: powers of t = root^16 are t^(alpha - 1) and t^alpha
        above, below = ((root ** (order - _ROOT), root**order) for root in (u, v))
        exponent = alpha * (alpha - 1) * value
        moment = exp_bounds(exponent, _ACCURACY)[1] if 0 < exponent < _LARGE else Fraction(1)
        scale = alpha * (above[0] - below[0])
        rate = (alpha - 1) * (above[1] - below[1]) / scale
        slack = (moment - alpha * below[0] + (alpha - 1) * below[1]) / scale
        if exponent >= _LARGE:
            slack = Fraction(1)  # which every event has
        return Tangent(rounded_up(rate), rounded_up(slack))

    def tangent_approx(self, place: Place, value: float) -> tuple[float, float]:
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

    def shown_approx(self, p: Share, q: Share) -> Share:
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

    def shown_approx(self, p: Share, q: Share) -> Share:
        """Return Phi^-1(p) - Phi^-1(q)."""
        import numpy as np

        quantile = np.vectorize(NormalDist().inv_cdf, otypes=[float])
        p, q = (np.clip(each, 1e-300, 1 - 1e-16) for each in (p, q))
        return quantile(p) - quantile(q)

    def __str__(self) -> str:
        return f"{brief(self.value)}-GDP"


def _normal_approx(value: float) -> float:
    return math.erfc(-value / math.sqrt(2)) / 2


Claim = DeltaClaim | ZcdpClaim | GdpClaim


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
    where = given[0]
    try:
        number = exact(zcdp if zcdp is not None else gdp)
    except ModelError as error:
        raise error.within(where) from None
    if not 0 <= number <= _MOST:
        raise ModelError(f"expected a number from 0 to {_MOST}, found {brief(number)}", where)
    return ZcdpClaim(number) if zcdp is not None else GdpClaim(number)


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


def _normal(value: Fraction) -> "arb":
    return (ball(-value) / ball(2).sqrt()).erfc() / 2


# Bets against inequalities P(E | s) <= R P(E | s') + d that hold at every call by a claim.
#
# A fair coin chooses the secret of every call. A bet with stake x and tilt y multiplies what it has, after s with E, s
# without, s' with E, s' without, by
#
#     1 + x (2 - d) + y,  1 - x d + y,  1 - x (2 R + d) - y,  1 - x d - y,
#
# on average by 1 + x (P(E | s) - R P(E | s') - d) <= 1. So bets ever reach 1 / risk with probability at most risk. The
# largest value that they refute is the bound, as factors fall in d. The best bet projects the shares seen before onto
# the inequality. Source: Waudby-Smith and Ramdas (2024).

ADDITIVE_RESTS_ON = ("general.additive-bet", "general.additive-bets")
_ADDITIVE_BITS = (128, 256, 512)  # of the enclosures, in turn
_DIGITS = 30  # bits of a stake
_SPREAD = 6  # stakes that halve
_CLAIMED, _FINAL = 0.35, 0.3  # what is bet against the claim, and for the bound after all calls

Counts = tuple[int, int, int, int, int]  # s with E, s without, s' with E, s' without, lost


@dataclass(frozen=True)
class Bet:
    """A part of what is bet, at a tangent's place, with a stake and a tilt."""

    part: Fraction
    place: Place
    stake: Fraction
    tilt: Fraction

    def factors(self, tangent: Tangent) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Return what the four kinds of call multiply it by."""
        x, y, spent = self.stake, self.tilt, 1 - self.stake * tangent.slack
        return spent + 2 * x + y, spent + y, spent - 2 * x * tangent.rate - y, spent - y

    def as_json(self) -> JsonObject:
        """Return it as files have it."""
        numbers = {"part": self.part, "stake": self.stake, "tilt": self.tilt}
        known = {name: text_of(number) for name, number in numbers.items()}
        return known | {"place": [text_of(number) for number in self.place]}

    @classmethod
    def of(cls, document: JsonObject) -> "Bet":
        """Read what `as_json` wrote."""
        part, stake, tilt = (Fraction(document[name]) for name in ("part", "stake", "tilt"))
        if not (0 < part <= 1 and stake > 0):
            raise ValueError(f"expected a part and a stake, found {document}")
        return cls(part, tuple(map(Fraction, document["place"])), stake, tilt)


@dataclass(frozen=True)
class ClaimEvidence:
    """What shows a bound of a claim's value: in how many of the `calls` with either secret the
    event was `seen`; calls that are `lost` are among those with the second one, with the event.
    """

    event: int
    seen: tuple[int, int]
    calls: tuple[int, int]
    lost: int
    claim: Claim
    bets: tuple[Bet, ...]
    risk: Fraction

    @cached_property
    def value(self) -> Fraction:
        """With the confidence, the claim is false for this value and smaller ones; proved when it
        is asked for, and 0 if nothing is shown.
        """
        counts = counted(self.seen, self.calls, self.lost)
        goal, claimed = 1 / self.risk, self.claim.value
        proposal = Fraction(value_approx(self.claim, self.bets, counts, self.risk))
        step = _STEP
        while step < 1 and proposal > 0:
            value = rounded_down(proposal * (1 - step), 2 * _DIGITS)
            if reaches(self.claim, self.bets, value, counts, goal):
                break
            step *= 2
        else:
            value = Fraction(0)
        if value < claimed and reaches(self.claim, self.bets, claimed, counts, goal):
            return claimed
        return value

    @property
    def refuted(self) -> bool:
        """Whether what is claimed is false, with the confidence."""
        counts = counted(self.seen, self.calls, self.lost)
        return reaches(self.claim, self.bets, self.claim.value, counts, 1 / self.risk)


def counted(seen: tuple[int, int], calls: tuple[int, int], lost: int) -> Counts:
    """Return how often each of the four kinds of call came, and how many are lost."""
    (a, b), (first, second) = seen, calls
    return a, first - a, b - lost, second - b, lost


def placed(claim: Claim, seen: tuple[float, float], trained: float, calls: int, risk: Fraction) -> tuple[Bet, ...]:
    """Return bets for an event, of which these shares were seen in so many samples with either
    secret: against what is claimed, for the bound after so many calls, and for other times.
    """
    near = 1 / (2 * trained + 2)
    p, q = (min(max(share, near), 1 - near) for share in seen)
    if p <= q:
        p, q = max(p, near * 2), near
    shown = float(claim.shown_approx(p, q))
    if shown <= 0:
        p, q = max(p, 4 * near), near
        shown = max(float(claim.shown_approx(p, q)), near)
    rate, _ = claim.tangent_approx(claim.place(p, q), shown)
    spread = 2 * p * (1 - p) + 2 * rate**2 * q * (1 - q)
    last = math.sqrt(2 * (math.log(4) - math.log(risk)) * spread / calls)
    gaps = [last * 2.0**power for power in range(-1, _SPREAD - 1)]
    wanted = [(_FINAL, last), *((1.0, gap) for gap in gaps)]
    found: list[tuple[float, Bet]] = []
    for part, gap in wanted:

        def below(value: float, gap: float = gap) -> bool:  # that its tangent is no farther below the event
            rate, slack = claim.tangent_approx(claim.place(*on_the_way(claim, p, q, value)), value)
            return p - rate * q - slack <= gap

        bet = _tuned(claim, p, q, least(below, (0.0, shown), 1e-12, 1e-2)[1])
        found += [] if bet is None else [(part, bet)]
    claimed = float(claim.value)
    if claimed < shown:
        for share in (1.0, 0.5):
            bet = _tuned(claim, p, q, claimed, share)
            found += [] if bet is None else [(_CLAIMED / 2, bet)]
    return _parted(found)


def _parted(found: Sequence[tuple[float, Bet]]) -> tuple[Bet, ...]:
    """Give bets their parts: those with 1 share what the others leave."""
    fixed = sum(part for part, _ in found if part < 1)
    others = sum(1 for part, _ in found if part == 1)
    parts = [part if part < 1 else (1 - fixed) / others for part, _ in found]
    whole = sum(parts)
    shares = [Fraction(int(part / whole * (1 << 20)), 1 << 20) for part in parts]
    return tuple(Bet(share, bet.place, bet.stake, bet.tilt) for share, (_, bet) in zip(shares, found) if share)


def _tuned(claim: Claim, p: float, q: float, value: float, share: float = 1.0) -> Bet | None:
    """Return the best bet against a value by an event's probabilities, with a share of its stake;
    None if there is none.
    """
    at = on_the_way(claim, p, q, value) if value > 0 else ((p + q) / 2 + 1e-12,) * 2
    place = claim.place(*at)
    rate, slack = claim.tangent_approx(place, value)
    if not p - rate * q > slack:
        return None
    low, high = max(0.0, -slack / rate), min(1.0, (1 - slack) / rate)

    def rises(q0: float) -> bool:
        p0 = min(max(rate * q0 + slack, 1e-300), 1 - 1e-16)
        q0 = min(max(q0, 1e-300), 1 - 1e-16)
        return rate * (p / p0 - (1 - p) / (1 - p0)) + q / q0 - (1 - q) / (1 - q0) <= 0

    q0 = least(rises, (low, high), 1e-15, 1e-9)[1]
    p0 = rate * q0 + slack
    if not (0 < q0 < 1 and 0 < p0 < 1):
        return None
    without = (1 - p) / (1 - p0)
    stake = share * (p / p0 - without) / 2
    tilt = share * (without - (1 - q) / (1 - q0)) / 2
    if not stake > 0 or not math.isfinite(stake):
        return None
    bet = Bet(
        Fraction(1),
        place,
        *((rounded_down(Fraction(number), _DIGITS) if number else Fraction(0)) for number in (stake, tilt)),
    )
    exact = claim.tangent(place, Fraction(value))
    return bet if min(bet.factors(exact)) > 0 else None


def value_approx(claim: Claim, bets: Sequence[Bet], counts: Counts, risk: Fraction) -> float:
    """Return the bound of a claim's value in floats, of which nothing is proved; 0 where nothing is
    shown.
    """
    goal = -math.log(risk)
    if not bets or _additive_log_wealth_approx(claim, bets, 0.0, counts) < goal:
        return 0.0
    high = max(2 * float(claim.value), 1e-6)
    while _additive_log_wealth_approx(claim, bets, high, counts) >= goal:
        high *= 2
    return least(
        lambda value: _additive_log_wealth_approx(claim, bets, value, counts) < goal, (0.0, high), 1e-15, _WIDTH
    )[0]


def _additive_log_wealth_approx(claim: Claim, bets: Sequence[Bet], value: float, counts: Counts) -> float:
    logs = []
    for bet in bets:
        rate, slack = claim.tangent_approx(bet.place, value)
        x, y = float(bet.stake), float(bet.tilt)
        spent = 1 - x * slack
        factors = (spent + 2 * x + y, spent + y, spent - 2 * x * rate - y, spent - y)
        if min(factors) > 0:
            logs.append(
                math.log(bet.part) + sum(n * math.log(factor) for n, factor in zip(counts, (*factors, min(factors))))
            )
    return _log_sum(logs)


def reaches(claim: Claim, bets: Sequence[Bet], value: Fraction, counts: Counts, goal: Fraction) -> bool:
    """Whether it is proved that bets against a value have made at least so much of 1."""
    from flint import arb, ctx

    known = [(bet.part, bet.factors(claim.tangent(bet.place, value))) for bet in bets]
    known = [(part, factors) for part, factors in known if min(factors) > 0]
    for bits in _ADDITIVE_BITS:
        with ctx.workprec(bits):
            total = arb(0)
            for part, factors in known:
                every = (*factors, min(factors))
                log = sum((n * ball(each).log() for n, each in zip(counts, every)), arb(0))
                total += ball(part) * log.exp()
            if total >= ball(goal):
                return True
            if total < ball(goal):
                return False
    return False
