"""Rankings of K out of m candidates by their scores: peeling and its one-shot form, exactly.

Peeling draws without replacement: in round k a candidate r that is left has probability
proportional to B^u(D, r). The one-shot form adds independent Gumbel noise of scale 1/log B to all
scores at once and ranks the K largest; both have the law

    P(r_1 .. r_K | D) = prod_k B^u(D, r_k) / sum over r not in {r_1 .. r_(k-1)} of B^u(D, r).

If no score changes by more than Delta between neighbours, a factor changes by at most B^(2 Delta):
(2 K Delta log B)-differentially private; a level epsilon is kept with log B = epsilon / (2 K
Delta).

Source: bai2026, section 7.1.3; for the one-shot form, Durfee and Rogers, "Practical differentially
private top-k selection with pay-what-you-get composition", NeurIPS 2019.
"""

from collections.abc import Mapping
from itertools import permutations

from pufferproof.claims.papers.bai2026.experiments.setting.rules import ranking_probability
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, checked_ratio
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import text_of

RESTS_ON = ("general.gumbel-top-k", "general.peeling")
_SEPARATOR = ">"


def peeling(scores: Mapping[str, Mapping[str, Number]], ratio: Number, count: int) -> Channel:
    """Return the mechanism that draws `count` candidates one after the other, the ranking being the
    order of draws.

    >>> peeling({"a": {"x": 1, "y": 0, "z": 0}}, 2, 2).probability("a", "x>y")
    Fraction(1, 4)

    Args:
        scores: database -> candidate -> u(D, r), an integer; every database scores the same
            candidates.
        ratio: B > 1.
        count: K, from 1 to the number of candidates.

    Raises `ModelError` unless scores are complete and integers, and the count is in range.
    """
    base = checked_ratio(ratio)
    candidates = _candidates(scores, count)
    rankings = list(permutations(candidates, count))
    rows = {}
    for database, scored in scores.items():
        weights = {each: base ** _integer(scored[each], f'scores["{database}"]["{each}"]') for each in candidates}
        rows[database] = [ranking_probability(ranking, weights) for ranking in rankings]
    return Channel.of(rows, [_SEPARATOR.join(ranking) for ranking in rankings])


def _candidates(scores: Mapping[str, Mapping[str, Number]], count: int) -> list[str]:
    if not scores:
        raise ModelError("expected scores for every database, found none", "scores")
    candidates = list(next(iter(scores.values())))
    for database, scored in scores.items():
        if set(scored) != set(candidates):
            raise ModelError(f"expected scores for {candidates}, found {list(scored)}", f'scores["{database}"]')
    if not 1 <= count <= len(candidates):
        raise ModelError(f"expected from 1 to {len(candidates)}, found {count}", "count")
    if any(_SEPARATOR in each for each in candidates):
        raise ModelError(f'expected names without "{_SEPARATOR}"', "scores")
    return candidates


def _integer(score: Number, where: str) -> int:
    value = exact(score)
    if value.denominator != 1:
        raise ModelError(f"expected an integer score, found {text_of(value)}", where)
    return value.numerator
