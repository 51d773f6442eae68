"""Section 6.4.1: Laplace noise of scale L/eps_DP as a mechanism with a translated promise.

A step of the query is compared with the scale: the logarithm of a ratio of densities is at most the
L1 distance of values, divided by the scale.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.influence.instances import bits, star, swapped, values
from pufferproof.claims.papers.bai2026.influence.translation import ENDS, leaks, level_kept
from pufferproof.claims.papers.bai2026.mechanisms import said
from pufferproof.claims.papers.bai2026.mechanisms.scales.said import BEST_SCALE
from pufferproof.claims.papers.bai2026.statements import chains
from pufferproof.claims.registry import Check, claim

NAME_ANY = "L bounds what one cell changes, U any set of tables"
NAME_ALL = "L bounds what one cell changes, U all tables"
NAME_CELL = "eps_DP-DP for tables that differ in one cell, U any set of tables"
NAME_FAR = "L bounds the change by the number of cells that differ, U any set of tables"
NAME_BEST = "best utility among all scales that keep the promise, U all tables"
NAME_POINTS = "best utility among the points of the curve"
NAME_MQM = "on Markov chains it is the Markov quilt mechanism"
SAYS = {
    NAME_ALL: said.NOISE_TRANSLATED,
    NAME_CELL: said.NOISE_PRIVATE,
    NAME_FAR: said.NOISE_FAR,
    NAME_POINTS: BEST_SCALE,
    NAME_MQM: chains.QUILTS,
}


@claim(
    "bai2026.laplace",
    where="Section 6.4.1",
    statement="For a query F that is L-Lipschitz in L1, F(D) + Lap(L/eps_DP) is eps_DP-DP, hence "
    "(b eps_DP + a(b))-Pufferfish, with composition; the maximum over all b gives the best "
    "utility. On Markov chains it is the Markov quilt mechanism.",
    kind="lemma",
    repair="bai2026.laplace-repaired",
    says=SAYS,
)
def laplace(check: Check) -> None:
    """Prove its parts; refute it as an optimum over all scales, and where tables are missing.

    L bounds what one cell changes, U all tables; eps_DP-DP for tables that differ in one cell. Coq
    proves both. The objects have scales b_k for L/eps_DP, and eps for the most that one cell
    changes the coordinates, each in units of its scale. Several releases are one with more
    coordinates.

    L bounds the change by the number of cells that differ, U any set of tables. D, D' that agree on
    L differ in at most b cells: the logarithm of the ratio of densities is at most b eps_DP, with
    no table needed between them. Coq proves it.

    Best utility among the points of the curve. Noise of scale s is L/s private. A point allows it
    if and only if L/s <= (eps_puffer - a(b))/b. Coq proves it.

    On Markov chains it is the Markov quilt mechanism. The best level over all L is that over all
    quilts, for all pairs of values [bai2026.special-repaired].
    """
    _readings(check)
    with check.reading(NAME_BEST, "one counterexample") as proof:
        _not_best(proof)
    with check.reading(NAME_ANY, "one counterexample") as proof:
        _missing_tables(proof)


def _readings(check: Check) -> None:
    check.stated(NAME_ALL)
    check.stated(NAME_CELL)
    check.stated(NAME_FAR)
    check.stated(NAME_POINTS)
    check.tried(NAME_MQM)


def _missing_tables(proof: Proof) -> None:
    jump, hidden_cells, point = Fraction(3), 2, star([ENDS], 2)
    proof.counterexample(
        "two tables that are no neighbours",
        "Take U = {00, 11}, F(00) = 0 and F(11) = 3. No tables differ in one cell, so that L = 1 "
        "is allowed. With scale 1/eps_DP the densities at 0 then differ by e^(3 eps_DP), but b = "
        "2 with a(2) = 0 promises 2 eps_DP. Any jump above 2 serves as well as 3",
        {
            "U": ["00", "11"],
            "F": {"00": 0, "11": jump},
            "b": hidden_cells,
            "e^a*(b)": point,
            "log ratio in units of eps_DP": jump,
        },
        lambda: point == star(swapped([ENDS]), 2) == 1 and jump > hidden_cells,
        "largest(F) - least(F) = log_ratio_in_units_of_eps_DP > b",
    )


def _not_best(proof: Proof) -> None:
    chain, kept = bits(Fraction(3, 4), Fraction(3, 4), 2), Fraction(14, 5)
    pair = values(chain, 1)[0]
    columns = [
        {x: Fraction(1, 2 ** abs(output - int(x[0]) - int(x[1]))) for x in ("00", "01", "10", "11")}
        for output in (0, 1, 2)
    ]
    found = [
        leaks(each, {x: [u] for x, u in column.items()}) or Fraction(0)
        for each in (pair, swapped([pair])[0])
        for column in columns
    ]
    points = {b: kept / (star([pair], b) or 1) for b in (1, 2)}
    level = level_kept(proof)
    proof.counterexample(
        "two bits, equal with probability 3/4",
        "Let F = X_1 + X_2 and let X_1 be secret. Noise of scale 1/log(2) keeps log(14/5): the "
        "ratio is largest at outputs below or above all values, where the density is proportional "
        "to 2^-F or 2^F. For this promise the curve allows less than log(2): e^eps_DP is at most "
        "14/15 at b = 1, which is no level, and its square 14/5 < 4 at b = 2",
        {
            "P": "3/4 1/4; 1/4 3/4",
            "T": 2,
            "scale": "1/log(2)",
            "kept": kept,
            "e^(b eps_DP) by the curve": points,
        },
        lambda: (
            level
            and max(found) == kept
            and points[1] < 1
            and points[2] < 4
            and star([pair], 1) == 3
        ),
        "kept/largest_ratio(P) = item(e_b_eps_DP_by_the_curve, 0) < 1 and "
        "kept = item(e_b_eps_DP_by_the_curve, 1) < 2^2",
    )


@claim(
    "bai2026.laplace-repaired",
    where="Section 6.4.1, repaired",
    statement="Let F change by at most L in L1 when one cell does, U having all tables; or by at "
    "most L times the number of cells in which two tables of U differ, for any U. Then F(D) + "
    "Lap(L/eps_DP) is (b eps_DP + a(b))-Pufferfish for every b, and such releases compose. For a "
    "promise eps_puffer the largest (eps_puffer - a(b))/b gives the smallest scale that the curve "
    "gives, and on chains it is that of the best quilt.",
    kind="repair of bai2026.laplace",
    says=SAYS,
)
def laplace_repaired(check: Check) -> None:
    """As in bai2026.laplace; Coq proves all but that on Markov chains the best level is that of the
    best quilt.
    """
    _readings(check)
