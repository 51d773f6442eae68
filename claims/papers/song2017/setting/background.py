"""What the paper recalls of composition: differential privacy composes, Pufferfish need not.

R_k = e^eps_k; likelihoods of one output of each mechanism. Source: song2017, sections I and II-D.
"""

from pufferproof.claims.papers.song2017.statements import releases as said_releases
from pufferproof.claims.papers.song2017.two_releases.said import MORE
from pufferproof.claims.registry import Check, claim

CHAIN = "a Markov chain, every node secret"


@claim(
    "song2017.bg-dp",
    where="II-D",
    statement="K mechanisms with eps_k-DP: parallel composition gives max_k eps_k, sequential "
    "composition sum_k eps_k.",
    kind="remark",
    assumes=["each mechanism uses coins of its own"],
    says={
        "parallel, on disjoint sets of records": said_releases.PARALLEL,
        "sequential": said_releases.SEQUENTIAL,
    },
)
def privacy(check: Check) -> None:
    """Prove both on product domains; data sets that are split by their values would be another
    matter.

    Parallel, on disjoint sets of records. One factor changes: the record belongs to one set; most
    is at least R and S, the maximum of the others is S.

    Sequential. One more mechanism: independent coins multiply: p = P u and q = Q v.
    """


@claim(
    "song2017.bg-nonlinear",
    where="Introduction, II-D",
    statement="Pufferfish does not always compose linearly.",
    kind="remark",
    says={
        "some framework": said_releases.ONE_TIME_PAD,
        CHAIN: MORE,
    },
)
def nonlinear(check: Check) -> None:
    """Prove it by a one-time pad, and for Markov chains by theorem III.4.

    Some framework. Each alone: neither bit depends on s. Both: P(0,0|s=0) = P(r=0) and P(0,0|s=1) =
    P(r=0, r=1) = 0: no level R bounds the ratio.

    A Markov chain, every node secret. As in theorem III.4 [song2017.thm-III4].
    """
