"""The convex design program of the relaxed bound: its convexity, its optimum in closed form, and
its use on both sides.

Records of M on one side are numbered 1 .. N away from p; c_k = e^(delta_k - eps) <= 1 is what the
product of q_1 .. q_k must reach, c_0 = 1. Sums of logarithms stay products. Source: massny2025,
section IV-B and appendix A; the closed form is ours.
"""

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    between,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025 import NOTATION as PAPER
from pufferproof.claims.papers.massny2025.influence.three_regions import ALL
from pufferproof.claims.papers.massny2025.relaxation import program_statements, statements
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "N": "the number of records of M on the side",
    "l": "the number of a record: the breakpoint after k",
}
k = letter("k", "a breakpoint")
l = letter("l", NOTATION["l"])
w = letter("w", "a weight", between(0, 1))
F, G, H = letters("F G H", "the sums of -log q_i over the first i in M_t, at q, q' and their mean")
f, g, h = letters("f g h", "the next terms of F, G, H")
limit = letter("limit", "eps_r - delta_t")
x, y = letters("x y", "q_t of two feasible points", between(0, 1))
size = letter("size", "|M| on the side", at_least(1))
slopes, more = letters("slopes more", "the numbers of slopes up to the breakpoints k and l")
inner, outer = letters("inner outer", "a record between k and l, and one beyond l")
at_k, at_l = letters("at_k at_l", "eps - delta at k, at l")
at_inner, at_outer = letters("at_inner at_outer", "eps - delta at inner, at outer")
slope, other_slope = letters("slope other_slope", "the slopes from k to l, and from k to inner")
line = letter("line", "-(log q_1 + ... + log q_i), on the line through k and l")
q, later = letters("q later", "q_k and the next one", above(0))
r = letter("r", "r_i = q'_i/q_i of the next record, for another feasible q'")
mean = letter("mean", "the mean of the r_i", at_least(0))
power = letter("power", "a power of this mean")
T, U = letters("T U", "the sums of r_i - 1, of q'_i - q_i over i <= k")
root, other_root = letters("root other_root", "roots of q_i of two solutions", above(0))
u, v = letters("u v", "the products of such roots over M_t", above(0))
m = letter("m", "the product of q_i over M_t on the side", above(0))
beyond = letter("beyond", "that over the other side", above(0), at_most(1))
needed = letter("needed", "c_t, what the product of q_i over M_t must reach")
eps = letter("eps", PAPER["epsilon, eps"])
eps_l = letter("eps_l", PAPER["eps_l"], above(0))
eps_r = letter("eps_r", PAPER["eps_r"], above(0))
left, right, whole = letters("left right whole", "Lk of the sides, and Lk of Y")
CHORD = w * F + (1 - w) * G
FREE = Edit("summation by parts: step", without=q >= later)
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
    says=program_statements.PROGRAM,
)
def convex_program(check: Check) -> None:
    """Prove convexity of every constraint, and efficiency by a solution in closed form."""
    reverse = Edit(
        "sums keep it: step",
        instead=H + h >= CHORD + w * f + (1 - w) * g,
        without=H <= CHORD,
        given=H >= CHORD,
    )
    proved(check, "convex", PROGRAM, _convex, the_reverse_constraint=reverse)
    less = Edit(
        "how many slopes: step",
        instead=2 * more <= l * (2 * size - l),
        without=2 * slopes <= k * (2 * size - k + 1),
        given=2 * slopes <= k * (2 * size - k),
    )
    proved(check, CLOSED, PROGRAM, _closed, **{"at most |M| - 1 from 0 on": less})
    rises = edited(_hull_optimal, FREE)
    check.near_miss(f"{CLOSED}: products prescribed where q rises", rises)


def _closed(proof: Proof) -> None:
    proof.cite("feasible", "q = 1 is feasible", "massny2025.delta-le-eps")
    proof.cite(
        "optimum",
        "from k on: the largest minimiser l of the slopes to k+1, .., |M|",
        "massny2025.x-relaxed-optimum",
    )
    _slopes(proof)


def _slopes(proof: Proof) -> None:
    proof.induction(
        "how many slopes",
        "size - k more lead from the breakpoint k to the next one, l > k",
        base=(2 * slopes <= k * (2 * size - k + 1), [Eq(slopes, 0), Eq(k, 0)]),
        step=(
            2 * more <= l * (2 * size - l + 1),
            [
                2 * slopes <= k * (2 * size - k + 1),
                Eq(more, slopes + size - k),
                l >= k + 1,
                l <= size,
                k >= 0,
            ],
        ),
    )
    proof.inequality(
        "in all",
        "the last breakpoint is the last record of M",
        slopes <= size * (size + 1) / 2,
        [2 * slopes <= k * (2 * size - k + 1), Eq(k, size)],
    )


def _convex(proof: Proof) -> None:
    """-log is convex: log(w x + (1-w) y) >= w log x + (1-w) log y, for rational weights as
    powers.
    """
    proof.cite(
        "-log q_i is convex",
        "x^j y^(n-j) <= ((j x + (n-j) y)/n)^n: chords with rational weights j/n lie above -log, "
        "and by continuity all do",
        "lemma.am-gm",
    )
    proof.induction(
        "sums keep it",
        "at the mean w q + (1-w) q' each -log is at most the mean of both",
        base=(H <= CHORD, [Eq(F, 0), Eq(G, 0), Eq(H, 0)]),
        step=(
            H + h <= w * (F + f) + (1 - w) * (G + g),
            [H <= CHORD, h <= w * f + (1 - w) * g],
        ),
    )
    proof.inequality(
        "the feasible set",
        "the mean of two points that meet a constraint does",
        H <= limit,
        [H <= CHORD, F <= limit, G <= limit],
    )
    proof.inequality(
        "0 <= q_t <= 1 and the objective are linear",
        "a mean of two numbers in [0, 1]",
        And(w * x + (1 - w) * y >= 0, w * x + (1 - w) * y <= 1),
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
    says=program_statements.OPTIMUM,
)
def relaxed_optimum(check: Check) -> None:
    """Prove that the construction is feasible and optimal by the inequality of means and
    summation by parts.
    """
    smallest = Edit("every constraint holds", without=slope <= other_slope)
    proved(
        check,
        "as stated",
        PROGRAM,
        _hull,
        products_prescribed_where_q_rises=FREE,
        the_smallest_slope_not_minimal=smallest,
    )


def _hull(proof: Proof) -> None:
    _hull_feasible(proof)
    _hull_optimal(proof)


def _hull_feasible(proof: Proof) -> None:
    proof.inequality(
        "slopes grow",
        "l is the largest minimiser of the slope from k, so later points lie strictly above the "
        "line through k and l",
        (at_outer - at_l) > slope * (outer - l),
        [
            Eq(at_l - at_k, slope * (l - k)),
            at_outer - at_k > slope * (outer - k),
            l > k,
            outer > l,
            k >= 0,
        ],
    )
    proof.inequality(
        "every constraint holds",
        "for k < inner <= l: the slope from k to inner is at least that to l",
        line <= at_inner,
        [
            Eq(line, at_k + slope * (inner - k)),
            Eq(other_slope * (inner - k), at_inner - at_k),
            slope <= other_slope,
            inner > k,
            inner <= l,
            k >= 0,
        ],
    )
    proof.inequality(
        "the first slope is not negative",
        "eps - delta_l >= 0, so with growing slopes all are, and q <= 1",
        slope >= 0,
        [Eq(at_l, slope * l), at_l >= 0, l > 0],
    )


def _hull_optimal(proof: Proof) -> None:
    """r_i = q'_i / q_i for another feasible q'; T is the sum of r_i - 1, U that of q'_i - q_i, over
    i <= k.
    """
    proof.cite(
        "means",
        "At a breakpoint k the product of q_i over i <= k is c_k, so that of r_i = q'_i/q_i is at "
        "least 1",
        "lemma.am-gm",
    )
    proof.inequality(
        "T at breakpoints",
        "the k-th power of the mean is at least the product of the r_i, so at least 1, and so is "
        "the mean",
        T >= 0,
        [Eq(T, k * (mean - 1)), mean >= 1, k >= 1],
        for_any=[mean],
    )
    proof.induction(
        "powers",
        "a mean below 1 has no power of 1 or more",
        base=(Implies(mean < 1, power < 1), [Eq(power, mean)]),
        step=(Implies(mean < 1, power * mean < 1), [Implies(mean < 1, power < 1), power >= 0]),
    )
    proof.induction(
        "summation by parts",
        "U >= q_k T for the sum over i <= k: q stays the same to k + 1, or falls, where k is a "
        "breakpoint and T >= 0",
        base=(U >= q * T, [Eq(U, q * (r - 1)), Eq(T, r - 1)]),
        step=(
            U + later * (r - 1) >= later * (T + r - 1),
            [U >= q * T, Implies(sympy.Ne(q, later), T >= 0), q >= later, r > 0],
        ),
    )
    proof.inequality(
        "optimal", "N is a breakpoint: T >= 0 over all of M", U >= 0, [U >= q * T, T >= 0]
    )
    _only_solution(proof)


def _only_solution(proof: Proof) -> None:
    product = root * other_root
    proof.inequality(
        "only solution: sums",
        "with the product of both roots instead the sum is smaller than the mean of the sums of "
        "two solutions",
        And(
            2 * product <= root**2 + other_root**2,
            Implies(sympy.Ne(root, other_root), 2 * product < root**2 + other_root**2),
        ),
    )
    proof.inequality(
        "only solution: products",
        "the products of both roots meet the constraint, too",
        u * v >= needed,
        [u**2 >= needed, v**2 >= needed, needed > 0],
    )


@claim(
    "massny2025.two-sided",
    where="Section IV-B, Appendix A",
    statement="For p>1 the same solution is used for each side with (eps_l, M^(l)) and (eps_r, "
    "M^(r)); the mechanism is then eps-private.",
    kind="remark",
    says=statements.BOTH_SIDES,
)
def two_sided(check: Check) -> None:
    """Prove that the whole output keeps eps_l + eps_r, with M_t on its side or on both."""
    one, both = "M_t on the side of t", "M_t on both sides, as |i-p| <= |t-p| says"
    twice = Edit("budgets", without=eps_l + eps_r <= eps, given=eps_l + eps_r <= 2 * eps)
    proved(check, one, ALL, _two_sides)
    check.near_miss(f"{one}: eps_l and eps_r both eps", edited(_two_sides, twice))
    proved(check, both, ALL, _on_both_sides, the_other_direction=_fewer_factors)


def _on_both_sides(proof: Proof) -> None:
    proof.inequality(
        "more factors",
        "a constraint on the product over both sides implies that on the product over one",
        needed <= m,
        [needed <= m * beyond],
    )
    _two_sides(proof)


def _fewer_factors(proof: Proof) -> None:
    proof.inequality(
        "fewer factors",
        "a constraint on the product over one side implies the one over both",
        needed <= m * beyond,
        [needed <= m],
    )


def _two_sides(proof: Proof) -> None:
    proof.cite(
        "each side",
        "Lk of a side is at most its budget if the constraints hold",
        "massny2025.eq4-repaired",
    )
    proof.cite("the left side", "is a right side of the reversed chain", "massny2025.reversible")
    proof.cite("both", "Lk <= the sum of the sides", "massny2025.lr-compose")
    proof.inequality(
        "budgets",
        "eps_l + eps_r <= eps",
        whole <= eps,
        [whole <= left + right, left <= eps_l, right <= eps_r, eps_l + eps_r <= eps],
    )
