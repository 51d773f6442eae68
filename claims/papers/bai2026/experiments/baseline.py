"""Sections 7.1.3 and 7.1.4: what the Markov quilt mechanism is said to need, a scalar query and a
prior that is a Markov chain.

The paper that it comes from has a vector of numbers and Bayesian networks (wang2016, sections 4.2
and 4.3). Noise of scale 1/log(rho) has the density rho^-|w - F| up to a factor, so that all levels
here are logarithms of fractions.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product

from pufferproof.claims.language.instances.chains import Path, marginal
from pufferproof.claims.papers.song2017.statements.noise import leak
from pufferproof.claims.registry import Check, claim
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.verify.influence.quilts.network import network_quilt

F = Fraction
STAY = F(11, 20)
"""A node equals its parent with this probability: it changes odds by 11/9 at most."""
CHAIN, STAR = {1: 0, 2: 1, 3: 2}, {1: 0, 2: 1, 3: 1, 4: 1}
"""The parent of each node, 0 for none."""
SCALAR, ONLY_CHAINS = "the mechanism answers scalar queries", "the mechanism needs a Markov chain"


def law(parents: Mapping[int, int]) -> dict[Path, F]:
    """The law of fair bits, each equal to its parent with probability 11/20."""
    found: dict[Path, F] = {}
    for x in product((0, 1), repeat=len(parents)):
        chance = F(1)
        for node, parent in parents.items():
            same = STAY if parent and x[node - 1] == x[parent - 1] else 1 - STAY
            chance *= same if parent else F(1, 2)
        found[x] = chance
    return found


def scale(parents: Mapping[int, int], ratio: F) -> str:
    """The scale of the noise at the level log(ratio), for a 1-Lipschitz query."""
    fair = {"": ["1/2", "1/2"]}
    noisy = {"0": [STAY, 1 - STAY], "1": [1 - STAY, STAY]}
    arrows = {str(node): [str(parent)] if parent else [] for node, parent in parents.items()}
    tables = {node: noisy if above else fair for node, above in arrows.items()}
    network = BayesianNetwork(arrows, tables)
    found = network_quilt(network, Records(len(parents), ("0", "1")), Level.log(ratio))
    return str(found.scale.text)


def is_chain(table: Mapping[Path, F], order: Sequence[int]) -> bool:
    """Whether each node in this order depends on those before it through the last one alone."""
    for k in range(2, len(order)):
        before, last, node = order[: k - 1], order[k - 1], order[k]
        for values in product((0, 1), repeat=k + 1):
            *past, middle, _ = values
            both = marginal(table, [*before, last, node])[values]
            known = marginal(table, [*before, last])[*past, middle]
            pair = marginal(table, [last, node])[values[-2:]]
            if both * marginal(table, [last])[(middle,)] != known * pair:
                return False
    return True


@claim(
    "bai2026.mqm-scalar",
    where="Section 7.1.3",
    statement="The Markov quilt mechanism as it was proposed answers a scalar query, so that a "
    "histogram of m counts takes m queries, each at an m-th of the level.",
    kind="remark",
    repair="wang2016.vector",
)
def mqm_scalar(check: Check) -> None:
    """Refute it by a histogram that one run of the mechanism answers at its whole level."""
    level, counts = F(484, 81), [{x: x.count(v) for x in law(CHAIN)} for v in (0, 1)]
    with check.reading(SCALAR, "one counterexample") as proof:
        found = [leak(law(CHAIN), i, [(each, F(2)) for each in counts]) for i in CHAIN]
        proof.counterexample(
            "the histogram of three bits",
            "Three fair bits repeat the one before with probability 11/20. For 1-Lipschitz queries "
            "and e^eps = 484/81 the scale is 1/log(4), that of the quilt X_1, X_3 of X_2. The "
            "counts of zeros and of ones move by 2 together if a bit changes. So both get noise "
            "of scale 2/log(4) = 1/log(2), which is a Markov quilt mechanism for a vector, and "
            "keep e^eps. Two queries with half the level each have e^(eps/2) = 22/9, and the "
            "larger scale 1/log(18/11)",
            {
                "P(X_(t+1) = X_t)": STAY,
                "e epsilon": level,
                "scale of a 1 Lipschitz query": scale(CHAIN, level),
                "scale at half the level": scale(CHAIN, F(22, 9)),
                "largest ratio": max(found),
            },
            lambda: (
                scale(CHAIN, level) == "1/log(4)"
                and scale(CHAIN, F(22, 9)) == "1/log(18/11)"
                and F(22, 9) ** 2 == level
                and max(found) <= level
            ),
            "largest_ratio <= e_epsilon",
        )


@claim(
    "bai2026.mqm-chain",
    where="Section 7.1.4",
    statement="The Markov quilt mechanism requires the prior to be a Markov chain.",
    kind="remark",
    repair="wang2016.thm-4.4",
)
def mqm_chain(check: Check) -> None:
    """Refute it by a Bayesian network that is a chain in no order."""
    level, total = F(11, 9) ** 3 * 2, {x: sum(x) for x in law(STAR)}
    with check.reading(ONLY_CHAINS, "one counterexample") as proof:
        found = [leak(law(STAR), i, [(total, F(2))]) for i in STAR]
        proof.counterexample(
            "a bit with three children",
            "X_1 is a fair bit, and X_2, X_3, X_4 are each equal to it with probability 11/20. "
            "In no order are the four bits a Markov chain. The quilt X_2, X_3, X_4 of X_1 has "
            "e^influence = (11/9)^3 and leaves X_1 alone nearby. So at e^eps = 2 (11/9)^3 the "
            "mechanism adds noise of scale 1/log(2) to the sum, and keeps e^eps",
            {
                "P(X_j = X_1)": STAY,
                "e epsilon": level,
                "scale": scale(STAR, level),
                "largest ratio": max(found),
            },
            lambda: (
                scale(STAR, level) == "1/log(2)"
                and max(found) <= level
                and not any(is_chain(law(STAR), order) for order in permutations(STAR))
                and any(is_chain(law(CHAIN), order) for order in permutations(CHAIN))
            ),
            "largest_ratio <= e_epsilon",
        )
