"""When a 3R mechanism keeps its budget on one side: the exact conditions, and the two cases the
print leaves aside.

One side of p, t+ the next record away from p. Source: massny2025, appendix A, conditions (5) and
(6).
"""

from fractions import Fraction

from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain, chains
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    ALL,
    breakpoints,
    condition,
    events,
    leaks,
    medium,
    region,
    regions,
)
from pufferproof.claims.papers.massny2025.relaxation import output_statements
from pufferproof.claims.registry import Check, claim

E = letter("E", "e^budget of the side", at_least(1))
D = letter("D", "e^delta_t, or e^i(X_{t+}=z)")
P, Q = letters("P Q", "the probabilities of X_{t+} = z given X_p = x and 1 - x", above(0))
G, H = letters("G H", "G(x), G(1-x): those of * on all of M_t given also X_{t+} = z")
k = letter("k", "the factor of the records from t+ on, the same for x and 1 - x", above(0))
m = letter("m", "the product of q_i over M_t")
f, g = letters("f g", "the distances at which M and S begin")
s = letter("s", "the distance of t+")
last = letter("last", "the distance of the last record of the side")
e0 = letter("e0", "e^i(X_{t+}=0)", at_least(1))
e1 = letter("e1", "e^i(X_{t+}=1)")
z = letter("z", "a value of X_{t+} that Y_{t+} shows with positive probability", between(0, 1))
INDEPENDENT = chain("1/2", "1/2")
EXAMPLE = chain("1/4", "1/2")


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
    """Prove the factors, and which records can be the nearest released one."""
    redacted = [
        Edit("the nearest released record", without=s <= g),
        Edit("nothing released", without=last < g),
    ]
    proved(check, "as stated", ALL, prove_first_release, a_record_of_S_may_be_redacted=redacted)


def prove_first_release(proof: Proof) -> None:
    """Factors of the sum over databases, and the place of t+."""
    proof.cite("regions", "L, M, S follow each other away from p", "massny2025.x-regions-intervals")
    proof.cite(
        "left of p",
        "the reversed chain has the same law: the left side is a right side",
        "massny2025.reversible",
    )
    proof.cite(
        "independent records",
        "given X_{t+} those beyond it do not depend on the nearer ones and X_p",
        "song2017.x-markov",
    )
    proof.cite(
        "factors",
        "Records of L are always *, so have the factor 1. The sum over X of Pr(X|X_p=x) times the "
        "mechanism splits at X_{t+} = z, given which records beyond do not depend on the nearer "
        "ones: k is 1 - r_{t+}(z) > 0 times the sum over those beyond, and the sum over the nearer "
        "is Pr(X_{t+}=z|X_p=x) times G(x) = sum over A in M_t of prod_A q_i Pr(X_A=0, X_{M_t "
        "without A}=1|X_p=x,X_{t+}=z). If nothing is released, the second factor is absent",
        "lemma.finite-sums",
    )
    proof.inequality(
        "the constant cancels",
        "k is the same for x and 1 - x",
        Equivalent(k * P * G <= E * (k * Q * H), P * G <= E * Q * H),
        [G > 0, H > 0],
    )
    _nearest(proof)


def _nearest(proof: Proof) -> None:
    """Distances are whole numbers, 1 <= f <= g: L is below f, M from f to below g, S from g on."""
    whole = [Or(Eq(s, f), s >= f + 1), Or(Eq(s, g), s >= g + 1, s <= g - 1)]
    proof.case_split(
        "the nearest released record",
        "It is not in L, and not beyond the first of S, which is always released: t = t+ - 1 is "
        "max L, or in M",
        [Eq(s - 1, f - 1), And(s - 1 >= f, s - 1 < g)],
        [s >= f, s <= g, *whole, f >= 1, f <= g],
    )
    proof.case_split(
        "nothing released",
        "the last record is not in S: all of the side is L, and Y^(r) is constant, or t in M is "
        "last",
        [last <= f - 1, And(last >= f, last < g)],
        [last < g, Or(last <= f - 1, last >= f), last >= 0, f >= 1, f <= g],
    )


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
    """Prove the bound, refute that t + 1 is always in M."""
    _bound(check)
    proved(check, "t + 1 is in M", "one counterexample", _medium_empty)


def _medium_empty(proof: Proof) -> None:
    proof.counterexample(
        "M is empty",
        "a = b = 1/2, n = 2, p = 1, e^eps_r = 2. Claimed: the first record after L is in M. "
        "All influences are 0: record 2 is in S and M is empty, as for every a = b at budgets "
        "that some influence does not exceed. The bound on the ratio holds all the same",
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
    """Prove the bound for a record of M or S."""
    _bound(check)


SHOWN = Or(And(e0 <= E, E < e1, Eq(z, 0)), e1 <= E)
"""In M the value shown is 0; in S it is either."""


def _bound(check: Check) -> None:
    both = Edit("the ratio", without=SHOWN, given=Or(And(e0 <= E, E < e1), e1 <= E))
    proved(check, BOUND, ALL, _last_large, value_1_released_in_M=both)


def _last_large(proof: Proof) -> None:
    proof.cite(
        "factors",
        "M_t is empty: all records of the side up to t are *, and G = H = 1",
        "massny2025.x-first-release",
    )
    proof.inequality(
        "the ratio",
        "P <= D Q with D = e^i(X_{t+}=z). In M, e0 <= E < e1 and the value shown is 0; in S, e0 <= "
        "e1 <= E",
        P <= E * Q,
        [
            P <= D * Q,
            e0 <= e1,
            Or(Eq(z, 0), Eq(z, 1)),
            Or(And(Eq(z, 0), Eq(D, e0)), And(Eq(z, 1), Eq(D, e1))),
            SHOWN,
        ],
        for_any=[E],
    )


@claim(
    "massny2025.cond56",
    where="Appendix A, conditions (5) and (6)",
    statement="For t in M without n, z in supp(Y_{t+}) n {0,1}, x in {0,1}: (5) "
    "log[Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x)] + log[G(x)/G(1-x)] <= eps_r; for t = n in M: "
    "(6) the second log without conditioning on X_{t+}. Privacy holds if (5) and (6) hold for "
    "all such t, z, x.",
    kind="lemma",
    says=output_statements.COND56,
)
def cond56(check: Check) -> None:
    """Prove that the conditions are sufficient, and also necessary, for Lk of the side to be at
    most its budget.
    """
    first = Edit("(5)", without=P * G <= E * Q * H, given=P <= E * Q)
    proved(check, "sufficient", ALL, _sufficient, only_the_first_logarithm_bounded=first)
    check.near_miss("sufficient: without (6)", _without_six)
    second = Edit("each is a ratio", instead=G <= E * H)
    proved(check, "necessary too", ALL, _necessary, the_second_logarithm_alone=second)


def _necessary(proof: Proof) -> None:
    proof.cite(
        "the ratios",
        "(5) and (6) are ratios of outputs of positive probability",
        "massny2025.x-first-release",
    )
    proof.inequality(
        "each is a ratio",
        "Lk <= log E bounds it",
        P * G <= E * Q * H,
        [k * P * G <= E * (k * Q * H), G > 0, H > 0],
    )


def _sufficient(proof: Proof) -> None:
    proof.cite("factors and cases", "the output, and what t can be", "massny2025.x-first-release")
    proof.cite("t = max L", "needs no condition", "massny2025.cond-lastL-repaired")
    proof.inequality(
        "(5)",
        "z in supp(Y_{t+}), t in M",
        k * P * G <= E * (k * Q * H),
        [P * G <= E * Q * H, G > 0, G <= 1, H > 0, H <= 1],
    )
    proof.inequality(
        "(6)",
        "nothing is released, t = n in M: G and H without conditioning on X_{t+}",
        k * G <= E * (k * H),
        [G <= E * H, G > 0, H > 0],
    )
    proof.inequality(
        "the whole side in L",
        "Y^(r) is all * whatever X_p: the ratio is 1",
        k <= E * k,
    )


def _without_six(proof: Proof) -> None:
    budget, q = Fraction(3, 2), {2: Fraction(1, 8)}
    split = regions(EXAMPLE, 2, 1, budget, budget)

    def holds(shown: str) -> bool:
        met = all(
            condition(EXAMPLE, 1, shown, q, t, which, x) <= budget
            for t, which in events(1, shown, q)
            if which is not None
            for x in (0, 1)
        )
        ratio = leaks(EXAMPLE, 1, shown, q)
        return not met or (ratio is not None and ratio <= budget)

    proof.exhaust("n = 2", "a = 1/4, b = 1/2, e^eps = 3/2, q = 1/8", [split], holds)


def lam_of_sign(sign: int, largest: int) -> list[Chain]:
    """Return the chains a <= b with an eigenvalue of this sign, smallest first."""
    return [of for of in chains(largest) if (of.eigenvalue > 0) - (of.eigenvalue < 0) == sign]


def with_medium(of: Chain, count: int) -> list[tuple[Fraction, str]]:
    """Return (e^eps, regions) for p = 1 and every breakpoint at which M is not empty."""
    budgets = [
        (budget, regions(of, count, 1, budget, budget)) for budget in breakpoints(of, count, 1)
    ]
    return [(budget, split) for budget, split in budgets if medium(split)]
