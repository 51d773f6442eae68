"""Programs that are noise on a query: every run takes the same path, and releases numbers each of
which has noise of its own.

    y_i = c_i(x) + sum_v a_iv X_v,    no draw X_v in two numbers

Then the output is noise on the query c, and whatever is known of such noise is known of the
program. The noise of a number is Laplace if it is a multiple of a Laplace draw or a difference of
two exponential draws, Gaussian if it is a form in Gaussian draws whose standard deviation is
rational, and geometric if it is a difference of two geometric draws. A number that follows from
another one in the same way for all databases,

    y_j = t y_i + s,

tells nothing that is not known, and is left out.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.pieces import fraction
from pufferproof.models.priors.records import Records
from pufferproof.verify.programs.labels import Forms
from pufferproof.verify.programs.regions.normal import NORMAL

TWO_SIDED = "two-sided"  # that of a difference of two geometric draws, with its ratio
_ONE_WAY = (
    "which has an exact law only if every run goes the same way; leave out what rounds or clips "
    "noisy numbers, which tell at least as much"
)
SEVERAL = f"its output has several numbers that are drawn, {_ONE_WAY}"
GAUSSIAN = f"its output has a number with Gaussian noise, {_ONE_WAY}"
BESIDE = "its output has a number that is drawn, and it compares Gaussian draws"
_SHARED = "two numbers of its output share a draw: release one of them"
MIXED = "its output has other noise, or other parts, on some databases"
_OTHER_NOISE = "its output has a number whose noise is neither Laplace nor Gaussian of a rational deviation"


class UnkeptError(Exception):
    """A drawn integer is part of an output, and the program is no noise on a query: its values are
    to be listed. `forms` are those of all outputs by database, as far as they are known.
    """

    def __init__(self, forms: Forms | None = None) -> None:
        super().__init__()
        self.forms = forms


class Number(NamedTuple):
    """A number of an output: `terms` are its draws, with their laws and coefficients."""

    terms: tuple[tuple[Hashable, Hashable, Any], ...]
    centre: Any

    @property
    def form(self) -> tuple[Any, ...]:
        """The number as a linear form: (draw, coefficient) of all draws, and the constant."""
        return (*((v, a) for v, _, a in self.terms), (None, self.centre))

    @property
    def normal(self) -> bool:
        """Whether a Gaussian draw is part of it."""
        return any(law == NORMAL for _, law, _ in self.terms)

    @property
    def whole(self) -> bool:
        """Whether it is an integer that is drawn, which could be listed."""
        return any(law[:1] == (TWO_SIDED,) for _, law, _ in self.terms if isinstance(law, tuple))

    @property
    def draws(self) -> set[Hashable]:
        """Its draws."""
        return {v for v, _, _ in self.terms}

    @property
    def noise(self) -> Noise | None:
        """Its noise, or None if that is of another law."""
        kinds = [law[0] if isinstance(law, tuple) else None for _, law, _ in self.terms]
        sizes = [fraction(a) for _, _, a in self.terms]
        laws: list[Any] = [law for _, law, _ in self.terms]
        if kinds == ["laplace"]:
            return Noise.laplace(abs(sizes[0]) * laws[0][1])
        if kinds == ["gamma", "gamma"] and laws[0][1] == laws[1][1] == 1:
            one, other = (a * law[2] for a, law in zip(sizes, laws))
            return Noise.laplace(abs(one)) if one == -other else None
        if kinds == [TWO_SIDED]:
            return Noise.geometric(laws[0][1])
        if {*kinds} == {"normal"}:
            deviation = _root(sum((a * a for a in sizes), Fraction(0)))
            return None if deviation is None else Noise.gaussian(deviation)
        return None


def queries_of(rows: Mapping[str, Sequence[Number]]) -> AdditiveNoise | NoisyQueries | str:
    """Return the query with noise that a program is, whose only path on each database releases some
    numbers; or why it is none.

    >>> from flint import fmpq
    >>> def count(centre):
    ...     return [Number(((0, ("laplace", Fraction(2)), fmpq(1, 3)),), fmpq(centre))]
    >>> queries_of({"0": count(0), "1": count(1)})
    AdditiveNoise({'0': ['0'], '1': ['1']}, Noise('laplace', '2/3'))
    """
    first = next(iter(rows.values()))
    kept = [place for place, after in enumerate(following(rows)) if after is None]
    for place in kept:
        others = [j for j in kept if j < place]
        if any(row[j].draws & row[place].draws for j in others for row in rows.values()):
            return _SHARED
        laws = {row[place].noise for row in rows.values()}
        if None in laws:
            return _OTHER_NOISE
        if len(laws) > 1:
            return MIXED
    noises = [first[place].noise for place in kept]
    values = {x: [fraction(row[place].centre) for place in kept] for x, row in rows.items()}
    if len({*noises}) == 1 and noises[0] is not None:
        return AdditiveNoise(values, noises[0])
    each = enumerate(noise for noise in noises if noise is not None)
    return NoisyQueries(tuple(AdditiveNoise({x: row[i] for x, row in values.items()}, noise) for i, noise in each))


class Following(NamedTuple):
    """A number that follows from one before it: y = times * y_place + shift, on all databases."""

    place: int
    times: Fraction
    shift: Fraction


def following(rows: Mapping[str, Sequence[Number]]) -> list[Following | None]:
    """Return of every number of the output how it follows from one before it, None if it tells
    something itself.
    """
    found: list[Following | None] = []
    for place in range(len(next(iter(rows.values())))):
        after = None
        for j in (j for j, other in enumerate(found) if other is None):
            ways = {_following(row[j], row[place]) for row in rows.values()}
            (way, *others) = ways
            if after is None and way is not None and not others:
                after = Following(j, *way)
        found.append(after)
    return found


def of_records(query: AdditiveNoise, framework: Framework) -> AdditiveNoise | RecordQuery:
    """Return a query as a built-in one of a segment of the records, if it is that: more is known of
    those, and the kernel has rules for them.

    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> coin = MarkovChain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]])
    >>> framework = Framework.of_records(
    ...     Records(2, ("0", "1")), {"s": (1, "0"), "t": (1, "1")}, "disjoint", {"theta": coin}
    ... )
    >>> query = AdditiveNoise({"00": 0, "01": 1, "10": 1, "11": 2}, Noise.laplace(1))
    >>> of_records(query, framework).query
    'sum'
    """
    records = framework.records
    if records is None or not framework.by_records or not records.enumerable:
        return query
    places = [place for place in range(1, records.count + 1) if _moves(query, records, place)]
    if not places:
        return query
    segment = places[0], places[-1]
    whole = None if segment == (1, records.count) else segment
    names: list[tuple[str, str | None]] = [("sum", None), ("mean", None), ("histogram", None)]
    for name, counted in [*names, *(("count", value) for value in records.alphabet)]:
        try:
            known = RecordQuery(name, query.noise, records, whole, counted)
        except ModelError:  # its values are no numbers
            continue
        if known.dimension == query.dimension:
            values = known.written_out().values
            if all(values[label] == vector for label, vector in query.values.items()):
                return known
    return query


def _moves(query: AdditiveNoise, records: Records, place: int) -> bool:
    """Whether a query depends on a record, of the database whose other values are the first."""
    labels, step = records.labels(), len(records.alphabet) ** (records.count - place)
    own = {query.values.get(labels[step * x]) for x in range(len(records.alphabet))}
    return len(own) > 1


def _following(one: Number, other: Number) -> tuple[Any, Any] | None:
    """Return (t, s) such that the other number is t times the first, plus s."""
    if [v for v, _, _ in one.terms] != [v for v, _, _ in other.terms]:
        return None
    ratios = {fraction(b / a) for (_, _, a), (_, _, b) in zip(one.terms, other.terms)}
    if len(ratios) > 1:
        return None
    (ratio,) = ratios
    return ratio, fraction(other.centre) - ratio * fraction(one.centre)


def _root(square: Fraction) -> Fraction | None:
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return root if root * root == square else None
