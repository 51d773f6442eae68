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
from functools import partial
from math import isqrt
from typing import NamedTuple

from flint import fmpq

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Releases
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.pieces import fraction
from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.models.priors.records import separator
from pufferproof.verify.programs.drawing.arrays import Operand, Run, Symbol
from pufferproof.verify.programs.drawing.counts import Count
from pufferproof.verify.programs.regions.normal import NORMAL
from pufferproof.verify.programs.repeating import (
    DRAWN,
    LIST,
    NUMBER,
    RELEASES,
    SET,
    TABLE,
    TEXT,
    Value,
    number_of,
    value_of,
)

# Outputs of a program as labels, by value: 0, 0.0 and -0.0 are one output, lists and arrays are tuples, the items of a
# set have no order. Objects of other types are refused: they may have names, an order or a shape that no label tells.
#
# The label is the text that a person reads, as `estimate` writes it. A truth value is no number, and all text is
# quoted if one reads like another output: different values have different labels.

SOME_NUMBER: Value = (DRAWN, "number")


class Forms(NamedTuple):
    """The forms of all outputs by database, in which a number that is drawn stands for any value;
    of a database some of whose paths were not run, None. If `whole`, some of them are integers.
    """

    values: Mapping[str, frozenset[Value] | None]
    whole: bool

    def without(self, value: Value) -> frozenset[str]:
        """Return the databases on which an output has probability 0.

        >>> forms = Forms({"": frozenset([(LIST, ())]), "0": frozenset([(LIST, (SOME_NUMBER,))])}, False)
        >>> forms.without((LIST, (SOME_NUMBER,)))
        frozenset({''})
        """
        return frozenset(
            x
            for x, others in self.values.items()
            if others is not None and not any(meet(value, each, self.whole) for each in others)
        )


def meet(one: Value, other: Value, whole: bool) -> bool:
    """Whether outputs of two forms may be equal with positive probability: a real number that is
    drawn is almost surely none that is written, an integer may be any.
    """
    (kind, content), (kind_of_other, content_of_other) = one, other
    if DRAWN in (kind, kind_of_other):
        return kind == kind_of_other or (whole and NUMBER in (kind, kind_of_other))
    if kind != kind_of_other:
        return False
    if kind in (LIST, RELEASES):
        parts, parts_of_other = content, content_of_other
    elif kind == TABLE:
        parts, parts_of_other = (sum(each, ()) for each in (content, content_of_other))
    else:  # what is drawn in a set may be any of its items
        return content == content_of_other or (whole and kind == SET)
    return len(parts) == len(parts_of_other) and all(meet(a, b, whole) for a, b in zip(parts, parts_of_other))


class Labels:
    """The values that were put out, in the order of their first appearance."""

    def __init__(self) -> None:
        self._seen: dict[Value, None] = {}

    def value(self, output: object, run: Run) -> Value:
        """Return an output in the form in which outputs are compared; the run keeps a number that
        is drawn. It refuses what can be no label.
        """
        value = _value(output, run)
        self._seen.setdefault(value)
        return value

    def texts(self) -> dict[Value, str]:
        """Return the labels of all values: distinct ones. Releases of one object are joined as the
        records of a database are.
        """
        texts = self._written(quoted=False)
        return texts if len(set(texts.values())) == len(texts) else self._written(quoted=True)

    def _written(self, quoted: bool) -> dict[Value, str]:
        parts = {value: [_text(part, quoted) for part in value[1]] for value in self._seen if value[0] == RELEASES}
        joint = separator([part for each in parts.values() for part in each])
        return {value: joint.join(parts[value]) if value in parts else _text(value, quoted) for value in self._seen}


def has_numbers(output: Value) -> bool:
    """Whether an output of a law has a number with a density, which is in no set."""
    kind, content = output
    if kind == TABLE:
        content = [part for pair in content for part in pair]
    if kind not in (LIST, RELEASES, TABLE):
        return kind == DRAWN
    return any(map(has_numbers, content))


def _value(output: object, run: Run) -> Value:
    return value_of(output, partial(_kept, run), run.refuse)


def _kept(run: Run, output: object) -> Value | None:
    """Return a draw, an argument that is remembered, and the releases of an object as values; None
    of anything else.
    """
    if type(output) is ExactFloat:
        return (NUMBER, number_of(output))
    if type(output) is Count and output.kept():
        return SOME_NUMBER
    if isinstance(output, Symbol):
        known = output.resolved()
        if not isinstance(known, Symbol):
            return _value(known, run)
        drawn: Operand = known
        if not drawn.parts:
            return (NUMBER, number_of(float(drawn)))
        run.release(drawn.parts, drawn.constant)
        return SOME_NUMBER
    if isinstance(output, Releases):
        return (RELEASES, tuple(_value(each, run) for each in output))
    return None


def value_of_drawn(output: object) -> Value:
    """Return an output of a program that drew from a generator of NumPy. Raises `ModelError` of
    what can be no label.
    """

    def releases(output: object) -> Value | None:
        return (RELEASES, tuple(map(value_of_drawn, output))) if isinstance(output, Releases) else None

    try:
        return value_of(output, releases)
    except ValueError as error:
        raise ModelError(str(error)) from None


def _text(value: Value, quoted: bool = False) -> str:
    kind, content = value
    if kind == NUMBER and isinstance(content, Fraction):
        near = float(content)
        return repr(near) if Fraction(near) == content else str(content)
    if kind == TEXT:
        return repr(content) if quoted else content
    if kind == LIST:
        return "(" + ",".join(_text(each, quoted) for each in content) + ")"
    if kind == TABLE:
        return "{" + ",".join(f"{_text(k, quoted)}: {_text(v, quoted)}" for k, v in content) + "}"
    if kind == SET and not content:
        return "set()"  # as {} is the text of an empty table
    if kind == SET:
        return "{" + ",".join(sorted(_text(each, quoted) for each in content)) + "}"
    return str(content)


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

    terms: tuple[tuple[int | tuple[str, int], Hashable, fmpq], ...]
    centre: fmpq

    @property
    def form(self) -> tuple[tuple[int | tuple[str, int] | None, fmpq], ...]:
        """The number as a linear form: (draw, coefficient) of all draws, and the constant."""
        return (*((v, a) for v, _, a in self.terms), (None, self.centre))

    @property
    def normal(self) -> bool:
        return any(law == NORMAL for _, law, _ in self.terms)

    @property
    def whole(self) -> bool:
        """Whether it is an integer that is drawn, which could be listed."""
        return any(law[:1] == (TWO_SIDED,) for _, law, _ in self.terms if isinstance(law, tuple))

    @property
    def draws(self) -> set[Hashable]:
        return {v for v, _, _ in self.terms}

    @property
    def noise(self) -> Noise | None:
        """Its noise, or None if that is of another law."""
        kinds = [law[0] if isinstance(law, tuple) else None for _, law, _ in self.terms]
        sizes = [fraction(a) for _, _, a in self.terms]
        laws: list[Operand] = [law for _, law, _ in self.terms]
        if kinds == ["laplace"]:
            return Noise.laplace(abs(sizes[0]) * laws[0][1])
        if kinds == ["gamma", "gamma"] and laws[0][1] == laws[1][1] == 1:
            one, other = (a * law[2] for a, law in zip(sizes, laws))
            return Noise.laplace(abs(one)) if one == -other else None
        if kinds == [TWO_SIDED]:
            return Noise.geometric(laws[0][1])
        if {*kinds} == {"normal"}:
            square = sum((a * a for a in sizes), Fraction(0))
            root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
            deviation = root if root * root == square else None
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
    >>> from pufferproof.models.priors.records import Records
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
    labels, places = records.labels(), []  # places on which the query depends, if all others have their first value
    for place in range(1, records.count + 1):
        step = len(records.alphabet) ** (records.count - place)
        if len({query.values.get(labels[step * x]) for x in range(len(records.alphabet))}) > 1:
            places.append(place)
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


def _following(one: Number, other: Number) -> tuple[Fraction, Fraction] | None:
    """Return (t, s) such that the other number is t times the first, plus s."""
    if [v for v, _, _ in one.terms] != [v for v, _, _ in other.terms]:
        return None
    ratios = {fraction(b / a) for (_, _, a), (_, _, b) in zip(one.terms, other.terms)}
    if len(ratios) > 1:
        return None
    (ratio,) = ratios
    return ratio, fraction(other.centre) - ratio * fraction(one.centre)
