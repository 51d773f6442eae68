"""Section 6.2, from per-entry differential privacy to Pufferfish: true on all tables over a product
of cell domains, false on other sets of tables, and not the exact level.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from sympy import And

from pufferproof.claims.language import Proof, letters
from pufferproof.claims.papers.bai2026.composition.instances import channel_of, one_pair
from pufferproof.claims.papers.bai2026.influence import said
from pufferproof.claims.papers.bai2026.influence.instances import Laws, star, swapped
from pufferproof.claims.registry import Check, claim

u00, u01, u10, u11 = letters("u00 u01 u10 u11", "P(w | x) at the tables x of two bits")
NOTATION = {
    "a, b": "a point (a, b) of the curve, or a number b of hidden cells",
    "M": "a mechanism",
    "U": "the set of all tables that M has to treat",
}
Rows = Mapping[str, Sequence[Fraction]]
ONE, ZERO = Fraction(1), Fraction(0)
ENDS = ({"00": ONE}, {"11": ONE})
"""The secrets X = 00 and X = 11."""


def neighbours(rows: Rows) -> Fraction | None:
    """e^eps_DP: the largest ratio over tables of U that differ in one cell, None if infinite."""
    best = ONE
    for x, y in product(rows, repeat=2):
        if sum(a != b for a, b in zip(x, y)) == 1:
            for one, other in zip(rows[x], rows[y]):
                if one and not other:
                    return None
                best = max(best, one / other if other else best)
    return best


def leaks(pair: Laws, rows: Rows) -> Fraction | None:
    """The largest P(w | s_i)/P(w | s_j), None if infinite."""
    best = ZERO
    for place in range(len(next(iter(rows.values())))):
        first, second = (sum((p * rows[x][place] for x, p in law.items()), ZERO) for law in pair)
        if first and not second:
            return None
        best = max(best, first / second if second else best)
    return best


@claim(
    "bai2026.translate",
    where="Section 6.2, Theorem 2",
    statement="Let (Theta, S) satisfy a(b)-influence, (a, b) be on the curve, a < eps_puffer, and "
    "let M have per-entry eps_DP-differential privacy with eps_DP <= (eps_puffer - a)/b. Then M is "
    "eps_puffer-Pufferfish for (Theta, S).",
    kind="theorem",
    repair="bai2026.translate-repaired",
    says={"U all tables over a product of cell domains": said.TRANSLATE},
)
def translate(check: Check) -> None:
    """Coq proves it for all tables; refute it where values that one secret excludes are left out of
    the curve, and where tables are missing.
    """
    check.stated("U all tables over a product of cell domains")
    for name, build in {
        "D_L possible given both secrets only, U all tables": _shared,
        "U connected by changes of one cell": _detour,
        "U any set of tables": _missing_tables,
    }.items():
        with check.reading(name, "one counterexample") as proof:
            build(proof)


def evidence_of(pair: Laws, rows: Rows, hidden: int, level: str) -> dict[str, object]:
    """What a counterexample shows: the framework, the mechanism and the promise that it breaks."""
    used = {x for law in pair for x in law}
    found, per_entry, point = leaks(pair, rows), neighbours(rows), star([pair], hidden)
    return {
        "U": list(rows),
        "e^eps_DP": "inf" if per_entry is None else per_entry,
        "b": hidden,
        "e^a*(b)": "inf" if point is None else point,
        "ratio": "inf" if found is None else found,
        "framework": one_pair(*pair),
        "mechanism": channel_of({x: row for x, row in rows.items() if x in used}),
        "epsilon": level,
    }


def _missing_tables(proof: Proof) -> None:
    rows = {"00": [ONE, ZERO], "11": [ZERO, ONE]}
    proof.counterexample(
        "two tables that are no neighbours",
        "Take U = {00, 11}. Then no two tables differ in one cell, so that the mechanism that "
        "tells the table is per-entry 0-DP. With b = 2 the point (0, 2) is on the curve, and "
        "eps_DP = 0 <= (eps_puffer - 0)/2 for every eps_puffer > 0; but it leaks infinitely much. "
        "Tables of one cell are neighbours, one table has no pair of secrets, and the entries are "
        "0 and 1",
        evidence_of(ENDS, rows, 2, "log(2)"),
        lambda: (
            neighbours(rows) == 1
            and leaks(ENDS, rows) is None
            and star([ENDS], 2) == star(swapped([ENDS]), 2) == 1
        ),
    )


def path_rows() -> Iterator[Rows]:
    """Mechanisms on 00, 02, 12, 11 with two outputs, by the denominator of their entries."""
    for size in range(2, 7):
        for numbers in product(range(size, -1, -1), repeat=4):
            yield {
                x: [Fraction(n, size), 1 - Fraction(n, size)]
                for x, n in zip(("00", "02", "12", "11"), numbers)
            }


def _breaks(rows: Rows) -> bool:
    """Say whether the ratio of 00 and 11 exceeds the square of the largest one of neighbours."""
    level, found = neighbours(rows), leaks(ENDS, rows)
    return level is not None and (found is None or found > level**2)


def _detour(proof: Proof) -> None:
    proof.exhaust(
        "four tables on a path",
        "U = {00, 02, 12, 11}, secrets 00 and 11, two outputs, entries in multiples of 1/N, N from "
        "2 on: with b = 2, a*(2) = 0 and eps_puffer = 2 eps_DP the first failure has the smallest "
        "denominator. Connected sets of three tables keep distances of two inside U",
        path_rows(),
        lambda rows: not _breaks(rows),
        "P(w | 00) <= R^2 P(w | 11) for R the largest ratio of neighbours",
    )
    rows = next((each for each in path_rows() if _breaks(each)), None)
    if rows is None:
        return
    level = neighbours(rows) or ONE
    proof.counterexample(
        "a detour of three changes",
        "00 and 11 differ in two cells, but the way from one to the other inside U has three "
        "changes: eps_puffer = 2 eps_DP + a*(2), where a*(2) = 0, is exceeded",
        evidence_of(ENDS, rows, 2, f"log({level**2})"),
        lambda: star([ENDS], 2) == 1 and (leaks(ENDS, rows) or ZERO) > level**2,
    )


def _shared(proof: Proof) -> None:
    rows = {
        x: [Fraction(n, 7), Fraction(7 - n, 7)]
        for x, n in (("00", 4), ("01", 2), ("10", 2), ("11", 1))
    }
    level = neighbours(rows) or ONE
    proof.counterexample(
        "two bits that are always equal",
        "X_1 is secret, X_2 = X_1, U has all four tables. With L = {X_2} no value of D_L is "
        "possible given both secrets: if only such values counted, a(1) = 0 would be admitted, and "
        "eps_puffer = eps_DP = log(2) promised; but the ratio of the first output is 4. With one "
        "cell L is empty or all",
        evidence_of(ENDS, rows, 1, f"log({level})"),
        lambda: (
            level == 2
            and leaks(ENDS, rows) == 4
            and star([ENDS], 1) is None
            and star([ENDS], 1, both=True) == 0
        ),
    )


def level_kept(proof: Proof) -> bool:
    """Prove that every mechanism of per-entry level 2 on two bits, equal with probability 3/4,
    keeps the level log(14/5) for the first one.
    """
    first, second = 3 * u00 + u01, u10 + 3 * u11
    neighbours = [(u00, u01), (u00, u10), (u01, u11), (u10, u11)]
    return proof.inequality(
        "every mechanism",
        "u_x is P(w | x) at the tables x = 00, 01, 10 and 11, within the factor 2 where one bit "
        "differs. P(w | X_1 = 0) is (3 u_00 + u_01)/4, P(w | X_1 = 1) is (u_10 + 3 u_11)/4",
        And(5 * first <= 14 * second, 5 * second <= 14 * first),
        [each for one, two in neighbours for each in (one <= 2 * two, two <= 2 * one)],
    )


@claim(
    "bai2026.translate-repaired",
    where="Section 6.2, Theorem 2, repaired",
    statement="Let (a, b) be a point of the influence curve of (Theta, S), finite, where D_L in "
    "the definition of the curve runs over all values possible given s_i, and let any two tables "
    "of U that agree on a set L with |H| <= b be joined by at most b changes of one cell inside U, "
    "as they are if U has all tables over a product of cell domains. If M is per-entry eps_DP-DP "
    "then M is (b eps_DP + a)-Pufferfish; so the least of these promises over all points holds.",
    kind="repair of bai2026.translate",
    says={"as repaired": said.TRANSLATE_REPAIRED},
)
def translate_repaired(check: Check) -> None:
    """Coq proves it with the distance inside U."""
