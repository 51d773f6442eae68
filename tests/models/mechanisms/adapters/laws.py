"""What the tests of adapters share: the frequencies of a sampler against an exact law, and the
float twin of an audit.
"""

from collections import Counter
from collections.abc import Callable
from math import inf, log, sqrt
from typing import Any

import pufferproof as pp
from pufferproof.models.channel import Channel
from pufferproof.models.noise.tables.powers import PowerTable

RECORDS = pp.Records(3, ("0", "1"))
CHAIN = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
COUNTS = {label: label.count("1") for label in RECORDS.labels()}
SECRETS = {"x1=0": (1, "0"), "x1=1": (1, "1")}
FRAMEWORK = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": CHAIN})


def probability(mechanism: Channel | PowerTable, database: str, output: str) -> float:
    if output not in mechanism.outputs:
        return 0.0
    if isinstance(mechanism, Channel):
        return float(mechanism.probability(database, output))
    return mechanism.probability_approx(database, output)


def law(mechanism: Any, database: str) -> dict[str, float]:
    return {output: probability(mechanism, database, output) for output in mechanism.outputs}


def expect_frequencies(draw: Callable[[], Any], exact: dict[str, float], draws: int = 2000) -> None:
    """Fail unless every frequency is as near as Hoeffding's bound has it, but for one time in
    10^9.
    """
    seen = Counter(str(draw()) for _ in range(draws))
    assert set(seen) <= {output for output, p in exact.items() if p > 0}
    room = sqrt(log(2 * len(exact) * 1e9) / (2 * draws))
    for output, p in exact.items():
        assert abs(seen[output] / draws - p) < room, (output, seen[output] / draws, p)


def leakage_approx(mechanism: Any, framework: pp.Framework = FRAMEWORK) -> float:
    """Return the leakage of a table by its definition, in floats."""
    worst = 1.0
    for prior in framework.priors:
        weights = framework.laws[prior].weights
        for pair in framework.pairs:
            above, below = (
                [
                    sum(
                        weights[x] * probability(mechanism, framework.databases[x], output)
                        for x in framework.secrets[secret]
                    )
                    / framework.mass(prior, secret)
                    for output in mechanism.outputs
                ]
                for secret in pair
            )
            for pair_of in zip(above, below):
                if max(pair_of) > 0:
                    worst = max(worst, max(pair_of) / min(pair_of) if min(pair_of) else inf)
    return log(worst)
