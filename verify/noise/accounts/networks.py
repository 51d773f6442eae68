"""Bounds of what noisy numbers leak on networks whose tables are too large for the law of
the numbers: above by elimination, of all other records or of those near, with the levels that noise
has for records, below by the two ends
of the query, in floats that carry their errors.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.forest import families_of, layout
from pufferproof.models.views import expect_network
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import Account, RecordRate, spent_between, spent_of
from pufferproof.verify.noise.accounts.elimination import MOST_RECORDS, float_above
from pufferproof.verify.noise.accounts.near import least_ratio
from pufferproof.verify.noise.accounts.rays import MOST_VALUES
from pufferproof.verify.noise.accounts.told import told

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("classes.elimination-rays",)
_BITS = 256
_WIDE = 1_000  # quotients of bounds, beyond which they tell nothing
_MOST_ENTRIES = 1 << 22  # of the tables of a network, each of which is gone through
_MANY = 100  # records, beyond which quilts take long


def network_accounts(
    framework: Framework,
    releases: Sequence[RecordQuery],
    wanted: Sequence[tuple[str, int]],
    quilts: Callable[[], Sequence[Account]],
) -> tuple[Account, ...]:
    """Return a bound for every prior and record wanted, the largest first: by elimination, or by
    one of the `quilts` if that is less. Of many records quilts are not tried where elimination
    bounds all.
    """
    eliminated = ask([_eliminated], (framework, releases, wanted)).answer or {}
    if len(eliminated) == len(wanted) and framework.expect_records().count > _MANY:
        chosen = list(eliminated.values())
    else:
        chosen = [_less(account, eliminated.get((account.prior, account.record))) for account in quilts()]
    return tuple(sorted(chosen, key=lambda account: _size(account.bound), reverse=True))


def _less(one: Account, other: Account | None) -> Account:
    closer = other is not None and _size(other.bound) < _size(one.bound)
    return other if other is not None and closer else one


def _size(bound: Leakage) -> tuple[bool, Fraction]:
    return bound.upper is None, bound.upper or Fraction(0)


def _eliminated(
    question: tuple[Framework, Sequence[RecordQuery], Sequence[tuple[str, int]]],
) -> dict[tuple[str, int], Account] | None:
    """Return the bounds by elimination that are finite, none of records with more than
    eight values. Raises `TooLargeError` if some tables are too large.
    """
    framework, releases, wanted = question
    records = framework.expect_records()
    if framework.along_records or records.count > MOST_RECORDS:
        return None
    networks = {}
    for prior in dict.fromkeys(prior for prior, _ in wanted):
        network = expect_network(framework, prior)
        letters = layout(network, records)
        if not 2 <= len(letters[0]) <= MOST_VALUES:
            return None
        networks[prior] = families_of(network, records), _rates(framework, releases, letters)
    accounts, spent = {}, 0
    for prior, record in wanted:
        families, rates = networks[prior]
        best, plan, spent = least_ratio(families, record, rates, spent)
        if isfinite(best):
            bound = Leakage(Fraction(1), Fraction(best))
            influence = Leakage(Fraction(1), Fraction(plan.influence))
            spending = _spent(framework, releases, plan.nearby(record, records.count))
            account = Account(prior, record, None, None, bound, influence, spending)
            accounts[prior, record] = replace(account, nodes=plan.boundary, eliminated=True)
    return accounts


def _spent(framework: Framework, releases: Sequence[RecordQuery], nearby: Sequence[int]) -> Leakage:
    """Return what noise spends on some records."""
    from flint import ctx

    rates = [RecordRate.of(release, framework) for release in releases]
    counts = [sum(map(release.covers, nearby)) for release in releases]
    with ctx.workprec(_BITS):
        return Leakage(*spent_of(rates, counts))


def _rates(framework: Framework, releases: Sequence[RecordQuery], letters: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return bounds of e^level of every record; of more than two values a matrix, as close values
    are told apart less.
    """
    from flint import ctx

    rates_of: dict[object, Any] = {}
    rates = []
    with ctx.workprec(_BITS):
        for record, values in enumerate(letters, 1):
            covered = values, tuple(release.covers(record) for release in releases)
            if covered not in rates_of:
                rates_of[covered] = _rate(framework, releases, record, values)
            rates.append(rates_of[covered])
    return rates


def _rate(framework: Framework, releases: Sequence[RecordQuery], record: int, values: Sequence[int]) -> Any:
    import numpy as np

    size, letters = len(values), len(framework.expect_records().alphabet)
    if size == 2 < letters:
        rates = [RecordRate(release, apart(release, *values)) for release in releases]
        return float_above(spent_between(rates, record, record)[1])
    if size == 2:
        rates = [RecordRate.of(release, framework) for release in releases]
        return float_above(spent_between(rates, record, record)[1])
    ratios = np.ones((size, size))
    for u, v in permutations(range(size), 2):
        rates = [RecordRate(release, apart(release, values[u], values[v])) for release in releases]
        ratios[u, v] = float_above(spent_between(rates, record, record)[1])
    return ratios


def apart(release: RecordQuery, u: int, v: int) -> Fraction:
    """Return by how much a query changes in all coordinates with a record of one of two values."""
    if release.query == "histogram":
        return Fraction(2 if u != v else 0)
    (row,) = release.digits
    return release.grain * abs(row[u] - row[v])


def told_of_bits(framework: Framework, prior: str, record: int, weights: "Sequence[Sequence[arb]]") -> "arb | None":
    """Enclose E[w | 1] / E[w | 0] of a record, w the product of the weights of the values of all
    records, or None if tables are large, or a value is impossible.

    Raises `TooLargeError` if tables are too large to write.
    """
    from flint import arb

    records = framework.expect_records()
    if len(records.alphabet) != 2 or records.count > MOST_RECORDS:
        return None
    families = families_of(expect_network(framework, prior), records)
    if sum(family.table.size for family in families) > _MOST_ENTRIES:
        return None
    if max(float_above(dyadic(weight.upper())) for pair in weights for weight in pair) == inf:
        return None
    floats = [tuple(float(dyadic(weight.mid())) for weight in pair) for pair in weights]
    odds = told(families, record, [(zero, one) for zero, one in floats])
    if odds is None or odds[1] > _WIDE * odds[0]:  # a ball would not keep away from 0
        return None
    return arb(odds[0]).union(arb(odds[1]))
