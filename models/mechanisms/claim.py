"""What a library's object says of itself: a level, in a measure of privacy, between arguments at a
distance. It is repeated beside an answer, and decides nothing.
"""

from dataclasses import dataclass
from typing import Any

from pufferproof.models.numbers.text import text_of


@dataclass(frozen=True)
class Claim:
    """A value in a measure of privacy (`pure`, or the library's name for it) at a distance `d_in`.

    >>> str(Claim("pure", 1.0, 1, "one record changed"))
    'claimed 1 at d_in=1 (one record changed)'
    >>> str(Claim("zero-concentrated", 0.125, 2))
    'claimed rho 0.125 at d_in=2'
    >>> str(Claim("approximate", (1.0, 1e-06), 1))
    'claimed (1, 1e-06) at d_in=1'
    """

    measure: str
    value: Any
    d_in: object
    changed: str = ""

    def at(self, delta: object) -> str:
        """Say the claim at a delta: of a privacy profile its epsilon there."""
        if delta is None or not hasattr(self.value, "epsilon"):
            return str(self)
        level = _digits(self.value.epsilon(float(delta)))  # type: ignore[arg-type]
        return f"claimed ({level}, {text_of(delta)}) {self._where}"  # type: ignore[arg-type]

    @property
    def _where(self) -> str:
        changed = f" ({self.changed})" if self.changed else ""
        return f"at d_in={_digits(self.d_in)}{changed}"

    def __str__(self) -> str:
        rho = "rho " if self.measure == "zero-concentrated" else ""
        return f"claimed {rho}{_digits(self.value)} {self._where}"


def _digits(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_digits, value))})"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, int | str):
        return str(value)
    return "a privacy profile" if hasattr(value, "epsilon") else "a curve"
