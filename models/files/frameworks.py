"""Frameworks and priors from the files that describe them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.signatures import checked
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.bif import read_bif
from pufferproof.models.priors.box import IntervalChain
from pufferproof.models.priors.laws import MarkovChain, Prior, Product, Records, Table, matrix_of
from pufferproof.models.priors.structure import checked_transition
from pufferproof.models.sequences.framework import SequenceFramework
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

if TYPE_CHECKING:
    from pufferproof.models.files import shapes as schema

T = TypeVar("T")


@checked
def read_framework(path: str | Path, normalize: bool = False) -> Loaded[Framework]:
    """Read a framework from JSON or TOML. Raises `ModelError` naming file, key path, what was
    expected and found.

    With `normalize`, rows of priors that do not sum to 1 are divided by their sums, and the
    framework's `normalized` says so. What is returned has the file's name and hash; its `value` is
    the framework. Either may be passed to `audit` and others.

    >>> from importlib.resources import files
    >>> read_framework(files("pufferproof.examples").joinpath("correlated", "smart-meter", "framework.json")).value
    Framework(16 databases, 2 secrets, 1 pair, 1 prior)
    """
    from pufferproof.models.files.shapes import FrameworkFile

    loaded = read_loaded(path, FrameworkFile)
    with in_file(path):
        return loaded.holding(framework_of(loaded.value, normalize))


def framework_of(shape: "schema.FrameworkFile", normalize: bool = False) -> Framework:
    priors = {name: prior_of(name, prior, normalize) for name, prior in shape.priors.items()}
    pairs: Any = (
        shape.pairs
        if isinstance(shape.pairs, str)
        else [(left, right) for left, right in shape.pairs]
    )
    if shape.records is not None:
        records = Records(shape.records.count, tuple(shape.records.alphabet))
        secrets = {
            name: held if isinstance(held, list) else (held.record, held.value)
            for name, held in shape.secrets.items()
        }
        return Framework.of_records(records, secrets, pairs, priors, shape.closure)
    held_by = {}
    for name, held in shape.secrets.items():
        if not isinstance(held, list):
            raise ModelError(
                'a secret of a record needs "records" in place of "databases"', f"secrets.{name}"
            )
        held_by[name] = held
    return Framework(shape.databases or [], held_by, pairs, priors, shape.closure)


def sequences_of(
    shape: "schema.FrameworkFile", records: Records, normalize: bool = False
) -> SequenceFramework:
    """Return the framework that a file describes, not listed. Raises `ModelError` as
    `read_sequences` does.
    """
    if shape.closure != "list":
        raise ModelError(
            'mixtures of priors need databases and outputs that can be listed: expected "list", or '
            "fewer records",
            "closure",
        )
    priors = {name: prior_of(name, prior, normalize) for name, prior in shape.priors.items()}
    pairs: Any = (
        shape.pairs
        if isinstance(shape.pairs, str)
        else [(left, right) for left, right in shape.pairs]
    )
    secrets = {
        name: held if isinstance(held, list) else (held.record, held.value)
        for name, held in shape.secrets.items()
    }
    return SequenceFramework(records, secrets, pairs, priors)


def prior_of(name: str, shape: Any, normalize: bool = False) -> Prior:
    """Return a prior. Its rows are divided by their sums where the file asks for it; with
    `normalize`, if they need it.
    """
    try:
        return _divided_as_asked(partial(_prior, shape), shape.normalize, normalize)
    except ModelError as error:
        raise error.within(f"priors.{name}") from None


def class_of(name: str, shape: Any, normalize: bool = False) -> Prior | IntervalChain:
    """Return a prior, or a class of Markov chains, rows divided by their sums as `prior_of` does.

    Bounds of transitions are no rows, and are never divided. Raises `ModelError` unless what is
    described is well formed.
    """
    if not hasattr(shape, "markov") or shape.markov.one_chain:
        return prior_of(name, shape, normalize)
    try:
        if (
            shape.normalize
            and shape.markov.transition is None
            and isinstance(shape.markov.initial, str)
        ):
            raise ModelError(
                "nothing to divide: bounds of transitions are no rows that sum to 1", "normalize"
            )
        return _divided_as_asked(partial(_class, shape.markov), shape.normalize, normalize)
    except ModelError as error:
        raise error.within(f"priors.{name}") from None


def _divided_as_asked(make: Callable[[bool], T], always: bool, if_needed: bool) -> T:
    """Return what is made with or without dividing rows by their sums; `if_needed`, without
    where both are equal.
    """
    if always or not if_needed:
        return make(always)
    divided = make(True)
    try:
        whole = make(False)
    except SumError:
        return divided
    return whole if whole == divided else divided


def _prior(shape: Any, normalize: bool) -> Prior:
    if hasattr(shape, "table"):
        return Table(shape.table, normalize)
    if hasattr(shape, "product"):
        return Product(shape.product, normalize)
    if hasattr(shape, "bayes_net"):
        return _network_of(shape.bayes_net, normalize)
    if hasattr(shape, "hidden_markov"):
        model = shape.hidden_markov
        return HiddenMarkovModel(model.initial, model.transition, model.emission, normalize)
    if not shape.markov.one_chain:
        what = (
            "a box of priors"
            if shape.markov.transition is None
            else 'the class of all initial laws ("any")'
        )
        raise ModelError(f"not supported: {what} is only for influence and calibrate")
    return MarkovChain(shape.markov.initial, shape.markov.transition, normalize)


def _network_of(shape: "schema.BayesNetShape", normalize: bool) -> Prior:
    if shape.bif is None:
        return BayesianNetwork(shape.parents or {}, shape.cpt or {}, normalize)
    with in_file(shape.bif):
        try:
            network = read_bif(shape.content.decode("utf-8-sig"))
            return network.divided() if normalize else network
        except UnicodeDecodeError as error:
            raise ModelError(
                f"expected UTF-8 text: {error.reason} at position {error.start}"
            ) from None


def _class(chains: "schema.MarkovShape", normalize: bool) -> IntervalChain:
    if chains.transition is None:
        lower, upper = chains.transition_lower or [], chains.transition_upper or []
        return IntervalChain(chains.initial, lower, upper, normalize)
    transition = checked_transition(matrix_of(chains.transition, "transition", normalize))
    return IntervalChain(chains.initial, transition, transition, normalize)
