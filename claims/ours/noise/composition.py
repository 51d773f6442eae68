"""Noisy counts do not compose: two releases can leak more together than the sum of what they
leak alone.
"""

from fractions import Fraction

from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.leakage import noise_leakage


@claim(
    "noise.runs-add",
    where="Noise on queries",
    statement="K independent releases of one noisy count of correlated records leak at most K "
    "times as much as one.",
    kind="conjecture",
    repair="noise.runs",
    says={
        "never where the query mixes two values given one secret and is constant given the "
        "other": says.NEVER
    },
)
def runs_add(check: Check) -> None:
    """Refute it on a chain of two records, exactly; and for every law that mixes.

    Two releases: have x^2 in place of x [noise.runs]. Jensen: the square of a mean is below the
    mean of squares. The largest ratio: of both orders at the outputs 0 and 1: x >= 1 times as much
    at 0, at 1 it is 1 - h + h/x and its inverse.
    """
    with check.reading(
        "two releases", "a stationary chain of two bits, X_2 secret, X_1 counted"
    ) as proof:
        chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/2", "1/2"]])
        single, joint = leakages(chain, 1), leakages(chain, 2)
        proof.counterexample(
            "two noisy bits",
            "X_1 with geometric noise of ratio 1/2, about X_2: e^leakage is 15/11 alone and 25/13 "
            "> (15/11)^2 together",
            {
                "transition": "9/10 1/10; 1/2 1/2",
                "noise": "geometric, 1/2",
                "one release": str(single),
                "two": str(joint),
            },
            lambda: joint > single**2,
        )
    check.tried(
        "never where the query mixes two values given one secret and is constant given the other"
    )


def leakages(chain: MarkovChain, releases: int) -> Fraction:
    """Return e^leakage about X_2 of so many releases of X_1 with geometric noise of ratio 1/2."""
    records = Records(2, ("0", "1"))
    framework = Framework.of_records(
        records, {"0": (2, "0"), "1": (2, "1")}, [("0", "1")], {"theta": chain}
    )
    first = AdditiveNoise(
        {label: int(label[0]) for label in records.labels()}, Noise.geometric("1/2")
    )
    return noise_leakage(framework, *[first] * releases).leakage.ratio or Fraction(0)
