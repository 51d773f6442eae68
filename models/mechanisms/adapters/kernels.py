"""From a mechanism of one argument to a mechanism on databases: on a table of arguments, record by
record, or on a built-in query of the records.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import cast

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.parameters import SumsByOutput, constant, finite
from pufferproof.models.mechanisms.library import Named, One
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.noise.tables.normal import HIDDEN
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, table_of
from pufferproof.models.noise.tables.shaped import Tables, output_of, tables_of_keys
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.sequences.local import LocalMechanism

Inputs = Mapping[str, object] | Records
_FAR_NATS = 1_000  # that outputs at the bounds of discrete Gaussian noise tell, at least
_MOST_ENTRIES = 20_000  # of a local mechanism that is written out in exponential sums


@dataclass(frozen=True)
class Taken:
    """What a mechanism takes: a value, or a list of values, each read from the text of a record or
    from a number.
    """

    listed: bool
    read: Callable[[str | Fraction], object]


@dataclass(frozen=True)
class Kernel:
    """A mechanism with listed outputs: argument -> output -> weight. Without `taken` the argument
    is the text of a record, or a number. With `among`, the arguments of all databases may have a
    smaller table with the same likelihood ratios, in which `named` says of what is drawn which
    output it is part of.
    """

    row: Callable[[object], SumsByOutput]
    outputs: Sequence[str] | None = None
    taken: Taken | None = None
    among: Callable[[Sequence[object]], "Kernel | None"] | None = None
    named: Named | None = None


@dataclass(frozen=True)
class Additive:
    """A number plus noise. With `within`, outputs are clamped to these bounds, which changes no
    likelihood ratio as long as every number lies within them: beyond the extreme values of a query
    a ratio is constant. Of discrete Gaussian noise ratios grow with outputs: it is read as if it
    were not clamped where they reach e^1000 before the bounds. With `read`, the number is a
    function of the argument. With `threshold`, it is a dict of key -> number, and a key is shown
    where its noisy number is at least that. `shift` is added to the number.
    """

    noise: Noise
    within: tuple[Fraction, Fraction] | None = None
    read: Callable[[object], object] | None = None
    taken: Taken | None = None
    threshold: Fraction | None = None
    shift: Fraction = Fraction(0)

    def value(self, argument: object) -> object:
        """Return the number, or numbers, that noise is added to."""
        return argument if self.read is None else self.read(argument)


@dataclass(frozen=True)
class Drawn:
    """A mechanism of one number whose table is made of the numbers of all databases: database ->
    number -> table.
    """

    table: Callable[[Mapping[str, Fraction]], Channel | PowerTable | PartialTable]


@dataclass(frozen=True)
class Together:
    """Mechanisms of one argument, released together with independent randomness. If `processed`,
    a function that is not known changes their outputs before they are shown.
    """

    laws: tuple[Kernel | Additive, ...]
    processed: bool = False


Law = Kernel | Additive | Together


def on_databases(law: Kernel | Additive | Drawn, inputs: Inputs | None, query: str | None) -> One:
    """Return the mechanism on databases. Raises `ModelError` unless arguments suit it."""
    if isinstance(inputs, Records):
        return _on_records(law, inputs, query)
    if query is not None:
        raise ModelError("a query is of records: expected Records(..) instead of a table", "inputs")
    if not isinstance(inputs, Mapping) or not inputs:
        raise ModelError(
            "expected what the mechanism gets: a dict of database -> argument, or Records; where "
            "every database has an object of its own, a dict of database -> object alone",
            "inputs",
        )
    if isinstance(law, Additive):
        if law.threshold is None:
            return _noisy_table(law, inputs)
        tables = list(_tables_of(law, inputs).values())
        if not tables:
            everywhere = {label: {HIDDEN: constant(1)} for label in inputs}
            return table_of(everywhere, [HIDDEN])
        if len(tables) == 1:
            return tables[0]
        if any(isinstance(table, PartialTable) for table in tables):
            raise ModelError(
                f"{len(tables)} keys have numbers that differ between databases: expected one, or "
                "Laplace noise on integers",
                "inputs",
            )
        return _listed(tables)
    if isinstance(law, Drawn):
        return law.table({label: finite(f'inputs["{label}"]', x) for label, x in inputs.items()})
    rows = {label: _row(law, argument, f'inputs["{label}"]') for label, argument in inputs.items()}
    return in_order(rows, law.outputs)


def narrowed(law: Kernel | Additive | Drawn, inputs: object) -> Kernel | Additive | Drawn:
    """Return the law whose table is made of the arguments of all databases, if there is one."""
    if not isinstance(law, Kernel) or law.among is None or not isinstance(inputs, Mapping):
        return law
    if not inputs:
        return law
    return law.among(list(inputs.values())) or law


def named_of(law: Kernel | Additive | Drawn, inputs: Inputs | None, query: str | None) -> Named | None:
    """Return which output of the table on databases a draw is part of; None if its text says so."""
    if isinstance(law, Kernel):
        return law.named
    if not isinstance(law, Additive) or law.threshold is None:
        return None
    if isinstance(inputs, Records) and law.taken is not None:
        inputs = _handed(law.taken, inputs, query)
    tables = lru_cache(1)(lambda: _tables_of(law, cast(Mapping[str, object], inputs)))
    return lambda drawn: output_of(tables(), cast(Mapping[object, int], drawn))


def released(forms: Sequence[One]) -> One | NoisyQueries:
    """Return the joint release of mechanisms on the same databases, with independent randomness.

    Raises `ModelError` unless all add noise, or none does; `TooLargeError` where it is long.
    """
    if len(forms) == 1:
        return forms[0]
    noise = [form for form in forms if isinstance(form, AdditiveNoise | RecordQuery)]
    if len(noise) == len(forms):
        return NoisyQueries(tuple(noise))
    if noise:
        raise ModelError(
            "a composition of noise and of listed outputs is not read: expected measurements that "
            "all add noise, or none; each is read alone",
            "mechanism",
        )
    local = [form for form in forms if isinstance(form, LocalMechanism)]
    if len(local) == len(forms):
        return local[0].beside(*local[1:])
    return _listed(forms)


def _listed(forms: Sequence[One]) -> Channel | PowerTable | PartialTable:
    tables = [form.channel() if isinstance(form, LocalMechanism) else form for form in forms]
    partial = [table for table in tables if isinstance(table, PartialTable)]
    if len(partial) == len(tables):
        return partial[0].beside(*partial[1:])
    if partial:
        raise ModelError(
            "a composition of numbers with a density, or outputs that are listed in part, and of "
            "listed outputs is not read: expected measurements of one kind; each is read alone",
            "mechanism",
        )
    channels = [table for table in tables if isinstance(table, Channel)]
    if len(channels) == len(tables):
        return channels[0].beside(*channels[1:])
    powers = [
        table if isinstance(table, PowerTable) else PowerTable.of_channel(table)
        for table in tables
        if isinstance(table, PowerTable | Channel)
    ]
    return powers[0].beside(*powers[1:])


def _on_records(law: Kernel | Additive | Drawn, records: Records, query: str | None) -> One:
    if isinstance(law, Drawn):
        if query not in ("sum", "mean"):
            raise ModelError('a number is drawn: expected query="sum" or "mean" of the records', "query")
        numbers = AdditiveNoise.of_records(query, records, Noise.laplace(1)).values
        return law.table({label: value for label, (value,) in numbers.items()})
    if isinstance(law, Additive) and law.threshold is not None and not _takes_list(law):
        raise ModelError("takes a dict of key -> number: expected a dict of database -> dict", "inputs")
    if isinstance(law, Additive) and law.shift and query is not None:
        return _shifted(AdditiveNoise.of_records(query, records, law.noise), law.shift)
    if isinstance(law, Additive) and law.read is None and query is not None:
        return noisy_records(law, RecordQuery(query, law.noise, records))
    if law.taken is not None and (query is not None or law.taken.listed):
        return on_databases(law, _handed(law.taken, records, query), None)
    if isinstance(law, Additive):
        raise ModelError('noise goes on a query of the records: expected query="sum", "mean" or "histogram"', "query")
    return _local(law, records) if query is None else _queried(law, records, query)


def _handed(taken: Taken, records: Records, query: str | None) -> dict[str, object]:
    """Return database -> argument: the list of its records, or a query of them."""
    if query is None:
        read = {value: taken.read(value) for value in records.alphabet}
        values = product(records.alphabet, repeat=records.count)
        return {label: [read[value] for value in database] for label, database in zip(records.labels(), values)}
    if taken.listed != (query == "histogram"):
        other = "leave query out" if taken.listed else 'expected "sum" or "mean"'
        what = "a list of records" if taken.listed else "one number"
        raise ModelError(f"the mechanism takes {what}, found {shown(query)}: {other}", "query")
    numbers = AdditiveNoise.of_records(query, records, Noise.laplace(1)).values
    read_all = {label: [taken.read(entry) for entry in vector] for label, vector in numbers.items()}
    return {label: each if taken.listed else each[0] for label, each in read_all.items()}


def in_order(rows: Mapping[str, SumsByOutput], outputs: Sequence[str] | None = None) -> Channel | PowerTable:
    """Return the table of some rows, its outputs in order if they are numbers."""
    names = outputs or list(dict.fromkeys(name for row in rows.values() for name in row))
    try:
        names = outputs or sorted(names, key=parse_number)
    except ModelError:  # names, in order of first appearance
        return table_of(rows, names)
    return table_of(rows, names)


def _noisy_table(law: Additive, inputs: Mapping[str, object]) -> AdditiveNoise:
    values = {label: _value(law, argument, label) for label, argument in inputs.items()}
    query = _shifted(AdditiveNoise(values, law.noise), law.shift)
    for label, vector in query.values.items():
        for number in vector:
            _expect_within(law, number, number, f'inputs["{label}"]')
    return query


def _shifted(query: AdditiveNoise, shift: Fraction) -> AdditiveNoise:
    if not shift:
        return query
    moved = {label: [each + shift for each in row] for label, row in query.values.items()}
    return AdditiveNoise(moved, query.noise)


def _takes_list(law: Additive) -> bool:
    return law.taken is not None and law.taken.listed


def _tables_of(law: Additive, inputs: Mapping[str, object]) -> Tables:
    counts: dict[str, dict[object, Fraction]] = {}
    for label, argument in inputs.items():
        where = f'inputs["{label}"]'
        numbers = law.value(argument)
        if not isinstance(numbers, Mapping):
            raise ModelError(f"expected a dict of key -> number, found {shown(numbers)}", where)
        counts[label] = {key: finite(f"{where}[{key!r}]", each) for key, each in numbers.items()}
        for number in counts[label].values():
            _expect_within(law, number, number, where)
    assert law.threshold is not None
    return tables_of_keys(counts, law.noise, law.threshold)


def _value(law: Additive, argument: object, label: str) -> object:
    where = f'inputs["{label}"]'
    try:
        value = law.value(argument)
    except ModelError as error:
        raise error.within(where) from None
    if hasattr(value, "tolist"):  # arrays, and numbers of arrays
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(f"{where}[{place}]", each) for place, each in enumerate(value)]
    return finite(where, value)


def noisy_records(law: Additive, noisy: RecordQuery) -> RecordQuery:
    """Return a query of records with this noise. Raises `ModelError` unless its values are within
    the bounds of the noise.
    """
    least, most = Fraction(0), Fraction(noisy.size)
    if noisy.query != "histogram":
        numbers = [noisy.least, max(noisy.least + noisy.grain * each for each in noisy.digits[0])]
        least, most = (noisy.size * number for number in numbers)
    _expect_within(law, least, most, "query")
    return noisy


def _expect_within(law: Additive, least: Fraction, most: Fraction, where: str) -> None:
    if law.within is None:
        return
    low, high = law.within
    if not low <= least <= most <= high:
        found = text_of(least if least < low else most)
        raise ModelError(
            f"clamped noise is read for values within its bounds {text_of(low)} and {text_of(high)}, found {found}",
            where,
        )
    room = min(least - low, high - most)
    if law.noise.sigma2 is not None and room < _FAR_NATS * law.noise.sigma2:
        raise ModelError(
            f"discrete Gaussian noise of sigma^2 {text_of(law.noise.sigma2)} reaches the bounds "
            f"{text_of(low)} and {text_of(high)} of its type, where outputs stay: expected a "
            "smaller sigma, or a wider type",
            where,
        )


def _row(law: Kernel, argument: object, where: str) -> SumsByOutput:
    try:
        return law.row(argument)
    except ModelError as error:
        raise error.within(where) from None


def _queried(law: Kernel, records: Records, query: str) -> One:
    values = AdditiveNoise.of_records(query, records, Noise.laplace(1)).values
    if query == "histogram":
        raise ModelError('expected "sum" or "mean" for a mechanism of one number', "query")
    rows: dict[Fraction, SumsByOutput] = {}
    for label, (value,) in values.items():
        if value not in rows:
            rows[value] = _row(law, value, f'inputs["{label}"]')
    return in_order({label: rows[value] for label, (value,) in values.items()}, law.outputs)


def _local(law: Kernel, records: Records) -> One:
    """Return the mechanism that gets every record alone, local if rational, else listed."""
    read = law.taken.read if law.taken else str
    one = in_order({value: _row(law, read(value), f'record "{value}"') for value in records.alphabet}, law.outputs)
    if isinstance(one, Channel):
        rows = [
            [Fraction(number, one.denominators[row]) for number in one.numerators_of(row)]
            for row in range(len(one.databases))
        ]
        return LocalMechanism(records.alphabet, one.outputs, [rows] * records.count)
    entries = (len(one.databases) * len(one.outputs)) ** min(records.count, 64)
    if entries > _MOST_ENTRIES:
        raise TooLargeError(
            f"probabilities that are not rational are written out for at most {_MOST_ENTRIES} "
            f"databases times outputs, found ({len(one.databases)} * {len(one.outputs)})"
            f'^{records.count}: with exactly={{"epsilon": "log(3)"}}, say, they are rational',
            "inputs",
        )
    between = separator(one.outputs)
    outputs = tuple(between.join(each) for each in product(one.outputs, repeat=records.count))
    databases = list(product(range(len(one.databases)), repeat=records.count))
    table = tuple(
        tuple(prod(factors[1:], start=factors[0]) for factors in product(*(one.entries[x] for x in database)))
        for database in databases
    )
    totals = tuple(prod((one.totals[x] for x in database[1:]), start=one.totals[database[0]]) for database in databases)
    return PowerTable(records.labels(), outputs, table, totals)
