"""What `calibrate` finds: the noise scale of a published mechanism for a framework and a query.

The Wasserstein mechanism and the Markov quilt mechanism, with exact influences or bounds of them.
What the noise really leaks is for `Task.leakage` of `reports/correlation/calibrate/task.py`: it is
exact, where it can be had.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.noise.scale import NO_NOISE, Scale, quotient
from pufferproof.models.noise.transport import RESTS_ON as PLANS_REST_ON
from pufferproof.models.noise.transport import farthest, mean_scale
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.text import JsonObject, shown, text_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.chains.gap import ChainClass, GapChains
from pufferproof.models.priors.laws import Prior, Product
from pufferproof.models.priors.markov import MarkovChain, stationary_law
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork, PriorClass
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.structure import Matrix, is_irreducible
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify.decision import united
from pufferproof.verify.influence.bounds import estimated_bound, song_bound, spectral_bound, wang_bound
from pufferproof.verify.influence.network import Quilt
from pufferproof.verify.influence.quilts.exact import markov_quilt, markov_quilt_of_class
from pufferproof.verify.influence.quilts.network import NetworkScale, network_quilt
from pufferproof.verify.influence.quilts.worst_record import (
    ActiveQuilt,
    QuiltScale,
    markov_quilt_approx,
    markov_quilt_spectral,
)
from pufferproof.verify.noise.accounts.elimination import MOST_VALUES
from pufferproof.verify.noise.accounts.likelihoods import apart
from pufferproof.verify.noise.scale.calibration import wasserstein_scale
from pufferproof.verify.noise.scale.networks import EliminatedScale, class_scale, network_scale

BOUNDS = {
    "song2017": "song2017, Lemma II.3, one-sided quilts with the term of their side",
    "wang2016": "wang2016, Lemma 4.7, stationary law and eigengap the least over the priors",
    "sharp": "claim general.spectral-influence, second singular value and stationary law",
}
_ELIMINATED = (
    "for every record of a network, the smaller bound of quilts and elimination (claim classes.elimination-rays)"
)
_TRIVIAL = "note: epsilon is so small that only the trivial quilt helps, {}, with all records nearby"


AnyScale = QuiltScale | NetworkScale | EliminatedScale
NetworkClass = Contacts | IntervalNetwork


@dataclass(frozen=True)
class Calibration:
    """A scale, the quilt or the pair that asks for it, and what the mechanism takes for granted."""

    scale: Scale
    assumed: list[str]
    quilt: ActiveQuilt | Quilt | None = None
    details: JsonObject = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    eliminated: int | None = None  # the record whose bound by elimination asks for the scale
    claims: tuple[str, ...] = ()  # that the scale rests on

    def enclosure(self) -> Enclosure:
        """Return the scale as decimals."""
        return self.scale.enclosure()

    @property
    def quilt_json(self) -> JsonObject | None:
        """The quilt of the output: distances on a chain, records of a network."""
        if isinstance(self.quilt, Quilt):
            return {"record": self.quilt.record, "nodes": list(self.quilt.quilt)}
        if self.quilt is None:
            return None
        return {"record": self.quilt.record, "left": self.quilt.left, "right": self.quilt.right}


def wasserstein(task: Task) -> Calibration:
    """Calibrate the Wasserstein mechanism."""
    if task.classes:
        with in_file(task.loaded.path):
            raise ModelError("expected one prior, found a class of priors", f"priors.{task.classes[0]}")
    largest = wasserstein_scale(task.laws, task.level)
    details = {"distance": text_of(largest.distance), "prior": largest.prior, "pair": list(largest.pair)}
    assumed = ["only the priors listed"]
    return Calibration(largest.scale, assumed, None, details, claims=largest.claims)


def kantorovich(task: Task) -> Calibration:
    """Calibrate by the sensitivity of the plan that matches quantiles, which is W_inf."""
    plans = task.plans
    plan = max(plans, key=farthest)
    assumed = ["only the priors listed", "the plan of quantiles, which has the least mean distance"]
    return Calibration(quotient(farthest(plan), task.level), assumed, claims=PLANS_REST_ON)


def plan_mean(task: Task) -> Calibration:
    """Calibrate by the means of e^(distance / scale) over that plan, a condition of our own."""
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0", "--epsilon")
    scales = [mean_scale(plan, task.level) for plan in task.plans]
    assumed = ["only the priors listed", "means over the plan of quantiles, claim noise.plan-mean"]
    largest = max(scales, key=lambda scale: scale.upper or 0)
    return Calibration(largest, assumed, claims=PLANS_REST_ON)


def exact_quilts(task: Task) -> Calibration:
    """Calibrate the Markov quilt mechanism with the exact influence of every prior, the largest
    scale over the priors.
    """
    bounded = any(isinstance(prior, GapChains) for prior in task.priors.values())
    bound_words = "at most bounds over the class (an argument in words)" if bounded else "exact"
    return over_priors(task, _exact_scale, [f"influences: {bound_words}"])


def least_of_records(task: Task) -> Calibration:
    """Calibrate as `exact_quilts`, but in networks by elimination of all other records
    where that asks for less noise.
    """
    classes = any(isinstance(prior, NetworkClass) for prior in task.priors.values())
    networks = any(network_of(prior, task.records) for prior in _networks(task))
    size = len(task.records.alphabet)
    if not (networks or classes) or not 2 <= size <= (2 if classes else MOST_VALUES):
        return exact_quilts(task)
    return over_priors(task, _least_scale, ["influences: exact", _ELIMINATED])


def _networks(task: Task) -> list[Prior]:
    """Return the priors that are networks, not chains or independent records."""
    every = [prior for prior in task.priors.values() if not isinstance(prior, PriorClass)]
    return [prior for prior in every if not isinstance(prior, MarkovChain | Product)]


def approximate_quilts(task: Task, bound: str) -> Calibration:
    """Calibrate the Markov quilt mechanism with a bound instead of influence: "song2017" or
    "wang2016" as published, or "sharp".
    """
    if bound not in BOUNDS:
        raise ModelError(f"expected one of {', '.join(BOUNDS)}, found {shown(bound)}", "--bound")
    if bound != "wang2016" and any(isinstance(each, GapChains) for each in task.priors.values()):
        raise ModelError("a class by pi_min and eigengap has that of wang2016 only", "--bound")
    matrices = {name: _matrix(prior) for name, prior in task.priors.items()}
    chains = [matrix for matrix in matrices.values() if matrix is not None]

    def scale_of(task: Task, prior: Prior | ChainClass, records: list[int] | None) -> QuiltScale | NetworkScale:
        if isinstance(prior, GapChains):
            prior.expect(task.records)
            made = estimated_bound(prior.pi_min, prior.eigengap)
            return markov_quilt_approx(made, task.records.count, task.level, records, task.lipschitz)
        matrix = _matrix(prior)
        if matrix is None:
            return _exact_scale(task, prior, records)
        if isinstance(prior, MarkovChain):
            prior.parts(task.records)
        elif isinstance(prior, ChainClass):
            prior.expect(task.records)
        asked = task.records.count, task.level, records, task.lipschitz
        if bound == "sharp":
            return markov_quilt_spectral(spectral_bound(matrix, _stationary(prior)), *asked)
        made = wang_bound(chains) if bound == "wang2016" else song_bound(matrix)
        return markov_quilt_approx(made, *asked)

    assumed = [f"influences: at most the bound of {BOUNDS[bound]}", "quilts nearer than its threshold: left out"]
    if bound == "sharp":
        assumed += _started(task.priors)
    return over_priors(task, scale_of, assumed)


def _started(priors: dict[str, Prior | ChainClass]) -> list[str]:
    """Say under which priors the bound looks back from any law of the first record."""
    names = [name for name, prior in priors.items() if _matrix(prior) is not None and not _stationary(prior)]
    return [f"records before: by its bound for any law of the first, under {name}" for name in names]


def _stationary(prior: Prior | ChainClass) -> bool:
    """Whether the first record of a chain has the stationary law, by name or by its numbers."""
    if isinstance(prior, MarkovChain):
        chain = prior.transition
        return is_irreducible(chain) and prior.initial_law() == stationary_law(chain)
    return isinstance(prior, ChainClass) and prior.initial == "stationary"


def _matrix(prior: Prior | ChainClass) -> Matrix | None:
    """Return the transition matrix of a prior, or of a class that has one, else None."""
    if isinstance(prior, GapChains):
        return None
    if isinstance(prior, ChainClass) and not prior.single:
        raise ModelError("a box of matrices needs --mechanism markov-quilt", "priors")
    if isinstance(prior, MarkovChain):
        return prior.transition
    return prior.lower if isinstance(prior, IntervalChain) else None


def over_priors(
    task: Task, scale_of: Callable[[Task, Prior | ChainClass, list[int] | None], AnyScale], assumed: list[str]
) -> Calibration:
    """Calibrate a Markov quilt mechanism: the largest scale over the priors, the first prior of
    several with it.
    """
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "--epsilon")
    lipschitz, records = task.lipschitz, task_records(task)
    details: JsonObject = {"lipschitz": text_of(lipschitz)}
    changes = f"the query changes by at most {text_of(lipschitz)} (L1) when one record does"
    assumed = [*assumed, changes]
    if not lipschitz:
        note = "note: the query does not depend on the records, so it needs no noise"
        return Calibration(NO_NOISE, assumed, None, details, [note])
    scales: dict[str, AnyScale] = {}
    for name, prior in task.priors.items():
        try:
            scales[name] = scale_of(task, prior, records)
        except ModelError as error:
            with in_file(task.loaded.path):
                raise error.within(f"priors.{name}") from None
    claims = united(*(scale.claims for scale in scales.values()))
    name, largest = max(scales.items(), key=lambda item: item[1].scale.upper or 0)
    if isinstance(largest, EliminatedScale):
        details |= {"prior": name}
        details |= {"around": list(largest.boundary)}
        record = largest.record
        return Calibration(largest.scale, assumed, None, details, eliminated=record, claims=claims)
    if isinstance(largest, NetworkScale) and not largest.complete:
        assumed.append("quilts: of at most two records, and boundaries of balls")
    left_out = sum(scale.left_out for scale in scales.values() if isinstance(scale, NetworkScale))
    if left_out:
        assumed.append(f"quilts: {left_out} left out, too large to tabulate; a smaller scale may be enough")
    trivial = largest.trivial and task.records.count > 1
    nearby = largest.quilt.nearby
    nearby = nearby if isinstance(nearby, int) else len(nearby)
    details |= {"prior": name, "nearby": nearby}
    notes = [_TRIVIAL] if trivial else []
    return Calibration(largest.scale, assumed, largest.quilt, details, notes, claims=claims)


def task_records(task: Task) -> list[int] | None:
    """Return the records that pairs of secrets speak of, None for all.

    Raises `ModelError` unless secrets speak of single records.
    """
    if task.every_record:
        return None
    with in_file(task.loaded.path):
        for name, secret in task.loaded.value.secrets.items():
            if isinstance(secret, list):
                wanted = 'expected {"record": i, "value": v}: quilts are those of single records'
                raise ModelError(f"{wanted}, found a list of databases", f"secrets.{name}")
        places = task.loaded.value.secrets
        return sorted({places[name].number for pair in task.pairs for name in pair})  # type: ignore[union-attr]


def _least_scale(task: Task, prior: Prior | PriorClass, records: list[int] | None) -> AnyScale:
    """Return the lesser scale of elimination and quilts for a network, the former of a class."""
    network = None
    if isinstance(prior, NetworkClass):
        prior.expect(task.records)
        return class_scale(prior, task.records, task.level, records, task.lipschitz)
    if not isinstance(prior, PriorClass | MarkovChain | Product):
        network = network_of(prior, task.records)
    if network is None:
        return _exact_scale(task, prior, records)
    return network_scale(network, task.records, task.level, records, task.lipschitz, _apart(task))


def _apart(task: Task) -> list[list[Fraction]] | None:
    """Return by how much a built-in query changes between two values of a record."""
    if not isinstance(task.query, str):
        return None
    values = range(len(task.records.alphabet))
    return [[apart(task.record_query, u, v) for v in values] for u in values]


def _exact_scale(task: Task, prior: Prior | ChainClass, records: list[int] | None) -> QuiltScale | NetworkScale:
    if isinstance(prior, Product):
        prior.factors(task.records)
        return independent_scale(task, records)
    if isinstance(prior, MarkovChain):
        prior.parts(task.records)
        return markov_quilt(prior, task.records.count, task.level, records, task.lipschitz)
    if isinstance(prior, ChainClass):
        prior.expect(task.records)
        return markov_quilt_of_class(prior, task.records.count, task.level, records, task.lipschitz)
    network = network_of(prior, task.records)
    if network is not None:
        return network_quilt(network, task.records, task.level, records, task.lipschitz)
    raise ModelError('expected a "markov", "product" or "bayes_net" prior')


def independent_scale(task: Task, records: list[int] | None) -> QuiltScale:
    """Return the scale for independent records, where the nearest records are a quilt without
    influence.
    """
    scale = quotient(task.lipschitz, task.level)
    record = records[0] if records else 1
    sides = 1 if record > 1 else None, 1 if record < task.records.count else None
    return QuiltScale(scale, ActiveQuilt(record, *sides, 1, Bounds.none()), 1)
