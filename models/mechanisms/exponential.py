"""The exponential mechanism as an exact channel, and utilities of candidates at a level per record.

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
from math import gcd, lcm

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, checked_ratio, rational_root
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import lipschitz_of_table
from pufferproof.models.numbers.enclosures import exp_bounds, rounded_down
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
        known, scores = set(labels), {}
        for name, values in table.items():
            unknown = next((label for label in values if label not in known), None)
            if unknown is not None:
                raise ModelError(f'expected a database, found "{unknown}"', f'utility["{name}"]')
            missing = next((label for label in labels if label not in values), None)
            if missing is not None:
                raise ModelError(
                    f'expected a number for every database, found none for "{missing}"', f'utility["{name}"]'
                )
            scores[name] = {label: exact(values[label]) for label in labels}
        moved = max(lipschitz_of_table(AdditiveNoise(row, Noise.laplace(1)), records) for row in scores.values())
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
        if self.scores is None or sum(len(row) for row in self.scores.values()) > MOST_ENTRIES:
            raise ModelError(
                f"expected at most {MOST_ENTRIES} probabilities to write, one for every database and candidate",
                "records",
            )
        if not self.sensitivity:
            raise ModelError("expected a utility that depends on the records", "utility")
        # a rational just below e^exponent and above 1, of few digits
        exponent = level * self.grain / (2 * self.sensitivity)
        small = max(0, exponent.denominator.bit_length() - exponent.numerator.bit_length())
        base = 1 + rounded_down(exp_bounds(exponent, 2 * _BITS + small)[0] - 1, _BITS)
        steps = self._steps()
        most = max(max(row.values()) for row in steps.values())
        if most * base.numerator.bit_length() > _LONGEST:
            raise ModelError(
                f"utilities are up to {text_of(most)} steps apart: probabilities are too long to be written", "utility"
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


def exponential_mechanism(scores: Mapping[str, Mapping[str, Number]], ratio: Number) -> Channel:
    """Return the mechanism P(r | D) = R^u(D, r) / sum over r' of R^u(D, r').

    When no score changes by more than Delta between neighbours, a numerator and a denominator
    change by at most R^Delta each: (2 Delta log R)-differentially private. Often R = e^(epsilon /
    (2 Delta)).

    Args:
        scores: database -> result -> u(D, r), an integer or a multiple of 1/2; every database
            scores the same results.
        ratio: R > 1; the square of a rational if some score is no integer, so that every entry is
            rational.

    >>> exponential_mechanism({"a": {"tea": 1, "coffee": 0}, "b": {"tea": 0, "coffee": "1/2"}}, "4").probability(
    ...     "b", "tea"
    ... )
    Fraction(1, 3)

    Raises `ModelError` unless scores are complete, integers or half-integers, and R^(1/2) is
    rational where it is needed. Source: McSherry and Talwar 2007, Definition 2 and Theorem 6, with
    R = e^epsilon and a uniform base measure.
    """
    base = checked_ratio(ratio)
    if not scores:
        raise ModelError("expected scores for every database, found none", "scores")
    results = list(next(iter(scores.values())))
    rows = {}
    for database, scored in scores.items():
        if set(scored) != set(results):
            raise ModelError(f"expected scores for {results}, found {list(scored)}", f'scores["{database}"]')
        weights = []
        for result in results:
            score = scored[result]
            where = f'scores["{database}"]["{result}"]'
            try:
                exponent = exact(score)
            except ModelError as error:
                raise error.within(where) from None
            if exponent.denominator == 1:
                power = base**exponent.numerator
            elif exponent.denominator == 2:
                power = rational_root(base) ** exponent.numerator
            else:
                raise ModelError(f"expected an integer or half-integer score, found {text_of(exponent)}", where)
            weights.append(power)
        total = sum(weights)
        rows[database] = [weight / total for weight in weights]
    return Channel.of(rows, results)
