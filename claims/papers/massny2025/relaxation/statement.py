"""When a 3R mechanism keeps its budget on one side: the exact conditions, and the two cases the
print leaves aside.

One side of p, t+ the next record away from p. E is e^budget; P, Q are the probabilities of X_{t+} =
z given X_p = x and 1 - x, G and H those of * on all of M_t given also X_{t+} = z. f and g are the
distances at which M and S begin. Source: massny2025, appendix A, conditions (5) and (6).
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.papers.massny2025.family.instances import (
    breakpoints,
    condition,
    events,
    leaks,
    medium,
    region,
    regions,
)
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain, chains
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, D, P, Q, G, H, k, m, s, n, f, g = sympy.symbols("E D P Q G H k m s n f g")
ALL = "all 0 < a <= b < 1 (lam > 0, = 0, < 0), every n and p, either side, every budget and q"
PRINTED = "as printed"
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
)
def first_release(check: Check) -> None:
    """Prove the factors, and which records can be the nearest released one."""
    with check.reading("as stated", ALL) as argument:
        prove_first_release(argument)
    check.near_miss(
        "as stated: a record of S may be redacted", lambda argument: _nearest(argument, kept=False)
    )


def prove_first_release(argument: Argument) -> None:
    """Factors of the sum over databases, and the place of t+."""
    argument.cite(
        "regions", "L, M, S follow each other away from p", "massny2025.x-regions-intervals"
    )
    argument.cite(
        "left of p",
        "the reversed chain has the same law: the left side is a right side",
        "massny2025.reversible",
    )
    argument.cite(
        "independent records",
        "given X_{t+} those beyond it do not depend on the nearer ones and X_p",
        "song2017.x-markov",
    )
    argument.cite(
        "factors",
        "Records of L are always *, so have the factor 1. The sum over X of Pr(X|X_p=x) times the "
        "mechanism splits at X_{t+} = z, given which records beyond do not depend on the nearer "
        "ones: k is 1 - r_{t+}(z) > 0 times the sum over those beyond, and the sum over the nearer "
        "is Pr(X_{t+}=z|X_p=x) times G(x) = sum over A in M_t of prod_A q_i Pr(X_A=0, X_{M_t "
        "without A}=1|X_p=x,X_{t+}=z). If nothing is released, the second factor is absent",
        "lemma.finite-sums",
    )
    argument.inequality(
        "the constant cancels",
        "k is the same for x and 1 - x",
        Equivalent(k * P * G <= E * (k * Q * H), P * G <= E * Q * H),
        [k > 0, P > 0, Q > 0, G > 0, H > 0, E >= 1],
    )
    _nearest(argument)


def _nearest(argument: Argument, kept: bool = True) -> None:
    """Distances are whole numbers, 1 <= f <= g: L is below f, M from f to below g, S from g on;
    s is that of t+.
    """
    whole = [Or(Eq(s, f), s >= f + 1), Or(Eq(s, g), s >= g + 1, s <= g - 1), f >= 1, f <= g]
    argument.case_split(
        "the nearest released record",
        "It is not in L, and not beyond the first of S, which is always released: t = t+ - 1 is "
        "max L, or in M",
        [Eq(s - 1, f - 1), And(s - 1 >= f, s - 1 < g)],
        [s >= f, *([s <= g] if kept else []), *whole],
    )
    argument.case_split(
        "nothing released",
        "n is now the distance of the last record, which is not in S: all of the side is L, and "
        "Y^(r) is constant, or t in M is last",
        [n <= f - 1, And(n >= f, n < g)],
        [*([n < g] if kept else []), Or(n <= f - 1, n >= f), n >= 0, f >= 1, f <= g],
    )


@claim(
    "massny2025.cond-lastL",
    where="Appendix A",
    statement="For the output whose first released record is t+1 with t the last record of L (so "
    "t+1 in M), the ratio is at most exp(i(X_p~>X_{t+1}=x_{t+1})) <= exp(eps_r), so this case "
    "is always satisfied.",
    kind="proof step",
    repair="massny2025.cond-lastL-repaired",
)
def last_large(check: Check) -> None:
    """Refute that t + 1 is in M, prove the bound."""

    with check.reading("t + 1 is in M", "one counterexample") as argument:
        argument.counterexample(
            "M is empty",
            "a = b = 1/2, n = 2, p = 1, e^eps_r = 2. Claimed: the first record after L is in M. "
            "All influences are 0: record 2 is in S and M is empty, as for every a = b at budgets "
            "that some influence does not exceed. The bound on the ratio holds all the same",
            {"a": INDEPENDENT.a, "b": INDEPENDENT.b, "n": 2, "p": 1, "e^eps_r": Fraction(2)},
            lambda: region(INDEPENDENT, 1, Fraction(2)) != "M",
        )
    with check.reading(BOUND, ALL) as argument:
        _last_large(argument)
    check.near_miss(
        f"{BOUND}: value 1 released in M", lambda argument: _last_large(argument, both=True)
    )


BOUND = "the ratio is at most exp(i) <= exp(eps_r)"


@claim(
    "massny2025.cond-lastL-repaired",
    where="Appendix A, repaired",
    statement="If the nearest released record on a side is t+, the first that is not in L, in M or "
    "in S, the ratio of the output of that side is at most exp(i(X_p~>X_{t+}=z)) <= "
    "exp(eps_r), z the value released, eps_r the budget of the side.",
    kind="repair of massny2025.cond-lastL",
)
def last_large_repaired(check: Check) -> None:
    """Prove the bound for a record of M or S."""
    with check.reading(BOUND, ALL) as argument:
        _last_large(argument)
    check.near_miss(
        f"{BOUND}: value 1 released in M", lambda argument: _last_large(argument, both=True)
    )


def _last_large(argument: Argument, both: bool = False) -> None:
    u, v, w = sympy.symbols("u v w")
    argument.cite(
        "factors",
        "M_t is empty: all records of the side up to t are *, and G = H = 1",
        "massny2025.x-first-release",
    )
    argument.inequality(
        "the ratio",
        "P <= D Q with D = e^i(X_{t+}=z), u and v being e^i of the values 0 and 1. In M, u <= E < "
        "v and the value shown is 0; in S, u <= v <= E",
        P <= E * Q,
        [
            P <= D * Q,
            P > 0,
            Q > 0,
            u >= 1,
            u <= v,
            w >= 0,
            w <= 1,
            Or(Eq(w, 0), Eq(w, 1)),
            Or(And(Eq(w, 0), Eq(D, u)), And(Eq(w, 1), Eq(D, v))),
            Or(And(u <= E, E < v, *([] if both else [Eq(w, 0)])), v <= E),
        ],
    )


@claim(
    "massny2025.cond56",
    where="Appendix A, conditions (5) and (6)",
    statement="For t in M without n, z in supp(Y_{t+}) n {0,1}, x in {0,1}: (5) "
    "log[Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x)] + log[G(x)/G(1-x)] <= eps_r; for t = n in M: "
    "(6) the second log without conditioning on X_{t+}. Privacy holds if (5) and (6) hold for "
    "all such t, z, x.",
    kind="lemma",
)
def cond56(check: Check) -> None:
    """Prove that the conditions are sufficient, and also necessary, for Lk of the side to be at
    most its budget.
    """
    with check.reading("sufficient", ALL) as argument:
        _sufficient(argument)
    check.near_miss(
        "sufficient: only the first logarithm bounded",
        lambda argument: _sufficient(argument, half=True),
    )
    check.near_miss("sufficient: without (6)", _without_six)
    with check.reading("necessary too", ALL) as argument:
        argument.cite(
            "the ratios",
            "(5) and (6) are ratios of outputs of positive probability",
            "massny2025.x-first-release",
        )
        argument.inequality(
            "each is a ratio",
            "Lk <= log E bounds it",
            P * G <= E * Q * H,
            [k * P * G <= E * (k * Q * H), k > 0, P > 0, Q > 0, G > 0, H > 0, E >= 1],
        )
    check.near_miss(
        "necessary too: the second logarithm alone",
        lambda argument: argument.inequality(
            "each is a ratio",
            "Lk <= log E bounds it",
            G <= E * H,
            [k * P * G <= E * (k * Q * H), k > 0, P > 0, Q > 0, G > 0, H > 0, E >= 1],
        ),
    )


def _sufficient(argument: Argument, half: bool = False) -> None:
    argument.cite(
        "factors and cases", "the output, and what t can be", "massny2025.x-first-release"
    )
    argument.cite("t = max L", "needs no condition", "massny2025.cond-lastL-repaired")
    argument.inequality(
        "(5)",
        "z in supp(Y_{t+}), t in M",
        k * P * G <= E * (k * Q * H),
        [
            P <= E * Q if half else P * G <= E * Q * H,
            k > 0,
            P > 0,
            Q > 0,
            G > 0,
            G <= 1,
            H > 0,
            H <= 1,
            E >= 1,
        ],
    )
    argument.inequality(
        "(6)",
        "nothing is released, t = n in M: G and H without conditioning on X_{t+}",
        k * G <= E * (k * H),
        [G <= E * H, k > 0, G > 0, H > 0, E >= 1],
    )
    argument.inequality(
        "the whole side in L",
        "Y^(r) is all * whatever X_p: the ratio is 1",
        k <= E * k,
        [k > 0, E >= 1],
    )


def _without_six(argument: Argument) -> None:
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

    argument.exhaust("n = 2", "a = 1/4, b = 1/2, e^eps = 3/2, q = 1/8", [split], holds)


def lam_of_sign(sign: int, largest: int) -> list[Chain]:
    """Return the chains a <= b with an eigenvalue of this sign, smallest first."""
    return [of for of in chains(largest) if (of.eigenvalue > 0) - (of.eigenvalue < 0) == sign]


def with_medium(of: Chain, count: int) -> list[tuple[Fraction, str]]:
    """Return (e^eps, regions) for p = 1 and every breakpoint at which M is not empty."""
    found = [
        (budget, regions(of, count, 1, budget, budget)) for budget in breakpoints(of, count, 1)
    ]
    return [(budget, split) for budget, split in found if medium(split)]
