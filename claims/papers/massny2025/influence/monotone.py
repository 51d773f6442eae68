"""Influences decrease with the distance, strictly unless lam = 0.

With c = b/a (value 1) or c = a/b (value 0) and l = lam^D, e^i_c(D) is (1 + c l)/(1 - l) or its
inverse. For lam < 0 odd and even distances are compared in both orders. Source: massny2025,
appendices C, D and F.
"""

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.registry import Check, claim


@claim(
    "massny2025.prop1-decreasing",
    where="Appendices C and D",
    statement="i1(D) is strictly decreasing in D = 1, 2, 3, ...",
    kind="lemma",
    repair="massny2025.prop1-decreasing-repaired",
    says=statements.DECREASING,
)
def prop1_decreasing(check: Check) -> None:
    """Prove it for dependent records; refute it for lam = 0, where X_t does not depend on X_p.

    Lam > 0. e^i_c(D) = (1 + c l)/(1 - l), 0 < l = lam^D <= lam < 1 [massny2025.prop1-closed]: (1 +
    c l)/(1 - l) > (1 + c lam l)/(1 - lam l) > 1.

    Lam < 0. l = u if D is even, -u if odd, m < c < 1/m for c = a/b and b/a [massny2025.prop1-cd]; u
    <= m for odd D, u <= m^2 for even D. D odd: (1 + u)/(1 - c u) > (1 + c m u)/(1 - m u) > 1
    [lemma.prop1-falls]; D even: (1 + c u)/(1 - u) > (1 + m u)/(1 - c m u) > 1
    [lemma.prop1-falls-even].
    """
    check.tried("lam > 0")
    check.tried("lam < 0")
    proved(check, "all 0 < a <= b < 1", "one counterexample", _refute)


def _refute(proof: Proof) -> None:
    def holds(of: Chain) -> bool:
        return all(pointwise(of, d, 1) > pointwise(of, d + 1, 1) for d in range(1, 6))

    found = proof.exhaust(
        "smallest failure", "denominators from 2 on, D <= 6, from powers of P", chains(5), holds
    )
    if found is not None:
        proof.counterexample(
            "independent records",
            "a = b = 1/2. Claimed: i1 is strictly decreasing. As a + b = 1 the records are "
            "independent and all influences are 0: a constant sequence does not decrease strictly",
            {
                "a": found.a,
                "b": found.b,
                "lam": found.eigenvalue,
                "e^i1(1)": pointwise(found, 1, 1),
                "e^i1(2)": pointwise(found, 2, 1),
            },
            lambda: found.eigenvalue == 0 and pointwise(found, 1, 1) <= pointwise(found, 2, 1),
            f"{influence(1, 1)} <= {influence(2, 1)}",
        )


@claim(
    "massny2025.prop1-decreasing-repaired",
    where="Appendices C and D, repaired",
    statement="For 0 < a <= b < 1 and a + b != 1, i0(D) and i1(D) are positive and strictly "
    "decreasing in D = 1, 2, 3, ...; for a + b = 1 they are 0.",
    kind="repair of massny2025.prop1-decreasing",
    says=statements.BOTH_DECREASING,
)
def prop1_decreasing_repaired(check: Check) -> None:
    """Prove it for both values and both signs of the eigenvalue.

    Lam > 0, i0 and i1; lam < 0, i1; lam < 0, i0. As in massny2025.prop1-decreasing.

    Lam = 0. Closed form: e^i_c(D) = (1 + c l)/(1 - l) [massny2025.prop1-closed]. L = 0: Every power
    of lam is 0, and the ratio is 1.

    Engines prove its formulas [lemma.prop1-falls], [lemma.prop1-falls-even].
    """
