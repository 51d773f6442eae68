"""A Bayesian network of pgmpy as what an adversary believes: two children catch it from a parent. A
noisy count of a family of three, at level log(2), leaks more than that about the parent.
"""

from typing import Any

from pufferproof.examples.libraries.days import told
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.adapters.entry import as_prior
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.records import Records
from pufferproof.verify.audit import Audit, audit


def network() -> Any:
    """Return the network, with tables at all nodes."""
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    family = DiscreteBayesianNetwork([("parent", "ann"), ("parent", "bob")])
    family.add_cpds(TabularCPD("parent", 2, [[0.75], [0.25]]))
    for child in ("ann", "bob"):
        catches = TabularCPD(child, 2, [[0.875, 0.25], [0.125, 0.75]], ["parent"], [2])
        family.add_cpds(catches)
    return family


def answers() -> dict[str, Audit]:
    """Audit a count with geometric noise of ratio 1/2."""
    records = Records(3, ("0", "1"))
    secrets = {"parent ill": (1, "1"), "parent well": (1, "0")}
    prior = as_prior(network(), order=["parent", "ann", "bob"])
    framework = Framework.of_records(records, secrets, "disjoint", {"family": prior})
    count = RecordQuery("sum", Noise.geometric("1/2"), records)
    return {"the count of a family": audit(framework, count, "log(2)")}


if __name__ == "__main__":
    print(told("pgmpy", answers()))
