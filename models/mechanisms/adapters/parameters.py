"""What the numbers of a library's object stand for.

A library holds floats, which stand for their exact binary values: `epsilon=0.1` is a little more
than 1/10, and `epsilon=math.log(3)` is not log(3). Callers who mean another number say so, by
`exactly={"epsilon": "log(3)"}`; it must round to what the object holds.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.enclosures import dyadic, log_bounds
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import brief, shown, text_of

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
        meant: Fraction = _meant(name, exact, self._exactly[name])
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
        level: Level = _meant(name, Level.coerce, self._exactly[name])
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
        noise: Noise = _meant(name, lambda text: _noise(kind, text), self._exactly[name])
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


def _meant(name: str, read: Any, text: Any) -> Any:
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


def close(found: Any, expected: float) -> bool:
    """Whether a float that an object computed is what its parameters give."""
    return isfinite(float(found)) and abs(float(found) - expected) <= 1e-9 * max(1, abs(expected))
