"""Influences decrease with the distance, strictly unless lam = 0.

With c = b/a (value 1) or c = a/b (value 0) and l = lam^D, e^i_c(D) is (1 + c l)/(1 - l) or its
inverse. For lam < 0 odd and even distances are compared in both orders. Source: massny2025,
appendices C, D and F.
"""

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.papers.massny2025.said import curves
from pufferproof.claims.registry import Check, claim

DEPENDENT, INDEPENDENT = "a + b is not 1, i0 and i1", "a + b = 1"


@claim(
    "massny2025.prop1-decreasing",
    where="Appendices C and D",
    statement="i1(D) is strictly decreasing in D = 1, 2, 3, ...",
    kind="lemma",
    repair="massny2025.prop1-decreasing-repaired",
    says={DEPENDENT: curves.FALLING},
)
def prop1_decreasing(check: Check) -> None:
    """Prove it for dependent records; refute it for lam = 0, where X_t does not depend on X_p."""
    check.stated(DEPENDENT)
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
            "Take a = b = 1/2. The paper claims that i1 is strictly decreasing. As a + b = 1 the "
            "records are independent and all influences are 0: a constant sequence does not "
            "decrease strictly",
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
    statement="For 0 < a, b < 1 and a + b != 1, i0(D) and i1(D) are positive and strictly "
    "decreasing in D = 1, 2, 3, ...; for a + b = 1 they are 0.",
    kind="repair of massny2025.prop1-decreasing",
    says={DEPENDENT: curves.FALLING, INDEPENDENT: curves.VANISHING},
)
def prop1_decreasing_repaired(check: Check) -> None:
    """Prove it for both values, both signs of the eigenvalue and independent records."""
    check.stated(DEPENDENT)
    check.stated(INDEPENDENT)
