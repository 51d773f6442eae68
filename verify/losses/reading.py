"""Mechanisms with fresh samples, and events of dp_accounting, from their files, with the relation
of neighbours that the framework names.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import records_of
from pufferproof.models.files.mechanisms import given_in, record_query_of
from pufferproof.models.files.programs import Calls, is_callable, named_of
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.files.shapes import FrameworkFile, MechanismFile
from pufferproof.models.mechanisms.sampled import Sample, SampledQuery
from pufferproof.models.priors.definitions.definition import Neighbours
from pufferproof.models.priors.records import Records
from pufferproof.verify.losses.composition import MISSING, is_event


class SampledFiles(NamedTuple):
    """A relation of neighbours, and what runs release."""

    framework: Loaded[Neighbours]
    mechanisms: tuple[Loaded[Any], ...]


def read_sampled(framework: str, mechanisms: Sequence[str], calls: Calls) -> SampledFiles | None:
    """Return what runs with fresh samples release, None if no mechanism draws one.

    Raises `ModelError` unless all do, and the framework names a relation of neighbours.
    """
    try:
        given = [_given(path, calls) for path in mechanisms]
    except ModelError:
        read_loaded(framework, FrameworkFile)  # whose errors are told first
        raise
    if not any(map(_fresh, given)):
        return None
    for each in given:
        if not _fresh(each):
            where = each if isinstance(each, str) else each.path
            raise ModelError("draws no sample, and another mechanism does: compose one kind", where)
    space = read_loaded(framework, FrameworkFile)
    with in_file(framework):
        if space.value.neighbours is None:
            raise ModelError(MISSING, "neighbours")
        if space.value.priors:
            raise ModelError("each database stands for itself here: leave them out", "priors")
        records = None if space.value.records is None else records_of(space.value)
    loaded = tuple(_of(each, records, framework) for each in given)
    return SampledFiles(space.holding(space.value.neighbours.of()), loaded)


def _given(path: str, calls: Calls) -> Any:
    """Return a mechanism file, an event, or the name of another mechanism."""
    if not is_callable(path):
        return given_in(path)
    if not calls.trusted:
        return path  # what reads it says how code is trusted
    with in_file(path):
        found = named_of(path, calls)
    return found if is_event(found.value) else path


def _fresh(given: Any) -> bool:
    if isinstance(given, str):
        return False
    return is_event(given.value) or given.value.sample is not None


def _of(given: Loaded[Any], records: Records | None, framework: str) -> Loaded[Any]:
    """Return a mechanism of records, or an event as it is."""
    if is_event(given.value):
        return given
    shape: MechanismFile = given.value
    if records is None:
        raise ModelError('expected "records", whose values the query adds', framework)
    with in_file(given.path):
        assert shape.sample is not None
        if shape.sample.poisson is None and shape.sample.fixed is None:
            raise ModelError('expected {"poisson": RATE} or {"fixed": SIZE}', "sample")
        sample = Sample(shape.sample.poisson, shape.sample.fixed)
        return given.holding(SampledQuery(record_query_of(shape, records), sample))
