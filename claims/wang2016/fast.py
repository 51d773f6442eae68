"""The faster search: its claims B.1 and B.2, the cases of their proofs, and that it agrees with the basic one.

Letters: i a node that is searched, with its best quilt at distances a and b (imaginary nodes: a = i, b = n + 1 - i); j another
node; u = h(b) + 2 h(a) and its parts H = h(b) >= 0, K = 2 h(a) >= 0; d = eps - u > 0; s, m scores. Sections assume that
FindBestMarkovQuilt returns the least score over S_{Q,i} (Algorithm 2, repaired), and n >= 2. Source: wang2016, appendix B.2.
"""

import sympy
from sympy import And, Eq, Max, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.wang2016.readings import PRINTED
from pufferproof.claims.wang2016.search_instances import Chain, Variant, chains, fast, find_best, least_score
from pufferproof.verify.proof import Argument

i, j, a, b, n, s, m, x, c, d, H, K, eps, r = sympy.symbols("i j a b n s m x c d H K eps r")
ANY = "every n >= 2, pi, g and eps; Algorithm 2 as repaired"
LEAST = "FindBestMarkovQuilt returns the least score over S_{Q,i}, as it is described: Algorithm 2 as printed does not"
NODE = [i >= 1, i <= n, j >= 1, j <= n]
TWO_SIDED = [i - a >= 1, i + b <= n, a >= 1, b >= 1]
LEFT = [i - a >= 1, a >= 1]
RIGHT = [i + b <= n, b >= 1]


@claim(
    "wang2016.claim-B1",
    where="Claim B.1",
    statement="Basic's noise standard deviation is at least Fast's, whose sigma_max is a maximum over a subset of the nodes.",
    kind="lemma",
    assumes=["n >= 2: for n = 1 the search starts at floor(1/2) = 0, which is no node"],
)
def basic_is_larger(check: Check) -> None:
    """A maximum over more nodes."""
    with check.reading(PRINTED, ANY) as argument:
        _basic_is_larger(argument)
    check.near_miss(f"{PRINTED}: strictly", lambda argument: _basic_is_larger(argument, strict=True))


def _basic_is_larger(argument: Argument, strict: bool = False) -> None:
    argument.inequality("the start is a node", "floor(n/2) = i, n = 2 i or 2 i + 1", And(i >= 1, i <= n),
                        [Or(And(Eq(n, 2 * i), n >= 2), And(Eq(n, 2 * i + 1), n >= 3))])  # fmt: skip
    _walk(argument)
    largest = Max(s, x)
    argument.induction(
        "maxima", "s is the largest of the visited sigma_j so far and m that of all of them: one more node, x, visited or not",
        base=(m > s if strict else m >= s, [Eq(s, x), Eq(m, x)]),
        step=(And(Max(m, x) >= largest, Max(m, x) >= s), [m >= s]),
    )  # fmt: skip


def _walk(argument: Argument) -> None:
    """The loop stays within the chain and never turns."""
    argument.inequality(
        "left of a node",
        "{X_{i-a}} with i - a >= 1 sends the search to i - 1, which is a node",
        i - 1 >= 1,
        [*LEFT, i <= n],
    )
    argument.inequality("right of a node", "{X_{i+b}} with i + b <= n sends it to i + 1", i + 1 <= n, [*RIGHT, i >= 1])
    trivial, right = And(Eq(a, i), Eq(b, n + 1 - i)), And(Eq(a, i), i + b <= n)
    left, both = And(i - a >= 1, Eq(b, n + 1 - i)), And(i - a >= 1, i + b <= n)
    argument.case_split(
        "every quilt", "stop, step right, step left or stop", [trivial, right, left, both],
        [Or(Eq(a, i), a <= i - 1), Or(Eq(b, n + 1 - i), b <= n - i)],
    )  # fmt: skip
    argument.definition(
        "no turning", "after a step to the left the node to the right is explored: the loop steps left again or ends, "
        "likewise to the right; so it ends after at most n nodes",
    )  # fmt: skip


def _score(
    argument: Argument, name: str, sentence: str, card: sympy.Expr, part: sympy.Expr, where: list[sympy.Basic]
) -> None:
    """A quilt of X_j with `card` nearby nodes and influence `part` needs at most the scale s of X_i."""
    argument.inequality(
        name, sentence, s * (eps - part) >= card,
        [Eq(s * (eps - H - K), a + b - 1), eps - H - K > 0, H >= 0, K >= 0, s >= 0, *where],
    )  # fmt: skip


@claim(
    "wang2016.B2-cases",
    where="proof of Claim B.2",
    statement="For j != i: (1) j-a>=1, j+b<=n: {X_{j-a},X_{j+b}} is a quilt of X_j with score sigma_i; (2) j-a>=1, j+b>n: "
    "{X_{j-a}} has score less than sigma_i; (3) j-a<1, j+b<=n: analogous. Hence sigma_max = sigma_i >= sigma_j.",
    kind="lemma (proof step)",
    assumes=[LEAST],
)
def cases(check: Check) -> None:
    """The three cases cover every j, because the quilt of X_i is two-sided; the scores compare."""
    with check.reading(PRINTED, ANY) as argument:
        _cases(argument)
    check.near_miss(f"{PRINTED}: also for one-sided quilts of X_i", lambda argument: _cases(argument, one_sided=True))
    check.near_miss(f"{PRINTED}: with the third test of Algorithm 2 as printed", _misprinted)


def _misprinted(argument: Argument) -> None:
    argument.exhaust(
        "least scores", "the search ends at a two-sided quilt with sigma_max at least the least score of every node",
        [at for at in chains(6) if at.n >= 2], _enough,
    )  # fmt: skip


def _enough(at: Chain) -> bool:
    how = Variant(misprint=True, imaginary=True)
    largest, visited = fast(at, how)
    end = visited[-1]
    _, left, right = find_best(at, end, how)
    two_sided = left < end and end + right <= at.n
    return not two_sided or all(not largest < least_score(at, node) for node in range(1, at.n + 1))


def _cases(argument: Argument, one_sided: bool = False) -> None:
    given = [*NODE, *(RIGHT if one_sided else TWO_SIDED), a >= 1]
    argument.case_split("coverage", "j - a < 1 and j + b > n together would give a + b >= n", [
        And(j - a >= 1, j + b <= n), And(j - a >= 1, j + b > n), And(j - a < 1, j + b <= n)], given)  # fmt: skip
    _score(argument, "(1)", "a + b - 1 nodes, the same influence", a + b - 1, H + K, [*given, j - a >= 1, j + b <= n])
    after = [*given, j - a >= 1, j + b >= n + 1]
    before = [*given, j - a <= 0, j + b <= n]
    _score(argument, "(2)", "n - j + a nodes, influence 2 h(a)", n - j + a, K, after)
    _score(argument, "(3)", "j + b - 1 nodes, influence h(b)", j + b - 1, H, before)
    argument.inequality(
        "less, not equal", "s' = card/(eps - 2 h(a)) < s as h(b) > 0: m (eps - K) = card <= a + b - 1 = s (eps - H - K)", m < s,
        [Eq(m * (eps - K), c), c <= a + b - 1, Eq(s * (eps - H - K), a + b - 1), eps - H - K > 0, H > 0, K > 0, s > 0,
         a + b >= 2],
    )  # fmt: skip
    argument.inequality("sigma_max", "m is the largest visited score: sigma_i is among them, and none is larger", Eq(m, s),
                        [m >= s, Or(Eq(m, s), Eq(m, x)), x <= s])  # fmt: skip


@claim(
    "wang2016.claim-B2",
    where="Claim B.2",
    statement="If the best quilt found by Fast is {X_{i-a},X_{i+b}} with i-a>=1 and i+b<=n, Fast is eps-Pufferfish.",
    kind="theorem",
    assumes=[LEAST],
)
def two_sided(check: Check) -> None:
    """Every node has a quilt that sigma_i is enough for."""
    with check.reading(PRINTED, f"{ANY}; F 1-Lipschitz, classes under Condition 4.6") as argument:
        argument.cite("every node", "has a score of at most sigma_max", "wang2016.B2-cases")
        argument.cite("influences", "the bounds by distances only", "wang2016.lem-4.7")
        argument.cite("privacy", "a scale of at least a score of every node", "wang2016.thm-4.4")
    check.near_miss(f"{PRINTED}: also for one-sided quilts of X_i", lambda argument: _cases(argument, one_sided=True))


@claim(
    "wang2016.fast-cases",
    where="Appendix B.2, end",
    statement="Fast is eps-Pufferfish because it ends in one of: (1) a two-sided quilt; (2) {X_0,X_{n+1}}: noise n/eps; (3) "
    "{X_0,X_m}, m<=n: only if for some k the best quilts of X_k..X_{n/2} are {X_{j-a_j},X_{n+1}} and that of X_{k-1} is "
    "{X_0,X_m}; then sigma_j <= max(sigma_k..sigma_{n/2}) for j>=k and sigma_j <= sigma_{k-1} for j<=k-1; (4) {X_m,X_{n+1}}: "
    "analogous.",
    kind="theorem",
    assumes=["n/2 is rounded down", "the empty quilt is always allowed, so that no score exceeds n/eps", LEAST],
)
def endings(check: Check) -> None:
    """The walk goes one way; the last quilt serves the nodes beyond, the first one those behind the start."""
    with check.reading(PRINTED, f"{ANY}; F 1-Lipschitz, classes under Condition 4.6") as argument:
        _endings(argument)
    check.near_miss(f"{PRINTED}: one-sided quilts serve both sides", lambda argument: _endings(argument, both=True))


def _endings(argument: Argument, both: bool = False) -> None:
    _walk(argument)
    argument.cite("(1)", "a two-sided quilt is enough for every node", "wang2016.claim-B2")
    argument.inequality(
        "(2)", "sigma_max >= n/eps = r >= sigma_j, the score of the empty quilt", m >= s, [m >= r, s <= r]
    )
    argument.inequality(
        "(3) j >= n/2", "i = floor(n/2) has {X_{i-a}}: n - i + a nodes. For j >= i the quilt {X_{j-a}} has n - j + a, the same "
        "influence, and j - a >= 1",
        And(j - a >= 1, s * d >= n - j + a), [Eq(s * d, n - i + a), d > 0, *LEFT, *NODE, *([] if both else [j >= i])],
    )  # fmt: skip
    argument.definition("(3) k <= j <= n/2", "X_j itself is visited")
    argument.inequality(
        "(3) j <= k - 1", "i = k - 1 has {X_{i+b}}: i + b - 1 nodes. For j <= i the quilt {X_{j+b}} has j + b - 1, the same "
        "influence, and j + b <= n",
        And(j + b <= n, s * d >= j + b - 1), [Eq(s * d, i + b - 1), d > 0, *RIGHT, *NODE, *([] if both else [j <= i])],
    )  # fmt: skip
    argument.definition(
        "(4)", "the same two inequalities: {X_{i+b}} of the start serves j <= i, {X_{i-a}} of the end j >= i"
    )
    argument.cite("privacy", "a scale of at least a score of every node", "wang2016.thm-4.4")
    argument.cite("influences", "the bounds by distances only", "wang2016.lem-4.7")


@claim(
    "wang2016.x-alg3-repaired",
    where="Algorithm 3, repaired",
    statement="For n >= 2, with the values (sigma_i, a_i, b_i) in their order and Algorithm 2 repaired, the search visits "
    "nodes only, ends, and has the same sigma_max as Algorithm 1. The same from any other start in 1..n.",
    kind="repair of wang2016.alg3-fast",
)
def repaired(check: Check) -> None:
    """At most that of Algorithm 1 as it is a maximum over fewer nodes; at least, as it is enough for every node."""
    with check.reading("as stated", ANY) as argument:
        _agree(argument)
    check.near_miss("as stated: one node is enough", lambda argument: _agree(argument, one=True))


def _agree(argument: Argument, one: bool = False) -> None:
    _walk(argument)
    argument.cite("at most", "a maximum over visited nodes", "wang2016.claim-B1")
    argument.cite("at least", "sigma_max >= sigma_j for every j, from any start", "wang2016.fast-cases")
    argument.inequality(
        "equal", "x is the largest sigma_j, attained at some j; m is sigma_max of the search", Eq(m, x),
        [*([] if one else [m <= x]), m >= s, Eq(s, x)],
    )  # fmt: skip


@claim(
    "wang2016.x-alg2-misprint-stationary",
    where="Algorithm 2, beyond",
    statement="If X_1 has the stationary law, the largest score that Algorithm 2 finds with its third test as printed, "
    "wherever defined, is still a scale at which every node is private: nodes right of the middle have mirrored quilts.",
    kind="lemma",
    assumes=["Condition 4.6", "e(a,b) >= eps passes; a candidate with an undefined logarithm passes"],
)
def misprint(check: Check) -> None:
    """The misprint lowers scores right of the middle only; there the mirrored quilt has less influence than its bound."""
    with check.reading("as stated", "every n, pi, g and eps; F 1-Lipschitz; X_1 stationary") as argument:
        _misprint(argument)
    check.near_miss(
        "as stated: right of the middle scores are right too", lambda argument: _misprint(argument, right=True)
    )


def _misprint(argument: Argument, right: bool = False) -> None:
    argument.inequality(
        "left of the middle", "i <= (n+1)/2: the third test never holds for a real X_{i-a}", i + a <= n,
        [i - a >= 1, a >= 1, *([i <= n] if right else [2 * i <= n + 1])],
    )  # fmt: skip
    argument.inequality(
        "no score is too small there", "{X_{i-a}, X_{n+1}} gets h(n+1-i) + 2 h(a) = H + K instead of K", x >= s,
        [Eq(x * (eps - H - K), c), Eq(s * (eps - K), c), eps - H - K > 0, H >= 0, K >= 0, c > 0],
    )  # fmt: skip
    argument.inequality(
        "mirrored quilts", "j = n+1-i: {X_{j-b}, X_{j+a}} is on the chain and has as many nearby nodes", 
        And(j - b >= 1, j + a <= n, Eq((j + a - 1) - (j - b), (i + b - 1) - (i - a))),
        [Eq(j, n + 1 - i), i - a >= 1, i + b <= n],
    )  # fmt: skip
    argument.cite(
        "their left side", "at distance b: at most h(b), the start being stationary", "wang2016.x-lemA3-stationary"
    )
    argument.cite("their right side", "at distance a: at most h(a)", "wang2016.lemA2")
    argument.inequality(
        "their influence", "h(b) + h(a) is at most h(b) + 2 h(a), K = 2 h(a); one-sided ones by leaving out a term",
        s * (eps - H - K / 2) >= c, [Eq(s * (eps - H - K), c), eps - H - K > 0, H >= 0, K >= 0, c > 0],
    )  # fmt: skip
    argument.cite("privacy", "a scale of at least a score of every node", "wang2016.thm-4.4")
