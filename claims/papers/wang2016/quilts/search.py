"""The search for quilts on chains: Algorithms 1 and 2 as printed and repaired.

Printed algorithms are run exactly (`search_instances`). Letters: i the node of n, a and b the
distances of the quilt nodes, imaginary ones (a = i, b = n + 1 - i) included. Source: wang2016,
appendix B.
"""

from collections.abc import Callable
from dataclasses import replace

import sympy
from sympy import And, Eq, Max, Min, Or

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.quilts.instances import (
    INFINITE,
    Chain,
    Score,
    UndefinedError,
    Variant,
    chains,
    find_best,
    least_score,
)
from pufferproof.claims.papers.wang2016.quilts.search_steps import (
    LEAST,
    PASSED,
    SEARCH_NOTATION,
    prove_private,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

i, a, b, n, s, x, z, m = sympy.symbols("i a b n s x z m")
NOTATION = SEARCH_NOTATION
EVERY = "every n, pi, g and eps; F 1-Lipschitz, classes under Condition 4.6"
SMALL = (
    "n <= 6, pi in {1/2, 1/3, 1/10}, e^-g in {1/2, 2/5, 3/4}, e^eps in {5/4, 2, 3, 9, 40}, every "
    "node; smallest n first"
)
Node = tuple[Chain, int]


@claim(
    "wang2016.imaginary-nodes",
    where="Appendix B.2",
    statement="Imaginary X_0, X_{n+1}: {X_0,X_{i+b}} means {X_{i+b}}, {X_{i-a},X_{n+1}} means "
    "{X_{i-a}}, {X_0,X_{n+1}} means {}.",
    kind="definition",
)
def imaginary(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition(
            "size of X_N",
            "in all four forms X_N = i-a+1..i+b-1 has a + b - 1 nodes, all n of them for {}",
        )


@claim(
    "wang2016.alg1-basic",
    where="Algorithm 1",
    statement="sigma_max is the largest sigma_i, the first of the values that "
    "FindBestMarkovQuilt(i, eps) returns, over all nodes; the output F(D) + sigma_max Lap(1) "
    "is eps-Pufferfish for a 1-Lipschitz F and a class under Condition 4.6.",
    kind="algorithm",
    assumes=[LEAST],
)
def basic(check: Check) -> None:
    """It is the Markov quilt mechanism with the bounds of Lemma 4.7 in place of max-influences."""
    with check.reading(PRINTED, EVERY) as argument:
        _basic(argument)
    check.near_miss(
        f"{PRINTED}: bounds below max-influences", lambda argument: _basic(argument, below=True)
    )


def _basic(argument: Argument, below: bool = False) -> None:
    argument.induction(
        "the loop",
        "m is the largest of the scores so far, 0 at first, and s any of them; x is the next one",
        base=(And(m >= s, m >= 0), [Eq(m, Max(0, x)), Eq(s, x), x > 0]),
        step=(And(Max(m, x) >= x, Max(m, x) >= s, Max(m, x) >= 0), [m >= s, m >= 0]),
    )
    prove_private(argument, below)


@claim(
    "wang2016.alg2-find",
    where="Algorithm 2",
    statement="FindBestMarkovQuilt(i, eps) returns the minimal score over S_{Q,i}, and its quilt "
    "(a*, b*).",
    kind="algorithm",
    repair="wang2016.x-alg2-repaired",
)
def find(check: Check) -> None:
    """The third test has a for b; e(a,b) = eps is divided by; the threshold must not be asked
    of imaginary nodes.
    """
    literal = Variant(misprint=True, equality=True, imaginary=True)
    real = replace(literal, imaginary=False)
    for name, how, wanted, why in (
        (
            "as printed to the letter: scores it returns, where it is defined",
            literal,
            _least_or_undefined,
            TEST,
        ),
        (
            "as printed, threshold for real nodes only, where it is defined",
            real,
            _least_or_undefined,
            TEST,
        ),
        ("as printed to the letter: defined everywhere", literal, _least, ENDS),
        (
            "third test i + b = n+1, e(a,b) = eps scored as printed",
            Variant(equality=True),
            _least,
            ZERO,
        ),
        (
            "third test i + b = n+1, threshold for imaginary nodes too",
            Variant(imaginary=True),
            _least,
            ENDS,
        ),
    ):
        with check.reading(name, SMALL) as argument:
            _refute(argument, how, wanted, why)
    name = "third test i + b = n+1, e(a,b) >= eps passes, threshold for real nodes only"
    with check.reading(name, "every n, i, pi, g and eps") as argument:
        _find(argument)
    check.near_miss(
        f"{name}: third test as printed", lambda argument: _find(argument, misprint=True)
    )


TEST = (
    "The third test is printed as i + a = n+1 where i + b = n+1 is meant: it takes a two-sided "
    "quilt for {X_{i-a}} and leaves out h(b), so that the noise is too small. With i + b = n+1, "
    "and e(a,b) >= eps passed over, the least score is found"
)
ENDS = (
    "The threshold is asked of the distances to the imaginary nodes too, so that even the empty "
    "quilt, which needs none, is passed over. Asked of real quilt nodes only, it leaves at least "
    "the score n/eps"
)
ZERO = (
    "A candidate with e(a,b) = eps is not passed over, as the test is e(a,b) > eps: its score is "
    "divided by eps - e(a,b) "
)
"= 0"


def _least(at: Node, how: Variant) -> bool:
    try:
        return find_best(*at, how)[0] == least_score(*at)
    except UndefinedError:
        return False


def _least_or_undefined(at: Node, how: Variant) -> bool:
    """Whether the score is not below the least one: a smaller scale would be released."""
    try:
        return not find_best(*at, how)[0] < least_score(*at)
    except UndefinedError:
        return True


def _refute(
    argument: Argument, how: Variant, holds: Callable[[Node, Variant], bool], why: str
) -> None:
    family = [(at, node) for at in chains(6) for node in range(1, at.n + 1)]
    found = argument.exhaust(
        "smallest failure", "score found against the least one", family, lambda at: holds(at, how)
    )
    if found is not None:
        at, node = found
        argument.counterexample(
            "one node",
            f"With n = {at.n} nodes, pi = {at.pi}, e^-g = {at.q} and e^eps = {at.ratio} the least "
            f"score of X_{node} is {_shown(least_score(at, node))}. The algorithm, read in this "
            f"way, {_said(at, node, how)}. {why}",
            {
                "n": at.n,
                "i": node,
                "pi": at.pi,
                "e^-g": at.q,
                "e^eps": at.ratio,
                "least": _shown(least_score(at, node)),
                "found": _found(at, node, how),
            },
            lambda: not holds(found, how),
        )


def _shown(score: Score) -> str:
    return "infinite" if score == INFINITE else f"{score.count}/log({score.ratio})"


def _said(at: Chain, node: int, how: Variant) -> str:
    try:
        return (
            f"returns "
            f"{'the score infinity' if find_best(at, node, how)[0] == INFINITE else _found(at, node, how)}"
        )
    except UndefinedError as error:
        return f"stops with a {error}"


def _found(at: Chain, node: int, how: Variant) -> str:
    try:
        return _shown(find_best(at, node, how)[0])
    except UndefinedError as error:
        return str(error)


@claim(
    "wang2016.x-alg2-repaired",
    where="Algorithm 2, repaired",
    statement="For all n >= 1, nodes i, pi, g and eps: with i + b = n+1 in the third test, "
    "candidates with e(a,b) >= eps passed over, and the threshold asked of real quilt nodes "
    "only, FindBestMarkovQuilt(i, eps) returns the least score over S_{Q,i} with the bounds of "
    "Lemma 4.7, and a quilt (a*, b*) that has it.",
    kind="repair of wang2016.alg2-find",
)
def find_repaired(check: Check) -> None:
    """Four cases, one for each form, and a loop that keeps the least."""
    with check.reading("as stated", "every n, i, pi, g and eps") as argument:
        _find(argument)
    check.near_miss(
        "as stated: third test as printed", lambda argument: _find(argument, misprint=True)
    )


def _find(argument: Argument, misprint: bool = False) -> None:
    bounds = [a >= 1, a <= i, b >= 1, b <= n + 1 - i, i >= 1, i <= n]
    integers = [Or(Eq(a, i), a <= i - 1), Or(Eq(b, n + 1 - i), b <= n - i)]
    third = And(i - a >= 1, Eq(i + (a if misprint else b), n + 1))
    trivial, right = And(Eq(a, i), Eq(b, n + 1 - i)), And(Eq(a, i), i + b <= n)
    left, both = And(i - a >= 1, Eq(b, n + 1 - i)), And(i - a >= 1, i + b <= n)
    argument.case_split(
        "forms",
        "{}, {X_{i+b}}, {X_{i-a}}, {X_{i-a}, X_{i+b}}",
        [trivial, right, left, both],
        [*bounds, *integers],
    )
    argument.inequality(
        "the third test",
        "it holds exactly for {X_{i-a}}, what is left after it is {X_{i-a}, X_{i+b}}",
        sympy.Equivalent(third, And(i - a >= 1, Eq(b, n + 1 - i))),
        [*bounds, *integers],
    )
    argument.identity(
        "size of X_N",
        "nodes from i-a+1 to i+b-1, in all forms: 0 and n + 1 are no nodes",
        "(i + b - 1) - (i - a + 1) + 1",
        "a + b - 1",
    )
    argument.cite("influences", "0, h(b), 2 h(a) and h(b) + 2 h(a)", "wang2016.lem-4.7", met=PASSED)
    argument.induction(
        "the least",
        "s is the least of the first scores, n/eps of {} among them, z any of them; the next score "
        "is x",
        base=(s <= z, [Eq(s, z)]),
        step=(
            And(Min(s, x) <= z, Min(s, x) <= x, Or(Eq(Min(s, x), s), Eq(Min(s, x), x))),
            [s <= z],
        ),
    )
