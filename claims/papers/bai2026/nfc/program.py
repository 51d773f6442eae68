"""Eq. (2) as a list of linear programs, their duals, and differential privacy as a special case of
NfC constraints.

The programs have logarithms of likelihood ratios as data, so what is proved is about real matrices:
weak duality by summing in two orders, strong duality by the theorem of the alternative. With zero
likelihoods the data are infinite: optimal values still agree, but the primal need not attain its
own. Source: bai2026, proof of Theorem 5.1.
"""

from fractions import Fraction
from math import prod

import sympy
from sympy import Eq, Equivalent, Max, Min

from pufferproof.claims.papers.bai2026.nfc.instances import channel_of
from pufferproof.claims.papers.bai2026.nfc.statement import counts_are_integers
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

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
)
def nfc_lp(check: Check) -> None:
    """Prove the rewriting, weak and strong duality, for positive likelihoods and for zeros."""
    with check.reading(POSITIVE, "all finite sizes, real data") as argument:
        _rewriting(argument)
        _weak_duality(argument)
        _strong_duality(argument)
    check.near_miss(
        f"{POSITIVE}: weights beta of any sign",
        lambda argument: _weak_duality(argument, signed=True),
    )
    check.near_miss(
        f"{POSITIVE}: the minimum for the maximum",
        lambda argument: _rewriting(argument, wrong=True),
    )
    check.near_miss(
        f"{POSITIVE}: multipliers of a negative sum",
        lambda argument: _strong_duality(argument, free=True),
    )
    with check.reading(ZEROS, "all finite sizes") as argument:
        _zeros(argument)
    check.near_miss(
        f"{ZEROS}: an output that D gives", lambda argument: _excluded(argument, given=True)
    )


def _rewriting(argument: Argument, wrong: bool = False) -> None:
    A, a, M, m, n, x, p, q, f = sympy.symbols("A a M m n x p q f")
    top = Min(A, a) if wrong else Max(A, a)
    argument.inequality(
        "one program for each l*: (2) gives each",
        "A is the first maximum of (2) over the databases so far, a the value of the next, M eps "
        "more than the second maximum: if the larger of both is at most M, so is each of them, and "
        "with more databases each of those before",
        (A <= M) & (a <= M),
        [top <= M],
    )
    argument.induction(
        "one program for each l*: each gives (2)",
        "If the value a of the next database is at most M as well, so is the larger of A and a",
        base=(A <= M, [Eq(A, a), a <= M]),
        step=(Max(A, a) <= M, [A <= M, a <= M]),
    )
    argument.induction(
        "the second maximum becomes a minimum",
        "For one l* with value a, m is the maximum of the values x_l over the first l with s2, and "
        "n the minimum of a - x_l: a - m = n. The next value is x",
        base=(Eq(a - m, n), [Eq(m, x), Eq(n, a - x)]),
        step=(Eq(a - Max(m, x), Min(n, a - x)), [Eq(a - m, n)]),
    )
    argument.induction(
        "eps0 bounds the minimum: feasible",
        "f = eps0 is feasible with alpha iff it is at most each a - x_l. If it is at most the "
        "minimum p of the first ones and at most the next one, q, it is at most the minimum of all",
        base=(f <= p, [Eq(p, q), f <= q]),
        step=(f <= Min(p, q), [f <= p, f <= q]),
    )
    argument.inequality(
        "eps0 bounds the minimum: not feasible",
        "If f is at most the minimum of p and q it is at most each of them. So the optimum for l* "
        "is the largest minimum over all alpha, and (2) holds for all alpha iff every optimum is "
        "at most eps",
        (f <= p) & (f <= q),
        [f <= Min(p, q)],
    )


def _weak_duality(argument: Argument, signed: bool = False) -> None:
    T, a, A, h, x, b, B, s, f, X, d, y = sympy.symbols("T a A h x b B s f X d y")
    weight = [] if signed else [b >= 0]
    argument.induction(
        "the dual constraint",
        "H = sum of beta_l (log v_i[l*] - log v_i[l]), X = sum of beta_l log v_i[l] and B the sum "
        "of the weights over the first l: H = B d - X with d = log v_i[l*]. With B = 1 the printed "
        "constraint x + X >= d says H <= x",
        base=(Eq(b * (d - y), b * d - b * y), []),
        step=(Eq(h + b * (d - y), (B + b) * d - (X + b * y)), [Eq(h, B * d - X)]),
    )
    argument.cite(
        "order of summation",
        "T = sum_il alpha_i beta_l g_il, g_il = log(v_i[l*]/v_i[l])",
        "lemma.finite-sums",
    )
    argument.induction(
        "by outputs",
        "Each output adds alpha_i h with h = sum_l beta_l g_il <= x; A is the sum of the alpha_i",
        base=(a * h <= x * a, [a >= 0, h <= x]),
        step=(T + a * h <= x * (A + a), [T <= x * A, a >= 0, h <= x]),
    )
    argument.induction(
        "by databases",
        "Each database adds beta_l s with s = sum_i alpha_i g_il >= eps0 = f; B is the sum of the "
        "beta_l",
        base=(b * s >= f * b, [s >= f, *weight]),
        step=(T + b * s >= f * (B + b), [T >= f * B, s >= f, *weight]),
    )
    argument.inequality(
        "every eps0 is at most every x",
        "A = B = 1",
        f <= x,
        [T <= x * A, T >= f * B, Eq(A, 1), Eq(B, 1)],
    )


def _strong_duality(argument: Argument, free: bool = False) -> None:
    S, Y, x, s = sympy.symbols("S Y x s")
    argument.cite(
        "the alternative",
        "For every x: either weights beta have sum_l beta_l (g_il - x) <= 0 for all i, and are "
        "feasible with x; or y_i >= 0 have S_l - x Y > 0 for all l, S_l = sum_i y_i g_il and Y the "
        "sum of the y_i, which is not 0",
        "bai2026.x-alternative",
    )
    argument.inequality(
        "then some alpha does better than x",
        "alpha = y/Y has the value s = S_l/Y > x at every l: so no x lies above all eps0 and below "
        "all feasible x. At the supremum x of eps0 the second case is impossible, and the dual "
        "attains it",
        s > x,
        [Eq(s * Y, S), S - x * Y > 0, *([Y < 0] if free else [Y > 0])],
    )
    argument.cite(
        "the primal attains it too",
        "The alternative for x - g_il with both roles exchanged: either weights alpha have sum_i "
        "alpha_i (x - g_il) <= 0 for all l, and are feasible with eps0 = x; or z_l >= 0 have sum_l "
        "z_l (x - g_il) > 0 for all i, and z/sum z is feasible for the dual with less than x, "
        "against weak duality",
        "bai2026.x-alternative",
    )


def _excluded(argument: Argument, given: bool = False) -> None:
    d, b, x, y = sympy.symbols("d b x y")
    argument.inequality(
        "outputs that l* never gives",
        "If v_i[l*] = 0 the product form 0 <= e^x prod v_i[l]^beta_l of the dual constraint always "
        "holds; in (2) a positive alpha_i makes the first sum minus infinity, so only alpha_i = 0 "
        "matters. Drop them; if none is left both values are minus infinity",
        d <= x * y,
        [d >= 0 if given else Eq(d, 0), x > 0, y >= 0],
    )
    argument.inequality(
        "databases that exclude an output that l* gives",
        "If v_i[l*] = d > 0 = v_i[l] then beta_l > 0 makes the right side 0: only beta_l = 0 is "
        "feasible. In the primal every alpha with alpha_i > 0 meets the condition of l, whose left "
        "side is infinite",
        Eq(b, 0),
        [d > 0, d <= x * y, x > 0, b >= 0, (b > 0) & Eq(y, 0) | Eq(b, 0) & (y > 0)],
    )


def _zeros(argument: Argument) -> None:
    B, b, n = sympy.symbols("B b n")
    _excluded(argument)
    argument.inequality(
        "all databases excluded",
        "If none is left no beta has sum B = 1, and no x is feasible; in the primal alpha > 0 "
        "meets all conditions with every eps0: both optimal values are infinite",
        sympy.Ne(B, 1),
        [Eq(B, n * b), Eq(b, 0), n >= 0],
    )
    counts_are_integers(argument)
    argument.cite(
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
    with check.reading("as printed", "one counterexample") as argument:
        _not_attained(argument)


def _not_attained(argument: Argument) -> None:
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

    argument.counterexample(
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
)
def nfc_dp_special(check: Check) -> None:
    """Prove it by substitution, zero likelihoods included."""
    with check.reading("as printed", "all finite sizes, likelihoods may be 0") as argument:
        _one_hot(argument)
    check.near_miss("as printed: two weights of one half", lambda argument: _two_hot(argument))


def _one_hot(argument: Argument) -> None:
    P, v, u, E, f = sympy.symbols("P v u E f")
    argument.induction(
        "factors with weight 0",
        "P is the product of v_l^beta_l over the databases so far without the chosen one: each "
        "factor f is 1, also 0^0",
        base=(Eq(P, 1), [Eq(P, f), Eq(f, 1)]),
        step=(Eq(P * f, 1), [Eq(P, 1), Eq(f, 1)]),
    )
    argument.inequality(
        "the constraint",
        "u = M(D)(w), v = M(D_l)(w): u <= E P v is u <= E v",
        Equivalent(u <= E * P * v, u <= E * v),
        [Eq(P, 1), E >= 1, u >= 0, v >= 0],
    )


def _two_hot(argument: Argument) -> None:
    v, u, E, y, g = sympy.symbols("v u E y g")
    argument.inequality(
        "the constraint",
        "g = (v y)^(1/2) is the geometric mean",
        Equivalent(u <= E * g, u <= E * v),
        [Eq(g**2, v * y), g >= 0, E >= 1, u >= 0, v >= 0, y >= 0],
    )
