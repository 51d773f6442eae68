"""Appendix B: how Algorithms 1 and 2 choose the per-entry level from a collection of points of the
influence curve.

They take the least level over the points. Every point with a_l < eps_puffer allows (eps_puffer -
a_l)/b_l, every other one eps_puffer/|I|: each of them is safe, and so is the least, but the largest
is safe too; and of nothing the least is infinite.
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.composition.instances import channel_of, one_pair
from pufferproof.claims.papers.bai2026.influence.instances import star, swapped
from pufferproof.claims.papers.bai2026.influence.translation import leaks
from pufferproof.claims.papers.bai2026.statements import mechanisms
from pufferproof.claims.registry import Check, claim

EMPTY = "any collection, also an empty one"
TIGHT = "the tightest translation by the collection"
SAFE = "a collection with at least one point, U all tables"
Point = tuple[Fraction, int]


def chosen(points: Sequence[Point], eps_puffer: Fraction, size: int) -> Fraction | None:
    """eps_DP by the loop of both algorithms, None for infinity."""
    least: Fraction | None = None
    for at, count in points:
        allowed = eps_puffer / size if at >= eps_puffer else (eps_puffer - at) / count
        least = allowed if least is None else min(least, allowed)
    return least


@claim(
    "bai2026.alg1",
    where="Appendix B, Algorithm 1",
    statement="Given a collection C of points (a_l, b_l), a query F with the constant L and "
    "eps_puffer: eps_DP <- infinity; for each point eps_DP,l = eps_puffer/|I| if a_l >= "
    "eps_puffer, else (eps_puffer - a_l)/b_l, and eps_DP <- min(eps_DP, eps_DP,l). Return F(D) + "
    "Lap(L/eps_DP), which is eps_puffer-Pufferfish.",
    kind="algorithm",
    repair="bai2026.alg1-repaired",
    says={SAFE: mechanisms.ALGORITHM_1},
)
def alg1(check: Check) -> None:
    """Prove it safe; refute it as the tightest choice, and for an empty collection.

    A point of the collection: level is at most of_point for one of its points: level b_l + a_l <=
    eps_puffer if a_l < eps_puffer, and level |I| <= eps_puffer else, where (0, |I|) is a point of
    every curve. The translation: of such a level [bai2026.translate-repaired]. The mechanism: keeps
    the promise of every point [bai2026.laplace-repaired].
    """
    _algorithm(check, "the query without noise", "bai2026.laplace-repaired")


@claim(
    "bai2026.alg2",
    where="Appendix B, Algorithm 2",
    statement="Given a collection C of points (a_l, b_l), a score u(D, r) with the constant L and "
    "eps_puffer: eps_DP as in Algorithm 1. Return Z with probability proportional to exp(u(D, r) "
    "eps_DP/(2 L)), which is eps_puffer-Pufferfish.",
    kind="algorithm",
    repair="bai2026.alg2-repaired",
    says={SAFE: mechanisms.ALGORITHM_2},
)
def alg2(check: Check) -> None:
    """Prove it safe; refute it as the tightest choice, and for an empty collection.

    A point of the collection: level is at most of_point for one of its points: level b_l + a_l <=
    eps_puffer if a_l < eps_puffer, and level |I| <= eps_puffer else, where (0, |I|) is a point of
    every curve. The translation: of such a level [bai2026.translate-repaired]. The mechanism: keeps
    the promise of every point [bai2026.expmech-repaired].
    """
    _algorithm(check, "the best output without noise", "bai2026.expmech-repaired")


def _algorithm(check: Check, released: str, mechanism: str) -> None:

    check.tried(SAFE)
    with check.reading(TIGHT, "one counterexample") as proof:
        _not_tight(proof)
    with check.reading(EMPTY, "one counterexample") as proof:
        _empty(proof, released)


def _empty(proof: Proof, released: str) -> None:
    one, zero = Fraction(1), Fraction(0)
    pair = ({"0": one}, {"1": one})
    rows = {"0": [one, zero], "1": [zero, one]}
    proof.counterexample(
        released,
        "With no point eps_DP stays infinite, the scale is 0 or the exponents are infinite: "
        f"{released} is released. For one bit, F(D) = D or u(D, r) = 1 at r = D else 0, L = 1, it "
        "tells the bit. With one point or more it is safe",
        {
            "C": [],
            "I": "one cell",
            "eps_DP": "infinity",
            "ratio": "inf",
            "framework": one_pair(*pair),
            "mechanism": channel_of(rows),
            "epsilon": "log(2)",
        },
        lambda: chosen([], one, 1) is None and leaks(pair, rows) is None,
    )


def independent_points() -> list[Point]:
    """The points (a*(b), b), b = 1 and 2, of two independent bits, the first one secret."""
    half = Fraction(1, 2)
    pair = ({"00": half, "01": half}, {"10": half, "11": half})
    values = {b: {star([pair], b), star(swapped([pair]), b)} for b in (1, 2)}
    return [(Fraction(0), b) for b, found in values.items() if found == {Fraction(1)}]


def _not_tight(proof: Proof) -> None:
    points, one = independent_points(), Fraction(1)
    proof.counterexample(
        "two independent bits",
        "Let C = {(0, 1), (0, 2)}, the whole curve of two independent bits. The algorithm takes "
        "the least level, eps_puffer/2, although the point (0, 1) allows eps_puffer. Section 6.4 "
        "asks for the maximum. With one point the least and the largest level are the same",
        {"C": ["(0, 1)", "(0, 2)"], "eps_puffer": one, "eps_DP": chosen(points, one, 2)},
        lambda: (
            len(points) == 2
            and (chosen(points, one, 2) or one) < max((one - a) / b for a, b in points) == 1
        ),
        "eps_DP < (eps_puffer - 0)/1",
    )


def _repaired(check: Check, mechanism: str) -> None:

    check.tried("as repaired")


@claim(
    "bai2026.alg1-repaired",
    where="Appendix B, Algorithm 1, repaired",
    statement="Start with eps_DP = eps_puffer/|I|, for each point with a_l < eps_puffer and b_l > "
    "0 put eps_DP <- max(eps_DP, (eps_puffer - a_l)/b_l), and return F(D) + Lap(L/eps_DP). It is "
    "eps_puffer-Pufferfish for every collection of curve points, also an empty one, if U has all "
    "tables, and needs no more noise than Algorithm 1 as printed if there is at least one point "
    "and every b_l > 0.",
    kind="repair of bai2026.alg1",
    says=mechanisms.ALGORITHM_1_REPAIRED,
)
def alg1_repaired(check: Check) -> None:
    """Prove that the largest allowed level is allowed.

    Every level is allowed by a point: running_next is the level so far, allowed by its point,
    promise <= eps_puffer, or (eps_puffer - a_l)/b_l of the next one: its promise is at most
    eps_puffer too, where it starts from eps_puffer/|I| and the point (0, |I|). It is the largest:
    No point of the collection allows more, and none of them allows less than the least: the noise
    is at most that of the algorithm as printed. The mechanism: keeps the promise of every point
    [bai2026.laplace-repaired].
    """
    _repaired(check, "bai2026.laplace-repaired")


@claim(
    "bai2026.alg2-repaired",
    where="Appendix B, Algorithm 2, repaired",
    statement="With eps_DP chosen as in Algorithm 1 repaired, Z drawn with probability "
    "proportional to exp(u(D, r) eps_DP/(2 L)), L > 0 at least what one cell changes u, is "
    "eps_puffer-Pufferfish for every collection of curve points, also an empty one, if U has all "
    "tables.",
    kind="repair of bai2026.alg2",
    says=mechanisms.ALGORITHM_2_REPAIRED,
)
def alg2_repaired(check: Check) -> None:
    """Prove that the largest allowed level is allowed.

    Every level is allowed by a point: running_next is the level so far, allowed by its point,
    promise <= eps_puffer, or (eps_puffer - a_l)/b_l of the next one: its promise is at most
    eps_puffer too, where it starts from eps_puffer/|I| and the point (0, |I|). It is the largest:
    No point of the collection allows more, and none of them allows less than the least: the noise
    is at most that of the algorithm as printed. The mechanism: keeps the promise of every point
    [bai2026.expmech-repaired].
    """
    _repaired(check, "bai2026.expmech-repaired")
