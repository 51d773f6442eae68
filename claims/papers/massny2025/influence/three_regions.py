"""3R mechanisms on small chains, exactly from the definitions: regions, profiles, conditions (5),
(6) and the relaxed bound.

Ratios stand for exponentials of influences and budgets. Conditional probabilities are sums over all
databases; nothing here uses closed forms. Source: massny2025, section IV and appendix A.
"""

from collections.abc import Iterator, Mapping
from math import prod

from pufferproof.claims.language.statements import Fraction
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    NEVER,
    Chain,
    Redaction,
    given,
    leakage,
    local,
    pointwise,
)

ONE = Fraction(1)
Values = Mapping[int, Fraction]
"""q_t for t in M."""


def region(of: Chain, distance: int, budget: Fraction) -> str:
    """Return "L", "M" or "S" for a record at a distance, p itself in L; a <= b."""
    if not distance or budget < pointwise(of, distance, 0):
        return "L"
    return "M" if budget < pointwise(of, distance, 1) else "S"


def regions(of: Chain, count: int, private: int, left: Fraction, right: Fraction) -> str:
    """Return the regions of records 1 .. n as a string, for the budgets of the two sides."""
    return "".join(
        region(of, abs(t - private), left if t < private else right) for t in range(1, count + 1)
    )


def medium(split: str) -> list[int]:
    """Return the records of M."""
    return [t for t, letter in enumerate(split, 1) if letter == "M"]


def profile(split: str, q: Values) -> Redaction:
    """Return r_t = (1, 1) in L, (q_t, 1) in M, (0, 0) in S."""
    fixed = {"L": ALWAYS, "S": NEVER}
    return [fixed[letter] if letter in fixed else (q[t], ONE) for t, letter in enumerate(split, 1)]


def leaks(of: Chain, private: int, split: str, q: Values) -> Fraction | None:
    """e^Lk(X_p -> Y), by enumeration."""
    return leakage(of, len(split), private, local(profile(split, q)))


def nearer(split: str, private: int, t: int) -> list[int]:
    """Return M_t on the side of t: the records of M on that side that are not farther from p
    than t.
    """
    return [
        i
        for i in medium(split)
        if (i - private) * (t - private) > 0 and abs(i - private) <= abs(t - private)
    ]


def after(private: int, t: int) -> int:
    """Return t+, the next record away from p."""
    return t + 1 if t > private else t - 1


def delta(of: Chain, private: int, split: str, t: int) -> Fraction:
    """e^delta_t for t in M."""
    record = after(private, t)
    if not 1 <= record <= len(split):
        return ONE
    return pointwise(of, abs(record - private), {"M": 0, "S": 1}[split[record - 1]])


def relaxed(of: Chain, private: int, split: str, q: Values) -> Fraction | None:
    """Return the right side of (4): the largest e^delta_t / prod of q over M_t, None if M is
    empty.
    """
    return max(
        (
            delta(of, private, split, t) / prod(q[i] for i in nearer(split, private, t))
            for t in medium(split)
        ),
        default=None,
    )


def redacted_before(
    of: Chain,
    private: int,
    split: str,
    q: Values,
    t: int,
    shown: tuple[int, int] | None,
    value: int,
) -> Fraction:
    """Pr(X_s = z, M_t redacted | X_p = value) for shown = (s, z), without the first event for
    None.
    """
    near, total = nearer(split, private, t), Fraction(0)
    for x, weight in given(of, len(split), private, value).items():
        if shown is None or x[shown[0] - 1] == str(shown[1]):
            total += weight * prod((q[i] for i in near if x[i - 1] == "0"), start=ONE)
    return total


def events(private: int, split: str, q: Values) -> Iterator[tuple[int, tuple[int, int] | None]]:
    """Yield what (5) and (6) range over: t in M with (t+, z), z possible at t+, or None if t
    is the last record.
    """
    for t in medium(split):
        record = after(private, t)
        if not 1 <= record <= len(split):
            yield t, None
        elif split[record - 1] == "S":
            yield t, (record, 0)
            yield t, (record, 1)
        elif q[record] < 1:
            yield t, (record, 0)


def condition(
    of: Chain, private: int, split: str, q: Values, t: int, shown: tuple[int, int] | None, x: int
) -> Fraction:
    """Return the exponential of the left side of (5), or of (6) if nothing is shown."""
    return redacted_before(of, private, split, q, t, shown, x) / redacted_before(
        of, private, split, q, t, shown, 1 - x
    )


def breakpoints(of: Chain, count: int, private: int) -> list[Fraction]:
    """Return the ratios at which a region changes, in order, those above 1."""
    distances = {abs(t - private) for t in range(1, count + 1)} - {0}
    return sorted({pointwise(of, d, value) for d in distances for value in (0, 1)} - {ONE})


def small_fractions(largest: int) -> list[Fraction]:
    """Return the rationals in (0, 1) with denominators up to a bound, simplest first."""
    return [
        Fraction(i, n)
        for n in range(2, largest + 1)
        for i in range(1, n)
        if Fraction(i, n).denominator == n
    ]
