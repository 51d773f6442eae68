"""Influences decrease with the distance, strictly unless lam = 0.

With c = b/a (value 1) or c = a/b (value 0) and l = lam^D, e^i_c(D) is (1 + c l)/(1 - l) or its
inverse. For lam < 0 odd and even distances are compared in both orders. Source: massny2025,
appendices C, D and F.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, below, letter, proved
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.registry import Check, claim

lam = letter("lam", "lam = 1 - a - b, the second eigenvalue of P", below(1))
l = letter("l", "lam^D")
m = letter("m", "|lam| for lam < 0", above(0), below(1))
u = letter("u", "|lam|^D for lam < 0", above(0))
power = letter("power", "|lam|^D at the distances of one parity so far")
c = letter("c", "b/a for the value 1 of X_t, a/b for the value 0")
NEGATIVE = [c > m, c * m < 1]
"""For lam < 0 both values of c lie between m and 1/m (`massny2025.prop1-cd`)."""


@claim(
    "massny2025.prop1-decreasing",
    where="Appendices C and D",
    statement="i1(D) is strictly decreasing in D = 1, 2, 3, ...",
    kind="lemma",
    repair="massny2025.prop1-decreasing-repaired",
    says=statements.DECREASING,
)
def prop1_decreasing(check: Check) -> None:
    """Prove it for dependent records; refute it for lam = 0, where X_t does not depend on X_p."""
    proved(check, "lam > 0", "all a, b, D", prove_positive, by_a_factor_of_2=TWICE)
    proved(check, "lam < 0", "all a <= b, D", _value_1, **{"c above 1/m": WIDE})
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
    """Prove it for both values and both signs of the eigenvalue."""
    proved(check, "lam > 0, i0 and i1", "all a, b, D", prove_positive, by_a_factor_of_2=TWICE)
    proved(check, "lam < 0, i1", "all a <= b, D", _value_1, **{"c above 1/m": WIDE})
    low = [Edit(step, without=c > m, given=c > 0) for step in ("D odd", "D even")]
    proved(check, "lam < 0, i0", "all a <= b, D", _value_0, c_below_m=low)
    below_0 = Edit("l = 0", without=Eq(l, 0), given=l < 0)
    proved(check, "lam = 0", "all D", _zero, l_below_0=below_0)


LATER = (1 + c * lam * l) * (1 - l)
TWICE = Edit("one step", put={LATER: 2 * LATER})
WIDE = [Edit(step, without=c * m < 1) for step in ("D odd", "D even")]


def prove_positive(proof: Proof) -> None:
    """Compare l = lam^D with lam l for 0 < lam < 1."""
    proof.cite(
        "closed form", "e^i_c(D) = (1 + c l)/(1 - l), c = a/b or b/a", "massny2025.prop1-closed"
    )
    proof.induction(
        "powers of lam",
        "0 < l = lam^D <= lam < 1",
        base=((l > 0) & (l <= lam), [Eq(l, lam), lam > 0]),
        step=((l * lam > 0) & (l * lam <= lam), [l > 0, l <= lam, lam > 0]),
    )
    proof.inequality(
        "one step",
        "(1 + c l)/(1 - l) > (1 + c lam l)/(1 - lam l) > 1, multiplied by the denominators",
        ((1 + c * l) * (1 - lam * l) > LATER) & (1 + c * lam * l > 1 - lam * l),
        [l > 0, l <= lam, c > 0],
    )


def _value_1(proof: Proof) -> None:
    prove_negative(proof, c >= 1)


def _value_0(proof: Proof) -> None:
    prove_negative(proof, c <= 1)


def prove_negative(proof: Proof, side: object) -> None:
    """Compare odd with even distances and even with odd ones for lam < 0."""
    proof.cite(
        "closed form",
        "e^i_c(D) for l = lam^D = u if D is even, -u if odd",
        "massny2025.prop1-closed",
    )
    proof.cite("range of c", "m < c < 1/m for c = a/b and c = b/a", "massny2025.prop1-cd")
    _parities(proof)
    proof.inequality(
        "D odd",
        "(1 + u)/(1 - c u) > (1 + c m u)/(1 - m u) > 1, multiplied by the denominators, which are "
        "positive",
        (c * u < 1)
        & ((1 + u) * (1 - m * u) > (1 + c * m * u) * (1 - c * u))
        & (1 + c * m * u > 1 - m * u),
        [*NEGATIVE, side, u <= m],
    )
    proof.inequality(
        "D even",
        "(1 + c u)/(1 - u) > (1 + m u)/(1 - c m u) > 1, multiplied by the denominators, which are "
        "positive",
        (c * m * u < 1)
        & ((1 + c * u) * (1 - c * m * u) > (1 + m * u) * (1 - u))
        & (1 + m * u > 1 - c * m * u),
        [*NEGATIVE, side, u <= m**2],
    )


def _parities(proof: Proof) -> None:
    proof.induction(
        "odd powers",
        "|lam|^D for D = 1, 3, 5, ... lies in (0, m]",
        base=((power > 0) & (power <= m), [Eq(power, m)]),
        step=((power * m**2 > 0) & (power * m**2 <= m), [power > 0, power <= m]),
    )
    proof.induction(
        "even powers",
        "|lam|^D for D = 2, 4, 6, ... lies in (0, m^2]",
        base=((power > 0) & (power <= m**2), [Eq(power, m**2)]),
        step=((power * m**2 > 0) & (power * m**2 <= m**2), [power > 0, power <= m**2]),
    )


def _zero(proof: Proof) -> None:
    proof.cite("closed form", "e^i_c(D) = (1 + c l)/(1 - l)", "massny2025.prop1-closed")
    proof.inequality(
        "l = 0",
        "Every power of lam is 0, and the ratio is 1",
        Eq(1 + c * l, 1 - l),
        [Eq(l, 0), c > 0],
    )
