"""A lower confidence bound of a likelihood ratio, by betting on the coins of calls with an event.

A fair coin chooses the secret of every call. If P(E | s) <= R P(E | s') at every call, whatever
happened before, the coin of a call with E shows s with probability at most rho = R / (1 + R). After
a of them show s and b show s', a bet that s has probability q has made 1 into

    (q / rho)^a ((1 - q) / (1 - rho))^b,

and the mean over a Beta(A, B) law of q, without q < rho, is

    W(rho) = B(a + A, b + B) I_(1-rho)(b + B, a + A) / (B(A, B) rho^a (1 - rho)^b).

It ever reaches 1 / risk with probability at most risk, for any sampler. Source: Waudby-Smith and
Ramdas (2024).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball, least

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("general.coin-bets", "general.coin-bound")
_STEP = Fraction(1, 1 << 30)  # how far below the proposal the first attempt is, relatively
_BITS = (128, 256, 512)  # of the enclosures, in turn
_EVEN = (1, 1)
_WIDTH = 1e-9  # nats, of a proposal
_FAR = 40.0  # above log(a), where a bet wins next to nothing

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
        """The bound of the likelihood ratio."""
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
    ends = 0.0, math.log(a / b) if b else math.log(a) + _FAR
    return least(lambda nats: _log_wealth_approx(nats, seen, priors, starts) < goal, ends, _WIDTH, _WIDTH)[0]


def _log_wealth_approx(nats: float, seen: tuple[int, int], priors: Sequence[Prior], starts: Sequence[float]) -> float:
    """Return log W at rho = 1 / (1 + e^-nats)."""
    from flint import arb, ctx

    (a, b), losing = seen, arb(1 / (1 + math.exp(nats)))
    with ctx.workprec(64):
        tails = [losing.beta_lower(arb(b + y), arb(a + x), 1) for x, y in priors]
        logs = [
            _log_beta(a + x, b + y) - start + float(tail.log())
            for (x, y), start, tail in zip(priors, starts, tails)
            if tail > 0
        ]
    if not logs:
        return -math.inf
    top = max(logs)
    spent = a * math.log1p(math.exp(-nats)) + b * (nats + math.log1p(math.exp(-nats)))
    return top + math.log(sum(math.exp(log - top) for log in logs)) + spent


def _log_beta(a: int, b: int) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _mixed(prior: Prior) -> list[Prior]:
    """Return the priors that have equal parts of the stake."""
    return [_EVEN] if prior == _EVEN else [_EVEN, prior]


def _reaches(share: Fraction, seen: tuple[int, int], prior: Prior, goal: Fraction) -> bool:
    """Whether W(share) >= goal is proved."""
    from flint import arb, ctx

    a, b = seen
    for bits in _BITS:
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
