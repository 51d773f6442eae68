"""What `calibrate --delta` and `--renyi` answer: the sigma of Gaussian noise that keeps (epsilon,
delta), or a Renyi divergence, smallest and by rules that look at less; with what each really has.
Of Laplace noise the smallest scale.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, rounded, text_of
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.correlation.calibrate import task as answer
from pufferproof.reports.correlation.calibrate.baselines import expect_positive
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify.decision import united
from pufferproof.verify.noise.integrals.delta.smallest import delta_claims, largest_delta
from pufferproof.verify.noise.integrals.renyi.largest import largest_renyi
from pufferproof.verify.noise.laws.of_framework import QueryLaws
from pufferproof.verify.noise.scale import smallest
from pufferproof.verify.noise.scale.calibration import Progress
from pufferproof.verify.noise.scale.smallest import (
    Approximate,
    NoisePromise,
    ScaleQuestion,
    line_pairs,
    sigma_of_shift,
    smallest_of,
    smallest_sigma,
    wasserstein_shift,
)
from pufferproof.verify.noise.scale.smallest import Kind as NoiseKind


@dataclass(frozen=True)
class ByDelta:
    """(epsilon, delta)."""

    level: Level
    delta: Fraction

    @property
    def promise(self) -> NoisePromise:
        """What is to be kept."""
        return Approximate(self.level, self.delta)

    @property
    def question(self) -> ScaleQuestion:
        """The same of any numbers."""
        return smallest.OfDelta(Approximate(self.level, self.delta))

    @property
    def name(self) -> str:
        """What is measured."""
        return f"delta at level {level_nats(self.level)}, of {text_of(self.delta)} asked for"

    def measured(self, laws: QueryLaws) -> Enclosure:
        """Return the delta of the noise of the laws."""
        return enclose(*largest_delta(laws, self.level).bounds())

    def as_json(self) -> dict[str, str]:
        """Return what is asked for."""
        return {"delta": text_of(self.delta)}


@dataclass(frozen=True)
class ByOrder:
    """(alpha, epsilon)-Renyi Pufferfish privacy."""

    level: Level
    order: Fraction

    @property
    def promise(self) -> NoisePromise:
        """What is to be kept."""
        return smallest.Divergence(self.level, self.order)

    @property
    def question(self) -> ScaleQuestion:
        """The same of any numbers."""
        return smallest.OfOrder(smallest.Divergence(self.level, self.order))

    @property
    def name(self) -> str:
        """What is measured."""
        level = level_nats(self.level)
        return f"divergence of order {text_of(self.order)} (nats), of a level of {level}"

    def measured(self, laws: QueryLaws) -> Enclosure:
        """Return the divergence of the noise of the laws."""
        return largest_renyi(laws, self.order).enclosure()

    def as_json(self) -> dict[str, str]:
        """Return what is asked for."""
        return {"renyi": text_of(self.order)}


Kind = ByDelta | ByOrder
"""A kind of privacy for which sigma is calibrated."""


@dataclass(frozen=True)
class Sigma(Plain):
    """The sigma by one rule and what noise of it really has; or why there is none."""

    rule: str
    sigma: Enclosure | None
    measured: Enclosure | None = None
    where: JsonObject | None = None
    reason: str | None = None
    claims: tuple[str, ...] = ()
    _json = ("rule", "sigma", "measured", "where", "reason")


class FoundSigma(NamedTuple):
    """Bounds of a sigma, what decides it, and the claims that it rests on."""

    lower: Fraction
    upper: Fraction
    where: JsonObject
    claims: tuple[str, ...]


def calibrated(task: Task, kind: Kind, progress: Progress | None = None, noise: NoiseKind = "gaussian") -> list[Sigma]:
    """Return the sigma by every rule, the smallest first; of Laplace noise the smallest scale."""
    if noise == "laplace":
        return [_row(task, kind, "exact", lambda: _exact(task, kind, progress, noise), noise)]
    rules: dict[str, Callable[[], FoundSigma]] = {
        "exact": lambda: _exact(task, kind, progress, noise),
        "transport": lambda: _transport(task, kind, progress),
        "wasserstein": lambda: _wasserstein(task, kind),
        "markov-quilt": lambda: _quilt(task, kind),
    }
    if not isinstance(kind, ByOrder):
        del rules["transport"]
    return [_row(task, kind, rule, found) for rule, found in rules.items()]


def _row(task: Task, kind: Kind, rule: str, found: Callable[[], FoundSigma], noise: NoiseKind = "gaussian") -> Sigma:
    try:
        lower, upper, where, claims = found()
    except (ModelError, SolverError) as error:
        return Sigma(rule, None, reason=error.what)
    sigma = enclose(lower, upper)
    try:
        measured = None
        if upper:
            laws = _laws(task)
            measured = kind.measured(replace(laws, noises=(Noise(noise, sigma.upper),) * len(laws.noises)))
    except ModelError as error:
        return Sigma(rule, sigma, None, where, error.what, claims)
    claims = united(claims, () if measured is None else _measure_rests_on(task, kind, noise))
    return Sigma(rule, sigma, measured, where, claims=claims)


def _measure_rests_on(task: Task, kind: Kind, noise: NoiseKind) -> tuple[str, ...]:
    """Return the claims that the number measured rests on."""
    noises = [Noise(noise, 1)] * len(task.laws.noises)
    return united(task.laws.claims, delta_claims(noises) if isinstance(kind, ByDelta) else ())


def _laws(task: Task) -> QueryLaws:
    """Return the laws of the query. Raises `ModelError` if they take too long."""
    if (reason := task.too_long()) is not None:
        raise ModelError(reason)
    return task.laws


def _exact(task: Task, kind: Kind, progress: Progress | None, noise: NoiseKind) -> FoundSigma:
    laws, steps = _laws(task), count(1)

    def say(width: float) -> None:
        if progress is not None:
            progress(next(steps), width)

    sigma = smallest_of(laws, noise, kind.question, say)
    where = {} if sigma.pair is None else {"prior": sigma.prior, "pair": list(sigma.pair)}
    claims = united(smallest.RESTS_ON, _measure_rests_on(task, kind, noise))
    return FoundSigma(sigma.lower, sigma.upper, where, claims)


def _transport(task: Task, kind: Kind, progress: Progress | None) -> FoundSigma:
    if not isinstance(kind, ByOrder):
        raise TypeError("expected an order")
    promise = smallest.Transport(kind.level, kind.order)
    sigma = smallest_sigma(line_pairs(_laws(task)), promise, progress)
    pair = sigma.pair
    where = {} if pair is None else {"prior": pair.prior, "pair": list(pair.pair)}
    return FoundSigma(sigma.lower, sigma.upper, where, united(task.laws.claims, smallest.DIVERGENCE_RESTS_ON))


def _wasserstein(task: Task, kind: Kind) -> FoundSigma:
    shift = wasserstein_shift(_laws(task))
    where = {"prior": shift.pair.prior, "pair": list(shift.pair.pair)}
    where["distance_squared"] = text_of(shift.square)
    claims = united(task.laws.claims, smallest.SIGMA_RESTS_ON)
    return FoundSigma(*sigma_of_shift(shift.square, kind.promise), where, claims)


def _quilt(task: Task, kind: Kind) -> FoundSigma:
    expect_positive(task)
    made = answer.exact_quilts(task)
    scale = made.enclosure()
    shift = exact(scale.upper) * exact(task.level.enclosure().upper)
    # a record that changes moves a histogram by 2 in L1, and by the root of 2
    share = Fraction(1, 2) if task.query == "histogram" else Fraction(1)
    sigma = sigma_of_shift(share * shift * shift, kind.promise)
    return FoundSigma(*sigma, {"laplace_scale": scale.upper}, united(smallest.SIGMA_RESTS_ON, made.claims))


def lines(rows: list[Sigma], kind: Kind, noise: NoiseKind = "gaussian") -> Iterator[str]:
    """Yield the table, and what each rule takes for granted."""
    yield f"{'rule':12}  {'sigma' if noise == 'gaussian' else 'scale':14}  {kind.name}"
    for row in rows:
        if row.sigma is None:
            yield f"{row.rule:12}  {'none':14}  {row.reason}"
            continue
        sigma = at_most(row.sigma.upper, 10)
        told = "kept without noise" if sigma == "0" else row.reason
        if row.measured is not None:
            told = rounded(row.measured.upper, 4)
        yield f"{row.rule:12}  {sigma:14}  {told}"
