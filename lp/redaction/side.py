"""One side of a private record as a design problem: which records are to be decided by value, and
what their q must reach.

Records of the medium region are numbered 1 .. N away from p. Value 1 is always redacted there,
value 0 with probability q_k (0 being the common value). What a choice of q shows on this side is
decided exactly; levels are enclosed by Arb where a search needs numbers. Source of the family:
Massny, Bitar, Ye and El Rouayheb 2025 (massny2025). Nothing is optimised here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.sequences.binary import BinaryChain, Budget

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("redaction.one-constraint",)
BITS = 256  # of working precision of searches


@dataclass(frozen=True)
class DesignSide:
    """The records at distance 1 .. count from p on one side, with their regions for one threshold,
    the side's budget.

    `first` and `small` are the least distances of the medium and of the small region, count + 1
    where there is none.

    >>> from pufferproof.models.numbers.level import Level
    >>> side = DesignSide.of(BinaryChain("1/4", "1/2", 5), 4, Budget(Level.log("7/4")))
    >>> side.first, side.small, side.size, side.released
    (1, 2, 1, 3)

    Source: massny2025, Section II (regions) and IV.
    """

    chain: BinaryChain
    count: int
    budget: Budget
    first: int
    small: int

    @classmethod
    def of(cls, chain: BinaryChain, count: int, budget: Budget) -> "DesignSide":
        """Return the side of `count` records with the regions of its budget."""
        common = chain.common_value
        first = chain.first_distance(common, budget, count) if count else 1
        small = chain.first_distance(1 - common, budget, count) if count else 1
        return cls(chain, count, budget, first, small)

    @property
    def size(self) -> int:
        """N, the number of records of the medium region."""
        return self.small - self.first

    @property
    def released(self) -> int:
        """The number of records of the small region."""
        return self.count + 1 - self.small

    @cached_property
    def switches(self) -> tuple[Fraction, Fraction]:
        """The probabilities of leaving the common value and the rare one, in this order."""
        return min(self.chain.alpha, self.chain.beta), max(self.chain.alpha, self.chain.beta)

    @property
    def ratio(self) -> Fraction | None:
        """e^budget if it is known to be rational."""
        base, part = self.budget.level.ratio, self.budget.part
        if base is not None and (part.denominator == 1 or base == 1):
            return base**part.numerator if base != 1 else base
        return None

    def nats_ball(self) -> "arb":
        """Enclose the budget in nats at the present working precision."""
        level, part = self.budget.level, self.budget.part
        base = ball(level.nats) if level.nats is not None else ball(level.ratio or Fraction(1)).log()
        return base * ball(part)

    def ratio_ball(self) -> "arb":
        """Enclose e^budget at the present working precision."""
        exact = self.ratio
        return ball(exact) if exact is not None else self.nats_ball().exp()

    def ratio_bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of e^budget, equal if it is known to be rational."""
        from flint import ctx

        if self.ratio is not None:
            return self.ratio, self.ratio
        with ctx.workprec(BITS):
            return ends(self.ratio_ball())

    def log_delta_ball(self, k: int) -> "arb":
        """Enclose delta_k: the influence of what is released next behind medium record k; 0 where
        nothing is.

        delta_k = i0(D + 1) if the next record is medium, i1(D + 1) if it is small (massny2025,
        equation 4).
        """
        distance = self.first + k
        if distance > self.count:
            return ball(Fraction(0))
        leave, back = self.switches
        decay, rare = ball(1 - leave - back) ** distance, distance >= self.small
        odds = back / leave if rare else leave / back
        return abs(((1 + ball(odds) * decay) / (1 - decay)).log())

    def delta(self, k: int) -> Fraction:
        """Return e^delta_k exactly."""
        distance = self.first + k
        if distance > self.count:
            return Fraction(1)
        common = self.chain.common_value
        return self.chain.influence(1 - common if distance >= self.small else common, distance) or Fraction(1)

    def likelihoods(self, q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """Return P(event | X_p = common), P(event | X_p = rare) of every event that can be seen on
        this side.

        An event says which released record is nearest and its value, or that none is (see
        `verify.redaction_sides`).
        """
        step = self.power(1)
        rows, events = self.power(self.first), []
        for k in range(self.size):
            if q[k] < 1:
                events.append((rows[0][0], rows[1][0]))
            kept = [(row[0] * q[k], row[1]) for row in rows]
            if self.first + k == self.count:
                return [*events, (kept[0][0] + kept[0][1], kept[1][0] + kept[1][1])]
            rows = [(u * step[0][0] + v * step[1][0], u * step[0][1] + v * step[1][1]) for u, v in kept]
        if self.released:
            return [*events, (rows[0][0], rows[1][0]), (rows[0][1], rows[1][1])]
        return events

    def keeps(self, q: Sequence[Fraction]) -> bool:
        """Decide exactly whether the one-sided leakage with these q is within the budget."""
        seen = [pair for pair in self.likelihoods(q) if any(pair)]
        return all(low > 0 and self.budget.compare(max(pair) / low) <= 0 for pair in seen for low in [min(pair)])

    def power(self, distance: int) -> list[tuple[Fraction, Fraction]]:
        """P^D with the common value first."""
        zero, one = self.chain.power(distance)
        return [zero, one] if not self.chain.swapped else [one[::-1], zero[::-1]]


def sides(chain: BinaryChain, private: int, left: Budget, right: Budget) -> tuple[DesignSide, DesignSide]:
    """Return the two sides of p, each with its budget."""
    return DesignSide.of(chain, private - 1, left), DesignSide.of(chain, chain.length - private, right)


def ends(value: "arb") -> tuple[Fraction, Fraction]:
    """Return rational bounds of a finite Arb ball."""
    return dyadic(value.lower()), dyadic(value.upper())


def dyadic(value: "arb") -> Fraction:
    """Return an Arb number without radius as a fraction."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def above(value: Fraction, bits: int) -> Fraction:
    """Round up to a multiple of 2^-bits, at most 1."""
    return min(Fraction(-((-value.numerator << bits) // value.denominator), 1 << bits), Fraction(1))
