"""Privacy levels: epsilon in nats, held so that comparing a rational ratio with e^epsilon is always
decided.

A level is `log(p/q)` exactly or a decimal number of nats. For a decimal epsilon > 0 the number
e^epsilon is irrational (Lindemann), hence never equal to a rational, and refining an enclosure
ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, cast

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import Enclosure, ball, enclose, enclose_log, exp_bounds
from pufferproof.models.numbers.grammar import exact, meant, parse_number
from pufferproof.models.numbers.text import int_of, shown, text_of

if TYPE_CHECKING:
    from flint import arb

_LOG = re.compile(r"(?:log|ln)(?:\( *([0-9]+)(?: */ *([0-9]+))? *\)| ([0-9]+))")
_NATS = re.compile(r"[0-9]+(?:/0*[1-9][0-9]*|(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?)")
_UNIT = re.compile(r" *nats?")
_NEGATIVE = re.compile(r"-[0-9.]*[1-9]|-(?:log|ln|inf)")
_LOG_OF_A_RATIO = re.compile(r"(?:log|ln) *([0-9]+) */ *([0-9]+)")

_LOG_OF_A_DECIMAL = re.compile(r"(?:log|ln) *\(? *([0-9]+\.[0-9]{1,9}) *\)?")
_BITS = re.compile(r"log_?2 *\(? *([0-9]+) *\)?|([0-9]{1,2}) *bits?")

_BELOW_1 = re.compile(r"(?:log|ln)[( ] *0?\.")
_LONGEST_LIKELY = 40
_LARGEST_NATS = 10**5  # what needs bounds of e^epsilon does not need larger levels


@dataclass(frozen=True)
class _Epsilon:
    ratio: Fraction | None
    nats: Fraction | None


class Level(_Epsilon):
    """A privacy level epsilon >= 0, of text such as `"log(3)"` or `"0.5"`, or of a number of nats.

    Exactly one field is set: `ratio` when e^epsilon is the rational `ratio` >= 1, else `nats` =
    epsilon > 0.

    >>> Level("log(9/5)").compare(Fraction(9, 5)), Level("0.5").compare(Fraction(9, 5))
    (0, 1)

    Raises `ModelError` unless it is a level, and one of the arguments is given.
    """

    _zero: ClassVar[str] = ""

    def __init__(
        self, level: "LevelLike | None" = None, *, ratio: Fraction | None = None, nats: Fraction | None = None
    ) -> None:
        if level is not None and ratio is None and nats is None:
            same = Level.coerce(level)
            ratio, nats = same.ratio, same.nats
            object.__setattr__(self, "_zero", same._zero)
        elif level is not None or (ratio is None) == (nats is None):
            raise ModelError("a level has either a ratio or a number of nats")
        fields = [value if value is None or type(value) is Fraction else exact(value) for value in (ratio, nats)]
        super().__init__(*fields)
        if self.ratio is not None and self.ratio < 1:
            raise ModelError(f"expected a level of at least 0, found log({text_of(self.ratio)})")
        if self.nats is not None and self.nats <= 0:
            raise ModelError(f"expected a level of at least 0 nats, found {text_of(self.nats)}")

    @classmethod
    def log(cls, ratio: Fraction | int | str) -> "Level":
        """Return the level log(ratio), ratio >= 1."""
        return cls(ratio=exact(ratio))

    @classmethod
    def of_nats(cls, epsilon: Fraction | int | str) -> "Level":
        """Return the level of `epsilon` >= 0 nats (0 is log(1))."""
        value = exact(epsilon)
        if value:
            return cls(nats=value)
        level = cls(ratio=Fraction(1))
        object.__setattr__(level, "_zero", "0")  # as it is printed
        return level

    @classmethod
    def parse(cls, text: str) -> "Level":
        """Read `log(N)` or `log(N/M)` of value at least 1, `ln` instead of `log`, or a number of
        nats of at least 0, decimal or a fraction; "nat" or "nats" may follow.

        >>> Level.parse("ln(3)"), Level.parse("1/5"), Level.parse("1 nat")
        (Level('log(3)'), Level('0.2'), Level('1'))

        Raises `ModelError` unless the text is one of these.
        """
        if not isinstance(text, str):
            raise _no_level(text)
        return _parsed(text)

    @classmethod
    def coerce(cls, value: "LevelLike", where: str = "") -> "Level":
        """Read what a caller may pass as a level: a `Level`, text as in `parse`, or a number of
        nats.

        Args:
            where: the name of the argument, for errors.

        Raises `ModelError` unless it is one of these.
        """
        if isinstance(value, Level):
            return value
        try:
            return cls.parse(value) if isinstance(value, str) else cls.of_nats(_nats(value))
        except ModelError as error:
            raise error.within(where) if where else error from None

    @classmethod
    def coerce_all(
        cls, values: "LevelLike | Sequence[LevelLike]", where: str, or_one: bool = False
    ) -> "tuple[Level, ...]":
        """Read a sequence of levels, each as `coerce` takes it; a single level as well where
        `or_one` says so.

        Raises `ModelError` unless it is one.
        """
        if getattr(values, "ndim", 0):  # an array, a series of pandas
            values = values.tolist()  # type: ignore[union-attr]
        if isinstance(values, Sequence) and not isinstance(values, str | bytes):
            return tuple(
                value if isinstance(value, cls) else cls.coerce(value, f"{where}[{place}]")
                for place, value in enumerate(values)
            )
        if not or_one:
            raise ModelError(f'expected a sequence of levels such as ["log(2)", "0.5"], found {shown(values)}', where)
        return (cls.coerce(cast("LevelLike", values), where),)

    def compare(self, ratio: Fraction) -> int:
        """Return the sign of ratio - e^epsilon, exactly."""
        if self.ratio is not None:
            mine, its = (ratio.numerator * self.ratio.denominator, self.ratio.numerator * ratio.denominator)
            return (mine > its) - (mine < its)
        epsilon = self._nats
        if ratio <= 1 + epsilon:  # e^x > 1 + x for x > 0
            return -1
        if epsilon > ratio.numerator.bit_length():  # e^x > 2^x
            return -1
        accuracy = 64
        while True:
            lower, upper = exp_bounds(epsilon, accuracy)
            if ratio > upper:
                return 1
            if ratio < lower:
                return -1
            accuracy *= 2

    def sign(self, alpha: Fraction, beta: Fraction) -> int:
        """Return the sign of alpha - e^epsilon * beta for rational alpha and beta, exactly."""
        if beta == 0:
            return (alpha > 0) - (alpha < 0)
        return self.compare(alpha / beta) if beta > 0 else -self.compare(alpha / beta)

    def bounds(self, accuracy: int = 64) -> tuple[Fraction, Fraction]:
        """Return rational bounds of e^epsilon (equal when it is rational), relative width at
        most 2^-accuracy.
        """
        if self.ratio is not None:
            return self.ratio, self.ratio
        if self._nats > _LARGEST_NATS:
            raise ModelError(f"expected a level of at most {_LARGEST_NATS} nats here, found {self}")
        return exp_bounds(self._nats, accuracy)

    def ball(self) -> "arb":
        """Enclose e^epsilon by Arb at the present working precision."""
        return ball(self._nats).exp() if self.ratio is None else ball(self.ratio)

    def filter_bounds(self) -> tuple[Fraction, Fraction | None]:
        """Return rational bounds of e^epsilon to sort cases with; None, unbounded, beyond
        100,000 nats.
        """
        if self.nats is not None and self.nats > _LARGEST_NATS:
            return exp_bounds(Fraction(_LARGEST_NATS), 64)[0], None
        return self.bounds()

    def enclosure(self) -> Enclosure:
        """Return epsilon as an enclosure in nats."""
        return enclose_log(self.ratio) if self.ratio is not None else enclose(self._nats, self._nats)

    @property
    def _nats(self) -> Fraction:
        if self.nats is None:
            raise ModelError("this level is the logarithm of a rational")
        return self.nats

    def __repr__(self) -> str:
        return f"Level({str(self)!r})"

    def __str__(self) -> str:
        if self.ratio is not None:
            return self._zero or f"log({text_of(self.ratio)})"
        bounds = enclose(self._nats, self._nats)
        return bounds.lower if bounds.lower == bounds.upper else text_of(self._nats)


def _nats(value: object) -> Fraction:
    try:
        return exact(value)
    except ModelError:
        raise _no_level(value) from None


def _no_level(value: object) -> ModelError:
    return ModelError(f'expected a level such as "log(2)", "0.5" or 0.5, found {shown(value)}')


LevelLike = Level | str | int | float | Fraction  # what `Level.coerce` takes; numbers are nats


@lru_cache(maxsize=256)
def _parsed(text: str) -> Level:
    expected = f'expected a level such as "log(2)", "log(3/2)" or "0.5", found "{text[:60]}"'
    given = text[: unit.start()] if (unit := _UNIT.search(text)) and unit.end() == len(text) else text
    if match := _LOG.fullmatch(given):
        above, below = int_of(match[1] or match[3]), int_of(match[2] or "1")
        if below == 0:
            raise ModelError(f"{expected} (nothing is divided by 0)")
        if above < below:
            raise ModelError(f"{expected} (a level is at least 0)")
        return Level.log(Fraction(above, below))
    if not _NATS.fullmatch(given):
        raise ModelError(expected + _meant(text))
    return Level.of_nats(parse_number(given))


def _meant(text: str) -> str:
    """Return what is asked behind an error about a text that is nearly a level."""
    if _NEGATIVE.match(text) or _BELOW_1.match(text):
        return " (a level is at least 0)"
    for likely in _likely(text.strip().lower()) if len(text) <= _LONGEST_LIKELY else ():
        match = _LOG.fullmatch(likely)
        if int(match[1] or match[3]) >= int(match[2] or 1) > 0 if match else _NATS.fullmatch(likely):
            return f', did you mean "{likely}"?'
    return meant(text)


def _likely(text: str) -> Iterator[str]:
    """Yield levels that a text may stand for, if they are levels."""
    yield text.removeprefix("+")
    yield f"{text})"
    yield re.sub(r"^(?:log|ln)([0-9/]+)$", r"log(\1)", text)
    if "." in text:
        yield f"0{text}"
        yield f"{text}0"
    if match := _LOG_OF_A_RATIO.fullmatch(text):
        yield f"log({match[1]}/{match[2]})"
    if match := _LOG_OF_A_DECIMAL.fullmatch(text):
        yield f"log({text_of(parse_number(match[1]))})"
    if match := _BITS.fullmatch(text):  # a bit is log(2) nats
        yield f"log({match[1] or 2 ** int(match[2])})"
