"""What releases that tell little of every reading may leak of normal records: per-record levels to
a promise.

A release has level l_j at record j if |log p(w | x) - log p(w | x')| <= l_j |x_j - x_j'| for x and
x' that differ there alone. With c_j = Cov(X_j, X_i) / Var(X_i) the log-density of an output given
X_i = x changes by at most Q = sum_j l_j |c_j| a unit, which is all that `points` and `windows` use
of Laplace noise. Sums of the records with the signs of c, for every level l one with Laplace noise
of scale 1/l, reach it.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.linear import LinearQuery
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.noise.normal.points import LawShift, slopes_of

RESTS_ON = ("normal.levels",)
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
