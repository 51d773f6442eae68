"""The small chains, redactions and levels on which statements of this paper are tried.

Chains of bits are drawn from a list that has all signs of the eigenvalue, a = b, and values near 0
and 1. Levels are ratios e^eps. Definitions are those of `instances`.
"""

from collections.abc import Callable, Sequence
from itertools import product

from pufferproof.claims.language.statements import Draws, Fraction, Instance
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    NEVER,
    Chain,
    Redaction,
    chain,
    chains,
    pointwise,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import medium, regions

F = Fraction
ONE = F(1)
SPECIAL = [("1/100", "4/5"), ("1/10", "1/10"), ("9/10", "9/10"), ("4/5", "14/15"), ("1/100", "1/2")]
POOL = [*chains(5), *(chain(a, b) for a, b in SPECIAL)]
BY_SIGN = {
    sign: [of for of in POOL if (of.eigenvalue > 0) - (of.eigenvalue < 0) == sign]
    for sign in (1, -1, 0)
}
EDGES = [
    Chain(*of)
    for of in product([F(1, 100), F(1, 10), F(9, 10), F(99, 100)], repeat=2)
    if of[0] <= of[1]
]
ORDERED = "a <= b"
IS_ORDERED: dict[str, Callable[..., bool]] = {ORDERED: lambda of, **_: of.a <= of.b}
FALLING, STEEP = chain("1/2", "1/3"), chain("14/15", "4/5")
"""Two chains with a > b, the second one with lam < 0."""
REDACTED = [F(1), F(0), F(1, 2), F(1, 4), F(3, 4)]
LEVELS = [F(2), F(3, 2), F(5, 4), F(9, 4), F(4), F(11, 10), F(21, 20), F(9), F(25)]


def any_chain(draws: Draws, ordered: bool = True) -> Chain:
    """Draw a chain of any sign of the eigenvalue, lam = 0 seldom; one in two has a > b unless
    ordered.
    """
    of = draws.either(BY_SIGN[draws.among([1, -1, 1, -1, 1, -1, 0])], EDGES)
    return Chain(of.b, of.a) if not ordered and draws.whether() else of


def place(draws: Draws, longest: int, shortest: int = 1) -> tuple[int, int]:
    """Draw n and p in 1..n."""
    n = shortest + draws.below(longest - shortest + 1)
    return n, 1 + draws.below(n)


def redaction(draws: Draws, n: int, p: int, hidden: bool = True) -> Redaction:
    """Draw r_1..r_n: half of the records are redacted or released whatever their value; X_p is
    redacted if `hidden`, else often.
    """
    drawn = []
    for t in range(1, n + 1):
        same = draws.whether()
        pair = draws.among(REDACTED), draws.among(REDACTED)
        drawn.append((pair[0], pair[0]) if same else pair)
        if t == p and (hidden or draws.whether()):
            drawn[-1] = ALWAYS
    return drawn


def independent_of_data(draws: Draws, n: int, p: int, hidden: bool = True) -> Redaction:
    """Draw a data-independent mechanism, with r_t of 0 and 1 most often."""
    drawn = []
    for t in range(1, n + 1):
        r = draws.among([F(1), F(0), F(1), F(0), F(1, 2), F(1, 4)])
        drawn.append(ALWAYS if t == p and (hidden or draws.below(4)) else (r, r))
    return drawn


def is_independent_of_data(r: Redaction) -> bool:
    """Whether r_t(0) = r_t(1) for all t."""
    return all(zero == one for zero, one in r)


def shown(r: Redaction) -> list[int]:
    """Return R_rel, the records that are not always redacted."""
    return [t for t, each in enumerate(r, 1) if each != ALWAYS]


def pattern(n: int, kept: Sequence[int]) -> Redaction:
    """Release some records always, the others never."""
    return [NEVER if t in kept else ALWAYS for t in range(1, n + 1)]


def budget(draws: Draws, of: Chain) -> F:
    """Draw e^eps' > 1: often the influence of a value 0, so that M has a record, or of a value 1,
    or a number between or elsewhere.
    """
    D = draws.among([1, 2, 3])
    zero, one = pointwise(of, D, 0), pointwise(of, D, 1)
    drawn = draws.among([zero, (zero + one) / 2, zero, one, draws.among(LEVELS)])
    return drawn if drawn > 1 else draws.among(LEVELS)


def three_regions(draws: Draws, longest: int = 4) -> Instance:
    """A chain with a <= b of one to `longest` records, p, budgets left and right, the regions
    that they give (p in L), and q_t in (0, 1] for M, often near 1.
    """
    of, (n, p) = any_chain(draws), place(draws, longest)
    left, right = budget(draws, of), budget(draws, of)
    split = regions(of, n, p, left, right)
    sizes = [F(1), F(3, 4), F(9, 10), F(1, 2), F(1, 4)]
    q = {t: draws.among(sizes) for t in medium(split)}
    return {"of": of, "p": p, "left": left, "right": right, "split": split, "q": q}


def e1(of: Chain, distance: int) -> F:
    """e^i1(D), from the powers of the matrix."""
    return pointwise(of, distance, 1)


def chain_and_distance(draws: Draws) -> Instance:
    """A chain with a <= b, of any sign of lam, and a distance D from 1 to 6."""
    return {"of": any_chain(draws), "D": 1 + draws.below(6)}


def any_chain_and_distance(draws: Draws) -> Instance:
    """A chain, with a > b half of the time, of any sign of lam, and a distance D from 1 to 6."""
    return {"of": any_chain(draws, ordered=False), "D": 1 + draws.below(6)}
