"""One q for all of M: the solution among constants, and when it solves the whole program.

Records of M on one side are numbered 1 .. N away from p; c_k = e^(delta_k - eps) <= 1 is what q_1
.. q_k must reach. Source: massny2025, section IV-B.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025.influence.instances import Chain, pointwise
from pufferproof.claims.papers.massny2025.influence.three_regions import ALL, delta
from pufferproof.claims.papers.massny2025.relaxation import program_statements, statements
from pufferproof.claims.papers.massny2025.relaxation.program import PROGRAM
from pufferproof.claims.papers.massny2025.relaxation.statement import lam_of_sign, with_medium
from pufferproof.claims.registry import Check, claim

q = letter("q", "the constant q_t")
product = letter("product", "the product of q_i over the first records of M_t")
x = letter("x", "q^k, after k records")
root = letter("root", "the positive root of c_t, of the order |M_t|")
y = letter("y", "its power of the order k")
largest, bound = letters(
    "largest bound", "the largest of the first lower bounds of q, the next one"
)
larger = letter("larger", "the larger one of both")
one, other = letters("one other", "the numbers of two records of M", at_least(1))
N = letter("N", "the number of records of M on the side")
needed = letter("needed", "c_t, what the product of q_i over M_t must reach")
others = letter("others", "this product without the record behind the last binding one", above(0))
lowered = letter("lowered", "a lower value for that record, for one later constraint")
lowest = letter("lowest", "the largest of these values")
m = letter("m", "|lam| for lam < 0", above(0), below(1))
u = letter("u", "|lam|^D for lam < 0", above(0))
c = letter("c", "b/a", at_least(1))
E = letter("E", "e^eps'")
nearer, farther = letters("nearer farther", "e^i0 of a record of M, e^i1 of one farther away")
e = letter("epsilon", "the budget in nats")
ODD_D = (1 + m * u * c) * (c - u) < c * (1 + u) * (1 - m * u)
EVEN_D = c * (1 + m * u) * (1 - u) < (c + u) * (1 - c * m * u)
"""e^i1(D+1) < e^i0(D), cleared of denominators."""
WIDE = [Edit(step, without=c * m < 1) for step in ("D odd", "D even")]
EVERYWHERE, SOMEWHERE = "for all parameters, lam > 0", "for some parameters, M of two records"
NEGATIVE = "for all parameters, lam <= 0"
Instance = tuple[Chain, Fraction, str]


@claim(
    "massny2025.qconst",
    where="Section IV-B",
    statement="Under q_t = q for all t in M, the solution of the program of "
    "massny2025.convex-program is q = max_{t in M} exp(-(eps-delta_t)/|M_t|).",
    kind="closed form",
    says=statements.CONSTANT,
)
def qconst(check: Check) -> None:
    """Prove that it is feasible and the least feasible constant of the program."""
    upper = [larger >= largest, larger >= bound]
    lower = [larger <= largest, larger <= bound]
    least = Edit("all constraints together: step", without=upper, given=lower)
    name = "feasible, and minimal among constants"
    proved(check, name, PROGRAM, _constant, min_instead_of_max=least)


def _constant(proof: Proof) -> None:
    proof.induction(
        "products",
        "of a constant are its powers",
        base=(Eq(product, x), [Eq(product, q), Eq(x, q)]),
        step=(Eq(product * q, x * q), [Eq(product, x)]),
    )
    above_root, below_root = Implies(q >= root, x >= y), Implies(q < root, x < y)
    proof.induction(
        "powers keep the order",
        "q >= root gives q^k >= c_t, q < root gives q^k < c_t",
        base=(And(above_root, below_root), [Eq(x, q), Eq(y, root), q > 0, root > 0]),
        step=(
            And(Implies(q >= root, x * q >= y * root), Implies(q < root, x * q < y * root)),
            [above_root, below_root, q > 0, root > 0, x > 0, y > 0],
        ),
    )
    proof.induction(
        "all constraints together",
        "q is at least the largest bound iff it keeps all of them",
        base=(sympy.Equivalent(q >= largest, q >= bound), [Eq(largest, bound)]),
        step=(
            sympy.Equivalent(q >= larger, And(q >= largest, q >= bound)),
            [
                larger >= largest,
                larger >= bound,
                sympy.Or(Eq(larger, largest), Eq(larger, bound)),
            ],
        ),
    )
    proof.cite("it is at most 1", "c_t <= 1, as delta_t <= eps", "massny2025.delta-le-eps")


@claim(
    "massny2025.qconst-observed",
    where="Section IV-B",
    statement="For various parameters the optimal solution of the program of "
    "massny2025.convex-program has the form q_t = q.",
    kind="remark",
    repair="massny2025.qconst-observed-repaired",
    says=program_statements.OBSERVED,
)
def qconst_observed(check: Check) -> None:
    """Prove that there are such parameters, as the print says; refute it for all by a better q
    that is not constant.
    """
    scope = "a = 1/100, b = 4/5, p = 1, n >= 4, 1/2 <= eps <= 13/10: figures 3 and 4"
    value_1 = Edit("slopes", instead=_slopes(1))
    near_miss = {"delta of the value 1 throughout": value_1}
    proved(check, SOMEWHERE, scope, _optimal_somewhere, **near_miss)
    proved(check, EVERYWHERE, "one counterexample", _better)
    two = Edit("any two are one", without=N <= 1, given=N <= 2)
    scope = "all a <= b with a + b >= 1, every n and p"
    proved(check, NEGATIVE, scope, _single, two_records=two)
    check.near_miss(f"{NEGATIVE}: b/a above 1/|lam|", edited(prove_medium_one, *WIDE))


def _single(proof: Proof) -> None:
    proof.cite("a single q", "M has at most one record on each side", "massny2025.x-medium-one")
    proof.inequality(
        "any two are one",
        "the records of M on the side are numbered 1 .. N, N <= 1: the numbers of two of them are "
        "equal, and so are their q_t",
        Eq(one, other),
        [one <= N, other <= N, N <= 1],
    )


def bounds(instance: Instance) -> list[Fraction]:
    """Return c_k e^0 = e^(delta_k - eps) for p = 1."""
    of, budget, split = instance
    return [delta(of, 1, split, t) / budget for t, letter in enumerate(split, 1) if letter == "M"]


def pair(instance: Instance) -> tuple[Fraction, Fraction]:
    """Return the optimum q of the program for two records where the first constraint binds:
    (c_1, c_2 / c_1).
    """
    first, second = bounds(instance)
    return first, min(second / first, Fraction(1))


def _constant_wins(instance: Instance) -> bool:
    """Any feasible constant is at least c_1: the sum of two is at least 2 c_1."""
    return sum(pair(instance)) >= 2 * bounds(instance)[0]


def _better(proof: Proof) -> None:
    found = proof.exhaust(
        "smallest failure",
        "n = 3, p = 1, M = {2, 3}, breakpoints as budgets",
        _pairs(),
        _constant_wins,
    )
    if found is not None:
        first, second = pair(found)
        least, last = bounds(found)
        proof.counterexample(
            "a smaller sum",
            "n = 3, p = 1, M = {2, 3}. Claimed, read for all parameters: a constant q is optimal. "
            "The constraints are q_2 >= c_1 and q_2 q_3 >= c_2, so that a constant needs q >= c_1; "
            "q_2 = c_1 and q_3 = c_2/c_1 < c_1 meet both with a smaller sum",
            _evidence(found),
            lambda: (
                first >= least
                and first * second >= last
                and 0 < second <= 1
                and first + second < 2 * least
            ),
            "q_2 >= c_1 and q_2*q_3 >= c_2 and q_3 <= 1 and q_2 + q_3 < 2*c_1",
        )


def _evidence(instance: Instance) -> dict[str, object]:
    of, budget, split = instance
    first, second = pair(instance)
    least, last = bounds(instance)
    return {
        "a": of.a,
        "b": of.b,
        "lam": of.eigenvalue,
        "n": 3,
        "p": 1,
        "e^eps": budget,
        "regions": split,
        "c_1": least,
        "c_2": last,
        "q_2": first,
        "q_3": second,
        "sum": first + second,
        "sum of a constant, at least": 2 * least,
    }


def _pairs() -> Iterator[Instance]:
    for of in lam_of_sign(1, 10):
        for budget, split in with_medium(of, 3):
            if split == "LMM":
                yield of, budget, split


def _log(value: int, distance: int) -> Any:
    return sympy.log(sympy.Rational(str(pointwise(program_statements.FIGURES, distance, value))))


def _slopes(value: int) -> Any:
    return 2 * (e - _log(value, 2)) - (e - _log(1, 3))


def _optimal_somewhere(proof: Proof) -> None:
    """Regions L, M, M, S at distances 0, 1, 2, 3; the comparison of the two mean slopes."""
    ends = Fraction(1, 2), Fraction(13, 10)
    proof.enclosure("record 2 is not in L", "i0(1) < eps", e - _log(0, 1), e, *ends)
    proof.enclosure("record 3 is in M", "eps < i1(2) < i1(1)", _log(1, 2) - e, e, *ends)
    proof.enclosure("record 4 is in S", "i1(3) < eps", e - _log(1, 3), e, *ends)
    proof.enclosure(
        "slopes",
        "2 (eps - delta_2) > eps - delta_3, delta_2 = i0(2), delta_3 = i1(3)",
        _slopes(0),
        e,
        *ends,
    )
    proof.cite(
        "optimal",
        "the mean slope is least at the last record of M",
        "massny2025.qconst-observed-repaired",
    )


@claim(
    "massny2025.qconst-observed-repaired",
    where="Section IV-B, repaired",
    statement="Let M be not empty. A constant q is optimal in the program of "
    "massny2025.convex-program iff (eps - delta_t)/|M_t| is least for the last t in M: "
    "otherwise q_t can be lowered behind the last t at which it is least.",
    kind="repair of massny2025.qconst-observed",
    says=program_statements.WHERE_CONSTANT,
)
def qconst_observed_repaired(check: Check) -> None:
    """Prove both directions."""
    binding = Edit("only if", without=others * q > needed, given=others * q >= needed)
    proved(check, "as stated", ALL, _iff, lowered_at_the_last_binding_record=binding)


def _iff(proof: Proof) -> None:
    proof.cite(
        "the constant",
        "q = max c_t^(1/|M_t|), so q^N = c_N iff the least is at the last",
        "massny2025.qconst",
    )
    proof.cite(
        "if",
        "the line from (0, 0) to (N, eps - delta_N) is then the whole convex hull, and the optimum "
        "constant",
        "massny2025.x-relaxed-optimum",
    )
    _lowered(proof)


def _lowered(proof: Proof) -> None:
    """The record behind the last t with q^k = c_k gets less than q."""
    proof.inequality(
        "only if",
        "at a later t the constraint holds strictly. With (q + c_t/others)/2 it is still met, all "
        "that end before it are unchanged, and the sum is smaller",
        And(lowered < q, others * lowered >= needed),
        [others * q > needed, q > 0, needed > 0, Eq(2 * lowered * others, q * others + needed)],
    )
    proof.inequality(
        "finitely many",
        "the largest such value is below q and meets all later constraints",
        And(lowest < q, others * lowest >= needed),
        [lowered < q, others * lowered >= needed, lowered <= lowest, lowest < q],
    )


@claim(
    "massny2025.x-medium-one",
    where="Section II, regions for lam <= 0",
    statement="For lam < 0, i1(D+1) < i0(D) for every D >= 1: M(eps') has at most one record on "
    "each side of p, for every eps' > 0. For lam = 0 it is empty.",
    kind="lemma",
    says=statements.MEDIUM_ONE,
)
def medium_one(check: Check) -> None:
    """Prove it for odd and even distances."""
    odd = Edit("D odd", instead=2 * ODD_D.lhs < ODD_D.rhs)
    even = Edit("D even", instead=2 * EVEN_D.lhs < EVEN_D.rhs)
    proved(
        check,
        "as stated",
        "all a <= b with a + b >= 1, every n and p",
        prove_medium_one,
        **{"e^i1(D+1) < e^i0(D)/2": [odd, even], "b/a above 1/|lam|": WIDE},
    )


def prove_medium_one(proof: Proof) -> None:
    """e^i1(D+1) < e^i0(D) for c = 1 .. 1/m."""
    proof.cite(
        "closed form",
        "e^i0(D) = (1 + u)/(1 - u/c) for odd D, (1 + u/c)/(1 - u) for even D",
        "massny2025.prop1-closed",
    )
    proof.cite("range of c", "1 <= b/a < 1/m", "massny2025.prop1-cd")
    proof.inequality(
        "D odd",
        "e^i1(D+1) = (1 + c m u)/(1 - m u), u <= m; e^i0(D) = c (1 + u)/(c - u)",
        ODD_D,
        [c * m < 1, u <= m],
    )
    proof.inequality(
        "D even",
        "e^i1(D+1) = (1 + m u)/(1 - c m u), u <= m^2; e^i0(D) = (c + u)/(c (1 - u))",
        EVEN_D,
        [c * m < 1, u <= m**2],
    )
    proof.cite(
        "farther records", "have smaller influences still", "massny2025.prop1-decreasing-repaired"
    )
    proof.inequality(
        "two records of M",
        "e^i0 of the nearer is at most e^eps', e^i1 of the farther is below it, so not above "
        "e^eps'",
        farther <= E,
        [nearer <= E, farther < nearer],
    )
    proof.cite(
        "lam = 0", "all influences are 0: M is empty", "massny2025.prop1-decreasing-repaired"
    )
