"""When joint leakage stays finite for every number of releases: inequalities of
differential-privacy type are implied.

(a) L*_K is finite for all K; (b) it is for K = max |supp nu|; (c) for every (mu, nu) and x in supp
  mu there is y in supp nu with u_x > 0 => u_y > 0 on the cone; (d) for these, u_x <= kappa u_y on
  the cone. The cone is that of columns that occur, the same for each release; with different
  budgets the largest one decides finiteness from above.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements import collapse as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
K = letter("K", "the collapse number", at_least(1))
L = letter("L", "a finite ratio", at_least(1))
k = letter("k", "kappa")
v, u = letters("v u", "the entries at x of the product of columns so far, and of the next column")
p, c = letters(
    "p c", "the entries at y of the product of columns so far, and of the next column", at_least(0)
)
z = letter("z", "the entry at an earlier y of the product so far")
w = letter("w", "the entry at an earlier y of the next column", at_least(0))
q = letter("q", "kappa^K")
mu = letter("mu", "mu_x", at_least(0))
nu = letter("nu", "nu_y")
b = letter("b", "the smallest positive entry of nu")
M, N = letters(
    "M N", "sums at x and at y; or <mu, w>, <nu, w>; or a combination of inequalities at u"
)
m, n = letters("m n", "the next terms of these sums", at_least(0))
C = letter("C", "the sum of mu_x so far")
form, weight = letters("form weight", "a linear form at u, and its multiplier", at_least(0))
ux, uy = letters("ux uy", "u_x, u_y")
t = letter("t", "a larger constant, or the entry of a column at a", above(0))
size, support = letters("size support", "the numbers of databases and of those in supp nu")
a, b1, b2, b3 = letters("a b1 b2 b3", "entries of a column at the four databases")
THREE = (b1, b2, b3)
ZEROS = [(b1, b2), (b1, b3), (b2, b3)]
LEVEL = Fraction(4, 3)


@claim(
    "worst.finite-equivalences",
    where="Theorem B",
    statement="For mechanisms of one level R >= 1 these are equivalent: (a) L*_K is finite for all "
    "K; (b) L*_K is finite for K = max |supp nu| over (mu, nu) in T; (c) for every (mu, nu) in "
    "T and x in supp mu some y in supp nu has u_y > 0 for all u with u_x > 0 in the cone of "
    "columns that occur; (d) for every (mu, nu) in T and x in supp mu some y in supp nu and "
    "some constant kappa have u_x <= kappa u_y for all u in that cone. In (b) the largest "
    "|supp nu| over the (mu, nu) with supp mu not inside supp nu is enough.",
    says={
        "(b) => (c): what (c) lacks gives a collapse": says.COLLAPSE,
        "(c) => (d): finitely many rays": says.CONSTANTS,
        "(d) => (a): an explicit bound": says.FINITE,
    },
)
def finite_equivalences(check: Check) -> None:
    """Prove (a) => (b) => (c) => (d) => (a)."""
    name = "(b) => (c): what (c) lacks gives a collapse"
    proved(
        check,
        name,
        ALL_SIZES,
        _collapse,
        one_release_fewer=Edit("and zero at each y so far: step", without=Eq(u, 0), given=u >= 0),
    )
    name = "(c) => (d): finitely many rays"
    proved(check, name, ALL_SIZES, _kappa, **{"kappa = R": Edit("one more ray", put={k: R})})
    name = "(d) => (a): an explicit bound"
    proved(
        check,
        name,
        f"{ALL_SIZES}, any number of releases",
        _bounded,
        kappa_not_multiplied=Edit("products: step", put={q * k * p * c: q * p * c}),
    )


def _collapse(proof: Proof) -> None:
    proof.cite("columns", "products of K columns occur at a joint output", "worst.vertices")
    proof.induction(
        "the product is positive at x",
        "If (c) fails at (mu, nu) and x, each y in supp nu has a column u(y) with u_x > 0 = u_y: v "
        "is the product at x of the first of them, u the entry of the next",
        base=(u > 0, [u > 0]),
        step=(v * u > 0, [v > 0, u > 0]),
    )
    proof.induction(
        "and zero at each y so far",
        "z is the product at one of the y so far, w >= 0 the entry of the next column there; at "
        "the next y the product v of the columns so far meets the entry 0",
        base=(Eq(u, 0), [Eq(u, 0)]),
        step=(Eq(z * w, 0) & Eq(v * u, 0), [Eq(z, 0), v >= 0, Eq(u, 0)]),
    )
    proof.inequality(
        "a collapse at K = |supp nu|",
        "One factor for each y: <mu, w> >= mu_x w_x > 0 with mu = mu_x, and <nu, w> = 0. "
        "Further releases may be constant: the vector of ones is a column",
        (M > L * N) & (M > 0),
        [M >= mu * v, mu > 0, v > 0, Eq(N, 0)],
    )


def _kappa(proof: Proof) -> None:
    proof.cite(
        "rays",
        "a column is a finite sum of extreme rays, of which there are finitely many",
        "worst.rays-span",
    )
    proof.summed(
        "one more ray",
        "kappa = k is the largest u_x/u_y over extreme rays with u_x > 0, where u_y > 0 is known; "
        "M and N sum the entries at x and y of the first rays of a sum, m and n are those of the "
        "next",
        so_far=M <= k * N,
        adding={M: m, N: n},
        given=[m <= k * n, k >= 0],
    )


def _bounded(proof: Proof) -> None:
    proof.induction(
        "products",
        "v and p are the entries at x and y of a product of columns, q = kappa^K: v <= q p. The "
        "next column has u and c, u <= kappa c",
        base=(u <= k * c, [u <= k * c, u >= 0]),
        step=(
            v * u <= q * k * p * c,
            [v <= q * p, u <= k * c, u >= 0, v >= 0, q >= 0],
        ),
    )
    proof.inequality(
        "a database of supp nu",
        "nu_y p <= N = <nu, w>, and nu_y >= b, the smallest positive entry of nu: v <= q N/b",
        b * v <= q * N,
        [v <= q * p, nu * p <= N, nu >= b, b > 0, q >= 0],
    )
    proof.summed(
        "averaging over x",
        "M sums mu_x w_x over the first x, C sums mu_x: b M <= q N C, and C = 1 at the end, so "
        "that L*_K <= kappa^K/b, kappa the largest for the chosen pairs x, y",
        so_far=b * M <= q * N * C,
        adding={M: mu * v, C: mu},
        given=[b * v <= q * N],
    )


@claim(
    "worst.finite-certificates",
    where="Theorem B",
    statement="kappa u_y - u_x = sum_i lambda_i (R <nu_i, u> - <mu_i, u>) + <sigma, u> as linear "
    "forms, lambda, sigma >= 0, implies u_x <= kappa u_y on C_R; and if for given x, y no such "
    "combination exists for any kappa, some u in C_R has u_x > 0 = u_y.",
    kind="lemma",
    says={"soundness": says.SOUND, "completeness": says.COMPLETE},
)
def finite_certificates(check: Check) -> None:
    """Prove soundness by adding inequalities; completeness from the theorem of the alternative."""
    name = "soundness"
    proved(
        check,
        name,
        ALL_SIZES,
        _sound,
        a_multiplier_of_any_sign=Edit(
            "one more multiple of an inequality: step", without=weight >= 0
        ),
    )
    name = "completeness"
    proved(
        check,
        name,
        ALL_SIZES,
        _complete,
        **{"with kappa = 1": Edit("for each larger constant too", put={t * uy: uy})},
    )


def _sound(proof: Proof) -> None:
    proof.induction(
        "one more multiple of an inequality",
        "M is the combination so far at u, not negative; weight >= 0 multiplies the next form, "
        "form >= 0 at u",
        base=(M >= 0, [Eq(M, 0)]),
        step=(M + weight * form >= 0, [M >= 0]),
    )
    proof.inequality(
        "conclusion", "M = kappa u_y - u_x", ux <= k * uy, [Eq(M, k * uy - ux), M >= 0]
    )


def _complete(proof: Proof) -> None:
    _kappa(proof)
    proof.inequality(
        "for each larger constant too",
        "for t >= k",
        ux <= t * uy,
        [ux <= k * uy, uy >= 0, t >= k, k >= 0],
        for_any=[t],
    )
    proof.theorem(
        "Farkas' lemma",
        "A linear inequality that holds on {u >= 0 : <row_i, u> >= 0} is a combination with "
        "weights >= 0 of them",
        "textbook.Farkas.farkas",
    )


@claim(
    "worst.pairwise-not-enough",
    where="Theorem B",
    statement="There is a framework with a collapse number above 2: any two releases within the "
    "budget have finite joint leakage, and some three leak everything. Four databases are the "
    "fewest: the secret {a} against {b1, b2, b3}, three priors that give the b's the "
    "probabilities (1, 2, 2)/5, (2, 1, 2)/5, (2, 2, 1)/5 given not a, e^epsilon = 4/3.",
    says={
        "two releases are safe, three are not": says.SAFE_AND_NOT,
        "three databases are too few": says.TOO_FEW,
    },
)
def pairwise_not_enough(check: Check) -> None:
    """Prove that columns vanish at one b at most, that they can at each, and that three
    databases do not suffice.
    """
    safe = "two releases are safe, three are not"
    misses = {"at e^epsilon = 3/2": _at_3_2(), "at e^epsilon = 8/7": _at_8_7()}
    proved(check, safe, "one framework, every mechanism within the budget", _safe_and_not, **misses)
    name = "three databases are too few"
    proved(
        check,
        name,
        "every framework",
        _too_few,
        four_databases_too=Edit(
            "a database of supp mu lies outside supp nu", without=size <= 3, given=size <= 4
        ),
    )


def _at_3_2() -> list[Edit]:
    at_zeros = [f"no column with a > 0 vanishes at {x} and {y}" for x, y in ZEROS]
    return [
        Edit(step, without=cone(LEVEL), given=cone(Fraction(3, 2)))
        for step in (*at_zeros, "a column with a = 0 vanishes everywhere")
    ]


def _at_8_7() -> list[Edit]:
    outside = sympy.And(*cone(Fraction(8, 7)), a > 0)
    return [Edit(f"a column that vanishes at {zero} only", instead=outside) for zero in THREE]


def _safe_and_not(proof: Proof) -> None:
    _one_zero(proof)
    _three_columns(proof)


def cone(level: Fraction) -> list[sympy.Basic]:
    """Return the inequalities of C_R for the three priors, with entries a and b_1, b_2, b_3."""
    ratio = sympy.Rational(level.numerator, level.denominator)
    weights = ((1, 2, 2), (2, 1, 2), (2, 2, 1))
    averages = [sum(each * x for each, x in zip(row, THREE)) for row in weights]
    return [
        *(x >= 0 for x in (a, *THREE)),
        *(5 * a <= ratio * average for average in averages),
        *(average <= 5 * ratio * a for average in averages),
    ]


def _one_zero(proof: Proof) -> None:
    for zero in ZEROS:
        proof.inequality(
            f"no column with a > 0 vanishes at {zero[0]} and {zero[1]}",
            "The averages of the third entry under two of the priors differ by the factor 2 > R^2",
            Eq(a, 0),
            [*cone(LEVEL), *(Eq(x, 0) for x in zero)],
        )
    proof.inequality(
        "a column with a = 0 vanishes everywhere",
        "so that no product misses a and meets some b, and two columns with a > 0 leave some b: "
        "the ratio is finite",
        Eq(b1, 0) & Eq(b2, 0) & Eq(b3, 0),
        [*cone(LEVEL), Eq(a, 0)],
    )


def _three_columns(proof: Proof) -> None:
    for place, zero in enumerate(THREE, start=1):
        proof.inequality(
            f"a column that vanishes at {zero} only",
            "Entries t at a and 5t/4 at the other two, whose averages are t under one prior and "
            "3t/4 under the two others: the product of the three columns is positive at a and "
            f"zero at every b (column {place})",
            sympy.And(*cone(LEVEL), a > 0),
            [*(Eq(x, 0 if x == zero else 5 * t / 4) for x in THREE), Eq(a, t)],
        )
    proof.cite("they occur", "each is a column of a mechanism, as R > 1", "worst.lemma0")


def _too_few(proof: Proof) -> None:
    proof.cite(
        "the bound K = |supp nu|",
        "if L*_K is finite for K = |supp nu| then for all K",
        "worst.finite-equivalences",
    )
    proof.inequality(
        "a database of supp mu lies outside supp nu",
        "A collapse at (mu, nu) needs x in supp mu outside supp nu, so support = |supp nu| <= |X| "
        "- 1; the collapse number K <= support",
        K <= 2,
        [K <= support, support <= size - 1, size <= 3],
    )
