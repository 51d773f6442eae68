"""Section 6.2, composition of mechanisms from points of the influence curve, and how it compares
with the sum of their promises.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.influence.instances import Laws, star, swapped
from pufferproof.claims.papers.bai2026.influence.points.said import CHOSEN, COMPOSED, SUFFICIENT
from pufferproof.claims.papers.bai2026.influence.translation import (
    ENDS,
    ONE,
    ZERO,
    Rows,
    evidence_of,
    leaks,
    neighbours,
)
from pufferproof.claims.papers.bai2026.statements import curves
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "M_1, M_k": "mechanisms, M_l the one with the number l",
    "eps_DP,l": "the level of M_l",
    "eps_l": "its promise",
    "a_l, b_l": "the point of the curve used for it",
    "l": "the number of a mechanism",
}
IDENTITY: Rows = {"00": [ONE, ZERO], "11": [ZERO, ONE]}


@claim(
    "bai2026.compose",
    where="Section 6.2, Theorem 6.2",
    kind="theorem",
    repair="bai2026.compose-repaired",
    says={"per-entry DP, a curve of cells, U all tables": COMPOSED},
)
def compose(check: Check) -> None:
    """Prove it for curves of cells on all tables; refute it where the curve counts records, and
    where tables are missing.

    Per-entry levels add up, and the joint release is translated by the point with the smallest
    b_l. Tables that differ in one cell differ in one record: a level for records is one for cells.
    """
    check.stated("per-entry DP, a curve of cells, U all tables")
    with check.reading(
        "per-entry DP, a curve that counts records, U all tables", "one counterexample"
    ) as proof:
        _records_counted(proof)
    with check.reading("per-entry DP, U any set of tables", "one counterexample") as proof:
        _missing_tables(proof)


def _missing_tables(proof: Proof) -> None:
    proof.counterexample(
        "two releases on two tables that are no neighbours",
        "U = {00, 11} has no neighbours: telling the table is 0-DP, and (0, 2) is on the curve. "
        "Two such mechanisms have the promise 2 eps for every eps > 0 and leak infinitely much; so "
        "does one (k = 1)",
        {**evidence_of(ENDS, IDENTITY, 2, "log(4)"), "k": 2, "e^eps_l": Fraction(2)},
        lambda: (
            neighbours(IDENTITY) == 1
            and star([ENDS], 2) == star(swapped([ENDS]), 2) == 1
            and leaks(ENDS, IDENTITY) is None
        ),
    )


def one_record() -> tuple[Laws, Rows]:
    """One record of two bits, 00 against 11, and a mechanism of per-entry level 2."""
    rows = {
        x: [Fraction(n, 7), Fraction(7 - n, 7)]
        for x, n in (("00", 4), ("01", 2), ("10", 2), ("11", 1))
    }
    return ENDS, rows


def _records_counted(proof: Proof) -> None:
    pair, rows = one_record()
    proof.counterexample(
        "one record of two cells",
        "The record is 00 or 11. A curve that counts records has b = 1 with L empty and a(1) = 0: "
        "k = 1 and eps_1 = eps_DP = log(2) would be promised, but two cells change and the ratio "
        "is 4. With one cell for each record both curves agree",
        {**evidence_of(pair, rows, 2, "log(2)"), "records": 1, "b in records": 1, "k": 1},
        lambda: neighbours(rows) == 2 and leaks(pair, rows) == 4,
    )


@claim(
    "bai2026.compose-repaired",
    where="Section 6.2, Theorem 6.2, repaired",
    kind="repair of bai2026.compose",
    says={
        "as repaired": COMPOSED,
        "releases that outputs before choose, one point of the curve for all": CHOSEN,
    },
)
def compose_repaired(check: Check) -> None:
    """Per-entry levels add up, also where outputs before choose the next release. Any point of the
    curve translates the sum; the least promise is min_b [b sum_l eps_DP,l + a(b)].
    """
    check.stated("as repaired")
    check.stated("releases that outputs before choose, one point of the curve for all")


@claim(
    "bai2026.compose-gap",
    where="Section 6.2, Theorem 6.2",
    statement="max_l a_l - sum_l a_l is always negative, so composition is sub-additive.",
    kind="remark",
    repair="bai2026.compose-gap-repaired",
    says={"composition is at most additive in promises": SUFFICIENT},
)
def compose_gap(check: Check) -> None:
    """Refute that it is always negative, as printed; prove that it is never positive; refute it for
    what mechanisms leak.

    One more value: Values of a curve are at least 0, as both laws of D_L sum to 1: the largest is
    at most their sum, so the promise at most sum_l eps_l.
    """
    with check.reading("k >= 2, any points of the curve", "one counterexample") as proof:
        proof.counterexample(
            "independent records",
            "Take k = 2 and a(b) = 0, as for b = 1 and independent records. Then max - sum is 0 - "
            "0 - 0 = 0, which is not negative",
            {"k": 2, "a_1": ZERO, "a_2": ZERO, "max - sum": ZERO},
            lambda: (
                star([({"00": ONE / 2, "01": ONE / 2}, {"10": ONE / 2, "11": ONE / 2})], 1) == 1
                and max([ZERO, ZERO]) - sum([ZERO, ZERO]) >= 0
            ),
            "a_1 - (a_1 + a_2) = a_2 - (a_1 + a_2) = max_sum >= 0",
        )
    with check.reading("k >= 1, any points of the curve", "one counterexample") as proof:
        proof.counterexample(
            "one mechanism",
            "Take k = 1. Then max a_l - sum a_l is 0, which is not negative",
            {"k": 1, "a_1": ONE, "max - sum": ZERO},
            lambda: max([ONE]) - sum([ONE]) >= 0,
            "a_1 - a_1 = max_sum >= 0",
        )
    check.stated("composition is at most additive in promises")
    with check.reading("sub-additive in what mechanisms leak", "one counterexample") as proof:
        _leakage(proof)


def bit_that_mixes() -> tuple[Laws, Rows]:
    """X_2 is fair given X_1 = 1 and 0 given X_1 = 0; randomised response of level 2 on X_2."""
    pair = ({"10": ONE / 2, "11": ONE / 2}, {"00": ONE})
    rows = {x: [Fraction(2, 3), Fraction(1, 3)][:: 1 if x[1] == "1" else -1] for x in TABLES}
    return pair, rows


TABLES = ("00", "01", "10", "11")


def twice(rows: Rows) -> Rows:
    """Two independent runs."""
    return {x: [u * v for u in row for v in row] for x, row in rows.items()}


def _leakage(proof: Proof) -> None:
    pair, rows = bit_that_mixes()
    single = max(leaks(pair, rows) or ZERO, leaks(swapped([pair])[0], rows) or ZERO)
    joint = leaks(pair, twice(rows)) or ZERO
    proof.counterexample(
        "a bit that is fair given one secret and certain given the other",
        "X_2 is fair given X_1 = 1, and 0 given X_1 = 0. Randomised response on X_2 with e^eps_DP "
        "= 2 leaks log(3/2) about X_1, two runs log(5/2) > 2 log(3/2). Promises add up, leakages "
        "do not; with one bit they do",
        {
            **evidence_of(pair, twice(rows), 2, f"log({single**2})"),
            "ratio of one run": single,
            "ratio of two runs": joint,
        },
        lambda: neighbours(rows) == 2 and joint > single**2,
    )


@claim(
    "bai2026.compose-gap-repaired",
    where="Section 6.2, Theorem 6.2, repaired",
    statement="For points of an influence curve max_l a_l - sum_l a_l <= 0, and it is negative iff "
    "at least two of the a_l are positive.",
    kind="repair of bai2026.compose-gap",
    says={"as repaired": curves.GAP_REPAIRED},
)
def compose_gap_repaired(check: Check) -> None:
    """Prove both directions.

    One more value: Values of a curve are at least 0, as both laws of D_L sum to 1: the largest is
    at most their sum, so the promise at most sum_l eps_l. Two positive values: a1 is the largest,
    a2 > 0 another one, rest the sum of the others: a1 < a1 + a2 + rest. At most one positive value:
    Then the sum is the largest.
    """
