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

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.influence.enumeration import Conditionals, largest_ratio
from pufferproof.models.priors.records import Records

_MOST_WORK = 20_000_000


def enumerated_curve(framework: Framework) -> list[Fraction | None]:
    """Return e^a*(b) for b = 0 .. number of records of a listed framework, by trying every set of
    shown records.

    Raises `ModelError` unless databases are made of records, few enough for all subsets of them,
    and priors are a list.
    """
    if framework.records is None:
        raise ModelError(
            'a curve needs databases made of records ("records" in place of "databases")',
            "databases",
        )
    if framework.closure != "list":
        raise ModelError(
            'expected "list", found "convex": a curve is computed for listed priors', "closure"
        )
    records = framework.records
    work = len(framework.databases) * 2**records.count * len(framework.priors)
    if work > _MOST_WORK:
        raise ModelError(
            f"{records.count} records have too many subsets: expected Markov priors, or fewer",
            "records",
        )
    orders = [order for pair in framework.pairs for order in framework.orders(pair)]
    conditionals = {name: Conditionals(framework, name) for name in framework.priors}
    checked = [
        (order, known)
        for order in orders
        if (
            known := [
                c for c in conditionals.values() if all(framework.mass(c.prior, s) for s in order)
            ]
        )
    ]
    if not checked:
        raise ModelError(
            "nothing to check: under every prior, each pair has a secret of probability 0", "pairs"
        )
    return _by_subsets(records, checked)


def _by_subsets(
    records: Records, checked: Sequence[tuple[tuple[str, str], Sequence[Conditionals]]]
) -> list[Fraction | None]:
    least: list[dict[tuple[str, str], Fraction | None]] = [{order: None for order, _ in checked}]
    everything = range(1, records.count + 1)
    for hidden in range(records.count + 1):
        best = dict(least[-1])
        for shown in combinations(everything, records.count - hidden):
            tables = _tables(checked, shown)
            for order, known in checked:
                found = [
                    largest_ratio(tables[c.prior][order[0]], tables[c.prior][order[1]])
                    for c in known
                ]
                if None not in found:
                    ratio = max(value for value in found if value is not None)
                    old = best[order]
                    best[order] = ratio if old is None else min(old, ratio)
        least.append(best)
    return [
        None
        if None in best.values()
        else max(value for value in best.values() if value is not None)
        for best in least[1:]
    ]


def _tables(
    checked: Sequence[tuple[tuple[str, str], Sequence[Conditionals]]], shown: tuple[int, ...]
) -> Mapping[str, dict[str, dict[tuple[str, ...], Fraction]]]:
    """Return P(X_L = . | s) for every prior and secret that is checked."""
    found: dict[str, dict[str, dict[tuple[str, ...], Fraction]]] = {}
    for order, known in checked:
        for each in known:
            table = found.setdefault(each.prior, {})
            for secret in order:
                if secret not in table:
                    table[secret] = each.given(secret, shown)
    return found
