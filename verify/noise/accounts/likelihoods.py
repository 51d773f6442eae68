"""E[w | s] for secrets about records of a network, w a product of weights of the values of all
records: what two ends of a noisy query tell of them.

By one pass along a forest, by elimination of enclosures where tables are small, of floats that
carry their errors where they are larger (`products`), of bits by what their ancestors tell
(`networks.told_of_bits`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from math import ceil, frexp, inf, isfinite, ldexp
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import arb, ctx, fmpq

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.priors.bayesian_network import (
    Bag,
    BayesianNetwork,
    Factor,
    Sizes,
    Step,
    eliminated_in,
    elimination_order,
    entries_of,
    multiplied,
)
from pufferproof.models.priors.forest import Forest, Kernel, families_of, forest_within, layout
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.chain import Place
from pufferproof.models.views import expect_network
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import Account, RecordRate, spent_between, spent_of
from pufferproof.verify.noise.accounts.elimination import MOST_RECORDS, MOST_VALUES, float_above, least_ratio, told
from pufferproof.verify.noise.laws.passes import ForestPasses, Passing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Bounds of what noisy numbers leak on networks whose tables are too large for the law of the numbers: above by
# elimination, of all other records or of those near, with the levels that noise has for records, below by the two ends
# of the query, in floats that carry their errors.

NETWORKS_RESTS_ON = ("classes.elimination-rays",)
_BITS = 256
_WIDE_NETWORK = 1_000  # quotients of bounds, beyond which they tell nothing
_MOST_NETWORK_ENTRIES = 1 << 22  # of the tables of a network, each of which is gone through
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
        chosen = []
        for account in quilts():
            other = eliminated.get((account.prior, account.record))
            closer = other is not None and _size(other.bound) < _size(account.bound)
            chosen.append(other if other is not None and closer else account)
    return tuple(sorted(chosen, key=lambda account: _size(account.bound), reverse=True))


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
    rates = [RecordRate.of(release, framework) for release in releases]
    counts = [sum(map(release.covers, nearby)) for release in releases]
    with ctx.workprec(_BITS):
        return Leakage(*spent_of(rates, counts))


def _rates(framework: Framework, releases: Sequence[RecordQuery], letters: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return bounds of e^level of every record; of more than two values a matrix, as close values
    are told apart less.
    """

    import numpy as np

    rates_of: dict[object, Any] = {}
    rates = []
    with ctx.workprec(_BITS):
        for record, values in enumerate(letters, 1):
            covered = values, tuple(release.covers(record) for release in releases)
            if covered not in rates_of:
                size, alphabet = len(values), len(framework.expect_records().alphabet)
                if size == 2 < alphabet:
                    costs = [RecordRate(release, apart(release, *values)) for release in releases]
                    rates_of[covered] = float_above(spent_between(costs, record, record)[1])
                elif size == 2:
                    costs = [RecordRate.of(release, framework) for release in releases]
                    rates_of[covered] = float_above(spent_between(costs, record, record)[1])
                else:
                    ratios = np.ones((size, size))
                    for u, v in permutations(range(size), 2):
                        costs = [RecordRate(release, apart(release, values[u], values[v])) for release in releases]
                        ratios[u, v] = float_above(spent_between(costs, record, record)[1])
                    rates_of[covered] = ratios
            rates.append(rates_of[covered])
    return rates


def apart(release: RecordQuery, u: int, v: int) -> Fraction:
    """Return by how much a query changes in all coordinates with a record of one of two values."""
    if release.query == "histogram":
        return Fraction(2 if u != v else 0)
    (row,) = release.digits
    return release.grain * abs(row[u] - row[v])


def told_of_bits(framework: Framework, prior: str, record: int, weights: Sequence[Sequence[arb]]) -> arb | None:
    """Enclose E[w | 1] / E[w | 0] of a record, w the product of the weights of the values of all
    records, or None if tables are large, or a value is impossible.

    Raises `TooLargeError` if tables are too large to write.
    """
    records = framework.expect_records()
    if len(records.alphabet) != 2 or records.count > MOST_RECORDS:
        return None
    families = families_of(expect_network(framework, prior), records)
    if sum(family.table.size for family in families) > _MOST_NETWORK_ENTRIES:
        return None
    if max(float_above(dyadic(weight.upper())) for pair in weights for weight in pair) == inf:
        return None
    floats = [tuple(float(dyadic(weight.mid())) for weight in pair) for pair in weights]
    odds = told(families, record, [(zero, one) for zero, one in floats])
    if odds is None or odds[1] > _WIDE_NETWORK * odds[0]:  # a ball would not keep away from 0
        return None
    return arb(odds[0]).union(arb(odds[1]))


if TYPE_CHECKING:
    Floats = NDArray[np.float64]

Pair = tuple[arb, arb]


_MOST_ENTRIES = 1 << 16  # of enclosures, in all tables
MOST_TABLES = 20_000  # records that are eliminated, for all secret ones together


def network_likelihoods(
    framework: Framework, prior: str, weights: Sequence[Sequence[arb]], places: Sequence[Place]
) -> Mapping[Place, arb]:
    """Return E[w | s] for possible secrets s about a network, up to a factor for those of a record;
    1 of some records where there are too many to go through all. `weights` are those of every
    record and letter, w their product.

    A forest takes one pass. Small tables are of enclosures, larger ones of floats that carry their
    errors; where these are too large as well, floats tell of bits; else 1 stands for a record.
    """
    network, records = expect_network(framework, prior), framework.expect_records()
    wanted = sorted({record for record, _ in places})
    if (forest := forest_within(network, records)) is not None:
        return dict.fromkeys(places, arb(1)) | told_by_tree(forest, weights, wanted)
    left = MOST_WORK
    likelihoods = dict.fromkeys(places, arb(1))
    for record in wanted[:: ceil(len(wanted) * records.count / MOST_TABLES)]:
        values = [value for one, value in places if one == record]
        question = LikelihoodQuestion(framework, prior, record, values, weights, left)
        answer = ask((in_enclosures, in_floats, of_bits), question).answer
        if answer is not None:
            balls, work = answer
            left -= work
            by_place = {(record, value): ball for value, ball in balls.items()}
            likelihoods |= {place: by_place[place] for place in by_place if place in likelihoods}
    return likelihoods


@dataclass(frozen=True)
class LikelihoodQuestion:
    """E[w | X_i = v] for values v of a record, with so much work at most."""

    framework: Framework
    prior: str
    record: int
    values: Sequence[int]
    weights: Sequence[Sequence[arb]]
    left: int

    @property
    def network(self) -> BayesianNetwork:
        """The network of the prior."""
        return expect_network(self.framework, self.prior)


ToldOfRecord: TypeAlias = tuple[dict[int, arb], int]  # by value, and what work it was


def in_enclosures(question: LikelihoodQuestion) -> ToldOfRecord | None:
    """Eliminate enclosures, where tables are small."""
    import numpy as np

    network, records, record = (question.network, question.framework.expect_records(), question.record)
    own, sizes = network.own(records), network.sizes(records)
    every = network.factors(records)
    law = network.marginal(record, records, most=_MOST_ENTRIES)
    order = elimination_order([factor.scope for factor in every], {*sizes} - {record}, sizes, _MOST_ENTRIES)
    if entries_of(order, sizes) > _MOST_ENTRIES:
        return None
    balls: Any = np.frompyfunc(ball, 1, 1)
    factors = [Factor(factor.scope, balls(factor.table)) for factor in every]
    for person, letters in enumerate(own, 1):
        row = [question.weights[person - 1][value] for value in letters]
        factors.append(Factor((person,), np.array(row, dtype=object)))
    sums = dict(zip(own[record - 1], eliminated_in(order, factors, (record,), sizes)))
    return {value: sums[value] / ball(law[value]) for value in question.values}, 0


def in_floats(question: LikelihoodQuestion) -> ToldOfRecord | None:
    """Eliminate floats that carry their errors."""
    records = question.framework.expect_records()
    answer = told_of_values(
        question.network, records, question.record, question.weights, question.values, question.left
    )
    if answer is None:
        return None
    odds, work = answer
    balls = {
        value: arb(fmpq(low.numerator, low.denominator)).union(arb(fmpq(high.numerator, high.denominator)))
        for value, (low, high) in odds.items()
    }
    return balls, work


def of_bits(question: LikelihoodQuestion) -> ToldOfRecord | None:
    """Tell the odds of a bit, as its ancestors do."""
    odds = told_of_bits(question.framework, question.prior, question.record, question.weights)
    return None if odds is None else ({1: odds}, 0)


# Products -----------------------------------------------------------------------------------------
#
# What product weights tell of a record of a network: E[w | X_i = v] for its values v, enclosed.
#
# All other records are summed out, of tables of floats whose errors are bounded: with f the
# computed entries of a table and F the true ones, scaled by one power of two so that f is at most
# 1,
#
#     |F - f| <= rel f + abs.
#
# Nothing is subtracted. A product of m tables has at most the sum of all rel and m roundings, and
# twice the sum of all abs; a sum of n entries has n roundings more and n times abs. What
# underflows is in abs. Two ends of a query need no more than this
# (`pufferproof.verify.noise.ratio.bounds`).

MOST_ENTRIES = 1 << 24  # of a table
MOST_WORK = 1 << 27  # entries of all tables, for all records
_UNIT, _TINY = 2.0**-53, 2.0**-1074
_SLACK = 1 + 2.0**-16  # more than what the sums of errors themselves are rounded by
_WIDE, _FAR = 2.0**-20, 2.0**-10  # of rel and abs, beyond which these bounds do not hold
Ends = tuple[Fraction, Fraction]


def told_of_values(
    network: BayesianNetwork,
    records: Records,
    record: int,
    weights: Sequence[Sequence[arb]],
    values: Sequence[int],
    most: int = MOST_WORK,
) -> tuple[dict[int, Ends], int] | None:
    """Return bounds of E[w | X_i = v] for some values, by position in the alphabet, all up to one
    factor, and how many entries all tables had; `weights` are those of every record and letter.
    None if floats do not tell.

    Raises `TooLargeError`, before any arithmetic, if tables have more than 2^24 entries, or all
    more than `most`.
    """
    own = network.own(records)
    unary = {
        person: [weights[person - 1][value] for value in values]
        for person, values in enumerate(own, 1)
        if any(weights[person - 1][value] != 1 for value in values)
    }
    weighed = _EliminationQuestion(network, records, record, unary)
    plain = _EliminationQuestion(network, records, record, {})
    if (work := weighed.work + plain.work) > most:
        raise TooLargeError(f"{work} entries of tables of floats: expected at most {most}")
    try:
        weighed_ends, law = weighed.answer(), plain.answer()
    except _LostError:
        return None
    odds = {}
    for value in values:
        place = own[record - 1].index(value)
        (low, high), (least, greatest) = weighed_ends[place], law[place]
        if low <= 0 or least <= 0:
            return None
        odds[value] = low / greatest, high / least
    return odds, work


class _LostError(ArithmeticError):
    """Errors that are too large to go on with."""


class _EliminationQuestion:
    """The sum over all records but one, of the tables that it and the weights depend on."""

    def __init__(
        self, network: BayesianNetwork, records: Records, record: int, unary: Mapping[int, Sequence[arb]]
    ) -> None:
        self.record, self.unary = record, unary
        self.floats: dict[int, Floats] = network.__dict__.setdefault("_floats", {})
        self.sizes: Sizes = network.sizes(records)
        self.factors = network.factors(records, network.ancestors([record, *unary]))
        scopes = [factor.scope for factor in self.factors]
        hidden = {person for scope in scopes for person in scope} - {record}
        self.order: list[Step] = elimination_order(scopes, hidden, self.sizes, MOST_ENTRIES)
        self.work = entries_of(self.order, self.sizes)

    def answer(self) -> list[Ends]:
        """Return bounds of the sum for every value of the record."""
        bag = Bag(_ProductTable.of(factor, self.floats) for factor in self.factors)
        for record, row in self.unary.items():
            bag.add(_ProductTable.of_weights(record, row))
        for record, around in self.order:
            product = _product(bag.take(record), (*around, record), self.sizes)
            bag.add(product.summed(around))
        return _product(bag.rest(), (self.record,), self.sizes).ends()


@dataclass(frozen=True)
class _ProductTable(Factor):
    """Computed entries of at most 1, and bounds of their errors: see the head."""

    rel: float
    abs: float

    @classmethod
    def of(cls, factor: Factor, floats: "dict[int, Floats]") -> "_ProductTable":
        """Return a table of probabilities, each rounded once; `floats` has those of a network."""
        if (key := id(factor.table)) not in floats:
            floats[key] = factor.table.astype(float)
        return cls(factor.scope, floats[key], _UNIT, _TINY)

    @classmethod
    def of_weights(cls, record: int, weights: Sequence[arb]) -> "_ProductTable":
        """Return weights of the values of a record over the largest, from enclosures."""
        import numpy as np

        largest = max(dyadic(weight.upper()) for weight in weights)
        low = [dyadic(weight.lower()) / largest for weight in weights]
        high = [dyadic(weight.upper()) / largest for weight in weights]
        rel = max((float(b / a) - 1 for a, b in zip(low, high) if a > 0), default=0.0) + 4 * _UNIT
        spread = _TINY if min(low) > 0 else 2 * _FAR
        return cls((record,), np.array([float(b) for b in high]), rel, spread)

    def summed(self, around: tuple[int, ...]) -> "_ProductTable":
        """Return the table summed over its last record, scaled so that entries are at most 1."""
        count = self.table.shape[-1]
        table = self.table.sum(axis=-1)
        rel = self.rel + count * _UNIT
        spread = self.abs * count
        import numpy as np

        top = float(table.max())
        power = frexp(top)[1] if top else 0
        scaled = np.ldexp(table, -power)
        if not spread < ldexp(_FAR, power):
            raise _LostError
        return _checked(around, scaled, rel * _SLACK, ldexp(spread, -power) * _SLACK + _TINY)

    def ends(self) -> list[Ends]:
        """Return bounds of the true entries."""
        rel, spread = Fraction(self.rel), Fraction(self.abs)
        entries = [Fraction(entry) for entry in self.table.tolist()]
        return [(entry * (1 - rel) - spread, entry * (1 + rel) + spread) for entry in entries]


def _checked(scope: tuple[int, ...], table: "Floats", rel: float, spread: float) -> _ProductTable:
    """Return a table. Raises `_LostError` unless its errors are small."""
    if not (rel < _WIDE and spread < _FAR):
        raise _LostError
    return _ProductTable(scope, table, rel, spread)


def _product(factors: Sequence[_ProductTable], scope: tuple[int, ...], sizes: Sizes) -> _ProductTable:
    """Return the product of tables, with an axis for each record of a scope."""
    result = multiplied(factors, scope, sizes)
    rel = (sum(factor.rel for factor in factors) + len(factors) * _UNIT) * _SLACK
    spread = (2 * sum(factor.abs for factor in factors) + len(factors) * _TINY) * _SLACK
    return _checked(scope, result, rel, spread)


# Trees --------------------------------------------------------------------------------------------
#
# Likelihoods of a noisy query at its ends on a forest of bits: one pass up, with pairs that are
# not normalised, and one down to the records asked about. With u_j the weights of the values of j,
#
#     up_j(x) = sum_y P(x_j = y | parent = x) held_j(y),     held_j(y) = u_j(y) prod_c up_c(y),
#
# c over the records that hang on j. Only positive numbers are multiplied and added: enclosures
# stay close whatever the exponents are, and what is 0 is exactly 0.

RESTS_ON = ("noise.law",)


def told_by_tree(forest: Forest, weights: Sequence[Sequence[arb]], wanted: Sequence[int]) -> dict[tuple[int, int], arb]:
    """Enclose E[w | x_i = v] / E[w] for all possible values of the wanted records, w the product of
    the weights of the values of all records, at the present precision.

    >>> from fractions import Fraction as F
    >>> from flint import arb
    >>> step, coin = ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))), ((F(1, 2), F(1, 2)),) * 2
    >>> told = told_by_tree(Forest((None, 1), (coin, step)), [[arb(1), arb(3)]] * 2, [1])
    >>> (told[1, 1] / told[1, 0]).contains(arb(5))
    True
    """
    balls = _Balls(forest)
    passes = ForestPasses(forest, balls, weights)
    before, plain = passes.before(wanted), ForestPasses(forest, balls, None).before(wanted)
    odds = {}
    for record in wanted:
        held = balls.times(weights[record - 1], passes.after[record - 1])
        masses = balls.times(before[record], held)
        total = masses[0] + masses[1]
        for value, law in enumerate(plain[record]):
            if law > 0:
                odds[record, value] = masses[value] / law / total
    return odds


class _Balls(Passing[Sequence[arb]]):
    """The weight of x_j = 0 and of x_j = 1: upwards given the value of the record that j hangs on,
    downwards with the law of x_j.
    """

    def __init__(self, forest: Forest) -> None:
        self.one = arb(1), arb(1)
        self._kernels: dict[int, tuple[Pair, Pair]]  # by the identity of a kernel, for all passes
        self._kernels = forest.__dict__.setdefault(f"_balls_{ctx.prec}", {})

    def times(self, one: Sequence[arb], other: Sequence[arb]) -> Pair:
        return one[0] * other[0], one[1] * other[1]

    def start(self, kernel: Kernel) -> Pair:
        return self._enclosed(kernel)[0]

    def moved(self, message: Sequence[arb], kernel: Kernel, upward: bool) -> Pair:
        (p00, p01), (p10, p11) = self._enclosed(kernel)
        zero, one = message
        if upward:
            return p00 * zero + p01 * one, p10 * zero + p11 * one
        return zero * p00 + one * p10, zero * p01 + one * p11

    def _enclosed(self, kernel: Kernel) -> tuple[Pair, Pair]:
        known = self._kernels.get(id(kernel))
        if known is None:
            (p00, p01), (p10, p11) = kernel
            known = (ball(p00), ball(p01)), (ball(p10), ball(p11))
            self._kernels[id(kernel)] = known
        return known
