"""The steps from linear composition to eq. (2) in the proof of Theorem 5.1, one reading for each.

v_i[l] is the likelihood of output i at database l. Runs repeated c_i times give quotients of
averages of products; scaling the numbers of runs gives weighted norms and, in the limit, maxima.
What the print says of items without weight is false; with databases that the prior allows eq. (2)
holds for every convex alpha, zero likelihoods included, though not by continuity. Source: bai2026,
proof of Theorem 5.1.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from pufferproof.claims.language import Proof, above, letter, letters
from pufferproof.claims.papers.bai2026.composition.definition import ONCE, smallest_split
from pufferproof.claims.papers.bai2026.composition.instances import (
    broken_by,
    broken_in_numbers,
    channel_of,
    greatest_ratio,
    one_pair,
)
from pufferproof.claims.papers.bai2026.nfc.statement import POSSIBLE, REPEATED
from pufferproof.claims.papers.bai2026.statements import runs
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

w = letter("w", "the weight of an item", above(0))
norm, weights = letters(
    "norm weights", "the sums of weight times item, and of the weights, over the first items"
)
p = letter("p", "the exponent of a norm, an integer that grows without bound", above(0))
alpha = letter("alpha", "alpha_i of the next output")

NOTATION = {
    "v_i[l]": "the likelihood of the i-th output at the database D_l, for finitely many outputs of "
    "the mechanisms",
    "c_i": "how often the i-th output occurs in a joint release",
    "alpha_i": "weights alpha_i >= 0 with sum 1 on the outputs, a convex alpha",
    "(2)": "the inequality (2) of the paper, which the statement gives",
    "l: s1, l: s2": "over the databases D_l with s1, and with s2",
    "p": "the exponent of a norm, an integer that grows without bound",
}
QUOTIENTS = "numbers of runs"
NORMS = "norms, items of positive weight"
EQUATION = f"(2), {POSSIBLE}"


@claim(
    "bai2026.nfc-steps",
    where="proof of Theorem 5.1",
    statement="With counts c_i linear composition gives sum_i c_i eps >= log of the quotient of "
    "sum_l theta(D_l | s1) prod_i v_i[l]^c_i by the same with s2; with all c_i multiplied by "
    "one factor, both are weighted p-norms of the prod_i v_i[l]^(c_i / sum_j c_j) that "
    "converge to the largest item with nonnegative weight; hence (2), eps >= max_{l: s1} sum_i "
    "alpha_i log v_i[l] - max_{l: s2} sum_i alpha_i log v_i[l] for every convex alpha.",
    kind="proof step",
    repair="bai2026.nfc-steps-repaired",
    says={QUOTIENTS: runs.COUNTS, NORMS: runs.NORMS, EQUATION: runs.EQUATION},
)
def nfc_steps(check: Check) -> None:
    """Refute the steps that forget weights and zeros, prove the others.

    Numbers of runs. Given the database the runs are independent: the likelihood of their outputs is
    the product of the v_i[l]. A and C average these products over the laws given s1 and s2; A <=
    levels C by composition. Where C > 0 the quotient is at most levels; where C = 0 also A = 0, and
    there is no quotient.

    Norms, items of positive weight. With K the p-th power of the largest item, the mean of the p-th
    powers is at most K and at least w K. For every delta > 0 and p >= 1/(w delta), (1 + delta)^p >=
    1 + p delta [lemma.bernoulli] times the mean is at least K: the norm is at least the largest
    item divided by 1 + delta.

    (2), any multiset of runs, D possible given s1 under a prior that allows both secrets. Let alpha
    violate (2): some D possible given s1 has sum_d - sum_l > eps for every l possible given s2 that
    gives all outputs with alpha_i > 0, sum_d and sum_l the sums of alpha_i log v_i. (If none does,
    one run for each of them reveals s1.) As the alpha_i sum to 1, the sum of alpha_i g_il is
    positive for all these l, g_il = log v_i[D] - log v_i[l] - eps. The alpha_i become numbers of
    runs as in bai2026.nfc-lp, and these break the level as in bai2026.nfc. Where the second maximum
    is taken over more databases than those possible given s2, it is no smaller.
    """
    with check.reading("norms, items of nonnegative weight", "one counterexample") as proof:
        _weightless_item(proof)
    with check.reading(
        f"(2), {REPEATED}, maxima over all databases with the secret", "one counterexample"
    ) as proof:
        _impossible_database(proof)
    with check.reading(f"(2), {ONCE}", "one counterexample") as proof:
        _single_release(proof)
    with check.reading(
        "(2) is continuous in alpha where likelihoods are 0", "one counterexample"
    ) as proof:
        _jump(proof)
    _proved(check)


@claim(
    "bai2026.nfc-steps-repaired",
    where="proof of Theorem 5.1, repaired",
    statement="For every N >= 1 let every joint release of N independent runs of the mechanisms, "
    "repetitions allowed, be (N eps)-Pufferfish, and let theta in Theta give both secrets of "
    "an ordered pair (s1, s2) in S positive probability. Then: sum_l theta(D_l | s1) prod_i "
    "v_i[l]^c_i <= e^(eps sum_i c_i) sum_l theta(D_l | s2) prod_i v_i[l]^c_i for all counts "
    "c_i; the weighted p-norm (sum_l W_l x_l^p)^(1/p) of finitely many x_l >= 0, with weights "
    "W_l >= 0 of sum 1, tends to the largest x_l with W_l > 0 as p grows; and (2): for every "
    "convex alpha, max of sum_i alpha_i log v_i[l] over the l with theta(D_l | s1) > 0 is at "
    "most eps plus the max of the same over the l with theta(D_l | s2) > 0, or over more "
    "databases, where 0 log 0 = 0 and a maximum may be -infinity.",
    kind="repair of bai2026.nfc-steps",
    says={QUOTIENTS: runs.COUNTS, NORMS: runs.NORMS, EQUATION: runs.EQUATION},
)
def nfc_steps_repaired(check: Check) -> None:
    """Prove the three steps.

    As in bai2026.nfc-steps.
    """
    _proved(check)


def _proved(check: Check) -> None:
    check.tried(QUOTIENTS)
    check.tried(NORMS)
    check.tried(EQUATION)


def _impossible_database(proof: Proof) -> None:
    found = proof.exhaust(
        "smallest failure",
        "s1 = {a, d} with d of probability 0, s2 = {b}, two outputs of positive probability, a and "
        "b with the same row, so that no number of runs leaks anything: (2) with eps = 0, alpha "
        "all on one output",
        _rows_with_impossible(3),
        lambda rows: not any(rows["d"][i] > rows["b"][i] for i in (0, 1)),
    )
    if found is None:
        return
    half = Fraction(1, 2)
    framework = Framework(
        ("a", "d", "b"),
        {"s1": ["a", "d"], "s2": ["b"]},
        [("s1", "s2")],
        {"theta": Table({"a": half, "b": half})},
    )
    channel, output = channel_of(found), "u" if found["d"][0] > found["b"][0] else "v"
    proof.counterexample(
        "a database that the prior rules out",
        "Let s1 = {a, d}, where d has probability 0, and s2 = {b}. The mechanism has the same law "
        "on a and on b, so that no number of runs leaks anything and eps = 0. But the first "
        "maximum of (2) runs over a and d, and d, of which no promise "
        f"speaks, gives the output {output} more often than b: (2) fails for alpha all on this "
        f"output",
        {
            "framework": framework,
            "mechanism": channel,
            "e^epsilon": Fraction(1),
            "alpha": {output: 1},
            "quotient of the maxima": found["d"][channel.outputs.index(output)]
            / found["b"][channel.outputs.index(output)],
        },
        lambda: (
            found["a"] == found["b"]
            and greatest_ratio(framework, channel) == 1
            and max(channel.probability(x, output) for x in "ad") > channel.probability("b", output)
        ),
        broken_in_numbers(channel, "d", ["b"], {output: 1}, Fraction(1)),
    )


def _rows_with_impossible(largest: int) -> Iterator[dict[str, tuple[Fraction, Fraction]]]:
    for size in range(2, largest + 1):
        for shared, other in product(range(1, size), repeat=2):
            row, different = (
                (Fraction(number, size), Fraction(size - number, size))
                for number in (shared, other)
            )
            yield {"a": row, "d": different, "b": row}


def _weightless_item(proof: Proof) -> None:
    weights, items = (Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1))
    proof.counterexample(
        "the largest item has no weight",
        "Let the items 1/2 and 1 have the weights 1 and 0. Their weighted p-norm is 1/2 for every "
        "p, while the largest item with nonnegative weight is 1. One item alone has all the weight",
        {"weights": list(weights), "items": list(items), "limit of the norms": items[0]},
        lambda: (
            all(
                sum(w * x**p for w, x in zip(weights, items)) == items[0] ** p for p in range(1, 50)
            )
            and max(items) > items[0]
        ),
        "dot(weights, items) = limit_of_the_norms < largest(items)",
    )


def _single_release(proof: Proof) -> None:
    framework, channel = smallest_split()
    runs = {"u": 1, "v": 1}
    proof.counterexample(
        "a mechanism released once",
        "Let s1 = {a} and s2 = {b, c}, b and c equally likely, and let the mechanism toss a fair "
        "coin on a, always give u on b and always v on c. One run leaks nothing. At alpha = (1/2, "
        "1/2) the first maximum of (2) is log(1/2), and the second log 0, as b and c exclude one "
        "output each: (2) fails for every eps",
        {
            "framework": framework,
            "mechanism": channel,
            "e^epsilon": Fraction(1),
            "runs in proportion to alpha": runs,
        },
        lambda: (
            greatest_ratio(framework, channel) == 1
            and broken_by(channel, "a", ["b", "c"], runs, Fraction(1))
        ),
        broken_in_numbers(channel, "a", ["b", "c"], runs, Fraction(1)),
    )


def _jump(proof: Proof) -> None:
    half = Fraction(1, 2)
    framework = one_pair({"a": Fraction(1)}, {"b": half, "c": half})
    channel = channel_of({"a": [half, half], "b": [half, half], "c": [Fraction(0), Fraction(1)]})

    def quotient(alpha: tuple[int, int]) -> Fraction:
        """e^((2)'s right side) to the power of the sum of alpha, for alpha in proportion to
        integers.
        """
        value = {
            x: prod(
                (channel.probability(x, y) ** n for y, n in zip("uv", alpha)), start=Fraction(1)
            )
            for x in "abc"
        }
        return value["a"] / max(value["b"], value["c"])

    proof.counterexample(
        "the right side jumps",
        "Let s1 = {a} and s2 = {b, c}, and let the mechanism toss a fair coin on a and b and "
        "always give v on c. At alpha = (t, 1 - t) with t > 0 the database c is out, as it never "
        "gives u, and the right side of (2) is 0; at t = 0 it is in, with log 1, and the right "
        "side is -log 2. (2) itself holds at both, with eps = log 2",
        {
            "framework": framework,
            "mechanism": channel,
            "e^(right side) for t > 0": Fraction(1),
            "e^(right side) for t = 0": half,
        },
        lambda: all(quotient((1, n)) == 1 for n in range(40)) and quotient((0, 1)) == half,
    )
