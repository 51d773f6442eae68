"""Which vectors are columns of a mechanism within its budget: the cone, and the face of it that
occurs.

For one ordered pair: m = <mu, u>, n = <nu, u>, and both are 1 at the vector of ones. A vector u
occurs if some positive multiple t u is a column of a mechanism all of whose columns lie in C_R.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Records, Table
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
R, m, n, t, M, N = sympy.symbols("R m n t M N")


@claim(
    "worst.columns",
    where="setting",
    statement="A mechanism is epsilon-Pufferfish iff each of its columns lies in C_R, R = "
    "e^epsilon. The columns of the joint release of independent mechanisms, also of mechanisms "
    "chosen by the outputs before, are entrywise products of columns.",
    kind="lemma",
)
def columns(check: Check) -> None:
    """Prove that the promise speaks of one output at a time, and linearly; products of rows are
    products of columns.
    """
    name = "the promise"
    with check.reading(name, ALL_SIZES) as argument:
        _promise(argument)
    check.near_miss(f"{name}: a smaller level", lambda argument: _promise(argument, smaller=True))
    name = "joint releases"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _joint(argument)
    check.near_miss(f"{name}: shared randomness", lambda argument: _joint(argument, shared=True))


def _promise(argument: Argument, smaller: bool = False) -> None:
    S, p, q = sympy.symbols("S p q")
    argument.induction(
        "P(y | s, theta) is linear in the column",
        "P(y, s) = sum over x in s of theta(x) u_x = M theta(s) with M = <mu, u>: N sums theta(x) "
        "u_x and M sums mu_x u_x over the first x, with mu_x theta(s) = theta(x); here n = "
        "theta(x), m = mu_x, t = u_x, R = theta(s)",
        base=(Eq(n * t, m * t * R), [Eq(m * R, n), R > 0]),
        step=(Eq(N + n * t, (M + m * t) * R), [Eq(N, M * R), Eq(m * R, n), R > 0]),
    )
    argument.inequality(
        "one output",
        "p = P(y | s) = M and q = P(y | s') = N: the promise for y and membership of its column "
        "are the same inequality",
        sympy.Equivalent(p <= (S if smaller else R) * q, M <= R * N),
        [Eq(p, M), Eq(q, N), R >= 1, M >= 0, N >= 0, *([S >= 1, S < R] if smaller else [])],
    )


def _joint(argument: Argument, shared: bool = False) -> None:
    p, q, a, b = sympy.symbols("p q a b")
    argument.induction(
        "one more release",
        "p = P(y_1 .. y_k | x), q the product of the entries of the columns so far, a the "
        "conditional probability of the next output given x and the outputs so far, b the entry of "
        "the column of the mechanism chosen: fresh randomness makes them equal",
        base=(Eq(p, q), [Eq(p, a), Eq(q, b), Eq(a, b)]),
        step=(
            Eq(p * a, q * b),
            [Eq(p, q), p >= 0, a >= 0, b >= 0, *([] if shared else [Eq(a, b)])],
        ),
    )


@claim(
    "worst.lemma0",
    where="Lemma 0",
    statement="A column u of C_R, u not 0, is up to scale a column of some epsilon-Pufferfish "
    "mechanism iff 1 - t u lies in C_R for some t > 0, and then of the mechanism with the two "
    "columns t u and 1 - t u. For R > 1 every u in C_R is; for R = 1 and T symmetric too; for "
    "R = 1 in general those with <mu, u> = <nu, u> for all of T.",
    kind="lemma",
)
def lemma0(check: Check) -> None:
    """Prove the criterion, and evaluate it for the three kinds of budgets."""
    name = "two outputs are enough"
    with check.reading(name, ALL_SIZES) as argument:
        _rest(argument)
    check.near_miss(f"{name}: a signed rest", lambda argument: _rest(argument, signed=True))
    name = "R > 1"
    with check.reading(name, "every R > 1; all finite sizes") as argument:
        _room(argument)
    check.near_miss(f"{name}: R = 1 as well", lambda argument: _room(argument, zero=True))
    name = "R = 1, both orders"
    with check.reading(name, ALL_SIZES) as argument:
        _equal(argument)
    check.near_miss(f"{name}: one order", lambda argument: _equal(argument, one_sided=True))
    name = "R = 1, any list: only equations"
    with check.reading(name, ALL_SIZES) as argument:
        _equations(argument)
        _equal(argument, given=True)
    check.near_miss(f"{name}: R > 1 as well", lambda argument: _equations(argument, large=True))


def _rest(argument: Argument, signed: bool = False) -> None:
    argument.induction(
        "the other columns together",
        "If t u is a column then 1 - t u is the sum of the other columns, and a sum of columns of "
        "the cone lies in it: for one ordered pair M <= R N for the sum so far, m <= R n for the "
        "next column (entries >= 0 add up alike)",
        base=(m <= R * n, [m <= R * n, R >= 1]),
        step=(M + m <= R * (N + n), [M <= R * N, *([] if signed else [m <= R * n]), R >= 1]),
    )
    argument.inequality(
        "conversely",
        "If 1 - t u lies in the cone, hence is not negative, then t u and 1 - t u have entries in "
        "[0, 1] that sum to 1 in each row; t u lies in the cone as u does",
        (t * m <= R * t * n) & (t * M <= 1) & (t * M >= 0),
        [m <= R * n, t > 0, R >= 1, 1 - t * M >= 0, M >= 0],
    )


def _room(argument: Argument, zero: bool = False) -> None:
    argument.inequality(
        "a small multiple leaves room",
        "For one ordered pair: 1 - t m <= R (1 - t n) if t R n <= R - 1; and 1 - t u >= 0 if t max "
        "u <= 1. Finitely many conditions of the form t c <= d with d > 0 have a common t > 0, the "
        "smallest d/c",
        1 - t * m <= R * (1 - t * n),
        [t * R * n <= (R - 1 + (1 if zero else 0)), t > 0, m >= 0, n >= 0, m <= R * n, R > 1],
    )
    c, d, C, D, s = sympy.symbols("c d C D s")
    argument.inequality(
        "a common multiple",
        "If t c <= d and s C <= D with t, s > 0 then the smaller of t and s satisfies both",
        sympy.Or((t * c <= d) & (t * C <= D), (s * c <= d) & (s * C <= D)),
        [
            t * c <= d,
            s * C <= D,
            t > 0,
            s > 0,
            c >= 0,
            C >= 0,
            (d >= 0) if zero else (d > 0),
            D > 0,
        ],
    )


def _equal(argument: Argument, one_sided: bool = False, given: bool = False) -> None:
    orders = [Eq(m, n)] if given else [m <= n, *([] if one_sided else [n <= m])]
    argument.inequality(
        "both orders are equations",
        "1 - t u satisfies <mu, 1 - t u> = 1 - t m <= 1 - t n for every t > 0",
        1 - t * m <= 1 - t * n,
        [*orders, t > 0, m >= 0, n >= 0],
    )


def _equations(argument: Argument, large: bool = False) -> None:
    level = R if large else sympy.Integer(1)
    argument.inequality(
        "a column and its rest",
        "If u with m <= n and 1 - t u with 1 - t m <= 1 - t n are both in the cone then m = n",
        Eq(m, n),
        [m <= level * n, 1 - t * m <= level * (1 - t * n), t > 0, *([R > 1] if large else [])],
    )


@claim(
    "worst.zero-databases",
    where="Lemma 0",
    statement="Databases of probability zero under every law of T can be deleted: a vector on the "
    "others lies in the cone iff each of its extensions by entries >= 0 does, with the same "
    "ratios, and a mechanism on the others extends.",
    kind="lemma",
    assumes=["no constraint other than the Pufferfish promise"],
)
def zero_databases(check: Check) -> None:
    """Prove that terms of weight zero change no sum."""
    name = "Pufferfish alone"
    with check.reading(name, ALL_SIZES) as argument:
        _deleted(argument)
    check.near_miss(f"{name}: zero under nu only", lambda argument: _deleted(argument, only=True))


def _deleted(argument: Argument, only: bool = False) -> None:
    p, q, u = sympy.symbols("p q u")
    argument.inequality(
        "a database that no law sees",
        "With p = mu_x and q = nu_x both 0, any entry u >= 0 of x leaves the two sums as they are",
        Eq(M + p * u, M) & Eq(N + q * u, N),
        [Eq(q, 0), *([p >= 0] if only else [Eq(p, 0)]), u >= 0],
    )


@claim(
    "worst.zero-databases-dp",
    where="Lemma 0, With differential privacy on top",
    statement="With per-record differential privacy on top, databases of probability zero can be "
    "deleted too, keeping the inequalities u_x <= S u_y between the neighbours that are left.",
    repair="worst.zero-databases-dp-repaired",
)
def zero_databases_dp(check: Check) -> None:
    """Refute it: what lies between two possible databases may be impossible, and still binds
    them.
    """
    with check.reading("inequalities between neighbours only", "one counterexample") as argument:
        _unbound(argument)


def _far_apart() -> tuple[Framework, Channel]:
    """Return two perfectly correlated bits, and what is allowed on their two databases if the
    others are forgotten.
    """
    half = Fraction(1, 2)
    secrets: dict[str, tuple[int, str]] = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    priors = {"equal bits": Table({"00": half, "11": half})}
    framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], priors)
    much, little = Fraction(8, 9), Fraction(1, 9)
    return framework, Channel.of({"00": [much, little], "11": [little, much]}, ["w", "v"])


def _unbound(argument: Argument) -> None:
    framework, channel = _far_apart()
    level = Fraction(2)

    def extends() -> bool:
        """Say whether entries of 01 and 10 with ratios at most S between all neighbours exist:
        S^2 bounds the others.
        """
        return all(
            channel.probability("00", y) <= level**2 * channel.probability("11", y)
            for y in ("w", "v")
        )

    def promised() -> bool:
        """Say whether the level is at most log 8: each secret has a single possible database."""
        ends = [[channel.probability(x, y) for x in ("00", "11")] for y in ("w", "v")]
        return all(p <= 8 * q and q <= 8 * p for p, q in ends)

    argument.inequality(
        "two steps",
        "Whatever the entry t of 01 is, m <= S t and t <= S n (S = 2) give m <= 4 n for the "
        "entries of 00 and 11",
        m <= 4 * n,
        [m <= 2 * t, t <= 2 * n],
    )
    argument.counterexample(
        "a mechanism that no neighbour sees",
        "00 and 11 are no neighbours, so after deleting 01 and 10 nothing is left of the "
        "constraint S = 2, and at epsilon = log 8 this mechanism is allowed; but none with "
        "per-record level 2 has these rows: its leakage is at most log 4",
        {
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(4)",
            "allowed": "log(8)",
            "S": level,
        },
        lambda: promised() and not extends(),
    )


@claim(
    "worst.zero-databases-dp-repaired",
    where="Lemma 0, with differential privacy on top",
    statement="On a product space, u on a subset A of databases extends to all with u_x <= S u_y "
    "for neighbours iff u_x <= S^d(x, y) u_y for all x, y in A, d the number of records in "
    "which they differ; min over y in A of S^d(z, y) u_y extends.",
    kind="repair of worst.zero-databases-dp",
)
def zero_databases_dp_repaired(check: Check) -> None:
    """Prove the extension of a function that is Lipschitz in the Hamming distance."""
    name = "Hamming distance"
    with check.reading(name, ALL_SIZES) as argument:
        _extension(argument)
    check.near_miss(
        f"{name}: at two steps the bound of one", lambda argument: _extension(argument, short=True)
    )


def _extension(argument: Argument, short: bool = False) -> None:
    S, a, b, c, P, Q = sympy.symbols("S a b c P Q")
    argument.induction(
        "along a shortest path",
        "P = S^d and b the entry after d steps: a <= P b; the next neighbour has the entry c with "
        "b <= S c",
        base=(a <= P * b, [Eq(P, S), a <= S * b, S >= 1, b >= 0]),
        step=(a <= (P if short else P * S) * c, [a <= P * b, b <= S * c, S >= 1, P >= 1, c >= 0]),
    )
    argument.inequality(
        "the largest extension keeps the level",
        "Let z and z' be neighbours, m = min_y S^d(z, y) u_y and n the same for z', reached at y: "
        "n = Q u_y = Q a. As d(z, y) <= d(z', y) + 1, m <= P a with P = S^d(z, y) <= S Q",
        m <= S * n,
        [Eq(n, Q * a), m <= P * a, P <= S * Q, S >= 1, a >= 0, Q >= 1],
    )
    argument.inequality(
        "and agrees on A",
        "At x in A the term y = x is u_x = a, every other is P b >= a by the condition: the "
        "minimum is a",
        Eq(sympy.Min(a, P * b), a),
        [a <= P * b],
    )
