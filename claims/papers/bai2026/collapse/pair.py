"""Section 4, Example 1: the database beside a decoy of the other secret, drawn from the one prior.

p = theta(D1 | s1) and q = theta(D2 | s2) for databases of positive probability. Revealing times
rest on `waiting.py`.
"""

from sympy import Eq

from pufferproof.claims.language import letter
from pufferproof.claims.papers.bai2026.statements import collapse
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
    says={"as printed": collapse.NOTHING_TOLD},
)
def ex1_zero(check: Check) -> None:
    """Only one database of each secret can give an output (D1, D2), and the two likelihoods are
    equal.

    Given s1: S = P((D1, D2) | s1) = sum over D of s1 of theta(D | s1) P((D1, D2) | D). D1 has
    weight p and draws D2 with probability m = q; any other D, with its weight, shows itself in the
    first place: m = 0. Given s2: T = P((D1, D2) | s2), likewise: D2 has weight q and draws D1 with
    probability m = p, others have m = 0. Posterior equal to prior: Equal likelihoods for two
    secrets that exclude each other and have total probability 1 [general.zero-leakage-partition].
    """


@claim(
    "bai2026.ex1-runs",
    where="Section 4, Example 1",
    statement="The expected number of independent runs of M* until the input is revealed is at "
    "most 1 + 1/(1 - max_D max_i theta(D | s_i)); for an input with s1, P(revealed at run k) = "
    "sum_D q_D^(k-1) (1 - q_D) for every k >= 2, q_D = theta(D | s2); as few as two runs can "
    "reveal.",
    assumes=POSSIBLE,
    says={
        "the bound on the expectation": collapse.RUNS_BOUND,
        "the law": collapse.RUNS_LAW,
        "two runs can reveal": collapse.TWO_RUNS,
    },
)
def ex1_runs(check: Check) -> None:
    """The first decoy that differs from the first one reveals; the expectation is 1 + sum q/(1
    - q), with q = q_D.

    The bound on the expectation. Two decoys reveal the input: Outputs (x, e) and (x, f): a database
    y of s1 allows them only if y = x; one of s2 only if y = e and y = f, impossible for e other
    than f. Equal decoys (x, e) do not: the database e of s2 allows them as well, with P((x, e) | e)
    = theta(x | s1) > 0. Decoys are drawn independently, D with probability q_D: N, the first run
    with another decoy than the first run, has E N = 1 + sum q/(1 - q) [bai2026.x-two-kinds]. With
    most at least every q the sum is at most 1/(1 - most), as the q sum to 1.

    The law. As above.

    Two runs can reveal. The sum of q^2 is at most the largest q, below 1 as there are two
    databases.
    """
