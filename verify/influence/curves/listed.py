"""The influence curve from its definition, where databases can be listed: every set of shown
records, and any secrets.

    a*(b) = max over ordered pairs (s, t) of min over H, |H| <= b, of max over priors and D_L of
        log P(D_L | s) / P(D_L | t)

L being the records outside H. Source: bai2026, Section 6.2, with the order of a pair kept and the
infimum taken for every ordered pair.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.curves.orders import nothing_compared
from pufferproof.verify.influence.curves.point import CurvePoint
from pufferproof.verify.influence.enumeration import Conditionals, largest_ratio

_MOST_WORK = 20_000_000


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
    for size in range(most + 1):
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
