"""The influence curve of a framework, by whichever way its priors and secrets allow: along chains
and networks without listing databases, else by the definition.

This file also has the influence curve from its definition, where databases can be listed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, inf, isinf
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.steps import steps
from pufferproof.models.listing import Pair
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import ChainClass, IntervalChain
from pufferproof.models.priors.forest import Forest, forest_within
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.curves.classes import class_points
from pufferproof.verify.influence.curves.networks import EFFORT, MOST_NODES, network_points
from pufferproof.verify.influence.curves.point import (
    ChainStart,
    Curve,
    CurvePoint,
    Order,
    expect_orders,
    last_point,
    nothing_compared,
    orders_of,
    resting,
)
from pufferproof.verify.influence.network import Conditionals, largest_ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


_MOST_WORK = 20_000_000
MOST_SEARCHED = 16  # records of a network whose sets are tried even where it is a forest
_SHARE = 10  # of the effort, for exact points of a larger forest


def influence_curve(framework: Framework, most: int | None = None) -> Curve:
    """Compute the influence curve a*(b), in nats, for b = 0 .. `most`.

        a*(b) = max over ordered pairs (s, t) of min over H, |H| <= b, of max over priors and D_L of
        log P(D_L | s) / P(D_L | t),

    where D_L are values of the records L outside the hidden set H. So a*(b) bounds what all other
    records reveal about a secret if b records are hidden. Each ordered pair hides the b records
    that are best for it.

    Args:
        framework: records, secrets, pairs, and a list of priors.
        most: the last b; by default the number of records, or 50 if there are more than 1,000.

    Source: bai2026, Section 6.2, where every ordered pair hides its own set of records.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(Records(3, ("0", "1")), secrets, [("x2=0", "x2=1")], {"theta": chain})
    >>> for point in influence_curve(framework):
    ...     print(point, point.hidden)
    b = 0: infinite ()
    b = 1: 2.197225 nats range(2, 3)
    b = 2: 1.098612 nats range(2, 4)
    b = 3: 0 nats range(1, 4)
    >>> [point.ratio.upper for point in influence_curve(framework, 2)]
    [None, Fraction(9, 1), Fraction(3, 1)]

    Points are exact: for chains and networks they follow from the structure, for other priors from
    a list of all databases and a search over all sets. `ratio` has two different proved ends only
    if the exact ratio has too many digits, or if the search ended before every set was tried.

    Raises `ModelError` unless databases are made of records, priors are a list, `most` is at most
    the number of records, and both secrets of some pair have positive probability under a prior.
    """
    framework = check_type(framework, Framework, "framework")
    most = check_type(most, int | None, "most")
    if framework.records is None:
        raise ModelError('a curve needs databases made of records ("records" instead of "databases")', "databases")
    records = framework.records
    last = last_point(records.count, most)
    if framework.one_sided or framework.closure != "list" or not _single_records(framework):
        return Curve(listed_points(framework, last))
    points = points_along(framework.priors, records, orders_of(framework), last)
    return Curve(listed_points(framework, last) if points is None else points)


def points_along(
    priors: Mapping[str, Prior | ChainClass],
    records: Records,
    orders: Sequence[Order],
    most: int,
    effort: int = EFFORT,
    per_record: int = 0,
) -> list[CurvePoint] | None:
    """Return a*(b) for b = 0 .. `most` of secrets about single records, without listing databases,
    or None if priors have to be listed.

    Priors are Markov chains, independent records and classes of chains; or these but for classes,
    and Bayesian networks, in which sets are searched with an `effort`, in which an
    eliminated record counts for `per_record` entries.
    """
    classes = {name: _along(prior) for name, prior in priors.items()}
    known = {name: each for name, each in classes.items() if each is not None}
    if len(known) == len(classes):
        return class_points(known, records.count, orders, most)
    if any(isinstance(prior, ChainClass) for prior in priors.values()):
        return None
    networks = [network_of(prior, records) for prior in priors.values()]
    complete = [network for network in networks if network is not None]
    if len(complete) < len(networks):
        return None
    forest = _forest(complete, records)
    if forest is None:
        return network_points(complete, records, orders, most, effort, per_record)
    passed = forest_points(forest, orders, most)
    if records.count > MOST_NODES:
        return passed
    searched = network_points(complete, records, orders, most, effort // _SHARE, per_record)
    return [each if each.exact else other for each, other in zip(searched, passed)]


def _forest(networks: Sequence[BayesianNetwork], records: Records) -> Forest | None:
    """Return the forest of bits that is the only prior of many records, or None."""
    if len(networks) > 1 or len(records.alphabet) != 2 or records.count <= MOST_SEARCHED:
        return None
    return forest_within(networks[0], records)


def _single_records(framework: Framework) -> bool:
    try:
        return bool(framework.places)
    except ModelError:
        return False


def _along(prior: Prior | ChainClass) -> ChainStart | Product | IntervalChain | None:
    if isinstance(prior, MarkovChain):
        return ChainStart(prior)
    return prior if isinstance(prior, Product | IntervalChain) else None


def listed_points(framework: Framework, most: int | None = None) -> list[CurvePoint]:
    """Return a*(b) for b = 0 .. `most`, or all records, of a listed framework, by trying every set
    of hidden records.

    >>> from pufferproof import Table
    >>> law = Table({"00": "3/8", "01": "1/8", "10": "1/8", "11": "3/8"})
    >>> secrets = {"equal": ["00", "11"], "not": ["01", "10"]}
    >>> framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("equal", "not")], {"theta": law})
    >>> [(point.upper, point.hidden) for point in listed_points(framework)]
    [(None, ()), (Fraction(1, 1), (1,)), (Fraction(1, 1), (1,))]

    Raises `ModelError` unless databases are made of records, few enough for these subsets of them,
    and priors are a list.
    """
    if framework.closure != "list":
        raise ModelError('expected "list", found "convex": a curve is computed for listed priors', "closure")
    records = framework.expect_records()
    last = records.count if most is None else most
    sets = sum(comb(records.count, hidden) for hidden in range(last + 1))
    if len(framework.databases) * sets * len(framework.priors) > _MOST_WORK:
        raise ModelError(
            f"{records.count} records have too many subsets: expected Markov priors, networks with "
            f"secrets about single records, fewer hidden records, or fewer records",
            "records",
        )
    orders = [order for pair in framework.pairs for order in framework.orders(pair)]
    conditionals = {name: Conditionals(framework, name) for name in framework.priors}
    checked = {
        order: known
        for order in orders
        if (known := [c for c in conditionals.values() if all(framework.mass(c.prior, s) for s in order)])
    }
    if not checked:
        raise nothing_compared()
    return _by_subsets(records, checked, last)


def _by_subsets(records: Records, checked: Mapping[Pair, Sequence[Conditionals]], most: int) -> list[CurvePoint]:
    best: dict[Pair, _Least] = dict.fromkeys(checked, _Least(None, None))
    points = []
    everything = frozenset(range(1, records.count + 1))
    for size in steps(range(most + 1), "points"):
        for hidden in combinations(sorted(everything), size):
            tables = _tables(checked, tuple(sorted(everything - set(hidden))))
            for pair, known in checked.items():
                ratios = [largest_ratio(tables[c.prior][pair[0]], tables[c.prior][pair[1]]) for c in known]
                finite = [ratio for ratio in ratios if ratio is not None]
                if len(finite) == len(ratios) and best[pair].above(max(finite)):
                    best[pair] = _Least(max(finite), hidden)
        worst = next((pair for pair in best if best[pair].ratio is None), None) or max(
            best, key=lambda pair: best[pair].ratio or 0
        )
        ratio, chosen = best[worst]
        points.append(CurvePoint(size, Bounds(ratio, ratio), worst, chosen if size else ()))
    return points


class _Least(NamedTuple):
    """The least ratio of one ordered pair so far, None for infinity, and what is hidden there."""

    ratio: Fraction | None
    hidden: tuple[int, ...] | None

    def above(self, ratio: Fraction) -> bool:
        """Whether another ratio is less."""
        return self.ratio is None or ratio < self.ratio


def _tables(
    checked: Mapping[Pair, Sequence[Conditionals]], shown: tuple[int, ...]
) -> Mapping[str, dict[str, dict[tuple[str, ...], Fraction]]]:
    """Return P(X_L = . | s) for every prior and secret that is checked."""
    tables: dict[str, dict[str, dict[tuple[str, ...], Fraction]]] = {}
    for order, known in checked.items():
        for each in known:
            table = tables.setdefault(each.prior, {})
            for secret in order:
                if secret not in table:
                    table[secret] = each.given(secret, shown)
    return tables


# Forests ------------------------------------------------------------------------------------------
#
# The influence curve of a forest of bits: the best hidden set of every size, by one pass that
# shares b hidden records out among subtrees. Numbers are floats with a proven relative error.
#
# Source: bai2026, Section 6.2, with the order of a pair kept and the infimum taken for every
# ordered pair.

RESTS_ON = ("worst.record-levels-network",)
_ROUNDINGS = 32  # per record, more than those of its law, its arrow and its product
_MOST_ORDERS = 400
_LEAST, _RAREST, _HUGE = Fraction(1, 10**100), 1e-200, 1e300
Kernel = tuple[tuple[float, float], tuple[float, float]]  # the law given 0, and given 1


def forest_points(forest: Forest, orders: Sequence[Order], most: int) -> list[CurvePoint]:
    """Return a*(b) for b = 0 .. `most`, enclosed.

    Seen from the secret record i, hidden records that are not joined to it by hidden ones lie
    behind a shown one and do not matter: the best set is a subtree with i in it. What the records
    below a bit say of it is the largest ratio s of P(shown | bit = 1) and P(shown | bit = 0), or of
    the other order: infinite where the bit itself is shown, its level then being infinite, and 0
    where it is hidden. An arrow to a child turns it into g(s) = (P11 s + P10) / (P01 s + P00), or
    where P11 < P01 into that of the other order, and children multiply. Of several products the
    least for each count of hidden records is found by adding one child at a time. g moves no
    relative error away from 1, and a step adds a few roundings.

    >>> from fractions import Fraction
    >>> step = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    >>> start = ((Fraction(1, 2), Fraction(1, 2)),) * 2
    >>> forest = Forest((None, 1, 1), (start, step, step))
    >>> orders = [Order(("s", "t"), 1, 0, 1), Order(("t", "s"), 1, 1, 0)]
    >>> [str(point) for point in forest_points(forest, orders, 3)[1:]]
    ['b = 1: 2.197225 nats', 'b = 2: 1.098612 nats', 'b = 3: 0 nats']

    Raises `ModelError` unless some ordered pair has two values of positive probability, and there
    are at most 400.
    """
    seen = _Seen(forest)
    asked = expect_orders(orders)
    seen.start(order.record for order in asked)
    expected = [order for order in asked if all(seen.laws[order.record])]
    if not expected:
        raise nothing_compared()
    if len(expected) > _MOST_ORDERS:
        raise ModelError(
            f"expected at most {_MOST_ORDERS} ordered pairs of secrets for the curve of a network "
            f"of {len(forest.parents)} records, found {len(expected)}",
            "pairs",
        )
    curves = [seen.curve(order.record, order.v == 1, most) for order in expected]
    error = Fraction(_ROUNDINGS * (len(forest.parents) + most + 2), 1 << 53)
    points = [CurvePoint(0, Bounds.infinite(), expected[0].pair, ())]
    for hidden in range(1, most + 1):
        ends = [curve[hidden - 1] for curve in curves]
        worst = max(range(len(ends)), key=lambda each: (*reversed(ends[each]), -each))
        nothing_shown = hidden >= len(forest.parents)
        ratio = Bounds.none() if nothing_shown else _bounds(max(lower for lower, _ in ends), ends[worst][1], error)
        points.append(CurvePoint(hidden, ratio, expected[worst].pair, None))
    return resting(points, RESTS_ON)


def _bounds(lower: float, upper: float, error: Fraction) -> Bounds:
    low = None if isinf(lower) else max(Fraction(1), Fraction(lower) * (1 - error))
    return Bounds(low, None if isinf(upper) else Fraction(upper) * (1 + error))


class _Arrow(NamedTuple):
    """An arrow seen from the secret record: its position, kernel, and direction."""

    position: int
    kernel: Kernel
    falling: bool


class _Seen:
    """A forest seen from any of its records: what is far from them is not read."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.laws: dict[int, tuple[float, float]] = {}  # P(bit = 0) and P(bit = 1); 0 where it is
        self._kernels: dict[int, Kernel] = {}  # in floats
        self._steps_from: dict[int, list[_Arrow]] = {}

    def start(self, records: Iterable[int]) -> None:
        """Find the laws of records, and of all that they hang on."""
        above = self.forest.with_above(records)
        for record in (each for each in self.forest.downward if each in above):
            parent = self.forest.parents[record - 1]
            law = (1.0, 0.0) if parent is None else self.laws[parent]
            rows = self._kernel(record)
            zero, one = (sum(p * row[x] for p, row in zip(law, rows)) for x in (0, 1))
            if any(0 < each < _RAREST for each in (zero, one)):
                raise self._too_rare("values of probability 0 or", "10^-200", record)
            self.laws[record] = (zero, one)

    def _kernel(self, record: int) -> Kernel:
        """Return the kernel of a record in floats. Raises `ModelError` where they end."""
        rows = self.forest.kernels[record - 1]
        if id(rows) not in self._kernels:
            if any(0 < value < _LEAST for row in rows for value in row):
                raise self._too_rare("probabilities", "10^-100", record)
            (p00, p01), (p10, p11) = rows
            self._kernels[id(rows)] = (float(p00), float(p01)), (float(p10), float(p11))
        return self._kernels[id(rows)]

    def _too_rare(self, what: str, least: str, record: int) -> ModelError:
        return ModelError(
            f"expected {what} of at least {least} for the curve of a network of {len(self.forest.parents)} records",
            f"cpt.{record}",
        )

    def curve(self, record: int, upward: bool, most: int) -> list[tuple[float, float]]:
        """Return the least ratio with b hidden records, b = 1 .. `most`, of 1 against 0 or of 0
        against 1: a lower and an upper bound, which differ where numbers leave the range of floats.
        """
        if record not in self._steps_from:
            self._steps_from[record] = list(self._steps(record, most))
        steps = self._steps_from[record]
        upper = _least_ratios(steps, upward, most, inf)
        lower = _least_ratios(steps, upward, most, _HUGE) if any(map(isinf, upper)) else upper
        return list(zip(lower.tolist(), upper.tolist()))

    def _steps(self, record: int, most: int) -> Iterator[_Arrow]:
        """Yield arrows away from a record, nearer first, as far as hidden records reach."""
        seen, layer, count = {record}, [(record, 0)], 0
        for _ in range(most):
            following = []
            for here, position in layer:
                for other, kernel, falling in self._near(here):
                    if other not in seen:
                        seen.add(other)
                        count += 1
                        following.append((other, count))
                        yield _Arrow(position, kernel, falling)
            layer = following

    def _near(self, record: int) -> Iterator[tuple[int, Kernel, bool]]:
        for child in self.forest.children[record - 1]:
            yield child, self._kernel(child), self.forest.falling(child)
        parent = self.forest.parents[record - 1]
        if parent is not None and record in self.laws:  # else it was met on the way here
            (p00, p01), (p10, p11) = self._kernel(record)
            (above_0, above_1), (own_0, own_1) = self.laws[parent], self.laws[record]
            given_0 = (above_0 * p00 / own_0, above_1 * p10 / own_0)
            given_1 = (above_0 * p01 / own_1, above_1 * p11 / own_1)
            yield parent, (given_0, given_1), self.forest.falling(record)


def _least_ratios(steps: Sequence[_Arrow], upward: bool, most: int, huge: float) -> "Floats":
    """Return the least ratios for 1 .. `most` hidden records, equal subtrees once."""
    import numpy as np

    ups = [upward]
    for step in steps:
        ups.append(ups[step.position] != step.falling)
    known: list[Floats] = [np.ones(1)]  # of k = 1, 2, .. hidden records, for all kinds of subtrees
    kinds = [0] * len(ups)
    joined: dict[tuple[int, int, Kernel, bool, bool], int] = {}
    with np.errstate(all="ignore"):
        for place in range(len(steps), 0, -1):
            position, kernel, _ = steps[place - 1]
            key = kinds[position], kinds[place], kernel, ups[place], ups[position]
            if key not in joined:
                told = _told(known[kinds[place]], *key[2:])
                known.append(_shared(known[kinds[position]], told, most, huge))
                joined[key] = len(known) - 1
            kinds[position] = joined[key]
    found: Floats = np.full(most, known[kinds[0]][-1])
    found[: len(known[kinds[0]])] = known[kinds[0]]
    return found


def _told(below: "Floats", kernel: Kernel, up: bool, asked: bool) -> "Floats":
    """Return what a bit tells of the one before it with 0, 1, .. hidden records behind the arrow:
    0 where it is shown itself.

    Args:
        below: the largest ratios at the bit, of 1 against 0 if `up`.
        asked: whether 1 against 0 is asked before it.
    """
    import numpy as np

    (p00, p01), (p10, p11) = kernel
    one, zero = (p11, p01) if up else (p10, p00)
    rest_one, rest_zero = (p10, p00) if up else (p11, p01)
    top, bottom = np.append(one, one * below + rest_one), np.append(zero, zero * below + rest_zero)
    if not asked:
        top, bottom = bottom, top
    quotients = top / bottom
    told: Floats = np.where(np.isinf(np.append(1.0, below)), quotients[0], quotients)
    return np.maximum(told, 1.0)


def _shared(known: "Floats", told: "Floats", most: int, huge: float) -> "Floats":
    """Return the least products with k hidden records, `known` from 1, `told` from 0."""
    import numpy as np

    size = min(len(known) + len(told) - 1, most)
    found: Floats = np.full(size, np.inf)
    few, many = (known, told) if len(known) < len(told) else (told, known)
    for extra, factor in enumerate(few[:size]):
        others = many[: size - extra]
        part = others * factor
        part[np.isinf(part) & np.isfinite(others) & np.isfinite(factor)] = huge
        np.minimum(found[extra : extra + len(part)], part, out=found[extra : extra + len(part)])
    return found
