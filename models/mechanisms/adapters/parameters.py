"""What the numbers of a library's object stand for, and the output laws of known mechanisms.

A library holds floats, which stand for their exact binary values: `epsilon=0.1` is a little more
than 1/10, and `epsilon=math.log(3)` is not log(3). Callers who mean another number say so, by
`exactly={"epsilon": "log(3)"}`; it must round to what the object holds.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import SupportsFloat, TypeVar, cast

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.powers import Law, total_of
from pufferproof.models.noise.tables.selections import weights_of
from pufferproof.models.numbers.enclosures import dyadic, log_bounds
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power, added
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import common_step
from pufferproof.models.numbers.text import brief, shown, text_of

# Output laws, up to a factor that is the same for all outputs of a row.
#
# Each returns output -> weight, an exponential sum in a decay q = e^(-epsilon / Delta); the probability of an output
# is its weight over the sum of all.

_Meant = TypeVar("_Meant")
SumsByOutput = dict[str, ExponentialSum]
MOST_OUTPUTS = 10_000
_FEW = 7  # candidates of permute-and-flip whose weights are written out
_MOST_STEPS = 500_000  # of coefficients of polynomials on a grid of utilities
_MOST_TERMS = 20_000  # of products of totals


def constant(value: Fraction | int) -> ExponentialSum:
    """Return a rational number as a sum."""
    return ExponentialSum([(value, ONE)])


def power(decay: Power, exponent: Fraction | int) -> ExponentialSum:
    """Return q^exponent."""
    return ExponentialSum([(1, decay.to(Fraction(exponent)))])


def mixed(rows: Sequence[tuple[Fraction, SumsByOutput]]) -> SumsByOutput:
    """Return a mixture of rows: the sum of share times weight over the total of its row, all times
    the product of the different totals.

    >>> half = {"a": constant(1), "b": constant(1)}
    >>> row = mixed([(Fraction(1, 3), half), (Fraction(2, 3), {"b": constant(5)})])
    >>> row["a"].rational / (row["a"] + row["b"]).rational
    Fraction(1, 6)
    """
    if len(rows) == 1:
        return rows[0][1]
    by_total: dict[ExponentialSum, SumsByOutput] = {}
    for share, row in rows:
        whole = total_of(row)
        if whole.rational is not None:
            share, whole = share / whole.rational, constant(1)
        kept = by_total.setdefault(whole, {})
        for name, weight in row.items():
            kept[name] = kept.get(name, constant(0)) + weight.scaled(share)
    certain = by_total.keys() == {constant(1)} and sum(share for share, _ in rows) == 1
    mixture: SumsByOutput = Law() if certain else {}
    for whole, row in by_total.items():
        others = [each for each in by_total if each != whole]
        for name, weight in row.items():
            mixture[name] = mixture.get(name, constant(0)) + product_of([weight, *others])
    return mixture


def product_of(factors: Sequence[ExponentialSum]) -> ExponentialSum:
    """Return the product of some sums. Raises `TooLargeError` where it is long."""
    value = constant(1)
    for factor in factors:
        if len(value.terms) * len(factor.terms) > _MOST_TERMS:
            raise TooLargeError(
                f"a mixture with more than {_MOST_TERMS} terms: expected fewer outcomes of draws", "mechanism"
            )
        value = value * factor
    return value


def flipped(values: Sequence[str], value: str, decay: Power) -> SumsByOutput:
    """Randomised response: q for every other value.

    >>> row = flipped("01", "0", Power.of(Fraction(3), Fraction(-1)))
    >>> row["0"].rational, row["1"].rational
    (Fraction(1, 1), Fraction(1, 3))
    """
    return {each: power(decay, 0 if each == value else 1) for each in values}


def clamped_geometric(value: int, decay: Power, least: int, most: int) -> SumsByOutput:
    """min(max(value + Z, least), most) with P(Z = z) = (1 - q) / (1 + q) q^|z|, times 1 + q.

    Source: Ghosh, Roughgarden and Sundararajan 2009.

    >>> row = clamped_geometric(0, Power.of(Fraction(3), Fraction(-1)), 0, 1)
    >>> row["0"].rational, row["1"].rational
    (Fraction(1, 1), Fraction(1, 3))
    """
    outputs = _range(least, most)
    whole = constant(1) + power(decay, 1)
    # (1 + q) P(Z >= m) is q^m, or 1 + q - q^(1-m)
    steps = [output - value for output in outputs]
    at_least = [power(decay, m) if m > 0 else whole - power(decay, 1 - m) for m in steps]
    ends = [*at_least[1:], constant(0)]
    above = [whole, *at_least[1:]]
    return {str(output): here - then for output, here, then in zip(outputs, above, ends)}


def folded_geometric(value: int, decay: Power, twice_least: int, twice_most: int) -> SumsByOutput:
    """The same noise, reflected at both bounds until it is between them, up to a factor.

    With N = 2 (most - least) the output y stands for all integers that are y or 2 least - y modulo
    N, and sum of q^|z| over z = c mod N is (q^c + q^(N - c)) / (1 - q^N) for 0 < c < N, and (1 +
    q^N) / (1 - q^N) for c = 0. Bounds are given doubled: they may be half-integers.
    """
    period = twice_most - twice_least
    if period <= 0:
        raise ModelError("expected a lower bound below the upper one", "upper")
    outputs = _range(-(-twice_least // 2), twice_most // 2)
    row = {}
    for output in outputs:
        classes = {(output - value) % period, (twice_least - output - value) % period}
        row[str(output)] = added(power(decay, each) + power(decay, period - each) for each in sorted(classes))
    return row


def exponential(
    utilities: Mapping[str, Fraction], decay: Power, measure: Mapping[str, Fraction] | None = None
) -> SumsByOutput:
    """The exponential mechanism: measure(r) q^(max - u(r)).

    Source: McSherry and Talwar 2007.
    """
    best = max(utilities.values())
    return {
        name: power(decay, best - utility).scaled(Fraction(1) if measure is None else measure[name])
        for name, utility in utilities.items()
    }


def permute_and_flip(utilities: Mapping[str, Fraction], decay: Power) -> SumsByOutput:
    """Permute-and-flip: p_r times the integral over t from 0 to 1 of prod (1 - t p_j) over j other
    than r, with p_j = q^(max - u(j)).

    In a random order r comes at a uniform time t, and each other j came before and was accepted
    with probability t p_j. Also noisy max with exponential noise (Ding, Kifer, Saghaian, Steinke,
    Wang, Xiao and Zhang 2021). Source: McKenna and Sheldon 2020.

    >>> half = Power.of(Fraction(2), Fraction(-1))
    >>> row = permute_and_flip({"a": Fraction(1), "b": Fraction(0)}, half)
    >>> row["a"].rational, row["b"].rational
    (Fraction(3, 4), Fraction(1, 4))

    Of many candidates the integrals are factors that are not written out
    (`pufferproof.models.noise.tables.selections`).
    """
    return Law(_permute_and_flip(tuple(utilities.items()), decay))


@lru_cache(maxsize=256)
def _permute_and_flip(
    utilities: tuple[tuple[str, Fraction], ...], decay: Power
) -> tuple[tuple[str, ExponentialSum], ...]:
    best = max(utility for _, utility in utilities)
    step = common_step(best - utility for _, utility in utilities) or Fraction(1)
    losses = [int((best - utility) / step) for _, utility in utilities]
    unit = decay.to(step)
    # weights are written out of few candidates, and where powers could be rational
    short = not unit.nats and len(losses) ** 2 * sum(losses) <= _MOST_STEPS
    known = weights_of(losses, unit, written=len(losses) <= _FEW or short)
    return tuple((name, known[loss]) for (name, _), loss in zip(utilities, losses))


def _range(least: int, most: int) -> range:
    if most < least:
        raise ModelError(f"expected an upper bound of at least {least}, found {most}", "upper")
    if most - least >= MOST_OUTPUTS:
        size = most - least + 1
        raise TooLargeError(f"expected at most {MOST_OUTPUTS} outputs, found {size}", "upper")
    return range(least, most + 1)


_CLOSE = Fraction(1, 2**50)  # relative: some units in the last place of a float


class Parameters:
    """Reads the parameters of one object, by name, as what they mean."""

    def __init__(self, exactly: Mapping[str, object] | None = None) -> None:
        self._exactly = dict(exactly or {})
        self._read: dict[str, str] = {}
        self._notes: list[str] = []

    def number(self, name: str, held: object) -> Fraction:
        """Return a number. Raises `ModelError` unless it is finite, and what was meant rounds to
        it.
        """
        value = finite(name, held)
        if name not in self._exactly:
            self._read.setdefault(name, "")
            return value
        meant = _meant(name, exact, self._exactly[name])
        self._agree(name, meant, meant, value)
        return meant

    def level(self, name: str, held: object) -> Level:
        """Return a level above 0. Raises `ModelError` as `number` does."""
        value = finite(name, held)
        if value <= 0:
            raise ModelError(f"expected a level above 0, found {shown(held)}", name)
        if name not in self._exactly:
            self._read.setdefault(name, "")
            return Level.of_nats(value)
        level = _meant(name, cast(Callable[[object], Level], Level.coerce), self._exactly[name])
        low = high = level.nats or Fraction(0)
        if level.ratio is not None and level.ratio > 1:
            low, high = log_bounds(level.ratio, 80)
        self._agree(name, low, high, value)
        return level

    def scale(self, name: str, held: object, kind: str) -> Noise:
        """Return noise of a scale. Raises `ModelError` as `number` does, and unless the scale is
        above 0.
        """
        value = finite(name, held)
        if value <= 0:
            raise ModelError(f"expected a scale above 0, found {shown(held)}", name)
        if name not in self._exactly:
            self._read.setdefault(name, "")
            return _noise(kind, value)
        noise = _meant(name, lambda text: _noise(kind, text), self._exactly[name])
        self._agree(name, *_scale_bounds(noise), value)
        return noise

    def expect_all_read(self) -> None:
        """Raise `ModelError` for a number that was meant of a parameter that was not read."""
        for name in self._exactly:
            if name not in self._read:
                names = ", ".join(f'"{each}"' for each in self._read) or "none"
                raise ModelError(f'unknown parameter "{name}", expected one of: {names}', "exactly")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read as something else than the float that is held."""
        meant = [f"{name} read as {text}" for name, text in self._read.items() if text]
        return tuple(dict.fromkeys([*meant, *self._notes]))

    def note(self, text: str) -> None:
        """Keep a word on how something was read."""
        self._notes.append(text)

    def _agree(self, name: str, low: Fraction, high: Fraction, held: Fraction) -> None:
        text = self._exactly[name]
        room = abs(held) * _CLOSE
        if high < held - room or low > held + room:
            raise ModelError(
                f"expected a number that rounds to {brief(held)}, which the object holds, found {shown(text)}",
                f"exactly.{name}",
            )
        self._read[name] = text if isinstance(text, str) else shown(text)


def finite(name: str, held: object) -> Fraction:
    """Return a held number as the rational it stands for. Raises `ModelError` unless it is
    finite.
    """
    try:
        return exact(held)
    except ModelError as error:
        raise error.within(name) from None


def integer(name: str, held: object) -> int:
    """Return an integer, also of text. Raises `ModelError` unless it is one."""
    value = finite(name, held)
    if value.denominator != 1:
        raise ModelError(f"expected an integer, found {text_of(value)}", name)
    return value.numerator


def decay_of(level: Level, change: Fraction) -> Power:
    """Return e^(-epsilon / change).

    >>> decay_of(Level("log(4)"), Fraction(2)).split()[0]
    Fraction(1, 2)
    """
    if level.ratio is not None:
        return Power.of(1 / level.ratio, 1 / change)
    return Power.exp(-(level.nats or Fraction(0)) / change)


def noise_of(kind: str, level: Level, change: Fraction) -> Noise:
    """Return noise of scale change / epsilon."""
    if level.ratio is not None:
        return _noise(kind, f"{text_of(change)}/log({text_of(level.ratio)})")
    return _noise(kind, change / (level.nats or Fraction(0)))


def _meant(name: str, read: Callable[[object], _Meant], text: object) -> _Meant:
    try:
        return read(text)
    except ModelError as error:
        raise error.at(f"exactly.{name}") from None


def _noise(kind: str, scale: object) -> Noise:
    return Noise(kind, scale)  # type: ignore[arg-type]


def _scale_bounds(noise: Noise) -> tuple[Fraction, Fraction]:
    """Return bounds of -1 / log(decay)."""
    from flint import ctx

    assert noise.decay is not None
    with ctx.workprec(160):
        value = -1 / noise.decay.ball().log()
        return dyadic(value.lower()), dyadic(value.upper())


def close(found: SupportsFloat, expected: float) -> bool:
    """Whether a float that an object computed is what its parameters give."""
    return isfinite(float(found)) and abs(float(found) - expected) <= 1e-9 * max(1, abs(expected))
