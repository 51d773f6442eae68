"""Section 6.3: the closed form of the influence curve of a binary chain, and where it is the curve:
for lam >= 0, or p = q, on chains that are long enough.

u = lam^d for lam >= 0, v = |lam|^d for lam < 0. Given X_i both sides are independent; on one side,
at the distance d, a value of the shown record tells 0 from 1 with the ratio of two entries of P^d.
"""

from collections.abc import Iterator
from fractions import Fraction

from sympy import Eq, Or, Rational

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.bai2026.influence.instances import (
    Ratio,
    bits,
    chain_curve,
    printed,
    term,
)
from pufferproof.claims.papers.bai2026.statements import chains as said
from pufferproof.claims.registry import Check, claim

pi0 = letter("pi0", "(1 - q)/(2 - p - q), the stationary probability of 0", above(0), below(1))
p, q = letters("p q", "P(0 -> 0) and P(1 -> 1)", above(0), below(1))
lam = letter("lam", "p + q - 1, or |p + q - 1|")
u, w = letters("u w", "lam^d at the distance d and at a farther one", at_least(0), below(1))
v = letter("v", "|lam|^d at an odd distance, lam < 0", at_least(0), below(1))
power = letter("power", "lam^k, k steps")
to_0 = letter("to_0", "P^k(0 -> 0)")
from_1 = letter("from_1", "P^k(1 -> 0)")
next_00, next_10 = letters("next_00 next_10", "P^(k+1)(0 -> 0) and P^(k+1)(1 -> 0)")
c = letter("c", "(1 - z)/z", at_least(1))
l, r = letters("l r", "distances of the shown records next to X_i, left and right", at_least(1))
b = letter("b", "how many records may be hidden", at_least(1))
hidden = letter("hidden", "how many records L hides")
before, beyond = letters("before beyond", "how many records X_i has on its left and on its right")
left_0, left_1 = letters("left_0 left_1", "P(left | X_i = 0), P(left | X_i = 1)", at_least(0))
right_0, right_1 = letters("right_0 right_1", "P(right | X_i = 0), P(right | X_i = 1)", at_least(0))
both_0, both_1 = letters("both_0 both_1", "P(left, right | X_i = 0), and given 1")
of_left, of_right = letters("of_left of_right", "the largest ratios left and right", at_least(1))
x0, x1 = letters("x0 x1", "P(nearer record | X_i = 0) and given 1", at_least(0))
onward = letter("onward", "P(farther record | nearer record)", at_least(0))
far_0, far_1 = letters("far_0 far_1", "sums of x0 onward and of x1 onward")
nearer = letter("nearer", "the largest ratio x0/x1", at_least(1))

LONG = "all 0 < p, q < 1, all b >= 1, T >= 2 b + 1"
NOTATION = {"l, r": "the values of the two nearest shown records"}
NAME_SIGN = "every p and q, 1 <= b << T, both orders of X_i = 0, X_i = 1"
NAME_SHORT = "every T"
NAME_ORDER = "lam >= 0, the order X_i = 0 against X_i = 1 alone"
POSITIVE = "lam >= 0, T >= 2 b + 1, both orders"
SYMMETRIC = "p = q, lam < 0, T >= 2 b + 1"
ADMITTED = "the formula as a curve, every p, q and T"
SAYS = {POSITIVE: said.POSITIVE, SYMMETRIC: said.SYMMETRIC, ADMITTED: said.ADMITTED}
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
    """Refute it for a negative eigenvalue, short chains and one order; prove it else."""
    with check.reading(NAME_SIGN, "one counterexample") as proof:
        _negative(proof)
    with check.reading(NAME_SHORT, "one counterexample") as proof:
        _short(proof)
    with check.reading(NAME_ORDER, "one counterexample") as proof:
        _one_order(proof)
    _readings(check)


def _readings(check: Check) -> None:
    uneven = Edit("an even split is best", without=w <= u)
    proved(check, POSITIVE, LONG, _positive, a_split_that_becomes_uneven=uneven)
    proved(
        check,
        SYMMETRIC,
        LONG,
        _symmetric,
        an_eigenvalue_of_the_other_sign=Edit(
            "p = q", without=Eq(pi0, Rational(1, 2)), given=2 * pi0 < 1
        ),
    )
    proved(
        check,
        ADMITTED,
        "all 0 < p, q < 1, all T and b >= 1",
        _admitted,
        the_larger_probability_for_z=Edit(
            "odd distances", without=2 * pi0 <= 1, given=2 * pi0 >= 1
        ),
    )


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
        "p = 1/2, q = 1/3: lam = -1/6. For b = 2 the nearest shown records are at an odd and at an "
        "even distance. For odd ones the value 1 speaks for X_i = 0, and 0 for 1: the order of the "
        "secrets that is worst on one side is not on the other, and e^a*(2) is 63/40, the formula "
        "8/5",
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
        "T = b = 1: all records are hidden, a*(1) = 0; the formula for p = q = 2/3 is log(4)",
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
        "p = 2/3, q = 1/2, T = 3, b = 1, pairs (X_i = 0, X_i = 1) in this order: value 0 of both "
        "neighbours speaks for X_i = 0 by 4/3 each, e^a*(1) = 16/9; the formula has z = pi1 and "
        "9/4, which is the other order's. For q >= p the formula is this order's own",
        {"T": 3, "b": 1, "p": one, "q": other, "e^a*": value, "formula": formula},
        lambda: (
            value == Fraction(16, 9)
            and formula == Fraction(9, 4) == (term(one, other, 1) or 0) ** 2
        ),
        f"entry({_STEP}, 0, 0)^2/entry({_STEP}, 1, 0)^2 = e_a != formula",
    )


def _positive(proof: Proof) -> None:
    blocks(proof)
    proof.cite("one side", "its ratios, for lam >= 0", "bai2026.chain-steps-repaired")
    proof.inequality(
        "the rarer value and its order",
        "pi0 <= pi1, so z = pi0 (else exchange 0 and 1). At the value 0 the ratio 0 against 1 is "
        "(pi0 + u pi1)/(pi0 (1 - u)); it is at least the ratio 1 against 0 at the value 1, (pi1 + "
        "u pi0)/(pi1 (1 - u)): the worst order is the same on both sides",
        (pi0 + u * (1 - pi0)) * (1 - pi0) >= (1 - pi0 + u * pi0) * pi0,
        [2 * pi0 <= 1],
    )
    even_split(proof)


def even_split(proof: Proof) -> None:
    """Prove that moving the farther record nearer and the nearer one farther lowers the sum."""
    proof.inequality(
        "an even split is best",
        "With c = (1 - z)/z a side has the ratio (1 + c u)/(1 - u). Distances d and d' + 1, u = "
        "lam^d and w = lam^d' <= u, against d + 1 and d': the products over both sides compare "
        "crosswise",
        (1 + c * lam * u) * (1 + c * w) * (1 - u) * (1 - lam * w)
        <= (1 + c * u) * (1 + c * lam * w) * (1 - lam * u) * (1 - w),
        [w <= u, lam >= 0, lam <= 1],
    )


def blocks(proof: Proof) -> None:
    """Prove that the best hidden set is a block around X_i, and where it can be placed."""
    proof.cite("two sides", "are independent given X_i", "song2017.x-markov")
    proof.cite(
        "only the nearest",
        "shown records on either side count: all others are separated by them",
        "song2017.x-separated",
        met={
            "i is not in Q, and R and Q have no common node": "the nearest shown records "
            "are Q, those beyond them R"
        },
    )
    proof.inequality(
        "ratios multiply",
        "of the left and the right record, and are attained together, as their values are free",
        both_0 <= of_left * of_right * both_1,
        [
            Eq(both_0, left_0 * right_0),
            Eq(both_1, left_1 * right_1),
            left_0 <= of_left * left_1,
            right_0 <= of_right * right_1,
        ],
    )
    proof.summed(
        "a farther record tells less",
        "far_0 and far_1 sum over the nearer record: its ratio bounds theirs, in either order",
        so_far=far_0 <= nearer * far_1,
        adding={far_0: x0 * onward, far_1: x1 * onward},
        given=[x0 <= nearer * x1],
    )
    _places(proof)


def _places(proof: Proof) -> None:
    proof.inequality(
        "distances",
        "The records between are hidden: l + r - 1 <= hidden <= b, and by moving records farther "
        "l + r = b + 1 is best",
        l + r <= b + 1,
        [l + r - 1 <= hidden, hidden <= b],
    )
    proof.inequality(
        "both sides show a record",
        "If one side showed none it would be hidden with X_i: X_i with b records on either side, "
        "which T >= 2 b + 1 has, would need b + 1 hidden records",
        hidden > b,
        [before >= b, beyond >= b, Or(hidden >= before + 1, hidden >= beyond + 1)],
    )
    proof.inequality(
        "other records tell no more",
        "For any other record hide the same block as far as it exists; a side that it fills shows "
        "nothing, ratio 1",
        both_0 <= of_left * of_right * both_1,
        [Eq(both_0, left_0), Eq(both_1, left_1), left_0 <= of_left * left_1],
    )


def _symmetric(proof: Proof) -> None:
    blocks(proof)
    proof.cite("one side", "P^k = pi + lam^k (1 - pi)", "bai2026.chain-steps-repaired")
    proof.inequality(
        "p = q",
        "pi0 = 1/2: at an odd distance the value 1 speaks for X_i = 0 by (1 + v)/(1 - v), and the "
        "value 0 for 1 by as much; at an even one 0 speaks for 0: with v = |lam|^d the ratio is "
        "the printed one, in both orders",
        Eq((1 - pi0) * (1 + v) * (1 - v), (1 + v) * (1 - pi0 - v * pi0))
        & Eq(pi0 * (1 + v) * (1 - v), (1 + v) * (pi0 - v * (1 - pi0))),
        [Eq(pi0, Rational(1, 2))],
    )
    even_split(proof)


def _admitted(proof: Proof) -> None:
    proof.inequality(
        "even distances",
        "u = lam^d >= 0, pi0 <= pi1 so that z = pi0: in the order 1 against 0 the value 1 has the "
        "ratio (pi1 + u pi0)/(pi1 (1 - u)), at most the printed (pi0 + u pi1)/(pi0 (1 - u))",
        (1 - pi0 + u * pi0) * pi0 <= (pi0 + u * (1 - pi0)) * (1 - pi0),
        [2 * pi0 <= 1],
    )
    proof.inequality(
        "odd distances",
        "lam^d = -v: in the order 0 against 1 the value 1 has the ratio pi1 (1 + v)/(pi1 - v pi0), "
        "in the other the value 0 has pi0 (1 + v)/(pi0 - v pi1), the printed one: the larger, as "
        "pi0 - v pi1 > 0",
        (1 - pi0) * (pi0 - v * (1 - pi0)) <= pi0 * (1 - pi0 - v * pi0),
        [2 * pi0 <= 1],
    )
    proof.inequality(
        "the block",
        "Hide X_i and the records nearer than dL and dR, b of them: both sides have at most their "
        "printed ratio in either order, and a side that the block fills has 1",
        both_0 <= of_left * of_right * both_1,
        [
            Eq(both_0, left_0 * right_0),
            Eq(both_1, left_1 * right_1),
            left_0 <= of_left * left_1,
            right_0 <= of_right * right_1,
        ],
    )


@claim(
    "bai2026.chain-repaired",
    where="Section 6.3, Example 3, repaired",
    statement="For a stationary binary chain with 0 < p, q < 1 and b >= 1 the printed sum is at "
    "least a*(b), so it is a curve. If T >= 2 b + 1 and pairs are taken in both orders, it is "
    "a*(b) where p + q >= 1 or p = q.",
    kind="repair of bai2026.chain",
    says=SAYS,
)
def chain_repaired(check: Check) -> None:
    """Prove the three parts."""
    _readings(check)
