"""The exponential mechanism with a rational base: P(r | D) proportional to ratio^score(D, r).

Source: McSherry and Talwar, "Mechanism design via differential privacy", FOCS 2007.
"""

from collections.abc import Mapping
from fractions import Fraction

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.arguments import Number, checked_ratio, rational_root
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import text_of


def exponential_mechanism(scores: Mapping[str, Mapping[str, Number]], ratio: Number) -> Channel:
    """Return the mechanism P(r | D) = R^u(D, r) / sum over r' of R^u(D, r').

    When no score changes by more than Delta between neighbours, a numerator and a denominator
    change by at most R^Delta each: (2 Delta log R)-differentially private. Often R = e^(epsilon /
    (2 Delta)).

    Args:
        scores: database -> result -> u(D, r), an integer or a multiple of 1/2; every database
            scores the same results.
        ratio: R > 1; the square of a rational if some score is no integer, so that every entry is
            rational.

    >>> exponential_mechanism(
    ...     {"a": {"tea": 1, "coffee": 0}, "b": {"tea": 0, "coffee": "1/2"}}, "4"
    ... ).probability("b", "tea")
    Fraction(1, 3)

    Raises `ModelError` unless scores are complete, integers or half-integers, and R^(1/2) is
    rational where it is needed. Source: McSherry and Talwar 2007, Definition 2 and Theorem 6, with
    R = e^epsilon and a uniform base measure.
    """
    base = checked_ratio(ratio)
    if not scores:
        raise ModelError("expected scores for every database, found none", "scores")
    results = list(next(iter(scores.values())))
    rows = {}
    for database, scored in scores.items():
        if set(scored) != set(results):
            raise ModelError(
                f"expected scores for {results}, found {list(scored)}", f'scores["{database}"]'
            )
        weights = [
            _power(base, scored[result], f'scores["{database}"]["{result}"]') for result in results
        ]
        total = sum(weights)
        rows[database] = [weight / total for weight in weights]
    return Channel.of(rows, results)


def _power(base: Fraction, score: Number, where: str) -> Fraction:
    try:
        exponent = exact(score)
    except ModelError as error:
        raise error.within(where) from None
    if exponent.denominator == 1:
        return base**exponent.numerator
    if exponent.denominator == 2:
        return rational_root(base) ** exponent.numerator
    raise ModelError(f"expected an integer or half-integer score, found {text_of(exponent)}", where)
