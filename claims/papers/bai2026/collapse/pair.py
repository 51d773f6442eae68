"""Section 4, Example 1: the database beside a decoy of the other secret, drawn from the one prior.

p = theta(D1 | s1) and q = theta(D2 | s2) for databases of positive probability. Revealing times
rest on `waiting.py`.
"""

from sympy import Eq

from pufferproof.claims.language import letter
from pufferproof.claims.papers.bai2026.collapse import said
from pufferproof.claims.registry import Check, claim

q = letter("q", "theta(D2 | s2) of a decoy D2, positive")
m = letter("m", "the probability of the pair (D1, D2) on a database")
NOTATION = {
    "M*": "the mechanism of Example 1, whose outputs are pairs (D1, D2) of a database of s1 and "
    "one of s2",
    "s2": "the second secret, not s1",
    "theta": "the one prior, under which each secret has at least two databases of positive "
    "probability",
    "q_D": "q_D = theta(D | s2), the probability of the decoy D, for the databases D of s2 that "
    "are possible",
}
POSSIBLE = ["the input has positive probability; the run that reveals is counted"]


@claim(
    "bai2026.ex1-mech",
    where="Section 4, Example 1",
    statement="Let s2 = not s1, Theta = {theta}, and let each of s1, s2 have at least two "
    "databases of positive probability. If s1 is true of D: draw D' from theta(. | s2), output "
    "(D, D'). If s2 is: draw D' from theta(. | s1), output (D', D).",
    kind="algorithm",
)
def ex1_mech(check: Check) -> None:
    """`models.mechanisms.collapse.pair_collapse`; nothing to decide."""
    with check.reading("as printed") as proof:
        proof.definition("the mechanism", "P((D1, D2) | D1) = q = theta(D2 | s2)", Eq(m, q))


@claim(
    "bai2026.ex1-zero",
    where="Section 4, Example 1",
    statement="P(s_i | M*(Data) = w, theta) = P(s_i | theta) for i = 1, 2 and every output w of "
    "positive probability; given s1, and given s2, the output (D1, D2) of M* has the "
    "probability theta(D1 | s1) theta(D2 | s2).",
    says={"as printed": said.HIDDEN},
)
def ex1_zero(check: Check) -> None:
    """Coq proves it for every law that allows both secrets: only one database of each secret can
    give an output (D1, D2), and the two likelihoods are equal.
    """
    check.stated("as printed")


@claim(
    "bai2026.ex1-runs",
    where="Section 4, Example 1",
    statement="The expected number of independent runs of M* until the input is revealed is at "
    "most 1 + 1/(1 - max_D max_i theta(D | s_i)); for an input with s1, P(revealed at run k) = "
    "sum_D q_D^(k-1) (1 - q_D) for every k >= 2, q_D = theta(D | s2); as few as two runs can "
    "reveal.",
    assumes=POSSIBLE,
    says={
        "the bound on the expectation": said.RUNS,
        "the law; two runs can reveal": said.LAW_OF_RUNS,
    },
)
def ex1_runs(check: Check) -> None:
    """Coq has the law, which is positive at every run from the second on, and the expectation 1 +
    sum q/(1 - q), with q = q_D: the first decoy that differs from the first one reveals.
    """
    check.stated("the bound on the expectation")
    check.stated("the law; two runs can reveal")
