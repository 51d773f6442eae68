"""Claims on the setting of redaction on a chain: definitions agree with the
workbench's own frameworks and audit.
"""

from fractions import Fraction

from tests.brute.definitions import leakage as brute_leakage
from tests.claims.massny2025.rules import (
    SIGNS,
    cells,
    random_redaction,
)

from pufferproof import Channel, Framework, MarkovChain, Records, audit
from pufferproof.claims.papers.massny2025.composition.dependent import joint_ratio
from pufferproof.claims.papers.massny2025.influence.instances import (
    leakage,
    local,
    released,
)


def test_leakage_is_the_pufferfish_leakage_of_the_framework():
    for seed, (_, of, count, private) in enumerate(cells(3)):
        mechanism = local(random_redaction(seed, count, private, hidden=seed % 4 > 0))
        framework = framework_of(of, count, private)
        rows = {x: mechanism(x) for x in framework.databases}
        outputs = sorted({y for row in rows.values() for y in row})
        channel = Channel.of(
            {x: [row.get(y, Fraction(0)) for y in outputs] for x, row in rows.items()}, outputs
        )
        found = leakage(of, count, private, mechanism)
        assert audit(framework, channel).leakage.ratio == found
        if found is not None:
            assert brute_leakage(framework, channel)[0] == found


def framework_of(of, count, private):
    """Build the framework from the project's own Markov chain, which starts from its stationary
    law.
    """
    secrets = {f"x{private}={bit}": (private, bit) for bit in "01"}
    prior = MarkovChain("stationary", of.step)
    return Framework.of_records(
        Records(count, ("0", "1")), secrets, [tuple(secrets)], {"chain": prior}
    )


def test_the_ends_of_three_records_are_told_jointly_more_than_each():
    for of in SIGNS.values():
        mechanism = local(released(3, [2]))
        together, single = joint_ratio(of, 3, (1, 3), mechanism), leakage(of, 3, 1, mechanism)
        assert together > single or of.eigenvalue == 0
        assert joint_ratio(of, 3, (1,), mechanism) == single
