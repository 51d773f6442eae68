"""The convex design program of the relaxed bound: its convexity, its optimum in closed form, and
its use on both sides.

Records of M on one side are numbered 1 .. N away from p; c_k = e^(delta_k - eps) <= 1 is what the
product of q_1 .. q_k must reach, c_0 = 1. Sums of logarithms stay products. Source: massny2025,
section IV-B and appendix A; the closed form is ours.
"""

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.papers.massny2025.relaxation.statement import ALL
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

q, r, s, t, T, U, x, y, c, d, k, n, p, w = sympy.symbols("q r s t T U x y c d k n p w")
NOTATION = {"N": "the number of records of M on the side", "l": "the number of a record"}
PROGRAM = "every M and delta_t <= eps; so all parameters"
CLOSED = "solved from at most |M| (|M|+1)/2 slopes"


@claim(
    "massny2025.convex-program",
    where="Appendix A",
    statement="minimise sum_{t in M} q_t subject to -sum_{i in M_t} log q_i <= eps_r - delta_t for "
    "every t in M and 0 <= q_t <= 1: the constraints are convex and the objective is linear. "
    "Solved efficiently is read as: by massny2025.x-relaxed-optimum, which computes and "
    "compares at most |M|(|M|+1)/2 slopes and takes |M| roots.",
    kind="algorithm",
)
def convex_program(check: Check) -> None:
    """Prove convexity of every constraint, and efficiency by a solution in closed form."""
    with check.reading("convex", PROGRAM) as argument:
        _convex(argument)
    check.near_miss(
        "convex: the reverse constraint", lambda argument: _convex(argument, reverse=True)
    )
    with check.reading(CLOSED, PROGRAM) as argument:
        argument.cite("feasible", "q = 1 is feasible", "massny2025.delta-le-eps")
        argument.cite(
            "optimum",
            "from k on: the largest minimiser l of the slopes to k+1, .., |M|",
            "massny2025.x-relaxed-optimum",
        )
        _slopes(argument)
    check.near_miss(
        f"{CLOSED}: at most |M| - 1 from 0 on", lambda argument: _slopes(argument, less=1)
    )
    check.near_miss(
        f"{CLOSED}: products prescribed where q rises",
        lambda argument: _hull_optimal(argument, falls=False),
    )


def _slopes(argument: Argument, less: int = 0) -> None:
    """w slopes were computed before breakpoint k of n = |M|; l is the next one."""
    l, v = sympy.symbols("l v")
    argument.induction(
        "how many slopes",
        "w is the number of slopes up to the breakpoint k, n = |M|: 2 w <= k (2 n - k + 1), as n - "
        "k more lead to the next breakpoint l > k; v is the number up to l",
        base=(2 * w <= k * (2 * n - k + 1 - less), [Eq(w, 0), Eq(k, 0), n >= 1]),
        step=(
            2 * v <= l * (2 * n - l + 1 - less),
            [
                2 * w <= k * (2 * n - k + 1 - less),
                Eq(v, w + n - k),
                l >= k + 1,
                l <= n,
                k >= 0,
                n >= 1,
            ],
        ),
    )
    argument.inequality(
        "in all",
        "the last breakpoint is k = n",
        w <= n * (n + 1) / 2,
        [2 * w <= k * (2 * n - k + 1), Eq(k, n), n >= 1],
    )


def _convex(argument: Argument, reverse: bool = False) -> None:
    """-log is convex: log(w x + (1-w) y) >= w log x + (1-w) log y, for rational weights as
    powers.
    """
    argument.cite(
        "-log q_i is convex",
        "x^j y^(n-j) <= ((j x + (n-j) y)/n)^n: chords with rational weights j/n lie above -log, "
        "and by continuity all do",
        "lemma.am-gm",
    )
    f, g, h, F, G, H, b = sympy.symbols("f g h F G H b")
    below = sympy.Ge if reverse else sympy.Le
    argument.induction(
        "sums keep it",
        "F, G, H are the sums over the first i in M_t of -log q_i at q, q' and w q + (1-w) q'",
        base=(below(H, w * F + (1 - w) * G), [Eq(F, 0), Eq(G, 0), Eq(H, 0), w >= 0, w <= 1]),
        step=(
            below(H + h, w * (F + f) + (1 - w) * (G + g)),
            [below(H, w * F + (1 - w) * G), h <= w * f + (1 - w) * g, w >= 0, w <= 1],
        ),
    )
    argument.inequality(
        "the feasible set",
        "F, G <= b = eps_r - delta_t",
        H <= b,
        [H <= w * F + (1 - w) * G, F <= b, G <= b, w >= 0, w <= 1],
    )
    argument.inequality(
        "0 <= q_t <= 1 and the objective are linear",
        "a mean of two numbers in [0, 1]",
        And(w * x + (1 - w) * y >= 0, w * x + (1 - w) * y <= 1),
        [x >= 0, x <= 1, y >= 0, y <= 1, w >= 0, w <= 1],
    )


@claim(
    "massny2025.x-relaxed-optimum",
    where="Appendix A, beyond",
    statement="Let M on a side have N >= 1 records, numbered away from p, and write delta_k for "
    "that of the record with the number k. The program of massny2025.convex-program is solved "
    "by q = e^-slope of the greatest convex function below the points (k, eps - delta_k), k = "
    "1..N, and (0, 0): from k = 0 on, let l be the largest minimiser of the slope (eps - "
    "delta_l - (eps - delta_k))/(l - k) over l = k+1..N (delta_0 = eps), q_i = exp(-slope) for "
    "k < i <= l, and go on from l. q does not rise away from p; it is the only solution.",
    kind="closed form",
)
def relaxed_optimum(check: Check) -> None:
    """Prove that the construction is feasible and optimal by the inequality of means and
    summation by parts.
    """
    name = "as stated"
    with check.reading(name, PROGRAM) as argument:
        _hull_feasible(argument)
        _hull_optimal(argument)
    check.near_miss(
        f"{name}: products prescribed where q rises",
        lambda argument: _hull_optimal(argument, falls=False),
    )
    check.near_miss(
        f"{name}: the smallest slope not minimal",
        lambda argument: _hull_feasible(argument, minimal=False),
    )


def _hull_feasible(argument: Argument, minimal: bool = True) -> None:
    """B, C, D are values eps - delta at k < l < j; s is the slope from k to l."""
    B, C, D, j, l = sympy.symbols("B C D j l")
    argument.inequality(
        "slopes grow",
        "l is the largest minimiser of the slope from k, so later points lie strictly above the "
        "line through k and l",
        (D - C) > s * (j - l),
        [Eq(C - B, s * (l - k)), D - B > s * (j - k), l > k, j > l, k >= 0],
    )
    argument.inequality(
        "every constraint holds",
        "for k < n <= l: w is the slope from k to n, at least s; x = -(log q_1 + ... + log q_n) is "
        "on the line through k and l, and at most D = eps - delta_n",
        x <= D,
        [
            Eq(x, B + s * (n - k)),
            Eq(w * (n - k), D - B),
            *([s <= w] if minimal else []),
            n > k,
            n <= l,
            k >= 0,
        ],
    )
    argument.inequality(
        "the first slope is not negative",
        "eps - delta_l >= 0, so with growing slopes all are, and q <= 1",
        s >= 0,
        [Eq(C, s * l), C >= 0, l > 0],
    )


def _hull_optimal(argument: Argument, falls: bool = True) -> None:
    """r_i = q'_i / q_i for another feasible q'; T is the sum of r_i - 1, U that of q'_i - q_i, over
    i <= k; q and p " "follow each other.
    """
    argument.cite(
        "means",
        "At a breakpoint k the product of q_i over i <= k is c_k, so that of r_i = q'_i/q_i is at "
        "least 1",
        "lemma.am-gm",
    )
    argument.inequality(
        "T at breakpoints",
        "w is the mean of the r_i; its k-th power is at least their product, so at least 1, and w "
        ">= 1. T = k (w - 1)",
        T >= 0,
        [Eq(T, k * (w - 1)), w >= 1, k >= 1],
    )
    argument.induction(
        "powers",
        "a mean below 1 has no power of 1 or more: x is a power of w",
        base=(Implies(w < 1, x < 1), [Eq(x, w), w >= 0]),
        step=(Implies(w < 1, x * w < 1), [Implies(w < 1, x < 1), x >= 0, w >= 0]),
    )
    order = [q >= p] if falls else []
    argument.induction(
        "summation by parts",
        "U >= q_k T for the sum over i <= k: q stays the same to k + 1, or falls from q to p, "
        "where k is a breakpoint and T >= 0",
        base=(U >= q * T, [Eq(U, q * (r - 1)), Eq(T, r - 1), q > 0]),
        step=(
            U + p * (r - 1) >= p * (T + r - 1),
            [U >= q * T, Implies(sympy.Ne(q, p), T >= 0), *order, q > 0, p > 0, r > 0],
        ),
    )
    argument.inequality(
        "optimal", "N is a breakpoint: T >= 0 over all of M", U >= 0, [U >= q * T, T >= 0, q > 0]
    )
    argument.inequality(
        "only solution: sums",
        "x^2 and y^2 are q_i of two solutions: with x y instead the sum is smaller than the "
        "mean of their sums",
        And(2 * x * y <= x**2 + y**2, Implies(sympy.Ne(x, y), 2 * x * y < x**2 + y**2)),
        [x > 0, y > 0],
    )
    argument.inequality(
        "only solution: products",
        "s and t are the products of x and of y over M_t: those of x y meet the constraint, too",
        s * t >= c,
        [s**2 >= c, t**2 >= c, s > 0, t > 0, c > 0],
    )


@claim(
    "massny2025.two-sided",
    where="Section IV-B, Appendix A",
    statement="For p>1 the same solution is used for each side with (eps_l, M^(l)) and (eps_r, "
    "M^(r)); the mechanism is then eps-private.",
    kind="remark",
)
def two_sided(check: Check) -> None:
    """Prove that the whole output keeps eps_l + eps_r, with M_t on its side or on both."""
    one, both = "M_t on the side of t", "M_t on both sides, as |i-p| <= |t-p| says"
    with check.reading(one, ALL) as argument:
        _two_sides(argument)
    check.near_miss(f"{one}: eps_l and eps_r both eps", lambda argument: _budgets(argument, 2))
    with check.reading(both, ALL) as argument:
        argument.inequality(
            "more factors",
            "m is the product over M_t on the side, w over the other side: a constraint on m w "
            "implies that on m",
            c <= q,
            [c <= q * w, w > 0, w <= 1, q > 0],
        )
        _two_sides(argument)
    check.near_miss(
        f"{both}: the other direction",
        lambda argument: argument.inequality(
            "fewer factors",
            "a constraint on m implies the one on m w",
            c <= q * w,
            [c <= q, w > 0, w <= 1, q > 0],
        ),
    )


def _two_sides(argument: Argument) -> None:
    argument.cite(
        "each side",
        "Lk of a side is at most its budget if the constraints hold",
        "massny2025.eq4-repaired",
    )
    argument.cite("the left side", "is a right side of the reversed chain", "massny2025.reversible")
    argument.cite("both", "Lk <= the sum of the sides", "massny2025.lr-compose")
    _budgets(argument, 1)


def _budgets(argument: Argument, factor: int) -> None:
    argument.inequality(
        "budgets",
        "eps_l + eps_r <= eps",
        t <= c,
        [t <= x + y, x <= r, y <= s, r + s <= factor * c, r > 0, s > 0],
    )
