"""Where 3R is a best local mechanism: two records, and one-sided designs with a negative
eigenvalue.

P = [[1-a, a], [b, 1-b]], a <= b, lam = 1-a-b, R = e^eps, pi0 = b/(a+b); D0 and D1 are the first
distances with i0(D) <= eps and i1(D) <= eps. Source of the setting: massny2025, section IV.
"""

from dataclasses import dataclass
from functools import partial

import sympy
from sympy import Eq, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.ours.redaction.statements.optima import (
    ONE_SIDED_NEGATIVE,
    TWO_NEGATIVE,
    TWO_POSITIVE,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps", at_least(1))
a = letter("a", "P(X_(t+1) = 1 | X_t = 0)", above(0))
b = letter("b", "P(X_(t+1) = 0 | X_t = 1)", below(1))
q = letter("q", "the probability that the value 0 of a record is redacted, the value 1 always is")
N = letter("N", "the expected number of released records")
loss_3r, loss = letters(
    "loss_3r loss",
    "expected numbers of redacted records at D0 and D0 + 1, of 3R and of another mechanism",
)
first, second = letters("first second", "probabilities of redaction at D0, at D0 + 1", at_least(0))
c = letter("c", "the distance from which on all records are released")
D0, D1 = letters("D0 D1", "the first distances with i0(D) <= eps, with i1(D) <= eps")
CHAIN = [a <= b]
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
    statement="n = 2, a <= b, lam not 0: the best local mechanism releases 0 records in "
    "expectation if R < e^i0(1), 1 if R >= e^i1(1), and in between pi0 (R-1)/(R(1-a)-b) for "
    "lam > 0, pi0 (R-1)/(Rb-1+a) for lam < 0, with r = (q,1) at the record other than p. It is "
    "a 3R mechanism, with all of eps for this side.",
    kind="closed form",
    says={
        "lam > 0": TWO_POSITIVE,
        "lam < 0": TWO_NEGATIVE,
    },
)
def two_records(check: Check) -> None:
    """Prove it: one record, one step, and the output * as the only constraint on q."""
    for case in CASES:
        scope = f"all 0 < a <= b < 1 with {case.name}, every R >= 1"
        proof = partial(_two_records, case=case)
        proved(check, case.name, scope, proof, **{"1% less": less_by_1_percent(case)})


def less_by_1_percent(case: Case) -> Edit:
    """Return the near miss of the closed form: 99% of it."""
    less = N * (a + b) * case.scale <= sympy.Rational(99, 100) * b * (R - 1)
    return Edit("at most", instead=less & (case.scale > 0))


def _two_records(proof: Proof, case: Case) -> None:
    proof.cite(
        "thresholds",
        "0 is released only if e^i0(1) <= R, 1 only if e^i1(1) <= R",
        "massny2025.lemma1",
    )
    proof.cite("the form", "(1,1), (q,1), (1,q) or (0,0)", "redaction.three-regions")
    closed_form(proof, case)


def closed_form(proof: Proof, case: Case) -> None:
    """Prove the closed form between the two influences."""
    given = [*CHAIN, case.sign, R >= case.low, R < case.high, R > 1, Eq(N * (a + b), b * (1 - q))]
    proof.inequality(
        "at most",
        "(x, y) = (zero, one) are P(*|X_p=0), P(*|X_p=1) for r = (q, 1); the expected number N = "
        "pi0 (1 - q)",
        (N * (a + b) * case.scale <= b * (R - 1)) & (case.scale > 0),
        [*given, case.likelier <= R * case.rarer, q >= 0, q <= 1],
    )
    proof.inequality(
        "attained",
        "q with equality: it lies in (0, 1), and the output 0 and the reverse ratio of * keep R: "
        "it is the 3R mechanism with its best q",
        (q > 0)
        & (q < 1)
        & Eq(N * (a + b) * case.scale, b * (R - 1))
        & (ONE <= R * ZERO)
        & (ZERO <= R * ONE)
        & (1 - a <= R * b)
        & (b <= R * (1 - a)),
        [*given, Eq(case.likelier, R * case.rarer)],
    )


@claim(
    "redaction.one-sided-negative",
    where="Optimal local redaction",
    statement="p = 1, a <= b, lam < 0: for all n and eps some 3R mechanism with eps_r = eps "
    "releases as many records in expectation as any eps-private local mechanism.",
    says=ONE_SIDED_NEGATIVE,
)
def one_sided_negative(check: Check) -> None:
    """Prove that delaying the full release never pays where the medium region has one record."""
    name = "as stated"
    proved(
        check,
        name,
        "all 0 < a <= b < 1 with a + b > 1, every n and e^eps >= 1",
        _one_sided_negative,
        **{
            "two records released at D0 + 1": Edit(
                "two records",
                without=Or(
                    Eq(loss * (a + b), a + b * first + b + a * second),
                    Eq(loss * (a + b), a + b + a + b * second),
                ),
                given=Or(
                    Eq(loss * (a + b), a + b * first + a * second),
                    Eq(loss * (a + b), a + b + a + b * second),
                ),
            )
        },
    )


def _one_sided_negative(proof: Proof) -> None:
    proof.cite("the form", "(1,1) before D0, (0,0) from c >= D1 on", "redaction.one-sided")
    proof.cite("M", "has one record at most, so D1 <= D0 + 1", "massny2025.x-medium-one")
    proof.cite(
        "3R with c = D1",
        "For q = 1 it is the DIM that releases all from D1 on, of leakage i1(D1) <= eps, or "
        "nothing: so some q is feasible",
        "massny2025.x-dim-leakage",
    )
    _delayed(proof)


def _delayed(proof: Proof) -> None:
    proof.inequality(
        "two records",
        "Losses (redaction probabilities) at D0 and D0 + 1: loss_3r of 3R with (q,1), (0,0), q <= "
        "1; loss of a mechanism with c > D0 + 1, which releases 0 at D0 with probability 1 - "
        "first, or nothing, and 1 at D0 + 1 with 1 - second, or nothing; or which releases "
        "nothing at D0 and 0 at D0 + 1 with 1 - second. All else is equal or worse",
        loss_3r <= loss,
        [
            Eq(loss_3r * (a + b), a + b * q),
            q >= 0,
            q <= 1,
            Or(
                Eq(loss * (a + b), a + b * first + b + a * second),
                Eq(loss * (a + b), a + b + a + b * second),
            ),
            *CHAIN,
        ],
    )
    proof.inequality(
        "the cases",
        "Integers D0 <= D1 <= D0 + 1 and c >= D1, written c = D1 or c >= D1 + 1: c = D1 is in the "
        "3R family; for D1 = D0 the 3R mechanism has no loss from D0 on; the rest is c > D0 + 1",
        Or(Eq(c, D1), Eq(D1, D0), c > D0 + 1),
        [Or(Eq(D1, D0), Eq(D1, D0 + 1)), Or(Eq(c, D1), c >= D1 + 1)],
    )
