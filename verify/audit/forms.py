"""What an audit takes, and the form in which it is audited: a channel, a mechanism given record by
record, or queries with noise.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from pufferproof.models.channel import MAX_ENTRIES, Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.library import LibraryMechanism
from pufferproof.models.noise.additive import AdditiveNoise, LinearQuery
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.models.sequences.redaction import LocalRedaction

Plain = Channel | PowerTable | PartialTable | LocalMechanism | NoisyQueries
Form = Plain | HiddenMarkovMechanism | ParametricMechanism  # of a mechanism that is audited
Mechanism = Form | LocalRedaction | Query
AnyFramework = Framework | Loaded[Framework]
NormalFramework = PointFramework | Loaded[PointFramework]
NormalQuery = LinearQuery | Loaded[LinearQuery]
AnyMechanism = (
    Mechanism
    | Loaded[Channel]
    | Loaded[LocalMechanism]
    | Loaded[HiddenMarkovMechanism | ParametricMechanism]
    | Loaded[AdditiveNoise]
    | Loaded[RecordQuery]
    | LibraryMechanism
    | Program
    | Loaded[Program]
    | Callable[..., Any]
)


def suited(framework: Framework, mechanism: Mechanism | Sequence[Query]) -> Form:
    """Return a mechanism in the form in which it is audited against a framework.

    Raises `ModelError` unless they go together.
    """
    if isinstance(mechanism, Channel):
        return mechanism
    (form,) = written_out(framework, [form_of(mechanism)])
    return form


def form_of(mechanism: Mechanism | Sequence[Query]) -> Form:
    """Return what a mechanism is: a channel, a local mechanism, or queries with noise."""
    if isinstance(mechanism, Channel):
        return mechanism
    if isinstance(mechanism, Query):
        return NoisyQueries((mechanism,))
    if isinstance(mechanism, LocalRedaction):
        return LocalMechanism.redacting(("0", "1"), mechanism.rows)
    return mechanism if isinstance(mechanism, Form) else NoisyQueries(tuple(mechanism))


def plain(form: Form) -> Plain:
    """Return a form with a hidden Markov mechanism written out. Raises `TooLargeError` where it has
    too many words, `ModelError` where it has parameters.
    """
    if isinstance(form, ParametricMechanism):
        raise parametric_alone()
    return _channel(form) if isinstance(form, HiddenMarkovMechanism) else form


def written_out(framework: Framework, forms: Sequence[Form], runs: int = 1) -> list[Form]:
    """Return forms with local mechanisms written out as channels: where all are local and short
    enough, each released `runs` times, where some are not local, and where there are no chains.
    Hidden Markov mechanisms are written out where all can be, or others are beside them.

    Raises `ModelError` unless local mechanisms fit the records.
    """
    if all(isinstance(form, Channel) for form in forms):
        return list(forms)
    forms = _with_words(framework, forms, runs)
    local = {id(form): form for form in forms if isinstance(form, LocalMechanism)}
    for mechanism in local.values():
        if framework.records is None:
            raise ModelError("a mechanism given record by record needs a framework of records", "framework")
        mechanism.fits(framework.records)
    every = [form for form in forms if isinstance(form, LocalMechanism)]
    if len(every) == len(forms) and framework.by_records and not writable(every, runs):
        return list(forms)
    channels = {key: _channel(mechanism) for key, mechanism in local.items()}
    return [channels.get(id(form), form) for form in forms]


def _with_words(framework: Framework, forms: Sequence[Form], runs: int) -> Sequence[Form]:
    """Return forms with hidden Markov mechanisms written out, unless there are only such with too
    many words, alone or together.
    """
    if len(forms) > 1 and any(isinstance(form, ParametricMechanism) for form in forms):
        raise parametric_alone()
    hidden = {id(form): form for form in forms if isinstance(form, HiddenMarkovMechanism)}
    if not hidden:
        return forms
    alone = all(isinstance(form, HiddenMarkovMechanism) for form in forms)
    if alone and not all(form.writable for form in hidden.values()):
        return forms
    channels = {key: _channel(mechanism) for key, mechanism in hidden.items()}
    if alone and len(forms) > 1:
        outputs = prod(len(channels[id(form)].outputs) ** runs for form in forms)
        if outputs * len(framework.databases) > MAX_ENTRIES:
            return forms
    return [channels.get(id(form), form) for form in forms]


def parametric_alone() -> ModelError:
    """Return the error for a mechanism with parameters where one mechanism is needed."""
    return ModelError(
        "has parameters, and is audited alone at a level: expected its values, as at(...) has them", "mechanism"
    )


def _channel(mechanism: LocalMechanism | HiddenMarkovMechanism) -> Channel:
    try:
        return mechanism.channel()
    except ModelError as error:
        raise error.within("mechanism") from None
