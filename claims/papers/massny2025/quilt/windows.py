"""The windows of the Markov quilt mechanism on small chains, exactly as algorithm 1 prints them.

Levels are ratios e^eps; D* is found from powers of the chain. Source: massny2025, appendix C,
algorithm 1.
"""

from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    max_influence,
)

Window = tuple[str, int, int]
"""The branch, Dl and Dr."""


def window(at: Instance) -> Window:
    """Run algorithm 1; p = 1 is decided before i1(p - 1), which is infinite there."""
    of, count, private, ratio = at
    whole, half = first_distance(of, ratio), first_distance(of, ratio, 2)
    if (
        private == 1
        or ratio < max_influence(of, count + 1 - private) * max_influence(of, private - 1)
        or private + whole - 2 * half < 0
    ):
        return "one-sided", private - 1, min(whole, count - private)
    return "two-sided", half, half


def inside(at: Instance) -> bool:
    """Say whether the window lies in 1 .. n."""
    _, left, right = window(at)
    return at.private - left >= 1 and at.private + right <= at.length


def released_by(at: Instance, left: int, right: int) -> int:
    """The number of records outside p - left .. p + right."""
    return max(at.private - left - 1, 0) + max(at.length - at.private - right, 0)
