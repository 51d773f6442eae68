"""Redaction that sees all records at once: its optimum for two records, under perfect privacy, and
what locality costs.

A central redaction mechanism chooses the set of released records given the whole sequence. Expected
numbers of released records throughout; P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps, pi0 =
b/(a+b), pi1 = a/(a+b). Source of the setting: massny2025, which considers local mechanisms.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    at_least,
    at_most,
    below,
    edited,
    letter,
    letters,
    proved,
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
A, B = letters("A B", "P(X_2 = 0, released | X_p = 0), P(X_2 = 1, released | X_p = 0)")
C, D = letters("C D", "P(X_2 = 0, released | X_p = 1), P(X_2 = 1, released | X_p = 1)")
N = letter("N", "a + b times the expected number of released records")
central, local = letters(
    "central local",
    "expected numbers of released records of the central and of the local mechanism",
    at_most(1),
)
q = letter(
    "q",
    "the probability that the best local mechanism redacts the value 0 of the record",
    at_least(0),
    below(1),
)
w = letter("w", "R q, with equality in the constraint of the output *")
u, v = letters(
    "u v",
    "probabilities of an output that shows X_p = x, given X_p = x and given another value",
    at_least(0),
)
CHAIN = [a > 0, a <= b, b < 1]
EXPECTED = b * (A + B) + a * (C + D)  # a + b times the expected number of released records
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
    """Prove it by weak duality, with multipliers, and by a mechanism for each case."""
    for name in SIGNS:
        proved(
            check,
            name,
            f"all 0 < a <= b < 1 with {name}, every R >= 1",
            partial(_central_two, name=name),
            **{"1% less than U": _less_than_u(name), "U alone": _u_alone(name)},
        )


def _less_than_u(name: str) -> list[Edit]:
    first = bounds(name)[0]
    return [Edit("at most U", instead=EXPECTED <= sympy.Rational(99, 100) * first)]


def _u_alone(name: str) -> list[Edit]:
    return [Edit(f"{each.name} is attained", without=each.case) for each in _mechanisms(name)]


def _central_two(proof: Proof, name: str) -> None:
    proof.cite("X_p", "cannot be shown at a finite level, by any output", "redaction.central-own")
    _dual(proof, name)
    _primal(proof, name)


@dataclass(frozen=True)
class Mechanism:
    """A mechanism that attains a bound: where it does, its A, B, C, D, and the bound."""

    name: str
    case: sympy.Rel
    point: Mapping[sympy.Symbol, sympy.Expr]
    value: sympy.Expr


def _mechanisms(name: str) -> list[Mechanism]:
    first, second, _ = bounds(name)
    if name == "lam > 0":
        limit = b * (R + 1)
        small = {A: R * b, B: a, C: b, D: R * a}
        large = {A: 1 - (1 - b) / R, B: a, C: b, D: R * a}
    else:
        limit = (1 - a) * (R + 1)
        small = {A: 1 - a, B: R * (1 - b), C: R * (1 - a), D: 1 - b}
        large = {A: 1 - a, B: R * (1 - b), C: 1 - a / R, D: 1 - b}
    return [Mechanism("U", limit <= 1, small, first), Mechanism("V", limit >= 1, large, second)]


def _constraints() -> list[sympy.Rel]:
    """Constraints on A, B = P(X_2 = 0, 1 released | X_p = 0) and C, D given X_p = 1."""
    limits = [A <= 1 - a, B <= a, C <= b, D <= 1 - b, A >= 0, B >= 0, C >= 0, D >= 0]
    ratios = [A <= R * C, C <= R * A, B <= R * D, D <= R * B]
    return [*limits, *ratios, 1 - A - B <= R * (1 - C - D), 1 - C - D <= R * (1 - A - B)]


def _multiplied(name: str) -> list[sympy.Rel]:
    """Return the constraints that bound the expected number, the one of the output * last."""
    if name == "lam > 0":
        return [A <= R * C, D <= R * B, C <= b, B <= a, 1 - C - D <= R * (1 - A - B)]
    return [C <= R * A, B <= R * D, A <= 1 - a, D <= 1 - b, 1 - A - B <= R * (1 - C - D)]


def _dual(proof: Proof, name: str) -> None:
    first, second, _ = bounds(name)
    *shown, hidden = _multiplied(name)
    proof.inequality(
        "at most U",
        "A, B are the probabilities that X_2 is released and 0, 1 given X_p = 0, C, D those given "
        "X_p = 1: two outputs, each weighted",
        EXPECTED <= first,
        [*shown, *CHAIN],
    )
    proof.inequality(
        "at most V",
        "with the output * as well; multiplied by R",
        R * EXPECTED <= sympy.expand(R * second),
        [*shown, hidden, *CHAIN],
    )
    proof.inequality(
        "at most 1",
        "probabilities",
        EXPECTED <= a + b,
        [A + B <= 1, C + D <= 1, *CHAIN],
    )


def _primal(proof: Proof, name: str) -> None:
    # R e^(-i1(1)) as zero/one
    zero, one = (R * a, 1 - b) if name == "lam > 0" else (R * (1 - b), a)
    for each in _mechanisms(name):
        point = ", ".join(map(str, each.point.values()))
        proof.inequality(
            f"{each.name} is its value",
            f"N is a + b times the expected number for A, B, C, D = {point}",
            Eq(N, each.value),
            [Eq(N, EXPECTED), *(Eq(*pair) for pair in each.point.items())],
        )
        kept = [constraint.subs(each.point, simultaneous=True) for constraint in _constraints()]
        proof.inequality(
            f"{each.name} is attained",
            "all limits and ratios are kept there",
            sympy.And(*kept),
            [*CHAIN, SIGNS[name], each.case, zero <= one],
        )
    proof.inequality(
        "1 is attained",
        "where i1(1) <= eps all of X_2 is released",
        (1 - a <= R * b) & (b <= R * (1 - a)) & (a <= R * (1 - b)) & (1 - b <= R * a),
        [*CHAIN, SIGNS[name], zero >= one],
    )


@claim(
    "redaction.central-own",
    where="Central redaction",
    statement="A mechanism of finite leakage about X_p never releases X_p: local or central, for "
    "every law of the records under which X_p has at least two possible values.",
    kind="lemma",
    says=CENTRAL_OWN,
)
def central_own(check: Check) -> None:
    """Prove that an output that shows X_p = x has probability 0 given another value of X_p."""
    name = "as stated"
    proved(check, name, "all laws under which X_p is not certain", _own)
    check.near_miss(
        f"{name}: an output that does not show X_p",
        edited(_own, Edit("its outputs", without=Eq(v, 0))),
    )
    check.near_miss(f"{name}: a certain X_p", edited(_own, Edit("its outputs", without=u <= R * v)))


def _own(proof: Proof) -> None:
    proof.inequality(
        "its outputs",
        "u, v are the probabilities of an output that shows X_p = x, given X_p = x and given "
        "another possible value of X_p. R is the ratio of the leakage, which compares every two "
        "possible values",
        Eq(u, 0),
        [u <= R * v, Eq(v, 0)],
    )


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
    """Compare the two closed forms."""
    proved(
        check,
        COST,
        "all 0 < a <= b < 1 with a + b != 1, every R >= 1",
        _below,
        by_a_tenth_of_a_record=_by_a_tenth(),
    )
    proved(check, STRICT, "all 0 < a <= b < 1, every R >= 1", _from_there_on)
    own = Edit("nothing is left", without=central <= 1, given=central <= 2)
    check.near_miss(f"{STRICT}: X_p too", edited(_from_there_on, own))
    proved(
        check,
        MOST,
        "all 0 < a <= b < 1, every R >= 1",
        _largest_difference,
        **{"99/100": Edit("less than 1, lam > 0", put={a + b: sympy.Rational(99, 100) * (a + b)})},
    )


def _by_a_tenth() -> list[Edit]:
    first, second, whole = bounds("lam > 0")
    part = (a + b) / 10
    more, multiplied = b * (1 - q) + part, sympy.expand(R * second)
    return [
        Edit("nothing local, lam > 0", instead=(first > part) & (multiplied > R * part)),
        Edit("U and 1, lam > 0", instead=(more < first) & (more < whole)),
        Edit("V, lam > 0", instead=b * (R - w) + R * part < multiplied),
    ]


def _below(proof: Proof) -> None:
    _closed_forms(proof)
    for name in SIGNS:
        _more(proof, name)


def _from_there_on(proof: Proof) -> None:
    proof.cite("all records but p", "are released by a local mechanism", "massny2025.x-dim-leakage")
    _whole(proof)


def _largest_difference(proof: Proof) -> None:
    _closed_forms(proof)
    for name in SIGNS:
        _perfect(proof, name)
        _largest(proof, name)


def _closed_forms(proof: Proof) -> None:
    proof.cite("central", "min(1, U, V)", "redaction.central-two")
    proof.cite("local", "0 below e^i0(1), then pi0 (1 - q)", "redaction.two-records")


def _more(proof: Proof, name: str) -> None:
    first, second, whole = bounds(name)
    negative = name == "lam < 0"
    reach, low = (R * (1 - a), b) if negative else (R * b, 1 - a)  # R e^(-i0(1)) as reach/low
    below = R * (1 - b) < a if negative else R * a < 1 - b
    assumed = [*CHAIN, SIGNS[name], below]
    proof.inequality(
        f"nothing local, {name}",
        "below e^i0(1) the local optimum is 0; U, V (multiplied by R) and 1 are positive",
        (first > 0) & (sympy.expand(R * second) > 0),
        [*assumed, reach < low],
    )
    between = [*assumed, reach >= low]
    proof.inequality(
        f"U and 1, {name}",
        "b (1 - q) is a + b times the local optimum from e^i0(1) on",
        (b * (1 - q) < first) & (b * (1 - q) < whole),
        between,
    )
    _below_v(proof, name, between)


def _below_v(proof: Proof, name: str, between: list[sympy.Rel]) -> None:
    """Compare with V; w = R q, from equality in the constraint of the output *."""
    tight = w >= b * q + 1 - b - R * a
    if name == "lam < 0":
        tight = Eq(b * w, (1 - a) * q + a - R * (1 - b))
    else:
        proof.inequality(
            f"w, {name}",
            "equality in the constraint of * is (1-a) w = b q + 1 - b - R a",
            tight,
            [Eq((1 - a) * w, b * q + 1 - b - R * a), w >= 0, *CHAIN],
            for_any=[R, q],
        )
    proof.inequality(
        f"V, {name}",
        "multiplied by R; w = R q, q with equality in the constraint of *",
        b * (R - w) < sympy.expand(R * bounds(name)[1]),
        [*between, tight, w >= q],
    )


def _whole(proof: Proof) -> None:
    proof.inequality(
        "nothing is left",
        "central expected records of the central mechanism, local = n - 1 of the local one",
        central <= local,
        [Eq(local, 1)],
    )


def _perfect(proof: Proof, name: str) -> None:
    first, second, _ = (each.subs(R, 1) for each in bounds(name))
    size = 1 - a - b if name == "lam > 0" else a + b - 1
    proof.inequality(
        f"eps = 0, {name}",
        "the local optimum is 0 as i0(1) > 0; min(1, U, V) = 1 - |lam|, over a + b",
        Eq(first, (a + b) * (1 - size)) & Eq(second, (a + b) * (1 - size)) & (size > 0),
        [*CHAIN, SIGNS[name]],
    )


def _largest(proof: Proof, name: str) -> None:
    _, second, whole = bounds(name)
    below = R * (1 - b) < a if name == "lam < 0" else R * a < 1 - b
    proof.inequality(
        f"less than 1, {name}",
        "below e^i1(1) already V < 1 (multiplied by (a+b) R), and from there on nothing is left",
        sympy.expand(R * second) < R * whole,
        [*CHAIN, SIGNS[name], below],
    )
