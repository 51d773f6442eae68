"""When a 3R mechanism keeps its budget on one side: the exact conditions, and the two cases the
print leaves aside.

One side of p, t+ the next record away from p. Source: massny2025, appendix A, conditions (5) and
(6).
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain, chains
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    breakpoints,
    medium,
    region,
    regions,
)
from pufferproof.claims.papers.massny2025.relaxation import output_statements
from pufferproof.claims.papers.massny2025.said import relaxed as said
from pufferproof.claims.registry import Check, claim

INDEPENDENT = chain("1/2", "1/2")


@claim(
    "massny2025.x-first-release",
    where="Appendix A, the displays before (5) and (6)",
    statement="For an output y of a 3R mechanism whose nearest released record on a side is t+, "
    "with value z: Pr(Y_side=y_side|X_p=x) = k Pr(X_{t+}=z|X_p=x) G(x), k > 0 the same for "
    "both x, where Y_side are the outputs of that side without Y_p; it is k G(x) if nothing is "
    "released there, where t is the last record. t+ is the nearest record of M or S on its "
    "side, and then G(x) = 1, or t is in M.",
    kind="lemma",
    says=output_statements.FIRST_RELEASE,
)
def first_release(check: Check) -> None:
    """Prove the factors, and which records can be the nearest released one.

    L, M, S follow each other away from p [massny2025.x-regions-intervals], and the left side is a
    right side of the reversed chain [massny2025.reversible]. Given X_{t+} the records beyond it do
    not depend on the nearer ones and X_p [song2017.x-markov]: the sum over X of Pr(X|X_p=x) times
    the mechanism splits at X_{t+} = z [lemma.finite-sums]. k is 1 - r_{t+}(z) > 0 times the sum
    over those beyond; the sum over the nearer is Pr(X_{t+}=z|X_p=x) times G(x) = sum over A in M_t
    of prod_A q_i Pr(X_A=0, X_{M_t without A}=1|X_p=x,X_{t+}=z), as records of L are always *. The
    nearest released record is not in L, and not beyond the first of S, which is always released: t
    = t+ - 1 is max L, or in M. If nothing is released the last record is in L, and Y^(r) is
    constant, or in M.
    """


@claim(
    "massny2025.cond-lastL",
    where="Appendix A",
    statement="For the output whose first released record is t+1 with t the last record of L (so "
    "t+1 in M), the ratio is at most exp(i(X_p~>X_{t+1}=x_{t+1})) <= exp(eps_r), so this case "
    "is always satisfied.",
    kind="proof step",
    repair="massny2025.cond-lastL-repaired",
    says={"the ratio is at most exp(i) <= exp(eps_r)": output_statements.LAST_L},
)
def last_large(check: Check) -> None:
    """Prove the bound, refute that t + 1 is always in M.

    Factors: M_t is empty: all records of the side up to t are *, and G = H = 1
    [massny2025.x-first-release]. The ratio: P <= D Q with D = e^i(X_{t+}=z). In M, e0 <= E < e1 and
    the value shown is 0; in S, e0 <= e1 <= E.
    """
    _bound(check)
    proved(check, "t + 1 is in M", "one counterexample", _medium_empty)


def _medium_empty(proof: Proof) -> None:
    proof.counterexample(
        "M is empty",
        "Take a = b = 1/2, n = 2, p = 1 and e^eps_r = 2. The paper claims that the first record "
        "after L is in M. All influences are 0: record 2 is in S and M is empty, as for every a = "
        "b at budgets that some influence does not exceed. The bound on the ratio holds all the "
        "same",
        {"a": INDEPENDENT.a, "b": INDEPENDENT.b, "n": 2, "p": 1, "e^eps_r": Fraction(2)},
        lambda: region(INDEPENDENT, 1, Fraction(2)) != "M",
        f"{influence(1)} <= e_eps_r",
    )


BOUND = "the ratio is at most exp(i) <= exp(eps_r)"


@claim(
    "massny2025.cond-lastL-repaired",
    where="Appendix A, repaired",
    statement="If the nearest released record on a side is t+, the first that is not in L, in M or "
    "in S, the ratio of the output of that side is at most exp(i(X_p~>X_{t+}=z)) <= "
    "exp(eps_r), z the value released, eps_r the budget of the side.",
    kind="repair of massny2025.cond-lastL",
    says=output_statements.LAST_L,
)
def last_large_repaired(check: Check) -> None:
    """Prove the bound for a record of M or S.

    As in massny2025.cond-lastL.
    """
    _bound(check)


def _bound(check: Check) -> None:
    check.tried(BOUND)


@claim(
    "massny2025.cond56",
    where="Appendix A, conditions (5) and (6)",
    kind="lemma",
    says={"sufficient": said.SUFFICIENT, "necessary too": said.NECESSARY},
)
def cond56(check: Check) -> None:
    """Prove that the conditions are sufficient, and also necessary, for Lk of the side to be at
    most its budget.

    All outputs of a side that show the same record first, behind replaced ones, have one ratio: the
    ratio of (5), of (6) if nothing is shown, or that of the first record outside L.
    """
    check.stated("sufficient")
    check.stated("necessary too")


def lam_of_sign(sign: int, largest: int) -> list[Chain]:
    """Return the chains a <= b with an eigenvalue of this sign, smallest first."""
    return [of for of in chains(largest) if (of.eigenvalue > 0) - (of.eigenvalue < 0) == sign]


def with_medium(of: Chain, count: int) -> list[tuple[Fraction, str]]:
    """Return (e^eps, regions) for p = 1 and every breakpoint at which M is not empty."""
    budgets = [
        (budget, regions(of, count, 1, budget, budget)) for budget in breakpoints(of, count, 1)
    ]
    return [(budget, split) for budget, split in budgets if medium(split)]
