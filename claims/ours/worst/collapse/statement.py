"""Several pairs or priors: when releases within their budgets leak everything, and when added
secrets prevent it.

Each statement is about explicit cones: that two or more columns have a product that is positive
somewhere in supp mu and vanishes on supp nu, or that inequalities u_x <= kappa u_y hold on the
cone, which bound joint leakage for every number of releases.
"""

from dataclasses import dataclass

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
from pufferproof.claims.ours.worst.statements import secrets as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
m = letter("m", "mu_y, or mu_x", at_least(0))
n = letter("n", "nu_y, a positive probability of nu", at_least(0))
outside = letter("outside", "the product so far at a database outside supp nu")
earlier = letter("earlier", "the product so far at an earlier y")
following = letter("following", "the product so far at the next y", at_least(0))
next_outside, next_earlier, next_y = letters(
    "next_outside next_earlier next_y", "the next column at these three databases"
)
M, N = letters("M N", "<mu, u>, <nu, u> of a product u")
L = letter("L", "a finite ratio", at_least(1))
p1, p2 = letters("p1 p2", "the smallest and the largest probability of b1 given not a")
u = letter("u", "the entry of a column at the b where it is not 0")
weight = letter("weight", "the probability of this b under some prior")
at_a = letter("at_a", "the entry of a column at a", at_least(0))
at_b = letter("at_b", "its entry at the b where it is not 0", at_least(0))
at_b1, at_b2 = letters("at_b1 at_b2", "its entries at b1 and at b2", at_least(0))
ux, uy = letters("ux uy", "u_x, u_y", at_least(0))
pix, piy = letters("pix piy", "pi_x, pi_y", above(0))
rest = letter("rest", "what the other databases of the complement contribute", at_least(0))
p, q = letters("p q", "the probabilities of b1 and of b2 given not a", above(0))
u1, u2 = letters("u1 u2", "entries of the first column at b1 and at b2")
v1, v2 = letters("v1 v2", "entries of the second column at b1 and at b2")
K = letter("K", "a factor", at_least(1))


@claim(
    "worst.universal-collapse",
    where="Several pairs or priors",
    statement="If every law nu of T gives every database probability at most 1 - 1/R, then L*_K "
    "for K mechanisms of level R is infinite for K = |supp nu|, for each (mu, nu) with supp mu "
    "not inside supp nu. R > 1 is implied.",
    says=says.UNIVERSAL,
)
def universal_collapse(check: Check) -> None:
    """Prove that the columns 1 - e_y are allowed, and that their product excludes supp nu."""
    name = "as stated"
    proved(
        check,
        name,
        ALL_SIZES,
        _universal,
        **{
            "probabilities up to 1 - 1/(2R)": Edit(
                "the column 1 - e_y lies in C_R",
                without=2 * R * n <= 2 * R - 2,
                given=2 * R * n <= 2 * R - 1,
            ),
            "one release fewer": Edit(
                "the product over y in supp nu: step", without=Eq(next_y, 0), given=next_y >= 0
            ),
        },
    )


def _universal(proof: Proof) -> None:
    _complements(proof)
    _product(proof)


def _complements(proof: Proof) -> None:
    bound = 2 * R - 2
    proof.inequality(
        "R > 1",
        "A law has a positive probability n, n <= 1 - 1/R: R n <= R - 1",
        R > 1,
        [R * n <= R - 1, n > 0],
    )
    proof.inequality(
        "the column 1 - e_y lies in C_R",
        "<mu, 1 - e_y> = 1 - m <= R (1 - n) = R <nu, 1 - e_y>, as 2 R n <= 2 R - 2, m = mu_y, n = "
        "nu_y",
        1 - m <= R * (1 - n),
        [2 * R * n <= bound, m <= 1],
    )
    proof.cite("it occurs", "as R > 1", "worst.lemma0")


def _product(proof: Proof) -> None:
    proof.induction(
        "the product over y in supp nu",
        "outside is the product so far at a database outside supp nu, earlier at one of the y so "
        "far, following at the next y: the next column has entries 1, 1 and 0 there, called "
        "next_outside, next_earlier and next_y",
        base=(Eq(next_outside, 1) & Eq(next_y, 0), [Eq(next_outside, 1), Eq(next_y, 0)]),
        step=(
            Eq(outside * next_outside, 1)
            & Eq(earlier * next_earlier, 0)
            & Eq(following * next_y, 0),
            [
                Eq(outside, 1),
                Eq(earlier, 0),
                Eq(next_outside, 1),
                Eq(next_earlier, 1),
                Eq(next_y, 0),
            ],
        ),
    )
    proof.inequality(
        "infinite",
        "It is 1 at some x in supp mu outside supp nu and 0 on supp nu: M >= mu_x = m > 0 = N",
        M > L * N,
        [M >= m, m > 0, Eq(N, 0)],
    )


@claim(
    "worst.phase-transition",
    where="Several pairs or priors: phase transitions",
    statement="X in {a, b1, b2}, secrets X = a and X in {b1, b2}, priors with 0 < P(X = a) < 1 and "
    "P(X = b1 | X not a) = p for p in a finite or infinite set with smallest element p1 and "
    "largest p2 > p1: some number of releases of level R >= 1 collapses iff R^2 >= max((1 - "
    "p1)/(1 - p2), p2/p1), quotients with denominator 0 being infinite; then two releases do.",
    says={"collapse above": says.ABOVE_THRESHOLD, "finite below": says.BELOW_THRESHOLD},
)
def phase_transition(check: Check) -> None:
    """Prove it through the columns that vanish at one b: averages are monotone in p, so that p1
    and p2 decide.
    """
    half = [
        Edit(
            f"a column on a and {each.name}",
            without=2 * each.high <= 2 * R**2 * each.low,
            given=each.high <= 2 * R**2 * each.low,
        )
        for each in SIDES
    ]
    proved(check, "collapse above", "all p1 < p2, every R", _above, from_half_the_threshold_on=half)
    equal = [
        Edit(step, without=R**2 * low < high, given=R**2 * low <= high)
        for step, low, high in (
            ("no column (u > 0 at a, 0 at b2) if R^2 p1 < p2", p1, p2),
            ("no column (u > 0 at a, 0 at b1) if R^2 (1 - p2) < 1 - p1", 1 - p2, 1 - p1),
        )
    ]
    scope = "all p1 < p2, every R, any number of releases"
    proved(check, "finite below", scope, _below, at_the_threshold_too=equal)


@dataclass(frozen=True)
class Side:
    """A database b: its smallest and largest probability, and the column that is 0 at the other."""

    name: str
    low: sympy.Expr
    high: sympy.Expr
    column: str


SIDES = [Side("b1", p1, p2, "(1, u, 0)"), Side("b2", 1 - p2, 1 - p1, "(1, 0, u)")]
ORDERED = [p1 >= 0, p1 < p2, p2 <= 1]


def _above(proof: Proof) -> None:
    for each in SIDES:
        proof.inequality(
            f"a column on a and {each.name}",
            f"{each.column} with u = 1/(R t), t > 0 the smallest average weight of {each.name}: "
            "1/R <= q u <= R for every q in between, as the largest weight is at most R^2 times "
            "the smallest",
            (R * each.low * u >= 1)
            & (each.high * u <= R)
            & (weight * u <= R)
            & (R * weight * u >= 1),
            [
                Eq(R * u * each.low, 1),
                2 * each.high <= 2 * R**2 * each.low,
                each.low > 0,
                weight >= each.low,
                weight <= each.high,
                *ORDERED,
            ],
        )
    proof.cite("they occur", "R > 1, because R^2 >= p2/p1 > 1", "worst.lemma0")
    proof.inequality(
        "the product",
        "(1, u, 0) o (1, 0, v) = (1, 0, 0): M = 1 given a, N = 0 otherwise",
        M > L * N,
        [Eq(M, 1), Eq(N, 0)],
    )


def _below(proof: Proof) -> None:
    proof.inequality(
        "no column (u > 0 at a, 0 at b2) if R^2 p1 < p2",
        "The promise at p1: at_a <= R p1 at_b, at p2 in the other order: p2 at_b <= R at_a",
        Eq(at_a, 0),
        [at_a <= R * p1 * at_b, p2 * at_b <= R * at_a, R**2 * p1 < p2, *ORDERED],
    )
    proof.inequality(
        "no column (u > 0 at a, 0 at b1) if R^2 (1 - p2) < 1 - p1",
        "likewise",
        Eq(at_a, 0),
        [
            at_a <= R * (1 - p2) * at_b,
            (1 - p1) * at_b <= R * at_a,
            R**2 * (1 - p2) < 1 - p1,
            *ORDERED,
        ],
    )
    _vanishing(proof)


def _vanishing(proof: Proof) -> None:
    proof.inequality(
        "a column with 0 at a is 0 at both b",
        "0 < p1 or 0 < p2, and p1 < 1: q at_b1 + (1 - q) at_b2 <= R at_a = 0 for both q, so no "
        "product misses a and meets a b that is possible",
        Eq(at_b1, 0) & Eq(at_b2, 0),
        [p1 * at_b1 + (1 - p1) * at_b2 <= 0, p2 * at_b1 + (1 - p2) * at_b2 <= 0, *ORDERED],
    )
    proof.cite(
        "below one threshold u_a > 0 implies u_b2 > 0, or u_b1 > 0",
        "Either is an implication on the cone for the order (a, not a), if that database is "
        "possible: for the prior p2 = 1 the law of not a is b1 alone, but then 1 - p2 = 0 and u_a "
        "> 0 implies u_b1 > 0; likewise p1 = 0. With infinitely many priors too such a b keeps a "
        "probability of at least 1 - p2, or p1, or 1/2 if this is 0, as then both are implied",
        "worst.finite-equivalences",
    )


@claim(
    "worst.smaller-budgets",
    where="Several pairs or priors: phase transitions",
    statement="Smaller budgets can remove collapse: for some framework two releases of level R "
    "leak everything, and any number of releases of a smaller level above 0 has finite joint "
    "leakage.",
    says=says.SMALLER_BUDGETS,
)
def smaller_budgets(check: Check) -> None:
    """Prove it with p1 = 1/3, p2 = 2/3: the threshold is R^2 = 2."""
    name = "R = 3/2 and R = 4/3"
    kept = Edit("below", without=Eq(R, sympy.Rational(4, 3)), given=Eq(R, sympy.Rational(3, 2)))
    proved(check, name, "one framework", _budgets, **{"R = 3/2 removes it": kept})


def _budgets(proof: Proof) -> None:
    proof.cite(
        "thresholds", "collapse iff R^2 >= max((1 - p1)/(1 - p2), p2/p1)", "worst.phase-transition"
    )
    values = [Eq(p1, sympy.Rational(1, 3)), Eq(p2, sympy.Rational(2, 3))]
    proof.inequality(
        "above",
        "R = 3/2: 9/4 >= 2",
        (R**2 * p1 >= p2) & (R**2 * (1 - p2) >= 1 - p1),
        [*values, Eq(R, sympy.Rational(3, 2))],
        for_any=[R],
    )
    proof.inequality(
        "below",
        "R = 4/3: 16/9 < 2",
        sympy.Or(R**2 * p1 < p2, R**2 * (1 - p2) < 1 - p1),
        [*values, Eq(R, sympy.Rational(4, 3))],
        for_any=[R],
    )


@claim(
    "worst.singletons",
    where="Several pairs or priors: singletons",
    statement="Let a prior pi give at least two databases positive probability, and let each "
    "secret {X = x}, x one of them, be paired with its complement, in both orders. Then u_y <= "
    "R (1 - pi_x)/pi_y u_x for all u in C_R and all such x, y, and joint leakage is finite for "
    "every number of releases; also with further pairs, and further priors on these databases.",
    says=says.SINGLETONS,
)
def singletons(check: Check) -> None:
    """Prove that the promise for a singleton bounds every other entry by its own."""
    name = "as stated"
    proved(
        check,
        name,
        f"{ALL_SIZES}, any number of releases",
        _singleton,
        **{
            "only the order (x, complement)": Edit(
                "one term of the complement",
                without=piy * uy + rest <= R * (1 - pix) * ux,
                given=ux * (1 - pix) <= R * (piy * uy + rest),
            )
        },
    )


def _singleton(proof: Proof) -> None:
    proof.inequality(
        "one term of the complement",
        "ux = u_x, uy = u_y, pix = pi_x, piy = pi_y: <nu, u> = (piy uy + rest)/(1 - pix) <= R ux, "
        "rest not negative",
        piy * uy <= R * (1 - pix) * ux,
        [piy * uy + rest <= R * (1 - pix) * ux, pix < 1],
    )
    proof.cite(
        "finite",
        "inequalities u_y <= kappa u_x for all x, y bound every ratio",
        "worst.finite-equivalences",
    )


@claim(
    "worst.adding-secrets",
    where="Several pairs or priors: singletons",
    statement="Adding secrets can restore composability: X = {a, b1, b2} with positive "
    "probabilities and the secrets {a} and its complement collapses at every level, and with "
    "the secrets {b1}, {b2} and their complements added it does at none.",
    says=says.ADDING,
)
def adding_secrets(check: Check) -> None:
    """Prove it by the dichotomy and the bound for singletons."""
    scope = "every full-support prior, every R >= 1"
    proved(check, "as stated", scope, _added, the_first_pair_alone_is_safe=_alone)


def _added(proof: Proof) -> None:
    proof.cite("without", "one pair, and not a is possible in two databases", "worst.dichotomy")
    proof.inequality(
        "without: two releases at level 0",
        "p, q > 0 are the probabilities of b1 and b2 given not a. Columns (1, u1, 0) and (1, "
        "0, v2) of a, b1, b2 with p u1 = q v2 = 1 have the mean 1 under both secrets, and "
        "their product is 1 at a and has the mean 0 given not a",
        Eq(p * u1 + q * u2, 1) & Eq(p * v1 + q * v2, 1) & Eq(p * u1 * v1 + q * u2 * v2, 0),
        [Eq(p * u1, 1), Eq(q * v2, 1), Eq(u2, 0), Eq(v1, 0), Eq(p + q, 1)],
    )
    proof.cite("with", "every database is a secret", "worst.singletons")
    proof.inequality(
        "with: no output excludes a database",
        "All entries of a column are within factors of each other, so all are positive or none "
        "is, and so in products",
        sympy.Equivalent(ux > 0, uy > 0),
        [ux <= K * uy, uy <= K * ux],
    )


def _alone(proof: Proof) -> None:
    proof.inequality(
        "u_b1 is bounded by u_a",
        "false: only averages of u_b1 and u_b2 against u_a are, and (1, 2, 0) at even odds shows "
        "that u_a is not bounded by u_b2",
        at_a <= K * at_b2,
        [Eq(2 * at_a, at_b1 + at_b2)],
    )
