"""Utilities of candidates, and the exponential mechanism of a level per record as an exact channel.

    P(r | D) proportional to exp(epsilon_DP u(D, r) / (2 Delta))

with Delta the most that one record changes u(D, r), for any r, over all tables of the records'
values, is epsilon_DP differentially private per record. In the channel a rational B takes the place
of e^(epsilon_DP g / (2 Delta)), g being a step that all utilities are multiples of: just below it,
so that the channel's level is at most epsilon_DP.

Source: McSherry and Talwar 2007; bai2026, Section 6.4 and Algorithm 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import floor, gcd, lcm

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.arguments import Number
from pufferproof.models.mechanisms.selection.exponential import exponential_mechanism
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.lipschitz import lipschitz_of_table
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.records import Records

MOST_ENTRIES = 100_000
_BITS = 40  # of B - 1
_LONGEST = 20_000  # bits of a weight

Scores = Mapping[str, Mapping[str, Fraction]]


@dataclass(frozen=True)
class Utility:
    """What each candidate is worth for every table of records.

    `scores` has candidate -> database -> u, None for counts of the values of many records, which
    are the candidates; then `sensitivity`, Delta, is 1.
    """

    candidates: tuple[str, ...]
    sensitivity: Fraction
    scores: Scores | None = None

    @classmethod
    def histogram(cls, records: Records) -> "Utility":
        """Return the utility of every value: how many records have it.

        >>> Utility.histogram(Records(3, ("0", "1"))).scores["1"]["011"]
        Fraction(2, 1)
        """
        moved = Fraction(1 if len(records.alphabet) > 1 else 0)
        if not records.enumerable:
            return cls(records.alphabet, moved)
        rows = list(product(records.alphabet, repeat=records.count))
        scores = {
            value: {label: Fraction(row.count(value)) for label, row in zip(records.labels(), rows)}
            for value in records.alphabet
        }
        return cls(records.alphabet, moved, scores)

    @classmethod
    def of(cls, table: Mapping[str, Mapping[str, Number]], records: Records) -> "Utility":
        """Return the utility of a table: candidate -> database -> u.

        >>> Utility.of({"a": {"0": 1, "1": "1/2"}}, Records(1, ("0", "1"))).sensitivity
        Fraction(1, 2)

        Raises `ModelError` unless every candidate has a value for every database, and no other.
        """
        if not table:
            raise ModelError("expected at least one candidate, found none", "utility")
        labels = records.labels()
        scores = {name: _checked(name, values, labels) for name, values in table.items()}
        moved = max(
            lipschitz_of_table(AdditiveNoise(row, Noise.laplace(1)), records)
            for row in scores.values()
        )
        return cls(tuple(table), moved, scores)

    @cached_property
    def grain(self) -> Fraction:
        """The largest step that all differences between utilities are multiples of."""
        values = [u for row in (self.scores or {}).values() for u in row.values()]
        low = min(values, default=Fraction(0))
        below = lcm(*(value.denominator for value in values)) if values else 1
        above = gcd(*(int((value - low) * below) for value in values))
        return Fraction(above or below, below)

    def mechanism(self, level: Fraction) -> tuple[Channel, Fraction]:
        """Return the channel at a level per record of at most `level` nats, and B.

        >>> utility = Utility.histogram(Records(2, ("0", "1")))
        >>> channel, base = utility.mechanism(Fraction(2))
        >>> round(float(base), 6), round(float(channel.probability("00", "0")), 6)
        (2.718282, 0.880797)

        Raises `ModelError` unless databases are few enough to list, and some utility depends on
        them.
        """
        if self.scores is None or _size(self.scores) > MOST_ENTRIES:
            raise ModelError(
                f"expected at most {MOST_ENTRIES} probabilities to write, one for every database "
                "and candidate",
                "records",
            )
        if not self.sensitivity:
            raise ModelError("expected a utility that depends on the records", "utility")
        base = _below(level * self.grain / (2 * self.sensitivity))
        steps = self._steps()
        most = max(max(row.values()) for row in steps.values())
        if most * base.numerator.bit_length() > _LONGEST:
            raise ModelError(
                f"utilities are up to {text_of(most)} steps apart: probabilities are too long to "
                "be written",
                "utility",
            )
        return exponential_mechanism(steps, base), base

    def _steps(self) -> dict[str, dict[str, Fraction]]:
        """Return database -> candidate -> utility, from 0 on in steps of `grain`."""
        scores = self.scores or {}
        low = min(min(row.values()) for row in scores.values())
        return {
            database: {name: (row[database] - low) / self.grain for name, row in scores.items()}
            for database in scores[self.candidates[0]]
        }


def _size(scores: Scores) -> int:
    return sum(len(row) for row in scores.values())


def _below(exponent: Fraction) -> Fraction:
    """Return a rational just below e^exponent and above 1, of few digits."""
    small = max(0, exponent.denominator.bit_length() - exponent.numerator.bit_length())
    low = exp_bounds(exponent, 2 * _BITS + small)[0] - 1
    shift = _BITS + low.denominator.bit_length() - low.numerator.bit_length()
    step = Fraction(2) ** -shift
    return 1 + floor(low / step) * step


def _checked(
    name: str, values: Mapping[str, Number], labels: tuple[str, ...]
) -> dict[str, Fraction]:
    known = set(labels)
    unknown = next((label for label in values if label not in known), None)
    if unknown is not None:
        raise ModelError(f'expected a database, found "{unknown}"', f'utility["{name}"]')
    missing = next((label for label in labels if label not in values), None)
    if missing is not None:
        raise ModelError(
            f'expected a number for every database, found none for "{missing}"',
            f'utility["{name}"]',
        )
    return {label: exact(values[label]) for label in labels}
