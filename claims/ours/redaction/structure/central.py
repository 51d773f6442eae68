"""Redaction that sees all records at once: its optimum for two records, under perfect privacy, and
what locality costs.

A central redaction mechanism chooses the set of released records given the whole sequence. Expected
numbers of released records throughout; P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps, pi0 =
b/(a+b), pi1 = a/(a+b). Source of the setting: massny2025, which considers local mechanisms.
"""

from fractions import Fraction
from typing import Any

from pufferproof.claims.language import (
    at_least,
    letter,
    letters,
)
from pufferproof.claims.ours.redaction.statements.central import (
    CENTRAL_NEGATIVE,
    CENTRAL_OWN,
    CENTRAL_POSITIVE,
    LOCALITY_BELOW,
    LOCALITY_REACHED,
    MOST_DIFFERENCE,
)
from pufferproof.claims.papers.massny2025.influence.instances import Chain
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps", at_least(1))
a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)")
SIGNS = {"lam > 0": a + b < 1, "lam < 0": a + b > 1}


def bounds(name: str, a: Any = a, b: Any = b, R: Any = R) -> tuple[Any, Any, Any]:
    """Return the three numbers whose minimum, over a + b, is the central optimum for two
    records: of letters, or of numbers.
    """
    if name == "lam > 0":
        first = R * (a**2 + b**2) + 2 * a * b
        return first, b * (1 + a - (1 - b) / R) + a * (b + R * a), a + b
    first = b * (1 - a + R * (1 - b)) + a * (R * (1 - a) + 1 - b)
    return first, b * (1 - a + R * (1 - b)) + a * (2 - b - a / R), a + b


def two_record_optimum(of: Chain, level: Fraction) -> Fraction:
    """Return the number of records that the best central mechanism releases, n = 2, for a chain
    with a <= b.
    """
    if not of.eigenvalue:
        return Fraction(1)
    values = bounds("lam > 0" if of.eigenvalue > 0 else "lam < 0", of.a, of.b, level)
    return Fraction(min(values) / (of.a + of.b))


@claim(
    "redaction.central-two",
    where="Central redaction",
    statement="n = 2, a <= b, lam not 0: the best central mechanism, which chooses the set of "
    "released records given all of them, releases min(1, U, V) records in expectation. lam > "
    "0: (a+b) U = R (a^2 + b^2) + 2ab, (a+b) V = b (1 + a - (1-b)/R) + a (b + Ra). lam < 0: "
    "(a+b) U = b (1 - a + R(1-b)) + a (R(1-a) + 1 - b), (a+b) V = b (1 - a + R(1-b)) + a (2 - "
    "b - a/R).",
    kind="closed form",
    says={
        "lam > 0": CENTRAL_POSITIVE,
        "lam < 0": CENTRAL_NEGATIVE,
    },
)
def central_two(check: Check) -> None:
    """Prove it by weak duality, with multipliers, and by a mechanism for each case.

    Lam > 0. X_p: cannot be shown at a finite level, by any output [redaction.central-own]. At most
    U: A, B are the probabilities that X_2 is released and 0, 1 given X_p = 0, C, D those given X_p
    = 1: two outputs, each weighted. At most V: with the output * as well; multiplied by R. At most
    1: probabilities. U is its value: N is a + b times the expected number for A, B, C, D = R*b, a,
    b, R*a. U is attained: all limits and ratios are kept there. V is its value: N is a + b times
    the expected number for A, B, C, D = 1 - (1 - b)/R, a, b, R*a. V is attained: all limits and
    ratios are kept there. 1 is attained: where i1(1) <= eps all of X_2 is released.

    Lam < 0. X_p: cannot be shown at a finite level, by any output [redaction.central-own]. At most
    U: A, B are the probabilities that X_2 is released and 0, 1 given X_p = 0, C, D those given X_p
    = 1: two outputs, each weighted. At most V: with the output * as well; multiplied by R. At most
    1: probabilities. U is its value: N is a + b times the expected number for A, B, C, D = 1 - a,
    R*(1 - b), R*(1 - a), 1 - b. U is attained: all limits and ratios are kept there. V is its
    value: N is a + b times the expected number for A, B, C, D = 1 - a, R*(1 - b), 1 - a/R, 1 - b. V
    is attained: all limits and ratios are kept there. 1 is attained: where i1(1) <= eps all of X_2
    is released.
    """
    for name in SIGNS:
        check.tried(name)


@claim(
    "redaction.central-own",
    where="Central redaction",
    statement="A mechanism of finite leakage about X_p never releases X_p: local or central, for "
    "every law of the records under which X_p has at least two possible values.",
    kind="lemma",
    says=CENTRAL_OWN,
)
def central_own(check: Check) -> None:
    """Prove that an output that shows X_p = x has probability 0 given another value of X_p.

    Its outputs: u, v are the probabilities of an output that shows X_p = x, given X_p = x and given
    another possible value of X_p. R is the ratio of the leakage, which compares every two possible
    values.
    """
    name = "as stated"
    check.tried(name)


COST, STRICT, MOST = (
    "below the level e^i1(1)",
    "from the level e^i1(1) on",
    "the largest difference is 1 record",
)


@claim(
    "redaction.locality-two",
    where="Central redaction",
    statement="n = 2, a <= b: the best central mechanism releases strictly more in expectation "
    "than the best local one iff eps < i1(1), so lam is not 0. The difference is less than 1 "
    "record; at eps = 0 it is 1 - |lam| where lam is not 0, so no smaller bound holds for all "
    "a, b, eps.",
    says={
        "below the level e^i1(1)": LOCALITY_BELOW,
        "from the level e^i1(1) on": LOCALITY_REACHED,
        "the largest difference is 1 record": MOST_DIFFERENCE,
    },
)
def locality_two(check: Check) -> None:
    """Compare the two closed forms.

    Below the level e^i1(1). Central: min(1, U, V) [redaction.central-two]. Local: 0 below e^i0(1),
    then pi0 (1 - q) [redaction.two-records]. Nothing local, lam > 0: below e^i0(1) the local
    optimum is 0; U, V (multiplied by R) and 1 are positive. U and 1, lam > 0: b (1 - q) is a + b
    times the local optimum from e^i0(1) on. W, lam > 0: equality in the constraint of * is (1-a) w
    = b q + 1 - b - R a. V, lam > 0: multiplied by R; w = R q, q with equality in the constraint of
    *. Nothing local, lam < 0: below e^i0(1) the local optimum is 0; U, V (multiplied by R) and 1
    are positive. U and 1, lam < 0: b (1 - q) is a + b times the local optimum from e^i0(1) on. V,
    lam < 0: multiplied by R; w = R q, q with equality in the constraint of *.

    From the level e^i1(1) on. All records but p: are released by a local mechanism
    [massny2025.x-dim-leakage]. Nothing is left: central expected records of the central mechanism,
    local = n - 1 of the local one.

    The largest difference is 1 record. Central: min(1, U, V) [redaction.central-two]. Local: 0
    below e^i0(1), then pi0 (1 - q) [redaction.two-records]. Eps = 0, lam > 0: the local optimum is
    0 as i0(1) > 0; min(1, U, V) = 1 - |lam|, over a + b. Less than 1, lam > 0: below e^i1(1)
    already V < 1 (multiplied by (a+b) R), and from there on nothing is left. Eps = 0, lam < 0: the
    local optimum is 0 as i0(1) > 0; min(1, U, V) = 1 - |lam|, over a + b. Less than 1, lam < 0:
    below e^i1(1) already V < 1 (multiplied by (a+b) R), and from there on nothing is left.
    """
    check.tried(COST)
    check.tried(STRICT)
    check.tried(MOST)
