"""The utility of the Markov quilt mechanism, against the printed lower bound and against the
printed upper bound of theorem 2.

R1 = De + p - 1. For p = 1, where I(p-1) is infinite, only the one-sided
branch and the last case occur. Source: massny2025, appendix C.
"""

from fractions import Fraction
from functools import partial

from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    case,
    first_distance,
    instances,
    optimum,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.bound.statement import TWO
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt import statements
from pufferproof.claims.papers.massny2025.quilt.windows import released_by, window
from pufferproof.claims.registry import Check, claim

n = letter("n", NOTATION["n"])
p = letter("p", NOTATION["p"])
R = letter("R", "e^eps")
De = letter("De", NOTATION["De"])
Dh = letter("Dh", NOTATION["Dh"])
A = letter("A", "I(n-p)")
B = letter("B", "I(p-1)")
F = letter("F", "I(n+1-p)", at_least(1))
N = letter("N", "the number of records that MQ redacts")
Dl = letter("Dl", NOTATION["Dl"])
Dr = letter("Dr", NOTATION["Dr"])
least = letter("least", "the number of records that a DIM redacts")
R1 = letter("R1", "De + p - 1")
bound = letter("bound", "min{R1, R2}, the smaller of De + p - 1 and 2 Dh - 1")
gap = letter("gap", "the difference of two utilities", at_least(0))
small = letter("small", "any positive number", above(0))
HALF, MIDDLE = "1 <= p <= n/2", "1 <= p <= (n+1)/2"
DIFFERENCE, COUNT = (
    "the difference of utilities tends to 0",
    "the numbers of released records differ by at most 2",
)
THRESHOLDS = [
    Equivalent(B <= R, p - 1 >= De),
    Equivalent(A <= R, n - p >= De),
    Equivalent(B**2 <= R, p - 1 >= Dh),
]
ORDERED = [A >= 1, A >= F, A <= B, R > 1]
INTEGERS = [
    Or(Dh <= p - 1, Dh >= p),
    Or(p + De <= 2 * Dh - 1, p + De >= 2 * Dh),
    Or(De <= n - p, De >= n - p + 1),
    De >= 1,
    Dh >= 1,
]
SMALLER = [
    Or(Eq(bound, De + p - 1), Eq(bound, 2 * Dh - 1)),
    bound <= De + p - 1,
    bound <= 2 * Dh - 1,
]


@claim(
    "massny2025.mq-lower",
    where="Appendix C",
    statement="R1 = D*(eps)+p-1, R2 = 2D*(eps/2)-1: nu_MQ >= 0 if eps < Inf(X_p~>X_n); >= 1 - "
    "min(R1,R2)/n - 2/n if eps >= Inf(X_p~>X_1)+Inf(X_p~>X_n); >= 1 - R1/n - 1/n otherwise.",
    says=statements.LOWER,
)
def mq_lower(check: Check) -> None:
    """Prove it in each branch: N is the size of the window."""
    steps = ("case 2, one-sided", "case 2, two-sided")
    less = [Edit(step, instead=And(N <= De + p, N <= 2 * Dh)) for step in steps]
    scope = "all a <= b, every eps > 0 and n"
    near_miss = {"1/n more in the second case": less}
    for name, middle in ((HALF, 2 * p <= n), (MIDDLE, 2 * p <= n + 1)):
        proved(check, name, scope, partial(_lower, middle=middle), **near_miss)
    check.near_miss(f"{HALF}: 1/n more in the second case, evaluated", _tight)


def _cited(proof: Proof) -> None:
    proof.cite("nu n = n - N", "and the window lies in [1, n]", "massny2025.mq-formula")
    proof.cite(
        "thresholds", "I(k) <= R iff k >= De, I(k)^2 <= R iff k >= Dh", "massny2025.dstar-repaired"
    )
    proof.cite(
        "order",
        "p - 1 <= n - p < n + 1 - p, and i1 does not increase: B >= A >= F",
        "massny2025.prop1-decreasing-repaired",
    )


def _lower(proof: Proof, middle: object) -> None:
    _cited(proof)
    proof.inequality(
        "case 1",
        "N = Dl + Dr + 1, and the window lies in [1, n]: nu is not negative",
        n - N >= 0,
        [Eq(N, Dl + Dr + 1), p - Dl >= 1, p + Dr <= n, middle, p >= 1],
    )
    proof.inequality(
        "case 2, one-sided",
        "t_p < 0: N = p + min(De, n-p) <= min(R1, R2) + 2",
        And(N <= De + p + 1, N <= 2 * Dh + 1),
        [N <= p + De, p + De <= 2 * Dh - 1, middle, p >= 2, De >= 1],
    )
    proof.inequality(
        "case 2, two-sided",
        "t_p >= 0: N = 2 Dh + 1 <= min(R1, R2) + 2",
        And(N <= De + p + 1, N <= 2 * Dh + 1),
        [Eq(N, 2 * Dh + 1), p + De >= 2 * Dh, middle, p >= 2, Dh >= 1],
    )
    one_sided(proof, middle)
    proof.inequality(
        "case 3",
        "Dl = p - 1 and Dr = min(De, n-p): N = Dl + Dr + 1 <= R1 + 1",
        N <= (De + p - 1) + 1,
        [Eq(N, Dl + Dr + 1), Eq(Dl, p - 1), Dr <= De, middle, p >= 1, De >= 1],
    )


def one_sided(proof: Proof, middle: object) -> None:
    """In the last case, eps < i1(p-1) + i1(n-p), the second branch does not occur."""
    proof.inequality(
        "case 3 is one-sided",
        "p > 1, and eps >= i1(n+1-p) + i1(p-1), or the branch is clear. Then De <= p - 1; but R < "
        "A B <= B^2, so that Dh >= p and t_p < 0",
        p + De - 2 * Dh < 0,
        [B * F <= R, R < A * B, *THRESHOLDS, *ORDERED, *INTEGERS, middle, p >= 2],
    )


def _tight(proof: Proof) -> None:
    def holds(at: Instance) -> bool:
        _, left, right = window(at)
        bound = printed_bound(at) + 1
        return case(at) != 2 or at.length - released_by(at, left, right) <= bound

    proof.exhaust("tight", "by n and p", instances(6, 3), holds)


@claim(
    "massny2025.mq-asym",
    where="Section III and appendix C",
    statement="The MQ mechanism attains the bound of theorem 2 (massny2025.thm2) asymptotically in "
    "n.",
    repair="massny2025.mq-asym-repaired",
    says=dict.fromkeys((DIFFERENCE, COUNT), statements.EXCEEDS),
)
def mq_asym(check: Check) -> None:
    """Prove that the printed bound exceeds nu_MQ by 0, 1/n or 2/n; refute that redaction counts
    have a quotient near 1.
    """
    _differences(check)
    name = "the quotient of redaction counts tends to 1"
    proved(check, name, "one counterexample", _twice_as_many)


def _twice_as_many(proof: Proof) -> None:
    of, two = chain("1/3", "1/3"), Fraction(2)
    evidence = {"a": of.a, "b": of.b, "lam": of.eigenvalue, "p": 1, "e^eps": two, "D*": 1}
    proof.counterexample(
        "p = 1",
        "a = b = 1/3, p = 1, e^eps = 2. Read as: the numbers of redacted records have a "
        "quotient that tends to 1. The bound redacts D* = 1 record and MQ two, for every n: "
        "the quotient is 2",
        {**evidence, "bound": 1, "redacted by MQ": 2},
        lambda: (
            first_distance(of, two) == 1
            and all(
                (window(at)[1:], printed_bound(at)) == ((0, 1), 1)
                for at in (Instance(of, n, 1, two) for n in range(2, 200))
            )
        ),
        f"{influence(1)} <= e_eps and redacted_by_MQ / bound = 2",
    )


@claim(
    "massny2025.mq-asym-repaired",
    where="Section III and appendix C, repaired",
    statement="The bound of massny2025.thm2 as printed exceeds nu_MQ by 0, 1/n or 2/n, for every "
    "eps > 0, n >= 2 and p <= (n+1)/2.",
    kind="repair of massny2025.mq-asym",
    says=dict.fromkeys((DIFFERENCE, COUNT), statements.EXCEEDS),
)
def mq_asym_repaired(check: Check) -> None:
    """Prove that the difference of utilities tends to 0 and that the counts differ by at most 2."""
    _differences(check)


def _differences(check: Check) -> None:
    one_record = [
        Edit("one-sided, other cases", put={N <= p + De + 1: N <= p + De}),
        Edit("case 2, two-sided", put={N <= bound + 2: N <= bound + 1}),
    ]
    scope = "all a <= b, every eps > 0, n >= 2, p <= (n+1)/2"
    proved(check, DIFFERENCE, scope, _difference, by_at_most_1_record=one_record)
    proved(check, COUNT, scope, attained, by_at_most_1_record=one_record)


def _difference(proof: Proof) -> None:
    attained(proof)
    proof.inequality(
        "it tends to 0",
        "the difference is at most 2/n: at most any small number from n = 2/small on, for any eps "
        "and p",
        gap <= small,
        [gap * n <= 2, n * small >= 2, n >= 1],
    )


def attained(proof: Proof) -> None:
    """Show bound <= N <= bound + 2 in each case, p <= (n+1)/2."""
    _cited(proof)
    middle = 2 * p <= n + 1
    proof.inequality(
        "case 1",
        "R < A <= B <= B F, or p = 1: one-sided with De > n - p, everything is redacted",
        And(R < B * F, n - p < De),
        [R < A, *THRESHOLDS, *ORDERED, *INTEGERS, middle, p >= 1],
    )
    proof.inequality(
        "one-sided, other cases",
        "De <= n - p and N = p + De = R1 + 1",
        And(N <= p + De + 1, N >= p + De - 1),
        [
            Equivalent(A <= R, n - p >= De),
            A <= R,
            Or(Eq(N, p + De), Eq(N, n)),
            Equivalent(Eq(N, p + De), De <= n - p),
            p >= 1,
        ],
    )
    proof.inequality(
        "case 2, one-sided: the bound is R1",
        "t_p < 0: N = R1 + 1",
        And(bound <= N, N <= bound + 2),
        [*SMALLER, Eq(N, p + De), p + De <= 2 * Dh - 1, De >= 1, p >= 2],
    )
    proof.inequality(
        "case 2, two-sided",
        "t_p >= 0: the bound is R2 = 2 Dh - 1 <= R1, N = 2 Dh + 1",
        And(bound <= N, N <= bound + 2),
        [*SMALLER, Eq(N, 2 * Dh + 1), p + De >= 2 * Dh],
    )
    one_sided(proof, middle)


@claim(
    "massny2025.x-mq-optimal",
    where="Section III, beyond",
    statement="For every eps > 0, n and p <= n/2 no eps-private DIM redacts fewer records, in "
    "expectation, than MQ by more than 3 for lam >= 0, by more than 4 for lam < 0: nu_MQ >= "
    "nu_DIM - 4/n.",
    kind="theorem",
    says=statements.OPTIMAL,
)
def mq_optimal(check: Check) -> None:
    """Prove it from the repaired upper bound; asymptotic optimality in n follows."""
    scope = "all such a <= b, every eps > 0, n and p <= n/2"
    for name, slack in (("lam >= 0", 2), ("lam < 0", 3)):
        less = Edit("cases", instead=N <= least + slack)
        proved(check, name, scope, partial(_optimal, slack=slack), by_one_less=less)
    check.near_miss("lam < 0: by 3, evaluated", _by_three)


def _by_three(proof: Proof) -> None:
    proof.exhaust(
        "n = 12, p = 6",
        "a = 4/5, b = 14/15",
        [TWO],
        lambda at: at.length - released_by(at, *window(at)[1:]) - optimum(at)[0] <= 3,
    )


def _optimal(proof: Proof, slack: int) -> None:
    proof.cite(
        "what a DIM redacts",
        "at least n, R1, or min{R1, 2 Dh - 2}, for lam < 0 min{R1, 2 Dh - 3}",
        "massny2025.thm2-repaired",
    )
    proof.cite(
        "what MQ redacts",
        "N <= n in case 1, min{R1, 2 Dh - 1} + 2 in case 2, R1 + 1 in case 3",
        "massny2025.mq-lower",
    )
    proof.inequality(
        "cases",
        "the least number of a DIM is exceeded by one more than the slack of 2 Dh - 1",
        N <= least + slack + 1,
        [
            Or(
                And(N <= n, least >= n),
                And(N <= R1 + 2, N <= 2 * Dh + 1, Or(least >= R1, least >= 2 * Dh - slack)),
                And(N <= R1 + 1, least >= R1),
            )
        ],
    )
