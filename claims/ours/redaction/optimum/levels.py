"""How the best utility depends on the level: monotone where mechanisms are fixed in advance, not
for published regions; jumps.

At distance 1, e = p/r = e^i0(1) and h = (1-r)/(1-p) = e^i1(1). Source of the setting: massny2025,
section IV.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.levels import (
    JUMPS,
    MONOTONE_CLASS,
    MONOTONE_SPLIT,
    MONOTONE_TWO,
    NOT_ATTAINED,
    NOT_MONOTONE,
    RIGHT_CONTINUOUS,
)
from pufferproof.claims.registry import Check, claim

E, F = letters("E F", "e^eps of two levels")
x, y = letters("x y", "levels as ratios, from e to h")
like0 = letter("like0", "the likelihood of an output given a value of X_p")
like1 = letter("like1", "the likelihood of this output given the other value of X_p", at_least(0))
left, right = letters("left right", "the budgets e^eps_l, e^eps_r of the sides", at_least(1))
N, K = letters("N K", "utilities in records at two levels")
admitted = letter("admitted", "a utility that E admits")
a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)")
p = letter("p", "the likelier probability of value 0 at distance 1", below(1))
r = letter("r", "the other probability of value 0 at distance 1", above(0))
w = letter("w", "b/(a+b)")
U, V = letters("U V", "utilities at x and y")
f, g = letters("f g", "a_2, b_2, the transition probabilities of P^2")
q2, q3 = letters("q2 q3", "q_2, q_3")
behind0, behind1 = letters(
    "behind0 behind1", "likelihoods of the output * of X_3 given X_2 = 0 and 1"
)
s, t = letters("s t", "likelihoods of the last output given X_p = 0 and 1")
part0, part1 = letters("part0 part1", "parts of s and t with X_k = 0", above(0))
d = letter("d", "by how much q_k is lowered", above(0))
near0 = letter("near0", "a likelihood near like0")
near1 = letter("near1", "a likelihood near like1", between(0, 1))
nearby = letter("nearby", "a level near E")
off = letter("off", "how far these are from the limit", at_least(0))
near_product = letter("near_product", "nearby near1")
product = letter("product", "E like1")
room = letter("room", "E off")
gap = letter("gap", "by how much the constraint is broken in the limit", above(0))
limit = letter("limit", "the limit of the best utilities at levels above E")
RATES = [p > r, p + r >= 1]
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
    says={
        "a class that does not depend on eps, or M and S fixed": MONOTONE_CLASS,
        "published regions, best split of the level": MONOTONE_SPLIT,
        "n = 2, published regions": MONOTONE_TWO,
    },
)
def level_monotone(check: Check) -> None:
    """Prove that the feasible set grows; for n = 2 from the closed form."""
    fixed, two = "a class that does not depend on eps, or M and S fixed", "n = 2, published regions"
    split = "published regions, best split of the level"
    proved(
        check,
        fixed,
        "every chain, n, p and class",
        _grows,
        a_smaller_level=Edit("feasible at a larger level", without=E <= F, given=F <= E),
    )
    proved(
        check,
        split,
        "every chain, n and p",
        _budgets,
        the_whole_level_to_each_side=Edit("budgets", without=left * right <= E, given=left <= E),
    )
    proved(
        check,
        two,
        "all 0 < a <= b < 1 with a + b != 1",
        _two_records,
        **{"at most w/2 between": Edit("rising, from 0 and up to w <= 1", put={w: w / 2})},
    )


def _two_records(proof: Proof) -> None:
    proof.cite("one record", "0, w (x-1)/(x p - r), 1 with bounds e and h", "redaction.two-records")
    _two(proof)


def _grows(proof: Proof) -> None:
    proof.inequality(
        "feasible at a larger level",
        "one output; the same for each side with its budget",
        like0 <= F * like1,
        [like0 <= E * like1, E <= F, like0 >= 0, E >= 1],
    )
    _supremum(proof)


def _budgets(proof: Proof) -> None:
    proof.inequality(
        "budgets",
        "left, right are e^eps_l, e^eps_r: what keeps the smaller level keeps the larger one",
        left * right <= F,
        [left * right <= E, right <= E, E <= F],
    )
    _supremum(proof)


def _supremum(proof: Proof) -> None:
    proof.inequality(
        "the supremum",
        "N at E, K at F: if N > K some value admitted that E admits, and so F, is above (N + K)/2",
        N <= K,
        [admitted <= K, sympy.Implies(N > K, 2 * admitted > N + K)],
    )


def _two(proof: Proof) -> None:
    proof.inequality(
        "rising, from 0 and up to w <= 1",
        "U, V at e <= x <= y <= h",
        And(U <= V, U >= 0, V <= w),
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
    says=NOT_MONOTONE,
)
def published_not_monotone(check: Check) -> None:
    """Prove it by an explicit q below, and by the single feasible q at i1(2)."""
    name = "as stated"
    proved(
        check,
        name,
        "one chain, two levels",
        _falls,
        **{
            "more than 21/20 records by this q": [
                Edit("q_2 = 1/2, q_3 = 11/50", put={1: sympy.Rational(21, 20)})
            ],
            "at e^eps = 19/10": [
                Edit(
                    "the regions at 20/11",
                    without=Eq(11 * E, 20),
                    given=Eq(11 * E, 20) if Eq(10 * E, 19) is None else Eq(10 * E, 19),
                ),
                Edit(
                    "q_2 = 1 is forced",
                    without=Eq(11 * E, 20),
                    given=Eq(11 * E, 20) if Eq(10 * E, 19) is None else Eq(10 * E, 19),
                ),
            ],
        },
    )


def _falls(proof: Proof) -> None:
    proof.cite("powers", "P^2 from a_2, b_2", "massny2025.prop1-power")
    proof.cite("one constraint", "that of the output ***", "redaction.one-constraint")
    _below(proof)
    _at(proof)
    proof.cite(
        "thresholds apart",
        "the mechanism of 9/5 is feasible at 20/11",
        "redaction.level-monotone",
    )


_NUMBERS = [Eq(8 * a, 1), Eq(2 * b, 1)]
_SECOND = [Eq(f, (1 - a) * a + a * (1 - b)), Eq(g, b * (1 - a) + (1 - b) * b)]
"""f = a_2 and g = b_2, the entries of P^2."""


def _below(proof: Proof) -> None:
    proof.inequality(
        "the regions at 9/5",
        "i0(1) <= eps < i1(2) < i1(1): M = {2, 3}, S is empty",
        And((1 - a) <= E * b, E * f < 1 - g, E * a < 1 - b),
        [Eq(5 * E, 9), *_NUMBERS, *_SECOND],
    )
    proof.inequality(
        "q_2 = 1/2, q_3 = 11/50",
        "s, t are the likelihoods of *** given X_1 = 0 and 1, from (q_3, 1) behind X_3: E s >= t. "
        "The records released are w (2 - q_2 - q_3) > 1",
        And(E * s >= t, N > 1),
        [
            Eq(5 * E, 9),
            *_NUMBERS,
            Eq(2 * q2, 1),
            Eq(50 * q3, 11),
            Eq(behind0, (1 - a) * q3 + a),
            Eq(behind1, b * q3 + 1 - b),
            Eq(s, (1 - a) * q2 * behind0 + a * behind1),
            Eq(t, b * q2 * behind0 + (1 - b) * behind1),
            Eq(w * (a + b), b),
            Eq(N, w * (2 - q2 - q3)),
        ],
    )


def _at(proof: Proof) -> None:
    proof.inequality(
        "the regions at 20/11",
        "i0(1) <= eps = i1(2) < i1(1): M = {2}, S = {3}",
        And((1 - a) <= E * b, Eq(E * f, 1 - g), E * a < 1 - b),
        [Eq(11 * E, 20), *_NUMBERS, *_SECOND],
    )
    proof.inequality(
        "q_2 = 1 is forced",
        "E s >= t for *1, X_3 = 1: s = (1-a) q2 a + a (1-b), t = b q2 a + (1-b)^2. Record 3 alone "
        "is released",
        Eq(q2, 1),
        [
            Eq(11 * E, 20),
            *_NUMBERS,
            E * ((1 - a) * q2 * a + a * (1 - b)) >= b * q2 * a + (1 - b) ** 2,
            q2 >= 0,
            q2 <= 1,
        ],
    )
    proof.inequality("released", "1 + w (1 - q_2)", Eq(N, 1), [Eq(N, 1 + w * (1 - q2)), Eq(q2, 1)])


@claim(
    "redaction.split-not-attained",
    where="Dependence on the level",
    statement="A best split need not exist: a = 1/8, b = 1/2, n = 3, p = 1, e^eps = 20/11, "
    "published regions. Every budget eps_r < eps is worse than some larger one below eps, and "
    "eps_r = eps is worse than log(9/5): the supremum of the utility over the budgets is not "
    "attained.",
    kind="example",
    says=NOT_ATTAINED,
)
def split_not_attained(check: Check) -> None:
    """Prove that the value rises up to the level and falls there."""
    name = "as stated"
    proved(
        check,
        name,
        "one chain, one level",
        _no_best,
        the_same_q=Edit(
            "M = {2, 3}: a larger budget is better",
            without=[F > E, d * F * part0 <= (F - E) * s],
            given=[F >= E, d * F * part0 <= s],
        ),
    )


def _no_best(proof: Proof) -> None:
    proof.cite(
        "the fall", "more than 1 record at 9/5, 1 at 20/11", "redaction.published-not-monotone"
    )
    proof.cite(
        "tight",
        "at every optimum: with more budget there is slack, and some q can be lowered",
        "redaction.exact-shape",
    )
    _rises(proof)
    _farther(proof)


def _rises(proof: Proof) -> None:
    """s, t are the likelihoods of the last output at the optimum for E, x, y those of its parts
    with X_k = 0; F > E.
    """
    proof.inequality(
        "M = {2, 3}: a larger budget is better",
        "E s = t, and F (s - d part0) >= t - d part1 for small d > 0: q_k is lowered by d, the "
        "utility grows by w d; a budget in between is free",
        And(F * (s - d * part0) >= t - d * part1, w * d > 0),
        [Eq(E * s, t), F > E, d * F * part0 <= (F - E) * s, s > 0, E > 1, w > 0],
    )


def _farther(proof: Proof) -> None:
    proof.inequality(
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
    says=RIGHT_CONTINUOUS,
)
def right_continuous(check: Check) -> None:
    """Prove it by compactness; the constraints are kept in limits."""
    name = "as stated"
    proved(
        check,
        name,
        "every chain, n and p",
        _continuous,
        strict_constraints=Edit(
            "a broken constraint stays broken nearby",
            without=[gap > 0, 2 * off + room < gap],
            given=[gap >= 0, 2 * off + room <= gap],
        ),
    )


def _continuous(proof: Proof) -> None:
    proof.theorem(
        "compactness",
        "a sequence of profiles r in [0,1]^(2n) has a subsequence that converges",
        "textbook.Compactness.sequences_converge",
    )
    _closed(proof)
    proof.cite("monotone", "in the level", "redaction.level-monotone")


def _closed(proof: Proof) -> None:
    near = [near1 <= like1 + off, nearby <= E + off, E >= 1, nearby >= E]
    proof.inequality(
        "a product nearby",
        "like1, E and near them near1, nearby: near_product = nearby near1",
        near_product <= E * like1 + E * off + off,
        [Eq(near_product, nearby * near1), *near],
    )
    proof.inequality(
        "a broken constraint stays broken nearby",
        "like0, like1 are the likelihoods of one output in the limit, polynomials in r. If like0 "
        "- E like1 = gap > 0 then near0 - nearby near1 > 0 for all near0, near1, nearby near "
        "like0, like1, E: constraints that hold along a sequence nearby -> E hold in the limit. "
        "product = E like1, room = E off",
        near0 - near_product > 0,
        [
            Eq(like0 - product, gap),
            near_product <= product + room + off,
            like0 - near0 <= off,
            2 * off + room < gap,
        ],
    )
    proof.inequality(
        "continuous from the right",
        "K are the best utilities at nearby > E, which fall to limit >= N by monotony; the "
        "limit profile is feasible at E with utility limit <= N",
        Eq(limit, N),
        [limit >= N, limit <= N],
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
    says=JUMPS,
)
def jumps(check: Check) -> None:
    """Prove it from the closed form."""
    name = "as stated"
    proved(
        check,
        name,
        "all 0 < a <= b < 1 with a + b != 1",
        _two_jumps,
        **{"by w/2 at i0(1)": Edit("at i0(1)", put={U * (1 + b - a): 2 * U})},
    )


def _two_jumps(proof: Proof) -> None:
    proof.cite("the optimum", "w (x-1)/(x p - r) for e <= x < h", "redaction.two-records")
    _jumps(proof)


def _jumps(proof: Proof) -> None:
    proof.inequality(
        "at i0(1)",
        "x = e = p/r; p and r are 1 - a and b, or b and 1 - a",
        Eq(U * (1 + b - a), w),
        [
            Eq(U * (x * p - r), w * (x - 1)),
            Eq(x * r, p),
            Or(And(Eq(p, 1 - a), Eq(r, b)), And(Eq(p, b), Eq(r, 1 - a))),
            *RATES,
        ],
    )
    proof.inequality(
        "at i1(1)",
        "the formula has the value w at x = h = (1-r)/(1-p)",
        Eq(U, w),
        [Eq(U * (x * p - r), w * (x - 1)), Eq(x * (1 - p), 1 - r), *RATES],
    )
    proof.identity("then 1", "the jump 1 - w, with w = b/(a+b)", "1 - b/(a + b)", "a/(a + b)")
    _between_the_jumps(proof)


def _between_the_jumps(proof: Proof) -> None:
    proof.inequality(
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
    proof.inequality(
        "e <= h",
        "with equality iff p + r = 1",
        And(
            p * (1 - p) <= r * (1 - r), sympy.Equivalent(Eq(p * (1 - p), r * (1 - r)), Eq(p + r, 1))
        ),
        RATES,
    )
