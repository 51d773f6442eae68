"""Report noisy max: which of several queries has the largest noisy answer; and a published mistake.

Source: Dwork and Roth, "The algorithmic foundations of differential privacy", 2014, Section 3.3;
the incorrect variants as collected by Ding, Wang, Wang, Zhang and Kifer, "Detecting
violations of differential privacy", CCS 2018.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod

from pufferproof.examples.builders.mechanisms.arguments import checked_answers, checked_range
from pufferproof.examples.builders.mechanisms.tails import Noise, sum_of_products
from pufferproof.models.channel import Channel


def noisy_max(queries: Mapping[str, Sequence[int]], noise: Noise) -> Channel:
    """Return the index (from 1) of the largest noisy answer, the first one on ties.

    P(i | D) = sum over v of P(q_i + Z_i = v) prod_{j < i} P(q_j + Z_j < v) prod_{j > i} P(q_j + Z_j
    <= v), summed exactly over all integers. With one- or two-sided geometric noise of ratio R and
    queries that each change by at most 1 between neighbours: (2 log R)-differentially private; (log
    R) if all change in the same direction.

    Args:
        queries: database -> answers of the queries, integers.
        noise: `TwoSided(R)` or `OneSided(R)`, drawn independently for every query.

    >>> from pufferproof.examples.builders.mechanisms.tails import OneSided
    >>> noisy_max({"a": [0, 0], "b": [1, 0]}, OneSided("2")).probability("b", "1")
    Fraction(5, 6)

    Raises `ModelError` unless every database has the same positive number of integer answers.
    Source: Dwork and Roth 2014, Claim 3.9; Ding et al. 2018 for the noise 2/epsilon of general
    queries. Geometric instead of Laplace or exponential noise, hence ties, is a deviation.
    """
    answers = checked_answers(queries)
    rows = {
        database: [_wins(values, index, noise) for index in range(len(values))] for database, values in answers.items()
    }
    return Channel.of(rows, [str(index + 1) for index in range(len(next(iter(answers.values()))))])


def noisy_max_value(queries: Mapping[str, Sequence[int]], noise: Noise, least: int, most: int) -> Channel:
    """Return the largest noisy *answer* instead of its index, clamped to least..most: an incorrect
    variant.

    P(max <= v | D) = prod_j P(q_j + Z_j <= v). When all m answers move by 1, each factor of a low
    value changes by R: the level grows to m log R, and with one-sided noise the support moves, so
    that the leakage is infinite. Clamping is only there to have finitely many outputs; as
    post-processing it cannot raise the leakage.

    Args:
        queries, noise: as `noisy_max`.
        least, most: ends of the range; outputs are the integers from one to the other.

    >>> from pufferproof.examples.builders.mechanisms.tails import OneSided
    >>> noisy_max_value({"a": [0, 0], "b": [1, 1]}, OneSided("2"), 0, 3).probability("b", "0")
    Fraction(0, 1)

    Raises `ModelError` as `noisy_max` does, and unless least < most.
    Source: Ding et al. 2018, the noisy max variants that return the maximum itself.
    """
    outputs, rows = checked_range(least, most), {}
    for database, values in checked_answers(queries).items():
        tails = [noise.at_least(value).complement() for value in values]
        below = [Fraction(0), *(prod(tail.at(output) for tail in tails) for output in outputs[1:]), Fraction(1)]
        rows[database] = [after - before for before, after in pairwise(below)]
    return Channel.of(rows, [str(output) for output in outputs])


def _wins(values: Sequence[int], index: int, noise: Noise) -> Fraction:
    others = [  # q + Z < v for an earlier query, q + Z <= v for a later one
        noise.at_least(value - (place > index)).complement() for place, value in enumerate(values) if place != index
    ]
    return sum_of_products([noise.mass(values[index]), *others])
