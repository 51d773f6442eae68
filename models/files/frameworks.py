"""Frameworks and priors from the files that describe them."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pufferproof.models.errors import ModelError, SumError, within
from pufferproof.models.files.reading import Loaded, in_file, read_loaded, uncollected
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.listing import Pair, Secret, StatedPairs
from pufferproof.models.priors.chains import GapChains, IntervalChain
from pufferproof.models.priors.continuous.normal import NO_DATABASES, Normal, Number, TruncatedGaussian
from pufferproof.models.priors.continuous.points import NO_DATABASES as NOT_LISTED
from pufferproof.models.priors.continuous.points import GaussianFramework, PointFramework
from pufferproof.models.priors.definitions.definition import LeveledPair
from pufferproof.models.priors.laws import Prior, matrix_of
from pufferproof.models.priors.markov import checked_transition
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork, PriorClass
from pufferproof.models.priors.records import Records, several_people
from pufferproof.models.sequences.chain import expect_chains

if TYPE_CHECKING:
    from pufferproof.models.files import shapes as schema

T = TypeVar("T")


def read_framework(path: str | Path, normalize: bool = False) -> Loaded[Framework] | Loaded[PointFramework]:
    """Read a framework from JSON or TOML. Raises `ModelError` naming file, key path, what was
    expected and found.

    With `normalize`, rows of priors that do not sum to 1 are divided by their sums, and the
    framework's `normalized` says so. What is returned has the file's name and hash; its `value` is
    the framework. Either may be passed to `audit` and others. Records may be too many to list, or
    normal without a box: then `audit`, `compose` and what asserts their answers take it.

    >>> from importlib.resources import files
    >>> read_framework(files("pufferproof.examples").joinpath("correlated", "smart-meter", "framework.json")).value
    Framework(16 databases, 2 secrets, 1 pair, 1 prior)
    """

    path = check_type(path, str | Path, "path")
    normalize = check_type(normalize, bool, "normalize")

    def made(shape: "schema.FrameworkFile") -> Framework | PointFramework:
        return points_of(shape) if shape.pointwise else framework_of(shape, normalize)

    return cast("Loaded[Framework] | Loaded[PointFramework]", _read(path, made))


def read_valued(path: str | Path, normalize: bool = False) -> Loaded[Framework]:
    """Read a framework as `read_framework` does. Raises `ModelError` if records are numbers."""
    return _read(path, partial(framework_of, normalize=normalize))


def read_listed(path: str | Path, normalize: bool = False) -> Loaded[Framework]:
    """Read a framework as `read_framework` does. Raises `ModelError` unless its databases are few
    enough to list.
    """
    return _read(path, partial(listed_of, normalize=normalize))


def read_bounded(path: str | Path, normalize: bool = False) -> Loaded[Framework]:
    """Read a framework as `read_listed` does, or one with classes of chains whose databases are few
    enough to list.
    """
    loaded = read_valued(path, normalize)
    with in_file(path):
        _ = loaded.value.of_laws().listed
    return loaded


def _read(path: str | Path, make: "Callable[[schema.FrameworkFile], T]") -> Loaded[T]:
    from pufferproof.models.files.shapes import FrameworkFile

    with in_file(path), uncollected():
        loaded = read_loaded(path, FrameworkFile)
        return loaded.holding(make(loaded.value))


def framework_of(shape: "schema.FrameworkFile", normalize: bool = False) -> Framework:
    """Return the framework that a file describes."""
    priors = {name: class_of(name, prior, normalize) for name, prior in shape.priors.items()}
    space = shape.databases or [] if shape.records is None else records_of(shape, True)
    if shape.neighbours is not None:
        relation = shape.neighbours.of()
        return Framework(space, priors=priors or None, closure=shape.closure, neighbours=relation)
    pairs: StatedPairs | list[LeveledPair] = pairs_of(shape) if shape.metric is None else shape.metric.pairs()
    return Framework(space, secrets_of(shape), pairs, priors, shape.closure)


def listed_of(shape: "schema.FrameworkFile", normalize: bool = False) -> Framework:
    """Return the framework that a file describes. Raises `ModelError` unless its databases are few
    enough to list.
    """
    framework = framework_of(shape, normalize)
    _ = framework.plain.listed
    return framework


def sequences_of(shape: "schema.FrameworkFile", normalize: bool = False) -> Framework:
    """Return the framework that a file describes. Raises `ModelError` unless it goes along records:
    `Framework.chains`.
    """
    if shape.records is not None:
        priors = {name: prior_of(name, prior, normalize) for name, prior in shape.priors.items()}
        expect_chains(records_of(shape), secrets_of(shape), priors, shape.closure)
    framework = framework_of(shape, normalize)
    _ = framework.plain.chains
    return framework


def records_of(shape: "schema.FrameworkFile", several: bool = False) -> Records:
    """Return the records that databases are made of. Raises `ModelError` where they are numbers,
    and unless `several` if there are several people.
    """
    if shape.people > 1 and not several:
        raise several_people(shape.people)
    records = shape.records
    if records is None or "alphabet" not in records.model_fields_set:
        raise ModelError(NOT_LISTED if shape.pointwise else NO_DATABASES, "records")
    return records.records(shape.people)


def secrets_of(shape: "schema.FrameworkFile") -> dict[str, Secret]:
    """Return the secrets: the value of a record, or a list of databases. Raises `ModelError` at
    windows of numbers.
    """
    from pufferproof.models.files.shapes import PointSecret, WindowSecret

    secrets: dict[str, Secret] = {}
    for name, secret in shape.secrets.items():
        if isinstance(secret, WindowSecret | PointSecret):
            raise ModelError(NO_DATABASES if isinstance(secret, WindowSecret) else NOT_LISTED, f"secrets.{name}")
        secrets[name] = secret if isinstance(secret, list) else (secret.number, secret.value)
    return secrets


def pairs_of(shape: "schema.FrameworkFile") -> StatedPairs:
    """Return the pairs as they are written."""
    if isinstance(shape.pairs, str):
        return shape.pairs
    return [cast("Pair", tuple(pair)) for pair in shape.pairs]


def prior_of(name: str, shape: "schema.PriorShape", normalize: bool = False) -> Prior:
    """Return a prior. Its rows are divided by their sums where the file asks for it; with
    `normalize`, if they need it.
    """
    with within(f"priors.{name}"):
        return _divided_as_asked(shape.prior, shape.normalize, normalize)


def class_of(name: str, shape: Any, normalize: bool = False) -> Prior | PriorClass:
    """Return a prior, or a class of chains or networks, rows divided by sums as in `prior_of`.

    Bounds of transitions are no rows, and are never divided. Raises `ModelError` unless what is
    described is well formed.
    """
    network = getattr(shape, "bayes_net", None)
    if network is not None and network.bounded:
        return _network_class(name, shape)
    contacts = getattr(shape, "contacts", None)
    with within(f"priors.{name}"):
        if contacts is not None and contacts.bounded:
            if shape.normalize:
                raise ModelError("nothing to divide: contacts have no rows", "normalize")
            described: Contacts = contacts.contacts()
            return described.own() if contacts.kind == "own" else described
        if not hasattr(shape, "markov") or shape.markov.one_chain:
            make: Callable[[bool], Prior] = shape.prior
            return _divided_as_asked(make, shape.normalize, normalize)
        if shape.normalize and shape.markov.transition is None and isinstance(shape.markov.initial, str):
            raise ModelError("nothing to divide: bounds of transitions do not sum to 1", "normalize")
        return _divided_as_asked(partial(_class, shape.markov), shape.normalize, normalize)


def _divided_as_asked(make: Callable[[bool], T], always: bool, if_needed: bool) -> T:
    """Return what is made with or without dividing rows by sums, as asked or needed."""
    if always or not if_needed:
        return make(always)
    divided = make(True)
    try:
        whole = make(False)
    except SumError:
        return divided
    return whole if whole == divided else divided


def _class(chains: "schema.MarkovShape", normalize: bool) -> PriorClass:
    if chains.pi_min is not None and chains.eigengap is not None:
        values = len(chains.space[1])
        if values > 2 and not chains.reversible:
            raise ModelError(
                'expected "reversible": true, as an eigengap says little of other chains of three values or more',
                "markov.reversible",
            )
        return GapChains(values, chains.pi_min, chains.eigengap)
    if chains.kind != "homogeneous":
        return _changing(chains)
    if chains.transition is None:
        lower, upper = chains.transition_lower or [], chains.transition_upper or []
        return IntervalChain(chains.initial, lower, upper, normalize)
    transition = checked_transition(matrix_of(chains.transition, "transition", normalize))
    return IntervalChain(chains.initial, transition, transition, normalize)


def _changing(chains: "schema.MarkovShape") -> IntervalNetwork:
    """Return the chains whose rows lie in a box at every step on their own, as networks."""
    count, values = chains.space
    box = IntervalChain(chains.initial, chains.transition_lower or [], chains.transition_upper or [])
    box.expect(Records(count, values))
    start: Any = (box.initial, box.initial)
    if isinstance(box.initial, str):
        start = ([0] * len(values), [1] * len(values))
    lower, upper = (
        {1: {"": first}} | {t: dict(zip(values, rows)) for t in range(2, count + 1)}
        for first, rows in zip(start, (box.lower, box.upper))
    )
    parents = {t: [t - 1] if t > 1 else [] for t in range(1, count + 1)}
    return IntervalNetwork(parents, lower, upper, chains.kind == "history")


def _network_class(name: str, shape: "schema.BayesNetPrior") -> IntervalNetwork:
    with within(f"priors.{name}"):
        if shape.normalize:
            raise ModelError("nothing to divide: bounds are no rows that sum to 1", "normalize")
        net = shape.bayes_net
        return IntervalNetwork(net.parents or {}, net.cpt_lower or {}, net.cpt_upper or {})


def read_gaussian(path: str | Path) -> Loaded[GaussianFramework]:
    """Read a framework of truncated Gaussian priors. Raises `ModelError` as `read_framework` does,
    and unless priors are Gaussian.
    """
    from pufferproof.models.files.shapes import FrameworkFile

    loaded = read_loaded(path, FrameworkFile)
    with in_file(path):
        return loaded.holding(gaussian_of(loaded.value))


def gaussian_of(shape: "schema.FrameworkFile") -> GaussianFramework:
    """Return the framework that a file describes."""
    from pufferproof.models.files.shapes import GaussianPrior, WindowSecret

    if shape.pointwise:
        raise ModelError(
            'influence needs a "box": without one, what correlated records show changes the '
            "odds without bound; translate says what noise on them leaks, as audit, compose, "
            "calibrate and release do of linear queries",
            "priors",
        )
    if not shape.gaussian or shape.records is None:
        raise ModelError('expected "gaussian" priors', "priors")
    secrets: Mapping[str, tuple[int, Number, Number]] = {
        name: (secret.number, secret.between[0], secret.between[1])
        for name, secret in shape.secrets.items()
        if isinstance(secret, WindowSecret)
    }
    priors = {}
    for name, prior in shape.priors.items():
        if isinstance(prior, GaussianPrior):
            with within(f"priors.{name}"):
                if prior.normalize:
                    raise ModelError("nothing to divide: a density has no rows that sum to 1", "normalize")
                law, make = prior.gaussian, partial(TruncatedGaussian, prior.gaussian.box or ())
                if law.kernel is None or law.kernel.squared_exponential is None:
                    priors[name] = make(covariance=law.covariance)
                else:
                    priors[name] = make(length=law.kernel.squared_exponential.length)
    return GaussianFramework(shape.records.count, secrets, pairs_of(shape), priors, shape.closure)


def points_of(shape: "schema.FrameworkFile") -> PointFramework:
    """Return the framework of normal priors that are not truncated which a file describes."""
    from pufferproof.models.files.shapes import GaussianPrior, PointSecret, WindowSecret

    if not shape.pointwise or shape.records is None:
        raise ModelError('expected "gaussian" priors without "box"', "priors")
    secrets: dict[str, tuple[int, Number] | tuple[int, Number, Number]] = {}
    for name, secret in shape.secrets.items():
        if isinstance(secret, PointSecret):
            secrets[name] = secret.number, secret.at
        elif isinstance(secret, WindowSecret):
            secrets[name] = secret.number, secret.between[0], secret.between[1]
    priors = {
        name: _normal(name, prior, shape.records.count)
        for name, prior in shape.priors.items()
        if isinstance(prior, GaussianPrior)
    }
    count, names = shape.records.count, shape.records.names
    called = None if names is None else tuple(names)
    return PointFramework(count, secrets, pairs_of(shape), priors, shape.closure, called)


def _normal(name: str, shape: "schema.GaussianPrior", count: int) -> Normal:
    with within(f"priors.{name}"):
        if shape.normalize:
            raise ModelError("nothing to divide: a density has no rows that sum to 1", "normalize")
        law = shape.gaussian
        if law.network is not None:
            return law.joint()
        mean = 0 if law.mean is None else law.mean
        if law.kernel is not None:
            from pufferproof.models.priors.continuous.network import normal_of_kernel

            with within("gaussian.kernel"):
                if law.kernel.exponential is not None:
                    return normal_of_kernel("exponential", law.kernel.exponential.length, count, mean)
                length = law.kernel.squared_exponential.length if law.kernel.squared_exponential else 1
                return normal_of_kernel("squared_exponential", length, count, mean)
        if law.ar1 is None:
            return Normal(mean, law.covariance)
        return Normal(mean, coefficient=law.ar1.coefficient, variance=law.ar1.variance)
