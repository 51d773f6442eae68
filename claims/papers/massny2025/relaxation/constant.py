"""One q for all of M: the solution among constants, and when it solves the whole program.

Records of M on one side are numbered 1 .. N away from p; c_k = e^(delta_k - eps) <= 1 is what q_1
.. q_k must reach. For lam < 0 letters are m = |lam|, u = |lam|^D and c = b/a. Source: massny2025,
section IV-B.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.papers.massny2025.family.instances import delta
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain, pointwise
from pufferproof.claims.papers.massny2025.relaxation.program import PROGRAM
from pufferproof.claims.papers.massny2025.relaxation.statement import ALL, lam_of_sign, with_medium
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

q, t, x, y, c, d, p, m, u, E = sympy.symbols("q t x y c d p m u E")
EVERYWHERE, SOMEWHERE = "for all parameters, lam > 0", "for some parameters, M of two records"
NEGATIVE = "for all parameters, lam <= 0"
FIGURES = chain("1/100", "4/5")
Instance = tuple[Chain, Fraction, str]


@claim(
    "massny2025.qconst",
    where="Section IV-B",
    statement="Under q_t = q for all t in M, the solution of the program of "
    "massny2025.convex-program is q = max_{t in M} exp(-(eps-delta_t)/|M_t|).",
    kind="closed form",
)
def qconst(check: Check) -> None:
    """Prove that it is feasible and the least feasible constant of the program."""
    with check.reading("feasible, and minimal among constants", PROGRAM) as argument:
        _constant(argument)
    check.near_miss(
        "feasible, and minimal among constants: min instead of max",
        lambda argument: _all_bounds(argument, largest=False),
    )


def _constant(argument: Argument) -> None:
    argument.induction(
        "products",
        "p is the product over the first records of M_t, x = q^k",
        base=(Eq(p, x), [Eq(p, q), Eq(x, q)]),
        step=(Eq(p * q, x * q), [Eq(p, x)]),
    )
    argument.induction(
        "powers keep the order",
        "d is the positive root with d^k = c_t; x = q^k and y = d^k for the first k. q >= d gives "
        "q^k >= c_t, q < d gives q^k < c_t",
        base=(
            And(Implies(q >= d, x >= y), Implies(q < d, x < y)),
            [Eq(x, q), Eq(y, d), q > 0, d > 0],
        ),
        step=(
            And(Implies(q >= d, x * q >= y * d), Implies(q < d, x * q < y * d)),
            [Implies(q >= d, x >= y), Implies(q < d, x < y), q > 0, d > 0, x > 0, y > 0],
        ),
    )
    _all_bounds(argument)
    argument.cite("it is at most 1", "c_t <= 1, as delta_t <= eps", "massny2025.delta-le-eps")


def _all_bounds(argument: Argument, largest: bool = True) -> None:
    """t is the larger of y and d, or the smaller one."""
    argument.induction(
        "all constraints together",
        "y is the largest of the first bounds, x >= y iff x keeps them; d is the next, t "
        "the larger of both",
        base=(sympy.Equivalent(x >= y, x >= d), [Eq(y, d)]),
        step=(
            sympy.Equivalent(x >= t, And(x >= y, x >= d)),
            [
                t >= y if largest else t <= y,
                t >= d if largest else t <= d,
                sympy.Or(Eq(t, y), Eq(t, d)),
            ],
        ),
    )


@claim(
    "massny2025.qconst-observed",
    where="Section IV-B",
    statement="For various parameters the optimal solution of the program of "
    "massny2025.convex-program has the form q_t = q.",
    kind="remark",
    repair="massny2025.qconst-observed-repaired",
)
def qconst_observed(check: Check) -> None:
    """Prove that there are such parameters, as the print says; refute it for all by a better q
    that is not constant.
    """
    with check.reading(
        SOMEWHERE, "a = 1/100, b = 4/5, p = 1, n >= 4, 1/2 <= eps <= 13/10: figures 3 and 4"
    ) as argument:
        _optimal_somewhere(argument)
    check.near_miss(
        f"{SOMEWHERE}: delta of the value 1 throughout",
        lambda argument: _optimal_somewhere(argument, 1),
    )
    with check.reading(EVERYWHERE, "one counterexample") as argument:
        _better(argument)
    with check.reading(NEGATIVE, "all a <= b with a + b >= 1, every n and p") as argument:
        _single(argument)
    check.near_miss(f"{NEGATIVE}: two records", lambda argument: _single(argument, 2))
    check.near_miss(
        f"{NEGATIVE}: b/a above 1/|lam|", lambda argument: prove_medium_one(argument, wide=True)
    )


def _single(argument: Argument, most: int = 1) -> None:
    k, N = sympy.symbols("k N")
    argument.cite("a single q", "M has at most one record on each side", "massny2025.x-medium-one")
    argument.inequality(
        "any two are one",
        "the records of M on the side are numbered 1 .. N, N <= 1: the numbers t and k of two of "
        "them are equal, and so are q_t and q_k",
        Eq(t, k),
        [t >= 1, k >= 1, t <= N, k <= N, N <= most],
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


def _better(argument: Argument) -> None:
    def constant_wins(instance: Instance) -> bool:
        """Any feasible constant is at least c_1: the sum of two is at least 2 c_1."""
        first, second = pair(instance)
        return first + second >= 2 * bounds(instance)[0]

    found = argument.exhaust(
        "smallest failure",
        "n = 3, p = 1, M = {2, 3}, breakpoints as budgets",
        _pairs(),
        constant_wins,
    )
    if found is not None:
        of, budget, split = found
        first, second = pair(found)
        least, last = bounds(found)
        argument.counterexample(
            "a smaller sum",
            "n = 3, p = 1, M = {2, 3}. Claimed, read for all parameters: a constant q is optimal. "
            "The constraints are q_2 >= c_1 and q_2 q_3 >= c_2, so that a constant needs q >= c_1; "
            "q_2 = c_1 and q_3 = c_2/c_1 < c_1 meet both with a smaller sum",
            {
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
            },
            lambda: (
                first >= least
                and first * second >= last
                and 0 < second <= 1
                and first + second < 2 * least
            ),
        )


def _pairs() -> Iterator[Instance]:
    for of in lam_of_sign(1, 10):
        for budget, split in with_medium(of, 3):
            if split == "LMM":
                yield of, budget, split


def _optimal_somewhere(argument: Argument, value: int = 0) -> None:
    """Regions L, M, M, S at distances 0, 1, 2, 3; the comparison of the two mean slopes."""
    e = sympy.Symbol("epsilon")
    low, high = Fraction(1, 2), Fraction(13, 10)
    logs = {
        (v, distance): sympy.log(sympy.Rational(str(pointwise(FIGURES, distance, v))))
        for v in (0, 1)
        for distance in (1, 2, 3)
    }
    argument.enclosure("record 2 is not in L", "i0(1) < eps", e - logs[0, 1], e, low, high)
    argument.enclosure("record 3 is in M", "eps < i1(2) < i1(1)", logs[1, 2] - e, e, low, high)
    argument.enclosure("record 4 is in S", "i1(3) < eps", e - logs[1, 3], e, low, high)
    argument.enclosure(
        "slopes",
        "2 (eps - delta_2) > eps - delta_3, delta_2 = i0(2), delta_3 = i1(3)",
        2 * (e - logs[value, 2]) - (e - logs[1, 3]),
        e,
        low,
        high,
    )
    argument.cite(
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
)
def qconst_observed_repaired(check: Check) -> None:
    """Prove both directions."""
    name = "as stated"
    with check.reading(name, ALL) as argument:
        _iff(argument)
    check.near_miss(
        f"{name}: lowered at the last binding record",
        lambda argument: _lowered(argument, binding=True),
    )


def _iff(argument: Argument) -> None:
    argument.cite(
        "the constant",
        "q = max c_t^(1/|M_t|), so q^N = c_N iff the least is at the last",
        "massny2025.qconst",
    )
    argument.cite(
        "if",
        "the line from (0, 0) to (N, eps - delta_N) is then the whole convex hull, and the optimum "
        "constant",
        "massny2025.x-relaxed-optimum",
    )
    _lowered(argument)


def _lowered(argument: Argument, binding: bool = False) -> None:
    """The record behind the last t with q^k = c_k gets y < q."""
    relation = sympy.Ge if binding else sympy.Gt
    argument.inequality(
        "only if",
        "p is the product over M_t for such a later t without this record, p q > c. With d = (q + "
        "c/p)/2 it is still met, all that end before it are unchanged, and the sum is smaller",
        And(d < q, p * d >= c),
        [relation(p * q, c), p > 0, q > 0, c > 0, Eq(2 * d * p, q * p + c)],
    )
    argument.inequality(
        "finitely many",
        "the largest such d, y, is below q and meets all later constraints",
        And(y < q, p * y >= c),
        [d < q, p * d >= c, d <= y, y < q, p > 0],
    )


@claim(
    "massny2025.x-medium-one",
    where="Section II, regions for lam <= 0",
    statement="For lam < 0, i1(D+1) < i0(D) for every D >= 1: M(eps') has at most one record on "
    "each side of p, for every eps' > 0. For lam = 0 it is empty.",
    kind="lemma",
)
def medium_one(check: Check) -> None:
    """Prove it for odd and even distances."""
    name = "as stated"
    with check.reading(name, "all a <= b with a + b >= 1, every n and p") as argument:
        prove_medium_one(argument)
    check.near_miss(
        f"{name}: e^i1(D+1) < e^i0(D)/2", lambda argument: prove_medium_one(argument, factor=2)
    )
    check.near_miss(
        f"{name}: b/a above 1/|lam|", lambda argument: prove_medium_one(argument, wide=True)
    )


def prove_medium_one(argument: Argument, factor: int = 1, wide: bool = False) -> None:
    """e^i1(D+1) < e^i0(D) in terms of c = b/a, cleared of denominators; c = 1 .. 1/m."""
    bounds = [m > 0, m < 1, u > 0, c >= 1, *([] if wide else [c * m < 1])]
    argument.cite(
        "closed form",
        "e^i0(D) = (1 + u)/(1 - u/c) for odd D, (1 + u/c)/(1 - u) for even D",
        "massny2025.prop1-closed",
    )
    argument.cite("range of c", "1 <= b/a < 1/m", "massny2025.prop1-cd")
    argument.inequality(
        "D odd",
        "e^i1(D+1) = (1 + c m u)/(1 - m u), u <= m; e^i0(D) = c (1 + u)/(c - u)",
        factor * (1 + m * u * c) * (c - u) < c * (1 + u) * (1 - m * u),
        [*bounds, u <= m],
    )
    argument.inequality(
        "D even",
        "e^i1(D+1) = (1 + m u)/(1 - c m u), u <= m^2; e^i0(D) = (c + u)/(c (1 - u))",
        factor * c * (1 + m * u) * (1 - u) < (c + u) * (1 - c * m * u),
        [*bounds, u <= m**2],
    )
    argument.cite(
        "farther records", "have smaller influences still", "massny2025.prop1-decreasing-repaired"
    )
    f, g = sympy.symbols("f g")
    argument.inequality(
        "two records of M",
        "f = e^i0 of the nearer is at most e^eps', g = e^i1 of the farther is below f, so not "
        "above e^eps'",
        g <= E,
        [f <= E, g < f],
    )
    argument.cite(
        "lam = 0", "all influences are 0: M is empty", "massny2025.prop1-decreasing-repaired"
    )
