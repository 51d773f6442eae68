"""Figure 2 of massny2025: what a record at a distance says of the private one, by its value, and
which records a threshold eps' has redacted, redacted by value, or released.

The figure has alpha = 1/4, beta = 1/2 and distances 1 to 3. The paper prints no numbers there but
those of Example 1, at distance 1, and does not say which eps' is drawn: regions are listed for
all of them. Source: massny2025, Figure 2, Section II and Example 1.
"""

from fractions import Fraction
from typing import NamedTuple

from pufferproof.examples.reproduce.schemas import InfluenceFigure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.models.sequences.binary import BinaryChain, regions
from pufferproof.reports.redaction.table import chain_line, leakage_text
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("massny2025.prop1-closed", "massny2025.regions")
NAME = "massny2025.figure2"
WIDEST = 3
CHAIN, PRIVATE = BinaryChain("1/4", "1/2", 2 * WIDEST + 1), WIDEST + 1
EXAMPLE = (Fraction(3, 2), Fraction(2))  # printed in Example 1: distance 1, values 0 and 1
_PRINTED = "printed   Example 1, at distance 1: log(3/2) of value 0 and log(2) of value 1, "


class Split(NamedTuple):
    """The distances in every region, from a threshold on up to the next."""

    ratio: Fraction
    large: tuple[int, ...]
    medium: tuple[int, ...]
    small: tuple[int, ...]


def influence(distance: int, value: int) -> Leakage:
    """Return i of a record at a distance of at least 1 with this value."""
    return Leakage.of(_ratio(distance, value))


def _ratio(distance: int, value: int) -> Fraction:
    return CHAIN.influence(value, distance) or Fraction(1)


def splits() -> list[Split]:
    """Return the regions for every threshold: a new split at 0 and at each influence."""
    distances = range(1, WIDEST + 1)
    ratios = {_ratio(distance, value) for distance in distances for value in (0, 1)}
    return [split_at(ratio, Level.log(ratio)) for ratio in sorted({Fraction(1), *ratios})]


def split_at(ratio: Fraction, threshold: Level) -> Split:
    """Return the distances in every region at a threshold."""
    found = regions(CHAIN, PRIVATE, threshold)
    return Split(ratio, *(tuple(t - PRIVATE for t in each if t > PRIVATE) for each in found))


def influences() -> InfluenceFigure:
    """Return the points of Figure 2, and its regions for every threshold."""
    points = [
        {
            "distance": distance,
            "influences": {str(value): influence(distance, value).as_json() for value in (0, 1)},
            "printed": dict(zip("01", map(text_of, EXAMPLE))) if distance == 1 else None,
        }
        for distance in range(1, WIDEST + 1)
    ]
    found = [
        {
            "threshold": Leakage.of(split.ratio).as_json(),
            "redacted": split.large,
            "by_value": split.medium,
            "released": split.small,
        }
        for split in splits()
    ]
    answer = {"figure": NAME, "points": points, "regions": found, "files": []}
    return InfluenceFigure.model_validate(answer)


def lines() -> list[str]:
    """Render the points and the regions for a terminal."""
    agrees = EXAMPLE == (_ratio(1, 0), _ratio(1, 1))
    rows = [
        [str(distance), *(leakage_text(influence(distance, value)) for value in (0, 1))]
        for distance in range(1, WIDEST + 1)
    ]
    split = [
        [leakage_text(Leakage.of(each.ratio)), *map(_listed, (each.large, each.medium, each.small))]
        for each in splits()
    ]
    return [
        chain_line(CHAIN),
        f"private   record {PRIVATE}; distances of other records, to either side",
        *map(_line, [["distance", "influence of value 0", "of value 1"], *rows]),
        f"{_PRINTED}{'as here' if agrees else 'unlike here'}",
        *map(_line, [["eps' from", "always redacted", "by value", "always released"], *split]),
    ]


def table() -> list[list[str]]:
    """Return a row per distance and value."""
    return [
        [str(distance), str(value), text_of(_ratio(distance, value))]
        for distance in range(1, WIDEST + 1)
        for value in (0, 1)
    ]


def _listed(distances: tuple[int, ...]) -> str:
    return ", ".join(map(str, distances)) or "none"


def _line(cells: list[str]) -> str:
    first, *rest = cells
    return (first.ljust(26) + "".join(cell.ljust(26) for cell in rest)).rstrip()
