"""Randomized response: report the true value, or with some probability another one.

Source: Warner, "Randomized response: a survey technique for eliminating evasive answer bias", JASA
1965; for k values Kairouz, Oh and Viswanath, "Extremal mechanisms for local differential privacy",
JMLR 2016.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, checked_ratio
from pufferproof.models.priors.records import Records


def randomized_response(values: Sequence[str], ratio: Number) -> Channel:
    """Return k-ary randomized response on one value.

    P(y | x) = R / (R + k - 1) if y = x, else 1 / (R + k - 1): log(R)-differentially private,
    tightly.

    Args:
        values: the k >= 2 values, both databases and outputs.
        ratio: R = e^epsilon > 1.

    >>> randomized_response("abc", "2").probability("a", "a")
    Fraction(1, 2)

    Raises `ModelError` unless there are at least two distinct values and R > 1. Source: Kairouz, Oh
    and Viswanath 2016, the k-ary mechanism, with e^epsilon = R; Warner 1965 for k = 2.
    """
    keep, switch = _probabilities(values, ratio)
    return Channel.of({true: [keep if true == shown else switch for shown in values] for true in values}, list(values))


def record_randomized_response(records: Records, ratio: Number) -> Channel:
    """Return independent k-ary randomized response on every record of a sequence.

    P(y_1 .. y_n | x_1 .. x_n) = prod_t P(y_t | x_t): log(R)-differentially private when databases
    that differ in one record are neighbours. Outputs are labelled like databases.

    >>> record_randomized_response(Records(2, ("0", "1")), "3").probability("00", "01")
    Fraction(3, 16)

    Raises `ModelError` as `randomized_response` does.
    """
    keep, switch = _probabilities(records.alphabet, ratio)
    sequences = list(product(records.alphabet, repeat=records.count))
    labels = records.labels()
    rows = {
        label: [
            prod((keep if x == y else switch for x, y in zip(true, shown)), start=Fraction(1)) for shown in sequences
        ]
        for label, true in zip(labels, sequences)
    }
    return Channel.of(rows, labels)


def _probabilities(values: Sequence[str], ratio: Number) -> tuple[Fraction, Fraction]:
    if len(set(values)) < max(2, len(values)):
        raise ModelError(f"expected at least two distinct values, found {list(values)}", "values")
    base = checked_ratio(ratio)
    total = base + len(values) - 1
    return base / total, 1 / total
