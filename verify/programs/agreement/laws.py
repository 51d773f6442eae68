"""What the outputs of every database should look like by a reading, and how draws are sorted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.library import Bounds, Named
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.programs.agreement.cells import Cells
from pufferproof.verify.programs.agreement.densities import DensityLaw
from pufferproof.verify.programs.agreement.drawing import Draws
from pufferproof.verify.programs.agreement.noise import BITS

Clamped = Sequence[Bounds | None]  # of the queries that are released together
_MOST = 16  # databases that are drawn from
_LISTED = 4096  # databases of records that are listed


@dataclass(frozen=True)
class Coordinate:
    """Noise on a value, clamped at bounds if there are any."""

    noise: Noise
    value: Fraction
    within: Bounds | None = None


@dataclass(frozen=True)
class Case:
    """One database: the argument of the object, and the law of its output: listed cells, noise on
    numbers, or a number with a density.
    """

    label: str
    source: Any
    argument: object
    cells: Cells | None = None
    outputs: Sequence[str] = ()
    coordinates: Sequence[Coordinate] = ()
    drawn: DensityLaw | None = None
    each: bool = field(default=False)  # the object gets the parts of the argument one by one
    named: Named | None = None  # which output a draw is part of
    draws: Draws | None = None  # count -> outputs, where no object of a library draws them


def spread(items: Sequence[Any], key: Callable[[Any], object]) -> list[Any]:
    """Return some items of different keys, the first and the last one among them."""
    distinct = list({key(item): item for item in items}.values())
    if len(distinct) <= _MOST:
        return distinct
    return [distinct[place * (len(distinct) - 1) // (_MOST - 1)] for place in range(_MOST)]


def listed(
    label: str, source: Any, argument: object, form: Any, row: str, each: bool = False, named: Named | None = None
) -> Case:
    """Return the case of a row of a table."""
    if isinstance(form, PartialTable):
        if isinstance(form, NormalTable) and not form.rounded:
            raise ModelError(
                "draws are not compared with a density of Gaussian noise beside an atom: check "
                "noise of the same sigma without a threshold",
                "check",
            )
        staircase = type(source).__name__ == "Staircase"  # of diffprivlib
        law = DensityLaw(form, row, float(source.sensitivity) if staircase else None)
        return Case(label, source, argument, drawn=law, each=each, named=named)
    return Case(label, source, argument, _row(form, row), form.outputs, each=each, named=named)


def of_local(form: LocalMechanism, source: object, handed: Callable[[str], object]) -> list[Case]:
    """Return a case for every value of a record."""
    rows = form.records[0]
    return [
        Case(f"record {value}", source, handed(value), _cells(form.outputs, row), form.outputs)
        for value, row in zip(form.alphabet, rows)
    ]


def coordinates_of(form: object, label: str, records: Records | None, clamped: Clamped) -> tuple[Coordinate, ...]:
    """Return the noise and the value of every coordinate of a noisy query on a database."""
    if isinstance(form, NoisyQueries):
        bounds = clamped or [None] * len(form.queries)
        return tuple(
            coordinate
            for query, within in zip(form.queries, bounds, strict=True)
            for coordinate in coordinates_of(query, label, records, [within])
        )
    within = clamped[0] if clamped else None
    if isinstance(form, AdditiveNoise):
        if label not in form.values:
            raise ModelError(f'the law has no value for "{label}"', "inputs")
        return tuple(Coordinate(form.noise, value, within) for value in form.values[label])
    if isinstance(form, RecordQuery) and records is not None:
        values = values_of(form.query, label, records)
        return tuple(Coordinate(form.noise, value, within) for value in values)
    raise ModelError(
        f"draws are not compared with a {type(form).__name__}: expected noise on a query, or a table of probabilities",
        "mechanism",
    )


def values_of(query: str, label: str, records: Records) -> list[Fraction]:
    """Return a built-in query of a database by its definition."""
    values = split(label, records)
    if query == "histogram":
        return [Fraction(values.count(value)) for value in records.alphabet]
    total = sum((parse_number(value) for value in values), Fraction(0))
    return [total / records.count if query == "mean" else total]


def split(label: str, records: Records) -> list[str]:
    """Return the values of the records of a database."""
    if len(label) == records.count and all(len(value) == 1 for value in records.alphabet):
        return list(label)
    return label.split(",")


def databases_of(records: Records) -> list[str]:
    """Return the databases of records, if these are many only those of one or two values, in
    halves.
    """
    if len(records.alphabet) ** min(records.count, 64) <= _LISTED:
        return list(records.labels())
    between = "" if all(len(value) == 1 for value in records.alphabet) else ","
    half = records.count // 2
    return [
        between.join([one] * half + [other] * (records.count - half))
        for one, other in product(records.alphabet, repeat=2)
    ]


def _row(form: Channel | PowerTable, label: str) -> Cells:
    from flint import ctx

    if isinstance(form, Channel):
        return _cells(form.outputs, [form.probability(label, each) for each in form.outputs])
    place = row_of(form, label)
    with ctx.workprec(BITS):
        whole = form.totals[place].ball()
        chances = [each.ball() / whole if each.terms else ball(0) for each in form.entries[place]]
    return Cells(chances, form.outputs, _numbers(form.outputs))


def _cells(outputs: Sequence[str], chances: Sequence[Fraction]) -> Cells:
    from flint import ctx

    with ctx.workprec(BITS):
        return Cells([ball(each) for each in chances], outputs, _numbers(outputs))


def _numbers(outputs: Sequence[str]) -> list[int | None]:
    return [int(each) if each.lstrip("-").isdecimal() else None for each in outputs]


def kept_within(edges: Sequence[Fraction], within: Bounds | None) -> list[Fraction]:
    """Return the edges that clamped outputs lie on the same side of as the unclamped ones."""
    return [edge for edge in edges if within is None or within[0] < edge <= within[1]]
