"""The Markov quilt mechanism from its definition: every quilt of every record, scores in
doubles from exact influences.
"""

from math import inf, log

from tests.brute.influence import INFINITE, influence

from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence


def all_quilts(length, record):
    """Yield (left, right, card of the nearby set) of every quilt in the literature's search set."""
    for left in (None, *range(1, record)):
        for right in (None, *range(1, length - record + 1)):
            first = 1 if left is None else record - left + 1
            last = length if right is None else record + right - 1
            yield left, right, last - first + 1


def by_enumeration(chain, length):
    """Influence of a quilt by listing all sequences."""
    initial = chain.initial_law()

    def of(record, left, right):
        others = ([] if left is None else [record - left]) + ([] if right is None else [record + right])
        return influence(initial, chain.transition, length, record, others)

    return of


def by_tables(chain, length):
    """Influence of a quilt from exact kernels, which are tested against enumeration elsewhere."""
    table = ChainInfluence(Along(chain, length))
    return lambda record, left, right: table.of(record, left, right).lower


def brute_scores(influences, length, epsilon):
    """Return record -> {quilt: score}, the largest of several influences taken for each quilt."""
    found = {}
    for record in range(1, length + 1):
        scores = {}
        for left, right, nearby in all_quilts(length, record):
            ratios = [of(record, left, right) for of in influences]
            e = inf if INFINITE in ratios else log(max(ratios))
            scores[left, right] = nearby / (epsilon - e) if e < epsilon else inf
        found[record] = scores
    return found
