"""Bits and parities: uniform marginals, all bits or all parities secret, and where composition
breaks down.

The law of X given a bit or parity is uniform in the marginals: with w_x = pi_x u_x the promise for
bit i says that the sums of w over X_i = 0 and over X_i = 1 are at most R times each other. At R = 1
they are equal for each i.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.ours.worst.statements import bits as says
from pufferproof.claims.ours.worst.statements import secrets
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
w00, w01, w10, w11 = letters("w00 w01 w10 w11", "entries of a column u, or of w = pi u")
v00, v01, v10, v11 = letters(
    "v00 v01 v10 v11", "entries of the product of columns so far", at_least(0)
)
p00, p01, p10, p11 = letters("p00 p01 p10 p11", "the prior", above(0))
n = letter("n", "the number of bits")
M, N = letters(
    "M N", "the mass given X_i = 0 and X_i = 1, or the sums of w over X_1 = 1 and X_1 = 0"
)
L = letter("L", "a finite ratio", at_least(1))
K = letter("K", "how many parities, or databases, so far")
even, odd = letters(
    "even odd", "how many S inside the first bits have even and odd parity at x + y"
)
even0, odd0 = letters("even0 odd0", "the same before the first bit in which x and y differ")
bit = letter("bit", "1 if x and y differ in the next bit, else 0")
next_even, next_odd = letters("next_even next_odd", "even and odd with one more bit")
m = letter("m", "2^(n-1), or 2^(bits - 1)")
u = letter("u", "the mass of a database, or of a class that y is not in")
s = letter("s", "the sum of u_x over the first x")
T = letter("T", "the total mass")
A = letter("A", "the sum so far of the masses of the classes that y is not in")
v = letter("v", "u_x")
chance = letter("chance", "1/m")
x, y = letters("x y", "P(X_1 = 1), P(X_2 = 1)", above(0), below(1))
half0, half1 = letters("half0 half1", "the sums of w over X_i = 0 and over X_i = 1")
w0, w1 = letters("w0 w1", "the sums that the promise compares")
ones = letter("ones", "at how many of the first K databases the bit is 1")
more = letter("more", "K + 1")
top = letter("top", "w at 0..0")
zeros = letter("zeros", "how many zeros a database has")
total = letter("total", "the total of w'", above(0))
mean = letter("mean", "P(X_j = 1) under v")
lifted = letter("lifted", "the sum of w over X_j = 1")
total_v = letter("total_v", "the total of v")
part = letter("part", "a sum of w'")
marginal = letter("marginal", "P(X_j = 1)")
factor1, factor2 = letters("factor1 factor2", "the factors of an entry", at_least(0))
W, V, P = (w00, w01, w10, w11), (v00, v01, v10, v11), (p00, p01, p10, p11)


@claim(
    "worst.parities",
    where="Several pairs or priors: phase transitions",
    statement="X uniform on {0,1}^n, n >= 1, secrets all pairs parity_S(X) = 0, 1 for non-empty S, "
    "all releases of level R: joint leakage is finite for every number of releases iff R < "
    "2^(n-1)/(2^(n-1) - 1), which for n = 1 is every R.",
    says={
        "finite below": secrets.PARITIES_FINITE,
        "collapse from the threshold on": secrets.PARITIES_COLLAPSE,
    },
)
def parities(check: Check) -> None:
    """Prove that below the threshold every entry of a column is positive, by counting the
    parities that separate.
    """
    name = "finite below"
    proved(
        check,
        name,
        "every n, every R, any number of releases",
        _below,
        at_the_threshold=[
            Edit("every entry is positive", without=R * (m - 1) < m, given=R * (m - 1) <= m),
            Edit("bounded by every other entry", without=R * (m - 1) < m, given=R * (m - 1) <= m),
        ],
    )
    name = "collapse from the threshold on"
    proved(
        check,
        name,
        "every n >= 2",
        _collapse,
        from_a_little_below_on=Edit(
            "small probabilities", without=R * (m - 1) >= m, given=2 * R * (m - 1) >= m
        ),
    )


def _below(proof: Proof) -> None:
    _separating(proof)
    _positive(proof)


def _separating(proof: Proof) -> None:
    proof.induction(
        "half of all parities separate two databases",
        "even and odd count the S (with the empty one) inside the first bits for which z = x + y "
        "has even and odd parity. A bit with z = 0 (bit = 0) doubles both; one with z = 1 (bit = "
        "1) makes both even + odd. Before the first 1 they are even0 = 2^k and odd0 = 0; from "
        "then on even = odd = m = 2^(bits - 1)",
        base=(
            Eq(even, m) & Eq(odd, m),
            [Eq(even, even0 + odd0), Eq(odd, odd0 + even0), Eq(odd0, 0), Eq(m, even0)],
        ),
        step=(
            Eq(next_even, 2 * m) & Eq(next_odd, 2 * m),
            [
                *[Eq(even, m), Eq(odd, m), sympy.Or(Eq(bit, 0), Eq(bit, 1))],
                *[
                    Eq(next_even, (1 - bit) * 2 * even + bit * (even + odd)),
                    Eq(next_odd, (1 - bit) * 2 * odd + bit * (odd + even)),
                ],
            ],
        ),
    )
    proof.induction(
        "exchanging the sums",
        "For a fixed y let A be the sum over S of the mass of the class of parity_S that y is not "
        "in. Database by database: each x other than y is counted m = 2^(n-1) times; s sums u_x "
        "over the first x, A what they contribute",
        base=(Eq(A, m * s), [Eq(A, m * u), Eq(s, u)]),
        step=(Eq(A + m * u, m * (s + u)), [Eq(A, m * s)]),
    )
    proof.cite(
        "order of summation", "a double sum may be taken in either order", "lemma.finite-sums"
    )
    _counted(proof)


def _counted(proof: Proof) -> None:
    proof.induction(
        "the promise for each parity",
        "The class that y is not in has mass c with (R + 1) c <= R T, T the total mass, as c <= R "
        "(T - c): both classes have probability 1/2. A over the first K parities: (R + 1) A <= K R "
        "T",
        base=((R + 1) * u <= R * T, [u <= R * (T - u)]),
        step=(
            (R + 1) * (A + u) <= (K + 1) * R * T,
            [(R + 1) * A <= K * R * T, u <= R * (T - u)],
        ),
    )


def _positive(proof: Proof) -> None:
    below = R * (m - 1) < m
    proof.inequality(
        "every entry is positive",
        "u = u_y: A = m (T - u) and K = 2^n - 1 = 2 m - 1 give m (R + 1)(T - u) <= (2 m - 1) R T, "
        "and R (m - 1) < m: u > 0 if T > 0",
        u > 0,
        [m * (R + 1) * (T - u) <= (2 * m - 1) * R * T, below, T > 0, m >= 1],
    )
    proof.inequality(
        "bounded by every other entry",
        "v = u_x <= T, and T (m - R (m - 1)) <= m (R + 1) u: u_x <= kappa u_y for all x, y",
        v * (m - R * (m - 1)) <= m * (R + 1) * u,
        [m * (R + 1) * (T - u) <= (2 * m - 1) * R * T, v <= T, below, m >= 1],
    )
    proof.cite(
        "finite",
        "inequalities u_x <= kappa u_y bound joint leakage for every K",
        "worst.finite-equivalences",
    )


def _collapse(proof: Proof) -> None:
    proof.inequality(
        "small probabilities",
        "Given a parity each database has probability at most chance = 1/m, m = 2^(n-1): chance "
        "<= 1 - 1/R if R (m - 1) >= m",
        R * chance <= R - 1,
        [Eq(chance * m, 1), R * (m - 1) >= m, m >= 2],
    )
    proof.cite(
        "universal collapse",
        "for the classes of each parity, which are disjoint",
        "worst.universal-collapse",
    )


@claim(
    "worst.bits-two",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^2, full-support prior with uniform marginals, both bits secret: releases "
    "of level 0 compose perfectly, the joint release of any number of them has level 0; two "
    "releases of levels 0 and epsilon collapse for every epsilon > 0.",
    says={"level 0": says.LEVEL_0, "levels 0 and epsilon": says.LEVELS_0_AND_EPSILON},
)
def bits_two(check: Check) -> None:
    """Prove that zero-leakage columns are constant on {x, complement of x}, and that one more
    such set is split by R > 1.
    """
    uneven = Edit("columns of level 0", without=UNIFORM)
    proved(
        check,
        "level 0",
        "every such prior, any number of releases",
        _constant,
        marginals_that_are_not_uniform=uneven,
    )
    name = "levels 0 and epsilon"
    proved(
        check,
        name,
        "every such prior, every R > 1",
        _split,
        **{
            "epsilon = 0": Edit(
                "a column of level epsilon on 00, 01, 10", without=R > 1, given=R >= 1
            )
        },
    )


HALF = sympy.Rational(1, 2)
PRIOR = [Eq(p00 + p01 + p10 + p11, 1)]
UNIFORM = [Eq(p00 + p01, HALF), Eq(p00 + p10, HALF)]


def _constant(proof: Proof) -> None:
    """Use u = w/pi: at level 0 for both bits, u_00 = u_11 and u_01 = u_10."""
    zero = Eq((p00 * w00 + p01 * w01) * (p10 + p11), (p10 * w10 + p11 * w11) * (p00 + p01))
    other = Eq((p00 * w00 + p10 * w10) * (p01 + p11), (p01 * w01 + p11 * w11) * (p00 + p10))
    proof.inequality(
        "columns of level 0",
        "w.. are the entries of the column: E[u | X_i = 0] = E[u | X_i = 1] for both bits, "
        "multiplied out",
        Eq(w00, w11) & Eq(w01, w10),
        [zero, other, *PRIOR, *UNIFORM, *(u >= 0 for u in W)],
    )
    proof.inequality(
        "products of such columns are such columns, of level 0",
        "With v.. the entries of the product so far",
        Eq(w00 * v00, w11 * v11)
        & Eq(w01 * v01, w10 * v10)
        & Eq(p00 * w00 * v00 + p01 * w01 * v01, p10 * w10 * v10 + p11 * w11 * v11)
        & Eq(p00 * w00 * v00 + p10 * w10 * v10, p01 * w01 * v01 + p11 * w11 * v11),
        [
            Eq(w00, w11),
            Eq(w01, w10),
            Eq(v00, v11),
            Eq(v01, v10),
            *PRIOR,
            *UNIFORM,
            *(u >= 0 for u in (*W, *V)),
        ],
    )


def _split(proof: Proof) -> None:
    proof.inequality(
        "a column of level epsilon on 00, 01, 10",
        "pi u = w with w_00 = R - 1, w_01 = w_10 = 1, w_11 = 0: the sums over X_i = 0 and 1 are R "
        "and 1, for both bits",
        (w00 + w01 <= R * (w10 + w11))
        & (w10 + w11 <= w00 + w01)
        & (w00 + w10 <= R * (w01 + w11))
        & (w00 > 0),
        [Eq(w00, R - 1), Eq(w01, 1), Eq(w10, 1), Eq(w11, 0), R > 1],
    )
    proof.inequality(
        "a column of level 0 on 00, 11",
        "pi u = (1, 0, 0, 1) has equal sums; by uniform marginals sums of pi u are conditional "
        "expectations up to one factor",
        Eq(w00 + w01, w10 + w11) & Eq(w00 + w10, w01 + w11),
        [Eq(w00, 1), Eq(w01, 0), Eq(w10, 0), Eq(w11, 1)],
    )
    proof.cite("they occur", "R > 1, and level 0 with both orders", "worst.lemma0")
    proof.inequality(
        "the product lives on 00 alone",
        "u_00 v_00 > 0 given X_i = 0, nothing given X_i = 1: M > 0 = N",
        (M > 0) & Eq(N, 0),
        [Eq(M, w00), w00 > 0, Eq(N, w10 * 0 + w11 * 0)],
    )


@claim(
    "worst.bits-two-marginals",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^2, full-support prior, both bits secret: two releases of level 0 "
    "collapse unless both marginals are uniform.",
    kind="converse",
    says=says.MARGINALS,
)
def bits_two_marginals(check: Check) -> None:
    """Prove it by two columns that share a bit: w = pi u is a distribution on the square with
    mean (P(X_1 = 1), P(X_2 = 1)).
    """
    name = "as stated"
    proved(
        check,
        name,
        "every full-support prior on two bits without uniform marginals",
        _shared_face,
        uniform_marginals_too=Edit(
            "two columns", without=sympy.Or(sympy.Ne(x, y), sympy.Ne(x + y, 1))
        ),
    )


def _shared_face(proof: Proof) -> None:
    proof.inequality(
        "the promise at level 0",
        "E[u | X_1 = 1] = E[u | X_1 = 0], x = P(X_1 = 1): with w = pi u scaled to total 1, the sum "
        "of w over X_1 = 1 is x",
        Eq(M, x),
        [Eq(M * (1 - x), N * x), Eq(M + N, 1)],
    )
    proof.case_split(
        "up to swapping the values of bits, and the bits",
        "x <= y, x + y <= 1, not both 1/2. Flipping a bit replaces x by 1 - x, swapping the bits "
        "exchanges x and y",
        [
            (g <= h) & (g + h <= 1)
            for first in (x, 1 - x)
            for second in (y, 1 - y)
            for g, h in ((first, second), (second, first))
        ],
    )
    proof.inequality(
        "two columns",
        "(w_00, w_01, w_11) = (1 - y, y - x, x) and (w_00, w_01, w_10) = (1 - x - y, y, x) have "
        "the mean (x, y). If y > x they share 01, and 00 where x + y < 1: only X_1 = 0. If y = x "
        "then x + y < 1, and they share 00 alone. On no common database is X_1 = 1",
        (1 - y >= 0)
        & (y - x >= 0)
        & (1 - x - y >= 0)
        & ((y - x > 0) | ((1 - y > 0) & (1 - x - y > 0))),
        [x <= y, x + y <= 1, sympy.Or(sympy.Ne(x, y), sympy.Ne(x + y, 1))],
    )
    proof.cite("they occur", "level 0 with both orders", "worst.lemma0")


@claim(
    "worst.bits-three",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^n, n >= 3, full-support prior with uniform marginals, all bits secret: "
    "two releases of level 0 collapse.",
    says=says.THREE,
)
def bits_three(check: Check) -> None:
    """Prove it by two columns that share the database 0 .. 0 only."""
    name = "as stated"
    proved(
        check,
        name,
        "every n >= 3, every such prior",
        _two_columns,
        **{"n = 2 too": Edit("equal sums, and positive at 0..0", without=n >= 3, given=n >= 2)},
    )


def _two_columns(proof: Proof) -> None:
    proof.inequality(
        "the promise",
        "E[u | X_i = v] is the sum of w = pi u over X_i = v divided by P(X_i = v) = 1/2: level 0 "
        "is equality of the two sums",
        sympy.Equivalent(Eq(2 * half0, 2 * half1), Eq(w0, w1)),
        [Eq(w0, half0), Eq(w1, half1)],
    )
    proof.inequality(
        "0..0 and 1..1",
        "w = 1 on both: each bit is 0 in one and 1 in the other",
        Eq(w0, w1),
        [Eq(w0, 1), Eq(w1, 1)],
    )
    proof.induction(
        "0..0 and the databases with a single 0",
        "w = n - 2 at 0..0 and 1 at the n databases with one 0. Bit i is 0 at 0..0 and at one of "
        "the others: s = n - 1; it is 1 at ones of the first K others (all but the one with its 0 "
        "at i): ones = K - 1 once that one is counted; more = K + 1",
        base=(Eq(ones, K - 1), [Eq(ones, 0), Eq(K, 1)]),
        step=(Eq(ones + 1, more - 1), [Eq(ones, K - 1), Eq(more, K + 1), K >= 1]),
    )
    proof.inequality(
        "equal sums, and positive at 0..0",
        "w0 = (n - 2) + 1 = n - 1 = ones at k = n",
        Eq(w0, ones) & (top > 0),
        [Eq(top, n - 2), Eq(w0, top + 1), Eq(ones, n - 1), n >= 3],
    )
    _shared(proof)


def _shared(proof: Proof) -> None:
    proof.inequality(
        "they share 0..0 only",
        "For n >= 3 (even n >= 2) a database with a single 0 is not 1..1 and not 0..0: the number "
        "zeros of its zeros is 1",
        sympy.Ne(zeros, 0) & sympy.Ne(zeros, n),
        [Eq(zeros, 1), n >= 2],
    )
    proof.cite("they occur", "level 0 with both orders", "worst.lemma0")
    proof.inequality(
        "collapse",
        "given X_i = 1 the joint output is impossible, given X_i = 0 it is not",
        M > L * N,
        [M > 0, Eq(N, 0)],
    )


@claim(
    "worst.bits-any-marginals",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^n, n >= 2, full-support prior with any marginals, all bits secret: two "
    "releases of level 0 collapse, except for n = 2 with both marginals uniform. So for n >= 3 "
    "the marginals do not matter.",
    says=says.ANY_MARGINALS,
)
def bits_any_marginals(check: Check) -> None:
    """Prove that two bits with a marginal that is not uniform collapse whatever the other bits
    are.
    """
    name = "as stated"
    proved(
        check,
        name,
        "every n >= 2, every full-support prior on n bits",
        _any_marginals,
        other_bits_with_any_means=Edit(
            "the other bits, independent", without=Eq(mean, marginal), given=mean >= 0
        ),
    )


def _any_marginals(proof: Proof) -> None:
    proof.cite(
        "all marginals uniform, n >= 3", "two columns that share 0..0 only", "worst.bits-three"
    )
    proof.cite(
        "two bits, one not uniform",
        "two columns w = pi u that share a value of a bit",
        "worst.bits-two-marginals",
    )
    _lifted(proof)


def _lifted(proof: Proof) -> None:
    proof.inequality(
        "the other bits, independent",
        "w(x) = w'(x_1, x_2) v(rest) with v a law with means P(X_j = 1): the sum of w over X_j = "
        "1 is lifted = total mean, with total that of w' and mean = P(X_j = 1) under v; at level "
        "0 it has to be marginal total with marginal = P(X_j = 1). For the first two bits a sum "
        "part of w' is multiplied by the total_v = 1, the total of v",
        Eq(lifted, marginal * total) & Eq(part * total_v, part),
        [Eq(lifted, total * mean), Eq(total_v, 1), Eq(mean, marginal)],
    )
    proof.inequality(
        "the common support",
        "A database in both supports has (x_1, x_2) in both supports of the two-bit columns: a "
        "product is positive iff both factors are",
        sympy.Equivalent(factor1 * factor2 > 0, (factor1 > 0) & (factor2 > 0)),
        [],
    )
