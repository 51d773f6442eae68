"""Steps that claims on the searches share: from scores to privacy, and the walk of the faster
search.

Letters: f the node at which the walk starts, l and u the least and the largest node it has met; i a
node with the quilt at distances a and b, imaginary ones (a = i, b = n + 1 - i) included; j any
node; x its score sigma_j, s and m other scores. Source: wang2016, appendix B.
"""

import sympy
from sympy import And, Eq, Implies, Max, Or

from pufferproof.claims.papers.wang2016.quilts.statement import BELOW, LIPSCHITZ
from pufferproof.verify.proof.argument import Argument

a, b, c, d, e, f, i, j, k, l, m, n, r, s, u, x, y, z = sympy.symbols(
    "a b c d e f i j k l m n r s u x y z"
)
M, R, S = sympy.symbols("M R S")
LEAST = (
    "FindBestMarkovQuilt returns the least score over S_{Q,i}, as it is described: Algorithm 2 as "
    "printed does not"
)
THRESHOLD = (
    "at the threshold itself h is log(c/0), read as infinite: for g algebraic and pi rational it "
    "is never met"
)
PASSED = {
    THRESHOLD: "a quilt with a node at the threshold has the bound infinity and is passed over"
}
SEARCH_NOTATION = {
    "n": "the number of nodes (records) X_1, .., X_n of a Markov chain",
    "a": "the distance of the left quilt node from X_i; a = i stands for a quilt without one, the "
    "imaginary X_0",
    "b": "the distance of the right quilt node from X_i; b = n+1-i stands for a quilt without one, "
    "the imaginary X_(n+1)",
    "S_{Q,i}": "the set of quilts of X_i that is searched: the distances of quilt nodes are above "
    "the threshold log(1/pi)/g; the empty quilt is always in it",
    "e": "e(a,b) is the bound of Lemma 4.7: h(b)+2h(a), 2h(a) without a right node, h(b) without a "
    "left one, 0 for {}",
    "score": "(a+b-1)/(eps-e(a,b)), infinite unless e(a,b) < eps",
    "g": "the eigengap of the class, 1 - |lam| for the eigenvalue other than 1 that is largest in "
    "absolute value",
    "sigma": "sigma_i is the score that is returned for X_i",
    "sigma_max": "the largest of the scores that a search meets, the scale of the noise",
    "F": "a query, F(D) its value on the database D; it is 1-Lipschitz if it changes by at most 1 "
    "when one record does",
    "Basic": "Algorithm 1, which asks for the best quilt of every node",
    "Fast": "Algorithm 3, which asks for those of the nodes on its walk from floor(n/2)",
}


def prove_private(argument: Argument, below: bool = False) -> None:
    """A scale m of at least a score of every node is eps-Pufferfish, eps = r, if bounds of
    influences are at least these.
    """
    argument.cite(
        "influences",
        "e(X_Q|X_i) = e is at most the bound by distances",
        "wang2016.lem-4.7",
        met=PASSED,
    )
    argument.inequality(
        "the scale",
        "X_i has a quilt with n near nodes, the bound y < eps = r and the score x = n/(r - y) <= "
        "m: so m = n/(r - d) for a d with e <= d < r, the delta of the next step",
        And(e <= d, d < r),
        [
            Eq(x * (r - y), n),
            Eq(m * (r - d), n),
            e >= y if below else e <= y,
            y < r,
            m >= x,
            m > 0,
            x > 0,
            n >= 1,
        ],
    )
    argument.cite(
        "privacy",
        "the scale n/(eps - delta) is enough for X_i, for every i",
        "wang2016.single-node",
        met_by={BELOW: "the scale"},
        met={LIPSCHITZ: "asked of F here"},
    )


def prove_start(argument: Argument, one: bool = False) -> None:
    """floor(n/2) is a node, from n = 2 on."""
    argument.inequality(
        "the start is a node",
        "f = floor(n/2): n = 2 f, n >= 2, or n = 2 f + 1, an odd n >= 3",
        And(f >= 1, f <= n),
        [Or(And(Eq(n, 2 * f), n >= 2), And(Eq(n, 2 * f + 1), n >= (1 if one else 3)))],
    )


def prove_walk(argument: Argument) -> None:
    """The loop stays within the chain, does not turn, and ends."""
    argument.inequality(
        "left of a node",
        "{X_{i-a}} with i - a >= 1 sends the search to i - 1, which is a node",
        i - 1 >= 1,
        [i - a >= 1, a >= 1, i <= n],
    )
    argument.inequality(
        "right of a node",
        "{X_{i+b}} with i + b <= n sends it to i + 1, which is one",
        i + 1 <= n,
        [i + b <= n, b >= 1, i >= 1],
    )
    trivial, right = And(Eq(a, i), Eq(b, n + 1 - i)), And(Eq(a, i), i + b <= n)
    left, both = And(i - a >= 1, Eq(b, n + 1 - i)), And(i - a >= 1, i + b <= n)
    argument.case_split(
        "every quilt",
        "stop, step right, step left or stop",
        [trivial, right, left, both],
        [Or(Eq(a, i), a <= i - 1), Or(Eq(b, n + 1 - i), b <= n - i)],
    )
    argument.induction(
        "steps to the left",
        "after steps to the left the nodes l + 1, .., u are explored and i = l is next: the first "
        "step leads from u = f to f - 1, every other one from l to l - 1",
        base=(And(Eq(i, l), l + 1 <= u), [Eq(u, f), Eq(i, f - 1), Eq(l, f - 1)]),
        step=(And(Eq(i - 1, l - 1), (l - 1) + 1 <= u), [Eq(i, l), l + 1 <= u]),
    )
    argument.inequality(
        "no turn to the right",
        "after a step to the left the next node to the right, j = i + 1, is among l + 1, .., u: it "
        "is explored, and the loop ends",
        And(j >= l + 1, j <= u),
        [Eq(j, i + 1), Eq(i, l), l + 1 <= u],
    )
    argument.induction(
        "steps to the right",
        "after steps to the right the nodes l, .., u - 1 are explored and i = u is next",
        base=(And(Eq(i, u), l <= u - 1), [Eq(l, f), Eq(i, f + 1), Eq(u, f + 1)]),
        step=(And(Eq(i + 1, u + 1), l <= (u + 1) - 1), [Eq(i, u), l <= u - 1]),
    )
    argument.inequality(
        "no turn to the left",
        "after a step to the right the next node to the left, j = i - 1, is among l, .., u - 1",
        And(j >= l, j <= u - 1),
        [Eq(j, i - 1), Eq(i, u), l <= u - 1],
    )
    argument.inequality(
        "it ends",
        "k = u - l + 1 nodes are met: at most n",
        k <= n,
        [Eq(k, u - l + 1), l >= 1, u <= n],
    )


def prove_covered(argument: Argument, both: bool = False) -> None:
    """From any start f: sigma_max is at least the score x of every node j, however the walk ends.

    `both` takes one-sided quilts for nodes on either side. A walk that ends at a two-sided quilt is
    wang2016.B2-cases.
    """
    argument.inequality(
        "(2)",
        "the walk ends at {}, whose score y = n/eps, eps = r, every node has: x <= y, and no sigma "
        "is larger",
        And(x <= m, Eq(m, y)),
        [Eq(s * r, n), Eq(y * r, n), x <= y, m >= s, m <= y, r > 0],
    )
    argument.inequality(
        "{X_{i-a}} serves nodes to the right",
        "X_i has n - (i - a) near nodes and the score s, d = eps - 2 h(a). For j >= i {X_{j-a}} "
        "exists, with n - (j - a) near nodes, the same bound and the score y >= x = sigma_j",
        And(j - a >= 1, x <= s),
        [
            Eq(s * d, n - (i - a)),
            Eq(y * d, n - (j - a)),
            x <= y,
            d > 0,
            i - a >= 1,
            a >= 1,
            *([] if both else [j >= i]),
        ],
    )
    argument.inequality(
        "{X_{i+b}} serves nodes to the left",
        "X_i has i + b - 1 near nodes and the score s, d = eps - h(b). For j <= i {X_{j+b}} "
        "exists, with j + b - 1 near nodes, the same bound and the score y >= x = sigma_j",
        And(j + b <= n, x <= s),
        [
            Eq(s * d, i + b - 1),
            Eq(y * d, j + b - 1),
            x <= y,
            d > 0,
            i + b <= n,
            b >= 1,
            *([] if both else [j <= i]),
        ],
    )
    argument.induction(
        "(3) visited nodes",
        "k is the last node that was met on the way to the left, M the largest sigma so far: if j "
        "is among k, .., f then x <= M. The next node is k - 1, its sigma y",
        base=(
            Implies(And(j >= k, j <= f), x <= M),
            [Eq(k, f), Eq(M, y), Or(Eq(x, y), j < f, j > f)],
        ),
        step=(
            Implies(And(j >= k - 1, j <= f), x <= Max(M, y)),
            [
                Implies(And(j >= k, j <= f), x <= M),
                Or(j <= k - 2, Eq(j, k - 1), j >= k),
                Or(Eq(x, y), j < k - 1, j > k - 1),
            ],
        ),
    )
    argument.inequality(
        "(3)",
        "S = sigma_f is one of sigma_k, .., sigma_f, M is their largest; the quilt {X_{f-a}} "
        "serves all j >= f. That of X_{k-1} is {X_{k-1+b}}, of score R, and serves all j <= k - 1. "
        "sigma_max = m is the larger of M and R",
        And(Implies(j >= k, x <= M), Implies(j <= k - 1, x <= R), x <= m),
        [
            Implies(And(j >= k, j <= f), x <= M),
            Implies(j >= f, x <= S),
            S <= M,
            Implies(j <= k - 1, x <= R),
            Or(j <= k - 1, j >= k),
            Eq(m, Max(M, R)),
        ],
    )
    argument.induction(
        "(4) visited nodes",
        "k is the last node that was met on the way to the right, M the largest sigma so far: if j "
        "is among f, .., k then x <= M. The next node is k + 1, its sigma y",
        base=(
            Implies(And(j >= f, j <= k), x <= M),
            [Eq(k, f), Eq(M, y), Or(Eq(x, y), j < f, j > f)],
        ),
        step=(
            Implies(And(j >= f, j <= k + 1), x <= Max(M, y)),
            [
                Implies(And(j >= f, j <= k), x <= M),
                Or(j <= k, Eq(j, k + 1), j >= k + 2),
                Or(Eq(x, y), j < k + 1, j > k + 1),
            ],
        ),
    )
    argument.inequality(
        "(4)",
        "the quilt {X_{f+b}} of X_f, of score S, serves all j <= f. That of X_{k+1} is "
        "{X_{k+1-a}}, of score R, and serves all j >= k + 1. sigma_max = m is the larger of M and "
        "R",
        And(Implies(j <= k, x <= M), Implies(j >= k + 1, x <= R), x <= m),
        [
            Implies(And(j >= f, j <= k), x <= M),
            Implies(j <= f, x <= S),
            S <= M,
            Implies(j >= k + 1, x <= R),
            Or(j <= k, j >= k + 1),
            Eq(m, Max(M, R)),
        ],
    )
