"""The worst case of per-record levels under networks with loops, too large to list: the published
bound, by the records that separate the secret one from the rest, or that of elimination, beside
what noisy counts leak at their ends, or responses of the records. Elimination is of all other
records, or of those near the secret one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, isfinite

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.published import least, published_bounds
from pufferproof.lp.translation.sets import BoundName, Favours, Order, WorstCase, orders, responses
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.forest import families_of, layout
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.views import possible_values
from pufferproof.verify.engines import ask
from pufferproof.verify.influence.curves.networks import MOST_NODES
from pufferproof.verify.influence.network import NetworkQuilts, Quilt
from pufferproof.verify.leakage.ratio import Leakage, nothing_to_check
from pufferproof.verify.noise.accounts.elimination import (
    CLAIMS,
    MOST_RECORDS,
    MOST_VALUES,
    float_above,
    least_ratio,
    told_of_some,
)

RESTS_ON = ("general.quilt-account", "classes.elimination-rays")
PUBLISHED_CLAIMS = ("general.quilt-account",)
_MOST_ENTRIES, _MOST_BOUNDARY = 1 << 15, 14  # of the tables of a ball, and records around it
_LARGEST = 10**100  # of e to a level
_MOST_TABLES = 2_000  # of eliminated records; of more, counts are tried for some secret records


def worst_of_networks(framework: Framework, levels: RecordLevels) -> WorstCase:
    """Return an upper bound of the worst case, and what a mechanism leaks.

    Raises `ModelError`, saying what is possible, where no finite bound is found.
    """
    bound = _bound(framework, levels)
    shown = max(_shown(framework, levels), key=lambda each: each.ratio, default=None)
    if shown is None:
        raise nothing_to_check()
    met = bound.level is not None and shown.own == bound.level
    return WorstCase(
        Leakage(shown.ratio, bound.ratio),
        met,
        shown.prior,
        shown.order.pair,
        None,
        partial(responses, framework, levels, shown.favours),
        bound.claims,
        bound.name,
        (bound.level,) if met and bound.level else (),
        (shown.own, bound.level),
    )


@dataclass(frozen=True)
class _LeakageBound:
    """An upper bound of e to the leakage, None for infinite, and the level that it is, if any."""

    ratio: Fraction | None
    level: Total | None
    name: BoundName
    claims: tuple[str, ...]


def _bound(framework: Framework, levels: RecordLevels) -> _LeakageBound:
    """Return the smaller of the published bound and that of elimination."""
    closer = ask([_by_elimination], (framework, levels)).answer
    try:
        best = least(published_bounds(framework, levels))
    except ModelError as error:
        if closer is not None:
            return _LeakageBound(closer, None, "elimination", CLAIMS)
        if (nearby := _by_quilts(framework, levels)) is not None:
            return _LeakageBound(nearby, None, "published", PUBLISHED_CLAIMS)
        raise ModelError(
            f"no bound for a network with loops that is too large to list: {error.what}; expected "
            f"a forest of bits, records of at most {MOST_VALUES} values, few of them neighbours of "
            f"each as others are eliminated, at most {MOST_NODES} records of which few separate a "
            f"secret from the others, or at most 1024 databases",
            error.where,
        ) from None
    known = best.leakage.upper
    if closer is not None and (known is None or closer < known):
        return _LeakageBound(closer, None, "elimination", CLAIMS)
    return _LeakageBound(known, best.ends[1], "published", PUBLISHED_CLAIMS)


def _by_elimination(question: tuple[Framework, RecordLevels]) -> Fraction | None:
    return eliminated(*question)


def _by_quilts(framework: Framework, levels: RecordLevels) -> Fraction | None:
    """Return the largest bound of all secret records, for each of the best ball around it: its
    levels, and the influence of its boundary; None if some prior is no network.
    """
    records, bounds = framework.expect_records(), list[Fraction]()
    wanted = sorted({order.record for order in orders(framework)})
    for prior in framework.priors.values():
        if (network := network_of(prior, records)) is None:
            return None
        quilts = NetworkQuilts(network, records)
        for record in wanted:
            balls = quilts.candidates(record, _MOST_BOUNDARY, _MOST_BOUNDARY)
            known = [_of_ball(quilts, ball, levels) for ball in balls]
            bounds.append(min(each for each in known if each is not None))
    return max(bounds, default=None)


def _of_ball(quilts: NetworkQuilts, ball: Quilt, levels: RecordLevels) -> Fraction | None:
    try:
        ratio = quilts.influence_within(ball, _MOST_ENTRIES) if ball.quilt else Fraction(1)
    except TooLargeError:
        return None
    spent = sum(map(levels.at, ball.nearby), Total(Fraction(1), Fraction(0)))
    return None if ratio is None else ratio * spent.bounds()[1]


@dataclass(frozen=True)
class _ShownResponses:
    """What responses leak: a lower bound of log(ratio), or the level `own` of the record."""

    ratio: Fraction
    prior: str
    order: Order
    favours: Favours
    own: Total | None = None


def _shown(framework: Framework, levels: RecordLevels) -> Iterator[_ShownResponses]:
    """Yield what responses of a secret record leak, and what counts do, under every prior."""
    records = framework.expect_records()
    asked, counts = list(orders(framework)), _counts(len(records.alphabet))
    wanted = sorted({order.record for order in asked})
    counted = set(wanted[:: ceil(len(wanted) * len(counts) * records.count / _MOST_TABLES)])
    for name, prior in framework.priors.items():
        if (network := network_of(prior, records)) is None:
            continue
        possible = possible_values(framework, name, wanted)
        for record in wanted:
            here = [each for each in asked if each.record == record]
            known = [each for each in here if {each.one, each.other} <= possible[record]]
            own = levels.at(record)
            for order in known:
                alone = {record: frozenset({order.one})}
                yield _ShownResponses(own.bounds()[0], name, order, alone, own)
            for values in counts if known and record in counted else ():
                question = _CountQuestion(network, framework, levels, name, known, values)
                yield from ask((_of_count, _of_bits), question).answer or ()


@dataclass(frozen=True)
class _CountQuestion:
    """What a noisy count of the records with some values leaks at its ends, or responses of all
    records, about secrets of one record: with R_j = e^level_j, j over the other records,

        R_i E[prod_j R_j^[x_j counts] | X_i = one] / E[prod_j R_j^[x_j counts] | X_i = other].

    It is a column of level_j at each record, and so one of releases whose levels have these sums.
    The ordered pairs are of values of one record that are possible under the prior.
    """

    network: BayesianNetwork
    framework: Framework
    levels: RecordLevels
    prior: str
    orders: Sequence[Order]
    values: frozenset[int]

    @property
    def records(self) -> Records:
        """The records."""
        return self.framework.expect_records()

    @property
    def record(self) -> int:
        """The secret one."""
        return self.orders[0].record

    @property
    def others(self) -> Favours:
        """The values that are counted of the other records."""
        return {j: self.values for j in range(1, self.records.count + 1) if j != self.record}

    def shown(self, order: Order, ratio: Fraction, others: Favours) -> _ShownResponses:
        """Return responses of the secret record and of others, which multiply to a ratio."""
        favours = {**others, self.record: frozenset({order.one})}
        own = self.levels.at(self.record).rounded(upward=False).ratio
        return _ShownResponses(own * ratio, self.prior, order, favours)


def _of_count(question: _CountQuestion) -> list[_ShownResponses]:
    """Return what is leaked by tables of all other records."""
    network, records, others = question.network, question.records, question.others
    weights = _weights(question.framework, question.levels, others)
    told = network.marginal(question.record, records, weights)
    law = network.marginal(question.record, records)
    likely = {value: told[value] / law[value] for order in question.orders for value in (order.one, order.other)}
    return [question.shown(order, likely[order.one] / likely[order.other], others) for order in question.orders]


def _of_bits(question: _CountQuestion) -> list[_ShownResponses] | None:
    """Return what responses of the records leak that a secret bit depends on."""
    records, record, others = question.records, question.record, question.others
    if len(records.alphabet) > 2 or records.count > MOST_RECORDS:
        return None
    ratios = [(1.0, 1.0)] * records.count
    weights = _weights(question.framework, question.levels, others)
    if max(max(pair) for pair in weights.values()) > _LARGEST:
        return None
    for each, (zero, one) in weights.items():
        ratios[each - 1] = float(zero), float(one)
    found = told_of_some(families_of(question.network, records), record, ratios)
    if found is None:
        return None
    low, high, above = found
    near = {each: values for each, values in others.items() if each in above}
    return [
        question.shown(order, Fraction(low) if order.one else 1 / Fraction(high), near) for order in question.orders
    ]


def _counts(size: int) -> list[frozenset[int]]:
    """Return the values that counts are about: the last ones of the alphabet, and the first."""
    last = [frozenset(range(first, size)) for first in range(1, size)]
    return [*last, *(frozenset(range(size)) - values for values in last)]


def _weights(framework: Framework, levels: RecordLevels, favours: Favours) -> dict[int, list[Fraction]]:
    """Return R_j for the favoured values of every record, and 1 for its others."""
    values = range(len(framework.expect_records().alphabet))
    return {
        record: [levels.at(record).rounded(upward=False).ratio if value in chosen else Fraction(1) for value in values]
        for record, chosen in favours.items()
    }


def eliminated(framework: Framework, levels: RecordLevels) -> Fraction | None:
    """Return an upper bound of e to the leakage of all pairs under all priors; None unless every
    prior is a network of at most eight values. Raises `TooLargeError` if its tables are too large.
    """
    records = framework.expect_records()
    if records.count > MOST_RECORDS:
        return None
    rates = [float_above(levels.at(record).bounds()[1]) for record in range(1, records.count + 1)]
    wanted = {order.record for order in orders(framework)}
    bounds, spent = [1.0], 0
    for prior in framework.priors.values():
        if (network := network_of(prior, records)) is None:
            return None
        if not 2 <= len(layout(network, records)[0]) <= MOST_VALUES:
            return None
        families = families_of(network, records)
        for record in sorted(wanted):
            found = least_ratio(families, record, rates, spent)
            bounds.append(found.ratio)
            spent = found.spent
    return Fraction(max(bounds)) if isfinite(max(bounds)) else None
