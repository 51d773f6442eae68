"""The steps of the printed proof that weights with two nonzero entries break post-processing: step
3 is the wrong one.

w is +1 at the database on the left of a constraint and -beta at the others. Steps 1 and 2 hold for
epsilon > 0. Step 3 applies sum >= 2 sqrt(product) under the factors w_i, of which all but one are
negative: the inequality goes the other way. Source: bai2026, proof of Theorem 5.2.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Eq, Ne, Rational

from pufferproof.claims.language import Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.composition.instances import satisfies
from pufferproof.claims.papers.bai2026.statements import steps
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.mechanisms.releases import post_process

rest = letter("rest", "what the other databases add to the product of h with w^(1)")
p = letter("p", "e^(v - c) at the left database, or the probability of the output 0", at_least(0))
x, y = letters("x y", "x_i and y_i", at_least(0))
left, right = letters("left right", "the sides of (3)")
at_a, at_b, at_c = letters(
    "at_a at_b at_c", "the probabilities of a tight output on a, b and c", at_least(0)
)

HALVES = {"b": Fraction(1, 2), "c": Fraction(1, 2)}
LEVEL = Fraction(2)
SHIFTS = "the entries of w sum to 0, so constants may be added"
FIRST = "step 1, epsilon > 0"
SECOND = "step 2, epsilon > 0"
LAST = "the last line of (3) is epsilon"
REVERSED = "(3) with the inequality reversed"
SAYS = {
    SHIFTS: steps.SHIFTS,
    FIRST: steps.TIGHT_POINTS,
    SECOND: steps.FOUR_OUTPUTS,
    LAST: steps.LAST_LINE,
    REVERSED: steps.REVERSED,
}
Column = tuple[int, ...]
NOTATION = {
    "w^(1)": "the constraint whose weights have two nonzero entries, as a vector with one entry "
    "for each database: 1 at the database on its left, -beta_l at D_l, 0 elsewhere; w^(j) "
    "another constraint of the set",
    "w_i": "the entry of w^(1) at the i-th database",
    "v*": "a vector of logarithms of likelihoods, one for each database, as is v'; it is feasible "
    "if its product with each w^(j) is at most epsilon, tight for w^(1) if the product with "
    "w^(1) is epsilon",
    "v": "v', a second such vector; v'_g is its entry at the database with the number g",
    "c": "a number",
    "g1, g2": "the numbers of two databases",
    "x_i, y_i": "x_i = P(i, 0)/P(t1, 0) and y_i = P(i, 2)/P(t1, 2), where P(i, o) is the "
    "probability of the output o of the mechanism of step 2 on the i-th database, and t1 the "
    "number of the database on the left of w^(1)",
    "A": "the processing of step 3, with P as for x_i: it maps 0 to 1 with probability r/P(t1, 0), "
    "2 to 1 with probability r/P(t1, 2), where r > 0 is at most both of P(t1, 0) and P(t1, 2), "
    "and everything else to 0",
}


@claim(
    "bai2026.ppi-steps",
    where="proof of Theorem 5.2",
    statement="Step 1: constant negative vectors have products less than epsilon with all w^(j), "
    "and there are v* and v' with product epsilon with w^(1), less with the others, and v*_g1 "
    "- v'_g1 != v*_g2 - v'_g2 for some g1, g2 with nonzero entries of w^(1). Step 2: for large "
    "c the vectors v* - c, log(1/2 - e^(v* - c)), v' - c, log(1/2 - e^(v' - c)) are feasible, "
    "and are the outputs 0, 1, 2, 3 of a mechanism that is tight at 0 and 2. Step 3: after A "
    "it satisfies (3) sum_i w_i log(x_i + y_i) >= sum_i w_i log(2 sqrt(x_i y_i)) = epsilon, "
    "strict unless x_i = y_i wherever w_i is not 0, so that output 1 violates its constraint.",
    kind="proof steps",
    repair="bai2026.ppi-steps-repaired",
    says=SAYS,
)
def ppi_steps(check: Check) -> None:
    """Refute step 3 on the construction itself, and steps 1 and 2 for epsilon = 0; prove the
    rest.

    The entries of w sum to 0, so constants may be added. They are 1 at the left database and then
    -beta, with sum 1 of the beta.

    Step 1, epsilon > 0. Constant vectors have product 0 < epsilon with every w. As w^(1) is not
    redundant, some v (positive likelihoods: mix a constant into one with zeros) has P = v.w^(1) >
    epsilon and v.w^(i) <= epsilon for i >= 2: k v - (1 - k) with k = epsilon/P has product epsilon
    with w^(1), less with the others, and negative entries. w^(1) has the entries 1 at the left
    database, -beta1 at g1 and -beta2 at g2, both negative: the vector h, beta1 at the left
    database, 1 at g1 and 0 elsewhere, has h.w^(1) = 0. A step d h with d (steep + 1) = slack, steep
    the largest |h| and |h.w^(i)| and slack the least slack, keeps the rest. v' = v* + d h is no
    multiple of v*: by g2, where v* < 0 and h = 0, it would be v* itself. Its differences at g1 and
    g2 differ by d.

    Step 2, epsilon > 0. For large c all entries of e^(v - c) are at most q with 2 E q <= E - 1. At
    the left database 1/2 - p <= 1/2; a geometric mean is at least the smallest, 1/2 - q: so 1/2 - p
    <= E mean. The four outputs, p, 1/2 - p, r and 1/2 - r, are positive and have total probability
    1 on each database.

    The last line of (3) is epsilon. A square root halves the logarithm: log 2 sqrt(x y) has the
    product (S + T)/2 + W log 2 with w, W = 0 and S = T = epsilon, as dividing by the entry at the
    left database adds a constant.

    (3) with the inequality reversed. 2 sqrt(x y) <= x + y; the entries of w are -b <= 0 but at the
    left database, where x = y = 1 and both sides add log 2. So the left side is at most epsilon,
    with equality only if all roots equal their sums.
    """
    with check.reading("(3)", "one counterexample") as proof:
        _construction(proof, "(3)")
    with check.reading("output 1 violates its constraint", "one counterexample") as proof:
        _construction(proof, "output 1")
    with check.reading("step 1, epsilon = 0", "one counterexample") as proof:
        _constants_are_tight(proof)
    with check.reading("step 2, epsilon = 0", "one counterexample, every c") as proof:
        _complement_fails(proof)
    _proved_steps(check)


@claim(
    "bai2026.ppi-steps-repaired",
    where="proof of Theorem 5.2, repaired",
    statement="Let epsilon > 0 and let w^(1) be non-redundant with two or more nonzero weights. "
    "Constant negative vectors have products less than epsilon with all w^(j), and there are "
    "v* and v' with product epsilon with w^(1), less with the others, and v*_g1 - v'_g1 != "
    "v*_g2 - v'_g2 for some g1, g2 with nonzero entries of w^(1). For large c the vectors v* - "
    "c, log(1/2 - e^(v* - c)), v' - c, log(1/2 - e^(v' - c)) are feasible, and are the outputs "
    "0, 1, 2, 3 of a mechanism that is tight at 0 and 2. Then sum_i w_i log(x_i + y_i) <= "
    "sum_i w_i log(2 sqrt(x_i y_i)) = epsilon: the output 1 after A satisfies its constraint.",
    kind="repair of bai2026.ppi-steps",
    says=SAYS,
)
def ppi_steps_repaired(check: Check) -> None:
    """Prove the steps that hold, and step 3 in the other direction.

    As in bai2026.ppi-steps.
    """
    _proved_steps(check)


def _proved_steps(check: Check) -> None:
    check.tried(SHIFTS)
    check.tried(FIRST)
    check.tried(SECOND)
    check.tried(LAST)
    check.tried(REVERSED)


def _tight_pairs(largest: int) -> Iterator[tuple[int, Column, Column]]:
    """List pairs of tight columns in multiples of 1/size, at most 1/2, that are not
    proportional.
    """
    for size in range(2, largest + 1, 2):
        entries = range(1, size // 2)
        tight = [
            each
            for each in product(entries, repeat=3)
            if each[0] ** 2 == LEVEL**2 * each[1] * each[2]
        ]
        for i, first in enumerate(tight):
            yield from (
                (size, first, second)
                for second in tight[:i]
                if first[1] * second[0] != second[1] * first[0]
            )


def construction(size: int, first: Column, second: Column) -> tuple[Channel, Channel]:
    """Return the mechanism of step 2 and the processing of step 3, with the largest r."""
    half = Fraction(1, 2)
    columns = [[Fraction(n, size) for n in column] for column in (first, second)]
    rows = {
        x: [columns[0][i], half - columns[0][i], columns[1][i], half - columns[1][i]]
        for i, x in enumerate("abc")
    }
    mechanism = Channel.of(rows, ["0", "1", "2", "3"])
    r = min(columns[0][0], columns[1][0])
    to_one = {"0": r / columns[0][0], "1": Fraction(0), "2": r / columns[1][0], "3": Fraction(0)}
    return mechanism, Channel.of({y: [1 - p, p] for y, p in to_one.items()}, ["0", "1"])


def _construction(proof: Proof, what: str) -> None:
    size, first, second = next(_tight_pairs(40))
    mechanism, processing = construction(size, first, second)
    x, y = ([Fraction(n, column[0]) for n in column] for column in (first, second))
    merged = post_process(mechanism, processing)
    # e^(2 left side) and e^(2 right side) of (3); w = (1, -1/2, -1/2)
    left = (x[0] + y[0]) ** 2 / ((x[1] + y[1]) * (x[2] + y[2]))
    right = LEVEL**2
    proof.counterexample(
        "the construction with the smallest denominator",
        "Take one constraint at e^epsilon = 2, of the database a with the weights 1/2 on b and on "
        "c, and the mechanism and the processing of steps 2 and 3 with the smallest denominator. "
        "The right side of (3) is epsilon = log 2, as printed, but the left side is less: the "
        "entries of w at b and c are negative, which turns the inequality of means round. So "
        "output 1 of A o M satisfies its constraint with room to spare",
        {
            "D": "a",
            "weights": HALVES,
            "e^epsilon": LEVEL,
            "mechanism of step 2": mechanism,
            "processing": processing,
            "x": x,
            "y": y,
            "e^(2 left side of (3))": left,
            "e^(2 right side of (3))": right,
        },
        lambda: (
            _tight_and_feasible(mechanism)
            and ((left < right) if what == "(3)" else satisfies(merged, "a", HALVES, LEVEL))
        ),
        "(item(x, 0) + item(y, 0))^2/((item(x, 1) + item(y, 1))*(item(x, 2) + item(y, 2))) = "
        "e_2_left_side_of_3 < e_2_right_side_of_3",
    )


def _tight_and_feasible(mechanism: Channel) -> bool:
    """Say whether all four outputs satisfy the constraint, 0 and 2 with equality."""
    tight = all(
        mechanism.probability("a", w) ** 2
        == LEVEL**2 * mechanism.probability("b", w) * mechanism.probability("c", w)
        for w in "02"
    )
    return tight and satisfies(mechanism, "a", HALVES, LEVEL)


def _constants_are_tight(proof: Proof) -> None:
    w = (Fraction(1), Fraction(-1, 2), Fraction(-1, 2))
    proof.counterexample(
        "constants at epsilon = 0",
        "Let epsilon = 0. The product of a constant vector with w is 0, as the entries of w sum to "
        "0, and that is not less than epsilon",
        {"w": list(w), "v": [-1, -1, -1], "epsilon": 0},
        lambda: sum(-each for each in w) >= 0,
        "dot(w, v) = 0 >= epsilon",
    )


def _complement_fails(proof: Proof) -> None:
    half = Rational(1, 2)
    always = proof.inequality(
        "for every c",
        "At epsilon = 0 let at_a, at_b and at_c, at most 1/2, be the probabilities of an output on "
        "a, b and c that is tight for the weights (1/2, 1/2), at_a^2 = at_b at_c, with at_b and "
        "at_c different. Then its complement violates the constraint: no c is large enough",
        (half - at_a) ** 2 > (half - at_b) * (half - at_c),
        [Eq(at_a**2, at_b * at_c), Ne(at_b, at_c), 2 * at_a <= 1, 2 * at_b <= 1, 2 * at_c <= 1],
    )
    column = [Fraction(2, 16), Fraction(1, 16), Fraction(4, 16)]
    rest = [Fraction(1, 2) - p for p in column]
    proof.counterexample(
        "a tight output at epsilon = 0 and its complement",
        "Let epsilon = 0 and let output 0 have the probabilities 1/8, 1/16 and 1/4 on a, b and c, "
        "which is tight for the weights 1/2 on b and on c. Output 1 then has 3/8, 7/16 and 1/4, "
        "and (3/8)^2 > (7/16)(1/4): it violates the constraint, and so it does for every c, as the "
        "outputs that are tight and not constant have such complements",
        {"output 0": column, "output 1": rest, "weights": HALVES, "e^epsilon": 1},
        lambda: (
            always and column[0] ** 2 == column[1] * column[2] and rest[0] ** 2 > rest[1] * rest[2]
        ),
        "item(output_0, 0)^2 = item(output_0, 1)*item(output_0, 2) and "
        "item(output_1, 0)^2 > item(output_1, 1)*item(output_1, 2)",
    )
