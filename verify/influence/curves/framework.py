"""The influence curve of a framework, by whichever way its priors and secrets allow: along chains
and networks without listing databases, else by the definition.

This file also has the influence curve from its definition, where databases can be listed.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.steps import steps
from pufferproof.models.listing import Pair
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.chains.gap import ChainClass
from pufferproof.models.priors.forest import Forest, forest_within
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.curves.classes import class_points
from pufferproof.verify.influence.curves.forests import forest_points
from pufferproof.verify.influence.curves.networks import EFFORT, MOST_NODES, network_points
from pufferproof.verify.influence.curves.orders import (
    ChainStart,
    Order,
    last_point,
    nothing_compared,
    orders_of,
)
from pufferproof.verify.influence.curves.point import Curve, CurvePoint
from pufferproof.verify.influence.enumeration import Conditionals, largest_ratio

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
    >>> framework = Framework.of_records(
    ...     Records(3, ("0", "1")), secrets, [("x2=0", "x2=1")], {"theta": chain}
    ... )
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
        raise ModelError(
            'a curve needs databases made of records ("records" instead of "databases")',
            "databases",
        )
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
    >>> framework = Framework.of_records(
    ...     Records(2, ("0", "1")), secrets, [("equal", "not")], {"theta": law}
    ... )
    >>> [(point.upper, point.hidden) for point in listed_points(framework)]
    [(None, ()), (Fraction(1, 1), (1,)), (Fraction(1, 1), (1,))]

    Raises `ModelError` unless databases are made of records, few enough for these subsets of them,
    and priors are a list.
    """
    if framework.closure != "list":
        raise ModelError(
            'expected "list", found "convex": a curve is computed for listed priors', "closure"
        )
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
        if (
            known := [
                c for c in conditionals.values() if all(framework.mass(c.prior, s) for s in order)
            ]
        )
    }
    if not checked:
        raise nothing_compared()
    return _by_subsets(records, checked, last)


def _by_subsets(
    records: Records, checked: Mapping[Pair, Sequence[Conditionals]], most: int
) -> list[CurvePoint]:
    best: dict[Pair, _Least] = dict.fromkeys(checked, _Least(None, None))
    points = []
    everything = frozenset(range(1, records.count + 1))
    for size in steps(range(most + 1), "points"):
        for hidden in combinations(sorted(everything), size):
            tables = _tables(checked, tuple(sorted(everything - set(hidden))))
            for pair, known in checked.items():
                ratios = [
                    largest_ratio(tables[c.prior][pair[0]], tables[c.prior][pair[1]]) for c in known
                ]
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
