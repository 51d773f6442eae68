"""The convex design program of the relaxed bound: its convexity, its optimum in closed form, and
its use on both sides.

Records of M on one side are numbered 1 .. N away from p; c_k = e^(delta_k - eps) <= 1 is what the
product of q_1 .. q_k must reach, c_0 = 1. Sums of logarithms stay products. Source: massny2025,
section IV-B and appendix A; the closed form is ours.
"""

from pufferproof.claims.papers.massny2025.relaxation import program_statements, statements
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "N": "the number of records of M on the side",
    "l": "the number of a record: the breakpoint after k",
}


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
    """Prove convexity of every constraint, and efficiency by a solution in closed form.

    Convex. x^j y^(n-j) <= ((j x + (n-j) y)/n)^n: chords with rational weights lie above -log, and
    by continuity all do [lemma.am-gm]; sums keep it. 0 <= q_t <= 1 and the objective are linear.

    Solved from at most |M| (|M|+1)/2 slopes. q = 1 is feasible [massny2025.delta-le-eps]; from a
    breakpoint k on, |M| - k slopes lead to the next one, l > k [massny2025.x-relaxed-optimum].
    """


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

    l is the largest minimiser of the slope from k, so that later points lie strictly above the line
    through k and l: slopes grow, every constraint holds between k and l, and q <= 1, as the first
    slope is at least 0. For another feasible q' the r_i = q'_i/q_i have a product of at least 1 up
    to each breakpoint, and so a mean of at least 1 [lemma.am-gm]: T, the sum of r_i - 1, is at
    least 0 there. Summation by parts: U >= q_k T for the sum over i <= k, since q stays the same to
    k + 1, or falls where k is a breakpoint. N is a breakpoint. The only solution: the products of
    both roots of two solutions meet the constraints with a smaller sum.
    """


@claim(
    "massny2025.two-sided",
    where="Section IV-B, Appendix A",
    statement="For p>1 the same solution is used for each side with (eps_l, M^(l)) and (eps_r, "
    "M^(r)); the mechanism is then eps-private.",
    kind="remark",
    says=statements.BOTH_SIDES,
)
def two_sided(check: Check) -> None:
    """Prove that the whole output keeps eps_l + eps_r, with M_t on its side or on both.

    M_t on the side of t. Each side: Lk of a side is at most its budget if the constraints hold
    [massny2025.eq4-repaired]. The left side: is a right side of the reversed chain
    [massny2025.reversible]. Both: Lk <= the sum of the sides [massny2025.lr-compose]. Budgets:
    eps_l + eps_r <= eps.

    M_t on both sides, as |i-p| <= |t-p| says. More factors: a constraint on the product over both
    sides implies that on the product over one. From "Each side" to "Budgets": as above.
    """
    one, both = "M_t on the side of t", "M_t on both sides, as |i-p| <= |t-p| says"
    check.tried(one)
    check.tried(both)
