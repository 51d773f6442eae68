"""The worst Pufferfish ratio of per-bit differential privacy on chains and trees of bits, by a
Moebius recursion.

Bits on a rooted tree: a child has a kernel P with rows (P00, P01) and (P10, P11), and given the
parent its subtree is independent of the rest. Columns are the functions u of all bits with u(x) <=
R u(y) for x, y that differ in one bit. Messages of a bit are the largest ratios of its two means of
u: up (1 against 0) and down.

Prior art: along a chain this recursion is the privacy leakage of cao2017 and cao2018. That it is
exact over all mechanisms of the levels, and trees, are not there.
"""

from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.records import trees as says
from pufferproof.claims.registry import Check, claim

CHAINS = (
    "With differential privacy on top: chains and trees of bits (the recursion along chains: Cao "
    "et al. 2017, 2018)"
)
R = letter("R", "e to the level")
S, D = letters("S D", "the messages up and down of a child", at_least(1))
A, B = letters(
    "A B", "means of u given root = 1 and given root = 0; the first children follow their laws in A"
)
M = letter("M", "the product of what the first children contribute")
N = letter("N", "the mean with one more child changed, or the root")
s = letter("s", "what the next child contributes")
m, n = letters("m n", "means given 1 and given 0")
v = letter("v", "the mean of the next factor given 1, or its value at a database")
w = letter("w", "the mean of the next factor given 0", above(0))
u = letter("u", "the value of a factor, at a database")
u2 = letter("u2", "its value at a database that differs in one bit")
t = letter("t", "the quotient of the means of a child", above(0))
P00, P01, P10, P11 = letters(
    "P00 P01 P10 P11", "the kernel of a child: P_ab = P(child = b | parent = a)", at_least(0)
)
before, after = letters("before after", "P(left, X_i)/P(X_i), P(right | X_i)")
whole = letter("whole", "P(left, X_i, right)/P(X_i)")
chance = letter("chance", "P(X_i)", above(0))
p, q = letters("p q", "P(x_(j-1)), P(x_j)", above(0))
a, b = letters("a b", "P(x_j | x_(j-1)), P(x_(j-1) | x_j)", above(0))
c = letter("c", "P(x_(j+1) | x_j)", above(0))
d = letter("d", "P(x_(j+1))", above(0))
given = letter("given", "P(x_(j-1) | x_j, x_(j+1))")
ROWS = [Eq(P00 + P01, 1), Eq(P10 + P11, 1)]


@claim(
    "worst.moebius-tree",
    where=CHAINS,
    statement="Over all mechanisms of per-bit level R >= 1 on a finite tree of bits, both values "
    "of the root being possible, the largest ratio of P(w | root = 1) and P(w | root = 0) over "
    "outputs w is S = R prod_c s_c over the children c of the root, s_c the larger of g_c at t "
    "= S_c and t = 1/D_c, S_c and D_c the messages up and down of the child and g_c(t) = (P11 "
    "t + P10)/(P01 t + P00) with its kernel; the largest ratio of P(w | root = 0) and P(w | "
    "root = 1) is D = R prod_c d_c, d_c the larger of 1/g_c at both. A leaf has S = D = R. The "
    "messages of a child are those of its subtree as a tree of its own.",
    says={"upper bound": says.TREE_UPPER, "attained": says.TREE_ATTAINED},
)
def moebius_tree(check: Check) -> None:
    """Prove the upper bound by replacing one factor at a time, and attain it by a product of
    columns.
    """
    name = "upper bound"
    proved(check, name, "every finite tree of bits, every R >= 1", _moebius_tree)
    check.near_miss(
        f"{name}: the end t = S_c only",
        edited(
            _moebius_tree,
            Edit("the larger of two ends", without=P11 + P10 * D <= s * (P01 + P00 * D)),
        ),
    )
    check.near_miss(
        f"{name}: without the step of the root",
        edited(_moebius_tree, Edit("the root", put={R * M * B: M * B})),
    )
    name = "attained"
    proved(
        check,
        name,
        "every finite tree of bits, every R >= 1",
        _attained,
        children_that_share_a_bit=Edit(
            "a product over the children: step", without=Eq(A, m * v), given=A >= 0
        ),
    )


def _moebius_tree(proof: Proof) -> None:
    upper_bound(proof)
    ends(proof)


def upper_bound(proof: Proof) -> None:
    """Prove that ratios at the root are at most R times the product of what each child
    contributes, for any alphabet.
    """
    proof.cite(
        "averages are columns",
        "The column of a leaf is a pair of numbers within a factor R. For a fixed value of the "
        "root and laws of the other subtrees, v = the average of u over these is a column of the "
        "subtree of c: sums keep u(x) <= R u(y)",
        "lemma.mediant",
    )
    children_in_turn(proof)


def children_in_turn(proof: Proof) -> None:
    """Prove that ratios at the root are at most its level times what each child contributes,
    averages of columns being columns.
    """
    proof.induction(
        "one child at a time",
        "A is the mean of u(0, .) when the first children follow their laws given root = 1 and the "
        "others given root = 0, B that given root = 0 for all: A <= M B. For the next child the "
        "mean of the column v above changes by at most s_c",
        base=(A <= s * B, [A <= s * B, B >= 0]),
        step=(N <= M * s * B, [N <= s * A, A <= M * B, s >= 0, M >= 0, B >= 0]),
    )
    proof.inequality(
        "the root",
        "u(1, .) <= R u(0, .) at every database, and so in the mean given root = 1: N <= R A for A "
        "with all children changed",
        N <= R * M * B,
        [N <= R * A, A <= M * B, R >= 1, M >= 0, B >= 0],
    )


def ends(proof: Proof) -> None:
    """Prove that a child contributes most at an end of the ratios that its messages allow."""
    proof.inequality(
        "the larger of two ends",
        "m = E[v | x_c = 1] and n = E[v | x_c = 0] > 0 have m <= S_c n and n <= D_c m. If g at "
        "both ends is at most s, written as P11 S + P10 <= s (P01 S + P00) and P11 + P10 D <= s "
        "(P01 + P00 D), then P11 m + P10 n <= s (P01 m + P00 n)",
        P11 * m + P10 * n <= s * (P01 * m + P00 * n),
        [
            *ROWS,
            P11 * S + P10 <= s * (P01 * S + P00),
            P11 + P10 * D <= s * (P01 + P00 * D),
            m <= S * n,
            n <= D * m,
            n > 0,
            m > 0,
            s >= 0,
        ],
    )
    proof.inequality(
        "denominators are positive",
        "the two entries of the row given root = 0 sum to 1",
        (P01 * t + P00 > 0) & (P11 * t + P10 > 0),
        [*ROWS],
    )


def _attained(proof: Proof) -> None:
    proof.induction(
        "a product over the children",
        "u(x) = R^(root) prod_c v_c with v_c a column of the subtree of c that attains the end: "
        "given the root the subtrees are independent, so means multiply; m, n are the means so far "
        "given 1 and 0, with m = M n, v, w those of the next",
        base=(Eq(v, s * w), [Eq(v, s * w)]),
        step=(
            Eq(A, M * s * B),
            [Eq(m, M * n), Eq(v, s * w), Eq(B, n * w), Eq(A, m * v), n > 0],
        ),
    )
    proof.inequality(
        "it has the level",
        "Changing one bit changes one factor, by at most R: the others are v >= 0",
        u * v <= R * u2 * v,
        [u <= R * u2, v >= 0, R >= 1],
    )
    proof.inequality(
        "the root's own factor",
        "R at 1 against 1 at 0: A = R m and B = n",
        Eq(A, R * M * B),
        [Eq(A, R * m), Eq(B, n), Eq(m, M * n)],
    )
    end_of_a_child(proof)
    proof.cite(
        "columns occur",
        "per-bit levels are a cone with room for R > 1, and constants for R = 1",
        "worst.power-closed",
        met={
            "no further constraint: not Pufferfish on top; d > 0 and symmetric": "per-bit levels "
            "alone: d = 1 on neighbours",
            "for NfC some R_k > 1: at level 1 vectors of the family, such as 0 at D and 1 at l, "
            "need not be columns": "no NfC",
        },
    )


def end_of_a_child(proof: Proof) -> None:
    """Say what a child with the ratio t contributes."""
    proof.identity(
        "the end of a child",
        "A column with E[v | x_c = 1] = t E[v | x_c = 0], t = S_c or 1/D_c, has the quotient "
        "g_c(t)",
        (P11 * t * w + P10 * w) / (P01 * t * w + P00 * w),
        (P11 * t + P10) / (P01 * t + P00),
    )


@claim(
    "worst.chain-interior",
    where=CHAINS,
    statement="For bit i of a Markov chain of bits, both values of it possible, the largest ratio "
    "in the order 1 against 0 is R s_left s_right, as for a root with two children: the sides "
    "are trees, the left one with the reversed kernels P(X_(j-1) | X_j), any kernel serving "
    "after a value that X_j cannot have; likewise 0 against 1.",
    says=says.INTERIOR_ONE_LEVEL,
)
def chain_interior(check: Check) -> None:
    """Prove that a chain seen from an inner bit is a tree with two branches."""
    name = "as stated"
    proved(
        check,
        name,
        "every finite chain of bits",
        _two_sides,
        the_forward_kernel_on_both_sides=Edit("the reversed chain is a chain", put={b: a}),
    )


def _two_sides(proof: Proof) -> None:
    two_sides(proof)
    proof.cite("a tree with two children", "the root is bit i", "worst.moebius-tree")


def two_sides(proof: Proof) -> None:
    """Prove that given a bit of a chain both sides are chains, independent of one another."""
    _reversed(proof)
    proof.inequality(
        "given X_i the sides are independent",
        "P(left, X_i, right) = before chance after with before = P(left, X_i)/P(X_i), chance = "
        "P(X_i), after = P(right | X_i): divided by chance it is a product",
        Eq(whole, before * after),
        [Eq(whole * chance, before * chance * after)],
    )


def _reversed(proof: Proof) -> None:
    proof.inequality(
        "the reversed chain is a chain",
        "p = P(x_(j-1)), a = P(x_j | x_(j-1)), q = P(x_j), b = P(x_(j-1) | x_j), c = P(x_(j+1) | "
        "x_j) and d = P(x_(j+1)): from p a c = P of all three, x_(j-1) given x_j does not depend "
        "on x_(j+1)",
        Eq(given, b),
        [Eq(p * a, q * b), Eq(given * q * c, p * a * c)],
    )
