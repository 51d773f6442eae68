"""What releases that tell little of every reading may leak of normal records: per-record levels to
a promise.

A release has level l_j at record j if |log p(w | x) - log p(w | x')| <= l_j |x_j - x_j'| for x and
x' that differ there alone. With c_j = Cov(X_j, X_i) / Var(X_i) the log-density of an output given
X_i = x changes by at most Q = sum_j l_j |c_j| a unit, which is all that `points` and `windows` use
of Laplace noise. Sums of the records with the signs of c, for every level l one with Laplace noise
of scale 1/l, reach it. `Correlated` bounds sum_j |c_j| by the largest correlation alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.text import brief, text_of
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.noise.normal.points import LawShift, slopes_of

RESTS_ON = ("normal.levels",)
CORRELATIONS_REST_ON = ("normal.levels", "normal.bdp")
Levels = Sequence[tuple[Fraction, Fraction]]  # of every record: e^level = ratio e^nats


def translated(framework: PointFramework, levels: Levels) -> list[LawShift]:
    """Return the shifts of signed sums that leak most for these levels, for every prior and pair.

    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> law = Normal(coefficient="-1/2", variance=1)
    >>> framework = PointFramework(3, {"s": (1, 0), "t": (1, 2)}, [("s", "t")], {"p": law})
    >>> (shift,) = translated(framework, [(Fraction(1), Fraction(1))] * 3)
    >>> shift.power.nats  # 2 (1 + 1/2 + 1/4)
    Fraction(7, 2)
    """
    return list(_translated(framework, levels))


@dataclass(frozen=True)
class Correlated:
    """The m records that depend on a secret one, with it, and their largest correlation rho."""

    members: tuple[int, ...]
    largest: Fraction

    @classmethod
    def of(cls, law: Normal, record: int, count: int) -> "Correlated":
        """Return the group of a record. Raises `ModelError` unless it has one variance.

        >>> law = Normal(0, [[1, "1/4", 0], ["1/4", 1, 0], [0, 0, 9]])
        >>> Correlated.of(law, 1, 3)
        Correlated(members=(1, 2), largest=Fraction(1, 4))
        """
        if law.covariance is None:
            rho = law.coefficient or Fraction(0)
            return cls(tuple(range(1, count + 1)) if rho else (record,), abs(rho))
        members, waiting = {record}, [record]
        while waiting:
            one = waiting.pop()
            joined = {j for j, s in enumerate(law.covariance[one - 1], 1) if s} - members
            members |= joined
            waiting += joined
        variance, group = law.covariance_of(record, record), tuple(sorted(members))
        for other in group:
            if law.covariance_of(other, other) != variance:
                raise ModelError(
                    f"expected one variance of records that depend on one another, found "
                    f"{brief(variance)} of record {record} and "
                    f"{brief(law.covariance_of(other, other))} of record {other}: correlations "
                    f"alone do not tell (claim normal.bdp-variances)"
                )
        sizes = (abs(law.covariance_of(j, k)) for j, k in combinations(group, 2))
        return cls(group, max(sizes, default=Fraction(0)) / variance)

    @property
    def factor(self) -> Fraction:
        """1 + m^2 / (4 (1/rho - m + 2)), times which a record's own change is told at most
        (claim normal.bdp). Raises `ModelError` unless rho < 1 / (m - 2).
        """
        m, rho = len(self.members), self.largest
        if (m - 2) * rho >= 1:
            raise ModelError(
                f"expected correlations below 1/{m - 2}, as {m} records depend on one another, found {brief(rho)}"
            )
        return 1 + m * m * rho / (4 * (1 - (m - 2) * rho))


def _translated(framework: PointFramework, levels: Levels) -> Iterator[LawShift]:
    for name, law in framework.priors.items():
        for pair in framework.pairs:
            record, windows = framework.places(pair)
            queries = tuple(_queries(law.signs(record, framework.count), levels))
            slopes = slopes_of(law, record, [row for query in queries for row in query.rows])
            yield LawShift(name, pair, windows, slopes, law, record, queries)


def _queries(signs: Iterable[int], levels: Levels) -> list[LinearQuery]:
    """Return a sum for every ratio, and for every number of nats, that is a level."""
    signs = list(signs)
    ratios = {ratio: f"1/log({text_of(ratio)})" for ratio, _ in levels if ratio != 1}
    nats = {level: 1 / level for _, level in levels if level}
    queries = [
        LinearQuery((_row(signs, [pair[0] == ratio for pair in levels]),), Noise.laplace(scale))
        for ratio, scale in ratios.items()
    ]
    queries += [
        LinearQuery((_row(signs, [pair[1] == value for pair in levels]),), Noise.laplace(scale))
        for value, scale in nats.items()
    ]
    return queries or [LinearQuery((_row(signs, [False] * len(levels)),), Noise.laplace(1))]


def _row(signs: Sequence[int], kept: Sequence[bool]) -> tuple[Fraction, ...]:
    return tuple(Fraction(sign if keep else 0) for sign, keep in zip(signs, kept))
