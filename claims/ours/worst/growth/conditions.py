"""Conditions on single mechanisms that bound joint releases: NfC sets are convex cones, coupling
weights compose exactly.

For one prior and ordered pair with laws mu, nu: weights beta_D on supp nu for each D in supp mu; a
column u satisfies them at level R if u_D <= R prod_l u_l^(beta_Dl), with 0^0 = 1.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.growth import nfc as says
from pufferproof.claims.registry import Check, claim

REAL_WEIGHTS = f"{ALL_SIZES}, real weights"
R = letter("R", "the level of the next release, or of each")
S = letter("S", "the product of the levels so far", at_least(1))
U = letter("U", "the entry at D, or at l, of the column so far")
u = letter("u", "the entry at D, or at l, of the next column", at_least(0))
G = letter("G", "the weighted geometric mean over l of the column so far")
g = letter("g", "the weighted geometric mean over l of the next column", at_least(0))
J = letter("J", "the weighted geometric mean of the sum")
weight = letter("weight", "K(z | w), an entry of the kernel", at_least(0))
A = letter("A", "sum_l beta_Dl U_l")
M, C = letters(
    "M C",
    "the sums of mu_D U_D and of mu_D A_D over the first D, or of (mu beta)_l U_l over the first l",
)
N = letter("N", "the sum of nu_l U_l over the first l")
m, n = letters("m n", "mu_D, nu_l", at_least(0))
b = letter("b", "(mu beta)_l")
k = letter("k", "the largest (mu beta)_l/nu_l", at_least(1))
rest_b = letter("rest_b", "the sum of the other (mu beta)_l", at_least(0))
rest_n = letter("rest_n", "the sum of the other nu_l")
a1, a2, b1, b2 = letters("a1 a2 b1 b2", "entries of a column at the four databases")
mu, nu, beta = letters("mu nu beta", "entries of mu, of nu and of beta")
larger, smaller = letters("larger smaller", "entries of a column at D and at D'")


@claim(
    "worst.nfc-cone",
    where="Conditions that compose",
    statement="{u >= 0 : u_D <= R prod_l u_l^(beta_l)}, weights beta_l >= 0 with sum 1, is a "
    "convex cone. So a mechanism whose columns satisfy NfC constraints still does after any "
    "post-processing, with the same weights and levels.",
    says=says.NFC_CONE,
)
def nfc_cone(check: Check) -> None:
    """Prove it from superadditivity and homogeneity of weighted geometric means."""
    name = "closed under post-processing"
    proved(
        check,
        name,
        REAL_WEIGHTS,
        _processed,
        a_signed_kernel=Edit("one more old output", without=weight >= 0, given=weight <= 1),
        means_that_only_add_up_to_half=Edit(
            "one more old output: step",
            without=J >= G + weight * g,
            given=J >= (G + weight * g) / 2,
        ),
    )


def _processed(proof: Proof) -> None:
    proof.cite(
        "a convex cone",
        "sums and multiples of columns that satisfy a constraint satisfy it",
        "bai2026.x-cone",
    )
    _merged(proof)
    proof.inequality(
        "two supports",
        "Where beta_l > 0 and u_l = 0 the mean G is 0 and so is u_D",
        Eq(u, 0),
        [u <= R * G, Eq(G, 0), R >= 1],
    )


def _merged(proof: Proof) -> None:
    proof.induction(
        "one more old output",
        "The column of a new output is a sum of columns times weight = K(z | w) >= 0: U and u the "
        "entries at D so far and of the next column, G and g their means; the mean J of the sums "
        "is at least G + weight g",
        base=(weight * u <= R * weight * g, [u <= R * g, R >= 1]),
        step=(
            U + weight * u <= R * J,
            [U <= R * G, u <= R * g, J >= G + weight * g, U >= 0, G >= 0, R >= 1],
        ),
    )


@claim(
    "worst.nfc-constant",
    where="Conditions that compose",
    statement="If mechanisms 1 .. K satisfy NfC for (mu, nu) at levels R_1 .. R_K with the same "
    "weights beta (a row-stochastic matrix from supp mu to supp nu), then joint ratios are at "
    "most R_1 .. R_K max_l (mu beta)_l/nu_l, for every K.",
    says=says.NFC_CONSTANT,
)
def nfc_constant(check: Check) -> None:
    """Prove it by the inequality of means, averaged with mu."""
    name = "upper bound"
    proved(
        check,
        name,
        f"{REAL_WEIGHTS}, any number of releases",
        _constant,
        without_the_constant=[
            Edit("averaging over l: base", put={k * n * u: n * u}),
            Edit("averaging over l: step", put={k * (N + n * u): N + n * u}),
        ],
        the_last_level_left_out=Edit("one more release: step", put={S * R * G * g: S * G * g}),
    )


def _constant(proof: Proof) -> None:
    _multiplied(proof)
    proof.cite("means", "G <= A = sum_l beta_Dl U_l", "bai2026.x-am-gm")
    _averages(proof)
    proof.cite(
        "order of summation",
        "C = sum_D mu_D sum_l beta_Dl U_l = sum_l (mu beta)_l U_l",
        "lemma.finite-sums",
    )


def _multiplied(proof: Proof) -> None:
    proof.induction(
        "one more release",
        "U <= S G at D for the product so far, S the product of levels; u <= R g for the next "
        "column. Means multiply",
        base=(u <= R * g, [u <= R * g, R >= 1]),
        step=(
            U * u <= S * R * G * g,
            [U <= S * G, u <= R * g, U >= 0, G >= 0, R >= 1],
        ),
    )


def _averages(proof: Proof) -> None:
    proof.summed(
        "averaging over D",
        "M = sum of mu_D U_D and C = sum of mu_D A_D over the first D: M <= S C",
        so_far=M <= S * C,
        adding={C: A * m, M: U * m},
        given=[U <= S * G, G <= A],
    )
    proof.summed(
        "averaging over l",
        "C = sum of b U_l with b = (mu beta)_l <= k n, n = nu_l, and N = sum of n U_l over the "
        "first l: C <= k N",
        so_far=C <= k * N,
        adding={N: n * u, C: b * u},
        given=[b <= k * n],
    )
    proof.inequality(
        "the joint ratio",
        "M <= S C <= S k N",
        M <= S * k * N,
        [M <= S * C, C <= k * N],
    )


@claim(
    "worst.coupling",
    where="Conditions that compose",
    statement="If mu beta = nu the constant is 1: releases whose columns satisfy NfC for (mu, nu) "
    "with these weights at levels R_1 .. R_K have joint ratio at most R_1 .. R_K, also after "
    "post-processing each.",
    says={
        "constant 1": says.COUPLING,
        "the constant is 1 only for couplings": says.ONLY_COUPLINGS,
    },
)
def coupling(check: Check) -> None:
    """Prove it as the case of constant 1, and by the claim beside the paper."""
    name = "constant 1"
    proved(
        check,
        name,
        f"{REAL_WEIGHTS}, any number of releases",
        _coupled,
        another_marginal=Edit("(mu beta)_l = nu_l", without=Eq(b, n), given=b > 0),
    )
    name = "the constant is 1 only for couplings"
    proved(
        check,
        name,
        "all finite sizes",
        _only_couplings,
        constant_2=Edit("two laws, one below the other", without=b <= n, given=b <= 2 * n),
    )


def _coupled(proof: Proof) -> None:
    proof.cite(
        "the general bound",
        "at most R_1 .. R_K times the largest (mu beta)_l/nu_l",
        "worst.nfc-constant",
    )
    _constant_one(proof)
    proof.cite("post-processing", "keeps the constraints", "worst.nfc-cone")
    proof.cite("proved directly too", "for one prior and pair", "bai2026.x-coupling")


def _constant_one(proof: Proof) -> None:
    proof.inequality(
        "(mu beta)_l = nu_l",
        "the quotient b/n = k is 1",
        Eq(k, 1),
        [Eq(b, k * n), n > 0, Eq(b, n)],
        for_any=[k],
    )


def _only_couplings(proof: Proof) -> None:
    proof.inequality(
        "two laws, one below the other",
        "mu beta and nu are laws: if b <= n for each l (constant at most 1) then the rests rest_b "
        "<= rest_n too, and b + rest_b = 1 = n + rest_n gives b = n",
        Eq(b, n),
        [b <= n, rest_b <= rest_n, Eq(b + rest_b, 1), Eq(n + rest_n, 1), b >= 0],
        for_any=[n],
    )


LEVEL = sympy.Rational(3, 2)
NAMES = ("a1", "a2", "b1", "b2")
ACROSS = [(one, other) for one in NAMES for other in NAMES if one[0] != other[0]]
COLUMNS = ((3, 3, 1, 4), (3, 3, 4, 1), (1, 4, 3, 3), (4, 1, 3, 3))


@claim(
    "worst.coupling-no-dp",
    where="Conditions that compose",
    statement="Coupling weights need no inequality of differential-privacy type at their level: "
    "for s = {a1, a2}, s' = {b1, b2}, a uniform prior and the four columns (3,3,1,4), "
    "(3,3,4,1), (1,4,3,3), (4,1,3,3), divided by 11, the coupling with all entries 1/2 "
    "satisfies NfC at level 3/2 in both orders, while for each D and D' on different sides "
    "some output has u_D >= 3 u_D'.",
    says=says.NO_DP,
)
def coupling_no_dp(check: Check) -> None:
    """Prove it by the squares of the constraints."""
    level = [
        Edit(f"NfC for output {index}", without=Eq(R, LEVEL), given=Eq(R, sympy.Rational(4, 3)))
        for index in range(1, 5)
    ]
    proved(
        check,
        "as stated",
        "one framework and one mechanism",
        _example,
        **{"NfC at level 4/3": level},
    )
    larger_factor = [
        Edit(f"u_{one} against u_{other}", put={3: sympy.Rational(7, 2)}) for one, other in ACROSS
    ]
    check.near_miss("as stated: u_D >= 7/2 u_D'", edited(_example, *larger_factor))


def _example(proof: Proof) -> None:
    _mechanism(proof)
    _no_inequality(proof)


def _mechanism(proof: Proof) -> None:
    for index, column in enumerate(COLUMNS, start=1):
        values = [Eq(entry, value) for entry, value in zip((a1, a2, b1, b2), column)]
        proof.inequality(
            f"NfC for output {index}",
            "u_D <= R sqrt(u_l u_l') with both sides squared, for D on either side",
            sympy.And(
                *(entry**2 <= R**2 * b1 * b2 for entry in (a1, a2)),
                *(entry**2 <= R**2 * a1 * a2 for entry in (b1, b2)),
            ),
            [*values, Eq(R, LEVEL)],
        )
    proof.identity(
        "rows sum to 1",
        "each database has the entries 3, 3, 1, 4 in some order",
        "3*t + 3*t + t + 4*t",
        "1",
        at={"t": "1/11"},
    )
    proof.inequality(
        "a coupling",
        "mu = nu = (1/2, 1/2), beta all 1/2: mu beta = nu",
        Eq(mu * beta + nu * beta, sympy.Rational(1, 2)),
        [Eq(mu, sympy.Rational(1, 2)), Eq(nu, mu), Eq(beta, mu)],
    )


def _no_inequality(proof: Proof) -> None:
    for one, other in ACROSS:
        x, y = NAMES.index(one), NAMES.index(other)
        column = max(COLUMNS, key=lambda entries: entries[x] * 12 // entries[y])
        proof.inequality(
            f"u_{one} against u_{other}",
            "the output where the quotient is largest",
            larger >= 3 * smaller,
            [Eq(larger, column[x]), Eq(smaller, column[y])],
        )
