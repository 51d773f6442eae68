"""What a measurement of OpenDP claims: its map at a distance between arguments.

The distance is given, or that of one record changed, in the measurement's own metric, where the
argument is made of records.
"""

from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.claim import Claim
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records

_MEASURES = {
    "MaxDivergence": "pure",
    "ZeroConcentratedDivergence": "zero-concentrated",
    "Approximate(MaxDivergence)": "approximate",
    "SmoothedMaxDivergence": "approximate",
}
_OF_LISTS = {
    "SymmetricDistance": 2,  # one record is taken out, another one put in
    "InsertDeleteDistance": 2,
    "ChangeOneDistance": 1,
    "HammingDistance": 1,
}
_OF_COUNTS = {"L1Distance": 2.0, "LInfDistance": 1.0, "L2Distance": sqrt(2)}  # one moves


def claim_of(measurement: object, d_in: object, inputs: object, query: str | None) -> Claim | None:
    """Return the claim at a distance, or if none is given for one record changed; None if that
    distance is not known. Raises `ModelError` if the map does not take a distance that is given.
    """
    if d_in is not None:
        return _at(measurement, d_in)
    if not isinstance(inputs, Records):
        return None
    try:
        distance = _one_record(measurement, inputs, query)
        return None if distance is None else _at(measurement, distance, "one record changed")
    except ModelError:  # records are no numbers, or the map takes no such distance
        return None


def _at(measurement: Any, d_in: object, changed: str = "") -> Claim:
    measure = str(measurement.output_measure)
    try:
        value = measurement.map(d_in)
    except Exception as error:  # of the library, of several kinds
        reason = str(error).strip().partition("\n")[0][:120]
        raise ModelError(f"the map of OpenDP does not take {shown(d_in)}: {reason}", "d_in") from None
    return Claim(_MEASURES.get(measure, measure), value, d_in, changed)


def _one_record(measurement: Any, records: Records, query: str | None) -> int | float | None:
    """Return how far apart arguments are if one record is changed; None if that is not known."""
    name, _, kind = str(measurement.input_metric).partition("(")
    if query is None:
        return 1 if name == "DiscreteDistance" else _OF_LISTS.get(name)
    if query == "histogram":
        change: Any = _OF_COUNTS.get(name)
    elif name == "AbsoluteDistance":
        change = _range(records) / (records.count if query == "mean" else 1)
    else:
        return None
    if change is None:
        return None
    if kind[:1] in ("i", "u") or "=i" in kind or "=u" in kind:
        return int(change) if Fraction(change).denominator == 1 else None
    distance = float(change)
    return nextafter(distance, inf) if Fraction(distance) < Fraction(change) else distance


def _range(records: Records) -> Fraction:
    numbers = [parse_number(value) for value in records.alphabet]
    return max(numbers) - min(numbers)
