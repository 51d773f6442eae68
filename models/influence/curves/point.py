"""A point of an influence curve: how many records are hidden, and what must leak all the same."""

from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.sequences.arithmetic import Bounds


@dataclass(frozen=True, repr=False)
class CurvePoint(Readable):
    """a*(b): `ratio` has rational bounds of e^a*(b), equal when it is exact, both None where
    a*(b) is infinite; only the upper one is None where no finite bound is known.

    `hidden` are the records that the worst ordered pair of secrets hides, `pair` this pair, None
    where they are not known.
    """

    b: int
    ratio: Bounds
    pair: tuple[str, str] | None = None
    hidden: tuple[int, ...] | None = None

    @property
    def lower(self) -> Fraction | None:
        """The lower bound of e^a*(b), None where it is infinite."""
        return self.ratio.lower

    @property
    def upper(self) -> Fraction | None:
        """The upper bound of e^a*(b), None where it is infinite or not known."""
        return self.ratio.upper

    @property
    def infinite(self) -> bool:
        """Whether a*(b) is infinite."""
        return self.lower is None

    @property
    def exact(self) -> bool:
        """Whether a*(b) is known exactly: as the logarithm of a rational, or as infinite."""
        return self.lower == self.upper

    def __str__(self) -> str:
        if self.lower is None:
            return f"b = {self.b}: infinite"
        low = float(log_bounds(self.lower, 72)[0])
        if self.upper is None:
            return f"b = {self.b}: at least {low:.7g} nats"
        high = float(log_bounds(self.upper, 72)[1])
        one, other = f"{low:.7g}", f"{high:.7g}"
        return f"b = {self.b}: {one if one == other else f'between {one} and {other}'} nats"
