"""The faster search: its claims B.1 and B.2, the cases of their proofs, and that it agrees with the
basic one.

X_i, at which the search stops, has its best quilt at distances a and b (imaginary nodes: a = i, b =
n + 1 - i). FindBestMarkovQuilt returns the least score over S_{Q,i} (Algorithm 2, repaired), and n
>= 2. Source: wang2016, appendix B.2.
"""

from sympy import And, Eq, Max, Or

from pufferproof.claims.language import PRINTED, Edit, Proof, edited, letter, letters, proved
from pufferproof.claims.papers.wang2016.quilts import search_statements as said_search
from pufferproof.claims.papers.wang2016.quilts.influence import BARE, CONDITION
from pufferproof.claims.papers.wang2016.quilts.instances import (
    Chain,
    Variant,
    chains,
    fast,
    find_best,
    least_score,
)
from pufferproof.claims.papers.wang2016.quilts.search_steps import (
    BOUNDS_BELOW,
    LEAST,
    ONE_TOO,
    SEARCH_NOTATION,
    SERVING_BOTH,
    a,
    b,
    eps,
    i,
    j,
    n,
    near,
    prove_covered,
    prove_private,
    prove_start,
    prove_walk,
    s,
    sigma_max,
    x,
    y,
)
from pufferproof.claims.registry import Check, claim

NOTATION = SEARCH_NOTATION
H, K = letters("H K", "h(b), 2 h(a)")
largest = letter("largest", "the largest sigma_j of all nodes")
so_far, visited = letters(
    "so_far visited", "the largest sigma_j so far: of all nodes, of those that are visited"
)
wrong = letter("wrong", "the score that the misprint gives to a quilt of X_i")
mirrored = letter("mirrored", "the score of the mirrored quilt by its influence")
ANY = "every n >= 2, pi, g and eps; Algorithm 2 as repaired"
PRIVATE = f"{ANY}; F 1-Lipschitz, classes under Condition 4.6"
CLASS = "For n >= 2, a 1-Lipschitz F and a class under Condition 4.6"
TWO_SIDED = [i - a >= 1, i + b <= n, a >= 1, b >= 1, i >= 1, i <= n, j >= 1, j <= n]


@claim(
    "wang2016.claim-B1",
    where="Claim B.1",
    statement="For n >= 2 (for n = 1 the search starts at floor(1/2) = 0, which is no node) "
    "Basic's noise standard deviation is at least Fast's, whose sigma_max is a maximum over a "
    "subset of the nodes.",
    kind="lemma",
    says=said_search.FEWER_NODES,
)
def basic_is_larger(check: Check) -> None:
    """A maximum over more nodes."""
    strictly = Edit("maxima: base", instead=so_far > visited)
    proved(
        check,
        PRINTED,
        ANY,
        _fewer_nodes,
        strictly=strictly,
        **{"n = 1 too": ONE_TOO},
    )


def _fewer_nodes(proof: Proof) -> None:
    prove_start(proof)
    _basic_is_larger(proof)


def _basic_is_larger(proof: Proof) -> None:
    prove_walk(proof)
    longer = Max(so_far, x)
    proof.induction(
        "maxima",
        "one more node j, visited or not",
        base=(so_far >= visited, [Eq(visited, x), Eq(so_far, x)]),
        step=(And(longer >= Max(visited, x), longer >= visited), [so_far >= visited]),
    )


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
    says=said_search.CASES,
)
def cases(check: Check) -> None:
    """The three cases cover every j, because the quilt of X_i is two-sided; the scores compare."""
    proved(check, PRINTED, ANY, _cases)
    check.near_miss(f"{PRINTED}: also for one-sided quilts of X_i", edited(_cases, ONE_SIDED))
    check.near_miss(f"{PRINTED}: with the third test of Algorithm 2 as printed", _misprinted)


ONE_SIDED = Edit("coverage", without=i - a >= 1)


def _misprinted(proof: Proof) -> None:
    proof.exhaust(
        "least scores",
        "the search ends at a two-sided quilt with sigma_max at least the least score of every "
        "node",
        [at for at in chains(6) if at.n >= 2],
        _enough,
    )


def _enough(at: Chain) -> bool:
    how = Variant(misprint=True, imaginary=True)
    largest, visited = fast(at, how)
    end = visited[-1]
    _, left, right = find_best(at, end, how)
    two_sided = left < end and end + right <= at.n
    return not two_sided or all(not largest < least_score(at, node) for node in range(1, at.n + 1))


def _cases(proof: Proof) -> None:
    scores = [
        Eq(s * (eps - H - K), a + b - 1),
        *[eps - H - K > 0, H > 0, K > 0, a >= 1, b >= 1],
    ]
    proof.case_split(
        "coverage",
        "j - a < 1 and j + b > n together would give a + b >= n",
        [And(j - a >= 1, j + b <= n), And(j - a >= 1, j + b > n), And(j - a < 1, j + b <= n)],
        TWO_SIDED,
    )
    proof.inequality(
        "(1)",
        "s = sigma_i. j - a + 1, .., j + b - 1 are the near nodes of X_j; the bound H + K is the "
        "same, as it depends on the distances only",
        Eq(y, s),
        [Eq(y * (eps - H - K), near), Eq(near, (j + b - 1) - (j - a + 1) + 1), *scores],
    )
    proof.inequality(
        "(2)",
        "j - a + 1, .., n are near, the bound is 2 h(a) = K",
        y < s,
        [Eq(y * (eps - K), near), Eq(near, n - (j - a + 1) + 1), j + b >= n + 1, *scores],
    )
    proof.inequality(
        "(3)",
        "1, .., j + b - 1 are near, the bound is h(b) = H",
        y < s,
        [Eq(y * (eps - H), near), Eq(near, j + b - 1), j - a <= 0, *scores],
    )
    proof.inequality(
        "sigma_max",
        "sigma_j is at most the score y of this quilt. sigma_max is the largest visited score, s "
        "among them",
        And(Eq(sigma_max, s), x <= s),
        [sigma_max >= s, Or(Eq(sigma_max, s), Eq(sigma_max, x)), x <= y, y <= s],
    )


@claim(
    "wang2016.claim-B2",
    where="Claim B.2",
    statement=f"{CLASS}: if the best quilt found by Fast is {{X_{{i-a}},X_{{i+b}}}} with i-a>=1 "
    f"and i+b<=n, Fast is "
    "eps-Pufferfish.",
    kind="theorem",
    assumes=[LEAST],
    says=said_search.TWO_SIDED_PRIVATE,
)
def two_sided(check: Check) -> None:
    """Every node has a quilt that sigma_i is enough for."""
    proved(check, PRINTED, PRIVATE, _two_sided)
    check.near_miss(f"{PRINTED}: also for one-sided quilts of X_i", edited(_cases, ONE_SIDED))
    check.near_miss(f"{PRINTED}: bounds below influences", edited(_two_sided, BOUNDS_BELOW))


def _two_sided(proof: Proof) -> None:
    proof.cite("every node", "has a score of at most sigma_max", "wang2016.B2-cases")
    prove_private(proof)


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
    says=said_search.FAST_PRIVATE,
)
def endings(check: Check) -> None:
    """The walk goes one way; the last quilt serves the nodes beyond, the first one those behind
    the start.
    """
    proved(check, PRINTED, PRIVATE, _endings, **{"one-sided quilts serve both sides": SERVING_BOTH})


def _endings(proof: Proof) -> None:
    prove_start(proof)
    prove_walk(proof)
    proof.cite("(1)", "a two-sided quilt is enough for every node", "wang2016.B2-cases")
    prove_covered(proof)
    prove_private(proof)


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
    """
    proved(
        check,
        "as stated",
        ANY,
        _agree,
        one_node_is_enough=Edit("equal", without=sigma_max <= largest),
        **{"n = 1 too": ONE_TOO},
    )


def _agree(proof: Proof) -> None:
    prove_start(proof)
    _basic_is_larger(proof)
    proof.cite("least scores", "sigma_i is the least score of X_i", "wang2016.x-alg2-repaired")
    proof.cite(
        "(1)",
        "at a two-sided quilt sigma_max >= sigma_j for every j",
        "wang2016.B2-cases",
        met_by={LEAST: "least scores"},
    )
    prove_covered(proof)
    proof.inequality(
        "equal",
        "the largest sigma_j is attained at some j",
        Eq(sigma_max, largest),
        [sigma_max <= largest, sigma_max >= x, Eq(x, largest)],
    )


@claim(
    "wang2016.x-alg2-misprint-stationary",
    where="Algorithm 2, beyond",
    statement="Under Condition 4.6, if X_1 has the stationary law and F is 1-Lipschitz, the "
    "largest score that Algorithm 2 finds with its third test as printed, candidates with "
    "e(a,b) >= eps or an undefined logarithm being passed over, is still a scale at which "
    "every node is private at the level eps: nodes right of the middle have mirrored quilts.",
    kind="lemma",
    says=said_search.MISPRINT_PRIVATE,
)
def misprint(check: Check) -> None:
    """The misprint lowers scores right of the middle only; there the mirrored quilt has less
    influence than its bound.
    """
    right = Edit("left of the middle", without=2 * i <= n + 1, given=i <= n)
    proved(
        check,
        "as stated",
        "every n, pi, g and eps; F 1-Lipschitz; X_1 stationary",
        _misprint,
        right_of_the_middle_scores_are_right_too=right,
    )


def _misprint(proof: Proof) -> None:
    proof.inequality(
        "left of the middle",
        "i <= (n+1)/2: the third test never holds for a real X_{i-a}",
        i + a <= n,
        [i - a >= 1, a >= 1, 2 * i <= n + 1],
    )
    proof.inequality(
        "no score is too small there",
        "{X_{i-a}, X_{n+1}} gets h(n+1-i) + 2 h(a) = H + K instead of K",
        wrong >= s,
        [
            Eq(wrong * (eps - H - K), near),
            Eq(s * (eps - K), near),
            *[eps - H - K > 0, H >= 0, K >= 0, near > 0],
        ],
    )
    proof.inequality(
        "mirrored quilts",
        "j = n+1-i: {X_{j-b}, X_{j+a}} is on the chain and has as many near nodes",
        And(j - b >= 1, j + a <= n, Eq((j + a - 1) - (j - b), (i + b - 1) - (i - a))),
        [Eq(j, n + 1 - i), i - a >= 1, i + b <= n],
    )
    _mirrored(proof)
    prove_private(proof)


def _mirrored(proof: Proof) -> None:
    proof.cite(
        "their left side",
        "at distance b: at most h(b), the start being stationary",
        "wang2016.x-lemA3-stationary",
        met={BARE: "asked by the statement"},
    )
    proof.cite(
        "their right side",
        "at distance a: at most h(a)",
        "wang2016.lemA2",
        met={CONDITION: "asked by the statement"},
    )
    proof.inequality(
        "their influence",
        "is at most h(b) + h(a) = H + K/2, one-sided ones by leaving out a term; the bound h(b) + "
        "2 h(a) = H + K, with which i has the score s = near/(eps - H - K), is no smaller, so that "
        "j has a score of at most s",
        And(mirrored <= wrong, mirrored > 0),
        [
            Eq(mirrored * (eps - H - K / 2), near),
            Eq(s * (eps - H - K), near),
            *[eps - H - K > 0, H >= 0, K >= 0, near > 0],
            wrong >= s,
        ],
    )
