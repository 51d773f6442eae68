"""One question from its files: a framework, and mechanisms for it.

Every file is read once, and the field that a mechanism has says what it is. Channels, and what is
given record by record (`local`, `redaction`) and short enough to write out, go with a list of the
databases: `Listed`. What is given record by record and longer goes with sequences that are never
listed: `Sequences`. A `query` with `noise` goes with sequences where it is a built-in query of
records, secrets speak of single records and priors are Markov chains, products or hidden Markov
models, and with a list else: `NoisyReleases`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any, cast

from pufferproof.models.channel import MAX_ENTRIES
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import framework_of, listed_of, records_of, sequences_of
from pufferproof.models.files.mechanisms import (
    WEIGHTS_OF_NUMBERS,
    channel_from,
    given_in,
    hidden_from,
    is_shaped,
    local_of,
    noisy_from,
)
from pufferproof.models.files.programs import UNTRUSTED, Calls, LibraryFile, expect_used, is_callable, read_object
from pufferproof.models.files.reading import Loaded, hashes, in_file, read_loaded
from pufferproof.models.files.shapes import MECHANISM_FORMS, FrameworkFile, MechanismFile, WeightsShape
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.models.priors.records import MAX_DATABASES, MAX_RECORDS, Records
from pufferproof.models.sequences.chain import expect_markov
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.sequences.parametric import ParametricMechanism

Described = Loaded[FrameworkFile]
Given = Loaded[MechanismFile] | str
Noisy = Loaded[AdditiveNoise] | Loaded[RecordQuery]
Alone = Callable[[str, Records], Loaded[LocalMechanism]]


@dataclass(frozen=True)
class Question:
    """A framework, mechanisms for it, and the files that they come from."""

    framework: Loaded[object]
    mechanisms: tuple[Loaded[Any], ...]

    @property
    def inputs(self) -> JsonObject:
        """The hashes of the files, as answers about several mechanisms state them."""
        return hashes(framework=self.framework, mechanisms=self.mechanisms)


@dataclass(frozen=True)
class Listed(Question):
    """A framework and mechanisms, with databases and outputs listed; programs before their laws are
    known.

    `local` are the same mechanisms before they were written out, where all are given record by
    record.
    """

    framework: Loaded[Framework]
    mechanisms: tuple[Loaded[Any], ...]
    local: tuple[Loaded[LocalMechanism], ...] = ()


@dataclass(frozen=True)
class Sequences(Question):
    """A framework on sequences and mechanisms for it, none of which is listed."""

    framework: Loaded[Framework]
    mechanisms: tuple[Loaded[LocalMechanism], ...]


@dataclass(frozen=True)
class Words(Question):
    """A listed framework, and hidden Markov mechanisms with too many words to list, or with
    parameters.
    """

    framework: Loaded[Framework]
    mechanisms: tuple[Loaded[HiddenMarkovMechanism | ParametricMechanism], ...]


@dataclass(frozen=True)
class NoisyReleases(Question):
    """A framework and queries with noise on them: tables for a listed framework, built-in
    queries for sequences.
    """

    framework: Loaded[Framework]
    mechanisms: tuple[Noisy, ...]


def read(
    framework: str | Path | Described,
    mechanisms: Sequence[str | Path],
    normalize: bool = False,
    databases: str | Path | None = None,
    calls: Calls = UNTRUSTED,
    runs: int = 1,
    length: int | None = None,
    alone: Alone | None = None,
) -> Listed | Sequences | Words | NoisyReleases:
    """Read a framework, or take one whose file was read, and mechanisms.

    `normalize` divides every row by its sum, those of priors where they need it. `databases` labels
    the rows of `.npy` matrices, `calls` say whether code may run, and `runs` is how often every
    mechanism is released: it counts where joint releases are written out. `length` is that of the
    words of hidden Markov mechanisms, instead of their own. `alone` finds the law of code that
    takes records one by one.

    Raises `ModelError` as `read_framework` and `read_mechanism` do, and unless all mechanisms are
    queries with noise, or none is.
    """
    expect_used(calls, list(map(str, mechanisms)))
    described = framework
    if not isinstance(described, Loaded):
        described = read_loaded(described, FrameworkFile)
    given = [given_in(path) for path in mechanisms]
    hidden = _hidden(given, normalize, length)
    if hidden:
        return _words(described, hidden, normalize, runs)
    noisy = _noisy(mechanisms, given)
    if noisy:
        return _noisy_releases(described, noisy, normalize)
    objects = _objects(described, given, normalize, calls)
    if objects and all(isinstance(each.value, Query | NoisyQueries) for each in objects):
        return _noisy_objects(described, objects, normalize)
    local, classes = _local(described, given, normalize, alone), _has_classes(described.value)
    if objects and all(isinstance(each.value, LocalMechanism) for each in objects):
        local = tuple(objects)
    if local and (classes or not writable([each.value for each in local], runs)):
        return _sequences(described, local, normalize)
    with in_file(described.path):
        stated = framework_of(described.value, normalize)
        space = stated.plain.of_members() if classes else stated.plain
        _ = space.listed
    matrices = [each for each in given if isinstance(each, str) and each.endswith(".npy")]

    def listed(place: int, each: Given) -> Loaded[object]:
        if local and isinstance(each, str):
            written: Loaded[Any] = local[place]
            return replace(written, value=written.value.channel())
        labels = databases if each in matrices or not matrices else None
        return channel_from(each, space, normalize, labels, calls)

    channels = tuple(listed(place, each) for place, each in enumerate(given))
    return Listed(described.holding(stated), channels, local)


def _objects(described: Described, given: Sequence[Given], normalize: bool, calls: Calls) -> list[LibraryFile]:
    """Return mechanisms that are objects of other libraries, where all are; else none."""
    objects = []
    for each in given:
        if not isinstance(each, str) or not is_callable(each) or not calls.trusted:
            return []
        with in_file(described.path):
            shape = described.value
            space = list(shape.databases or []) if shape.records is None else records_of(shape)
        read = read_object(each, space, calls, normalize)
        if read is None:
            return []
        objects.append(read)
    return objects


def _noisy_objects(described: Described, objects: Sequence[LibraryFile], normalize: bool) -> NoisyReleases:
    """Return queries with noise of libraries, on sequences unless something needs a list."""
    tables = [each.path for each in objects if not isinstance(each.value, RecordQuery)]
    listing = _listing(described.value, [])
    if listing is None and tables:
        listing = f"the query of {tables[0]}, a table,"
    return NoisyReleases(_framework_of_noise(described, listing, normalize), tuple(objects))


def read_noisy(framework: str | Path, mechanism: str | Path, normalize: bool = False) -> NoisyReleases | None:
    """Read a framework and a query with noise, or None if the mechanism is another one."""
    noisy = _noisy([mechanism], [given_in(mechanism)])
    return _noisy_releases(read_loaded(framework, FrameworkFile), noisy, normalize) if noisy else None


def _has_classes(shape: FrameworkFile) -> bool:
    """Whether some prior is a class of chains, which has no law."""
    return any(hasattr(prior, "markov") and not prior.markov.one_chain for prior in shape.priors.values())


def _hidden(
    given: Sequence[Given], normalize: bool, length: int | None
) -> list[Loaded[HiddenMarkovMechanism | ParametricMechanism]]:
    """Return mechanisms that are hidden Markov models, where all are; else none.

    Raises `ModelError` where a length is given for another mechanism.
    """
    hidden = [
        hidden_from(each, normalize, length)
        for each in given
        if not isinstance(each, str) and _form(each) == "hidden_markov"
    ]
    if len(hidden) == len(given):
        return hidden
    if length is not None:
        raise ModelError('needs "hidden_markov" mechanisms, found others', "--length")
    return []


def _words(
    described: Described,
    hidden: Sequence[Loaded[HiddenMarkovMechanism | ParametricMechanism]],
    normalize: bool,
    runs: int,
) -> Listed | Words:
    """Return hidden Markov mechanisms of a listed framework, written out if short enough."""
    with in_file(described.path):
        space = described.holding(listed_of(described.value, normalize))
    channels = []
    for each in hidden:
        if isinstance(each.value, ParametricMechanism) or not each.value.writable:
            return Words(space, tuple(hidden))
        with in_file(each.path):
            channels.append(each.holding(each.value.channel()))
            listed = space.value.plain
            channels[-1].value.aligned(listed.databases, listed.support)
    outputs = prod(len(channel.value.outputs) ** runs for channel in channels)
    if len(hidden) > 1 and outputs * len(space.value.plain.databases) > MAX_ENTRIES:
        return Words(space, tuple(hidden))
    return Listed(space, tuple(channels))


def _form(given: Given) -> str:
    """Return the field that says what a mechanism is."""
    if isinstance(given, str):
        return "channel"
    return next(form for form in MECHANISM_FORMS if getattr(given.value, form) is not None)


def _noisy(paths: Sequence[str | Path], given: Sequence[Given]) -> list[Loaded[MechanismFile]]:
    """Return the queries with noise; raise `ModelError` if only some mechanisms are."""
    noisy = [each for each in given if not isinstance(each, str) and _form(each) == "query"]
    noisy = [each for each in noisy if not is_shaped(each.value)]
    for path, each in zip(paths, given):
        if noisy and each not in noisy:
            raise ModelError(
                f"has no noise, and {noisy[0].path} has: expected all mechanisms of one kind, with a query or without",
                str(path),
            )
    return noisy


def _local(
    described: Described, given: Sequence[Given], normalize: bool, alone: Alone | None = None
) -> tuple[Loaded[LocalMechanism], ...]:
    """Return mechanisms given record by record, where all are; else none."""
    if described.value.records is None:
        return ()
    for each in given:
        code = isinstance(each, str) and alone is not None and is_callable(each)
        if not code and (isinstance(each, str) or _form(each) not in ("local", "redaction", "show")):
            return ()
    relation = described.value.neighbours
    if given and relation is not None and relation.relation == "add-remove":
        raise ModelError(
            "releases one output per record, and databases have different numbers of records: "
            'expected neighbours that "substitute", or a mechanism of whole databases '
            "(a program: --records list or array)",
            str(getattr(given[0], "path", given[0])),
        )
    with in_file(described.path):
        records = records_of(described.value)
    mechanisms = []
    for each in given:
        if isinstance(each, str):
            assert alone is not None
            mechanisms.append(alone(each, records))
            continue
        with in_file(each.path):
            mechanisms.append(each.holding(local_of(each.value, records, normalize)))
    return tuple(mechanisms)


def _sequences(described: Described, local: tuple[Loaded[LocalMechanism], ...], normalize: bool) -> Sequences:
    """Return mechanisms given record by record with chains that go along the records."""
    with in_file(described.path):
        if _has_classes(described.value):
            return Sequences(described.holding(framework_of(described.value, normalize)), local)
        if any(hasattr(prior, "bayes_net") for prior in described.value.priors.values()):
            framework = framework_of(described.value, normalize)
            if framework.by_records:
                return Sequences(described.holding(framework), local)
        framework = sequences_of(described.value, normalize)
        expect_markov(framework.plain.chains)
    return Sequences(described.holding(framework), local)


def _listing(shape: FrameworkFile, noisy: Sequence[Loaded[MechanismFile]]) -> str | None:
    """Return what needs a list of the databases, or None if nothing does or there is none."""
    if shape.records is None:
        return "the framework"
    if shape.neighbours is not None:
        return None  # listed where they are few, and told by what changes else
    if shape.gaussian:
        return None
    for each in noisy:
        if isinstance(each.value.query, WeightsShape):
            raise ModelError(WEIGHTS_OF_NUMBERS, f"{each.path}: query.weights")
        if not each.value.builtin:
            return f"the query of {each.path}, a table,"
    for name, secret in shape.secrets.items():
        if isinstance(secret, list):
            return f'the secret "{name}"'
    for name, prior in shape.priors.items():
        if not prior.by_records:
            return f'the "{prior.form()}" prior "{name}"'
    return None


def _noisy_releases(described: Described, noisy: Sequence[Loaded[MechanismFile]], normalize: bool) -> NoisyReleases:
    """Return queries with noise, on sequences unless something needs a list of databases."""
    framework = _framework_of_noise(described, _listing(described.value, noisy), normalize)
    space = framework.value
    chains = space.plain.of_members() if space.classes else space.plain
    return NoisyReleases(framework, tuple(cast(Noisy, noisy_from(each, chains)) for each in noisy))


def _framework_of_noise(described: Described, listing: str | None, normalize: bool) -> Loaded[Framework]:
    """Read the framework. Raises `ModelError` unless priors are a list, and databases few enough to list where
    something needs that.
    """
    shape = described.value
    with in_file(described.path):
        if shape.closure != "list" and shape.records and not records_of(shape).enumerable:
            raise ModelError(
                f'noise is audited against a list of priors: expected closure "list", found "{shape.closure}"',
                "closure",
            )
        if shape.records is not None and listing is not None and not (records := records_of(shape)).enumerable:
            size = f"{len(records.alphabet)}^{shown(records.count)} databases"
            most = f"{MAX_DATABASES} of at most {MAX_RECORDS} records"
            raise ModelError(f"{size}, which {listing} needs listed: expected at most {most}", "records")
        make = framework_of if listing is None or _has_classes(shape) else listed_of
        return described.holding(make(shape, normalize))
