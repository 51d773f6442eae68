"""The faster search: its claims B.1 and B.2, the cases of their proofs, and that it agrees with the
basic one.

X_i, at which the search stops, has its best quilt at distances a and b (imaginary nodes: a = i, b =
n + 1 - i). FindBestMarkovQuilt returns the least score over S_{Q,i} (Algorithm 2, repaired), and n
>= 2. Source: wang2016, appendix B.2.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.quilts import search_statements as said_search
from pufferproof.claims.papers.wang2016.quilts.search_steps import LEAST, SEARCH_NOTATION
from pufferproof.claims.registry import Check, claim

NOTATION = SEARCH_NOTATION
CLASS = "For n >= 2, a 1-Lipschitz F and a class under Condition 4.6"


@claim(
    "wang2016.claim-B1",
    where="Claim B.1",
    statement="For n >= 2 (for n = 1 the search starts at floor(1/2) = 0, which is no node) "
    "Basic's noise standard deviation is at least Fast's, whose sigma_max is a maximum over a "
    "subset of the nodes.",
    kind="lemma",
    says={PRINTED: said_search.FEWER_NODES},
)
def basic_is_larger(check: Check) -> None:
    """A maximum over more nodes.

    The start is a node: f = floor(n/2): n = 2 f, n >= 2, or n = 2 f + 1, an odd n >= 3. Left of a
    node: {X_{i-a}} with i - a >= 1 sends the search to i - 1, which is a node. Right of a node:
    {X_{i+b}} with i + b <= n sends it to i + 1, which is one. Every quilt: stop, step right, step
    left or stop. Steps to the left: after steps to the left the nodes l + 1, .., u are explored and
    i = l is next: the first step leads from u = f to f - 1, every other one from l to l - 1. No
    turn to the right: after a step to the left the next node to the right, j = i + 1, is among l +
    1, .., u: it is explored, and the loop ends. Steps to the right: after steps to the right the
    nodes l, .., u - 1 are explored and i = u is next. No turn to the left: after a step to the
    right the next node to the left, j = i - 1, is among l, .., u - 1. It ends: the nodes from l to
    u are met: at most n. Maxima: one more node j, visited or not.
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


@claim(
    "wang2016.claim-B2",
    where="Claim B.2",
    statement=f"{CLASS}: if the best quilt found by Fast is {{X_{{i-a}},X_{{i+b}}}} with i-a>=1 "
    f"and i+b<=n, Fast is "
    "eps-Pufferfish.",
    kind="theorem",
    assumes=[LEAST],
    says={PRINTED: said_search.TWO_SIDED_PRIVATE},
)
def two_sided(check: Check) -> None:
    """Every node has a quilt that sigma_i is enough for.

    Every node: has a score of at most sigma_max [wang2016.B2-cases]. Influences: e(X_Q|X_i) is at
    most the bound by distances [wang2016.lem-4.7]. The scale: X_i has a quilt with a bound below
    eps and the score near/(eps - bound) <= sigma_max: so this is near/(eps - delta) for a delta
    with e(X_Q|X_i) <= delta < eps, that of the next step. Privacy: the scale n/(eps - delta) is
    enough for X_i, for every i [wang2016.single-node].
    """


@claim(
    "wang2016.fast-cases",
    where="Appendix B.2, end",
    statement=f"{CLASS} Fast, from n/2 rounded down on, is eps-Pufferfish because it ends in one "
    f"of: (1) a two-sided quilt; "
    "(2) {X_0,X_{n+1}}: noise n/eps; (3) {X_0,X_m}, m<=n: only if for some k the best quilts "
    "of X_k..X_{n/2} are {X_{j-a_j},X_{n+1}} and that of X_{k-1} is {X_0,X_m}; then sigma_j <= "
    "max(sigma_k..sigma_{n/2}) for j>=k and sigma_j <= sigma_{k-1} for j<=k-1; (4) "
    "{X_m,X_{n+1}}: analogous.",
    kind="theorem",
    assumes=[LEAST],
    says={PRINTED: said_search.FAST_PRIVATE},
)
def endings(check: Check) -> None:
    """The walk goes one way; the last quilt serves the nodes beyond, the first one those behind
    the start.

    From "The start is a node" to "No turn to the left": as in wang2016.claim-B1. It ends: the nodes
    from l to u are met: at most n. (1): a two-sided quilt is enough for every node
    [wang2016.B2-cases]. (2): the walk ends at {}, whose score n/eps every node has: sigma_j is at
    most that, and no sigma is larger. {X_{i-a}} serves nodes to the right: X_i has n - (i - a) near
    nodes; for j >= i {X_{j-a}} exists, with no more, the same bound and so no larger score.
    {X_{i+b}} serves nodes to the left likewise. (3): k is the last node that was met on the way to
    the left; sigma_f is one of sigma_k, .., sigma_f; the quilt {X_{f-a}} serves all j >= f. That of
    X_{k-1} is {X_{k-1+b}}, of score R, and serves all j <= k - 1. sigma_max is the larger of M, the
    largest of sigma_k, .., sigma_f, and R. (4): the mirror image. From "Influences" to "Privacy":
    as in wang2016.claim-B2.
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
