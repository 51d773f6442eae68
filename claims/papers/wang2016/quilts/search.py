"""The search for quilts on chains: Algorithms 1 and 2 as printed and repaired.

Printed algorithms are run exactly (`instances`). A node without a left or a right quilt node has
an imaginary one, a = i or b = n + 1 - i. Source: wang2016, appendix B.
"""

from collections.abc import Callable
from dataclasses import replace

from pufferproof.claims.language import PRINTED, Proof
from pufferproof.claims.papers.wang2016.quilts import said
from pufferproof.claims.papers.wang2016.quilts import search_statements as said_search
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
from pufferproof.claims.papers.wang2016.quilts.search_steps import SEARCH_NOTATION
from pufferproof.claims.registry import Check, claim

NOTATION = SEARCH_NOTATION
AS_MEANT = "third test i + b = n+1, e(a,b) >= eps passes, threshold for real nodes only"
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
    with check.reading(PRINTED) as proof:
        proof.definition(
            "size of X_N",
            "in all four forms X_N = i-a+1..i+b-1 has a + b - 1 nodes, all n of them for {}",
        )


@claim("wang2016.alg1-basic", where="Algorithm 1", kind="algorithm", says={PRINTED: said.BASIC})
def basic(check: Check) -> None:
    """It is the Markov quilt mechanism with the bounds of Lemma 4.7 instead of max-influences.

    Influences and privacy: as in wang2016.claim-B2.
    """


@claim(
    "wang2016.alg2-find",
    where="Algorithm 2",
    statement="FindBestMarkovQuilt(i, eps) returns the minimal score over S_{Q,i}, and its quilt "
    "(a*, b*).",
    kind="algorithm",
    repair="wang2016.x-alg2-repaired",
    says={AS_MEANT: said_search.LEAST_SCORE},
)
def find(check: Check) -> None:
    """The third test has a for b; e(a,b) = eps is divided by; the threshold must not be asked
    of imaginary nodes.

    Forms: {}, {X_{i+b}}, {X_{i-a}}, {X_{i-a}, X_{i+b}}. The third test: it holds exactly for
    {X_{i-a}}, what is left after it is {X_{i-a}, X_{i+b}}. Size of X_N: nodes from i-a+1 to i+b-1,
    in all forms: 0 and n + 1 are no nodes. Influences: 0, h(b), 2 h(a) and h(b) + 2 h(a)
    [wang2016.lem-4.7]. The least: one more score.
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
        with check.reading(name, SMALL) as proof:
            _refute(proof, how, wanted, why)
    name = "third test i + b = n+1, e(a,b) >= eps passes, threshold for real nodes only"
    check.tried(name)


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
    "divided by eps - e(a,b) = 0"
)


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


def _refute(proof: Proof, how: Variant, holds: Callable[[Node, Variant], bool], why: str) -> None:
    family = [(at, node) for at in chains(6) for node in range(1, at.n + 1)]
    found = proof.exhaust(
        "smallest failure", "score found against the least one", family, lambda at: holds(at, how)
    )
    if found is not None:
        at, node = found
        proof.counterexample(
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
        infinite = find_best(at, node, how)[0] == INFINITE
        return f"returns {'the score infinity' if infinite else _found(at, node, how)}"
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
    says=said_search.LEAST_SCORE,
)
def find_repaired(check: Check) -> None:
    """Four cases, one for each form, and a loop that keeps the least.

    As in wang2016.alg2-find.
    """
