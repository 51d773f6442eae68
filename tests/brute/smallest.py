"""The smallest frameworks in which budgets collapse: families listed from small to large, every
member decided.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

from pufferproof.counterexamples.collapse.search import Collapse, NotFound, search_collapse
from pufferproof.lp.cones.separation import Limit
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.tables import Table


def smallest_framework(
    frameworks: Iterable[Framework], budgets: Sequence[Level | str], seconds: float | None = None
) -> tuple[Framework, Collapse] | NotFound:
    """Return the first framework of a family, given from small to large, in which the budgets
    collapse.

    A framework that stays undecided ends the search: what comes after it would not be proved
    smallest. `NotFound` says how many were searched.

    >>> smallest_framework(one_pair_frameworks(5), ["log(1)"])[0]
    Framework(3 databases, 2 secrets, 1 pair, 1 prior)
    """
    limit, searched = Limit(seconds), 0
    for framework in frameworks:
        found = search_collapse(framework, budgets, seconds=limit.left)
        if isinstance(found, Collapse):
            return framework, found
        if isinstance(found, NotFound):
            return NotFound(f"{searched} frameworks without collapse, then undecided: {found.searched}")
        searched += 1
    return NotFound(f"{searched} frameworks, none with a collapse within {', '.join(map(str, budgets))}: all decided")


def one_pair_frameworks(largest: int, weights: int = 1) -> Iterator[Framework]:
    """Yield one pair of complementary secrets with one prior: 2 .. `largest` databases, weights 1
    .. `weights`.

    By number of databases, then by the size of the first secret (the smaller one), then by weights.
    """
    labels = "abcdefghijklmnopqrstuvwxyz"
    if largest > len(labels):
        raise ModelError(f"expected at most {len(labels)} databases, found {largest}")
    for size in range(2, largest + 1):
        for inside in range(1, size // 2 + 1):
            sides = [combinations_with_replacement(range(1, weights + 1), n) for n in (inside, size - inside)]
            for first, second in product(*map(list, sides)):
                mass: Mapping[str, int] = dict(zip(labels, (*first, *second)))
                prior = Table({x: Fraction(w, sum(mass.values())) for x, w in mass.items()})
                held = {"s": list(labels[:inside]), "t": list(labels[inside:size])}
                yield Framework(list(labels[:size]), held, [("s", "t")], {"theta": prior})
