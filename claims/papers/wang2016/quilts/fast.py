"""The faster search: its claims B.1 and B.2, the cases of their proofs, and that it agrees with the
basic one.

X_i, at which the search stops, has its best quilt at distances a and b (imaginary nodes: a = i, b =
n + 1 - i). FindBestMarkovQuilt returns the least score over S_{Q,i} (Algorithm 2, repaired), and n
>= 2. Source: wang2016, appendix B.2.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.quilts import said
from pufferproof.claims.papers.wang2016.quilts import search_statements as said_search
from pufferproof.claims.papers.wang2016.quilts.search_steps import LEAST, SEARCH_NOTATION
from pufferproof.claims.registry import Check, claim

NOTATION = SEARCH_NOTATION


@claim("wang2016.claim-B1", where="Claim B.1", kind="lemma", says={PRINTED: said.FEWER_NODES})
def basic_is_larger(check: Check) -> None:
    """A maximum over more nodes: every node that the walk meets is one.

    The start is a node: f = floor(n/2): n = 2 f, n >= 2, or n = 2 f + 1, an odd n >= 3. Left of a
    node: {X_{i-a}} with i - a >= 1 sends the search to i - 1, which is a node. Right of a node:
    {X_{i+b}} with i + b <= n sends it to i + 1, which is one.
    """


@claim(
    "wang2016.B2-cases",
    where="proof of Claim B.2",
    statement="Let the best quilt of X_i be {X_{i-a},X_{i+b}} with i-a>=1 and i+b<=n, for an i "
    "that Fast visits and where it stops. For j != i: (1) j-a>=1, j+b<=n: {X_{j-a},X_{j+b}} is "
    "a quilt of X_j with score sigma_i; (2) j-a>=1, j+b>n: {X_{j-a}} has score less than "
    "sigma_i; (3) j-a<1, j+b<=n: analogous, for {X_{j+b}}. Hence sigma_max = sigma_i >= "
    "sigma_j for all j.",
    kind="lemma (proof step)",
    assumes=[LEAST],
    says={PRINTED: said_search.CASES},
)
def cases(check: Check) -> None:
    """The three cases cover every j, because the quilt of X_i is two-sided; the scores compare.

    Coverage: j - a < 1 and j + b > n together would give a + b >= n. (1): s = sigma_i. j - a + 1,
    .., j + b - 1 are the near nodes of X_j; the bound H + K is the same, as it depends on the
    distances only. (2): j - a + 1, .., n are near, the bound is 2 h(a) = K. (3): 1, .., j + b - 1
    are near, the bound is h(b) = H. Sigma_max: sigma_j is at most the score y of this quilt.
    sigma_max is the largest visited score, s among them.
    """


@claim("wang2016.claim-B2", where="Claim B.2", kind="theorem", says={PRINTED: said.TWO_SIDED})
def two_sided(check: Check) -> None:
    """Every node has a quilt that the score of X_i is enough for.

    Every node: has a score of at most that of X_i [wang2016.B2-cases]. Influences: e(X_Q|X_i) is at
    most the bound by distances [wang2016.lem-4.7]. Privacy: that scale is enough for every node
    [wang2016.thm-4.4].
    """


@claim(
    "wang2016.fast-cases",
    where="Appendix B.2, end",
    kind="theorem",
    says={"privacy, wherever the walk ends": said.FAST},
)
def endings(check: Check) -> None:
    """The walk goes one way; the last quilt serves the nodes beyond, the first one those behind
    the start.

    No turn: after a step to the left the next node to the right has been met, and the loop ends.
    (1): a two-sided quilt is enough for every node [wang2016.B2-cases]. (2): the walk ends at {},
    whose score n/eps every node has. {X_{i-a}} serves nodes to the right: X_i has n - (i - a) near
    nodes; for j >= i {X_{j-a}} exists, with no more, the same bound and so no larger score.
    {X_{i+b}} serves nodes to the left likewise. (3): k is the last node that was met on the way to
    the left; the quilt {X_{f-a}} of the first node serves all j >= f. That of X_{k-1} is
    {X_{k-1+b}} and serves all j <= k - 1. (4): the mirror image. Influences and privacy: as in
    wang2016.claim-B2.
    """


@claim(
    "wang2016.x-alg3-repaired",
    where="Algorithm 3, repaired",
    statement="For n >= 2, with the values (sigma_i, a_i, b_i) in their order and Algorithm 2 "
    "repaired, the search visits nodes only, ends, and has the same sigma_max as Algorithm 1. "
    "The same from any other start in 1..n.",
    kind="repair of wang2016.alg3-fast",
    says=said_search.SAME_SCALE,
)
def repaired(check: Check) -> None:
    """At most that of Algorithm 1 as it is a maximum over fewer nodes; at least, as it is
    enough for every node.

    From "The start is a node" to "Maxima": as in wang2016.claim-B1. sigma_i is the least score of
    X_i [wang2016.x-alg2-repaired]. From "(1)" to "(4)": as in wang2016.fast-cases
    [wang2016.B2-cases]. Equal: the largest sigma_j is attained at some j.
    """
