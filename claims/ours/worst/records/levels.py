"""Levels that differ from record to record: the Moebius recursion stays exact, levels of adaptive
releases multiply record by record, and on trees of bits any way to split them is as bad.

Record j has the level R_j: columns have u(x) <= R_j u(y) for databases x, y that differ in record j
alone. In formulas R is the level of the record at hand.
"""

from fractions import Fraction

from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.records.chains import (
    CHAINS,
    P00,
    P01,
    P10,
    P11,
    A,
    B,
    D,
    M,
    R,
    a,
    b,
    before,
    children_in_turn,
    end_of_a_child,
    ends,
    m,
    n,
    s,
    two_sides,
    u,
    u2,
    v,
    w,
    whole,
)
from pufferproof.claims.ours.worst.statements.records import hidden, trees
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

small = letter("small", "a factor of columns", above(0))
U, V = letters("U V", "products of factors R_j or 1 over the first records, or over the others")
factor = letter("factor", "the factor of the next record", at_least(1))
first, second = letters(
    "first second", "joint probabilities of the outputs so far, given x and given y", at_least(0)
)
levels = letter("levels", "the product of the levels of record j in the releases so far")
next_x, next_y = letters(
    "next_x next_y", "P(next output | outputs so far, x), and the same with y", at_least(0)
)
f0, f1 = letters("f0 f1", "entries of a column of the first bit", at_least(0))
g0, g1 = letters("g0 g1", "entries of a column of the second bit", at_least(0))
TREES = "every finite tree of bits, all levels R_j >= 1"
NOTATION = {
    "R_j": "e to the level of record j",
    "c_j": "0 or 1, one for each record j",
    "S_c, D_c": "the messages up and down of the child c",
    "x, y": "databases, or values of the root",
    "z, z'": "values of a child",
    "m_z": "numbers > 0, one for each value of a child",
    "s_c, d_c": "what the child c contributes to S, and to D",
}


@claim(
    "worst.record-levels",
    where=CHAINS,
    statement="Over all mechanisms of level R_j >= 1 for record j on a finite tree of bits, both "
    "values of the root being possible, the largest ratio of P(w | root = 1) and P(w | root = 0) "
    "over outputs w is S = R_root prod_c s_c over the children c of the root, s_c the larger of "
    "g_c at t = S_c and t = 1/D_c, with g_c(t) = (P11 t + P10)/(P01 t + P00); in the other order "
    "it is D = R_root prod_c d_c, d_c the larger of 1/g_c at both. A leaf j has S = D = R_j. Both "
    "are attained by columns that are products of one factor for each record: R_j where x_j = "
    "c_j, else 1.",
    says={"upper bound": trees.LEVELS_UPPER, "attained": trees.LEVELS_ATTAINED},
)
def record_levels(check: Check) -> None:
    """Prove it as for one level, and follow the columns that attain it."""
    proved(
        check,
        "upper bound",
        TREES,
        _upper,
        the_level_of_the_root_left_out=Edit("the root", put={R * M * B: M * B}),
        one_end_only=Edit("the larger of two ends", without=P11 + P10 * D <= s * (P01 + P00 * D)),
    )
    proved(
        check,
        "attained",
        TREES,
        _attained,
        children_that_share_a_bit=Edit(
            "a product over the children: step", without=Eq(A, m * v), given=A >= 0
        ),
    )


def _upper(proof: Proof) -> None:
    _averages(proof)
    children_in_turn(proof)
    ends(proof)


def _averages(proof: Proof) -> None:
    proof.cite(
        "averages are columns",
        "The column of a leaf is a pair of numbers within its factor R_j. For a fixed value of the "
        "root and laws of the other subtrees, v = the average of u over these has the levels of "
        "the records below c: sums keep u(x) <= R_j u(y)",
        "lemma.mediant",
    )


def _attained(proof: Proof) -> None:
    proof.induction(
        "a product over the children",
        "u(x) = R_root^(x_root) prod_c v_c with v_c a column of the subtree of c that attains the "
        "end; given the root the subtrees are independent, so means multiply; m, n are the means "
        "so far given 1 and 0, with m = M n",
        base=(Eq(v, s * w), [Eq(v, s * w)]),
        step=(
            Eq(A, M * s * B),
            [Eq(m, M * n), Eq(v, s * w), Eq(B, n * w), Eq(A, m * v), n > 0],
        ),
    )
    proof.inequality(
        "the root's own factor",
        "R_root at 1 against 1 at 0: A = R m, B = n. For the other order at 0 against 1",
        Eq(A, R * M * B),
        [Eq(A, R * m), Eq(B, n), Eq(m, M * n)],
    )
    end_of_a_child(proof)
    one_factor_each(proof)


def one_factor_each(proof: Proof) -> None:
    """Prove that products of factors R_j or 1 keep the levels, and are columns of mechanisms."""
    proof.inequality(
        "one factor for each record",
        "By induction v_c is such a product, and so is u. Changing record j alone changes one "
        "factor, u against u2, which lie between 1 and R: the others multiply to v",
        u * v <= R * u2 * v,
        [u <= R, u2 >= 1, v >= 0, R >= 1],
    )
    proof.inequality(
        "such columns occur",
        "For small > 0 the column 1 - small u of the other output has the levels too: with R > 1 "
        "as there is room, with R = 1 as u = u2",
        1 - small * u <= R * (1 - small * u2),
        [u >= 0, u2 <= R * u, u <= R * u2, small * R * u2 <= R - 1, R > 1],
    )
    proof.inequality(
        "records of level 1",
        "u and u2 agree, and so do the other output's entries",
        1 - small * u <= R * (1 - small * u2),
        [u <= R * u2, u2 <= R * u, Eq(R, 1), small * u2 <= 1],
    )


@claim(
    "worst.record-levels-upper",
    where=CHAINS,
    statement="On a finite tree of records with any finite alphabet and the level R_j >= 1 for "
    "record j, the largest ratio of P(w | root = x) and P(w | root = y) is at most S(x, y) = "
    "R_root prod_c s_c(x, y), s_c(x, y) the largest sum_z P(z | x) m_z / sum_z P(z | y) m_z over "
    "m > 0 with m_z <= S_c(z, z') m_z' for all values z, z' of the child c; a leaf j has S = R_j.",
    says=trees.ANY_ALPHABET,
)
def record_levels_upper(check: Check) -> None:
    """Prove it as for bits: the vector of means of a child satisfies its messages."""
    proved(
        check,
        "upper bound",
        "every finite tree and alphabet, all levels R_j >= 1",
        _any_alphabet,
        the_level_of_the_root_left_out=Edit("the root", put={R * M * B: M * B}),
    )


def _any_alphabet(proof: Proof) -> None:
    _averages(proof)
    children_in_turn(proof)
    proof.inequality(
        "means of a child",
        "The means m_z = E[v | x_c = z] have m_z <= S_c(z, z') m_z' by induction, so the quotient "
        "of their averages is at most s_c, also where the means are scaled by some n > 0",
        A <= s * B,
        [A * n <= s * n * B, n > 0],
    )


@claim(
    "worst.record-levels-interior",
    where=CHAINS,
    statement="For bit i of a Markov chain of bits with the level R_j >= 1 for record j, both "
    "values of it possible, the largest ratio in the order 1 against 0 is R_i s_left s_right, as "
    "for a root with two children, of which either may be missing: the left side is a tree with "
    "the reversed kernels P(X_(j-1) | X_j), any kernel serving after a value that X_j cannot have; "
    "likewise 0 against 1.",
    says=trees.INTERIOR,
)
def record_levels_interior(check: Check) -> None:
    """Prove that a chain seen from any bit is a tree, whatever the levels."""
    proved(
        check,
        "as stated",
        "every finite chain of bits, all levels R_j >= 1",
        _interior,
        one_side_only=Edit("given X_i the sides are independent", instead=Eq(whole, before)),
        the_forward_kernel_on_both_sides=Edit("the reversed chain is a chain", put={b: a}),
    )


def _interior(proof: Proof) -> None:
    two_sides(proof)
    proof.cite("a tree with two children", "the root is bit i", "worst.record-levels")


@claim(
    "worst.record-levels-adaptive",
    where=CHAINS,
    statement="Let mechanisms k = 1 .. K be run one after the other, each chosen by the outputs "
    "before it, with the level R_kj >= 1 for record j whatever these were. Every column of the "
    "joint release has the level R_j = prod_k R_kj for record j, on any set of databases: what "
    "bounds all columns of these levels bounds the joint release. On a finite tree of bits the "
    "largest ratios S and D of worst.record-levels are attained by K independent mechanisms, "
    "however the R_j are products of levels R_kj.",
    says={
        "levels multiply": hidden.MULTIPLY,
        "attained however levels are split": hidden.SPLIT,
    },
)
def record_levels_adaptive(check: Check) -> None:
    """Prove that levels multiply record by record, and split the columns that attain the bound."""
    proved(
        check,
        "levels multiply",
        "all finite sizes, any number of releases, chosen adaptively",
        _levels_multiply,
        the_last_release_left_out=Edit(
            "one more release: step", put={levels * R * second * next_y: levels * second * next_y}
        ),
    )
    proved(
        check,
        "attained however levels are split",
        "every finite tree of bits, all levels R_kj >= 1",
        _split,
        factors_that_do_not_split=Edit(
            "products of products: step", without=Eq(V, U * factor), given=V >= U
        ),
    )


def _levels_multiply(proof: Proof) -> None:
    proof.induction(
        "one more release",
        "first and second are the probabilities of the outputs so far at x and y, which differ in "
        "record j alone, levels the product of the R_kj so far; the next mechanism, whichever the "
        "outputs chose, has next_x <= R next_y",
        base=(next_x <= R * next_y, [next_x <= R * next_y]),
        step=(
            first * next_x <= levels * R * second * next_y,
            [first <= levels * second, next_x <= R * next_y, levels >= 1],
        ),
    )


def _split(proof: Proof) -> None:
    proof.cite(
        "the columns that attain the bound",
        "are products of R_j where x_j = c_j, else 1",
        "worst.record-levels",
    )
    proof.induction(
        "products of products",
        "With R_j = prod_k R_kj such a column is the entrywise product over k of those with R_kj "
        "in place of R_j. For one record: U the product of the first releases, whose factors are "
        "R_kj where x_j = c_j, and V that with one more; levels and levels R the products of the "
        "R_kj. Where x_j is not c_j all factors are 1",
        base=(Eq(V, levels), [Eq(V, factor), Eq(levels, factor)]),
        step=(Eq(V, levels * R), [Eq(U, levels), Eq(V, U * factor), Eq(factor, R)]),
    )
    one_factor_each(proof)


@claim(
    "worst.levels-split",
    where=CHAINS,
    statement="On every finite framework of records the largest joint ratio of mechanisms with the "
    "levels R_kj for record j depends on the products prod_k R_kj only.",
    repair="worst.record-levels-adaptive",
)
def levels_split(check: Check) -> None:
    """Refute it by two independent bits whose parity is secret."""
    with check.reading("as stated", "one counterexample") as proof:
        _does_not_split(proof)


def parity() -> tuple[Framework, Channel]:
    """Return two fair bits, their parity secret, and a mechanism of level 2 for each bit with the
    ratio 2.
    """
    framework = Framework.of_records(
        Records(2, ("0", "1")),
        {"even": ["00", "11"], "odd": ["01", "10"]},
        [("even", "odd")],
        {"fair": Table({x: Fraction(1, 4) for x in ("00", "01", "10", "11")})},
    )
    rows = {x: [Fraction(2, 3), Fraction(1, 3)] for x in ("00", "11")}
    rows |= {x: [Fraction(1, 3), Fraction(2, 3)] for x in ("01", "10")}
    return framework, Channel.of(rows, ["u", "v"])


def _does_not_split(proof: Proof) -> None:
    bounded = proof.inequality(
        "one mechanism for each bit",
        "Levels (2, 1) and (1, 2): joint columns are f(x_1) g(x_2), with f and g within a factor "
        "2. Even parity against odd: f0 g0 + f1 g1 <= (5/4) (f0 g1 + f1 g0), and odd against even",
        (4 * (f0 * g0 + f1 * g1) <= 5 * (f0 * g1 + f1 * g0))
        & (4 * (f0 * g1 + f1 * g0) <= 5 * (f0 * g0 + f1 * g1)),
        [f0 <= 2 * f1, f1 <= 2 * f0, g0 <= 2 * g1, g1 <= 2 * g0],
    )
    framework, channel = parity()
    rows = {x: channel.probability(x, "u") for x in framework.databases}
    neighbours = [(x, y) for x in rows for y in rows if sum(c != d for c, d in zip(x, y)) == 1]

    def violated() -> bool:
        level = all(
            p <= 2 * q
            for x, y in neighbours
            for p, q in ((rows[x], rows[y]), (1 - rows[x], 1 - rows[y]))
        )
        even, odd = rows["00"] + rows["11"], rows["01"] + rows["10"]
        return bounded and level and even * 4 > odd * 5

    proof.counterexample(
        "a parity, and one mechanism for each bit",
        "Two fair bits, their parity secret. Two mechanisms of levels (2, 1) and (1, 2) have a "
        "joint ratio of at most 5/4; levels (2, 2) and (1, 1) have the same products, and a noisy "
        "parity has the ratio 2. With one record levels are numbers, and powers split them",
        {
            "levels": "(2, 1) and (1, 2), against (2, 2) and (1, 1)",
            "largest ratio of the first": Fraction(5, 4),
            "ratio of the second": Fraction(2),
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(5/4)",
        },
        violated,
    )
