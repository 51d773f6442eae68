"""Laws of a query with noise given the secrets of a framework: what its leakage is computed from.

For independent releases of several queries the laws are joint: the coordinates of all of them, one
after the other. Listed frameworks only; along chains that are not listed
`pufferproof.verify.noise.laws.of_records` finds the same laws.

Coordinates that are affine functions of one another are merged, under noise whose density decays
exponentially: if coordinate l is c + r times coordinate k under every secret, the two of them leak
exactly as coordinate k alone does with decay t_k t_l^|r|. So a histogram of two values leaks as a
count with half the scale.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from math import prod

from flint import ctx

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import AdditiveNoise, Noise, Vector
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic, rounded_down
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.priors.records import Records
from pufferproof.verify.leakage.laws import expect_free, included

# Noisy queries of few databases, written out as a channel of rational probabilities: its outputs are those at values
# of all numbers, where noise of a decay leaks most, and one for the rest.
#
#     v(w | x) = c prod_k d_k^|w_k - F_k(x)|
#
# up to a factor between 1 and `error` in every entry, so that no quotient of means is more than `error` times that of
# the channel. With one c all sums are below 1/2, and the rest tells little.

_BITS, _EXACT = 256, 48
MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class Written:
    """A channel, and the largest factor by which an entry of the mechanism exceeds one of it."""

    channel: Channel
    error: Fraction


def written_out(mechanism: NoisyQueries, records: Records) -> Written | None:
    """Return the channel of queries with noise of decays, or None if entries are too many."""
    if not records.enumerable or any(each.noise.decay is None for each in mechanism.queries):
        return None
    if len(records.alphabet) ** records.count > MOST_ENTRIES:
        return None
    tables = [_table(query) for query in mechanism.queries]
    labels = records.labels()
    if any(label not in table.values for table in tables for label in labels):
        return None
    columns = [column for table in tables for column in zip(*(table.values[x] for x in labels))]
    noises = [table.noise for table in tables for _ in range(len(next(iter(table.values.values()))))]
    ends = [sorted(set(column)) for column in columns]
    if prod(map(len, ends)) * len(labels) > MOST_ENTRIES:
        return None
    return _channel(labels, columns, noises, ends)


def _table(query: AdditiveNoise | RecordQuery) -> AdditiveNoise:
    return query.written_out() if isinstance(query, RecordQuery) else query


def _channel(
    labels: Sequence[str], columns: Sequence[Vector], noises: Sequence[Noise], ends: Sequence[Sequence[Fraction]]
) -> Written:
    known = [
        {(w, v): power for (w, v), power in zip(product(values, repeat=2), _powers(noise, values))}
        for noise, values in zip(noises, ends)
    ]
    outputs = list(product(*ends))
    share = Fraction(1, 2 * len(outputs))
    rows = {}
    for label, at in zip(labels, zip(*columns)):
        row = [
            share * prod((table[w, v] for table, w, v in zip(known, output, at)), start=Fraction(1))
            for output in outputs
        ]
        rows[label] = [*row, 1 - sum(row)]
    names = [*(str(k) for k in range(len(outputs))), "rest"]
    error = (1 + Fraction(1, 2**_EXACT)) ** (2 * len(columns))
    return Written(Channel.of(rows, names), error)


def _powers(noise: Noise, values: Sequence[Fraction]) -> Iterator[Fraction]:
    """Yield d^|w - v| from below for all pairs of values, to 2^-48 of each."""
    known: dict[Fraction, Fraction] = {}
    for w, v in product(values, repeat=2):
        far = abs(w - v)
        if far not in known:
            assert noise.decay is not None
            with ctx.workprec(_BITS):
                known[far] = rounded_down(dyadic(noise.decay.to(far).ball().lower()), _EXACT + 4)
        yield known[far]


RESTS_ON = ("noise.parallel", "noise.runs")
_SAMPLED = 32  # vectors of a law that are looked at first
Law = dict[Vector, Fraction]


@dataclass(frozen=True)
class LawPair:
    """The laws of a query given the two secrets of an ordered pair, and where they come from."""

    prior: str
    pair: Pair
    above: Law
    below: Law

    @cached_property
    def axes(self) -> list[list[Fraction]]:
        """The values that every coordinate takes under either secret, in increasing order."""
        return [sorted(set(column)) for column in zip(*self.above, *self.below)]

    @property
    def scalars(self) -> tuple[dict[Fraction, Fraction], dict[Fraction, Fraction]]:
        """Both laws of a query of one number."""
        above, below = ({x: p for (x,), p in law.items()} for law in (self.above, self.below))
        return above, below


@dataclass(frozen=True)
class QueryLaws:
    """The laws of all ordered pairs, the noise of every coordinate, and what has a secret of probability 0."""

    noises: tuple[Noise, ...]
    pairs: tuple[LawPair, ...] = field(repr=False)
    excluded: int
    never: tuple[Pair, ...]
    claims: tuple[str, ...] = ()  # that the algorithm rests on which found the laws


Shape = tuple[tuple[tuple[Vector, Fraction], ...], ...]


def shape(pair: LawPair) -> Shape:
    """Return what the laws of a pair share with those moved or turned around, x to c - x.

    Noise has the same law about every value, and is symmetric: these leak the same.

    >>> one = Fraction(1)
    >>> pair = LawPair("theta", ("s", "t"), {(0 * one,): one}, {(3 * one,): one})
    >>> shape(pair) == shape(replace(pair, above={(5 * one,): one}, below={(2 * one,): one}))
    True
    """
    least, most = [axis[0] for axis in pair.axes], [axis[-1] for axis in pair.axes]
    laws = (pair.above, pair.below)
    moved = [sorted((tuple(x - low for x, low in zip(v, least)), p) for v, p in law.items()) for law in laws]
    turned = [sorted((tuple(high - x for x, high in zip(v, most)), p) for v, p in law.items()) for law in laws]
    return min(tuple(map(tuple, moved)), tuple(map(tuple, turned)))


def distinct(pairs: Sequence[LawPair]) -> list[LawPair]:
    """Return one pair of every shape, the first."""
    first: dict[Shape, LawPair] = {}
    for pair in pairs:
        first.setdefault(shape(pair), pair)
    return list(first.values())


def varying(pair: LawPair, noises: Sequence[Noise]) -> tuple[LawPair, list[Noise]]:
    """Return a pair without the coordinates that never vary, and the noise of the others; one where none varies."""
    kept = [k for k, axis in enumerate(pair.axes) if len(axis) > 1] or [0]
    above, below = ({tuple(value[k] for k in kept): p for value, p in law.items()} for law in (pair.above, pair.below))
    return replace(pair, above=above, below=below), [noises[k] for k in kept]


def table_laws(framework: Framework, releases: Sequence[AdditiveNoise]) -> QueryLaws:
    """Return the joint laws of independent releases.

    >>> from pufferproof import Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> [pair.above for pair in table_laws(framework, [AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1))]).pairs]
    [{(Fraction(0, 1),): Fraction(1, 1)}, {(Fraction(1, 1),): Fraction(1, 1)}]

    Raises `ModelError` unless every possible database has a value, and mixtures of priors, if asked
    for, add nothing.
    """
    expect_free(framework, "noise is audited against a list of priors")
    noises = tuple(release.noise for release in releases for _ in range(release.dimension))
    checked = {
        (prior, pair): included(framework, prior, pair) for prior in framework.priors for pair in framework.pairs
    }
    never = tuple(pair for pair in framework.pairs if not any(checked[prior, pair] for prior in framework.priors))
    left_out = sum(not checks for checks in checked.values()), never
    return QueryLaws(noises, tuple(_law_pairs(framework, releases)), *left_out)


def _law_pairs(framework: Framework, releases: Sequence[AdditiveNoise]) -> Iterator[LawPair]:
    joint = AdditiveNoise(
        {
            label: tuple(number for release in releases for number in release.values[label])
            for label in releases[0].values
            if all(label in release.values for release in releases[1:])
        },
        releases[0].noise if len(releases) == 1 else Noise.laplace(1),  # only the values are used
    )
    for prior in steps(framework.priors, "priors"):
        laws = {name: joint.law(framework, prior, name) for name in framework.secrets}
        for pair in framework.pairs:
            if included(framework, prior, pair):
                for above, below in framework.orders(pair):
                    yield LawPair(prior, (above, below), laws[above], laws[below])


@dataclass(frozen=True)
class MergedLaws:
    """Laws and decays of the kept coordinates; `places[l] = (k, r, c)` if coordinate l is r times
    the k-th kept one plus c.

    A coordinate that is constant under all laws has r = 0; where all are, the first is kept.
    """

    decays: tuple[Power, ...]
    pairs: tuple[LawPair, ...]
    places: tuple[tuple[int, Fraction, Fraction], ...]

    def whole(self, output: Vector) -> Vector:
        """Return the output of all coordinates, given that of the kept ones."""
        return tuple(ratio * output[k] + shift for k, ratio, shift in self.places)


def merged(decays: Sequence[Power], pairs: Sequence[LawPair]) -> MergedLaws:
    """Merge coordinates that are affine functions of one another under all laws of all pairs.

    >>> law = {(Fraction(0), Fraction(3)): Fraction(1, 2), (Fraction(1), Fraction(1)): Fraction(1, 2)}
    >>> fewer = merged([Power.exp(Fraction(-1))] * 2, [LawPair("theta", ("s", "t"), law, law)])
    >>> fewer.decays[0].nats, fewer.whole((Fraction(1),))
    (Fraction(-3, 1), (Fraction(1, 1), Fraction(1, 1)))
    """
    if len(decays) == 1:
        return MergedLaws(tuple(decays), tuple(pairs), ((0, Fraction(1), Fraction(0)),))
    laws = {id(law): law for pair in pairs for law in (pair.above, pair.below)}.values()
    if _differ(laws):
        places = tuple((k, Fraction(1), Fraction(0)) for k in range(len(decays)))
        return MergedLaws(tuple(decays), tuple(pairs), places)
    vectors = list(dict.fromkeys(vector for law in laws for vector in law))
    kept: list[int] = []
    joint: list[Power] = []
    axes: dict[tuple[Fraction, ...], int] = {}
    every: list[tuple[int, Fraction, Fraction]] = []
    for coordinate, column in enumerate(zip(*vectors)):
        shape, step = _scaled(column)
        if not step:
            every.append((0, Fraction(0), column[0]))
            continue
        if shape not in axes:
            axes[shape] = len(kept)
            kept.append(coordinate)
            joint.append(ONE)
        k = axes[shape]
        first = [vector[kept[k]] for vector in vectors]
        ratio = step / _scaled(first)[1]
        joint[k] = joint[k].times(decays[coordinate].to(abs(ratio)))
        every.append((k, ratio, column[0] - ratio * first[0]))
    if not kept:
        kept, joint = [0], [decays[0]]
    fewer = {id(law): marginal(law, kept) for law in laws}  # one law of a pair in both orders
    left = (replace(pair, above=fewer[id(pair.above)], below=fewer[id(pair.below)]) for pair in pairs)
    return MergedLaws(tuple(joint), tuple(left), tuple(every))


def _differ(laws: Iterable[Law]) -> bool:
    """Whether no coordinate is constant, or an affine function of another, even in a sample of all vectors."""
    sample = [vector for law in laws for vector in islice(law, 0, None, 1 + len(law) // _SAMPLED)]
    columns = [*zip(*sample)]
    return len({_scaled(column)[0] for column in columns} - {()}) == len(columns)


def _scaled(column: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return a column shifted and scaled so that its first two different entries are 0 and 1,
    and the scale; 0 if constant.
    """
    step = next((x - column[0] for x in column if x != column[0]), Fraction(0))
    return tuple((x - column[0]) / step for x in column) if step else (), step


def restricted(pair: LawPair, kept: Sequence[int]) -> LawPair:
    """Return the laws of some coordinates."""
    return LawPair(pair.prior, pair.pair, marginal(pair.above, kept), marginal(pair.below, kept))


def marginal(law: Law, kept: Sequence[int]) -> Law:
    """Return the law of some coordinates."""
    masses: Law = {}
    for vector, p in law.items():
        key = tuple(vector[k] for k in kept)
        masses[key] = masses.get(key, Fraction(0)) + p
    return masses
