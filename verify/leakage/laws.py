"""Conditional output laws P(y | s, theta): a float pass with a proven error bound beside exact
integers.

For a prior theta, a secret s and a channel, P(y | s) = sum_{x in s} theta(x) P(y | x) / theta(s).
Every term is non-negative, so the float64 values have a relative error; `tolerance` bounds that of
a ratio of two of them with room to spare. The bound needs that nothing underflows, which `reliable`
says; the pattern of zeros is then exact as well.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DENSE_ENTRIES = 20_000_000
# products of a weight and an entry above this stay normal float64 numbers
_SMALLEST_TERM = 2.0**-960


class ConditionalLaws:
    """The output laws of a channel given every secret of positive probability under one prior.

    `channel` has its rows in the order of `framework.databases`. Rows of `floats_approx` follow
    `secrets`, and `place` has their positions among all secrets.
    """

    def __init__(self, framework: Framework, channel: Channel, prior: str) -> None:
        self.framework = framework
        self.channel = channel
        self.prior = prior
        self.law = framework.laws[prior]
        masses = framework.listed.masses[prior]
        self.secrets = [name for name, mass in masses.items() if mass]
        self.row = {name: index for index, name in enumerate(self.secrets)}
        self.place = [index for index, mass in enumerate(masses.values()) if mass]
        self._exact: dict[tuple[str, int], tuple[int, int]] = {}
        self._coefficients: dict[str, tuple[tuple[int, ...], list[int], int]] = {}

    def exact(self, secret: str, output: int) -> tuple[int, int]:
        """Return P(output | secret) as an integer numerator and a positive denominator, not
        reduced.

        All outputs of one secret share the denominator.
        """
        if (single := self.single.get(secret)) is not None:
            return self.channel.numerator(single, output), self.channel.denominators[single]
        key = (secret, output)
        if key not in self._exact:
            sums = self._over_listed_rows if self.channel.scales is None else self._over_float_rows
            self._exact[key] = sums(secret, output)
        return self._exact[key]

    def exact_row(self, secret: str) -> tuple[list[int], int]:
        """Return the numerators of P(. | secret) over all outputs, and their common denominator."""
        row = [self.exact(secret, output) for output in range(len(self.channel.outputs))]
        return [numerator for numerator, _ in row], row[0][1]

    def _over_listed_rows(self, secret: str, output: int) -> tuple[int, int]:
        databases, coefficients, denominator = self._weighting(secret)
        column = self.channel.numerators_at(databases, output)
        return sum(map(int.__mul__, coefficients, column)), denominator

    def _over_float_rows(self, secret: str, output: int) -> tuple[int, int]:
        """Return sum theta(x) n(x) / d(x) over theta(s), rows of one denominator first, then sums
        by pairs: the sums d(x) of float rows have hardly a factor in common.
        """
        weights, channel = self.law.weights, self.channel
        numerators: dict[int, int] = {}
        for x in self.framework.secrets[secret]:
            if weights[x]:
                denominator = channel.denominators[x]
                term = weights[x] * channel.numerator(x, output)
                numerators[denominator] = numerators.get(denominator, 0) + term
        terms = [(above, below) for below, above in numerators.items()]
        while len(terms) > 1:
            paired = [(a * e + b * d, d * e) for (a, d), (b, e) in zip(terms[::2], terms[1::2])]
            terms = paired + terms[2 * len(paired) :]
        ((above, below),) = terms
        return above, self.framework.mass(self.prior, secret) * below

    def _weighting(self, secret: str) -> tuple[tuple[int, ...], list[int], int]:
        if secret not in self._coefficients:
            weights = self.law.weights
            databases = tuple(x for x in self.framework.secrets[secret] if weights[x])
            common = lcm(*{self.channel.denominators[x] for x in databases})
            coefficients = [weights[x] * (common // self.channel.denominators[x]) for x in databases]
            self._coefficients[secret] = (databases, coefficients, self.framework.mass(self.prior, secret) * common)
        return self._coefficients[secret]

    @cached_property
    def single(self) -> dict[str, int]:
        """The database of every secret that holds in one only: P(. | s) is its row."""
        held = self.framework.secrets
        return {name: held[name][0] for name in self.secrets if len(held[name]) == 1}

    @cached_property
    def over_one_denominator(self) -> "NDArray[np.int64] | None":
        """The rows of P(. | s) times one integer for all, in the order of `secrets`; None unless
        every secret is a database, and all their rows are integers over one number.
        """
        import numpy as np

        numerators, order = self.channel.numerators, list(self.single.values())
        listed = len(order) == len(self.secrets) and numerators.dtype == np.int64
        if not listed or len({self.channel.denominators[x] for x in order}) > 1:
            return None
        return numerators if order == list(range(len(numerators))) else numerators[order]

    @cached_property
    def floats_approx(self) -> "NDArray[np.float64]":
        """P(y | s) in float64, a row per secret; relative error `tolerance` / 2 if `reliable`."""
        import numpy as np

        entries = self.channel.floats_approx
        if len(self.single) == len(self.secrets):
            order = list(self.single.values())
            return entries if order == list(range(len(entries))) else entries[order]
        held = [self.framework.members[name] for name in self.secrets]
        scale = np.array([self.law.total / self.framework.mass(self.prior, name) for name in self.secrets])[:, None]
        if len(held) * len(entries) <= _DENSE_ENTRIES:
            chosen = np.zeros((len(held), len(entries)))
            for index, databases in enumerate(held):
                chosen[index, databases] = self._weights_approx[databases]
            return np.asarray((chosen * scale) @ entries)
        rows = [self._weights_approx[databases] @ entries[databases] for databases in held]
        return np.asarray(np.array(rows) * scale)

    def probabilities_approx(self) -> "NDArray[np.float64]":
        """P(y | s) in float64 for plots, one row per secret in `secrets`: from exact numbers
        where floats would underflow.
        """
        import numpy as np

        if self.reliable:
            return self.floats_approx
        rows = [self.exact_row(name) for name in self.secrets]
        return np.array([[number / denominator for number in numbers] for numbers, denominator in rows])

    @cached_property
    def _weights_approx(self) -> "NDArray[np.float64]":
        import numpy as np

        return np.array([weight / self.law.total for weight in self.law.weights])

    @cached_property
    def tolerance(self) -> float:
        """A bound on the relative error of a ratio of two entries of `floats_approx`, about
        four times what is proven.

        A float64 value has a relative error of at most (k + 8) * 2^-53 to first order for k terms,
        in any order of summation: conversion and division of an entry cost 3 units, the prior's
        weight 1, the product 1, the sum k - 1, the normalisation 3.
        """
        terms = max((len(self.framework.secrets[name]) for name in self.secrets), default=1)
        return (terms + 16) * 2.0**-50

    @cached_property
    def reliable(self) -> bool:
        """Whether no product in the float pass can have underflowed."""
        lightest = float(self._weights_approx.min(where=self._weights_approx > 0, initial=1.0))
        lost = any(weight and not approx for weight, approx in zip(self.law.weights, self._weights_approx.tolist()))
        return not lost and self.channel.least_positive_approx * lightest > _SMALLEST_TERM


def included(framework: Framework, prior: str, pair: Sequence[str]) -> bool:
    """Say whether both secrets of a pair have positive probability under a prior."""
    return framework.mass(prior, pair[0]) > 0 and framework.mass(prior, pair[1]) > 0


def ordered_pairs(framework: Framework, prior: str) -> Iterator[Pair]:
    """Yield every ordered pair of secrets that are positive under a prior, in file order."""
    for pair in framework.pairs:
        if included(framework, prior, pair):
            yield from framework.orders(pair)
