"""What a mechanism spends of each record: its per-record level of differential privacy.

The level at record j is the least e_j with P(w | x) <= e^e_j P(w | x') for all outputs w and all
sequences x, x' of values that differ in record j alone, whether a prior allows them or not.
Gaussian noise has no finite level, nor has an output that some value excludes. Independent releases
have the sums of their levels. `spending` says which level each kind of mechanism has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from typing import TYPE_CHECKING

from pufferproof.lp.accounting.total import summed
from pufferproof.lp.translation.levels import NOTHING, RecordLevels, Total
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise, Vector
from pufferproof.models.noise.lipschitz import lipschitz_of_records
from pufferproof.models.noise.power_table import PowerTable, row_of
from pufferproof.models.noise.queries import NoisyQueries, Query
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.record_laws import RecordChannel
from pufferproof.verify.audit import Plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.columns", "noise.lipschitz-tree")
_NEAR = 1e-12  # far above the relative error of a quotient of floats
_LEAST = 1e-290  # below, floats are not accurate


@dataclass(frozen=True)
class Spending:
    """The level of every record, or None and why there is none."""

    levels: RecordLevels | None
    reason: str = ""


class _NoLevelError(Exception):
    """A mechanism has no finite level, and why."""


def spending(framework: Framework, mechanism: Plain) -> Spending:
    """Return what a mechanism spends of each record.

    | mechanism | e_j |
    |---|---|
    | query of records with noise | L times the rate of the noise on its segment, 0 elsewhere |
    | table of values with noise | L_j times the rate |
    | local mechanism | of the channel of record j |
    | channel | the largest ratio over outputs and neighbours in record j |

    L_j is how much the query changes at most, in L1, with record j; the rate of Laplace noise of
    scale b is 1/b, in general minus the logarithm of the noise's decay.

    >>> from pufferproof import MarkovChain, Noise, RecordQuery, Records
    >>> records, coin = Records(9, ("0", "1")), [["1/2", "1/2"], ["1/2", "1/2"]]
    >>> secrets = {"s": (1, "0"), "t": (1, "1")}
    >>> chain = MarkovChain("stationary", coin)
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> count = RecordQuery("sum", Noise.laplace("1/log(2)"), records, (3, 5))
    >>> levels = spending(framework, NoisyQueries((count,))).levels
    >>> [(length, str(level)) for length, level in levels.runs]
    [(2, '0'), (3, 'log(2)'), (4, '0')]

    Args: mechanism: in the form in which it is audited, fitting the framework.
    """
    if framework.records is None:
        return Spending(None, "databases that are not made of records have no levels per record")
    try:
        return Spending(_levels(framework, mechanism))
    except _NoLevelError as error:
        return Spending(None, str(error))


def expect_fit(framework: Framework, mechanism: Plain) -> None:
    """Raise `ModelError` unless a mechanism is one for the databases of a framework."""
    if isinstance(mechanism, LocalMechanism):
        mechanism.fits(framework.expect_records())
    elif isinstance(mechanism, Channel):
        mechanism.aligned(framework.databases, framework.support)
    elif isinstance(mechanism, PowerTable):
        for x in sorted(framework.support):
            row_of(mechanism, framework.databases[x])
    else:
        for query in mechanism.queries:
            _expect_query(framework, query)


def _expect_query(framework: Framework, query: Query) -> None:
    if isinstance(query, RecordQuery):
        query.expect_of(framework.records)
        return
    for x in sorted(framework.support):
        if framework.databases[x] not in query.values:
            raise ModelError(
                f'no value for database "{framework.databases[x]}", which has positive probability',
                "query",
            )


def _levels(framework: Framework, mechanism: Plain) -> RecordLevels:
    records = framework.expect_records()
    if isinstance(mechanism, NoisyQueries):
        every = [_of_query(framework, query) for query in mechanism.queries]
        return summed(records.count, [(each, 1) for each in every])
    if isinstance(mechanism, LocalMechanism):
        return _of_local(mechanism)
    if isinstance(mechanism, PowerTable):
        raise _NoLevelError("levels per record are computed of rational probabilities only")
    return _together(_of_channel(framework, mechanism))


def _of_query(framework: Framework, query: Query) -> RecordLevels:
    if query.noise.decay is None:
        raise _NoLevelError("gaussian noise has no finite level per record")
    count = framework.expect_records().count
    if isinstance(query, RecordQuery):
        level = _of_noise(query.noise, lipschitz_of_records(query))
        return segment_levels(count, query.segment or (1, count), level)
    return _together(_of_noise(query.noise, each) for each in _changes(framework, query))


def _of_noise(noise: Noise, change: Fraction) -> Total:
    """Return the level of a query that changes by at most `change`: e to it is decay^-change."""
    if noise.decay is None:
        raise _NoLevelError("gaussian noise has no finite level per record")
    return Total.of_power(noise.decay.to(-change))


def segment_levels(count: int, segment: tuple[int, int], level: Total) -> RecordLevels:
    """Return a level on the records of a segment, and 0 elsewhere."""
    first, last = segment
    runs = ((first - 1, NOTHING), (last - first + 1, level), (count - last, NOTHING))
    return RecordLevels(tuple((length, each) for length, each in runs if length))


def _changes(framework: Framework, query: AdditiveNoise) -> Iterator[Fraction]:
    """Yield L_j for every record: the most that the query changes with it."""
    values: list[Vector] = []
    for label in framework.databases:
        if label not in query.values:
            raise _NoLevelError(f'the query has no value for database "{label}"')
        values.append(query.values[label])
    for block in _neighbours(framework):
        yield max(_spread([values[x] for x in group]) for group in block)


def _neighbours(framework: Framework) -> Iterator[Iterator[range]]:
    """Yield for every record the sets of databases that agree in all others."""
    records = framework.expect_records()
    size, step = len(records.alphabet), len(framework.databases)
    for _ in range(records.count):
        step //= size
        yield (
            range(start + offset, start + step * size, step)
            for start in range(0, len(framework.databases), step * size)
            for offset in range(step)
        )


def _spread(values: Sequence[Vector]) -> Fraction:
    if len(values[0]) == 1:
        return max(values)[0] - min(values)[0]
    pairs = product(values, repeat=2)
    return max(sum((abs(x - y) for x, y in zip(a, b)), Fraction(0)) for a, b in pairs)


def _of_local(mechanism: LocalMechanism) -> RecordLevels:
    known: dict[int, Total] = {}
    for record, channel in enumerate(mechanism.records, 1):  # equal ones are mostly one object
        if id(channel) not in known:
            known[id(channel)] = _of_record(channel, record)
    return _together(known[id(channel)] for channel in mechanism.records)


def _of_record(channel: RecordChannel, record: int) -> Total:
    columns = [column for column in zip(*channel) if any(column)]
    if any(not min(column) for column in columns):
        raise _NoLevelError(f"an output excludes a value of record {record}")
    return Total(max(max(column) / min(column) for column in columns), Fraction(0))


def _of_channel(framework: Framework, channel: Channel) -> Iterator[Total]:
    try:
        every = frozenset(range(len(framework.databases)))
        channel = channel.aligned(framework.databases, every)
    except ModelError as error:
        raise _NoLevelError(error.what) from None
    step = len(framework.databases)
    for record in range(1, framework.expect_records().count + 1):
        step //= len(framework.expect_records().alphabet)
        yield Total(_largest(framework, channel, record, step), Fraction(0))


def _largest(framework: Framework, channel: Channel, record: int, step: int) -> Fraction:
    """Return the largest ratio of neighbours in one record: floats choose, rationals decide."""
    import numpy as np

    size, outputs = len(framework.expect_records().alphabet), len(channel.outputs)
    shape = (-1, size, step, outputs)
    values, positive = channel.floats_approx.reshape(shape), channel.positive.reshape(shape)
    if (positive.any(axis=1) != positive.all(axis=1)).any():
        raise _NoLevelError(f"an output excludes a value of record {record}")
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.nan_to_num(values.max(axis=1) / values.min(axis=1), nan=1.0)
    sure = channel.least_positive_approx > _LEAST
    near = np.argwhere(ratios >= ratios.max() * (1 - _NEAR)) if sure else _all(positive[:, 0])
    found = {
        tuple(
            (channel.numerator(row, output), channel.denominators[row])
            for row in range(start * size * step + offset, (start + 1) * size * step, step)
        )
        for start, offset, output in near.tolist()
        if positive[start, 0, offset, output]
    }
    entries = [[Fraction(*entry) for entry in column] for column in found]
    return max((max(each) / min(each) for each in entries), default=Fraction(1))


def _all(positive: "NDArray[np.bool_]") -> "NDArray[np.intp]":
    import numpy as np

    return np.argwhere(positive)


def _together(levels: Iterator[Total]) -> RecordLevels:
    """Return the levels of records in order, equal neighbours together."""
    return RecordLevels(tuple((len(list(same)), level) for level, same in groupby(levels)))
