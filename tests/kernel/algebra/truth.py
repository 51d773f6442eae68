"""Whether a certificate of pure mathematics with a changed number follows, by other
computations.
"""

from fractions import Fraction
from typing import Any

import mpmath
from tests.kernel.changes import Change, at


def holds(change: Change) -> bool:
    return still_true(change.certificate["kind"], change.certificate["claim"], change.place)


def still_true(kind: str, claim: Any, place: tuple[Any, ...]) -> bool:
    """Say, by a computation of its own, whether a changed claim still follows as its
    certificate says.
    """
    if kind == "farkas":
        rows, factors = claim["rows"], [Fraction(str(y)) for y in claim["multipliers"]]
        goal = claim["conclusion"] or {"row": ["0"] * len(claim["variables"]), "bound": 0, "relation": "<"}
        right = [y >= 0 or row[2] == "=" for y, row in zip(factors, rows)]
        for j, coefficient in enumerate(goal["row"]):
            right.append(
                sum(y * Fraction(str(row[0][j])) for y, row in zip(factors, rows)) == Fraction(str(coefficient))
            )
        slack = Fraction(str(goal["bound"])) - sum(y * Fraction(str(row[1])) for y, row in zip(factors, rows))
        strict = goal["relation"] == "<=" or any(y > 0 and row[2] == "<" for y, row in zip(factors, rows))
        return all(right) and (slack > 0 or (slack == 0 and strict))
    if kind == "exp-enclosure":
        with mpmath.workdps(60):
            value = mpmath.mpf(1) * Fraction(str(claim.get("exponent", claim.get("log_of")))).numerator
            value /= Fraction(str(claim.get("exponent", claim.get("log_of")))).denominator
            exact = mpmath.exp(value) if "exponent" in claim else mpmath.log(value)
            bounds = [None if claim[side] is None else Fraction(str(claim[side])) for side in ("lower", "upper")]
            low, high = (None if b is None else mpmath.mpf(b.numerator) / b.denominator for b in bounds)
            return bool((low is None or low <= exact) and (high is None or exact <= high))
    if place[1] == "assumptions":  # one that no term uses
        return all(term["powers"][place[2]] == 0 for term in claim["proof"])
    # an exponent of a monomial with the coefficient 0
    return place[-2] == 1 and str(at(claim, (*place[1:-2], 0))) == "0"
