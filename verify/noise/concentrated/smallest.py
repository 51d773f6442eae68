"""The smallest number at which a definition of privacy holds, between bounds, and where it is
reached.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, brief, rounded, text_of

NAMES = {"zcdp": ("rho", "zCDP"), "gdp": ("mu", "GDP")}


def claimed_of(value: object) -> Fraction:
    """Read a number that is claimed. Raises `ModelError` unless it is at least 0."""
    number = exact(value)
    if number < 0:
        raise ModelError(f"expected a number of at least 0, found {brief(number)}")
    return number


@dataclass(frozen=True, repr=False)
class Smallest(Readable):
    """The smallest rho ("zcdp") or mu ("gdp"), infinite where both bounds are None; of mu the
    square where that is a known rational. `claimed` is what it was compared with.
    """

    kind: Literal["zcdp", "gdp"]
    lower: Fraction | None
    upper: Fraction | None
    prior: str
    pair: Pair
    square: Fraction | None = None
    claimed: Fraction | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Its letter, and the name of the definition."""
        return NAMES[self.kind]

    @property
    def infinite(self) -> bool:
        """Whether no number is enough."""
        return self.lower is None

    def larger(self, other: "Smallest") -> "Smallest":
        """Return the larger of two, the first where they are not told apart."""
        if self.lower is None or self.upper is None:
            return self
        if other.lower is None or other.upper is None:
            return other
        first, second = (self, other) if self.lower >= other.lower else (other, self)
        uppers = [each.upper for each in (first, second) if each.upper is not None]
        return replace(first, upper=max(uppers))

    def against(self, claimed: object) -> "Smallest":
        """Return the same beside a number that was claimed. Raises `ModelError` unless it is one
        of at least 0.
        """
        try:
            return replace(self, claimed=claimed_of(claimed))
        except ModelError as error:
            raise error.within(self.kind) from None

    @property
    def asked(self) -> str:
        """What was claimed, such as 1/2-zCDP."""
        return f"{'' if self.claimed is None else brief(self.claimed)}-{NAMES[self.kind][1]}"

    @property
    def sign(self) -> int | None:
        """The sign of the number minus what was claimed, None if its bounds do not tell."""
        if self.claimed is None or self.lower is None or self.upper is None:
            return None if self.claimed is None else 1
        if self.square is not None:
            squared = self.claimed**2
            return (self.square > squared) - (self.square < squared)
        if self.lower > self.claimed:
            return 1
        if self.upper > self.claimed:
            return None
        return -1 if self.upper < self.claimed else 0

    @property
    def ratio(self) -> Fraction | None:
        """The number where it is a known rational."""
        return self.lower if self.lower == self.upper else None

    def enclosure(self) -> Enclosure:
        """Return the number as an enclosure."""
        if self.lower is None or self.upper is None:
            return INFINITE
        return enclose(self.lower, self.upper)

    def as_json(self) -> JsonObject:
        """Return `{"ratio", "lower", "upper", "claimed", "witness"}`."""
        known = None if self.ratio is None else text_of(self.ratio)
        return {
            "ratio": "inf" if self.infinite else known,
            **self.enclosure().as_json(),
            "claimed": None if self.claimed is None else text_of(self.claimed),
            "witness": {"prior": self.prior, "pair": list(self.pair)},
        }

    def text(self) -> str:
        """Write the number for a person."""
        if self.infinite:
            return "infinite"
        if self.ratio is not None and len(text_of(self.ratio)) < 20:
            return text_of(self.ratio)
        ends = self.enclosure()
        low, high = (rounded(end, 7) for end in (ends.lower, ends.upper))
        return f"≈ {low}" if low == high else f"between {low} and {high}"

    def __str__(self) -> str:
        above, below = self.pair
        symbol, name = NAMES[self.kind]
        return f"{name} {symbol} {self.text()}, for {above!r} against {below!r}"
