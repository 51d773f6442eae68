"""What many noisy releases about one Markov chain leak at most, by one quilt per record: the
accountant of correlated data.

Let Q be a quilt of X_i with nearby set N, and release k add noise to a query that changes by at
most L_k, in the L1 distance, with one record of its segment. Then the joint leakage about X_i is at
most

    e(X_Q | X_i) + sum_k card(N and segment k) * L_k * rate_k,

rate_k = -log decay (1 / scale for Laplace noise). The best quilt is sought for every record; any
one is sound. Source: wang2016, Lemma 4.5 and Theorem 4.4, with a common quilt for all releases,
which song2017, Theorem III.7, does not use. Exact joint leakages are in
`pufferproof.verify.noise.laws.of_records`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from flint import arb, ctx, fmpq

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery, lipschitz_of_records
from pufferproof.models.numbers.enclosures import dyadic, log_approx
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds, PrecisionError
from pufferproof.models.sequences.chain import Along
from pufferproof.models.views import expect_network, possible_values
from pufferproof.verify.engines import ask
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.network import NetworkQuilts, Quilt
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("general.quilt-account", "song2017.x-any-quilt", "song2017.x-upper-bounds")
QUILT_CLAIMS = ("general.quilt-account", "song2017.x-any-quilt")
WIDEST = 60
_MOST_ENTRIES = 4096  # of the joint law of a record and a quilt of a network
_MANY, _MOST_OF_MANY = 100, 1 << 13  # records of a network, and entries of tables of more
_MOST_WITHIN = 1 << 15  # entries of the tables of a ball
_BITS = 256


@dataclass(frozen=True)
class Account:
    """A bound of the joint leakage about one record, and its quilt: distances, or None if that side
    has no neighbour in it, or the records of a network, `nodes`.

    `influence` and `spent` are what the quilt and the noise add to the bound. `power` is e^bound
    where the quilt has no influence, so that levels are compared with it exactly. `eliminated`: the
    bound is by elimination of all other records, or of those within the quilt `nodes`.
    """

    prior: str
    record: int
    left: int | None
    right: int | None
    bound: Leakage
    influence: Leakage
    spent: Leakage
    power: Power | None = field(default=None, repr=False)
    nodes: tuple[int, ...] | None = None
    eliminated: bool = False
    names: tuple[str, ...] | None = field(default=None, repr=False)  # of all records

    @property
    def called(self) -> str:
        """How the record is called: by its name, or `record 5`."""
        return f"record {self.record}" if self.names is None else f'"{self.names[self.record - 1]}"'

    def keeps(self, level: Level) -> bool:
        """Whether the bound is at most a level: exactly, or as its enclosure says."""
        if self.bound.upper is not None and level.compare(self.bound.upper) <= 0:
            return True
        if self.power is None:
            return False
        terms = (
            [(level.ratio, ONE)] if level.ratio is not None else [(Fraction(1), Power.exp(level.nats or Fraction(0)))]
        )
        return (ExponentialSum([(Fraction(1), self.power)]) - ExponentialSum(terms)).sign() <= 0

    def as_json(self) -> JsonObject:
        """Return the account object of the file formats."""
        leakages = {"bound": self.bound, "influence": self.influence, "spent": self.spent}
        place = {"prior": self.prior, "record": self.record, "left": self.left, "right": self.right}
        nodes = {} if self.nodes is None else {"nodes": list(self.nodes)}
        how = {"eliminated": True} if self.eliminated else {}
        return place | {name: leakage.as_json() for name, leakage in leakages.items()} | nodes | how

    @property
    def quilt(self) -> str:
        """The records of the quilt, in braces."""
        nodes = self.nodes
        if nodes is None:
            before = (self.record - self.left,) if self.left else ()
            nodes = (*before, self.record + self.right) if self.right else before
        said = [str(node) if self.names is None else self.names[node - 1] for node in nodes]
        return "{" + ", ".join(said) + "}"


def quilt_account(framework: Framework, releases: Sequence[RecordQuery], widest: int = WIDEST) -> tuple[Account, ...]:
    """Return the best bound found for every record with a secret, under every prior, the largest
    bound first.

    With x = x_(R u Q), the likelihood of outputs and x given X_i = v is P(x | v) times a mixture,
    over the nearby values given x_Q and v, of products of densities. The first factors of v and v'
    have a ratio of at most e^e(X_Q | X_i); any two terms of the mixtures differ by a factor of at
    most exp(sum_k card(N and segment k) L_k rate_k), as only nearby records differ and noises are
    independent. Releases about segments that the nearby set misses cost nothing.

    Quilts reach at most `widest` records to either side, or to the end of the chain. If some prior
    is a network they are boundaries of balls, as far as their tables are small.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> records = Records(100, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "one")], {"theta": chain})
    >>> far, near = (RecordQuery("sum", Noise.laplace(20), records, segment) for segment in ((1, 40), (46, 54)))
    >>> (account,) = quilt_account(framework, [far, near])
    >>> account.quilt, account.bound.enclosure().lower[:5]
    ('{40}', '0.451')

    Raises `ModelError` unless noise is Laplace or geometric, and queries are about these records.
    """
    rates = [RecordRate.of(release, framework) for release in releases]
    accounts: list[Account] = []
    places = sorted({place for place, _ in framework.places.values()})
    for name, prior in framework.priors.items():
        if not framework.along_records:
            accounts.extend(_of_network(framework, name, places, rates, widest))
            continue
        if isinstance(prior, MarkovChain):
            influence = ChainInfluence(Along(prior, framework.expect_records().count, "enclosed", _BITS))
            unsure = [record for record in places if len(influence.laws.possible(record)) > 1]
            accounts.extend(_best(influence, name, record, rates, widest) for record in unsure)
            continue
        possible = possible_values(framework, name, places)
        accounts.extend(_alone(framework, name, record, rates) for record in places if len(possible[record]) > 1)
    return tuple(sorted(accounts, key=lambda account: account.bound.upper or Fraction(0), reverse=True))


@dataclass(frozen=True)
class RecordRate:
    """What one nearby record of a segment costs: `sensitivity` times the rate of the noise."""

    release: RecordQuery
    sensitivity: Fraction

    @classmethod
    def of(cls, release: RecordQuery, framework: Framework) -> "RecordRate":
        release.expect_of(framework.records)
        if release.noise.decay is None:
            raise ModelError("expected laplace, geometric or discrete_laplace noise, found gaussian", "noise")
        return cls(release, lipschitz_of_records(release))

    def count(self, first: int, last: int) -> int:
        """Return how many records of a window are in the segment, or chosen."""
        if self.release.of is not None:
            return sum(first <= record <= last for record in map(int, self.release.of))
        start, end = self.release.ends
        return max(0, min(last, end) - max(first, start) + 1)

    def power(self, records: int) -> Power:
        """Return e to the cost of some records."""
        return (self.release.noise.decay or ONE).to(-self.sensitivity * records)

    def ball(self) -> arb:
        """Enclose the cost of one record in nats."""
        decay = self.release.noise.decay
        if decay is None:
            raise ModelError("expected noise with a decay, found gaussian", "noise")
        return -arb(fmpq(self.sensitivity.numerator, self.sensitivity.denominator)) * decay.ball().log()


def _best(influence: ChainInfluence, prior: str, record: int, rates: Sequence[RecordRate], widest: int) -> Account:
    """Return the quilt with the least bound: floats choose, enclosures say what it is."""
    length = influence.laws.length
    with ctx.workprec(_BITS):
        costs = [float(rate.ball().mid()) for rate in rates]

        def spent(left: int | None, right: int | None) -> float:
            first, last = nearby(record, left, right, length)
            return sum(cost * rate.count(first, last) for cost, rate in zip(costs, rates))

        left, right = best_quilt(influence, record, spent, widest)
        ratio: Bounds = influence.of(record, left, right)
        if ratio.lower is None or ratio.upper is None:
            raise ModelError("the influence of the chosen quilt is infinite", "quilt")
        window = nearby(record, left, right, influence.laws.length)
        low, high = spent_between(rates, *window)
        bound = Leakage(ratio.lower * low, ratio.upper * high)
        power = _power(rates, _counts(rates, *window)) if ratio.lower == ratio.upper == 1 else None
        return Account(prior, record, left, right, bound, Leakage(ratio.lower, ratio.upper), Leakage(low, high), power)


def best_quilt(
    influence: ChainInfluence,
    record: int,
    spent_approx: Callable[[int | None, int | None], float],
    widest: int = WIDEST,
) -> tuple[int | None, int | None]:
    """Return the distances of the quilt of a record for which influence and what is spent on the
    nearby records are least together, in floats.
    """
    length = influence.laws.length
    lefts = [None, *range(1, min(widest, record - 1) + 1)]
    rights = [None, *range(1, min(widest, length - record) + 1)]
    costs = [(spent_approx(left, right), left, right) for left in lefts for right in rights]
    chosen: tuple[float, int | None, int | None] = costs[0]
    for cost, left, right in sorted(costs, key=lambda entry: entry[0]):
        if cost >= chosen[0]:
            break  # an influence is never negative
        try:
            upper = influence.of(record, left, right).upper
        except PrecisionError:
            continue
        value = inf if upper is None else cost + log_approx(upper)
        if value < chosen[0]:
            chosen = (value, left, right)
    return chosen[1], chosen[2]


def _alone(framework: Framework, name: str, record: int, rates: Sequence[RecordRate]) -> Account:
    """Return the account of a record by a quilt without influence: the neighbours of an
    independent one, else no quilt.

    Where records are independent the quilt next to X_i has no influence, and only X_i is spent.
    Records that a hidden chain shows are no chain: no quilt, and all records are nearby, which
    needs nothing of the prior.
    """
    count, independent = (framework.expect_records().count, isinstance(framework.priors[name], Product))
    left, right = ((1 if independent and record > 1 else None), (1 if independent and record < count else None))
    window = nearby(record, left, right, count)
    with ctx.workprec(_BITS):
        spent = Leakage(*spent_between(rates, *window))
    return Account(
        name, record, left, right, spent, Leakage.of(Fraction(1)), spent, _power(rates, _counts(rates, *window))
    )


def _of_network(
    framework: Framework, name: str, places: Sequence[int], rates: Sequence[RecordRate], widest: int
) -> Iterator[Account]:
    """Yield the best bound found for every uncertain record of a network."""
    records = framework.expect_records()
    network = expect_network(framework, name)
    quilts = NetworkQuilts(network, records)
    possible = possible_values(framework, name, places)
    size = max(2, *network.sizes(records).values())
    entries = _MOST_WITHIN if records.count > _MANY else _MOST_ENTRIES
    most = next(many for many in range(entries) if size ** (many + 2) > entries)
    with ctx.workprec(_BITS):
        for record in places:
            if len(possible[record]) > 1:
                accounts = [
                    account
                    for quilt in quilts.candidates(record, most, widest)
                    if (account := _by_quilt(quilts, name, quilt, rates)) is not None
                ]
                yield min(accounts, key=lambda one: one.bound.upper or Fraction(0))


def _by_quilt(quilts: NetworkQuilts, name: str, quilt: Quilt, rates: Sequence[RecordRate]) -> Account | None:
    """Return the bound by a quilt, or None if its influence is infinite or its law too large. Of
    many records the influence is bounded where the law of the quilt is large.
    """
    # e^influence of a quilt, exactly or between bounds, or None if tables are too large
    influence = ask((_exact_influence, _influence_within), (quilts, quilt)).answer
    if influence is None or influence.upper is None:
        return None
    ratio = influence.upper
    counts = [sum(map(rate.release.covers, quilt.nearby)) for rate in rates]
    low, high = spent_of(rates, counts)
    power = _power(rates, counts) if ratio == 1 else None
    bound, spent = Leakage((influence.lower or 1) * low, ratio * high), Leakage(low, high)
    return Account(name, quilt.record, None, None, bound, influence, spent, power, quilt.quilt)


def _exact_influence(question: tuple[NetworkQuilts, Quilt]) -> Leakage:
    quilts, quilt = question
    many = quilts.records.count > _MANY
    most = _MOST_OF_MANY if many else None
    return Leakage.of(quilts.influence(quilt.record, quilt.quilt, most))


def _influence_within(question: tuple[NetworkQuilts, Quilt]) -> Leakage | None:
    quilts, quilt = question
    within = quilts.influence_within(quilt, most=_MOST_WITHIN)
    return None if within is None else Leakage(Fraction(1), within)


def _power(rates: Sequence[RecordRate], counts: Sequence[int]) -> Power:
    """Return e to the cost of so many nearby records of every release, exactly."""
    power = ONE
    for rate, count in zip(rates, counts, strict=True):
        power = power.times(rate.power(count))
    return power


def spent_between(rates: Sequence[RecordRate], first: int, last: int) -> tuple[Fraction, Fraction]:
    """Return bounds of e to the cost of all releases, at the present working precision."""
    return spent_of(rates, [rate.count(first, last) for rate in rates])


def _counts(rates: Sequence[RecordRate], first: int, last: int) -> list[int]:
    return [rate.count(first, last) for rate in rates]


def spent_of(rates: Sequence[RecordRate], counts: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return bounds of e to the cost of so many records of every release."""
    # general.quilt-account: card(N and segment) L rate of every release
    costs = (rate.ball() * count for rate, count in zip(rates, counts, strict=True))
    total = sum(costs, arb(0)).exp()
    return max(dyadic(total.lower()), Fraction(1)), dyadic(total.upper())


def nearby(record: int, left: int | None, right: int | None, length: int) -> tuple[int, int]:
    """Return the first and the last nearby record."""
    return (1 if left is None else record - left + 1), (length if right is None else record + right - 1)
