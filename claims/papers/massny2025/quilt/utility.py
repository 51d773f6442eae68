"""The utility of the Markov quilt mechanism, against the printed lower bound and against the
printed upper bound of theorem 2.

R1 = De + p - 1. For p = 1, where I(p-1) is infinite, only the one-sided
branch and the last case occur. Source: massny2025, appendix C.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt.windows import window
from pufferproof.claims.papers.massny2025.said import quilt_mechanism
from pufferproof.claims.registry import Check, claim

MIDDLE = "1 <= p <= (n+1)/2"
DIFFERENCE = "the right side of Theorem 2 less nu_MQ is 0, 1/n or 2/n, so it tends to 0"


@claim(
    "massny2025.mq-lower",
    where="Appendix C",
    says={MIDDLE: quilt_mechanism.LOWER},
)
def mq_lower(check: Check) -> None:
    """Prove it in each branch: the window has De + p + 1 records, or 2 Dh + 1."""
    check.stated(MIDDLE)


@claim(
    "massny2025.mq-asym",
    where="Section III and appendix C",
    repair="massny2025.mq-asym-repaired",
    says={DIFFERENCE: quilt_mechanism.NEAR},
)
def mq_asym(check: Check) -> None:
    """Prove that the printed bound exceeds nu_MQ by 0, 1/n or 2/n; refute that redaction counts
    have a quotient near 1.

    The bound is 0 and all is replaced; or it is that of one side, and so is the window, with one
    record more; or it is that of two sides, and the window has two records more.
    """
    check.stated(DIFFERENCE)
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
    kind="repair of massny2025.mq-asym",
    says={DIFFERENCE: quilt_mechanism.NEAR},
)
def mq_asym_repaired(check: Check) -> None:
    """Prove it for every n, as in massny2025.mq-asym."""
    check.stated(DIFFERENCE)
