"""A query of a fresh sample of the records, with noise: every run draws its own sample.

A Poisson sample holds every record with the same probability, independently; a fixed one holds so
many records, each set of them equally likely. The sample is not released. What runs leak about one
record is in `pufferproof.verify.losses`.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import hold, hold_checked
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import shown, text_of


@dataclass(frozen=True)
class Sample:
    """How every run draws a fresh sample of the n records. The sample itself is not released.

    Args:
        poisson: the rate q, an exact number from 0 to 1. Each record is in the sample with
            probability q, independently of the others.
        fixed: the size m, an integer from 1 to n. All sets of m records are equally likely, so a
            record is in the sample with probability m/n (`rate(n)`).

    >>> Sample(poisson="1/10"), Sample(fixed=5)
    (Sample(poisson="1/10"), Sample(fixed=5))
    >>> Sample(fixed=5).rate(20)
    Fraction(1, 4)

    Raises `ModelError` unless exactly one of `poisson` and `fixed` is given, the rate is from 0 to
    1, and the size is at least 1.
    """

    poisson: Fraction | None = None
    fixed: int | None = None

    def __init__(self, poisson: object = None, fixed: int | None = None) -> None:
        if (poisson is None) == (fixed is None):
            raise ModelError('expected either "poisson" or "fixed"', "sample")
        rate = None
        if poisson is not None:
            try:
                rate = exact(poisson)
            except ModelError as error:
                raise error.within("sample.poisson") from None
            if not 0 <= rate <= 1:
                raise ModelError(f"expected a rate from 0 to 1, found {text_of(rate)}", "sample.poisson")
        if fixed is not None and (type(fixed) is not int or fixed < 1):
            raise ModelError(f"expected a number of records, at least 1, found {shown(fixed)}", "sample.fixed")
        hold(self, poisson=rate, fixed=fixed)

    def rate(self, count: int) -> Fraction:
        """Return the probability that a record is in the sample of so many records."""
        if self.poisson is not None:
            return self.poisson
        assert self.fixed is not None
        if self.fixed > count:
            raise ModelError(f"expected at most {count}, the number of records, found {self.fixed}", "sample.fixed")
        return Fraction(self.fixed, count)

    def __repr__(self) -> str:
        if self.poisson is not None:
            return f'Sample(poisson="{text_of(self.poisson)}")'
        return f"Sample(fixed={self.fixed})"


@dataclass(frozen=True)
class SampledQuery:
    """A sum or a count of the records in a sample, with noise; every run draws anew.

    Args:
        query: "sum", or "count" of a value, of all records.
        sample: how records are drawn.

    >>> from pufferproof import Noise, RecordQuery, Records
    >>> query = RecordQuery("sum", Noise.gaussian(1), Records(100, ("0", "1")))
    >>> SampledQuery(query, Sample(poisson="1/10")).added
    {'0': Fraction(0, 1), '1': Fraction(1, 1)}

    Raises `ModelError` for other queries, for those of a segment, and of several people.
    """

    taken_by: ClassVar = {"Channel": "compose takes queries of fresh samples"}

    query: RecordQuery
    sample: Sample

    def __post_init__(self) -> None:
        hold_checked(self, {"query": RecordQuery, "sample": Sample})
        if self.query.query not in ("sum", "count"):
            raise ModelError(f'expected "sum" or "count" of a fresh sample, found "{self.query.query}"', "query")
        if (self.query.segment or self.query.of) is not None or self.query.records.people > 1:
            raise ModelError("a fresh sample is one of all records of one person each", "sample")
        self.sample.rate(self.query.records.count)

    @property
    def added(self) -> dict[str, Fraction]:
        """What a record of each value adds if it is in the sample."""
        query = self.query
        (row,) = query.digits
        least = query.least
        return {value: least + query.grain * digit for value, digit in zip(query.records.alphabet, row)}
