"""A point of an influence curve: how many records are hidden, and what must leak all the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, nats_of
from pufferproof.models.numbers.enclosures import enclose_log
from pufferproof.models.numbers.text import at_most, rounded
from pufferproof.models.sequences.arithmetic import Bounds

_DIGITS = 7


@dataclass(frozen=True, repr=False)
class CurvePoint(Readable):
    """a*(b): `ratio` has rational bounds of e^a*(b), equal when it is exact, both None if
    a*(b) is infinite; only the upper one is None if no finite bound is known.

    `hidden` are the records that the worst ordered pair of secrets hides, `pair` this pair, None
    where they are not known. The point rests on `claims`, besides the definition.
    """

    b: int
    ratio: Bounds
    pair: tuple[str, str] | None = None
    hidden: Sequence[int] | None = None
    claims: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    @property
    def lower(self) -> Fraction | None:
        """The lower bound of e^a*(b), or None if it is infinite."""
        return self.ratio.lower

    @property
    def upper(self) -> Fraction | None:
        """The upper bound of e^a*(b), or None if it is infinite or not known."""
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
        return f"b = {self.b}: {_nats(self.ratio)}"


def resting(points: Iterable[CurvePoint], *claims: Iterable[str]) -> list[CurvePoint]:
    """Return points that rest on the claims of several algorithms.

    >>> resting([CurvePoint(1, Bounds.none())], ("a", "b"), ("b",))[0].claims
    ('a', 'b')
    """
    together = tuple(dict.fromkeys(each for claim in claims for each in claim))
    return [replace(point, claims=together) for point in points]


class Curve(list[CurvePoint], Tabular):
    """The points of an influence curve, in the order of b."""

    _named, _axis = ("hidden",), "nats"

    def entries(self) -> list[Entry]:
        """Return a row for every point: how many records are hidden, and the nats that leak."""
        return [
            {
                "hidden": point.b,
                "above": None if point.pair is None else point.pair[0],
                "below": None if point.pair is None else point.pair[1],
                **nats_of(point.lower, None if point.infinite else point.upper),
            }
            for point in self
        ]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the points rest on."""
        return tuple(dict.fromkeys(claim for point in self for claim in point.claims))

    def _finding(self) -> str:
        """Say how much leaks for the fewest hidden records that leave a finite influence."""
        finite = next((point for point in self if point.upper is not None), None)
        if finite is None:
            return "The influence has no finite bound, however many records are hidden."
        records = "1 record" if finite.b == 1 else f"{finite.b} records"
        most = at_most(float(nats_of(None, finite.upper)["upper"]))
        return f"Hiding {records} leaves at most {most} nats of influence."


def _nats(ratio: Bounds) -> str:
    if ratio.lower is None:
        return "infinite"
    low = rounded(_log(ratio.lower), _DIGITS)
    if ratio.upper is None:
        return f"at least {low} nats"
    high = rounded(_log(ratio.upper), _DIGITS)
    return f"{low} nats" if low == high else f"between {low} and {high} nats"


def _log(ratio: Fraction) -> str:
    return enclose_log(ratio).lower
