"""Bets against inequalities P(E | s) <= R P(E | s') + d that hold at every call by a claim.

A fair coin chooses the secret of every call. A bet with stake x and tilt y multiplies what it has,
after s with E, s without, s' with E, s' without, by

    1 + x (2 - d) + y,  1 - x d + y,  1 - x (2 R + d) - y,  1 - x d - y,

on average by 1 + x (P(E | s) - R P(E | s') - d) <= 1. So bets ever reach 1 / risk with probability
at most risk. The largest value that they refute is the bound, as factors fall in d. The best bet
projects the shares seen before onto the inequality. Source: Waudby-Smith and Ramdas (2024).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pufferproof.models.numbers.enclosures import ball, least, rounded_down
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.simulation.estimation.bets.claims import Claim, Place, Tangent, on_the_way

RESTS_ON = ("general.additive-bet", "general.additive-bets")
_STEP = Fraction(1, 1 << 30)  # how far below the proposal the first attempt is, relatively
_BITS = (128, 256, 512)  # of the enclosures, in turn
_DIGITS = 30  # bits of a stake
_WIDTH = 1e-9  # of a proposal, relatively
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
        bet = _tuned(claim, p, q, _value_below(claim, p, q, gap, shown))
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


def _value_below(claim: Claim, p: float, q: float, gap: float, shown: float) -> float:
    """Return the value whose tangent is that far below an event."""

    def near(value: float) -> bool:
        rate, slack = claim.tangent_approx(claim.place(*on_the_way(claim, p, q, value)), value)
        return p - rate * q - slack <= gap

    return least(near, (0.0, shown), 1e-12, 1e-2)[1]


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
    bet = Bet(Fraction(1), place, *(_short(number) for number in (stake, tilt)))
    exact = claim.tangent(place, Fraction(value))
    return bet if min(bet.factors(exact)) > 0 else None


def _short(value: float) -> Fraction:
    return rounded_down(Fraction(value), _DIGITS) if value else Fraction(0)


def value_approx(claim: Claim, bets: Sequence[Bet], counts: Counts, risk: Fraction) -> float:
    """Return the bound of a claim's value in floats, of which nothing is proved; 0 where nothing is
    shown.
    """
    goal = -math.log(risk)
    if not bets or _log_wealth_approx(claim, bets, 0.0, counts) < goal:
        return 0.0
    high = max(2 * float(claim.value), 1e-6)
    while _log_wealth_approx(claim, bets, high, counts) >= goal:
        high *= 2
    return least(lambda value: _log_wealth_approx(claim, bets, value, counts) < goal, (0.0, high), 1e-15, _WIDTH)[0]


def _log_wealth_approx(claim: Claim, bets: Sequence[Bet], value: float, counts: Counts) -> float:
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
    if not logs:
        return -math.inf
    top = max(logs)
    return top + math.log(sum(math.exp(log - top) for log in logs))


def reaches(claim: Claim, bets: Sequence[Bet], value: Fraction, counts: Counts, goal: Fraction) -> bool:
    """Whether it is proved that bets against a value have made at least so much of 1."""
    from flint import arb, ctx

    known = [(bet.part, bet.factors(claim.tangent(bet.place, value))) for bet in bets]
    known = [(part, factors) for part, factors in known if min(factors) > 0]
    for bits in _BITS:
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
