"""What mechanisms leak at most about records of a class of Markov chains: by one quilt per record,
and the levels that the mechanism has for the records nearby.

Under every chain of the class a mechanism that has level e_j for record j leaks about X_i at most

    e_Theta(X_Q | X_i) + sum_(j in N) e_j

for a quilt Q with nearby set N, e_Theta being the supremum of its influence over the class. Levels
per record are those over all databases, whether or not a chain allows them. Channels and noisy
queries are bounded by branch and bound as well (`rows`), which is closer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby, product
from math import inf
from typing import TYPE_CHECKING, Protocol

from flint import ctx

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery, distance
from pufferproof.models.numbers.enclosures import dyadic, log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.forest import families_of, forest_within
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import ContactNetwork, Contacts, IntervalNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.influence.box.largest import ClassQuilts, Quilt, nearby, quilts_of
from pufferproof.verify.influence.quilts.exact import CLASSES_RESTS_ON as QUILTS_REST_ON
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage, least_of, most_of, product_of
from pufferproof.verify.noise.accounts.accountant import Account, RecordRate, spent_between
from pufferproof.verify.noise.accounts.corners import ends_of, largest_corner, queries_of
from pufferproof.verify.noise.accounts.elimination import CLAIMS as ELIMINATION_CLAIMS
from pufferproof.verify.noise.accounts.likelihoods import MOST_TABLES
from pufferproof.verify.noise.ratio.bounds import MAX_ACCOUNTS, NoiseBounds, places_to_check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pufferproof.verify.noise.classes.rows.bound import Corner, TreeBound

# What noisy numbers of an attractive network of bits leak, at the two ends of the query.
#
# A table t of a network is attractive if t(x or y) t(x and y) >= t(x) t(y) for all x and y, entry by entry. If all
# are, so is their product, times any product of functions of single bits. So records given X_i = 1 are stochastically
# larger than given 0 (Holley's inequality), tilted by the noise or not, and the largest ratio is that of an output
# beyond all values of the query (`classes.network-extremes`).

ATTRACTIVE_RESTS_ON = ("classes.network-extremes",)
_MOST_AXES = 8  # of a table that is tested


@dataclass(frozen=True)
class EndRatio(EnclosedRatio):
    """The leakage as both ends of the query have it."""

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return "both ends of the query, of records that attract one another"

    @property
    def theorems(self) -> Theorems:
        """An argument in words: that no other output leaks more."""
        return Theorems(in_words=True)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: of a level that an end breaks, enclosures alone."""
        return ("INTERVAL",) if self.exceeds(level) else ("INTERVAL", *self.theorems.trust)

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on: of a level that an end breaks, none."""
        return () if self.exceeds(level) else ATTRACTIVE_RESTS_ON


def attractive_ends(framework: Framework, mechanism: NoisyQueries) -> EndRatio | None:
    """Return what noisy numbers leak under attractive networks of bits, or None unless every prior
    is one, noise decays exponentially, secrets are about one record each, and tables are small.

    Raises `TooLargeError` if its tables are too large.
    """
    records = framework.expect_records()
    queries, place = queries_of(mechanism), framework.places
    if len(records.alphabet) != 2 or len(queries) < len(mechanism.queries):
        return None
    if any(query.noise.decay is None for query in queries):
        return None
    if any(place[one][0] != place[other][0] for one, other in framework.pairs):
        return None
    wanted = {record for record, _ in place.values()}
    if len(wanted) * records.count > MOST_TABLES and not _trees(framework):
        return None
    if not all(_attractive(framework, name) for name in framework.priors):
        return None
    places, scope = places_to_check(framework)
    largest, witness = largest_corner(framework, queries, places, ends_of(mechanism))
    return EndRatio(largest, witness, scope)


def _trees(framework: Framework) -> bool:
    """Whether every prior is a forest, which one pass goes through."""
    networks, records = framework.networks, framework.expect_records()
    return len(networks) == len(framework.priors) and all(
        forest_within(network, records) is not None for network in networks.values()
    )


def _attractive(framework: Framework, name: str) -> bool:
    """Whether a prior is a network of bits with attractive tables, without arrows that carry nothing."""
    network = framework.networks.get(name)
    if not isinstance(network, BayesianNetwork):
        return False
    forest = forest_within(network, framework.expect_records())
    if forest is not None:
        return forest.attractive
    families = families_of(network, framework.expect_records())
    return all(is_attractive(family.table) for family in families)


def is_attractive(table: "NDArray[np.object_]") -> bool:
    """Whether t(x or y) t(x and y) >= t(x) t(y) for all x and y; not told, so False, of more than
    eight bits.

    >>> import numpy as np
    >>> is_attractive(np.array([[3, 1], [1, 3]])), is_attractive(np.array([[1, 3], [3, 1]]))
    (True, False)
    """
    if table.ndim > _MOST_AXES:
        return False
    entries = list(product((0, 1), repeat=table.ndim))
    for x, y in combinations(entries, 2):
        both = table[tuple(map(min, x, y))] * table[tuple(map(max, x, y))]
        if both < table[x] * table[y]:
            return False
    return True


RESTS_ON = ("song2017.x-any-quilt", "general.quilt-account")
MOST_COMPARED = 2_000_000  # entries of a channel, for every record and value
_MOST_BITS = 1 << 16  # of a product that is computed exactly
_BITS = 256
Spent = tuple[Fraction, Fraction] | None  # bounds of e to a sum of levels, or None if infinite


@dataclass(frozen=True)
class ClassBounds(NoiseBounds):
    """What is leaked under a class, between bounds: `members` under some chains of it, and of all
    the `accounts` and, where databases are few, `trees`. `in_words`: bounds of a class that
    is no box of chains are argued in words.
    """

    of_classes = True

    members: LargestRatio | None = None
    in_words: bool = False
    trees: "TreeBound | None" = None
    member: Prior | None = None
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, repr=False)

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats, the witness with its `member`."""
        answer = super().as_json(level)
        answer["witness"] |= member_json(self.member)
        return answer

    @property
    def output(self) -> object:
        """The output of the witness, as a joint release takes it apart."""
        return super().output if self.members is None else self.members.output

    @property
    def accounted(self) -> Fraction | None:
        """What the accounts alone bound, or None if infinite."""
        return most_of([account.bound.upper for account in self.accounts])

    @property
    def bounded(self) -> Fraction | None:
        """What accounts or trees bound, or None if infinite."""
        return least_of([self.accounted, None if self.trees is None else self.trees.upper])

    @property
    def by_trees(self) -> bool:
        """Whether trees bound the classes more closely than accounts."""
        upper = self.accounted
        bound = None if self.trees is None else self.trees.upper
        return bound is not None and (upper is None or bound < upper)

    @property
    def theorems(self) -> Theorems:
        """What the upper bound rests on; that of trees is an argument in words (`rows`)."""
        in_words = self.by_trees or self.in_words
        return Theorems(in_words=True) if in_words else super().theorems

    @property
    def upper_claims(self) -> tuple[str, ...]:
        """The claims of the upper bound: of trees if trees are closer, else of quilts."""
        if self.by_trees and self.trees is not None:
            return self.trees.claims
        eliminated = any(account.eliminated for account in self.accounts)
        return united(self.claims, ELIMINATION_CLAIMS if eliminated else QUILTS_REST_ON)

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on, with those about the members."""
        claims = () if self.members is None else self.members.rests_on(level)
        return united(super().rests_on(level), claims)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, 0 where it is at most epsilon, or None if
        the level lies between the bounds.
        """
        sign = None if self.members is None else self.members.compare(level)
        if sign is None or sign > 0:
            return sign
        if self.trees is not None and self.trees.within(partial(_keeps, level)):
            return 0
        return 0 if all(account.keeps(level) for account in self.accounts) else None


def class_bounds(
    framework: Framework,
    mechanism: Channel | LocalMechanism | NoisyQueries,
    members: LargestRatio,
    listed: Channel | None = None,
    level: Level | None = None,
    some: Framework | None = None,
    trees: "TreeBound | None" = None,
) -> ClassBounds:
    """Return bounds of what a mechanism leaks under the classes and the priors of a framework,
    given what it leaks under priors that have some chains of the classes in their place, its
    channel where that is written out, and what branch and bound shows (`class_trees`). With a
    level, closely enough to decide it, if that can be. `some`: the framework of these chains, of
    which the witness names one.

    Raises `ModelError` unless the mechanism fits the records; `TooLargeError` beyond 2,000 secrets
    times classes.
    """
    from pufferproof.verify.noise.classes.networks import people_bound  # with arrays

    records, spending = framework.expect_records(), _spending(framework, mechanism)
    places = sorted({place for place, _ in framework.places.values()})
    if (count := len(places) * len(framework.classes)) > MAX_ACCOUNTS:
        raise TooLargeError(f"expected at most {MAX_ACCOUNTS} secrets, times classes, found {count}", "secrets")
    accounts = [
        _account(name, record, spending, quilts)
        for name, box in framework.chain_classes.items()
        for quilts in [quilts_of(box, records.count)]
        for record in places
    ]
    accounts += [
        _network_account(name, network, records, record, spending)
        for name, network in framework.classes.items()
        if isinstance(network, IntervalNetwork | Contacts)
        for record in places
    ]
    accounts.sort(key=lambda account: (account.bound.upper is not None, -(account.bound.upper or 0)))
    if trees is None and not isinstance(mechanism, LocalMechanism):
        enough = _enough(members, level)
        trees = people_bound(framework, listed or mechanism, enough, members.leakage.lower)
    closer = None if trees is None else trees.upper
    upper = least_of([most_of([account.bound.upper for account in accounts]), closer])
    return ClassBounds(
        Leakage(members.leakage.lower, most_of([members.leakage.upper, upper])),
        members.witness,
        members.scope,
        tuple(accounts),
        "the priors are classes, which are bounded",
        members=members,
        in_words=not all(isinstance(x, IntervalChain) for x in framework.classes.values()),
        trees=trees,
        member=_member(framework, some, members),
    )


def _member(framework: Framework, some: Framework | None, members: LargestRatio) -> Prior | None:
    """Return the member of a class that a witness names, or None if it is of no class."""
    name = members.witness.prior
    if some is None or not isinstance(name, str) or name in framework.priors:
        return None
    return some.priors.get(name)


def member_json(member: Prior | None) -> JsonObject:
    """Return the member of the file formats: a chain or a network, nothing of another prior. People
    whose tables are large have what makes the tables.
    """
    if isinstance(member, MarkovChain):
        start, rows = member.initial, member.transition
        first = start if isinstance(start, str) else list(map(text_of, start))
        return {"member": {"initial": first, "transition": [list(map(text_of, r)) for r in rows]}}
    if isinstance(member, BayesianNetwork):
        parents = {str(i): list(map(str, above)) for i, above in enumerate(member.parents, 1)}
        if isinstance(member, ContactNetwork) and not member.small:  # numbers instead of tables
            rates = {"transmission": member.transmission, "base": member.base}
            numbers = {name: text_of(rate) for name, rate in rates.items()}
            return {"member": {"parents": parents} | numbers}
        cpt = {str(i): {key: list(map(text_of, row)) for key, row in rows} for i, rows in enumerate(member.cpt, 1)}
        return {"member": {"parents": parents, "cpt": cpt}}
    return {}


def class_trees(
    framework: Framework,
    mechanism: object,
    leaked: Fraction | None,
    level: Level | None = None,
    effort: int = 1,
    corner: "Corner | None" = None,
) -> "TreeBound | None":
    """Return the bound by branch and bound of a framework of boxes of chains, and a chain that
    leaks more than `leaked` if one was found; None of other classes, and of mechanisms that are no
    channels and no queries with noise. `corner`: what `class_corner` found.
    """
    every = all(isinstance(box, IntervalChain) for box in framework.classes.values())
    if not every or not isinstance(mechanism, Channel | NoisyQueries):
        return None
    from pufferproof.verify.noise.classes.rows.bound import tree_bound  # with arrays

    return tree_bound(framework, mechanism, leaked, level, effort, corner)


def class_corner(framework: Framework, mechanism: object) -> "Corner | None":
    """Return a chain of boxes that leaks much at outputs beyond all values, by the name of its
    class, with about what it leaks; None of other classes, and of mechanisms that are no queries
    with noise.
    """
    every = all(isinstance(box, IntervalChain) for box in framework.classes.values())
    if not every or not isinstance(mechanism, NoisyQueries):
        return None
    from pufferproof.verify.noise.classes.rows.bound import best_corner  # with arrays

    return best_corner(framework, mechanism)


def _enough(members: LargestRatio, level: Level | None) -> Callable[[Fraction], bool] | None:
    """Return whether a bound keeps a level that no member exceeds; None without such a level."""
    decided = level is None or members.compare(level) in (None, 1)
    return None if level is None or decided else partial(_keeps, level)


def _keeps(level: Level, ratio: Fraction) -> bool:
    return level.compare(ratio) <= 0


class Spending(Protocol):
    """What a mechanism has as levels of records."""

    def between(self, first: int, last: int) -> Spent:
        """Return bounds of e to the sum of the levels of records that follow each other."""


def _account(name: str, record: int, spending: Spending, quilts: ClassQuilts) -> Account:
    """Return the account of a record by the best quilt that was found."""

    def cost(quilt: Quilt, influence: float) -> float:
        spent = spending.between(*nearby(record, quilt, quilts.length))
        return inf if spent is None else influence + log_approx(spent[1])

    chosen = quilts.best(record, cost)
    influence = quilts.influence(chosen)
    spent = spending.between(*nearby(record, chosen, quilts.length))
    if spent is None or influence.upper is None:
        infinite = Leakage(None, None)
        return Account(name, record, *chosen, infinite, Leakage(*influence), infinite)
    least, most = spent
    bound = Leakage((influence.lower or Fraction(1)) * least, influence.upper * most)
    return Account(name, record, *chosen, bound, Leakage(*influence), Leakage(least, most))


def _network_account(
    name: str, network: IntervalNetwork | Contacts, records: Records, record: int, spending: Spending
) -> Account:
    """Return the account of a record in a class of networks: a bound without a quilt."""
    from pufferproof.verify.noise.classes.networks import contacts_ratio, network_ratio

    spent = [spending.between(j, j) for j in range(1, records.count + 1)]
    levels = [None if one is None else one[1] for one in spent]
    if isinstance(network, Contacts):
        upper = contacts_ratio(network, record, levels)
    else:
        upper = network_ratio(network, records, record, levels)
    whole = product_of(levels, 1)
    bound = Leakage(None if upper is None else Fraction(1), upper)
    total = Leakage(None if whole is None else Fraction(1), whole)
    nothing = Leakage(Fraction(1), Fraction(1))
    return Account(name, record, None, None, bound, nothing, total, nodes=(), eliminated=True)


@dataclass(frozen=True)
class _RecordLevels:
    """Levels per record as upper bounds of e^level, or None if it is infinite."""

    steps: Sequence[Fraction | None]

    def between(self, first: int, last: int) -> Spent:
        high, bits = Fraction(1), 0
        for step, same in groupby(self.steps[first - 1 : last]):
            if step is None:
                return None
            count = sum(1 for _ in same)
            bits += count * (step.numerator.bit_length() + step.denominator.bit_length())
            if bits > _MOST_BITS:
                return None
            high *= step**count
        return Fraction(1), high


@dataclass(frozen=True)
class _Noise:
    """Levels per record of built-in queries with noise."""

    rates: Sequence[RecordRate]

    def between(self, first: int, last: int) -> Spent:
        with ctx.workprec(_BITS):
            return spent_between(self.rates, first, last)


@dataclass(frozen=True)
class _Together:
    """The sum of what several mechanisms spend."""

    parts: Sequence[Spending]

    def between(self, first: int, last: int) -> Spent:
        low = high = Fraction(1)
        for part in self.parts:
            spent = part.between(first, last)
            if spent is None:
                return None
            low, high = low * spent[0], high * spent[1]
        return low, high


def _spending(framework: Framework, mechanism: Channel | LocalMechanism | NoisyQueries) -> Spending:
    """Return the levels per record of a mechanism, over all databases."""
    records = framework.expect_records()
    if isinstance(mechanism, LocalMechanism):
        mechanism.fits(records)
        return _RecordLevels([_largest(channel) for channel in mechanism.records])
    if isinstance(mechanism, Channel):
        # the largest ratio that one record makes, for every record
        labels = _few(records, len(mechanism.outputs))
        aligned = mechanism.aligned(labels, frozenset(range(len(labels))))
        rows = [
            [Fraction(number, aligned.denominators[x]) for number in aligned.numerators_of(x)]
            for x in range(len(labels))
        ]
        of_channel = [_over(_largest([rows[x] for x in line]) for line in lines) for lines in _lines(records)]
        return _RecordLevels(of_channel)
    parts: list[Spending] = []
    for query in mechanism.queries:
        if query.noise.decay is None:  # Gaussian noise has no level
            return _RecordLevels([None] * records.count)
        if isinstance(query, RecordQuery):
            parts.append(_Noise([RecordRate.of(query, framework)]))
        else:
            parts.append(_RecordLevels(_of_table(query, records)))
    return _Together(parts)


def _largest(rows: Sequence[Sequence[Fraction]]) -> Fraction | None:
    """Return the largest ratio of two entries of a column, or None if infinite."""
    most = Fraction(1)
    for column in zip(*rows):
        if max(column) and not min(column):
            return None
        if max(column):
            most = max(most, max(column) / min(column))
    return most


def _of_table(query: AdditiveNoise, records: Records) -> list[Fraction | None]:
    """Return upper bounds of the same for a table with noise: by the largest change that one record
    makes, in the L1 distance.
    """
    labels, decay = _few(records, 1), query.noise.decay
    for label in labels:
        if label not in query.values:
            raise ModelError(f'no value for database "{label}"', "query")
    values = [query.values[label] for label in labels]
    if decay is None:
        return [None] * records.count
    steps: list[Fraction | None] = []
    for lines in _lines(records):
        change = max(distance(values[x], values[y]) for line in lines for x in line for y in line)
        with ctx.workprec(_BITS):
            steps.append(max(Fraction(1), dyadic(decay.to(-change).ball().upper())))
    return steps


def _few(records: Records, outputs: int) -> tuple[str, ...]:
    """Return the databases. Raises `TooLargeError` unless they are few enough to compare."""
    labels = records.labels()
    work = len(labels) * len(records.alphabet) * records.count * outputs
    if work > MOST_COMPARED:
        raise TooLargeError(
            f"expected at most {MOST_COMPARED} entries to compare, found {work}; mechanisms given "
            "record by record, and built-in queries with noise, may be longer",
            "mechanism",
        )
    return labels


def _lines(records: Records) -> list[list[list[int]]]:
    """Return, for every record, the databases that differ in it alone, together."""
    size, values = len(records.alphabet) ** records.count, len(records.alphabet)
    every = []
    for record in range(1, records.count + 1):
        step = values ** (records.count - record)
        starts = [x for x in range(size) if x // step % values == 0]
        every.append([[start + step * value for value in range(values)] for start in starts])
    return every


def _over(steps: Iterable[Fraction | None]) -> Fraction | None:
    """Return the largest of some ratios, or None if infinite."""
    most = Fraction(1)
    for step in steps:
        if step is None:
            return None
        most = max(most, step)
    return most
