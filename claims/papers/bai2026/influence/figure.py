"""Section 6.3, what Figure 3(a) shows: how the curve of a binary chain changes with p and q, and
which of its symmetries are there.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.influence.instances import bits, chain_curve
from pufferproof.claims.papers.bai2026.statements import chains as said
from pufferproof.claims.registry import Check, claim

NOTATION = {"d": "a distance"}
SAYS = {
    "p = q, falling to 0 or rising to 1": said.SPREADS,
    "exchanging p and q": said.EXCHANGED,
    "near the origin for p and q near 1/2": said.NEAR_ORIGIN,
}


@claim(
    "bai2026.chain-fig",
    where="Section 6.3, Figure 3(a)",
    statement="The curves are near the origin for p and q near 1/2. As p or q falls to 0, or rises "
    "to 1 (omitted by symmetry), correlation is stronger and the curve spreads out.",
    kind="remark",
    repair="bai2026.chain-fig-repaired",
    says=SAYS,
)
def chain_fig(check: Check) -> None:
    """Refute it for p alone, and the symmetry p, q -> 1 - p, 1 - q; prove it for p = q.

    P = q, falling to 0 or rising to 1. The closed form holds for both signs of lam
    [bai2026.chain-repaired]; one side has the ratio (1 + |lam|^d)/(1 - |lam|^d), |lam| = |2 p - 1|:
    it grows with |lam|, and 1 - p has the same.

    Exchanging p and q exchanges 0 and 1, keeps lam and exchanges pi0 and pi1: the curve, with both
    orders of a pair, is the same.

    Near the origin for p and q near 1/2. The closed form bounds the curve. |lam|^d <= |lam| <= 2 h,
    and c = (1 - z)/z <= (1 + 2 h)/(1 - 2 h) <= 2: for either sign of lam^d the ratio is at most (1
    + c |lam|^d)/(1 - c |lam|^d), as c >= 1.
    """
    with check.reading("p or q alone, the other fixed", "one counterexample") as proof:
        _alone(proof)
    with check.reading("1 - p and 1 - q have the curve of p and q", "one counterexample") as proof:
        _mirrored(proof)
    _readings(check)


def _readings(check: Check) -> None:
    check.tried("p = q, falling to 0 or rising to 1")
    check.tried("exchanging p and q")
    check.tried("near the origin for p and q near 1/2")


def _alone(proof: Proof) -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    values = [chain_curve(bits(stay, 2 * third, 2), 1) for stay in (half, third)]
    places = [Fraction(tenth, 12) for tenth in range(1, 12)]
    drawn = [chain_curve(bits(stay, 2 * third, 2), 1) for stay in places]
    proof.counterexample(
        "p falls from 1/2 to 1/3 at q = 2/3",
        "As lam = p + q - 1 falls from 1/6 to 0, the records become independent: e^a*(1) falls "
        "from 3/2 to 1, and the curve collapses to the origin. On the way to p = 0 the curve "
        "spreads again",
        {
            "T": 2,
            "b": 1,
            "q": 2 * third,
            "e^a* at p = 1/2": values[0],
            "at p = 1/3": values[1],
            "curves": {"p": places, "e^a*(1)": drawn},
        },
        lambda: values == [Fraction(3, 2), Fraction(1)],
        "largest_ratio(bits(1/2, 1 - q)) > largest_ratio(bits(2/3, 1 - q))",
    )


def _mirrored(proof: Proof) -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    values = [chain_curve(bits(half, stay, 4), 3) for stay in (third, 2 * third)]
    proof.counterexample(
        "p = 1/2 with q = 1/3 and with q = 2/3",
        "Take T = 4 and b = 3. Then lam is -1/6 and 1/6, but the stationary laws differ too, "
        "(4/7, 3/7) and (2/5, 3/5): e^a*(3) is 16/15 and 15/14. Chains of up to three records "
        "have both the same curve at these values",
        {"T": 4, "b": 3, "p": half, "q": third, "e^a*": values[0], "of 1 - p, 1 - q": values[1]},
        lambda: values == [Fraction(16, 15), Fraction(15, 14)],
        "largest_ratio(power(bits(1 - p, 1 - q), 2)) = e_a != largest_ratio(power(bits(p, q), 2))",
    )


@claim(
    "bai2026.chain-fig-repaired",
    where="Section 6.3, Figure 3(a), repaired",
    statement="The curve of p and q is that of q and p. For p = q and T >= 2 b + 1 it spreads out "
    "as p moves away from 1/2 to either side, 1 - p having the curve of p. With p and q within h "
    "< 1/6 of 1/2 each side adds at most log((1 + 4 h)/(1 - 4 h)) to it, which tends to 0 with h.",
    kind="repair of bai2026.chain-fig",
    says=SAYS,
)
def chain_fig_repaired(check: Check) -> None:
    """Prove the three parts.

    P = q, falling to 0 or rising to 1; near the origin for p and q near 1/2. As in
    bai2026.chain-fig.

    Exchanging p and q. The other value: Exchanging 0 and 1 exchanges p and q, keeps lam and
    exchanges pi0 and pi1: the curve, with both orders of a pair, is the same.
    """
    _readings(check)
