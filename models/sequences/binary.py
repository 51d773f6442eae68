"""A binary Markov chain with one private record: how much every other record says about it,
exactly.

Influences, the distances where they fall below a level, and the three regions of records, as exact
ratios e^epsilon. Source: Massny, Bitar, Ye and El Rouayheb, "Between Close Enough to Reveal and Far
Enough to Protect", 2025 (massny2025). Mechanisms on such a chain are in
`pufferproof.models.sequences.redaction`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from random import Random
from typing import ClassVar, Literal, NamedTuple, Protocol, cast

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, check_type, hold
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief, shown, text_of
from pufferproof.models.priors.laws import law_at, numbers_of
from pufferproof.models.priors.markov import MarkovChain, checked_transition

RESTS_ON = ("massny2025.prop1-closed", "massny2025.prop1-order")
Pair = tuple[Fraction, Fraction]


class Threshold(Protocol):
    """What a ratio e^i can be compared with: a `Level`, or a `Budget`."""

    def compare(self, ratio: Fraction) -> int:
        """Return the sign of ratio - e^epsilon, exactly."""


@dataclass(frozen=True)
class Budget:
    """A part of a privacy level: `part` * epsilon nats, part >= 0 rational. Half of log(2) is no
    logarithm of a rational.

    >>> half = Budget(Level.log(2), Fraction(1, 2))
    >>> half.compare(Fraction(3, 2)), half.compare(Fraction(7, 5))
    (1, -1)
    """

    level: Level
    part: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.part < 0:
            raise ModelError(f"expected a part of at least 0, found {text_of(self.part)}", "budget")

    def compare(self, ratio: Fraction) -> int:
        """Return the sign of ratio - e^(part * epsilon) for ratio > 0, exactly."""
        if self.level.nats is not None:
            return Level.of_nats(self.level.nats * self.part).compare(ratio)
        base = self.level.ratio or Fraction(1)
        return Level.log(base**self.part.numerator).compare(ratio**self.part.denominator)


def threshold_of(value: "Threshold | LevelLike", where: str) -> Threshold:
    """Return what ratios are compared with: a `Budget` as it is, else a level as `Level.coerce`
    reads it.
    """
    return value if isinstance(value, Budget) else Level.coerce(cast(LevelLike, value), where)


@dataclass(frozen=True)
class BinaryChain:
    """Records X_1 .. X_n in {0, 1} with transition matrix P = [[1 - alpha, alpha], [beta, 1 -
    beta]]: a view of the Markov chain `chain`, for which powers, laws and influences have closed
    forms.

    `initial` is the law of X_1, divided by its sum with `normalize`, or "stationary": (beta, alpha)
    / (alpha + beta). Where alpha > beta the roles of the two values are exchanged (`swapped`):
    everything the source says of value 0 then holds of value 1.

    >>> chain = BinaryChain("1/4", "1/2", 2)
    >>> chain.influence(0, 1), chain.influence(1, 1)
    (Fraction(3, 2), Fraction(2, 1))

    Raises `ModelError` unless 0 < alpha, beta < 1, the length is positive, and the initial law is
    one. Source: massny2025, Section II, with alpha <= beta; `swapped` and other initial laws are
    ours.
    """

    taken_by: ClassVar = {
        "Framework": "Framework.of_binary(chain, record) keeps a record private",
        "MarkovChain": "its prior() is one",
    }

    chain: MarkovChain
    length: int

    def __init__(
        self,
        alpha: Number,
        beta: Number,
        length: int,
        initial: "Sequence[Number] | Literal['stationary']" = "stationary",
        normalize: bool = False,
    ) -> None:
        length = check_type(length, int, "length")
        initial = check_type(initial, Sequence[Number] | Literal["stationary"], "initial")
        normalize = check_type(normalize, bool, "normalize")
        one, zero = _inside(alpha, "alpha"), _inside(beta, "beta")
        if isinstance(length, bool) or not isinstance(length, int) or length < 1:
            raise ModelError(f"expected at least 1 record, found {shown(length)}", "length")
        rows = [[1 - one, one], [zero, 1 - zero]]
        if isinstance(initial, str):
            if initial != "stationary":
                raise ModelError(f'expected two probabilities or "stationary", found "{initial}"', "initial")
            law: str | tuple[Fraction, Fraction] = "stationary"
        else:
            values = numbers_of(initial, "initial", normalize)
            if len(values) != 2:
                raise ModelError(f"expected two probabilities, found {[brief(value) for value in values]}", "initial")
            law_at(values, "initial")
            law = values[0], values[1]
        hold(self, chain=MarkovChain(law, rows), length=length)

    @classmethod
    def of(cls, chain: MarkovChain, length: int) -> "BinaryChain":
        """View a Markov chain along `length` records.

        >>> BinaryChain.of(MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]]), 2)
        BinaryChain('1/4', '1/2', 2)

        Raises `ModelError` unless it has two values, and all transitions are possible.
        """
        chain = check_type(chain, MarkovChain, "chain")
        length = check_type(length, int, "length")
        if len(checked_transition(chain.transition)) != 2:
            raise ModelError(f"expected a chain of 2 values, found {len(chain.transition)}", "chain")
        return cls(chain.transition[0][1], chain.transition[1][0], length, chain.initial)

    @property
    def alpha(self) -> Fraction:
        """The probability of 1 after 0."""
        return self.chain.transition[0][1]

    @property
    def beta(self) -> Fraction:
        """The probability of 0 after 1."""
        return self.chain.transition[1][0]

    @property
    def initial(self) -> "Pair | Literal['stationary']":
        """The law of X_1, or "stationary"."""
        return cast("Pair | Literal['stationary']", self.chain.initial)

    @cached_property
    def eigenvalue(self) -> Fraction:
        """lam = 1 - alpha - beta, in (-1, 1)."""
        return 1 - self.alpha - self.beta

    @property
    def swapped(self) -> bool:
        """Whether alpha > beta, so that value 1 takes the place of value 0."""
        return self.alpha > self.beta

    @property
    def common_value(self) -> int:
        """The value with the larger stationary probability and the smaller influence: 0, or 1
        where `swapped`.
        """
        return int(self.swapped)

    @property
    def transition(self) -> tuple[Pair, Pair]:
        """The matrix P, rows being the current value."""
        return cast("tuple[Pair, Pair]", self.chain.transition)

    @cached_property
    def stationary_law(self) -> Pair:
        """The law (beta, alpha) / (alpha + beta)."""
        total = self.alpha + self.beta
        return self.beta / total, self.alpha / total

    def power(self, distance: int) -> tuple[Pair, Pair]:
        """Return P^D, with entries 1 - a_D, a_D and b_D, 1 - b_D (massny2025, equations 15 and
        16).
        """
        decay = 1 - self.eigenvalue**distance
        zero, one = self.stationary_law
        return (1 - one * decay, one * decay), (zero * decay, 1 - zero * decay)

    def law(self, record: int) -> Pair:
        """Return the law of X_t, t = 1 .. n."""
        start = self.stationary_law if self.initial == "stationary" else self.initial
        if self.initial == "stationary" or record == 1:
            return start
        one = self.stationary_law[1]
        later = one + self.eigenvalue ** (record - 1) * (start[1] - one)
        return 1 - later, later

    def influence(self, value: int, distance: int) -> Fraction | None:
        """Return e^i for the pointwise influence i on a record at this distance having `value`;
        None, infinite, at 0.

        i_c(D) = |log((1 + c lam^D) / (1 - lam^D))| with c = alpha / beta for value 0, beta / alpha
        for value 1. On a chain with another initial law this holds to the right of the private
        record only. Source: massny2025, Proposition 1.
        """
        if distance == 0:
            return None
        decay = self.eigenvalue**distance
        odds = self.alpha / self.beta if value == 0 else self.beta / self.alpha
        ratio = (1 + odds * decay) / (1 - decay)
        return max(ratio, 1 / ratio)

    def max_influence(self, distance: int) -> Fraction | None:
        """Return the larger of the two influences at a distance, as a ratio; None, infinite, at
        0.
        """
        return self.influence(1 - self.common_value, distance)

    def first_distance(self, value: int, threshold: Threshold, limit: int) -> int:
        """Return the least distance D >= 1 with i_value(D) <= threshold, or limit + 1 if there is
        none up to `limit`.

        Both influences strictly decrease in D unless lam = 0, where they vanish (for lam < 0 too,
        since with m = |lam|^D and c = beta / alpha or its inverse, c |lam| < 1), so that bisection
        is exact.
        """
        low, high = 0, 1
        while high <= limit and self.compare_influences(threshold, (value, high)) > 0:
            low, high = high, 2 * high
        ends = low, min(high, limit + 1)
        return least(lambda far: self.compare_influences(threshold, (value, far)) <= 0, ends)[1]

    def expect_stationary(self) -> None:
        """Raise `ModelError` unless the chain starts in its stationary law."""
        if self.initial != "stationary" and self.initial != self.stationary_law:
            raise ModelError("expected a chain that starts in its stationary law", "initial")

    def compare_influences(self, threshold: Threshold, *places: tuple[int, int]) -> int:
        """Return the sign of the sum of i_value(D) over places (value, D), D >= 1, minus the
        threshold, exactly.

        Bounds of |lam|^D decide unless the two are closer than the numbers of the exact influences
        are long.
        """
        if threshold.compare(Fraction(1)) == 0:  # a level of 0
            return int(self.eigenvalue != 0)
        bits, longest = 64, max(distance for _, distance in places)
        while 2 * bits < longest * self.eigenvalue.denominator.bit_length():
            bounds = [self._influence_bounds(value, distance, bits) for value, distance in places]
            if threshold.compare(prod((lower for lower, _ in bounds), start=Fraction(1))) > 0:
                return 1
            uppers = [upper for _, upper in bounds if upper is not None]
            if len(uppers) == len(bounds) and threshold.compare(prod(uppers, start=Fraction(1))) < 0:
                return -1
            bits *= 4
        exact_ones = [self.influence(value, distance) or Fraction(1) for value, distance in places]
        return threshold.compare(prod(exact_ones, start=Fraction(1)))

    def _influence_bounds(self, value: int, distance: int, bits: int) -> tuple[Fraction, Fraction | None]:
        """Return bounds of e^i, which increases in |lam|^D, or None if bits are too few."""
        odds = self.alpha / self.beta if value == 0 else self.beta / self.alpha
        if self.eigenvalue > 0 or distance % 2 == 0:
            above, below = odds, Fraction(1)
        else:
            above, below = Fraction(1), odds
        # bounds of |lam|^D by squaring multiples of 2^-bits
        base, exponent, bits = abs(self.eigenvalue), distance, bits + 2 * distance.bit_length()
        lowest = highest = 1 << bits
        least, most = (base.numerator << bits) // base.denominator, -((-base.numerator << bits) // base.denominator)
        while exponent:
            if exponent & 1:
                lowest, highest = lowest * least >> bits, -(-highest * most >> bits)
            least, most = least * least >> bits, -(-most * most >> bits)
            exponent >>= 1
        low, high = Fraction(lowest, 1 << bits), Fraction(highest, 1 << bits)
        upper = (1 + above * high) / (1 - below * high) if below * high < 1 else None
        return (1 + above * low) / (1 - below * low), upper

    def __repr__(self) -> str:
        start = "" if self.initial == "stationary" else f", {[text_of(value) for value in self.initial]}"
        return f"BinaryChain({text_of(self.alpha)!r}, {text_of(self.beta)!r}, {self.length}{start})"

    def prior(self) -> MarkovChain:
        """Return the chain as a prior over sequences."""
        return self.chain

    def sample(self, random: Random) -> tuple[int, ...]:
        """Draw X_1 .. X_n; probabilities are exact."""
        values = [int(happens(self.law(1)[1], random))]
        for _ in range(self.length - 1):
            values.append(int(happens(self.transition[values[-1]][1], random)))
        return tuple(values)


class Regions(NamedTuple):
    """A split of records: influence of every value above the threshold, of one value only, of
    none (R_L, R_M, R_S).
    """

    large: tuple[int, ...]
    medium: tuple[int, ...]
    small: tuple[int, ...]


def regions(chain: BinaryChain, private: int, threshold: Threshold) -> Regions:
    """Split the records 1 .. n by their influence i on them from X_p: large, medium and small, for
    a threshold eps'.

    With low = min and high = max of i(X_t = 0), i(X_t = 1): R_L has eps' < low, R_M low <= eps' <
    high, R_S high <= eps'. The private record, of infinite influence, is in R_L. On either side
    these are intervals of the distance, L nearest.

    >>> regions(BinaryChain("1/4", "1/2", 5), 2, Level.log("7/5"))
    Regions(large=(1, 2, 3), medium=(), small=(4, 5))

    Raises `ModelError` unless 1 <= p <= n and the chain is stationary. Source: massny2025, Section
    II (there alpha <= beta).
    """
    (private,) = private_records(private, chain.length)
    chain.expect_stationary()
    first_medium = chain.first_distance(chain.common_value, threshold, chain.length)
    first_small = chain.first_distance(1 - chain.common_value, threshold, chain.length)
    split: tuple[list[int], list[int], list[int]] = ([], [], [])
    for t in range(1, chain.length + 1):
        distance = abs(t - private)
        split[(distance >= first_medium) + (distance >= first_small)].append(t)
    return Regions(*map(tuple, split))


def private_records(private: int | Iterable[int], length: int) -> tuple[int, ...]:
    """Return private records in order, each once. Raises `ModelError` unless there is one and
    all are from 1 to `length`.
    """
    private = check_type(private, int | Iterable[int], "private")
    chosen = [private] if isinstance(private, int) else list(private)
    for record in chosen:
        if isinstance(record, bool) or not isinstance(record, int) or not 1 <= record <= length:
            raise ModelError(f"expected a record from 1 to {length}, found {shown(record)}", "private")
    if not chosen:
        raise ModelError("expected at least one record, found none", "private")
    return tuple(sorted(set(chosen)))


def happens(probability: Fraction, random: Random) -> bool:
    """Draw an event of exactly this probability."""
    return random.randrange(probability.denominator) < probability.numerator


def _inside(value: Number, name: str) -> Fraction:
    try:
        number = exact(value)
    except ModelError as error:
        raise error.within(name) from None
    if not 0 < number < 1:
        raise ModelError(f"expected a probability strictly between 0 and 1, found {brief(number)}", name)
    return number
