"""Eq. (2) as a list of linear programs, their duals, and differential privacy as a special case of
NfC constraints.

The programs have logarithms of likelihood ratios as data, so what is proved is about real matrices:
weak duality by summing in two orders, strong duality by the theorem of the alternative. With zero
likelihoods the data are infinite: optimal values still agree, but the primal need not attain its
own. Source: bai2026, proof of Theorem 5.1.
"""

from fractions import Fraction
from math import prod

from sympy import Eq, Equivalent, Max, Min, Ne

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.bai2026.composition.instances import channel_of
from pufferproof.claims.papers.bai2026.nfc.statement import counts_are_integers
from pufferproof.claims.papers.bai2026.statements import constraints, runs
from pufferproof.claims.registry import Check, claim

first, value = letters(
    "first value", "the first maximum of (2) over the first l*, and the value of the next"
)
bound = letter("bound", "eps more than the second maximum of (2)")
second, value_l = letters(
    "second value_l", "the second maximum of (2) over the first l, and the value of the next"
)
least = letter("least", "the least value of l* less that of an l, over the first l")
eps0 = letter("eps0", "the variable that the first program makes as large as possible")
p, q = letters("p q", "the least sum of alpha_i g_il over the first l, and that of the next")
x = letter("x", "the variable that the dual makes as small as possible")
d, u = letters("d u", "log v_i[l*] and log v_i[l]")
b, B = letters("b B", "beta_l, and the sum of the beta_l over the first l")
alpha = letter("alpha", "alpha_i of the next output", at_least(0))
alphas = letter("alphas", "the sum of the alpha_i over the first outputs")
H, X = letters(
    "H X", "the sums of beta_l g_il and of beta_l log v_i[l], g_il = log(v_i[l*]/v_i[l])"
)
s = letter("s", "sum_i alpha_i g_il")
total = letter("total", "the sum of alpha_i beta_l g_il")
Y = letter("Y", "the sum of the multipliers y_i", above(0))
weighted = letter("weighted", "sum_i y_i g_il")
quotient = letter("quotient", "weighted/Y")
v = letter("v", "v_i[l*]")
level = letter("level", "e^x", above(0))
product = letter("product", "the product of the v_i[l]^beta_l", at_least(0))
count = letter("count", "how many databases there are", at_least(0))
P, factor = letters(
    "P factor", "the product of the v_l^beta_l with beta_l = 0 so far, and the next factor"
)
E = letter("E", "e to the level of the constraint", at_least(1))
at_d, at_l = letters("at_d at_l", "M(D)(w) and M(D_l)(w)", at_least(0))
other, geometric = letters(
    "other geometric", "M(w) at another database, and the geometric mean of both", at_least(0)
)

NOTATION = {
    "v_i[l]": "the likelihood of the i-th output at the database D_l, for finitely many outputs of "
    "the mechanisms",
    "alpha_i": "weights on the outputs: alpha_i >= 0 with sum 1",
    "l*": "the number of a database with s1",
    "eps0": "the variable that the first program makes as large as possible",
    "x": "the variable that the dual makes as small as possible",
}
POSITIVE = "all likelihoods positive"
ZEROS = "zero likelihoods, 0 log 0 = 0, optimal values as suprema"


@claim(
    "bai2026.nfc-lp",
    where="proof of Theorem 5.1",
    statement="Let there be finitely many outputs and databases, at least one of them with s1 and "
    "one with s2. Then max_l* sum_i alpha_i log v_i[l*] <= eps + max_l sum_i alpha_i log "
    "v_i[l], l* over s1 and l over s2, holds for all alpha (eq. (2)) iff for every l* with s1 "
    "the program max eps0 subject to alpha >= 0, sum_i alpha_i = 1, sum_i alpha_i "
    "log(v_i[l*]/v_i[l]) >= eps0 for all l with s2, has optimum <= eps. The dual is min x "
    "subject to beta >= 0, sum_l beta_l = 1, x + sum_l beta_l log v_i[l] >= log v_i[l*] for "
    "all i, with l over s2; both optima are equal.",
    kind="lemma",
    says={POSITIVE: runs.PROGRAM, ZEROS: runs.PROGRAM_ZEROS},
)
def nfc_lp(check: Check) -> None:
    """Prove the rewriting, weak and strong duality, for positive likelihoods and for zeros."""
    proved(
        check,
        POSITIVE,
        "all finite sizes, real data",
        _duality,
        weights_beta_of_any_sign=Edit("by databases", without=b >= 0),
        the_minimum_for_the_maximum=Edit(
            "one program for each l*: (2) gives each",
            without=Max(first, value) <= bound,
            given=Min(first, value) <= bound,
        ),
        multipliers_of_a_negative_sum=Edit(
            "then some alpha does better than x", without=Y > 0, given=Y < 0
        ),
    )
    proved(
        check,
        ZEROS,
        "all finite sizes",
        _zeros,
        an_output_that_D_gives=Edit("outputs that l* never gives", without=Eq(v, 0), given=v >= 0),
    )


def _duality(proof: Proof) -> None:
    _rewriting(proof)
    _weak_duality(proof)
    _strong_duality(proof)


def _rewriting(proof: Proof) -> None:
    proof.inequality(
        "one program for each l*: (2) gives each",
        "first is the first maximum of (2) over the databases so far, value that of the next, "
        "bound eps more than the second maximum: if the larger of both is at most bound, so is "
        "each of them, and with more databases each of those before",
        (first <= bound) & (value <= bound),
        [Max(first, value) <= bound],
    )
    proof.induction(
        "one program for each l*: each gives (2)",
        "If the value of the next database is at most bound as well, so is the larger of both",
        base=(first <= bound, [Eq(first, value), value <= bound]),
        step=(Max(first, value) <= bound, [first <= bound, value <= bound]),
    )
    proof.induction(
        "the second maximum becomes a minimum",
        "For one l* with its value, second is the maximum of the values x_l over the first l with "
        "s2, and least the minimum of value - x_l: value - second = least. The next is value_l",
        base=(Eq(value - second, least), [Eq(second, value_l), Eq(least, value - value_l)]),
        step=(
            Eq(value - Max(second, value_l), Min(least, value - value_l)),
            [Eq(value - second, least)],
        ),
    )
    proof.induction(
        "eps0 bounds the minimum: feasible",
        "eps0 is feasible with alpha iff it is at most each value - x_l. If it is at most the "
        "minimum p of the first ones and at most the next one, q, it is at most the minimum of all",
        base=(eps0 <= p, [Eq(p, q), eps0 <= q]),
        step=(eps0 <= Min(p, q), [eps0 <= p, eps0 <= q]),
    )
    proof.inequality(
        "eps0 bounds the minimum: not feasible",
        "If eps0 is at most the minimum of p and q it is at most each of them. So the optimum for "
        "l* is the largest minimum over all alpha, and (2) holds for all alpha iff every optimum "
        "is at most eps",
        (eps0 <= p) & (eps0 <= q),
        [eps0 <= Min(p, q)],
    )


def _weak_duality(proof: Proof) -> None:
    proof.induction(
        "the dual constraint",
        "H = sum of beta_l (log v_i[l*] - log v_i[l]), X = sum of beta_l log v_i[l] and B the sum "
        "of the weights over the first l: H = B d - X with d = log v_i[l*]. With B = 1 the printed "
        "constraint x + X >= d says H <= x",
        base=(Eq(b * (d - u), b * d - b * u), []),
        step=(Eq(H + b * (d - u), (B + b) * d - (X + b * u)), [Eq(H, B * d - X)]),
    )
    proof.cite(
        "order of summation",
        "total = sum_il alpha_i beta_l g_il, g_il = log(v_i[l*]/v_i[l])",
        "lemma.finite-sums",
    )
    proof.summed(
        "by outputs",
        "Each output adds alpha_i H with H = sum_l beta_l g_il <= x; alphas is the sum of the "
        "alpha_i",
        so_far=total <= x * alphas,
        adding={total: alpha * H, alphas: alpha},
        given=[H <= x],
    )
    proof.summed(
        "by databases",
        "Each database adds beta_l s with s = sum_i alpha_i g_il >= eps0; B is the sum of the "
        "beta_l",
        so_far=total >= eps0 * B,
        adding={total: b * s, B: b},
        given=[s >= eps0, b >= 0],
    )
    proof.inequality(
        "every eps0 is at most every x",
        "alphas = B = 1",
        eps0 <= x,
        [total <= x * alphas, total >= eps0 * B, Eq(alphas, 1), Eq(B, 1)],
    )


def _strong_duality(proof: Proof) -> None:
    proof.cite(
        "the alternative",
        "For every x: either weights beta have sum_l beta_l (g_il - x) <= 0 for all i, and are "
        "feasible with x; or y_i >= 0 have S_l - x Y > 0 for all l, S_l = sum_i y_i g_il and Y the "
        "sum of the y_i, which is not 0",
        "bai2026.x-alternative",
    )
    proof.inequality(
        "then some alpha does better than x",
        "alpha = y/Y has the value S_l/Y > x at every l: so no x lies above all eps0 and below "
        "all feasible x. At the supremum x of eps0 the second case is impossible, and the dual "
        "attains it",
        quotient > x,
        [Eq(quotient * Y, weighted), weighted - x * Y > 0],
    )
    proof.cite(
        "the primal attains it too",
        "The alternative for x - g_il with both roles exchanged: either weights alpha have sum_i "
        "alpha_i (x - g_il) <= 0 for all l, and are feasible with eps0 = x; or z_l >= 0 have sum_l "
        "z_l (x - g_il) > 0 for all i, and z/sum z is feasible for the dual with less than x, "
        "against weak duality",
        "bai2026.x-alternative",
    )


def _excluded(proof: Proof) -> None:
    proof.inequality(
        "outputs that l* never gives",
        "If v_i[l*] = 0 the product form 0 <= e^x prod v_i[l]^beta_l of the dual constraint always "
        "holds; in (2) a positive alpha_i makes the first sum minus infinity, so only alpha_i = 0 "
        "matters. Drop them; if none is left both values are minus infinity",
        v <= level * product,
        [Eq(v, 0)],
    )
    proof.inequality(
        "databases that exclude an output that l* gives",
        "If v_i[l*] = v > 0 = v_i[l] then beta_l > 0 makes the right side 0: only beta_l = 0 is "
        "feasible. In the primal every alpha with alpha_i > 0 meets the condition of l, whose left "
        "side is infinite",
        Eq(b, 0),
        [v > 0, v <= level * product, b >= 0, (b > 0) & Eq(product, 0) | Eq(b, 0) & (product > 0)],
        for_any=[product],
    )


def _zeros(proof: Proof) -> None:
    _excluded(proof)
    proof.inequality(
        "all databases excluded",
        "If none is left no beta has sum B = 1, and no x is feasible; in the primal alpha > 0 "
        "meets all conditions with every eps0: both optimal values are infinite",
        Ne(B, 1),
        [Eq(B, count * b), Eq(b, 0)],
    )
    counts_are_integers(proof)
    proof.cite(
        "the other databases alone",
        "So alpha > 0 comes as near as one likes to every alpha on the databases that are left, "
        "and both values are those of the finite programs on them, which agree as for positive "
        "likelihoods",
        "bai2026.x-alternative",
    )


@claim(
    "bai2026.x-lp-attained",
    where="proof of Theorem 5.1",
    statement="For every l* with s1 the program max eps0 subject to alpha >= 0, sum_i alpha_i = 1, "
    "sum_i alpha_i log(v_i[l*]/v_i[l]) >= eps0 for all l with s2, attains its optimal value, "
    "also where likelihoods are 0, with 0 log 0 = 0 and log(a/0) infinite for a > 0.",
    kind="proof step",
    repair="bai2026.nfc-lp",
)
def lp_attained(check: Check) -> None:
    """Refute that the primal attains its optimal value where a likelihood is 0."""
    with check.reading("as printed", "one counterexample") as proof:
        _not_attained(proof)


def _not_attained(proof: Proof) -> None:
    third = Fraction(1, 3)
    rows = {"a": (third, 2 * third), "b": (Fraction(0), Fraction(1)), "c": (2 * third, third)}

    def power(database: str, alpha: tuple[int, int]) -> Fraction | None:
        """e^(sum_i alpha_i log(v_i[a]/v_i[l])) for integers alpha, None for infinite."""
        used = [(p, q, n) for p, q, n in zip(rows["a"], rows[database], alpha) if n]
        return (
            None
            if any(q == 0 for _, q, _ in used)
            else prod(((p / q) ** n for p, q, n in used), start=Fraction(1))
        )

    def least(alpha: tuple[int, int]) -> Fraction:
        return min(value for value in (power("b", alpha), power("c", alpha)) if value is not None)

    proof.counterexample(
        "a supremum that is not reached",
        "Let s1 = {a} and s2 = {b, c}, and let the outputs u and v have the probabilities (1/3, "
        "2/3) on a, (0, 1) on b and (2/3, 1/3) on c. For alpha = (t, 1 - t) with t > 0 the "
        "condition of b holds for every eps0, as b never gives u, and the value is (1 - 2 t) log "
        "2, below log 2 and as near as one likes; at t = 0 it is log(2/3), as b counts again. So "
        "the supremum log 2 is not attained. The dual attains it, at beta_c = 1",
        {
            "mechanism": channel_of(rows),
            "l*": "a",
            "supremum": "log(2)",
            "e^(value at t = 0)": least((0, 1)),
        },
        lambda: (
            all(least((1, n)) == Fraction(2) ** (n - 1) for n in range(60))
            and least((0, 1)) == Fraction(2, 3)
            and all(p <= 2 * q for p, q in zip(rows["a"], rows["c"]))
        ),
    )


@claim(
    "bai2026.nfc-dp-special",
    where="after Theorem 5.1",
    statement="If beta_l = 1 for one l and 0 for the others, the NfC constraint of D is M(D)(w) <= "
    "e^epsilon M(D_l)(w) for all w: for every ordered pair (s1, s2) the inequalities of "
    "differential privacy between D with s1 and D_l with s2 are the NfC constraints with "
    "one-hot weights.",
    kind="remark",
    says=constraints.ONE_HOT_IS_DP,
)
def nfc_dp_special(check: Check) -> None:
    """Prove it by substitution, zero likelihoods included."""
    proved(
        check,
        PRINTED,
        "all finite sizes, likelihoods may be 0",
        _one_hot,
        two_weights_of_one_half=_two_hot,
    )


def _one_hot(proof: Proof) -> None:
    proof.induction(
        "factors with weight 0",
        "P is the product of v_l^beta_l over the databases so far without the chosen one: each "
        "factor is 1, also 0^0",
        base=(Eq(P, 1), [Eq(P, factor), Eq(factor, 1)]),
        step=(Eq(P * factor, 1), [Eq(P, 1), Eq(factor, 1)]),
    )
    proof.inequality(
        "the constraint",
        "at_d = M(D)(w), at_l = M(D_l)(w): at_d <= E P at_l is at_d <= E at_l",
        Equivalent(at_d <= E * P * at_l, at_d <= E * at_l),
        [Eq(P, 1)],
    )


def _two_hot(proof: Proof) -> None:
    proof.inequality(
        "the constraint",
        "the geometric mean is the square root of the product of both",
        Equivalent(at_d <= E * geometric, at_d <= E * at_l),
        [Eq(geometric**2, at_l * other)],
    )
