"""Conditional output laws P(y | s, theta): a float pass with a proven error bound beside exact
integers.

For a prior theta, a secret s and a channel, P(y | s) = sum_{x in s} theta(x) P(y | x) / theta(s).
Every term is non-negative, so the float64 values have a relative error; `tolerance` bounds that of
a ratio of two of them with room to spare. The bound needs that nothing underflows, which `reliable`
says; the pattern of zeros is then exact as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import gcd, lcm
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Whether the convex closure of the priors is free: does every mechanism that keeps a level for the listed priors keep
# it for all their mixtures?
#
# Mixtures of two priors are enough. With p, q the probabilities of s and s' and mu, nu the laws given them, two priors
# that allow both secrets add nothing iff p_1/q_1 = p_2/q_2, or mu_1 = mu_2, or nu_1 = nu_2; a prior that excludes s'
# adds nothing if mu is that of the other, one that excludes both never does. Laws are compared where databases are
# listed and not too many, odds along records too. This asks nothing of a mechanism;
# `pufferproof.verify.leakage.mixtures` decides about one.

RESTS_ON = ("general.mixture-dichotomy", "general.mixtures-of-two", "general.prior-mixture-bound", "worst.mixtures")
CLAIMS = ("general.mixture-dichotomy", "general.prior-mixture-bound")
_MOST_WEIGHTS = 2_000_000  # of databases in secrets, under all priors
_FEW = 1 << 12  # databases made of records that are listed for this
_NEAR = 200  # records from the first whose law is multiplied out
_ODDS = "the odds of the secrets differ, and the laws given each of them"


@dataclass(frozen=True, repr=False)
class Mixtures(Readable, Plain):
    """Whether mixtures are free; where that is not shown, the first two priors and the pair of
    secrets that stand against it, or why it is not known.
    """

    free: Decision
    priors: tuple[str, str] | None = None
    pair: Pair | None = None
    reason: str | None = None

    def as_json(self) -> JsonObject:
        """Return the object of the file formats."""
        return super().as_json() | {"claims": list(CLAIMS)}

    def __str__(self) -> str:
        if self.free is Decision.HOLDS:
            return "a level kept for the listed priors is kept for all their mixtures"
        may = "may" if self.free is Decision.FAILS else "are not known not to"
        names = "" if self.priors is None else f" for {self.priors[0]!r} and {self.priors[1]!r}"
        pair = "" if self.pair is None else f", {self.pair[0]!r} against {self.pair[1]!r}"
        return f"mixtures {may} break a level kept for the listed priors: {self.reason}{names}{pair}"


def free_mixtures(framework: Framework) -> Mixtures | None:
    """Return whether the convex closure of the priors is free; None of one prior, and where the
    closure is asked for.

    >>> from pufferproof import Table
    >>> priors = {"l": Table({"a": "1/4", "c": "3/4"}), "m": Table({"b": "3/4", "d": "1/4"})}
    >>> secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    >>> mixtures = free_mixtures(Framework("abcd", secrets, [("s", "t")], priors))
    >>> mixtures.free.name, mixtures.reason
    ('FAILS', 'the odds of the secrets differ, and the laws given each of them')

    Args: framework: with a list of priors.
    """
    if len(framework.priors) < 2 or framework.closure == "convex":
        return None
    known = {name: _secrets(framework, name) for name in framework.priors}
    if any(each is None for each in known.values()):
        return Mixtures(Decision.UNDECIDED, reason="the laws of so many databases are not compared")
    for one, other in combinations(framework.priors, 2):
        first, second = known[one] or {}, known[other] or {}
        for pair in _suspects(framework, first, second):
            if _adds(first, second, pair):
                return _against(framework, (one, other), pair, first, second)
    return Mixtures(Decision.HOLDS)


def expect_free(framework: Framework, why: str) -> None:
    """Raise `ModelError`, saying why and what to do, where mixtures of the priors are asked for and
    may break a level that is kept for the priors.
    """
    if framework.closure == "list":
        return
    mixtures = free_mixtures(framework.of_list())
    if mixtures is not None and mixtures.free is not Decision.HOLDS:
        raise ModelError(
            f'expected "list", found "convex": {why}, and {mixtures}; "list" answers for the '
            "priors alone, and audit of listed outputs for their mixtures",
            "closure",
        )


@dataclass(frozen=True)
class _SecretLaw:
    """The probability of a secret under a prior, and its law as coprime weights or None."""

    mass: Fraction
    law: tuple[int, ...] | None

    def same_law(self, other: "_SecretLaw") -> bool:
        """Whether both laws are known and equal, as they are of a secret that neither allows."""
        return self.law is not None and self.law == other.law


_Secrets = Mapping[str, _SecretLaw]


def _secrets(framework: Framework, prior: str) -> dict[str, _SecretLaw] | None:
    """Return every secret under a prior, or None if probabilities are not computed."""
    records = framework.records
    if records is not None:
        few = records.enumerable and len(records.alphabet) ** records.count <= _FEW
        if framework.along_records and not few:
            chain, count = framework.chains[prior], framework.expect_records().count
            places = framework.places
            laws = {record: _marginal(chain, record, count) for record, _ in places.values()}
            if any(law is None for law in laws.values()):
                return None
            return {name: _SecretLaw((laws[record] or ())[value], None) for name, (record, value) in places.items()}
        if not records.enumerable:
            return None
    if len(framework.priors) * sum(map(len, framework.secrets.values())) > _MOST_WEIGHTS:
        return None
    law = framework.laws[prior]
    secrets = {}
    for name, databases in framework.secrets.items():
        weights = [law.weights[x] for x in databases]
        common = max(1, gcd(*weights))
        mass = Fraction(framework.mass(prior, name), law.total)
        secrets[name] = _SecretLaw(mass, tuple(weight // common for weight in weights))
    return secrets


def _marginal(chain: Chain, record: int, count: int) -> tuple[Fraction, ...] | None:
    """Return the law of a record, or None if it is not multiplied out."""
    if chain.rows is not None:
        return tuple(chain.rows[record - 1])
    if chain.emission is not None:
        return None
    if chain.stationary:
        return tuple(chain.start)
    return tuple(chain.along(count).law(record)) if record <= _NEAR else None


def _suspects(framework: Framework, first: _Secrets, second: _Secrets) -> Iterable[Pair]:
    """Return the pairs whose secrets' laws may tell the priors apart."""
    apart = [name for name in first if not first[name].same_law(second[name])]
    times = {first[name].mass / second[name].mass if second[name].mass else None for name in apart}
    return framework.pairs if len(times) > 1 else ()


def _adds(first: _Secrets, second: _Secrets, pair: Pair) -> bool:
    """Whether mixtures of two priors are not shown to add nothing for a pair.

    That decides one pair and two priors; of several, it has to hold for each two. Both products are
    0 where no mixture allows both secrets, or a prior allows neither, so that every mixture has the
    laws of the other.
    """
    (s1, t1), (s2, t2) = ((of[pair[0]], of[pair[1]]) for of in (first, second))
    if s1.same_law(s2) or t1.same_law(t2):
        return False
    return s1.mass * t2.mass != s2.mass * t1.mass


def _against(framework: Framework, priors: tuple[str, str], pair: Pair, first: _Secrets, second: _Secrets) -> Mixtures:
    """Return the answer where two priors and a pair stand against free mixtures."""
    parts = [of[name] for of in (first, second) for name in pair]
    if not all(part.mass for part in parts):
        excluded = "one of the secrets is impossible under one of the priors"
        return Mixtures(Decision.UNDECIDED, priors, pair, excluded)
    if any(part.law is None for part in parts):
        return Mixtures(
            Decision.UNDECIDED,
            priors,
            pair,
            "the odds of the secrets differ, and the laws given them are too long to compare",
        )
    alone = len(framework.priors) == 2 and len(framework.pairs) == 1 and not framework.one_sided
    return Mixtures(Decision.FAILS if alone else Decision.UNDECIDED, priors, pair, _ODDS)


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
        if secret not in self._coefficients:
            weights = self.law.weights
            databases = tuple(x for x in self.framework.secrets[secret] if weights[x])
            common = lcm(*{self.channel.denominators[x] for x in databases})
            coefficients = [weights[x] * (common // self.channel.denominators[x]) for x in databases]
            self._coefficients[secret] = (databases, coefficients, self.framework.mass(self.prior, secret) * common)
        databases, coefficients, denominator = self._coefficients[secret]
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
