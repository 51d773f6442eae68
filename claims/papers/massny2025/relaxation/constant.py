"""One q for all of M: the solution among constants, and when it solves the whole program.

Records of M on one side are numbered 1 .. N away from p; c_k = e^(delta_k - eps) <= 1 is what q_1
.. q_k must reach. Source: massny2025, section IV-B.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.instances import Chain
from pufferproof.claims.papers.massny2025.influence.three_regions import delta
from pufferproof.claims.papers.massny2025.relaxation import program_statements, statements
from pufferproof.claims.papers.massny2025.relaxation.statement import lam_of_sign, with_medium
from pufferproof.claims.registry import Check, claim

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
    """Prove that it is feasible and the least feasible constant of the program.

    Products: of a constant are its powers. Powers keep the order: q >= root gives q^k >= c_t, q <
    root gives q^k < c_t. All constraints together: q is at least the largest bound iff it keeps all
    of them. It is at most 1: c_t <= 1, as delta_t <= eps [massny2025.delta-le-eps].
    """
    name = "feasible, and minimal among constants"
    check.tried(name)


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

    For some parameters, M of two records. i0(1) < eps, eps < i1(2) < i1(1) and i1(3) < eps: records
    2 and 3 are M, record 4 is in S. 2 (eps - delta_2) > eps - delta_3, delta_2 = i0(2), delta_3 =
    i1(3) [lemma.fig4-slopes]: the mean slope is least at the last record of M
    [massny2025.qconst-observed-repaired].

    For all parameters, lam <= 0. M has at most one record on each side [massny2025.x-medium-one].
    """
    check.tried(SOMEWHERE)
    proved(check, EVERYWHERE, "one counterexample", _better)
    check.tried(NEGATIVE)


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
            "Take n = 3, p = 1 and M = {2, 3}. The paper claims that a constant q is optimal, "
            "which we read for all parameters. The constraints are q_2 >= c_1 and q_2 q_3 >= c_2, "
            "so that a constant needs q >= c_1. But q_2 = c_1 and q_3 = c_2/c_1 < c_1 meet both "
            "with a smaller sum",
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
    """Prove both directions.

    The constant: q = max c_t^(1/|M_t|), so q^N = c_N iff the least is at the last
    [massny2025.qconst]. If: the line from (0, 0) to (N, eps - delta_N) is then the whole convex
    hull, and the optimum constant [massny2025.x-relaxed-optimum]. Only if: at a later t the
    constraint holds strictly. With (q + c_t/others)/2 it is still met, all that end before it are
    unchanged, and the sum is smaller. Finitely many: the largest such value is below q and meets
    all later constraints.
    """


@claim(
    "massny2025.x-medium-one",
    where="Section II, regions for lam <= 0",
    statement="For lam < 0, i1(D+1) < i0(D) for every D >= 1: M(eps') has at most one record on "
    "each side of p, for every eps' > 0. For lam = 0 it is empty.",
    kind="lemma",
    says=statements.MEDIUM_ONE,
)
def medium_one(check: Check) -> None:
    """Prove it for odd and even distances.

    Closed form: e^i0(D) = (1 + u)/(1 - u/c) for odd D, (1 + u/c)/(1 - u) for even D
    [massny2025.prop1-closed]. Range of c: 1 <= b/a < 1/m [massny2025.prop1-cd]. D odd: e^i1(D+1) =
    (1 + c m u)/(1 - m u), u <= m; e^i0(D) = c (1 + u)/(c - u). D even: e^i1(D+1) = (1 + m u)/(1 - c
    m u), u <= m^2; e^i0(D) = (c + u)/(c (1 - u)). Farther records: have smaller influences still
    [massny2025.prop1-decreasing-repaired]. Two records of M: e^i0 of the nearer is at most e^eps',
    e^i1 of the farther is below it, so not above e^eps'. Lam = 0: all influences are 0: M is empty
    [massny2025.prop1-decreasing-repaired].
    """
