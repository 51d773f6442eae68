"""Where 3R is a best local mechanism: two records, and one-sided designs with a negative
eigenvalue.

P = [[1-a, a], [b, 1-b]], a <= b, lam = 1-a-b, R = e^eps, pi0 = b/(a+b); D0 and D1 are the first
distances with i0(D) <= eps and i1(D) <= eps. Source of the setting: massny2025, section IV.
"""

from dataclasses import dataclass

import sympy

from pufferproof.claims.language import above, at_least, below, letter
from pufferproof.claims.ours.redaction.statements.optima import TWO_NEGATIVE, TWO_POSITIVE
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps", at_least(1))
a = letter("a", "P(X_(t+1) = 1 | X_t = 0)", above(0))
b = letter("b", "P(X_(t+1) = 0 | X_t = 1)", below(1))
q = letter("q", "the probability that the value 0 of a record is redacted, the value 1 always is")
ZERO, ONE = (1 - a) * q + a, b * q + 1 - b  # P(* | X_p = 0), P(* | X_p = 1) for r = (q, 1)


@dataclass(frozen=True)
class Case:
    """A sign of lam: e^i0(1), e^i1(1), the divisor of the closed form, and the likelihoods of *."""

    name: str
    sign: sympy.Rel
    low: sympy.Expr
    high: sympy.Expr
    scale: sympy.Expr
    likelier: sympy.Expr
    rarer: sympy.Expr


POSITIVE = Case("lam > 0", a + b < 1, (1 - a) / b, (1 - b) / a, R * (1 - a) - b, ONE, ZERO)
NEGATIVE = Case("lam < 0", a + b > 1, b / (1 - a), a / (1 - b), R * b - 1 + a, ZERO, ONE)
CASES = [POSITIVE, NEGATIVE]


@claim(
    "redaction.two-records",
    where="Optimal local redaction",
    statement="Let n = 2, a <= b and lam be not 0. The best local mechanism releases 0 records in "
    "expectation if R < e^i0(1), 1 if R >= e^i1(1), and in between pi0 (R-1)/(R(1-a)-b) for "
    "lam > 0, pi0 (R-1)/(Rb-1+a) for lam < 0, with r = (q,1) at the record other than p. It "
    "is a 3R mechanism, with all of eps for this side.",
    kind="closed form",
    says={"lam > 0": TWO_POSITIVE, "lam < 0": TWO_NEGATIVE},
)
def two_records(check: Check) -> None:
    """Prove it: one record, one step, and the output * as the only constraint on q.

    Thresholds: 0 is released only if e^i0(1) <= R, 1 only if e^i1(1) <= R [massny2025.lemma1]. The
    form: (1,1), (q,1), (1,q) or (0,0) [redaction.three-regions]. At most: (x, y) = (zero, one) are
    P(*|X_p=0), P(*|X_p=1) for r = (q, 1); the expected number N = pi0 (1 - q). Attained: q with
    equality: it lies in (0, 1), and the output 0 and the reverse ratio of * keep R: it is the 3R
    mechanism with its best q.
    """
    for case in CASES:
        check.tried(case.name)
