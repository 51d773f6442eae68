"""The largest level per record that keeps a promise, by the worst case over all mechanisms of that
level: exact translation, turned round.

The worst case does not fall when levels rise, so that the largest level e with worst(e) <= epsilon
lies between one that keeps epsilon and one that does not. Floats propose two that are close, both
the logarithm of a rational, and exact comparisons decide. For an inner record of an endless
symmetric chain, whose value changes with probability c <= 1/2, the largest level has a closed form,

    sinh(e / 2) = c / (1 - c) sinh(epsilon / 2).

Where the worst case is only known to be at most a bound, the level kept is the largest by that
bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.bits.endless import endless_kernels, endless_ratio
from pufferproof.lp.translation.sets import WorstCase
from pufferproof.lp.translation.translate import bounded_above, worst_case
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.noise.scale.calibration import enclosed

RESTS_ON = ("worst.power-closed", "worst.moebius-tree", "worst.chain-interior")
_MOST_NATS = 200
_STEPS = 60  # of the search in floats, which ends sooner
_CLOSE = 1e-13

Worst = Callable[[Total], Fraction | None]  # e to the worst case of a level, None for no bound


@dataclass(frozen=True, repr=False)
class LargestLevel(Readable, Tabular):
    """A level per record that keeps the promise, and a slightly larger one that does not, or is not
    shown to, or None if no larger one does.

    `worst` is the worst case at the level kept, None for endless chains.
    """

    _named = ("what",)

    kept: Level
    broken: Level | None
    worst: WorstCase | None = None

    def scale(self, lipschitz: Fraction = Fraction(1)) -> Scale:
        """Return L / epsilon_DP: the upper end keeps the promise, the lower end need not."""
        largest = quotient(lipschitz, self.kept)
        if self.broken is None:
            return largest
        return Scale(quotient(lipschitz, self.broken).lower, largest.upper)

    def entries(self) -> list[Entry]:
        """Return the level per record and, of a chain with an end, the worst case at it."""
        rows = [{"what": "level per record"} | nats(self.enclosure())]
        if self.worst is not None:
            rows.append({"what": "worst case"} | nats(self.worst.leakage.enclosure()))
        return rows

    def __str__(self) -> str:
        ends = self.enclosure()
        level = between(exact(ends.lower), exact(ends.upper))
        noise = f"noise of scale {self.scale()} times the sensitivity"
        return f"level {level} nats for every record: {noise}"

    def enclosure(self) -> Enclosure:
        """Return the level in nats."""
        low, high = _nats(self.kept)[0], _nats(self.broken or self.kept)[1]
        return enclose(low, high)


def _nats(level: Level) -> tuple[Fraction, Fraction]:
    if level.nats is not None:
        return level.nats, level.nats
    return log_bounds(level.ratio or Fraction(1), 72)


def largest_level(framework: Framework, level: LevelLike) -> LargestLevel:
    """Return the largest level per record whose every mechanism leaks at most `level`.

    Noise of scale L / epsilon_DP then keeps it for every query that one record changes by at most
    L (L1), over all tables of the records' values.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> largest_level(framework, "1").scale().enclosure().upper[:10]
    '8.64044103'

    Raises `ModelError` as `worst_case`, and unless the level is above 0 and at most 200 nats.
    """
    framework = check_type(framework, Framework, "framework")
    epsilon = Level.coerce(level, "level")
    count = framework.expect_records().count

    def worst_of(total: Total) -> WorstCase:
        return worst_case(framework, RecordLevels(((count, total),)))

    found = _searched(bounded_above(framework, count), epsilon)
    return LargestLevel(found.kept, found.broken, worst_of(Total.of([found.kept])))


def largest_endless_level(framework: Framework, epsilon: Level) -> LargestLevel:
    """Return the largest level for records of stationary chains of any length, two values.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (2, "0"), "one": (2, "1")}
    >>> framework = Framework.of_records(Records(3, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> found = largest_endless_level(framework, Level("1"))
    >>> found.enclosure().lower[:12], f"{2 * math.asinh(math.sinh(1 / 2) / 9):.10f}"
    ('0.1157343544', '0.1157343544')

    Raises `ModelError` as `endless_ratio` and `endless_kernels`, and where values alternate.
    """
    kernels = endless_kernels(framework)
    if any(kernel[0][0] == kernel[1][1] == 0 for kernel in kernels):
        raise ModelError(
            "records that alternate determine one another: in an endless chain of them no level "
            "above 0 keeps a promise",
            "transition",
        )

    def worst(total: Total) -> Fraction | None:
        highs = [endless_ratio(kernel, total)[1] for kernel in kernels]
        return None if None in highs else max(high for high in highs if high is not None)

    return _searched(worst, epsilon)


def _searched(worst: Worst, epsilon: Level) -> LargestLevel:
    if epsilon.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "level")
    if epsilon.compare(Level.of_nats(_MOST_NATS).bounds()[0]) < 0:
        raise ModelError(f"expected a level of at most {_MOST_NATS} nats, found {epsilon}", "level")
    if _alone(worst, epsilon):
        return LargestLevel(epsilon, None)
    nats = float(_nats(epsilon)[0])

    def leakage_approx(level: float) -> float:
        ratio = worst(Total(_ratio(level), Fraction(0)))
        return math.inf if ratio is None else float(log_bounds(ratio, 64)[1])

    def exceeds(scale: Fraction) -> bool:
        ratio = worst(Total(_ratio(float(1 / scale)), Fraction(0)))
        return ratio is None or epsilon.compare(ratio) > 0

    guess = _root_approx(leakage_approx, nats)
    low, high = enclosed(exceeds, 1 / Fraction(guess))
    kept, broken = (Level.log(_ratio(float(1 / scale))) for scale in (high, low))
    return LargestLevel(kept, broken)


def _alone(worst: Worst, epsilon: Level) -> bool:
    """Say whether the level epsilon itself keeps epsilon: correlation adds nothing.

    With u a column of level e, the secrets s and t being disjoint, u R on the databases of s is one
    of level e + log R, and its ratio is R times as large. So worst(e) - e >= 0 does not fall when e
    rises: where it is 0 at a larger level, which may have short numbers, it is 0 at epsilon.
    """
    above = Fraction(1 << math.ceil(epsilon.bounds()[1]).bit_length())
    ratio = worst(Total(above, Fraction(0)))
    return ratio is not None and ratio <= above


def _ratio(level: float) -> Fraction:
    """Return a short rational near e^level, e^level - 1 to the accuracy of floats."""
    return 1 + Fraction(math.expm1(level))


def _root_approx(leakage: Callable[[float], float], epsilon: float) -> float:
    """Return a level with about this leakage by secants between known ends."""
    low, high = 0.0, math.inf
    tried: list[tuple[float, float]] = []
    level = epsilon
    for _ in range(_STEPS):
        leaked = leakage(level)
        if abs(leaked / epsilon - 1) < _CLOSE:
            break
        low, high = (level, high) if leaked < epsilon else (low, level)
        if math.isfinite(leaked) and leaked > 0:
            tried = [*tried[-1:], (math.log(level), math.log(leaked / epsilon))]
        level = _next(tried, low, high)
        if high - low < _CLOSE * high:
            break
    return level


def _next(tried: list[tuple[float, float]], low: float, high: float) -> float:
    """Return the next level: where the secant, at first of slope 1, meets epsilon inside."""
    middle = (low + high) / 2 if math.isfinite(high) else 2 * low
    if not tried:
        return middle
    (x, y) = tried[-1]
    (other, z) = tried[0] if len(tried) > 1 else (x - 1, y - 1)
    guess = math.exp(x - y * (x - other) / (y - z)) if y != z else middle
    return guess if low < guess < high else middle
