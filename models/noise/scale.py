"""Noise scales c / (epsilon - e) of Laplace mechanisms that are calibrated to a level: exact
bounds, and the number itself.

The Wasserstein mechanism has c = W and e = 0, the Markov quilt mechanism c = L card(N) and e the
influence of a quilt. Level and influence are logarithms or numbers of nats, so that a scale is
rational, a number over one logarithm, or enclosed.
"""

from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.numbers.enclosures import Enclosure, ball, enclose, log_bounds, refined
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.models.sequences.arithmetic import Bounds

_ACCURACY = 72  # bits of a scale, relative
_LARGEST = 10**15  # in a number that is written out


@dataclass(frozen=True, repr=False)
class Scale(Readable):
    """Bounds of a scale, both None when it is infinite. `text` is the number itself, as a
    mechanism file takes it, or None.
    """

    lower: Fraction | None
    upper: Fraction | None
    text: str | None = None

    @property
    def infinite(self) -> bool:
        """Whether no finite noise was found."""
        return self.upper is None

    def enclosure(self) -> Enclosure:
        """Return decimal bounds. Raises `ModelError` unless the scale is finite."""
        if self.lower is None or self.upper is None:
            raise ModelError("expected a finite scale", "epsilon")
        return enclose(self.lower, self.upper)

    def __str__(self) -> str:
        if self.lower is None or self.upper is None:
            return "infinite"
        value = between(self.lower, self.upper)
        return value if self.text in (None, value) else f"{self.text} {value}"


INFINITE_SCALE = Scale(None, None)
NO_NOISE = Scale(Fraction(0), Fraction(0), "0")


def quotient(amount: Fraction, level: Level, influence: Bounds | None = None) -> Scale:
    """Return amount / (epsilon - e), infinite unless e < epsilon, for an influence given as bounds
    of e^e, none if left out.

    >>> quotient(Fraction(3), Level.parse("log(4)"), Bounds(Fraction(2), Fraction(2))).text
    '3/log(2)'
    """
    if not amount:
        return NO_NOISE
    influence = influence or Bounds.none()
    if influence.lower is None or influence.upper is None:
        return INFINITE_SCALE
    least = margin(level, influence.lower)
    if least is None:
        return INFINITE_SCALE
    most = least if influence.upper == influence.lower else margin(level, influence.upper)
    if most is None:
        return Scale(amount / least[1], None)
    exactly = _text(amount, level, influence.lower) if influence.upper == influence.lower else None
    return Scale(amount / least[1], amount / most[0], exactly)


def margin(level: Level, ratio: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return rational bounds of epsilon - log(ratio), None unless it is positive: decided
    exactly.

    >>> margin(Level.parse("0.5"), Fraction(1)), margin(Level.log(2), Fraction(2))
    ((Fraction(1, 2), Fraction(1, 2)), None)
    """
    if level.compare(ratio) >= 0:
        return None
    if level.ratio is not None:
        return log_bounds(level.ratio / ratio, _ACCURACY)
    nats = level.nats or Fraction(0)
    if ratio == 1:
        return nats, nats
    return refined(lambda: ball(nats) - ball(ratio).log(), _ACCURACY, spare=_ACCURACY)  # for a small difference


def _text(amount: Fraction, level: Level, ratio: Fraction) -> str | None:
    if level.ratio is not None:
        base = level.ratio / ratio
        if max(amount.numerator, amount.denominator, base.numerator, base.denominator) > _LARGEST:
            return None
        return f"{text_of(amount)}/log({text_of(base)})"
    return text_of(amount / level.nats) if level.nats is not None and ratio == 1 else None
