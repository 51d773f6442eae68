"""Exact leakage of additive noise on queries with finitely many values, of one release or of
several together.

    e^leakage = sup over theta, (s, s'), w of f(w | s, theta) / f(w | s', theta)
    f(w | s) = sum_v P(F = v | s) prod_k t_k^|w_k - v_k|

for Laplace, geometric and discrete Laplace noise, t_k the decay of coordinate k; constants cancel.
Several independent releases are one vector whose coordinates are those of all of them. The supremum
is attained where every w_k is a value of coordinate k. Balls (Arb) sort the candidates; among those
that could be largest, exponential sums in normal form decide ties, and any comparison with a level.
Gaussian noise is in `pufferproof.verify.noise.normal.leakage`.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise, product
from math import prod
from operator import mul
from typing import TYPE_CHECKING, Any

from flint import arb, ctx, fmpz

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import AdditiveNoise, Noise, Vector
from pufferproof.models.numbers.enclosures import dyadic, log_bounds
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import about, text_of
from pufferproof.verify.decision import Decision, united
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.noise.laws.of_framework import RESTS_ON as MERGED_REST_ON
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, merged, table_laws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("noise.attained", "noise.decided", "noise.discrete", "noise.parallel")
MAX_OUTPUTS = 200_000  # candidates of one pair of secrets
_FIRST_BITS, _MOST_BITS = 128, 4096  # bits double until candidates are told apart
_MOST_PRODUCTS = 300_000  # terms multiplied to decide a tie
_MOST_TERMS = 300_000  # of the products that decide whether leakages add up exactly
_MOST_NATS = 1_000_000  # of a ratio: beyond it noise hides nothing
# candidates that are told apart one by one, from `_SWEPT_BITS` on: sweeps at fewer bits cost less
# than one of them
_FEW = 64
_SWEPT_BITS = 512


@dataclass(frozen=True)
class RatioCandidate:
    """A ratio above / below at an output, as exponential sums."""

    prior: str
    pair: Pair
    output: Vector
    above: ExponentialSum
    below: ExponentialSum

    @property
    def alike(self) -> bool:
        """Whether both likelihoods are the same number by their form."""
        return self.above == self.below

    @property
    def rational(self) -> Fraction | None:
        """The ratio if it is rational, else None: decided by normal forms, since above = r below term by term."""
        power, coefficient = next(iter(self.below.terms.items()))
        ratio = self.above.terms.get(power, Fraction(0)) / coefficient
        return ratio if self.above == self.below.scaled(ratio) else None

    def compare(self, level: Level) -> int:
        """Return the sign of the ratio minus e^epsilon, exactly."""
        factor, power = (
            (level.ratio, ONE) if level.ratio is not None else (Fraction(1), Power.exp(level.nats or Fraction(0)))
        )
        return (self.above - self.below.scaled(factor or Fraction(1), power)).sign()

    def ball(self) -> arb:
        """Enclose the ratio at the present working precision."""
        return self.above.ball() / self.below.ball()


@dataclass(frozen=True)
class NoiseLeakage(LargestRatio):
    """What noise leaks: `best` are the outputs that reach the largest ratio (or could: not told
    apart at 4,096 bits).

    The first of them is the witness; `scope` counts the candidates.
    """

    best: tuple[RatioCandidate, ...] = field(repr=False)
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, repr=False)

    @property
    def largest(self) -> RatioCandidate | None:
        """An output whose ratio is the largest, or None if several could be and are not told apart."""
        return self.best[0] if len(self.best) == 1 or _all_equal(self.best) else None

    def compare(self, level: Level) -> int:
        """Return the sign of the leakage minus epsilon, exactly: by its bounds if they tell, else by normal forms."""
        if self.leakage.upper is not None and level.compare(self.leakage.upper) < 0:
            return -1
        if self.leakage.lower is not None and level.compare(self.leakage.lower) > 0:
            return 1
        return max(candidate.compare(level) for candidate in self.best)

    def additive(self, single: Sequence[LargestRatio], runs: int) -> Decision:
        """Return whether this leakage is at most the sum of others, by normal forms where bounds
        do not tell.

        Independent releases about disjoint secrets leak exactly the sum.
        """
        by_bounds = super().additive(single, runs)
        if by_bounds is not Decision.UNDECIDED or self.largest is None:
            return by_bounds
        alone = [ratio.largest if isinstance(ratio, NoiseLeakage) else None for ratio in single]
        ratios = [ratio for ratio in alone if ratio is not None] * runs
        if len(ratios) < runs * len(single):
            return Decision.UNDECIDED
        left = [self.largest.above, *(ratio.below for ratio in ratios)]
        right = [self.largest.below, *(ratio.above for ratio in ratios)]
        if any(prod(len(factor.terms) for factor in side) > _MOST_TERMS for side in (left, right)):
            return Decision.UNDECIDED
        return Decision.at_most((reduce(mul, left) - reduce(mul, right)).sign())

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures sorted the outputs."""
        return ("EXACT", "INTERVAL")


def noise_leakage(framework: Framework, *releases: AdditiveNoise) -> NoiseLeakage:
    """Return the exact leakage of independent releases of noisy queries, over the listed priors.

    The outputs that count are those of the grid of values (noise.attained): in one coordinate, the
    others fixed, numerator and denominator are A u + B / u and C u + D / u between two neighbouring
    values, u = t_k^(-w_k), and their quotient is monotone; beyond the extreme values it is
    constant. Geometric noise takes integer outputs only, which these are. Coordinates that are
    affine functions of one another are merged before
    (`pufferproof.verify.noise.laws.of_framework`).

    >>> from pufferproof import Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> largest = noise_leakage(framework, AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1)))
    >>> largest.compare(Level.of_nats(1)), largest.witness.output
    (0, '0')

    Raises `ModelError` unless every possible database has a value, priors are a list, noise is not
    Gaussian, there is something to check, and a pair has at most 200,000 candidates.
    """
    laws = table_laws(framework, releases)
    return largest_ratio(laws.noises, laws.pairs, laws.excluded, laws.never)


def largest_ratio(
    noises: Sequence[Noise], pairs: Sequence[LawPair], excluded: int = 0, never: tuple[Pair, ...] = ()
) -> NoiseLeakage:
    """Return the largest ratio over pairs of laws of a query with one law of noise per coordinate."""
    if not pairs:
        raise nothing_to_check()
    if any(noise.decay is None for noise in noises):
        raise ModelError("expected laplace, geometric or discrete_laplace noise, found gaussian", "noise")
    decays = [noise.decay or ONE for noise in noises]
    refuse_tiny_noise(decays, pairs)
    fewer = merged(decays, pairs)
    best, checked = _search(fewer.decays, fewer.pairs)
    whole = tuple(replace(candidate, output=fewer.whole(candidate.output)) for candidate in best)
    compared = Scope(checked, excluded, never)
    first = whole[0]
    witness = Witness(first.prior, first.pair, ",".join(map(text_of, first.output)))
    return NoiseLeakage(enclosed(best), witness, compared, whole, claims=claims_about(noises))


def claims_about(noises: Sequence[Noise]) -> tuple[str, ...]:
    """Return what the largest ratio of some noise rests on: on integers that such noise is as
    Laplace noise, of several coordinates how they are merged.
    """
    discrete = any(noise.kind != "laplace" for noise in noises)
    attained = [name for name in RESTS_ON if discrete or name != "noise.discrete"]
    if len(noises) > 1:
        return united(attained, MERGED_REST_ON)
    return tuple(name for name in attained if name not in MERGED_REST_ON)


def refuse_tiny_noise(decays: Sequence[Power], pairs: Sequence[LawPair]) -> None:
    """Raise `ModelError` where a likelihood ratio could exceed e^1,000,000, beyond what enclosures are made for."""
    for pair in pairs:
        for k, axis in enumerate(pair.axes):
            rate = abs(decays[k].nats) + sum((abs(y) * p.bit_length() for p, y in decays[k].primes), Fraction(0))
            apart = rate * (axis[-1] - axis[0])
            if apart > _MOST_NATS:
                raise ModelError(
                    f"expected values within {_MOST_NATS} times the scale of the noise, found "
                    f"{about(int(apart))} times: such noise hides nothing, choose a larger scale",
                    "noise",
                )


def distinct_pairs(pairs: Sequence[LawPair]) -> tuple[list[int], int]:
    """Return where every two laws come first, and how many outputs all pairs have together.

    Raises `TooLargeError` unless every pair has at most 200,000.
    """
    checked = 0
    first: dict[Hashable, int] = {}
    for index, pair in enumerate(pairs):
        size = prod(map(len, pair.axes))
        if size > MAX_OUTPUTS:
            raise TooLargeError(f"{about(size)} candidates for one pair: expected at most {MAX_OUTPUTS}", "query")
        checked += size
        first.setdefault((frozenset(pair.above.items()), frozenset(pair.below.items())), index)
    return sorted(first.values()), checked


def _search(decays: Sequence[Power], pairs: Sequence[LawPair]) -> tuple[list[RatioCandidate], int]:
    """Return the candidates with the largest ratio, and how many outputs there were."""
    kept, checked = distinct_pairs(pairs)
    bits = _FIRST_BITS
    places = _largest(decays, pairs, kept, bits)
    while len(places) > 1 and bits < (_MOST_BITS if len(places) > _FEW else _SWEPT_BITS):
        bits *= 2
        kept = sorted({index for index, _ in places})
        places = _largest(decays, pairs, kept, bits)
    left = [candidate_at(pairs[index], place, decays) for index, place in places]
    return decided(left, min(2 * bits, _MOST_BITS)), checked


def _largest(
    decays: Sequence[Power], pairs: Sequence[LawPair], kept: Sequence[int], bits: int
) -> list[tuple[int, Vector]]:
    """Return every pair and output whose ratio could be the largest, as balls of some precision tell."""
    candidates: list[tuple[Any, int, Vector]] = []
    floor = None
    with ctx.workprec(bits):
        for index, ratios in ratio_balls(decays, pairs, kept):
            for place, ratio in zip(product(*pairs[index].axes), ratios.flat):  # the first alone if it is 1 everywhere
                low, high = ratio.lower(), ratio.upper()
                floor = low if floor is None or low > floor else floor
                if high >= floor:
                    candidates.append((high, index, place))
        return [(index, place) for high, index, place in candidates if high >= floor]


def ratio_balls(decays: Sequence[Power], pairs: Sequence[LawPair], kept: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """Yield, of every kept pair, its index and an array of balls of the ratio at each output of its
    grid; of equal laws one 1.

    At the present working precision. Both orders of a pair are computed at once where one follows
    the other.
    """
    import numpy as np

    swapped: dict[tuple[int, int], Any] = {}  # likelihoods of the last pair, for its other order
    for index in kept:
        pair = pairs[index]
        if pair.above == pair.below:
            yield index, np.array([arb(1)], dtype=object)
            continue
        both = swapped.pop((id(pair.below), id(pair.above)), None)
        above, below = both[::-1] if both else (smoothed(law, pair.axes, decays) for law in (pair.above, pair.below))
        swapped = {(id(pair.above), id(pair.below)): (above, below)}
        yield index, above / below


def smoothed(law: Law, axes: Sequence[Sequence[Fraction]], decays: Sequence[Power]) -> "NDArray[np.object_]":
    """Return sum_v P(v) prod_k t_k^|w_k - v_k| at every w of the grid, by two sweeps along every axis."""
    import numpy as np

    values = np.full([len(axis) for axis in axes], arb(0), dtype=object)
    places = [{number: index for index, number in enumerate(axis)} for axis in axes]
    for vector, p in law.items():
        values[tuple(place[number] for place, number in zip(places, vector))] = arb(fmpz(p.numerator)) / fmpz(
            p.denominator
        )
    for k, (axis, decay) in enumerate(zip(axes, decays)):
        steps = [_step(decay, then - now, ctx.prec) for now, then in pairwise(axis)]
        rows = np.moveaxis(values, k, 0)
        up, down = rows.copy(), np.full(rows.shape, arb(0), dtype=object)
        for index, step in enumerate(steps, 1):
            up[index] = up[index - 1] * step + rows[index]
        for index, step in reversed(list(enumerate(steps))):
            down[index] = (down[index + 1] + rows[index + 1]) * step
        values = np.moveaxis(up + down, 0, k)
    return values


@lru_cache(maxsize=100_000)
def _step(decay: Power, gap: Fraction, bits: int) -> arb:
    """Enclose decay^gap at the present working precision, which is `bits`."""
    return decay.to(gap).ball()


def candidate_at(pair: LawPair, output: Vector, decays: Sequence[Power]) -> RatioCandidate:
    """Return the ratio at an output in normal form."""
    sums = []
    for law in (pair.above, pair.below):
        terms = []
        for vector, p in law.items():
            power = ONE
            for w, v, decay in zip(output, vector, decays):
                power = power.times(decay.to(abs(w - v)))
            terms.append((p, power))
        sums.append(ExponentialSum(terms))
    return RatioCandidate(pair.prior, pair.pair, output, *sums)


def decided(candidates: list[RatioCandidate], bits: int = 2 * _FIRST_BITS) -> list[RatioCandidate]:
    """Return the candidates whose ratio is largest; those that neither precision nor normal forms tell apart stay."""
    while len(candidates) > 1 and bits <= _MOST_BITS and not _all_equal(candidates):
        with ctx.workprec(bits):
            balls = [candidate.ball() for candidate in candidates]
            floor = max((ball.lower() for ball in balls), key=dyadic)
            candidates = [candidate for candidate, ball in zip(candidates, balls) if ball.upper() >= floor]
        bits *= 2
    return candidates


def _all_equal(candidates: Sequence[RatioCandidate]) -> bool:
    first = candidates[0]
    return all(_equal(first, other) for other in candidates[1:])


def _equal(one: RatioCandidate, other: RatioCandidate) -> bool:
    """Decide whether two ratios are equal by normal forms, False also where that would take too long."""
    if one.above == other.above and one.below == other.below:
        return True
    if one.rational is not None or other.rational is not None:
        return one.rational == other.rational
    above, below = one.above.monomial_to(other.above), one.below.monomial_to(other.below)
    if above is not None and below is not None:
        return above == below
    size = len(one.above.terms) * len(other.below.terms) + len(other.above.terms) * len(one.below.terms)
    return size <= _MOST_PRODUCTS and one.above * other.below == other.above * one.below


def enclosed(best: Sequence[RatioCandidate], bits: int = 2 * _FIRST_BITS) -> Leakage:
    """Return the leakage: rational, or bounds whose logarithms have a relative width of at most 2^-60."""
    if (ratio := best[0].rational) is not None and (len(best) == 1 or _all_equal(best)):
        return Leakage.of(ratio)
    while True:
        with ctx.workprec(bits):
            balls = [candidate.ball() for candidate in best]
            lower = max(dyadic(ball.lower()) for ball in balls)
            upper = max(dyadic(ball.upper()) for ball in balls)
        if lower > 1:
            low, high = log_bounds(lower, 72)[0], log_bounds(upper, 72)[1]
            if high - low <= low / (1 << 60):
                return Leakage(lower, upper)
        bits *= 2
