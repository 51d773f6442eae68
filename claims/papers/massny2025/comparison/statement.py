"""3R mechanisms against the Markov quilt mechanism and against every data-independent mechanism.

A 3R mechanism with q_t = 1 is data-independent: it releases S, the records at distance D*(eps_l) or
more left of p and D*(eps_r) or more right of it. No 3R mechanism releases more than |S| + |M|
b/(a+b) records: the common value in M always, the rare one never. Source: massny2025, corollary 1
and appendix B.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.bound.patterns import Instance, max_influence, optimum
from pufferproof.claims.papers.massny2025.comparison import statements
from pufferproof.claims.papers.massny2025.comparison.splits import most_released
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence, leaked
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt.windows import released_by, window
from pufferproof.claims.papers.massny2025.said import compared
from pufferproof.claims.registry import Check, claim

POSITIVE = "some 3R is at least as good, q = 1, eps_l > 0"
STRICT = "some 3R is better by 1/n if D*(eps) <= n-p, q = 1, a budget of 0 allowed"
EVERY_N = (
    "for every DIM some 3R is at least as good, every n, lam >= 0, q = 1, a budget of 0 allowed"
)
LIMIT = "for every DIM some 3R has nu_3R >= nu_DIM - 1/n, every lam, q = 1, a budget of 0 allowed"
NARROW = chain("1/5", "1/5")
THIRD = chain("1/3", "1/3")
UNEVEN = Instance(chain("1/2", "2/3"), 6, 3, Fraction(63, 40))


@claim(
    "massny2025.cor1-mq",
    where="Corollary 1 and appendix B",
    repair="massny2025.cor1-mq-repaired",
    says={POSITIVE: compared.AS_GOOD},
)
def cor1_mq(check: Check) -> None:
    """Prove that some are at least as good; refute that budgets eps/2 will do, and that they are
    strictly better.

    With q = 1 the side with the budget eps' shows all records from distance D*(eps') on. If both
    sides are shown, i1(Dh) on each side will do. If one side is, i1(De + 1) < eps leaves a positive
    budget for the other side, and the same records are shown.
    """
    check.stated(POSITIVE)
    name = "at least as good, eps_l = eps_r = eps/2"
    proved(check, name, "one counterexample", _halves_lose)
    proved(check, "strictly better", "one counterexample", _equally_good)


def _equally_good(proof: Proof) -> None:
    at = Instance(THIRD, 2, 1, Fraction(3, 2))
    proof.counterexample(
        "everything is redacted",
        "Take a = b = 1/3, n = 2, p = 1 and e^eps = 3/2. The paper claims that some 3R mechanism "
        "releases more than MQ. The other record leaks log 2 > eps for either value, so that S "
        "and M are empty for all budgets: both redact both records, and both utilities are 0",
        {**at.evidence, "n nu_MQ": 0, "n nu_3R at most": 0},
        lambda: most_released(at) == 0 == released_by(at, *window(at)[1:]),
        f"{influence(1, 0)} > e_eps and {influence(1, 1)} > e_eps",
    )


def _halves_lose(proof: Proof) -> None:
    at = Instance(NARROW, 4, 1, Fraction(4))
    proof.counterexample(
        "p = 1",
        "Take a = b = 1/5, n = 4, p = 1 and e^eps = 4. The paper claims that with the budgets "
        "eps/2 on both sides a 3R mechanism releases as much as MQ. M is empty as a = b, D*(eps) "
        "= 1 and D*(eps/2) = 3: MQ releases records 3 and 4, and 3R, which gives half of the "
        "budget to the empty left side, only record 4",
        {**at.evidence, "n nu_MQ": 2, "n nu_3R at most": 1},
        lambda: released_by(at, *window(at)[1:]) == 2 and most_released(at, halves=True) == 1,
        f"{influence(1)}^2 > e_eps and {influence(2)}^2 > e_eps >= {influence(2)}",
    )


@claim(
    "massny2025.cor1-mq-repaired",
    where="Corollary 1 and appendix B, repaired",
    kind="repair of massny2025.cor1-mq",
    says={POSITIVE: compared.AS_GOOD, STRICT: compared.BETTER},
)
def cor1_mq_repaired(check: Check) -> None:
    """Prove it for every p, as in massny2025.cor1-mq; with all of eps on one side a record more is
    shown, at the distance De, and with i1(Dh) on the left one more at the distance Dh.
    """
    check.stated(POSITIVE)
    check.stated(STRICT)


@claim(
    "massny2025.cor1-dim",
    where="Corollary 1",
    repair="massny2025.cor1-dim-repaired",
    says={EVERY_N: compared.AS_GOOD_AS_DIM, LIMIT: compared.NEARLY_AS_GOOD},
)
def cor1_dim(check: Check) -> None:
    """Prove it for lam >= 0, and up to 1/n for every lam; refute it strictly, with eps_l > 0, and
    for lam < 0 counted in records.

    A DIM leaks what its nearest shown records leak, at distances l and r. For lam >= 0 this is
    i1(l) + i1(r): with these budgets a 3R mechanism shows all records from distance l, or r, on.
    For lam < 0 it is at least i1(l) + i1(r + 1), so that one record less is shown.
    """
    _settled(check)
    for name, proof in (
        ("at least as good for all large n, released records, lam < 0", _always_worse),
        ("at least as good for all large n, eps_l, eps_r > 0", _positive_budgets),
        ("strictly better for all large n", _only_p),
    ):
        proved(check, name, "one counterexample", proof)


EVIDENCE = {"a": THIRD.a, "b": THIRD.b, "lam": THIRD.eigenvalue, "p": 1, "e^eps": 2}
LONGER = [Instance(THIRD, length, 1, Fraction(2)) for length in range(2, 60)]


def _only_p(proof: Proof) -> None:
    proof.counterexample(
        "eps >= i1(1), p = 1",
        "Take a = b = 1/3, p = 1 and e^eps = 2. The paper claims that for large n 3R releases "
        "more than any DIM. But the DIM that redacts X_1 alone is private for every n, and as X_1 "
        "must be redacted no mechanism releases more",
        {**EVIDENCE, "redacted by the DIM": 1},
        lambda: all(optimum(at)[0] == 1 for at in LONGER),
        f"{influence(1)} <= e_eps",
    )


def _positive_budgets(proof: Proof) -> None:
    proof.counterexample(
        "eps = i1(1), p = 1",
        "Take a = b = 1/3, p = 1 and eps = i1(1). The paper claims that for large n 3R releases "
        "as much as any DIM, with positive budgets. The DIM redacts X_1 alone; eps_l > 0 leaves "
        "eps_r < i1(1), so record 2 is not in S, and M is empty as a = b: 3R redacts two records, "
        "for every n",
        {**EVIDENCE, "redacted by the DIM": 1, "by 3R": 2},
        lambda: (
            max_influence(THIRD, 1) == 2
            and all(most_released(at, positive=True) == at.length - 2 for at in LONGER)
        ),
        f"{influence(1)} = e_eps",
    )


def _always_worse(proof: Proof) -> None:
    proof.counterexample(
        "distances 1 and 2",
        "Take a = 1/2, b = 2/3, p = 3 and e^eps = 63/40. The paper claims that for large n 3R "
        "releases as many records as any DIM. The DIM that redacts X_p and one neighbour leaks "
        "i1(1) + i0(2) = eps, less than i1(1) + i1(2), and 3R pays the sum of both sides: "
        "whatever the budgets and q, it releases fewer records than the DIM, by the same number "
        "for every n",
        {
            **UNEVEN.evidence,
            "n": "6 and more",
            "redacted by the DIM": 2,
            "by 3R at least": 6 - most_released(UNEVEN),
        },
        lambda: all(
            _worse(Instance(UNEVEN.of, length, 3, UNEVEN.ratio)) for length in range(6, 30)
        ),
        f"{leaked(1, 2)} <= e_eps < {influence(1)} * {influence(2)}",
    )


def _worse(at: Instance) -> bool:
    gap = most_released(UNEVEN) - UNEVEN.length
    return (
        optimum(at)[0] == 2
        and most_released(at) == at.length + gap
        and most_released(at) < at.length - 2
    )


@claim(
    "massny2025.cor1-dim-repaired",
    where="Corollary 1, repaired",
    kind="repair of massny2025.cor1-dim",
    says={EVERY_N: compared.AS_GOOD_AS_DIM, LIMIT: compared.NEARLY_AS_GOOD},
)
def cor1_dim_repaired(check: Check) -> None:
    """Prove it for every p and n, as in massny2025.cor1-dim."""
    _settled(check)


def _settled(check: Check) -> None:
    check.stated(EVERY_N)
    check.stated(LIMIT)


@claim(
    "massny2025.region-claim",
    where="Section I",
    statement="There is a region where records are strongly correlated with X_p but need not "
    "always be redacted: a record X_t with i(X_p~>X_t=1) > eps, and an eps-private mechanism "
    "that releases X_t with positive probability.",
    kind="remark",
    says=statements.REGION,
)
def region_claim(check: Check) -> None:
    """Prove it for every chain that is not symmetric or independent, and only for those.

    For some chain, distance and eps: i1 > eps, and a private mechanism releases X_t sometimes.
    P(X_t=1|X_p=1) > R P(X_t=1|X_p=0). All other records are redacted; Y_t is 0 with probability (1
    - q)(1 - A) or (1 - q) B and * with A + q (1 - A) or 1 - B + q B, for X_p = 0 or 1: all four
    comparisons hold for some q < 1.

    For every chain and distance: for some eps iff a < b and lam is not 0. A = a (1 - u)/(a + b), B
    = b (1 - u)/(a + b), u = lam^D = 1 - A - B [massny2025.prop1-power], and all entries are
    positive [massny2025.x-powers]. A mechanism that releases X_t = z sometimes leaks at least
    i_z(D), so that i0(D) <= eps, as i0 <= i1 [massny2025.lemma1], [massny2025.prop1-order]. If A =
    B or u = 0 then i0 = i1, and no eps lies between. Else eps = i0(D) < i1(D) will do: for u > 0 R
    = (1 - A)/B and q = (1 - B - R A)/(R (1 - A) - B), for u < 0 R = B/(1 - A) and q = (A - R (1 -
    B))/(R B - 1 + A), with the mechanism above.
    """
    name = (
        "for some chain, distance and eps: i1 > eps, and a private mechanism releases X_t sometimes"
    )
    check.tried(name)
    name = "for every chain and distance: for some eps iff a < b and lam is not 0"
    check.tried(name)
