"""The proof of the closed form of Section 6.3, step by step: powers of the chain, the ends of the
hidden block, the worst values, and convexity.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.influence.chains import exact
from pufferproof.claims.papers.bai2026.influence.instances import bits, chain_curve, term
from pufferproof.claims.papers.bai2026.statements import chains as said
from pufferproof.claims.registry import Check, claim

SAYS = {
    "reversible, and the powers": said.POWERS,
    "a block, its two ends, any place away from the ends": said.BLOCK,
    "0 is worst on each side if q >= p": said.WORST_VALUE,
    "convex in k, lam >= 0, so that the even split is optimal": said.CONVEX,
}
NOTATION = {"l, r": "the values of the two nearest shown records"}
_STEP = "bits(1 - p, 1 - q)"


@claim(
    "bai2026.chain-steps",
    where="Section 6.3, Example 3, proof",
    statement="The chain is reversible, P^k_00 = pi0 + lam^k (1 - pi0), P^k_10 = pi0 - lam^k pi0, "
    "P^k_11 = pi1 + lam^k (1 - pi1), P^k_01 = pi1 - lam^k pi1. The best H is a block around X_i "
    "with dL + dR - 1 = b, only the two nearest shown records matter, and i only at the ends. "
    "a*(b) = min over dL + dR - 1 = b of max over l, r of |log(P^dL_0l/P^dL_1l)| + "
    "|log(P^dR_0r/P^dR_1r)|. The value 0 is worst on each side iff q > p. The log-ratios are "
    "convex in k, so that the even split is optimal.",
    kind="proof steps",
    repair="bai2026.chain-steps-repaired",
    says=SAYS,
)
def chain_steps(check: Check) -> None:
    """Refute the sum of absolute values, convexity and "iff" beyond lam > 0; prove the rest.

    Reversible, and the powers. pi0 (1 - p) = pi1 (1 - q) with pi0 = (1 - q)/(2 - p - q) and pi1 = 1
    - pi0. The powers are pi0 + lam^k (1 - pi0) and pi0 - lam^k pi0, by induction over k with one
    more first step; P^k_01 and P^k_11 are 1 minus these.

    A block, its two ends, any place away from the ends. As in bai2026.chain.

    0 is worst on each side if q >= p. For lam^k = u >= 0 it has (pi0 + u pi1)/(pi0 (1 - u)), the
    value 1 (pi1 + u pi0)/(pi1 (1 - u)) [lemma.chain-rarer-value]; for lam^k = -v pi0 (1 + v)/(pi0 -
    v pi1) against pi1 (1 + v)/(pi1 - v pi0) [lemma.chain-rarer-value-odd].

    Convex in k, lam >= 0, so that the even split is optimal. At k, k + 1 and k + 2 the ratio is (1
    + c u)/(1 - u), c = (1 - z)/z, with u, lam u and lam^2 u [lemma.chain-midpoints]; the products
    over both sides compare crosswise [lemma.chain-even-split].
    """
    with check.reading("a*(b) by absolute values, every p and q", "one counterexample") as proof:
        _absolute(proof)
    with check.reading(
        "the split that maximises the leakage (main text)", "one counterexample"
    ) as proof:
        _largest_split(proof)
    with check.reading("convex in k, every p and q", "one counterexample") as proof:
        _not_convex(proof)
    with check.reading(
        "0 is strictly worse iff q > p, every p and q", "one counterexample"
    ) as proof:
        _no_strict(proof)
    _readings(check)


def _readings(check: Check) -> None:
    check.tried("reversible, and the powers")
    check.tried("a block, its two ends, any place away from the ends")
    check.tried("0 is worst on each side if q >= p")
    check.tried("convex in k, lam >= 0, so that the even split is optimal")


def _absolute(proof: Proof) -> None:
    instance = (5, 2, Fraction(1, 2), Fraction(1, 3))
    least = min(
        (term(*instance[2:], d) or Fraction(0)) * (term(*instance[2:], 3 - d) or Fraction(0))
        for d in (1, 2)
    )
    proof.counterexample(
        "no outcome attains both absolute values",
        "Take p = 1/2, q = 1/3, T = 5 and b = 2. One shown record is at distance 1, where the "
        "value 0 speaks for X_i = 1, and one is at distance 2, where 0 speaks for X_i = 0. The "
        "logarithms of these ratios have opposite signs, so that their absolute values do not add "
        "up: e^a*(2) = 63/40, but the sum gives 8/5. For T = 3 and b = 1 the distances are equal",
        {"p": instance[2], "q": instance[3], "T": 5, "b": 2, "e^a*": exact(instance), "sum": least},
        lambda: exact(instance) == Fraction(63, 40) and least == Fraction(8, 5),
        f"largest_ratio(both({_STEP}, power({_STEP}, 2))) = e_a != sum",
    )


def _largest_split(proof: Proof) -> None:
    two = Fraction(2, 3)
    found = chain_curve(bits(two, two, 7), 3)
    splits = {
        d: (term(two, two, d) or Fraction(0)) * (term(two, two, 4 - d) or Fraction(0))
        for d in (1, 2)
    }
    proof.counterexample(
        "distances 1 and 3 against 2 and 2",
        "Take p = q = 2/3, T = 7 and b = 3. Then the split (1, 3) leaks more, 28/13, than (2, 2), "
        "25/16, which is e^a*(3): the split minimises the leakage, as in the appendix. For b < 3 "
        "there is one split up to order",
        {"p": two, "q": two, "T": 7, "b": 3, "e^a*": found, "largest split": splits[1]},
        lambda: found == splits[2] < splits[1] == max(splits.values()),
        f"largest_ratio(both({_STEP}, power({_STEP}, 3))) = largest_split > e_a = "
        f"largest_ratio(both(power({_STEP}, 2), power({_STEP}, 2)))",
    )


def steps_of(largest: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    """List (p, q, k) with lam < 0 by the largest denominator of p and q, k = 1, 2, 3."""
    for size in range(2, largest + 1):
        below = sorted({Fraction(n, m) for m in range(2, size + 1) for n in range(1, m)})
        for one in below:
            for other in below:
                if max(one.denominator, other.denominator) == size and one + other < 1:
                    yield from ((one, other, k) for k in (1, 2, 3))


def convex_at(each: tuple[Fraction, Fraction, int]) -> bool:
    """Say whether the log-ratios at k and k + 2 sum to at least twice that at k + 1."""
    one, other, k = each
    first, middle, last = (term(one, other, k + step) or Fraction(0) for step in range(3))
    return first * last >= middle**2


def _not_convex(proof: Proof) -> None:
    proof.exhaust(
        "the smallest denominators",
        "lam < 0, k = 1, 2, 3, p and q by the larger denominator: the first instance at which the "
        "term at k + 1 exceeds the mean of those at k and k + 2",
        steps_of(15),
        convex_at,
        "f(k) + f(k + 2) >= 2 f(k + 1)",
    )
    found = next((each for each in steps_of(15) if not convex_at(each)), None)
    if found is None:
        return
    one, other, k = found
    terms = [term(one, other, k + step) or Fraction(0) for step in range(3)]
    proof.counterexample(
        "a chain that nearly always changes",
        "For lam < 0 odd distances leak more than even ones: |log-ratio| is not convex, and the "
        "split 3 + 3 of b = 5 leaks more than 2 + 4",
        {"p": one, "q": other, "k": k, "ratios at k, k + 1, k + 2": terms},
        lambda: terms[0] * terms[2] < terms[1] ** 2,
        f"largest_ratio(power({_STEP}, {k})) * largest_ratio(power({_STEP}, {k + 2})) < "
        f"largest_ratio(power({_STEP}, {k + 1}))^2",
    )


def _no_strict(proof: Proof) -> None:
    one, other = Fraction(1, 3), Fraction(2, 3)
    proof.counterexample(
        "independent records",
        "Take p = 1/3 and q = 2/3. Then q > p, but lam = 0 and no value tells anything: both "
        "logarithms are 0",
        {"p": one, "q": other, "d": 1, "ratio": term(one, other, 1)},
        lambda: (
            other > one and one + other == 1 and term(one, other, 1) == term(other, one, 1) == 1
        ),
        f"largest_ratio({_STEP}) = 1 and q > p",
    )


@claim(
    "bai2026.chain-steps-repaired",
    where="Section 6.3, Example 3, proof, repaired",
    statement="For every stationary binary chain with 0 < p, q < 1 the chain is reversible and its "
    "powers are as printed; the best H is a block with dL + dR - 1 = b for a record with b records "
    "on either side, and only its two ends matter. Each |log-ratio| is largest at the value 0 if q "
    ">= p, at 1 if q <= p. For p + q >= 1 both ends have their largest ratio in one order, the "
    "log-ratios are convex in k, and the even split is optimal.",
    kind="repair of bai2026.chain-steps",
    says=SAYS,
)
def chain_steps_repaired(check: Check) -> None:
    """Prove each step.

    As in bai2026.chain-steps.
    """
    _readings(check)
