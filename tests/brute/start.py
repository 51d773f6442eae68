"""Where the largest influence over all laws of the first record is attained, or which laws come
near it.

By influence.any-start the supremum for {X_(i-a), X_(i+b)} is a product
of P^a(x, v) / P^a(x, w), of P^(i-1)(z, w) / P^(i-1)(z, v) and of a forward ratio. The point mass of
z attains it if it reaches x at record i - a. If no such z reaches such an x, no law attains it: it
needs weight on a start that reaches x, whose middle ratio is smaller. Then the laws (1 - d) z + d u
approach it as d falls to 0, u being a start that reaches x. An infinite supremum is attained by
every law without zeros: if the middle ratio is infinite, z reaches w and not v, hence so does some
x on the way, and the values swapped have an infinite first ratio. Without a left record any law
without zeros attains it.
"""

from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.verify.influence.chain import ChainInfluence


class WorstStart(NamedTuple):
    """The supremum of e^e over laws of X_1 (None: infinite), and the law that attains or approaches
    it.

    `start` is a list of states. One state: its point mass attains the supremum. Two: (1 - d) of the
    first and d of the second approach it as d falls to 0, and nothing attains it. All states: every
    law without zeros attains it.
    """

    ratio: Fraction | None
    attained: bool
    start: tuple[int, ...]


def worst_start(influence: ChainInfluence, record: int, left: int | None, right: int | None) -> WorstStart:
    """Return the supremum over all laws of X_1 of the influence of a quilt, and where it is
    attained.

    >>> from pufferproof import MarkovChain
    >>> from pufferproof.models.sequences.chain import Along
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> worst_start(ChainInfluence(Along(chain, 9)), 2, 1, None)
    WorstStart(ratio=Fraction(3, 1), attained=False, start=(1, 0))

    Raises `ModelError` unless the laws are exact and the quilt is on the chain.
    """
    laws = influence.laws
    if laws.arithmetic.name != "exact":
        raise ModelError(f'expected "exact", found "{laws.arithmetic.name}"', "arithmetic")
    ratio = influence.any_start(record, left, right).lower
    everything = tuple(range(laws.states))
    values = influence.values_of_any_start(record)
    if left is None or ratio is None or len(values) < 2:
        return WorstStart(ratio, True, everything)
    factors = influence.factors_of_any_start(record, left, right)
    near, whole, reach = laws.power(left), laws.power(record - 1), laws.pattern(record - left - 1)
    approached: tuple[int, ...] = ()
    for v, w in permutations(values, 2):
        if influence.product(factors, v, w) != ratio:
            continue
        shown = [x for x in influence.values_of_any_start(record - left) if near[x][v]]
        outcomes = _most({x: near[x][v] / near[x][w] for x in shown})
        starts = _most({z: whole[z][w] / whole[z][v] for z in everything if whole[z][w]})
        for z in starts:
            if any(reach[z, x] for x in outcomes):
                return WorstStart(ratio, True, (z,))
        light = next(u for u in everything if reach[u, outcomes[0]])
        approached = approached or (starts[0], light)
    return WorstStart(ratio, False, approached)


def _most(ratios: dict[int, Fraction]) -> list[int]:
    """Return where the largest ratio is."""
    largest = max(ratios.values())
    return [key for key, value in ratios.items() if value == largest]
