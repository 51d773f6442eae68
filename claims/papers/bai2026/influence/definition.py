"""Max-influence, the influence curve of Section 6.2, its ends, and whether a curve falls.

Ratios are compared as products. mu and nu are laws of the shown cells given s_i and given s_j.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.influence.instances import Laws, curve, dagger, star, swapped
from pufferproof.claims.papers.bai2026.statements import chains, curves
from pufferproof.claims.registry import Check, claim

first, second = letters(
    "first second", "P(X_A = x_A | X_i = a, theta), and given X_i = b", at_least(0)
)
e = letter("e", "e to the max-influence")
ratio = letter("ratio", "e to a_dagger(L)")
mu, nu = letters("mu nu", "P(D_L | s_i, theta) and P(D_L | s_j, theta)", at_least(0))
NOTATION = {
    "a, b": "values of X_i; or a(b) a curve at the number b of hidden cells",
    "x_A": "values of X_A",
}


@claim(
    "bai2026.maxinf",
    where="Section 6.1",
    statement="e(X_A | X_i) = sup over theta of max over a, b, x_A of log|P(X_A = x_A | X_i = a, "
    "theta)/P(X_A = x_A | X_i = b, theta)|. MQM adds Laplace noise with eps_DP = (eps_puffer - "
    "e(X_Q | X_i))/card(X_N) for a quilt X_Q with nearby records X_N, which needs eps_puffer > "
    "e(X_Q | X_i); the partition with the largest eps_DP is used.",
    kind="definition",
    says={
        "both orders of a and b are covered": chains.BOTH_ORDERS,
        "MQM keeps eps_puffer on chains, and some partition serves": chains.MQM,
    },
)
def maxinf(check: Check) -> None:
    """Definitions, and beside them that both orders are covered and that MQM keeps its level.

    Both orders of a and b are covered. Either order: The maximum is over a and b, so both orders
    are bounded: e >= 1 wherever a value x_A is possible, and |log| of the ratio is at most log e.

    MQM keeps eps_puffer on chains, and some partition serves. One node: Laplace noise of scale
    card(X_N)/(eps_puffer - e) keeps eps_puffer for the value of X_i [wang2016.single-node]. The
    trivial partition: X_Q empty and X_N everything has influence 0 < eps_puffer: some partition has
    a positive eps_DP, and the largest exists, as partitions are finitely many.
    """
    with check.reading("as printed") as proof:
        proof.definition(
            "max-influence",
            "The largest ratio over values a, b of X_i and x_A; |.| changes nothing, as a ratio of "
            "probabilities is not negative",
            e * second >= first,
        )
    check.tried("both orders of a and b are covered")
    check.tried("MQM keeps eps_puffer on chains, and some partition serves")


def independent() -> list[Laws]:
    """The first of two independent fair bits, one given that it is 0, one given that it is 1."""
    half = Fraction(1, 2)
    return [({"00": half, "01": half}, {"10": half, "11": half})]


@claim(
    "bai2026.ab",
    where="Section 6.2, Definition 2",
    statement="For cells I, L a part of I and H = I without L: a_dagger(L) is the supremum over "
    "theta of the largest log of P(D_L | s_i, theta)/P(D_L | s_j, theta) over possible D_L, per "
    "pair (s_i, s_j); a*(b) is the infimum of a_dagger(L) over L with |H| <= b, and a(b) is at "
    "least the largest a*(b) over S.",
    kind="definition",
    says={
        "a*(b) >= 0, and a*(|I|) = 0": curves.AT_LEAST_ZERO,
        "a*(0) is infinite where s_i allows a table that s_j excludes": curves.INFINITE_AT_ZERO,
    },
)
def ab(check: Check) -> None:
    """Definitions: the pair is ordered and chooses its own L; and the two ends of a curve.

    A*(b) >= 0, and a*(|I|) = 0. All D_L: mu <= ratio nu for all D_L, summed. Both laws sum to 1: so
    the ratio is at least 1, its logarithm a_dagger(L) at least 0. B = |I|: L may be empty: its only
    value has probability 1 given either secret, ratio 1.

    A*(0) is infinite where s_i allows a table that s_j excludes. B = 0: L = I, and a table with mu
    > 0 and nu = 0 breaks every ratio.
    """
    for name in ("every ordered pair has its own L", "one L for both orders of a pair"):
        with check.reading(name) as proof:
            proof.definition(
                "a_dagger", "The largest ratio over D_L and theta, e to a_dagger", ratio * nu >= mu
            )
    check.tried("a*(b) >= 0, and a*(|I|) = 0")
    check.tried("a*(0) is infinite where s_i allows a table that s_j excludes")


@claim(
    "bai2026.ab-monotone",
    where="Section 6.2, after Definition 2",
    statement="By definition the influence curve a(b) is non-increasing.",
    kind="remark",
    repair="bai2026.ab-monotone-repaired",
    says={"a*(b), of a pair and the largest over S": curves.MONOTONE},
)
def ab_monotone(check: Check) -> None:
    """Refute it for curves that only bound a*; prove it of a*.

    More sets L: A set L with |H| <= b has |H| <= b + 1: a*(b + 1) is at most a_dagger of the best L
    for b, which is a*(b). The largest over S: larger is a*(b + 1) of some pair, at most its a*(b),
    at most the largest, smaller.
    """
    with check.reading("the curve a(b), any that the definition admits", "one example") as proof:
        _not_monotone(proof)
    check.tried("a*(b), of a pair and the largest over S")


def _not_monotone(proof: Proof) -> None:
    pair = independent()
    values = {b: curve([pair, swapped(pair)], b) for b in range(3)}
    admitted = {1: Fraction(1), 2: Fraction(2)}
    proof.counterexample(
        "two independent bits",
        "X_1 is secret and X_2 independent of it: e^a*(1) = e^a*(2) = 1, and a(0) is infinite. The "
        "curve with e^a(1) = 1 and e^a(2) = 2 is at least a*, as the definition asks, and rises. "
        "One cell has a(0) infinite and a(1) only, so that no curve of secrets that exclude each "
        "other rises there",
        {
            "I": "two cells",
            "e^a*(b)": {b: "inf" if each is None else each for b, each in values.items()},
            "e^a(b)": {"0": "inf", "1": admitted[1], "2": admitted[2]},
        },
        lambda: (
            values[0] is None
            and all((values[b] or 0) <= admitted[b] for b in admitted)
            and admitted[1] < admitted[2]
            and star(pair, 1) == dagger(pair, (1,)) == 1
        ),
    )


@claim(
    "bai2026.ab-monotone-repaired",
    where="Section 6.2, after Definition 2, repaired",
    statement="The largest a*(b) over S is non-increasing in b. For every curve a(b) the curve "
    "min(a(0), .., a(b)) is at least the largest a*(b) over S too, and non-increasing.",
    kind="repair of bai2026.ab-monotone",
    says={"as repaired": curves.RUNNING},
)
def ab_monotone_repaired(check: Check) -> None:
    """Prove that every curve may be replaced by its running minimum.

    More sets L: A set L with |H| <= b has |H| <= b + 1: a*(b + 1) is at most a_dagger of the best L
    for b, which is a*(b). The largest over S: larger is a*(b + 1) of some pair, at most its a*(b),
    at most the largest, smaller. The running minimum: running is at least the largest a*(b),
    smaller; the next one is running or a(b + 1), which is at least larger, the largest a*(b + 1).
    The last one hides all: a*(|I|) = 0: the running minimum stays at least 0.
    """
