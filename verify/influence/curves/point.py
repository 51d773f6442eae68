"""A point of an influence curve: how many records are hidden, and what must leak all the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, nats_of
from pufferproof.models.listing import Pair, Secret, StatedPairs
from pufferproof.models.noise.scale import INFINITE_SCALE, NO_NOISE, Scale, quotient
from pufferproof.models.numbers.enclosures import enclose_log
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_most, rounded
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Place, pairs_of, places_of

# What a curve is asked about: ordered pairs of secrets about single records, and from which laws of the first record a
# chain may start.

MOST_LISTED, MOST_POINTS, SHORT_CURVE = 1_000, 10_000, 50


@dataclass(frozen=True)
class Order:
    """X_i = v against X_i = w, in this order: i = `record` from 1, v and w positions in the
    alphabet, `pair` the names of the two secrets.
    """

    pair: tuple[str, str]
    record: int
    v: int
    w: int

    def beside(self, length: int, most: int) -> tuple[int, int]:
        """Return how many records there are before and after record i, none of them counted beyond
        `most`: so many hidden ones leave the same ways to hide them.

        >>> Order(("s", "t"), 2, 0, 1).beside(9, 1), Order(("s", "t"), 1, 0, 1).beside(9, 1)
        ((1, 1), (0, 1))
        """
        return min(self.record - 1, most), min(length - self.record, most)


@dataclass(frozen=True)
class ChainStart:
    """A Markov chain, from its own initial law, or from any."""

    chain: MarkovChain
    anywhere: bool = False


Prior = ChainStart | Product


def orders_of(framework: Framework) -> list[Order]:
    """Return the ordered pairs of a framework. Raises `ModelError` unless all secrets speak of
    single records.
    """
    return _both(framework.places, framework.pairs)


def orders_between(records: Records, secrets: Mapping[str, Secret], pairs: StatedPairs) -> list[Order]:
    """Return the ordered pairs that are stated, of secrets about records that need not be listed.

    Raises `ModelError` unless secrets are values of single records, and pairs are disjoint.
    """
    places = places_of(records, secrets)
    return _both(places, pairs_of(records, places, pairs))


def _both(places: Mapping[str, Place], pairs: Sequence[Pair]) -> list[Order]:
    orders = []
    for one, other in pairs:
        (record, v), (_, w) = places[one], places[other]
        orders += [Order((one, other), record, v, w), Order((other, one), record, w, v)]
    return orders


def last_point(count: int, most: int | None, where: str = "most") -> int:
    """Return the last b of a curve over so many records: `most`, else all of up to 1,000 records,
    and 50 of more.

    Raises `ModelError` unless 0 <= `most` <= count, and `most` is at most 10,000.
    """
    if most is None:
        return count if count <= MOST_LISTED else SHORT_CURVE
    if isinstance(most, bool) or not 0 <= most <= min(count, MOST_POINTS):
        least = f"all {count} records" if count <= MOST_POINTS else "10000 at most"
        raise ModelError(f"expected from 0 to {min(count, MOST_POINTS)} hidden records ({least}), found {most}", where)
    return most


def nothing_compared() -> ModelError:
    """Return the error for pairs that no prior gives two secrets of positive probability."""
    return ModelError("nothing to check: under every prior, each pair has a secret of probability 0", "pairs")


def expect_orders(orders: Sequence[Order]) -> Sequence[Order]:
    """Return the ordered pairs without repetition. Raises `ModelError` unless there is one."""
    if not orders:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    return list(dict.fromkeys(orders))


_DIGITS = 7


@dataclass(frozen=True, repr=False)
class CurvePoint(Readable):
    """a*(b): `ratio` has rational bounds of e^a*(b), equal when it is exact, both None if
    a*(b) is infinite; only the upper one is None if no finite bound is known.

    `hidden` are the records that the worst ordered pair of secrets hides, `pair` this pair, None
    where they are not known. The point rests on `claims`, besides the definition.
    """

    b: int
    ratio: Bounds
    pair: tuple[str, str] | None = None
    hidden: Sequence[int] | None = None
    claims: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    @property
    def lower(self) -> Fraction | None:
        """The lower bound of e^a*(b), or None if it is infinite."""
        return self.ratio.lower

    @property
    def upper(self) -> Fraction | None:
        """The upper bound of e^a*(b), or None if it is infinite or not known."""
        return self.ratio.upper

    @property
    def infinite(self) -> bool:
        """Whether a*(b) is infinite."""
        return self.lower is None

    @property
    def exact(self) -> bool:
        """Whether a*(b) is known exactly: as the logarithm of a rational, or as infinite."""
        return self.lower == self.upper

    def __str__(self) -> str:
        ratio = self.ratio
        if ratio.lower is None:
            return f"b = {self.b}: infinite"
        low = rounded(_log(ratio.lower), _DIGITS)
        if ratio.upper is None:
            return f"b = {self.b}: at least {low} nats"
        high = rounded(_log(ratio.upper), _DIGITS)
        return f"b = {self.b}: {low} nats" if low == high else f"b = {self.b}: between {low} and {high} nats"


def resting(points: Iterable[CurvePoint], *claims: Iterable[str]) -> list[CurvePoint]:
    """Return points that rest on the claims of several algorithms.

    >>> resting([CurvePoint(1, Bounds.none())], ("a", "b"), ("b",))[0].claims
    ('a', 'b')
    """
    together = tuple(dict.fromkeys(each for claim in claims for each in claim))
    return [replace(point, claims=together) for point in points]


class Curve(list[CurvePoint], Tabular):
    """The points of an influence curve, in the order of b."""

    _named, _axis = ("hidden",), "nats"

    def entries(self) -> list[Entry]:
        """Return a row for every point: how many records are hidden, and the nats that leak."""
        return [
            {
                "hidden": point.b,
                "above": None if point.pair is None else point.pair[0],
                "below": None if point.pair is None else point.pair[1],
                **nats_of(point.lower, None if point.infinite else point.upper),
            }
            for point in self
        ]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the points rest on."""
        return tuple(dict.fromkeys(claim for point in self for claim in point.claims))

    def _finding(self) -> str:
        """Say how much leaks for the fewest hidden records that leave a finite influence."""
        finite = next((point for point in self if point.upper is not None), None)
        if finite is None:
            return "The influence has no finite bound, however many records are hidden."
        records = "1 record" if finite.b == 1 else f"{finite.b} records"
        most = at_most(float(nats_of(None, finite.upper)["upper"]))
        return f"Hiding {records} leaves at most {most} nats of influence."


def _log(ratio: Fraction) -> str:
    return enclose_log(ratio).lower


# Noise by translation: how large the level per record may be, and so how small the noise, for an influence curve to
# promise a level.
#
# A mechanism that is epsilon_DP differentially private per record leaks at most b epsilon_DP + a(b) for every point of
# an influence curve, so that epsilon_DP = (epsilon - a(b)) / b keeps epsilon where a(b) < epsilon. Laplace noise of
# scale L / epsilon_DP has this level for every query that one record changes by at most L (L1). Two rules are
# published for several points: `printed` is Algorithm 1, whose loop Algorithm 2 repeats, `best` the text below it.
#
# Source: bai2026, Section 6.4 and Algorithms 1 and 2.

RESTS_ON = ("bai2026.translate-repaired", "bai2026.alg1-repaired")
GROUP_RESTS_ON = ("general.group-privacy-paths",)
_ROUNDED = Fraction(1, 2**60)  # more than the relative width of a scale


@dataclass(frozen=True)
class Translated:
    """A noise scale and the curve point that asks for it, or None."""

    scale: Scale
    point: CurvePoint | None = None


def group_privacy(count: int, level: Level, lipschitz: Fraction = Fraction(1)) -> Scale:
    """Return the scale n L / epsilon, which keeps epsilon however n records are correlated:
    epsilon / n for every record, epsilon for all together.

    >>> group_privacy(100, Level("0.5")).text
    '200'
    """
    return quotient(count * lipschitz, level)


def printed(points: Sequence[CurvePoint], level: Level, count: int, lipschitz: Fraction = Fraction(1)) -> Translated:
    """Return what Algorithm 1 returns as it is printed: the largest scale over the points, that of
    group privacy for points with a(b) >= epsilon, none at all without points.

    It takes the *least* epsilon_DP, and epsilon / n for points with a(b) >= epsilon, n being the
    number of records. Every point alone keeps the level, so that it wastes: one more point can only
    raise its noise, and on a whole curve it is at least that of group privacy. Without points it
    returns epsilon_DP = infinity: no noise.

    Args: points: those of the collection, a(b) being their upper bounds, which are on a curve as
        well. count: the number of records. lipschitz: L.

    >>> point = CurvePoint(3, Bounds(Fraction(2), Fraction(2)))
    >>> printed([point], Level("log(8)"), 10).scale.text
    '3/log(4)'
    >>> printed([point, CurvePoint(0, Bounds.infinite())], Level("log(8)"), 10).scale.text
    '10/log(8)'
    >>> printed([], Level("log(8)"), 10).scale.text
    '0'
    """
    chosen = Translated(NO_NOISE)
    for point in points:
        alone = Translated(_scale(point, level, lipschitz), point)
        if alone.scale.infinite:  # a_l >= epsilon
            alone = Translated(group_privacy(count, level, lipschitz))
        if exceeds(alone.scale, chosen.scale):
            chosen = alone
    return chosen


def best(points: Sequence[CurvePoint], level: Level, lipschitz: Fraction = Fraction(1)) -> Translated | None:
    """Return the least scale over the points, or None if a(b) >= epsilon at each of them: then no
    level per record is shown to keep epsilon.

    It is the text below Algorithm 1, "the maximum over all b".

    >>> near, far = (CurvePoint(b, Bounds(Fraction(r), Fraction(r))) for b, r in [(1, 4), (3, 2)])
    >>> best([near, far], Level("log(8)")).scale.text
    '1/log(2)'
    >>> best([near, far], Level("log(2)")) is None
    True
    """
    chosen: Translated | None = None
    for point in points:
        scale = _scale(point, level, lipschitz)
        if not scale.infinite and (chosen is None or exceeds(chosen.scale, scale)):
            chosen = Translated(scale, point)
    return chosen


def settled(point: CurvePoint, level: Level, count: int) -> bool:
    """Say whether the points of a curve after this one, b = m + 1 .. n, change neither rule on the
    whole curve, n being the number of records.

    As a(b) falls they have b / (epsilon - a(b)) <= (n - 1) / (epsilon - a(m)) for b < n, and n /
    epsilon for b = n. If both are at most n / epsilon, `printed` has that from b = 0; and then
    a(m) <= epsilon / n, so that (epsilon - a(m)) / m >= epsilon / (m + 1), and `best` has m.

    >>> settled(CurvePoint(3, Bounds(Fraction(1), Fraction(2))), Level("log(8)"), 10)
    False
    >>> settled(CurvePoint(3, Bounds(Fraction(1), Fraction(8, 7))), Level("log(8)"), 10)
    True
    """
    last = _scale(CurvePoint(count - 1, point.ratio), level, Fraction(1)).upper
    group = group_privacy(count, level).lower
    return last is not None and group is not None and last * (1 + _ROUNDED) <= group


def _scale(point: CurvePoint, level: Level, lipschitz: Fraction) -> Scale:
    """Return L b / (epsilon - a(b)), infinite unless a(b) < epsilon."""
    if point.upper is None or level.compare(point.upper) >= 0:
        return INFINITE_SCALE
    return quotient(point.b * lipschitz, level, Bounds(point.upper, point.upper))


def exceeds(one: Scale, other: Scale) -> bool:
    """Say whether a scale is larger than another one, by what is known of both."""
    if one.upper is None or other.upper is None:
        return other.upper is not None
    return one.upper > other.upper
