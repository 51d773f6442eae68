"""Steps that claims on the searches share: from scores to privacy, and the walk of the faster
search.

A node without a left or a right quilt node has an imaginary one, a = i or b = n + 1 - i. Source:
wang2016, appendix B.
"""

from sympy import And, Eq, Implies, Max, Or

from pufferproof.claims.language import Edit, Proof, letter, letters
from pufferproof.claims.papers.wang2016.quilts.statement import BELOW, LIPSCHITZ

n = letter("n", "the number of nodes (records) X_1, .., X_n of a Markov chain")
i, j, k = letters("i j k", "nodes: one that is searched, any other, the last one that was met")
a = letter(
    "a",
    "the distance of the left quilt node from X_i; a = i stands for a quilt without one, the "
    "imaginary X_0",
)
b = letter(
    "b",
    "the distance of the right quilt node from X_i; b = n+1-i stands for a quilt without one, "
    "the imaginary X_(n+1)",
)
f = letter("f", "the node at which the walk starts")
l, u = letters("l u", "the least and the largest node that the walk has met, the next one included")
met = letter("met", "how many nodes are met")
eps = letter("epsilon", "the level")
sigma_max = letter(
    "sigma_max", "the largest of the scores that a search meets, the scale of the noise"
)
x = letter("x", "sigma_j")
s = letter("s", "the score of a quilt of X_i")
y = letter("y", "the score of a quilt of X_j, or sigma of the next node")
d = letter("d", "eps less the bound of this quilt")
M = letter("M", "the largest sigma so far")
S, R = letters("S R", "sigma_f, and the score of the quilt at which the walk ends")
near = letter("near", "how many nodes are near with a quilt")
bound = letter("bound", "the bound of the influence of a quilt")
influence = letter("influence", "e(X_Q|X_i)")
delta = letter("delta", "a number from the influence to eps")
score = letter("score", "the score of a quilt")
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
    "n": n.meaning,
    "a": a.meaning,
    "b": b.meaning,
    "S_{Q,i}": "the set of quilts of X_i that is searched: the distances of quilt nodes are above "
    "the threshold log(1/pi)/g; the empty quilt is always in it",
    "e": "e(a,b) is the bound of Lemma 4.7: h(b)+2h(a), 2h(a) without a right node, h(b) without a "
    "left one, 0 for {}",
    "score": "(a+b-1)/(eps-e(a,b)), infinite unless e(a,b) < eps",
    "g": "the eigengap of the class, 1 - |lam| for the eigenvalue other than 1 that is largest in "
    "absolute value",
    "sigma": "sigma_i is the score that is returned for X_i",
    "sigma_max": sigma_max.meaning,
    "F": "a query, F(D) its value on the database D; it is 1-Lipschitz if it changes by at most 1 "
    "when one record does",
    "Basic": "Algorithm 1, which asks for the best quilt of every node",
    "Fast": "Algorithm 3, which asks for those of the nodes on its walk from floor(n/2)",
}


def prove_private(proof: Proof) -> None:
    """A scale of at least a score of every node is eps-Pufferfish, if bounds of influences are at
    least these.
    """
    proof.cite(
        "influences",
        "e(X_Q|X_i) is at most the bound by distances",
        "wang2016.lem-4.7",
        met=PASSED,
    )
    proof.inequality(
        "the scale",
        "X_i has a quilt with a bound below eps and the score near/(eps - bound) <= sigma_max: so "
        "this is near/(eps - delta) for a delta with e(X_Q|X_i) <= delta < eps, that of the next "
        "step",
        And(influence <= delta, delta < eps),
        [
            Eq(score * (eps - bound), near),
            Eq(sigma_max * (eps - delta), near),
            influence <= bound,
            bound < eps,
            sigma_max >= score,
            sigma_max > 0,
            score > 0,
            near >= 1,
        ],
    )
    proof.cite(
        "privacy",
        "the scale n/(eps - delta) is enough for X_i, for every i",
        "wang2016.single-node",
        met_by={BELOW: "the scale"},
        met={LIPSCHITZ: "asked of F here"},
    )


BOUNDS_BELOW = Edit("the scale", without=influence <= bound, given=influence >= bound)


HALVES = Or(And(Eq(n, 2 * f), n >= 2), And(Eq(n, 2 * f + 1), n >= 3))


ONE_TOO = Edit(
    "the start is a node",
    without=HALVES,
    given=Or(And(Eq(n, 2 * f), n >= 2), And(Eq(n, 2 * f + 1), n >= 1)),
)


def prove_start(proof: Proof) -> None:
    """floor(n/2) is a node, from n = 2 on."""
    proof.inequality(
        "the start is a node",
        "f = floor(n/2): n = 2 f, n >= 2, or n = 2 f + 1, an odd n >= 3",
        And(f >= 1, f <= n),
        [HALVES],
    )


EMPTY, RIGHT_ONLY = And(Eq(a, i), Eq(b, n + 1 - i)), And(Eq(a, i), i + b <= n)


LEFT_ONLY, BOTH_SIDES = And(i - a >= 1, Eq(b, n + 1 - i)), And(i - a >= 1, i + b <= n)


INTEGERS = [Or(Eq(a, i), a <= i - 1), Or(Eq(b, n + 1 - i), b <= n - i)]


def prove_walk(proof: Proof) -> None:
    """The loop stays within the chain, does not turn, and ends."""
    proof.inequality(
        "left of a node",
        "{X_{i-a}} with i - a >= 1 sends the search to i - 1, which is a node",
        i - 1 >= 1,
        [i - a >= 1, a >= 1, i <= n],
    )
    proof.inequality(
        "right of a node",
        "{X_{i+b}} with i + b <= n sends it to i + 1, which is one",
        i + 1 <= n,
        [i + b <= n, b >= 1, i >= 1],
    )
    proof.case_split(
        "every quilt",
        "stop, step right, step left or stop",
        [EMPTY, RIGHT_ONLY, LEFT_ONLY, BOTH_SIDES],
        INTEGERS,
    )
    _no_turn(proof)
    proof.inequality(
        "it ends",
        "the nodes from l to u are met: at most n",
        met <= n,
        [Eq(met, u - l + 1), l >= 1, u <= n],
    )


def _no_turn(proof: Proof) -> None:
    proof.induction(
        "steps to the left",
        "after steps to the left the nodes l + 1, .., u are explored and i = l is next: the first "
        "step leads from u = f to f - 1, every other one from l to l - 1",
        base=(And(Eq(i, l), l + 1 <= u), [Eq(u, f), Eq(i, f - 1), Eq(l, f - 1)]),
        step=(And(Eq(i - 1, l - 1), (l - 1) + 1 <= u), [Eq(i, l), l + 1 <= u]),
    )
    proof.inequality(
        "no turn to the right",
        "after a step to the left the next node to the right, j = i + 1, is among l + 1, .., u: it "
        "is explored, and the loop ends",
        And(j >= l + 1, j <= u),
        [Eq(j, i + 1), Eq(i, l), l + 1 <= u],
    )
    proof.induction(
        "steps to the right",
        "after steps to the right the nodes l, .., u - 1 are explored and i = u is next",
        base=(And(Eq(i, u), l <= u - 1), [Eq(l, f), Eq(i, f + 1), Eq(u, f + 1)]),
        step=(And(Eq(i + 1, u + 1), l <= (u + 1) - 1), [Eq(i, u), l <= u - 1]),
    )
    proof.inequality(
        "no turn to the left",
        "after a step to the right the next node to the left, j = i - 1, is among l, .., u - 1",
        And(j >= l, j <= u - 1),
        [Eq(j, i - 1), Eq(i, u), l <= u - 1],
    )


SERVING_BOTH = [
    Edit("{X_{i-a}} serves nodes to the right", without=j >= i),
    Edit("{X_{i+b}} serves nodes to the left", without=j <= i),
]


def prove_covered(proof: Proof) -> None:
    """From any start f: sigma_max is at least the score x of every node j, however the walk ends.

    A walk that ends at a two-sided quilt is wang2016.B2-cases.
    """
    proof.inequality(
        "(2)",
        "the walk ends at {}, whose score n/eps every node has: sigma_j is at most that, and no "
        "sigma is larger",
        And(x <= sigma_max, Eq(sigma_max, y)),
        [Eq(s * eps, n), Eq(y * eps, n), x <= y, sigma_max >= s, sigma_max <= y, eps > 0],
    )
    _serving(proof)
    _leftwards(proof)
    _rightwards(proof)


def _serving(proof: Proof) -> None:
    proof.inequality(
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
            j >= i,
        ],
    )
    proof.inequality(
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
            j <= i,
        ],
    )


def _leftwards(proof: Proof) -> None:
    proof.induction(
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
    proof.inequality(
        "(3)",
        "sigma_f is one of sigma_k, .., sigma_f, M is their largest; the quilt {X_{f-a}} "
        "serves all j >= f. That of X_{k-1} is {X_{k-1+b}}, of score R, and serves all j <= k - 1. "
        "sigma_max is the larger of M and R",
        And(Implies(j >= k, x <= M), Implies(j <= k - 1, x <= R), x <= sigma_max),
        [
            Implies(And(j >= k, j <= f), x <= M),
            Implies(j >= f, x <= S),
            S <= M,
            Implies(j <= k - 1, x <= R),
            Or(j <= k - 1, j >= k),
            Eq(sigma_max, Max(M, R)),
        ],
    )


def _rightwards(proof: Proof) -> None:
    proof.induction(
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
    proof.inequality(
        "(4)",
        "the quilt {X_{f+b}} of X_f, of score S, serves all j <= f. That of X_{k+1} is "
        "{X_{k+1-a}}, of score R, and serves all j >= k + 1. sigma_max is the larger of M and R",
        And(Implies(j <= k, x <= M), Implies(j >= k + 1, x <= R), x <= sigma_max),
        [
            Implies(And(j >= f, j <= k), x <= M),
            Implies(j <= f, x <= S),
            S <= M,
            Implies(j >= k + 1, x <= R),
            Or(j <= k, j >= k + 1),
            Eq(sigma_max, Max(M, R)),
        ],
    )
