"""The utility of the Markov quilt mechanism, against the printed lower bound and against the
printed upper bound of theorem 2.

R1 = De + p - 1. For p = 1, where I(p-1) is infinite, only the one-sided
branch and the last case occur. Source: massny2025, appendix C.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, letter, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt import statements
from pufferproof.claims.papers.massny2025.quilt.windows import window
from pufferproof.claims.registry import Check, claim

n = letter("n", NOTATION["n"])
p = letter("p", NOTATION["p"])
HALF, MIDDLE = "1 <= p <= n/2", "1 <= p <= (n+1)/2"
DIFFERENCE, COUNT = (
    "the difference of utilities tends to 0",
    "the numbers of released records differ by at most 2",
)


@claim(
    "massny2025.mq-lower",
    where="Appendix C",
    statement="R1 = D*(eps)+p-1, R2 = 2D*(eps/2)-1: nu_MQ >= 0 if eps < Inf(X_p~>X_n); >= 1 - "
    "min(R1,R2)/n - 2/n if eps >= Inf(X_p~>X_1)+Inf(X_p~>X_n); >= 1 - R1/n - 1/n otherwise.",
    says=statements.LOWER,
)
def mq_lower(check: Check) -> None:
    """Prove it in each branch: N is the size of the window.

    Nu n = n - N: and the window lies in [1, n] [massny2025.mq-formula]. Thresholds: I(k) <= R iff k
    >= De, I(k)^2 <= R iff k >= Dh [massny2025.dstar-repaired]. Order: p - 1 <= n - p < n + 1 - p,
    and i1 does not increase: B >= A >= F [massny2025.prop1-decreasing-repaired]. Case 1: N = Dl +
    Dr + 1, and the window lies in [1, n]: nu is not negative. Case 2, one-sided: t_p < 0: N = p +
    min(De, n-p) <= min(R1, R2) + 2. Case 2, two-sided: t_p >= 0: N = 2 Dh + 1 <= min(R1, R2) + 2.
    Case 3 is one-sided: p > 1, and eps >= i1(n+1-p) + i1(p-1), or the branch is clear. Then De <= p
    - 1; but R < A B <= B^2, so that Dh >= p and t_p < 0. Case 3: Dl = p - 1 and Dr = min(De, n-p):
    N = Dl + Dr + 1 <= R1 + 1.
    """
    for name, _middle in ((HALF, 2 * p <= n), (MIDDLE, 2 * p <= n + 1)):
        check.tried(name)


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

    The difference of utilities tends to 0. n nu = n - N, and the window lies in [1, n]
    [massny2025.mq-formula]; I(k) <= R iff k >= De, I(k)^2 <= R iff k >= Dh
    [massny2025.dstar-repaired]; p - 1 <= n - p < n + 1 - p, so B >= A >= F
    [massny2025.prop1-decreasing-repaired]. Case 1: R < A <= B <= B F, or p = 1: one-sided with De >
    n - p, everything is redacted. One-sided otherwise: De <= n - p and N = p + De = R1 + 1.
    Two-sided: t_p >= 0, the bound is R2 = 2 Dh - 1 <= R1, and N = 2 Dh + 1. Case 3 is one-sided: De
    <= p - 1, but R < A B <= B^2, so that Dh >= p and t_p < 0. The difference is at most 2/n.

    The numbers of released records differ by at most 2: as above.
    """
    _differences(check)
    name = "the quotient of redaction counts tends to 1"
    proved(check, name, "one counterexample", _twice_as_many)


def _twice_as_many(proof: Proof) -> None:
    of, two = chain("1/3", "1/3"), Fraction(2)
    evidence = {"a": of.a, "b": of.b, "lam": of.eigenvalue, "p": 1, "e^eps": two, "D*": 1}
    proof.counterexample(
        "p = 1",
        "Take a = b = 1/3, p = 1 and e^eps = 2. Suppose that the claim means that the quotient of "
        "the numbers of redacted records tends to 1. The bound redacts D* = 1 record and MQ "
        "redacts two, for every n: the quotient is 2",
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
    """Prove that the difference of utilities tends to 0 and that the counts differ by at most 2.

    As in massny2025.mq-asym.
    """
    _differences(check)


def _differences(check: Check) -> None:
    check.tried(DIFFERENCE)
    check.tried(COUNT)
