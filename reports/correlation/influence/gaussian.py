"""The influence curve of truncated Gaussian priors: what is printed, as JSON, and drawn."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.files.frameworks import read_gaussian
from pufferproof.models.files.reading import Loaded
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, enclose
from pufferproof.models.numbers.text import JsonObject, at_least, at_most, brief, outward, rounded, text_of
from pufferproof.models.priors.continuous.points import GaussianFramework
from pufferproof.reports.console.words import counted
from pufferproof.verify.influence.gaussian.definition import Curves, GaussianPoint, gaussian_curve

if TYPE_CHECKING:
    from pufferproof.reports.console.drawing import Plot

_WIDE = 2e-6  # relative width from which on both ends are printed


@dataclass(frozen=True)
class GaussianAnswer:
    """The curves of a framework of truncated Gaussian priors."""

    loaded: Loaded[GaussianFramework]

    @classmethod
    def read(cls, path: str) -> "GaussianAnswer":
        """Read a framework."""
        return cls(read_gaussian(path))

    @cached_property
    def curves(self) -> Curves:
        """The curve by the definition, and the published recipe."""
        return gaussian_curve(self.loaded.value)

    @cached_property
    def limit(self) -> tuple[GaussianPoint, ...]:
        """The curve of windows that shrink to their middles."""
        return gaussian_curve(self.loaded.value, at_points=True).points

    @property
    def known(self) -> JsonObject:
        """What the answer says, as JSON."""
        by_record = {
            str(record): [enclosure_of(point).as_json() for point in points]
            for record, points in self.curves.by_record.items()
        }
        middles = {
            name: text_of((secret.window[0] + secret.window[1]) / 2)
            for name, secret in self.loaded.value.secrets.items()
        }
        return {
            "curve": [_described(b, point) for b, point in enumerate(self.curves.points)],
            "records": by_record,
            "published": [_briefly(b, point) for b, point in enumerate(self.curves.published)],
            "limit": {"points": middles, "curve": [_briefly(b, point) for b, point in enumerate(self.limit)]},
            "rests_on": [],
        }

    @property
    def lines(self) -> list[str]:
        """What is printed: a row per number of hidden records."""
        cells = [["hidden", "influence (nats)", "published", "points", "record", "hides", "shows"]]
        rows = zip(self.curves.points, self.curves.published, self.limit)
        for b, (point, recipe, limit) in enumerate(rows):
            finite = 0 < b < len(self.curves.points) - 1
            cells.append(
                [
                    str(b),
                    *(_nats(each) for each in (point, recipe, limit)),
                    str(point.record) if finite else "-",
                    ", ".join(map(str, point.hidden)) or "-",
                    ", ".join(f"{k}: {brief(value)}" for k, value in point.shown) or "-",
                ]
            )
        widths = [max(map(len, column)) + 2 for column in zip(*cells)]
        return ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]

    def plot(self) -> "Plot":
        """Draw the curve, the recipe and the limit."""
        from pufferproof.reports.correlation.influence.plot import influence_plot

        left = [b for b, point in enumerate(self.curves.points) if 0 < point.upper < math.inf]
        finding = "Hiding all other records leaves no influence."
        if left:
            few, many = (at_most(self.curves.points[b].upper) for b in (left[0], left[-1]))
            finding = f"Hiding {counted(left[0], 'record')} leaves at most {few} nats of influence"
            finding += f", hiding {left[-1]} at most {many}."
        series = (self.curves.points, self.curves.published, self.limit)
        curves = {
            name: [point.upper for point in points]
            for name, points in zip(("a*(b)", "published recipe", "points"), series)
        }
        hidden = range(len(self.curves.points))
        return influence_plot(finding, hidden, curves, "b: hidden records")


def enclosure_of(point: GaussianPoint) -> Enclosure:
    """Return the decimal bounds of a point."""
    if point.lower == float("inf"):
        return INFINITE
    if point.upper == 0:
        return Enclosure("0", "0")
    lower = max(Fraction(point.lower), Fraction(0))
    if point.upper == float("inf"):
        return Enclosure(enclose(lower, lower).lower, "inf")
    return enclose(lower, Fraction(point.upper))


def _briefly(b: int, point: GaussianPoint) -> dict[str, object]:
    return {"b": b, "epsilon": enclosure_of(point).as_json(), "hidden": list(point.hidden)}


def _described(b: int, point: GaussianPoint) -> JsonObject:
    bounded = "1" if point.upper == 0 else None
    ratio = "inf" if point.lower == float("inf") else bounded
    return {
        "b": b,
        "ratio": ratio,
        "epsilon": enclosure_of(point).as_json(),
        "record": point.record,
        "pair": list(point.pair or ()),
        "prior": point.prior,
        "hidden": list(point.hidden),
        "shown": {str(record): text_of(value) for record, value in point.shown},
    }


def _nats(point: GaussianPoint) -> str:
    ends = enclosure_of(point)
    if ends.lower == "inf":
        return "infinite"
    if ends.upper == "inf":
        return f"at least {at_least(ends.lower, 7)}"
    if point.upper - point.lower <= _WIDE * point.upper:
        return rounded(ends.upper, 7)
    low, high = outward(ends.lower, ends.upper, 7)
    return f"{low} to {high}"
