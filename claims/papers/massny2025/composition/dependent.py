"""What is left if coordinates are redacted locally but not independently: most lower bounds and the
composition fail.

The printed definition only asks that Pr(Y_t = y | X = x) depends on x_t. Joint patterns may then
depend on X_p. A mechanism here is a law of the set of released records for each database. Source:
massny2025, section II.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from pufferproof.claims.papers.massny2025.influence.instances import Chain, Mechanism, largest_ratio
from pufferproof.claims.papers.massny2025.lower.linked import ONE_RECORD, RELEASED
from pufferproof.claims.registry import Check, claim

SELF, SINGLE = "X_p released has infinite leakage", "Lemma 1 for one record"


def joint_ratio(
    of: Chain, count: int, secret: Iterable[int], mechanism: Mechanism
) -> Fraction | None:
    """Return the largest ratio of output probabilities over pairs of values of X_A."""
    kept, weights, laws = list(secret), dict[str, Fraction](), dict[str, dict[str, Fraction]]()
    for x in map("".join, product("01", repeat=count)):
        key, weight = "".join(x[t - 1] for t in kept), of.weight(x)
        weights[key] = weights.get(key, Fraction(0)) + weight
        law = laws.setdefault(key, {})
        for y, chance in mechanism(x).items():
            law[y] = law.get(y, Fraction(0)) + weight * chance
    scaled = [{y: value / weights[key] for y, value in law.items()} for key, law in laws.items()]
    ratios = [largest_ratio(left, right) for left in scaled for right in scaled]
    return None if None in ratios else max(ratio for ratio in ratios if ratio is not None)


@claim(
    "massny2025.x-dependent-redactions-repaired",
    where="Appendix E, the weaker definition of a local mechanism",
    statement="If of the law of Y given X only Pr(Y_t=y|X=x) = Pr(Y_t=y|X_t=x_t) is asked: Lk is "
    "infinite unless X_p is always redacted, and Lk >= i(X_p~>X_t=x) for every single value x "
    "in supp(Y_t).",
    kind="theorem",
    says={SELF: RELEASED, SINGLE: ONE_RECORD},
)
def dependent_repaired(check: Check) -> None:
    """Prove what concerns one coordinate at a time: its law is all that these arguments use."""
