"""Bits and parities: uniform marginals, all bits or all parities secret, and where composition
breaks down.

The law of X given a bit or parity is uniform in the marginals: with w_x = pi_x u_x the promise for
bit i says that the sums of w over X_i = 0 and over X_i = 1 are at most R times each other. At R = 1
they are equal for each i.
"""

from pufferproof.claims.ours.worst.statements import bits as says
from pufferproof.claims.ours.worst.statements import secrets
from pufferproof.claims.registry import Check, claim


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

    Finite below. Half of all parities separate two databases: even and odd count the S (with the
    empty one) inside the first bits for which z = x + y has even and odd parity. A bit with z = 0
    (bit = 0) doubles both; one with z = 1 (bit = 1) makes both even + odd. Before the first 1 they
    are even0 = 2^k and odd0 = 0; from then on even = odd = m = 2^(bits - 1). Exchanging the sums:
    For a fixed y let A be the sum over S of the mass of the class of parity_S that y is not in.
    Database by database: each x other than y is counted m = 2^(n-1) times; s sums u_x over the
    first x, A what they contribute. Order of summation: a double sum may be taken in either order
    [lemma.finite-sums]. The promise for each parity: The class that y is not in has mass c with (R
    + 1) c <= R T, T the total mass, as c <= R (T - c): both classes have probability 1/2. A over
    the first K parities: (R + 1) A <= K R T. Every entry is positive: u = u_y: A = m (T - u) and K
    = 2^n - 1 = 2 m - 1 give m (R + 1)(T - u) <= (2 m - 1) R T, and R (m - 1) < m: u > 0 if T > 0.
    Bounded by every other entry: v = u_x <= T, and T (m - R (m - 1)) <= m (R + 1) u: u_x <= kappa
    u_y for all x, y. Finite: inequalities u_x <= kappa u_y bound joint leakage for every K
    [worst.finite-equivalences].

    Collapse from the threshold on. Small probabilities: Given a parity each database has
    probability at most chance = 1/m, m = 2^(n-1): chance <= 1 - 1/R if R (m - 1) >= m. Universal
    collapse: for the classes of each parity, which are disjoint [worst.universal-collapse].
    """
    name = "finite below"
    check.tried(name)
    name = "collapse from the threshold on"
    check.tried(name)


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

    Level 0. Columns of level 0: w.. are the entries of the column: E[u | X_i = 0] = E[u | X_i = 1]
    for both bits, multiplied out. Products of such columns are such columns, of level 0: With v..
    the entries of the product so far.

    Levels 0 and epsilon. A column of level epsilon on 00, 01, 10: pi u = w with w_00 = R - 1, w_01
    = w_10 = 1, w_11 = 0: the sums over X_i = 0 and 1 are R and 1, for both bits. A column of level
    0 on 00, 11: pi u = (1, 0, 0, 1) has equal sums; by uniform marginals sums of pi u are
    conditional expectations up to one factor. They occur: R > 1, and level 0 with both orders
    [worst.lemma0]. The product lives on 00 alone: u_00 v_00 > 0 given X_i = 0, nothing given X_i =
    1: M > 0 = N.
    """
    check.tried("level 0")
    name = "levels 0 and epsilon"
    check.tried(name)


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

    The promise at level 0: E[u | X_1 = 1] = E[u | X_1 = 0], x = P(X_1 = 1): with w = pi u scaled to
    total 1, the sum of w over X_1 = 1 is x. Up to swapping the values of bits, and the bits: x <=
    y, x + y <= 1, not both 1/2. Flipping a bit replaces x by 1 - x, swapping the bits exchanges x
    and y. Two columns: (w_00, w_01, w_11) = (1 - y, y - x, x) and (w_00, w_01, w_10) = (1 - x - y,
    y, x) have the mean (x, y). If y > x they share 01, and 00 where x + y < 1: only X_1 = 0. If y =
    x then x + y < 1, and they share 00 alone. On no common database is X_1 = 1. They occur: level 0
    with both orders [worst.lemma0].
    """
    name = "as stated"
    check.tried(name)


@claim(
    "worst.bits-three",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^n, n >= 3, full-support prior with uniform marginals, all bits secret: "
    "two releases of level 0 collapse.",
    says=says.THREE,
)
def bits_three(check: Check) -> None:
    """Prove it by two columns that share the database 0 .. 0 only.

    The promise: E[u | X_i = v] is the sum of w = pi u over X_i = v divided by P(X_i = v) = 1/2:
    level 0 is equality of the two sums. 0..0 and 1..1: w = 1 on both: each bit is 0 in one and 1 in
    the other. 0..0 and the databases with a single 0: w = n - 2 at 0..0 and 1 at the n databases
    with one 0. Bit i is 0 at 0..0 and at one of the others: s = n - 1; it is 1 at ones of the first
    K others (all but the one with its 0 at i): ones = K - 1 once that one is counted; more = K + 1.
    Equal sums, and positive at 0..0: w0 = (n - 2) + 1 = n - 1 = ones at k = n. They share 0..0
    only: For n >= 3 (even n >= 2) a database with a single 0 is not 1..1 and not 0..0: the number
    zeros of its zeros is 1. They occur: level 0 with both orders [worst.lemma0]. Collapse: given
    X_i = 1 the joint output is impossible, given X_i = 0 it is not.
    """
    name = "as stated"
    check.tried(name)


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

    All marginals uniform, n >= 3: two columns that share 0..0 only [worst.bits-three]. Two bits,
    one not uniform: two columns w = pi u that share a value of a bit [worst.bits-two-marginals].
    The other bits, independent: w(x) = w'(x_1, x_2) v(rest) with v a law with means P(X_j = 1): the
    sum of w over X_j = 1 is lifted = total mean, with total that of w' and mean = P(X_j = 1) under
    v; at level 0 it has to be marginal total with marginal = P(X_j = 1). For the first two bits a
    sum part of w' is multiplied by the total_v = 1, the total of v. The common support: A database
    in both supports has (x_1, x_2) in both supports of the two-bit columns: a product is positive
    iff both factors are.
    """
    name = "as stated"
    check.tried(name)
