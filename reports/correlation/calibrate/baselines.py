"""What `calibrate` finds by bounds of the literature that look at little of a prior: how many
records depend on one another, how much they influence one another, or their transitions.

    group-dp      all records are one group
    bdp-general   m records that depend on one another are a group
    gk16          sums of influences
    bdp-markov    the largest and the least transition probability

That for normal records, `bdp-gaussian`, is in `points.py`.
"""

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.noise.inferential import InfluenceMatrix
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, text_of
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import PriorClass
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.calibrate.answer import Calibration, task_records
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify.influence.curves.point import GROUP_RESTS_ON, group_privacy

BAYESIAN_RESTS_ON = ("influence.bdp-chain",)


def group(task: Task) -> Calibration:
    """Calibrate for records that may depend on one another in any way: the scale is n L /
    epsilon.
    """
    expect_positive(task)
    scale = group_privacy(task.records.count, task.level, task.lipschitz)
    assumed = ["nothing of how records depend on one another"]
    details = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(scale, [*assumed, _changes(task)], None, details, claims=GROUP_RESTS_ON)


def general(task: Task) -> Calibration:
    """Calibrate for groups of records that may depend on one another in any way: the scale is
    m L / epsilon, m the size of the largest group.

    Other groups are independent of the secret, so that their law is the same given both values, and
    one group changes by a path of m records (claim general.group-privacy-paths). A group is what
    the arrows of a network join, whatever their direction: known records may make parents depend
    on one another. Source: arXiv 2506.21308, the general bound.
    """
    expect_positive(task)
    task_records(task)
    sizes = {name: _largest_group(prior, task.records) for name, prior in task.priors.items()}
    scale = group_privacy(max(sizes.values()), task.level, task.lipschitz)
    assumed = [
        f'groups under "{name}": at most {counted(size, "record")}, independent of one another'
        for name, size in sizes.items()
    ]
    details: JsonObject = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(scale, [*assumed, _changes(task)], None, details, claims=GROUP_RESTS_ON)


def _largest_group(prior: Prior | PriorClass, records: Records) -> int:
    """Return how many records a prior joins at most: all of them unless it says which."""
    import networkx as nx

    if isinstance(prior, MarkovChain | PriorClass):
        return records.count
    network = network_of(prior, records)
    if network is None:
        return records.count
    graph = nx.Graph()
    graph.add_nodes_from(range(1, records.count + 1))
    graph.add_edges_from((parent, child) for child, above in enumerate(network.parents, 1) for parent in above)
    return max(map(len, nx.connected_components(graph)))


def inferential(task: Task) -> Calibration:
    """Calibrate by GK16: the scale is 2 L max_i sum_j phi_ij / epsilon, the largest of the priors.

    Raises `ModelError` unless the influence matrix of every prior has a spectral norm below 1.
    """
    expect_positive(task)
    wanted = task_records(task) or range(1, task.records.count + 1)
    scales, assumed = [], []
    for name, prior in task.priors.items():
        with in_file(task.loaded.path):
            if name in task.classes:
                raise ModelError("expected one prior, found a class of priors", f"priors.{name}")
            matrix = InfluenceMatrix.of(prior, task.records)
        norm = at_most(enclose(*matrix.norm).upper, 6)
        if matrix.norm[1] >= 1:
            said = f'the influence matrix under "{name}" has spectral norm {norm}'
            raise ModelError(f"{said}, and GK16 is for less than 1", f"priors.{name}")
        sums = matrix.largest_sum(wanted)
        least, most = (quotient(2 * task.lipschitz * each, task.level) for each in sums)
        text = most.text if sums[0] == sums[1] else None
        scales.append(Scale(least.lower, most.upper, text))
        assumed.append(f'spectral norm of the influence matrix under "{name}": {norm}, below 1')
    largest = max(scales, key=lambda scale: scale.upper or 0)
    details = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(largest, [*assumed, _changes(task)], None, details)


def bayesian(task: Task) -> Calibration:
    """Calibrate by a bound of Bayesian privacy on Markov chains: the scale is
    L / (epsilon - 4 log(P / p)), P and p being the largest and the least transition probability.

    Claim influence.bdp-chain, by which 3 log(P / p) are enough as long as no record is known.
    Source: the function count_active_bdp_markov_chain_boun of
    github.com/lange-martin/privacy-utility-bdp, the code of arXiv 2506.21308.

    Raises `ModelError` unless priors are Markov chains without zeros, and epsilon is larger.
    """
    expect_positive(task)
    task_records(task)
    scales, assumed = [], []
    for name, prior in task.priors.items():
        where = f"priors.{name}"
        with in_file(task.loaded.path):
            if not isinstance(prior, MarkovChain):
                raise ModelError("expected a Markov chain: the bound uses its transitions", where)
            chances = [each for row in prior.transition for each in row]
            if not min(chances):
                raise ModelError("expected transitions that are all possible, found a zero", where)
            ratio = max(chances) / min(chances)
            scale = quotient(task.lipschitz, task.level, Bounds(ratio**4, ratio**4))
            if scale.infinite:
                least = at_most(Level(f"log({text_of(ratio**4)})").enclosure().upper, 6)
                said = f'transitions under "{name}" tell {least} nats by this bound, whatever noise'
                raise ModelError(f"{said} is added: expected a level above", where)
        scales.append(scale)
        assumed.append(f'transitions under "{name}" differ by a factor of {text_of(ratio)} at most')
    largest = max(scales, key=lambda scale: scale.upper or 0)
    details = {"lipschitz": text_of(task.lipschitz)}
    return Calibration(largest, [*assumed, _changes(task)], None, details, claims=BAYESIAN_RESTS_ON)


def not_normal(task: Task) -> Calibration:
    """Raise `ModelError`: the bound by correlations is for normal records."""
    with in_file(task.loaded.path):
        name = next(iter(task.priors))
        raise ModelError('expected a "gaussian" prior without "box": the bound uses correlations', f"priors.{name}")


def _changes(task: Task) -> str:
    return f"the query changes by at most {text_of(task.lipschitz)} (L1) when one record does"


def expect_positive(task: Task) -> None:
    """Raise `ModelError` at level 0."""
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "--epsilon")
