"""Section 6.4.2: the exponential mechanism at a translated promise; which neighbours its
sensitivity must count.

With R = e^eps_DP and weights R^(u/(2 Delta_u)) the probabilities are quotients of sums; half is
e^(eps_DP/2).
"""

from collections.abc import Mapping
from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.composition.instances import channel_of, one_pair
from pufferproof.claims.papers.bai2026.influence.instances import star, swapped
from pufferproof.claims.papers.bai2026.influence.translation import (
    ENDS,
    Rows,
    evidence_of,
    leaks,
    neighbours,
)
from pufferproof.claims.papers.bai2026.mechanisms import said
from pufferproof.claims.registry import Check, claim

CELL = "neighbours differ in one cell, or in one record, a curve of cells, U all tables"
ANY = "eps_DP-DP, for any neighbours"
NOTATION = {"R": "e^eps_DP"}
LEVEL = Fraction(2)


@claim(
    "bai2026.expmech",
    where="Section 6.4.2",
    statement="The mechanism with P(r) proportional to exp(eps_DP u(D, r)/(2 Delta_u)), Delta_u "
    "the largest |u(D, r) - u(D', r)| over neighbours and r, is eps_DP-DP and (b eps_DP + "
    "a(b))-Pufferfish with composition, the maximum over the curve being selected for the "
    "tightest translation.",
    kind="lemma",
    repair="bai2026.expmech-repaired",
    says={CELL: said.TRANSLATED, ANY: said.PRIVATE},
)
def expmech(check: Check) -> None:
    """Coq proves it for all tables; refute it for records instead of cells, for neighbours that
    add or remove a record, and where tables are missing.

    The objects have u(x, w) for eps_DP u(D, r)/(2 Delta_u), which changes by at most eps_DP/2
    between neighbours. Pairs that differ in one record are more than those that differ in one cell.
    Several releases compose [bai2026.compose-repaired].
    """
    _readings(check)
    for name, build in {
        "neighbours differ in one cell, a curve that counts records, U all tables": _records,
        "neighbours add or remove a record": _presence,
        "neighbours differ in one cell, U connected by changes of one cell": _detour,
    }.items():
        with check.reading(name, "one counterexample") as proof:
            build(proof)


def _readings(check: Check) -> None:
    check.stated(CELL)
    check.stated(ANY)


def two_outputs(scores: Mapping[str, int]) -> Rows:
    """The mechanism with u(D, 0) = f(D)/2 and u(D, 1) = -f(D)/2, e^eps_DP = 2, Delta_u = 1/2: odds
    of 0 to 1 are 2^f.
    """
    odds = {x: LEVEL**f for x, f in scores.items()}
    return {x: [each / (1 + each), 1 / (1 + each)] for x, each in odds.items()}


def _detour(proof: Proof) -> None:
    scores = {"00": 0, "02": -1, "12": -2, "11": -3}
    rows = two_outputs(scores)
    steps = [abs(scores[x] - scores[y]) for x, y in (("00", "02"), ("02", "12"), ("12", "11"))]
    proof.counterexample(
        "a detour of three changes",
        "Take U = {00, 02, 12, 11}, e^eps_DP = 2 and outputs with the scores f/2 and -f/2, where "
        "f = 0, -1, -2, -3 along the path. Then Delta_u = 1/2. The tables 00 and 11 differ in two "
        "cells, and a(2) = 0 promises 2 eps_DP, a ratio of 4; but the ratio is 9/2. (Without any "
        "neighbours, as in {00, 11}, Delta_u is a maximum over nothing.)",
        evidence_of(ENDS, rows, 2, "log(4)"),
        lambda: (
            max(steps) == 1
            and (neighbours(rows) or 0) <= LEVEL
            and leaks(ENDS, rows) == Fraction(9, 2)
            and star([ENDS], 2) == star(swapped([ENDS]), 2) == 1
        ),
    )


def _records(proof: Proof) -> None:
    rows = two_outputs({"00": 0, "01": -1, "10": -1, "11": -2})
    proof.counterexample(
        "one record of two cells",
        "Outputs with the scores f/2 and -f/2, f = minus the number of ones, e^eps_DP = 2, one "
        "record, which is 00 or 11: b = 1 in records with a(1) = 0 promises 2; the ratio is 5/2",
        evidence_of(ENDS, rows, 2, "log(2)"),
        lambda: (neighbours(rows) or 0) <= LEVEL and leaks(ENDS, rows) == Fraction(5, 2),
    )


def presence_rows() -> Rows:
    """Three outputs with scores 1, -1, -1 for the record 0, -1, 1, 1 for 1 and 0 for no record;
    e^eps_DP = 2, Delta_u = 1.
    """
    weights = {"0": (2, 1, 1), "1": (1, 2, 2), "-": (1, 1, 1)}
    return {x: [Fraction(each, sum(row)) for each in row] for x, row in weights.items()}


def _presence(proof: Proof) -> None:
    rows, one = presence_rows(), Fraction(1)
    pair = ({"0": one}, {"1": one})
    proof.counterexample(
        "one record that is 0 or 1",
        "Neighbours are no record and one record. Scores 1, -1, -1 for the record 0, -1, 1, 1 for "
        "1, 0 without: Delta_u = 1, weights R^(u/2) times a constant, R = e^eps_DP = 2. b = 1 and "
        "a(1) = 0 promise eps_DP; but 0 and 1 are two changes apart: the ratio is 5/2 > 2",
        {
            "e^eps_DP": LEVEL,
            "b": 1,
            "ratio": leaks(pair, rows),
            "framework": one_pair(*pair),
            "mechanism": channel_of({x: rows[x] for x in "01"}),
            "epsilon": "log(2)",
        },
        lambda: (
            leaks(pair, rows) == Fraction(5, 2)
            and all(
                p <= LEVEL * q and q <= LEVEL * p for x in "01" for p, q in zip(rows[x], rows["-"])
            )
        ),
    )


@claim(
    "bai2026.expmech-repaired",
    where="Section 6.4.2, repaired",
    statement="Let U have all tables over a product of cell domains and let Delta_u > 0 be at "
    "least the largest |u(D, r) - u(D', r)| over tables that differ in one cell, or in one "
    "record. Then the mechanism with P(r) proportional to exp(eps_DP u(D, r)/(2 Delta_u)) is "
    "per-entry eps_DP-DP and (b eps_DP + a(b))-Pufferfish for every b, a(b) a curve of cells.",
    kind="repair of bai2026.expmech",
    says={CELL: said.TRANSLATED, ANY: said.PRIVATE},
)
def expmech_repaired(check: Check) -> None:
    """Coq proves it for cells and for records.

    As in bai2026.expmech.
    """
    _readings(check)
