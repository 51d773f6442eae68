"""Section 6.3: the closed form of the influence curve of a binary chain, and where it is the curve:
for lam >= 0, or p = q, on chains that are long enough.

u = lam^d for lam >= 0, v = |lam|^d for lam < 0. Given X_i both sides are independent; on one side,
at the distance d, a value of the shown record tells 0 from 1 with the ratio of two entries of P^d.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.influence.closed import said
from pufferproof.claims.papers.bai2026.influence.instances import (
    Ratio,
    bits,
    chain_curve,
    printed,
    term,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {"l, r": "the values of the two nearest shown records"}
NAME_SIGN = "every p and q, 1 <= b << T, both orders of X_i = 0, X_i = 1"
NAME_SHORT = "every T"
NAME_ORDER = "lam >= 0, the order X_i = 0 against X_i = 1 alone"
POSITIVE = "lam >= 0, T >= 2 b + 1, both orders"
EQUAL = "p = q, T >= 2 b + 1, both orders"
ADMITTED = "the formula as a curve, every p, q and T"
SAYS = {POSITIVE: said.POSITIVE, EQUAL: said.EQUAL, ADMITTED: said.ADMITTED}
_STEP = "bits(1 - p, 1 - q)"


@claim(
    "bai2026.chain",
    where="Section 6.3, Example 3",
    statement="For a binary chain with 0 < p, q < 1, the stationary prior and length T, b << T, "
    "secrets X_i = 0 and X_i = 1 for every i: a*(b) is the sum over d in {dL, dR} of |log[(z + "
    "lam^d (1 - z))/(z - lam^d z)]|, dL = floor((b + 1)/2), dR = ceil((b + 1)/2), and this is "
    "optimal (tight).",
    kind="theorem",
    repair="bai2026.chain-repaired",
    says=SAYS,
)
def chain_formula(check: Check) -> None:
    """Refute it for a negative eigenvalue, short chains and one order; prove it else.

    Lam >= 0, T >= 2 b + 1, both orders. The two sides are independent given X_i
    [song2017.x-markov], and all shown records are separated from X_i by the nearest ones
    [song2017.x-separated]: the ratios of the left and the right record multiply, and are attained
    together. A farther record tells less, since it sums over the nearer one: the records between
    are hidden, l + r - 1 <= b, so that l + r = b + 1 is best. Both sides show a record: else X_i
    with b records on either side, which T >= 2 b + 1 has, would need b + 1 hidden records. For any
    other record hide the same block as far as it exists; a side that it fills shows nothing.
    Exchange 0 and 1 so that pi0 <= pi1 and z = pi0: the ratio 0 against 1 at the value 0 is (pi0 +
    u pi1)/(pi0 (1 - u)), at least the ratio 1 against 0 at the value 1, (pi1 + u pi0)/(pi1 (1 - u))
    [lemma.chain-rarer-value]: the worst order is the same on both sides. An even split is best
    [lemma.chain-even-split].

    P = q, T >= 2 b + 1. As above, with pi0 = 1/2. For lam < 0, at an odd distance the value 1
    speaks for X_i = 0 by (1 + v)/(1 - v), v = |lam|^d, and the value 0 for 1 by as much; at an even
    one 0 speaks for 0: the ratio is the printed one, in both orders.

    The formula as a curve, every p, q and T. Hide X_i and the records nearer than dL and dR, b of
    them: both sides have at most their printed ratio in either order, for u = lam^d >= 0 by
    [lemma.chain-rarer-value], for lam^d = -v by [lemma.chain-rarer-value-odd], and a side that the
    block fills has 1.
    """
    with check.reading(NAME_SIGN, "one counterexample") as proof:
        _negative(proof)
    with check.reading(NAME_SHORT, "one counterexample") as proof:
        _short(proof)
    with check.reading(NAME_ORDER, "one counterexample") as proof:
        _one_order(proof)
    _readings(check)


def _readings(check: Check) -> None:
    check.stated(POSITIVE)
    check.stated(EQUAL)
    check.stated(ADMITTED)


def instances() -> Iterator[tuple[int, int, Fraction, Fraction]]:
    """List (T, b, p, q) with T >= 2 b + 1 by T, then by the denominators of p and q up to 4."""
    steps = sorted(
        {Fraction(n, size) for size in (2, 3, 4) for n in range(1, size)},
        key=lambda each: (each.denominator, each.numerator),
    )
    for length in range(3, 6):
        for hidden_ in range(1, (length - 1) // 2 + 1):
            for size in (2, 3, 4):
                for one in steps:
                    for other in steps:
                        if max(one.denominator, other.denominator) == size:
                            yield length, hidden_, one, other


def exact(instance: tuple[int, int, Fraction, Fraction]) -> Ratio:
    """e^a*(b) from the definition."""
    length, hidden_, one, other = instance
    return chain_curve(bits(one, other, length), hidden_)


def _negative(proof: Proof) -> None:
    proof.exhaust(
        "the smallest failure",
        "T = 3, 4, 5, b with T >= 2 b + 1, p and q by denominators up to 4: the first instance at "
        "which the formula is not a*(b) from the definition",
        instances(),
        lambda each: exact(each) == printed(each[2], each[3], each[1]),
        "a*(b) = the printed sum",
    )
    found = next((each for each in instances() if exact(each) != _formula(each)), None)
    if found is None:
        return
    length, hidden_, one, other = found
    proof.counterexample(
        "a chain that tends to change",
        "Take p = 1/2 and q = 1/3, so that lam = -1/6. For b = 2 the nearest shown records are at "
        "an odd and at an even distance. At odd distances the value 1 speaks for X_i = 0, and 0 "
        "for 1. So the worst order of the secrets on one side is not the worst on the other, and "
        "e^a*(2) is 63/40, while the formula gives 8/5",
        {
            "T": length,
            "b": hidden_,
            "p": one,
            "q": other,
            "e^a*": exact(found),
            "formula": _formula(found),
            "curves": _along_q(length, hidden_, one),
        },
        lambda: exact(found) != _formula(found) and one + other < 1 and length >= 2 * hidden_ + 1,
        f"largest_ratio(both({_STEP}, power({_STEP}, 2))) = e_a != formula",
    )


def _along_q(length: int, hidden_: int, one: Fraction) -> dict[str, list[Ratio]]:
    """What is drawn: e^a*(b) from the definition and by the formula, for q from 1/12 to 11/12."""
    places = [Fraction(twelfth, 12) for twelfth in range(1, 12)]
    each = [(length, hidden_, one, other) for other in places]
    return {
        "q": list(places),
        f"e^a*({hidden_})": list(map(exact, each)),
        "the formula": list(map(_formula, each)),
    }


def _formula(each: tuple[int, int, Fraction, Fraction]) -> Ratio:
    return printed(each[2], each[3], each[1])


def _short(proof: Proof) -> None:
    two_thirds = Fraction(2, 3)
    value, formula = (
        chain_curve(bits(two_thirds, two_thirds, 1), 1),
        printed(two_thirds, two_thirds, 1),
    )
    proof.counterexample(
        "one record",
        "Take T = b = 1. Then all records are hidden and a*(1) = 0, but the formula gives log(4) "
        "for p = q = 2/3",
        {"T": 1, "b": 1, "p": two_thirds, "q": two_thirds, "e^a*": value, "formula": formula},
        lambda: value == 1 and formula == 4,
        f"largest_ratio({_STEP})^2 = formula > e_a",
    )


def _one_order(proof: Proof) -> None:
    one, other = Fraction(2, 3), Fraction(1, 2)
    value = chain_curve(bits(one, other, 3), 1, ordered=True)
    formula = printed(one, other, 1)
    proof.counterexample(
        "a rare value that no pair puts first",
        "Take p = 2/3, q = 1/2, T = 3 and b = 1, and the pairs (X_i = 0, X_i = 1) in this order. "
        "The value 0 of each neighbour multiplies the odds of X_i = 0 by 4/3, so that e^a*(1) = "
        "16/9. The formula has z = pi1 and gives 9/4, which belongs to the other order. For q >= "
        "p the formula is right for this order",
        {"T": 3, "b": 1, "p": one, "q": other, "e^a*": value, "formula": formula},
        lambda: (
            value == Fraction(16, 9)
            and formula == Fraction(9, 4) == (term(one, other, 1) or 0) ** 2
        ),
        f"entry({_STEP}, 0, 0)^2/entry({_STEP}, 1, 0)^2 = e_a != formula",
    )


@claim(
    "bai2026.chain-repaired",
    where="Section 6.3, Example 3, repaired",
    kind="repair of bai2026.chain",
    says=SAYS,
)
def chain_repaired(check: Check) -> None:
    """Prove the three parts.

    As in bai2026.chain.
    """
    _readings(check)
