"""How the best utility depends on the level: monotone where mechanisms are fixed in advance, not
for published regions; jumps.

Letters: E, F are e^eps of two levels, x, y likelihoods of one output given the two values of X_p,
N, K utilities in records; p, r the likelier and the other probability of value 0 at distance 1, e =
p/r = e^i0(1), h = (1-r)/(1-p) = e^i1(1), w = b/(a+b). Source of the setting: massny2025, section
IV.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, F, G, K, N, U, V = sympy.symbols("E F G K N U V")
a, b, d, e, f, g, h, p, q, r, s, t, w, x, y, z = sympy.symbols("a b d e f g h p q r s t w x y z")
RATES = [p > r, r > 0, p < 1, p + r >= 1]
NOTATION = SETTING | FAMILY


@claim(
    "redaction.level-monotone",
    where="Dependence on the level",
    statement="Over any class of mechanisms that does not depend on eps - all local redaction "
    "mechanisms, 3R ones whose region thresholds are chosen apart from the level - the "
    "supremum of the utility of those that are eps-private never falls as eps grows. Nor does, "
    "with the published regions, where thresholds are the budgets, the supremum over all "
    "budgets eps_l + eps_r <= eps; nor that for given budgets, as long as these grow and M and "
    "S do not change; nor that for n = 2, with all of eps as the budget of the one other "
    "record.",
)
def level_monotone(check: Check) -> None:
    """Prove that the feasible set grows; for n = 2 from the closed form."""
    fixed, two = "a class that does not depend on eps, or M and S fixed", "n = 2, published regions"
    split = "published regions, best split of the level"
    with check.reading(fixed, "every chain, n, p and class") as argument:
        _grows(argument)
    check.near_miss(f"{fixed}: a smaller level", partial(_grows, smaller=True))
    with check.reading(split, "every chain, n and p") as argument:
        _budgets(argument)
    check.near_miss(f"{split}: the whole level to each side", partial(_budgets, whole=True))
    with check.reading(two, "all 0 < a <= b < 1 with a + b != 1") as argument:
        argument.cite(
            "one record", "0, w (x-1)/(x p - r), 1 with bounds e and h", "redaction.two-records"
        )
        _two(argument)
    check.near_miss(f"{two}: at most w/2 between", partial(_two, half=True))


def _grows(argument: Argument, smaller: bool = False) -> None:
    argument.inequality(
        "feasible at a larger level",
        "one output; the same for each side with its budget",
        x <= F * y,
        [x <= E * y, F <= E if smaller else E <= F, x >= 0, y >= 0, E >= 1],
    )
    _supremum(argument)


def _budgets(argument: Argument, whole: bool = False) -> None:
    argument.inequality(
        "budgets",
        "x, y are e^eps_l, e^eps_r: what keeps the smaller level keeps the larger one",
        x * y <= F,
        [x <= E if whole else x * y <= E, y <= E, E <= F, x >= 1, y >= 1],
    )
    _supremum(argument)


def _supremum(argument: Argument) -> None:
    argument.inequality(
        "the supremum",
        "N at E, K at F: if N > K some value z that E admits, and so F, is above (N + K)/2",
        N <= K,
        [z <= K, sympy.Implies(N > K, 2 * z > N + K)],
    )


def _two(argument: Argument, half: bool = False) -> None:
    argument.inequality(
        "rising, from 0 and up to w <= 1",
        "U, V at e <= x <= y <= h",
        And(U <= V, U >= 0, V <= (w / 2 if half else w)),
        [
            Eq(U * (x * p - r), w * (x - 1)),
            Eq(V * (y * p - r), w * (y - 1)),
            x <= y,
            x * r >= p,
            y * (1 - p) <= 1 - r,
            w > 0,
            w <= 1,
            *RATES,
        ],
    )


@claim(
    "redaction.published-not-monotone",
    where="Dependence on the level",
    statement="a = 1/8, b = 1/2, n = 3, p = 1: with the published regions, threshold = budget = "
    "eps, the best 3R mechanism releases more than 1 record in expectation at e^eps = 9/5, and "
    "exactly 1 at the larger level e^eps = 20/11 = e^i1(2). With thresholds chosen apart from "
    "the budget the loss does not occur.",
    kind="example",
)
def published_not_monotone(check: Check) -> None:
    """Prove it by an explicit q below, and by the single feasible q at i1(2)."""
    name = "as stated"
    with check.reading(name, "one chain, two levels") as argument:
        argument.cite("powers", "P^2 from a_2, b_2", "massny2025.prop1-power")
        argument.cite("one constraint", "that of the output ***", "redaction.one-constraint")
        _below(argument)
        _at(argument)
        argument.cite(
            "thresholds apart",
            "the mechanism of 9/5 is feasible at 20/11",
            "redaction.level-monotone",
        )
    check.near_miss(
        f"{name}: more than 21/20 records by this q", partial(_below, least=sympy.Rational(21, 20))
    )
    check.near_miss(f"{name}: at e^eps = 19/10", partial(_at, level=sympy.Rational(19, 10)))


_NUMBERS = [Eq(8 * a, 1), Eq(2 * b, 1)]
_SECOND = [Eq(f, (1 - a) * a + a * (1 - b)), Eq(g, b * (1 - a) + (1 - b) * b)]
"""f = a_2 and g = b_2, the entries of P^2."""


def _below(argument: Argument, least: sympy.Rational | int = 1) -> None:
    argument.inequality(
        "the regions at 9/5",
        "i0(1) <= eps < i1(2) < i1(1): M = {2, 3}, S is empty",
        And((1 - a) <= E * b, E * f < 1 - g, E * a < 1 - b),
        [Eq(5 * E, 9), *_NUMBERS, *_SECOND],
    )
    argument.inequality(
        "q_2 = 1/2, q_3 = 11/50",
        "s, t are the likelihoods of *** given X_1 = 0 and 1, from (q_3, 1) behind X_3: E s >= t. "
        "The records released are w (2 - q_2 - q_3) > 1",
        And(E * s >= t, N > least),
        [
            Eq(5 * E, 9),
            *_NUMBERS,
            Eq(2 * q, 1),
            Eq(50 * r, 11),
            Eq(x, (1 - a) * r + a),
            Eq(y, b * r + 1 - b),
            Eq(s, (1 - a) * q * x + a * y),
            Eq(t, b * q * x + (1 - b) * y),
            Eq(w * (a + b), b),
            Eq(N, w * (2 - q - r)),
        ],
    )


def _at(argument: Argument, level: sympy.Rational | None = None) -> None:
    argument.inequality(
        "the regions at 20/11",
        "i0(1) <= eps = i1(2) < i1(1): M = {2}, S = {3}",
        And((1 - a) <= E * b, Eq(E * f, 1 - g), E * a < 1 - b),
        [Eq(11 * E, 20) if level is None else Eq(E, level), *_NUMBERS, *_SECOND],
    )
    argument.inequality(
        "q_2 = 1 is forced",
        "E s >= t for *1, X_3 = 1: s = (1-a) q a + a (1-b), t = b q a + (1-b)^2. Record 3 alone is "
        "released",
        Eq(q, 1),
        [
            Eq(11 * E, 20) if level is None else Eq(E, level),
            *_NUMBERS,
            E * ((1 - a) * q * a + a * (1 - b)) >= b * q * a + (1 - b) ** 2,
            q >= 0,
            q <= 1,
        ],
    )
    argument.inequality("released", "1 + w (1 - q_2)", Eq(N, 1), [Eq(N, 1 + w * (1 - q)), Eq(q, 1)])


@claim(
    "redaction.split-not-attained",
    where="Dependence on the level",
    statement="A best split need not exist: a = 1/8, b = 1/2, n = 3, p = 1, e^eps = 20/11, "
    "published regions. Every budget eps_r < eps is worse than some larger one below eps, and "
    "eps_r = eps is worse than log(9/5): the supremum of the utility over the budgets is not "
    "attained.",
    kind="example",
)
def split_not_attained(check: Check) -> None:
    """Prove that the value rises up to the level and falls there."""
    name = "as stated"
    with check.reading(name, "one chain, one level") as argument:
        argument.cite(
            "the fall", "more than 1 record at 9/5, 1 at 20/11", "redaction.published-not-monotone"
        )
        argument.cite(
            "tight",
            "at every optimum: with more budget there is slack, and some q can be lowered",
            "redaction.exact-shape",
        )
        _rises(argument)
        _farther(argument)
    check.near_miss(f"{name}: the same q", partial(_rises, same=True))


def _rises(argument: Argument, same: bool = False) -> None:
    """s, t are the likelihoods of the last output at the optimum for E, x, y those of its parts
    with X_k = 0; F > E.
    """
    argument.inequality(
        "M = {2, 3}: a larger budget is better",
        "E s = t, and F (s - d x) >= t - d y for small d > 0: q_k is lowered by d, the utility "
        "grows by w d; a budget in between is free",
        And(F * (s - d * x) >= t - d * y, w * d > 0),
        [
            Eq(E * s, t),
            F >= E if same else F > E,
            d > 0,
            d * F * x <= (s if same else (F - E) * s),
            s > 0,
            x > 0,
            y > 0,
            E > 1,
            w > 0,
        ],
    )


def _farther(argument: Argument) -> None:
    argument.inequality(
        "budgets below i0(1)",
        "1 - a > x b: record 2 is in L, and x < i1(2): record 3 is not in S; at most w < 1 record "
        "is released",
        And(x * f < 1 - g, w < 1),
        [(1 - a) > x * b, x >= 1, Eq(w * (a + b), b), *_NUMBERS, *_SECOND],
    )


@claim(
    "redaction.right-continuous",
    where="Dependence on the level",
    statement="The supremum of the utility of eps-private local redaction mechanisms is attained "
    "at every eps >= 0, and is continuous from the right in eps.",
)
def right_continuous(check: Check) -> None:
    """Prove it by compactness; the constraints are kept in limits."""
    name = "as stated"
    with check.reading(name, "every chain, n and p") as argument:
        argument.assume(
            "compactness",
            "a sequence of profiles r in [0,1]^(2n) has a subsequence that converges",
            "Bolzano-Weierstrass",
        )
        _closed(argument)
        argument.cite("monotone", "in the level", "redaction.level-monotone")
    check.near_miss(f"{name}: strict constraints", partial(_closed, strict=True))


def _closed(argument: Argument, strict: bool = False) -> None:
    near = [g <= y + z, G <= E + z, z >= 0, g >= 0, g <= 1, y >= 0, E >= 1, G >= E]
    argument.inequality(
        "a product nearby",
        "y, E and near them g, G: t = G g",
        t <= E * y + E * z + z,
        [Eq(t, G * g), *near],
    )
    argument.inequality(
        "a broken constraint stays broken nearby",
        "x, y are the likelihoods of one output in the limit, polynomials in r. If x - E y = d > 0 "
        "then f - G g > 0 for all f, g, G near x, y, E: constraints that hold along a sequence G "
        "-> E hold in the limit. U = E y, V = E z",
        f - t > 0,
        [
            Eq(x - U, d),
            t <= U + V + z,
            x - f <= z,
            z >= 0,
            *([d >= 0, 2 * z + V <= d] if strict else [d > 0, 2 * z + V < d]),
        ],
    )
    argument.inequality(
        "continuous from the right",
        "K are the best utilities at G > E, with the limit V >= N by monotony; the limit profile "
        "is feasible at E with utility V <= N",
        Eq(V, N),
        [V >= N, V <= N],
    )


@claim(
    "redaction.jumps",
    where="Dependence on the level",
    statement="n = 2, a <= b, lam != 0: the largest utility of eps-private local redaction "
    "mechanisms is 0 for eps < i0(1). If a < b it is b/((a+b)(1+b-a)) at i0(1), rises strictly "
    "and continuously from there to the limit b/(a+b) at i1(1), and is 1 from i1(1) on: it "
    "jumps by b/((a+b)(1+b-a)) at i0(1) and by a/(a+b) at i1(1). If a = b both jumps are at "
    "one level and add up to 1.",
    kind="closed form",
)
def jumps(check: Check) -> None:
    """Prove it from the closed form."""
    name = "as stated"
    with check.reading(name, "all 0 < a <= b < 1 with a + b != 1") as argument:
        argument.cite("the optimum", "w (x-1)/(x p - r) for e <= x < h", "redaction.two-records")
        _jumps(argument)
    check.near_miss(f"{name}: by w/2 at i0(1)", partial(_jumps, half=True))


def _jumps(argument: Argument, half: bool = False) -> None:
    argument.inequality(
        "at i0(1)",
        "x = e = p/r; p and r are 1 - a and b, or b and 1 - a",
        Eq(2 * U, w) if half else Eq(U * (1 + b - a), w),
        [
            Eq(U * (x * p - r), w * (x - 1)),
            Eq(x * r, p),
            Or(And(Eq(p, 1 - a), Eq(r, b)), And(Eq(p, b), Eq(r, 1 - a))),
            *RATES,
        ],
    )
    argument.inequality(
        "at i1(1)",
        "the formula has the value w at x = h = (1-r)/(1-p)",
        Eq(U, w),
        [Eq(U * (x * p - r), w * (x - 1)), Eq(x * (1 - p), 1 - r), *RATES],
    )
    argument.identity("then 1", "the jump 1 - w, with w = b/(a+b)", "1 - b/(a + b)", "a/(a + b)")
    argument.inequality(
        "strictly between",
        "U < V for x < y, x p > r; for p + r > 1. For p + r = 1, a = b, there is nothing between: "
        "e = h",
        Or(U < V, And(Eq(p + r, 1))),
        [
            Eq(U * (x * p - r), w * (x - 1)),
            Eq(V * (y * p - r), w * (y - 1)),
            x < y,
            x * r >= p,
            y * (1 - p) <= 1 - r,
            w > 0,
            *RATES,
        ],
    )
    argument.inequality(
        "e <= h",
        "with equality iff p + r = 1",
        And(
            p * (1 - p) <= r * (1 - r), sympy.Equivalent(Eq(p * (1 - p), r * (1 - r)), Eq(p + r, 1))
        ),
        RATES,
    )
