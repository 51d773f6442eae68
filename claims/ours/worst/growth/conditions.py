"""Conditions on single mechanisms that bound joint releases: NfC sets are convex cones, coupling
weights compose exactly.

For one prior and ordered pair with laws mu, nu: weights beta_D on supp nu for each D in supp mu; a
column u satisfies them at level R if u_D <= R prod_l u_l^(beta_Dl), with 0^0 = 1.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, real weights"
R, S, U, u, G, g, A, B, C, M, N, m, n, b, k = sympy.symbols("R S U u G g A B C M N m n b k")


@claim(
    "worst.nfc-cone",
    where="Conditions that compose",
    statement="{u >= 0 : u_D <= R prod_l u_l^(beta_l)}, weights beta_l >= 0 with sum 1, is a "
    "convex cone. So a mechanism whose columns satisfy NfC constraints still does after any "
    "post-processing, with the same weights and levels.",
)
def nfc_cone(check: Check) -> None:
    """Prove it from superadditivity and homogeneity of weighted geometric means."""
    name = "closed under post-processing"
    with check.reading(name, ALL_SIZES) as argument:
        _processed(argument)
    check.near_miss(f"{name}: a signed kernel", lambda argument: _merged(argument, signed=True))
    check.near_miss(
        f"{name}: means that only add up to half", lambda argument: _merged(argument, smaller=True)
    )


def _processed(argument: Argument) -> None:
    argument.cite(
        "a convex cone",
        "sums and multiples of columns that satisfy a constraint satisfy it",
        "bai2026.x-cone",
    )
    _merged(argument)
    argument.inequality(
        "two supports",
        "Where beta_l > 0 and u_l = 0 the mean G is 0 and so is u_D",
        Eq(u, 0),
        [u <= R * G, Eq(G, 0), u >= 0, R >= 1],
    )


def _merged(argument: Argument, signed: bool = False, smaller: bool = False) -> None:
    J = sympy.Symbol("J")
    kernel = [k <= 1] if signed else [k >= 0]
    mean = J >= (G + k * g) / 2 if smaller else J >= G + k * g
    argument.induction(
        "one more old output",
        "The column of a new output is a sum of columns times k = K(z | w) >= 0: U and u the "
        "entries at D so far and of the next column, G and g their means; the mean J of the sums "
        "is at least G + k g",
        base=(k * u <= R * k * g, [u <= R * g, u >= 0, g >= 0, R >= 1, *kernel]),
        step=(
            U + k * u <= R * J,
            [U <= R * G, u <= R * g, mean, u >= 0, g >= 0, U >= 0, G >= 0, R >= 1, *kernel],
        ),
    )


@claim(
    "worst.nfc-constant",
    where="Conditions that compose",
    statement="If mechanisms 1 .. K satisfy NfC for (mu, nu) at levels R_1 .. R_K with the same "
    "weights beta (a row-stochastic matrix from supp mu to supp nu), then joint ratios are at "
    "most R_1 .. R_K max_l (mu beta)_l/nu_l, for every K.",
)
def nfc_constant(check: Check) -> None:
    """Prove it by the inequality of means, averaged with mu."""
    name = "upper bound"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _constant(argument)
    check.near_miss(
        f"{name}: without the constant", lambda argument: _averages(argument, free=True)
    )
    check.near_miss(
        f"{name}: the last level left out", lambda argument: _multiplied(argument, dropped=True)
    )


def _constant(argument: Argument) -> None:
    _multiplied(argument)
    argument.cite("means", "G <= A = sum_l beta_Dl U_l", "bai2026.x-am-gm")
    _averages(argument)
    argument.cite(
        "order of summation",
        "C = sum_D mu_D sum_l beta_Dl U_l = sum_l (mu beta)_l U_l",
        "lemma.finite-sums",
    )


def _multiplied(argument: Argument, dropped: bool = False) -> None:
    argument.induction(
        "one more release",
        "U <= S G at D for the product so far, S the product of levels; u <= R g for the next "
        "column. Means multiply",
        base=(u <= R * g, [u <= R * g, u >= 0, g >= 0, R >= 1]),
        step=(
            U * u <= S * (1 if dropped else R) * G * g,
            [U <= S * G, u <= R * g, U >= 0, u >= 0, G >= 0, g >= 0, S >= 1, R >= 1],
        ),
    )


def _averages(argument: Argument, free: bool = False) -> None:
    argument.induction(
        "averaging over D",
        "M = sum of mu_D U_D and C = sum of mu_D A_D over the first D: M <= S C",
        base=(m * U <= S * m * A, [U <= S * G, G <= A, m >= 0, S >= 1]),
        step=(M + m * U <= S * (C + m * A), [M <= S * C, U <= S * G, G <= A, m >= 0, S >= 1]),
    )
    argument.induction(
        "averaging over l",
        "C = sum of b U_l with b = (mu beta)_l <= k n, n = nu_l, and N = sum of n U_l over the "
        "first l: C <= k N",
        base=(b * u <= (1 if free else k) * n * u, [b <= k * n, u >= 0, n >= 0, k >= 1]),
        step=(
            C + b * u <= (1 if free else k) * (N + n * u),
            [C <= k * N, b <= k * n, u >= 0, n >= 0, N >= 0, k >= 1],
        ),
    )
    argument.inequality(
        "the joint ratio",
        "M <= S C <= S k N",
        M <= S * k * N,
        [M <= S * C, C <= k * N, S >= 1, k >= 1],
    )


@claim(
    "worst.coupling",
    where="Conditions that compose",
    statement="If mu beta = nu the constant is 1: releases whose columns satisfy NfC for (mu, nu) "
    "with these weights at levels R_1 .. R_K have joint ratio at most R_1 .. R_K, also after "
    "post-processing each.",
)
def coupling(check: Check) -> None:
    """Prove it as the case of constant 1, and by the claim beside the paper."""
    name = "constant 1"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        argument.cite(
            "the general bound",
            "at most R_1 .. R_K times the largest (mu beta)_l/nu_l",
            "worst.nfc-constant",
        )
        _constant_one(argument)
        argument.cite("post-processing", "keeps the constraints", "worst.nfc-cone")
        argument.cite("proved directly too", "for one prior and pair", "bai2026.x-coupling")
    check.near_miss(
        f"{name}: another marginal", lambda argument: _constant_one(argument, other=True)
    )
    name = "the constant is 1 only for couplings"
    with check.reading(name, "all finite sizes") as argument:
        _only_couplings(argument)
    check.near_miss(f"{name}: constant 2", lambda argument: _only_couplings(argument, larger=True))


def _constant_one(argument: Argument, other: bool = False) -> None:
    argument.inequality(
        "(mu beta)_l = nu_l",
        "the quotient b/n = k is 1",
        Eq(k, 1),
        [Eq(b, k * n), n > 0, *([b > 0] if other else [Eq(b, n)])],
    )


def _only_couplings(argument: Argument, larger: bool = False) -> None:
    argument.inequality(
        "two laws, one below the other",
        "mu beta and nu are laws: if b <= n for each l (constant at most 1) then the rests A <= B "
        "too, and b + A = 1 = n + B gives b = n",
        Eq(b, n),
        [b <= (2 if larger else 1) * n, A <= B, Eq(b + A, 1), Eq(n + B, 1), b >= 0, A >= 0],
    )


COLUMNS = ((3, 3, 1, 4), (3, 3, 4, 1), (1, 4, 3, 3), (4, 1, 3, 3))


@claim(
    "worst.coupling-no-dp",
    where="Conditions that compose",
    statement="Coupling weights need no inequality of differential-privacy type at their level: "
    "for s = {a1, a2}, s' = {b1, b2}, a uniform prior and the four columns (3,3,1,4), "
    "(3,3,4,1), (1,4,3,3), (4,1,3,3), divided by 11, the coupling with all entries 1/2 "
    "satisfies NfC at level 3/2 in both orders, while for each D and D' on different sides "
    "some output has u_D >= 3 u_D'.",
)
def coupling_no_dp(check: Check) -> None:
    """Prove it by the squares of the constraints."""
    name = "as stated"
    with check.reading(name, "one framework and one mechanism") as argument:
        _mechanism(argument)
        _no_inequality(argument)
    check.near_miss(
        f"{name}: NfC at level 4/3", lambda argument: _mechanism(argument, sympy.Rational(4, 3))
    )
    check.near_miss(
        f"{name}: u_D >= 7/2 u_D'", lambda argument: _no_inequality(argument, sympy.Rational(7, 2))
    )


def _mechanism(argument: Argument, level: sympy.Rational | None = None) -> None:
    x = sympy.symbols("a1 a2 b1 b2")
    for index, column in enumerate(COLUMNS, start=1):
        values = [Eq(entry, value) for entry, value in zip(x, column)]
        argument.inequality(
            f"NfC for output {index}",
            "u_D <= R sqrt(u_l u_l') with both sides squared, for D on either side",
            sympy.And(
                *(entry**2 <= R**2 * x[2] * x[3] for entry in x[:2]),
                *(entry**2 <= R**2 * x[0] * x[1] for entry in x[2:]),
            ),
            [*values, Eq(R, level or sympy.Rational(3, 2))],
        )
    argument.identity(
        "rows sum to 1",
        "each database has the entries 3, 3, 1, 4 in some order",
        "3*t + 3*t + t + 4*t",
        "1",
        at={"t": "1/11"},
    )
    argument.inequality(
        "a coupling",
        "mu = nu = (1/2, 1/2), beta all 1/2: mu beta = nu",
        Eq(m * b + n * b, sympy.Rational(1, 2)),
        [Eq(m, sympy.Rational(1, 2)), Eq(n, m), Eq(b, m)],
    )


def _no_inequality(argument: Argument, factor: sympy.Rational | int = 3) -> None:
    names = ("a1", "a2", "b1", "b2")
    for x, y in [(0, 2), (0, 3), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0), (3, 1)]:
        column = max(COLUMNS, key=lambda entries: entries[x] * 12 // entries[y])
        argument.inequality(
            f"u_{names[x]} against u_{names[y]}",
            "the output where the quotient is largest",
            u >= factor * g,
            [Eq(u, column[x]), Eq(g, column[y])],
        )
