"""What is said of one published bound: its value where its conditions are met, else why not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_bounds
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.leakage.ratio import Leakage, most_of

_ACCURACY = 72


@dataclass(frozen=True)
class DecidedCondition:
    """A condition of a theorem, decided; `margin` is its distance to the threshold in a `unit`,
    negative where it is not met, or None if there is none to measure.
    """

    says: str
    met: bool
    margin: Fraction | None = None
    unit: str = ""

    def as_json(self) -> JsonObject:
        """Return the condition object of the file formats."""
        margin = None if self.margin is None else _number(self.margin)
        unit = None if margin is None else self.unit
        return {"says": self.says, "met": self.met, "margin": margin, "unit": unit}

    @property
    def distance(self) -> str:
        """By how much the condition is met or missed, in words, "" where nothing is measured."""
        if self.margin is None:
            return ""
        side = "to spare" if self.met else "short"
        return f"{_number(abs(self.margin))} {self.unit} {side}"


def _number(margin: Fraction) -> str:
    return str(margin.numerator) if margin.denominator == 1 else f"{float(margin):.4g}"


@dataclass(frozen=True)
class PublishedBound:
    """A published bound of a joint leakage, or None if its conditions are not met or it is not
    computed, for the `reason` given.

    It rests on `claim`; what the paper prints is the claim `printed`. `parts` are what it is made
    of, by name: levels, influences, a divergence.
    """

    theorem: str
    claim: str
    printed: str
    bound: Leakage | None
    conditions: tuple[DecidedCondition, ...] = ()
    parts: Mapping[str, Leakage] = field(default_factory=dict)
    reason: str = ""

    def above(self, joint: Leakage) -> Enclosure | None:
        """Return by how many nats the bound is above the joint leakage, or None if one of them has
        no finite end.

        Raises `AssertionError` for a bound that is certainly below it.
        """
        if self.bound is None or None in (self.bound.lower, self.bound.upper):
            return None
        if joint.lower is None or joint.upper is None:
            return None
        low = _log(Fraction(self.bound.lower or 1) / joint.upper)[0]
        high = _log(Fraction(self.bound.upper or 1) / joint.lower)[1]
        if high < 0:
            raise AssertionError(f"the joint leakage exceeds the bound of {self.theorem}")
        return enclose(max(low, Fraction(0)), high)  # a bound is never below it

    def as_json(self, joint: Leakage) -> JsonObject:
        """Return the object of the file formats, beside a joint leakage."""
        above = self.above(joint)
        return {
            "theorem": self.theorem,
            "claim": self.claim,
            "printed": self.printed,
            "applies": self.bound is not None,
            "bound": None if self.bound is None else self.bound.as_json(),
            "above": None if above is None else above.as_json(),
            "conditions": [condition.as_json() for condition in self.conditions],
            "parts": {name: part.as_json() for name, part in self.parts.items()},
            "reason": self.reason or None,
        }


def _log(ratio: Fraction) -> tuple[Fraction, Fraction]:
    return (Fraction(0), Fraction(0)) if ratio == 1 else log_bounds(ratio, _ACCURACY)


def unmet(conditions: Sequence[DecidedCondition]) -> str:
    """Return what is needed and missed, and by how much, "" if all is met."""
    missed = [
        f"{condition.says} ({condition.distance})" if condition.distance else condition.says
        for condition in conditions
        if not condition.met
    ]
    return f"needs {', and '.join(missed)}" if missed else ""


def product_of_levels(*levels: Leakage) -> Leakage:
    """Return the sum of levels, infinite where one is."""
    lower, upper = Fraction(1), Fraction(1)
    for level in levels:
        if level.lower is None or level.upper is None:
            return Leakage.of(None)
        lower, upper = lower * level.lower, upper * level.upper
    return Leakage(lower, upper)


def largest_of(levels: Sequence[Leakage]) -> Leakage:
    """Return the largest of several levels, infinite where one is."""
    return Leakage(most_of([e.lower for e in levels]), most_of([e.upper for e in levels]))


def smallest_of(levels: Sequence[Leakage]) -> Leakage:
    """Return the smallest of several levels."""
    return Leakage(
        min((e.lower for e in levels if e.lower is not None), default=None),
        min((e.upper for e in levels if e.upper is not None), default=None),
    )
