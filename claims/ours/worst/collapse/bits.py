"""Bits and parities: uniform marginals, all bits or all parities secret, and where composition
breaks down.

The law of X given a bit or parity is uniform in the marginals: with w_x = pi_x u_x the promise for
bit i says that the sums of w over X_i = 0 and over X_i = 1 are at most R times each other. At R = 1
they are equal for each i.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, M, N, L, K, n = sympy.symbols("R M N L K n")
W = sympy.symbols("w00 w01 w10 w11")
V = sympy.symbols("v00 v01 v10 v11")
P = sympy.symbols("p00 p01 p10 p11")


@claim(
    "worst.parities",
    where="Several pairs or priors: phase transitions",
    statement="X uniform on {0,1}^n, n >= 1, secrets all pairs parity_S(X) = 0, 1 for non-empty S, "
    "all releases of level R: joint leakage is finite for every number of releases iff R < "
    "2^(n-1)/(2^(n-1) - 1), which for n = 1 is every R.",
)
def parities(check: Check) -> None:
    """Prove that below the threshold every entry of a column is positive, by counting the
    parities that separate.
    """
    name = "finite below"
    with check.reading(name, "every n, every R, any number of releases") as argument:
        _separating(argument)
        _positive(argument)
    check.near_miss(f"{name}: at the threshold", lambda argument: _positive(argument, at=True))
    name = "collapse from the threshold on"
    with check.reading(name, "every n >= 2") as argument:
        _collapse(argument)
    check.near_miss(
        f"{name}: from a little below on", lambda argument: _collapse(argument, below=True)
    )


def _separating(argument: Argument) -> None:
    e, d, m, p, q, t, x, y = sympy.symbols("e d m p q t x y")
    argument.induction(
        "half of all parities separate two databases",
        "e and d count the S (with the empty one) inside the first bits for which z = x + y has "
        "even and odd parity. A bit with z = 0 (t = 0) doubles both; one with z = 1 (t = 1) makes "
        "both e + d. Before the first 1 they are p = 2^k and q = 0; from then on e = d = m = "
        "2^(bits - 1)",
        base=(Eq(e, m) & Eq(d, m), [Eq(e, p + q), Eq(d, q + p), Eq(q, 0), Eq(m, p)]),
        step=(
            Eq(x, 2 * m) & Eq(y, 2 * m),
            [
                *[Eq(e, m), Eq(d, m), sympy.Or(Eq(t, 0), Eq(t, 1))],
                *[Eq(x, (1 - t) * 2 * e + t * (e + d)), Eq(y, (1 - t) * 2 * d + t * (d + e))],
            ],
        ),
    )
    u, s, T, A = sympy.symbols("u s T A")
    argument.induction(
        "exchanging the sums",
        "For a fixed y let A be the sum over S of the mass of the class of parity_S that y is not "
        "in. Database by database: each x other than y is counted m = 2^(n-1) times; s sums u_x "
        "over the first x, A what they contribute",
        base=(Eq(A, m * s), [Eq(A, m * u), Eq(s, u)]),
        step=(Eq(A + m * u, m * (s + u)), [Eq(A, m * s)]),
    )
    argument.cite(
        "order of summation", "a double sum may be taken in either order", "lemma.finite-sums"
    )
    argument.induction(
        "the promise for each parity",
        "The class that y is not in has mass c with (R + 1) c <= R T, T the total mass, as c <= R "
        "(T - c): both classes have probability 1/2. A over the first K parities: (R + 1) A <= K R "
        "T",
        base=((R + 1) * u <= R * T, [u <= R * (T - u), R >= 1]),
        step=(
            (R + 1) * (A + u) <= (K + 1) * R * T,
            [(R + 1) * A <= K * R * T, u <= R * (T - u), R >= 1],
        ),
    )


def _positive(argument: Argument, at: bool = False) -> None:
    m, u, T, v = sympy.symbols("m u T v")
    below = R * (m - 1) <= m if at else R * (m - 1) < m
    argument.inequality(
        "every entry is positive",
        "u = u_y: A = m (T - u) and K = 2^n - 1 = 2 m - 1 give m (R + 1)(T - u) <= (2 m - 1) R T, "
        "and R (m - 1) < m: u > 0 if T > 0",
        u > 0,
        [m * (R + 1) * (T - u) <= (2 * m - 1) * R * T, below, T > 0, m >= 1, R >= 1],
    )
    argument.inequality(
        "bounded by every other entry",
        "v = u_x <= T, and T (m - R (m - 1)) <= m (R + 1) u: u_x <= kappa u_y for all x, y",
        v * (m - R * (m - 1)) <= m * (R + 1) * u,
        [m * (R + 1) * (T - u) <= (2 * m - 1) * R * T, v <= T, below, m >= 1, R >= 1],
    )
    argument.cite(
        "finite",
        "inequalities u_x <= kappa u_y bound joint leakage for every K",
        "worst.finite-equivalences",
    )


def _collapse(argument: Argument, below: bool = False) -> None:
    m, p = sympy.symbols("m p")
    argument.inequality(
        "small probabilities",
        "Given a parity each database has probability at most p = 1/m, m = 2^(n-1): p <= 1 - 1/R "
        "if R (m - 1) >= m",
        R * p <= R - 1,
        [Eq(p * m, 1), (2 * R * (m - 1) >= m) if below else (R * (m - 1) >= m), m >= 2, R >= 1],
    )
    argument.cite(
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
)
def bits_two(check: Check) -> None:
    """Prove that zero-leakage columns are constant on {x, complement of x}, and that one more
    such set is split by R > 1.
    """
    name = "level 0"
    with check.reading(name, "every such prior, any number of releases") as argument:
        _constant(argument)
    check.near_miss(
        f"{name}: marginals that are not uniform", lambda argument: _constant(argument, uneven=True)
    )
    name = "levels 0 and epsilon"
    with check.reading(name, "every such prior, every R > 1") as argument:
        _split(argument)
    check.near_miss(f"{name}: epsilon = 0", lambda argument: _split(argument, zero=True))


def _uniform(uneven: bool = False) -> list[sympy.Basic]:
    p00, p01, p10, p11 = P
    total = [Eq(p00 + p01 + p10 + p11, 1), *(p > 0 for p in P)]
    return (
        total
        if uneven
        else [*total, Eq(p00 + p01, sympy.Rational(1, 2)), Eq(p00 + p10, sympy.Rational(1, 2))]
    )


def _constant(argument: Argument, uneven: bool = False) -> None:
    """Use u = w/pi: at level 0 for both bits, u_00 = u_11 and u_01 = u_10."""
    (p00, p01, p10, p11), (u00, u01, u10, u11), (v00, v01, v10, v11) = P, W, V
    zero = Eq((p00 * u00 + p01 * u01) * (p10 + p11), (p10 * u10 + p11 * u11) * (p00 + p01))
    other = Eq((p00 * u00 + p10 * u10) * (p01 + p11), (p01 * u01 + p11 * u11) * (p00 + p10))
    argument.inequality(
        "columns of level 0",
        "w.. are the entries of the column: E[u | X_i = 0] = E[u | X_i = 1] for both bits, "
        "multiplied out",
        Eq(u00, u11) & Eq(u01, u10),
        [zero, other, *_uniform(uneven), *(u >= 0 for u in W)],
    )
    argument.inequality(
        "products of such columns are such columns, of level 0",
        "With v.. the entries of the product so far",
        Eq(u00 * v00, u11 * v11)
        & Eq(u01 * v01, u10 * v10)
        & Eq(p00 * u00 * v00 + p01 * u01 * v01, p10 * u10 * v10 + p11 * u11 * v11)
        & Eq(p00 * u00 * v00 + p10 * u10 * v10, p01 * u01 * v01 + p11 * u11 * v11),
        [
            Eq(u00, u11),
            Eq(u01, u10),
            Eq(v00, v11),
            Eq(v01, v10),
            *_uniform(),
            *(u >= 0 for u in (*W, *V)),
        ],
    )


def _split(argument: Argument, zero: bool = False) -> None:
    w00, w01, w10, w11 = W
    argument.inequality(
        "a column of level epsilon on 00, 01, 10",
        "pi u = w with w_00 = R - 1, w_01 = w_10 = 1, w_11 = 0: the sums over X_i = 0 and 1 are R "
        "and 1, for both bits",
        (w00 + w01 <= R * (w10 + w11))
        & (w10 + w11 <= w00 + w01)
        & (w00 + w10 <= R * (w01 + w11))
        & (w00 > 0),
        [Eq(w00, R - 1), Eq(w01, 1), Eq(w10, 1), Eq(w11, 0), (R >= 1) if zero else (R > 1)],
    )
    argument.inequality(
        "a column of level 0 on 00, 11",
        "pi u = (1, 0, 0, 1) has equal sums; by uniform marginals sums of pi u are conditional "
        "expectations up to one factor",
        Eq(w00 + w01, w10 + w11) & Eq(w00 + w10, w01 + w11),
        [Eq(w00, 1), Eq(w01, 0), Eq(w10, 0), Eq(w11, 1)],
    )
    argument.cite("they occur", "R > 1, and level 0 with both orders", "worst.lemma0")
    argument.inequality(
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
)
def bits_two_marginals(check: Check) -> None:
    """Prove it by two columns that share a bit: w = pi u is a distribution on the square with
    mean (P(X_1 = 1), P(X_2 = 1)).
    """
    name = "as stated"
    with check.reading(
        name, "every full-support prior on two bits without uniform marginals"
    ) as argument:
        _shared_face(argument)
    check.near_miss(
        f"{name}: uniform marginals too", lambda argument: _shared_face(argument, uniform=True)
    )


def _shared_face(argument: Argument, uniform: bool = False) -> None:
    x, y = sympy.symbols("x y")
    argument.inequality(
        "the promise at level 0",
        "E[u | X_1 = 1] = E[u | X_1 = 0], x = P(X_1 = 1): with w = pi u scaled to total 1, the sum "
        "of w over X_1 = 1 is x",
        Eq(M, x),
        [Eq(M * (1 - x), N * x), Eq(M + N, 1), x > 0, x < 1],
    )
    strict = [x > 0, y > 0, x < 1, y < 1]
    argument.case_split(
        "up to swapping the values of bits, and the bits",
        "x <= y, x + y <= 1, not both 1/2. Flipping a bit replaces x by 1 - x, swapping the bits "
        "exchanges x and y",
        [
            (g <= h) & (g + h <= 1)
            for first in (x, 1 - x)
            for second in (y, 1 - y)
            for g, h in ((first, second), (second, first))
        ],
        strict,
    )
    argument.inequality(
        "two columns",
        "(w_00, w_01, w_11) = (1 - y, y - x, x) and (w_00, w_01, w_10) = (1 - x - y, y, x) have "
        "the mean (x, y). If y > x they share 01, and 00 where x + y < 1: only X_1 = 0. If y = x "
        "then x + y < 1, and they share 00 alone. On no common database is X_1 = 1",
        (1 - y >= 0)
        & (y - x >= 0)
        & (1 - x - y >= 0)
        & ((y - x > 0) | ((1 - y > 0) & (1 - x - y > 0))),
        [
            x <= y,
            x + y <= 1,
            *strict,
            *([] if uniform else [sympy.Or(sympy.Ne(x, y), sympy.Ne(x + y, 1))]),
        ],
    )
    argument.cite("they occur", "level 0 with both orders", "worst.lemma0")


@claim(
    "worst.bits-three",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^n, n >= 3, full-support prior with uniform marginals, all bits secret: "
    "two releases of level 0 collapse.",
)
def bits_three(check: Check) -> None:
    """Prove it by two columns that share the database 0 .. 0 only."""
    name = "as stated"
    with check.reading(name, "every n >= 3, every such prior") as argument:
        _two_columns(argument)
    check.near_miss(f"{name}: n = 2 too", lambda argument: _two_columns(argument, smallest=2))


def _two_columns(argument: Argument, smallest: int = 3) -> None:
    a, b, k, s, t, T = sympy.symbols("a b k s t T")
    argument.inequality(
        "the promise",
        "E[u | X_i = v] is the sum of w = pi u over X_i = v divided by P(X_i = v) = 1/2: level 0 "
        "is equality of the two sums",
        sympy.Equivalent(Eq(2 * a, 2 * b), Eq(s, t)),
        [Eq(s, a), Eq(t, b)],
    )
    argument.inequality(
        "0..0 and 1..1",
        "w = 1 on both: each bit is 0 in one and 1 in the other",
        Eq(a, b),
        [Eq(a, 1), Eq(b, 1)],
    )
    argument.induction(
        "0..0 and the databases with a single 0",
        "w = n - 2 at 0..0 and 1 at the n databases with one 0. Bit i is 0 at 0..0 and at one of "
        "the others: s = n - 1; it is 1 at T of the first K others (all but the one with its 0 at "
        "i): T = K - 1 once that one is counted; k = K + 1",
        base=(Eq(T, K - 1), [Eq(T, 0), Eq(K, 1)]),
        step=(Eq(T + 1, k - 1), [Eq(T, K - 1), Eq(k, K + 1), K >= 1]),
    )
    argument.inequality(
        "equal sums, and positive at 0..0",
        "s = (n - 2) + 1 = n - 1 = T at k = n",
        Eq(s, T) & (a > 0),
        [Eq(a, n - 2), Eq(s, a + 1), Eq(T, n - 1), n >= smallest],
    )
    argument.inequality(
        "they share 0..0 only",
        "For n >= 3 (even n >= 2) a database with a single 0 is not 1..1 and not 0..0: the number "
        "t of its zeros is 1",
        sympy.Ne(t, 0) & sympy.Ne(t, n),
        [Eq(t, 1), n >= 2],
    )
    argument.cite("they occur", "level 0 with both orders", "worst.lemma0")
    argument.inequality(
        "collapse",
        "given X_i = 1 the joint output is impossible, given X_i = 0 it is not",
        M > L * N,
        [M > 0, Eq(N, 0), L >= 1],
    )


@claim(
    "worst.bits-any-marginals",
    where="Several pairs or priors: bits",
    statement="X in {0,1}^n, n >= 2, full-support prior with any marginals, all bits secret: two "
    "releases of level 0 collapse, except for n = 2 with both marginals uniform. So for n >= 3 "
    "the marginals do not matter.",
)
def bits_any_marginals(check: Check) -> None:
    """Prove that two bits with a marginal that is not uniform collapse whatever the other bits
    are.
    """
    name = "as stated"
    with check.reading(name, "every n >= 2, every full-support prior on n bits") as argument:
        argument.cite(
            "all marginals uniform, n >= 3", "two columns that share 0..0 only", "worst.bits-three"
        )
        argument.cite(
            "two bits, one not uniform",
            "two columns w = pi u that share a value of a bit",
            "worst.bits-two-marginals",
        )
        _lifted(argument)
    check.near_miss(
        f"{name}: other bits with any means", lambda argument: _lifted(argument, free=True)
    )


def _lifted(argument: Argument, free: bool = False) -> None:
    a, b, p, q, x, y = sympy.symbols("a b p q x y")
    argument.inequality(
        "the other bits, independent",
        "w(x) = w'(x_1, x_2) v(rest) with v a law with means P(X_j = 1): the sum of w over X_j = 1 "
        "is p = a b, with a the total of w' and b = P(X_j = 1) under v; at level 0 it has to be y "
        "a with y = P(X_j = 1). For the first two bits a sum x of w' is multiplied by the total q "
        "= 1 of v",
        Eq(p, y * a) & Eq(x * q, x),
        [Eq(p, a * b), Eq(q, 1), a > 0, *([b >= 0] if free else [Eq(b, y)])],
    )
    argument.inequality(
        "the common support",
        "A database in both supports has (x_1, x_2) in both supports of the two-bit columns: a "
        "product is positive iff both factors are",
        sympy.Equivalent(a * b > 0, (a > 0) & (b > 0)),
        [a >= 0, b >= 0],
    )
