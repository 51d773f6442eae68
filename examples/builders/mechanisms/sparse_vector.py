"""The sparse vector technique on integer answers, and four published variants that do not keep
their promise.

Queries are answered "+" (above a noisy threshold) or "-" (below), in order, until `cutoff` answers
were "+". Probabilities are summed exactly over the noisy threshold. Geometric noise of ratio R
stands where the publications have Laplace noise of scale 1 / log(R); queries have sensitivity 1.

Source: Lyu, Su and Li, "Understanding the sparse vector technique for differential privacy", PVLDB
2017, whose numbering is used: Algorithm 1 is correct; 3 (Roth 2011), 4 (Lee and Clifton 2014), 5
(Stoddard et al. 2014), 6 (Chen et al. 2015) are not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from pufferproof.examples.builders.mechanisms.arguments import checked_answers, checked_range
from pufferproof.examples.builders.mechanisms.tails import Tail, TwoSided, sum_of_products, up_to
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, checked_ratio

Answers = Mapping[str, Sequence[int]]


def sparse_vector(
    queries: Answers, threshold: int, threshold_ratio: Number, query_ratio: Number, cutoff: int
) -> Channel:
    """Return the correct sparse vector technique.

    (log R_1 + 2 c log R_2)-differentially private for queries of sensitivity 1: shift the threshold
    noise by 1 and the noise of each of the at most c answers "+" by 2.

    Args:
        queries: database -> answers of the queries, integers.
        threshold: T.
        threshold_ratio, query_ratio: R_1 = e^epsilon_1 and R_2 = e^(epsilon_2 / (2 c)), both above
            1.
        cutoff: c >= 1, the number of answers "+" after which it stops.

    >>> sparse_vector({"a": [0, 0], "b": [1, 1]}, 1, "2", "2", 1).outputs
    ('--', '-+', '+')

    Raises `ModelError` unless every database has the same positive number of integer answers,
    ratios exceed 1 and c >= 1. Source: Lyu, Su and Li 2017, Algorithm 1.
    """
    return _signs(queries, threshold, threshold_ratio, TwoSided(query_ratio).at_least, cutoff)


def lee_clifton(queries: Answers, threshold: int, ratio: Number, cutoff: int) -> Channel:
    """Return Algorithm 4, in which the noise of the queries does not grow with the cutoff: an
    incorrect variant.

    R_1 = R and R_2 = R^3 with R = e^(epsilon / 4). Claimed epsilon = 4 log R; what holds is (1 +
    6c) log R.

    >>> lee_clifton({"a": [0], "b": [1]}, 1, "2", 1).probability("b", "+")
    Fraction(262, 405)

    Args, Raises: as `sparse_vector`. Source: Lee and Clifton, "Top-k frequent itemsets via
    differentially private FP-trees", KDD 2014.
    """
    base = checked_ratio(ratio)
    return _signs(queries, threshold, base, TwoSided(base**3).at_least, cutoff)


def stoddard(queries: Answers, threshold: int, ratio: Number) -> Channel:
    """Return Algorithm 5, with no noise on the queries and no cutoff: an incorrect variant.

    R_1 = R = e^(epsilon / 2). Claimed epsilon = 2 log R; no epsilon holds, since q_1 < x <= q_2 is
    impossible when q_1 >= q_2.

    >>> stoddard({"a": [0, 1], "b": [1, 0]}, 1, "2").probability("b", "-+")
    Fraction(0, 1)

    Args, Raises: as `sparse_vector`. Source: Stoddard, Chen and Machanavajjhala, "Differentially
    private algorithms for empirical machine learning", 2014.
    """
    return _signs(queries, threshold, ratio, up_to, None)


def chen(queries: Answers, threshold: int, ratio: Number) -> Channel:
    """Return Algorithm 6, with noise on the queries but no cutoff: an incorrect variant.

    R_1 = R_2 = R = e^(epsilon / 2). Claimed epsilon = 2 log R; no epsilon holds for every number of
    queries.

    >>> chen({"a": [0, 0], "b": [1, 1]}, 1, "2").outputs
    ('--', '-+', '+-', '++')

    Args, Raises: as `sparse_vector`. Source: Chen, Xiao, Zhang and Xu, "Differentially private
    high-dimensional data publication via sampling-based inference", KDD 2015.
    """
    return _signs(queries, threshold, ratio, TwoSided(ratio).at_least, None)


def roth_notes(queries: Answers, threshold: int, ratio: Number, cutoff: int, least: int, most: int) -> Channel:
    """Return Algorithm 3, which releases the noisy answer instead of "+": an incorrect variant.

    R_1 = R^c and R_2 = R with R = e^(epsilon / (2 c)). Claimed epsilon = 2 c log R; no epsilon
    holds for every number of queries, since a released v tells that the noisy threshold is at most
    v. A released value v is written "=v". Values are clamped to least..most to have finitely many
    outputs: as post-processing this cannot raise the leakage.

    Args:
        queries, threshold, cutoff: as `sparse_vector`.
        ratio: R > 1.
        least, most: ends of the range of released values; every answer lies between them.

    >>> roth_notes({"a": [0], "b": [1]}, 1, "2", 1, 0, 1).outputs
    ('-', '=0', '=1')

    Raises `ModelError` as `sparse_vector` does, and unless least < most and all answers lie between
    them. Source: Roth, lecture notes "The sparse vector technique", 2011.
    """
    base, values, noise = checked_ratio(ratio), checked_range(least, most), TwoSided(ratio)
    for database, answers in checked_answers(queries).items():
        if not all(answer in values for answer in answers):
            raise ModelError(
                f"expected answers from {least} to {most}, found {list(answers)}", f'queries["{database}"]'
            )

    def symbols(answer: int) -> dict[str, Tail]:
        shown = {f"={value}": _shown(noise, answer, value, values) for value in values}
        return {"-": noise.at_least(answer).complement(), **shown}

    return _release(queries, threshold, base ** _checked_cutoff(cutoff), symbols, cutoff)


def _signs(
    queries: Answers, threshold: int, ratio: Number, at_least: Callable[[int], Tail], cutoff: int | None
) -> Channel:
    def symbols(answer: int) -> dict[str, Tail]:
        return {"-": at_least(answer).complement(), "+": at_least(answer)}

    return _release(queries, threshold, ratio, symbols, None if cutoff is None else _checked_cutoff(cutoff))


def _release(
    queries: Answers, threshold: int, ratio: Number, symbols: Callable[[int], Mapping[str, Tail]], cutoff: int | None
) -> Channel:
    """Return the channel whose i-th symbol s has, at noisy threshold x, probability
    `symbols(q_i)[s].at(x)`.

    With x the noisy threshold, P(output | D) = sum over integers x of P(T + Z = x) prod_i P(q_i +
    Z_i >= x or < x).
    """
    start, rows = TwoSided(checked_ratio(ratio)).mass(threshold), {}
    for database, answers in checked_answers(queries).items():
        factors = [symbols(answer) for answer in answers]
        rows[database] = {
            "".join(output): sum_of_products([start, *(factor[symbol] for factor, symbol in zip(factors, output))])
            for output in _outputs([list(factor) for factor in factors], cutoff)
        }
    return Channel.of(rows)


def _outputs(alphabets: Sequence[Sequence[str]], cutoff: int | None) -> Iterator[tuple[str, ...]]:
    """List the sequences of symbols, ending with the last query or the cutoff-th symbol other
    than "-".
    """
    if not alphabets or cutoff == 0:
        yield ()
        return
    for symbol in alphabets[0]:
        left = cutoff if cutoff is None or symbol == "-" else cutoff - 1
        for rest in _outputs(alphabets[1:], left):
            yield symbol, *rest


def _shown(noise: TwoSided, answer: int, value: int, values: range) -> Tail:
    """Return x -> P(x <= answer + Z, and answer + Z clamped to the range is `value`)."""
    zero, alpha = Fraction(0), 1 / Fraction(noise.ratio)
    least, most = values[0], values[-1]
    if value == most:  # answer <= most, so P(answer + Z >= max(x, most)) is constant up to most, then a power
        top = noise.at_least(answer).at(most)
        return Tail(most, alpha, (top, zero), (zero, top))
    if value == least:  # least <= answer, so for x <= least P(x <= answer + Z <= least) is a constant less a power
        below = 1 - noise.at_least(answer).at(least + 1)
        return Tail(least + 1, alpha, (below, -(alpha ** (answer - least)) / (1 + alpha)), (zero, zero))
    return Tail(value + 1, alpha, (noise.mass(answer).at(value), zero), (zero, zero))


def _checked_cutoff(cutoff: int) -> int:
    if isinstance(cutoff, bool) or not isinstance(cutoff, int) or cutoff < 1:
        raise ModelError(f"expected an integer of at least 1, found {cutoff!r}", "cutoff")
    return cutoff
