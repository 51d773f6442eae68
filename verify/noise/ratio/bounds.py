"""Bounds of what a noisy query of a sequence leaks, where its law has too many values to compute
the leakage exactly.

Above, one Markov quilt per record (`pufferproof.verify.noise.accounts.accountant`), or elimination
of all other records of a network (`pufferproof.verify.noise.accounts.likelihoods`). Below, the
ratio of likelihoods at the corners of the values of the query
(`pufferproof.verify.noise.accounts.corners`). What is exact is in
`pufferproof.verify.noise.queries`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import ClassVar

from flint import arb, ctx

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery, distance
from pufferproof.models.numbers.enclosures import Enclosure, ball, dyadic, enclose, log_bounds
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, rounded, text_of
from pufferproof.models.sequences.chain import Chain
from pufferproof.models.views import possible_values
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.influence.chain import RESTS_ON as CHAINS_REST_ON
from pufferproof.verify.influence.network import RESTS_ON as NETWORKS_REST_ON
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.noise.accounts.accountant import QUILT_CLAIMS, Account, quilt_account
from pufferproof.verify.noise.accounts.corners import contributions, largest_corner, stretches
from pufferproof.verify.noise.accounts.elimination import CLAIMS as ELIMINATION_CLAIMS
from pufferproof.verify.noise.accounts.likelihoods import network_accounts
from pufferproof.verify.noise.accounts.tilted import TiltedSides, Tilts
from pufferproof.verify.noise.laws.of_framework import LawPair
from pufferproof.verify.noise.normal.lines import GaussianBounds

RESTS_ON = ("noise.law", "noise.spread", "general.quilt-account")
WINDOW_CLAIMS = ("noise.window",)
TILT_CLAIMS = ("worst.tilts",)
MAX_ACCOUNTS = 2_000  # secrets, times priors
_NEAR = 1 + Fraction(1, 10**9)  # an upper bound by a lower one


@dataclass(frozen=True)
class WindowBound(Plain):
    """A bound of what is leaked about one record: by the law of what records `first` to `last` add,
    whatever the others are.
    """

    prior: str
    record: int
    first: int
    last: int
    bound: Leakage

    @property
    def upper(self) -> Fraction:
        """An upper bound of e^leakage."""
        if self.bound.upper is None:
            raise ModelError("a window has a finite bound", "window")
        return self.bound.upper

    def moved(self, record: int) -> "WindowBound":
        """Return the same window around another record."""
        far = record - self.record
        return replace(self, record=record, first=self.first + far, last=self.last + far)


@dataclass(frozen=True)
class TiltedBound(Plain):
    """A bound of what is leaked about one record: by itself, by the records `before` it and by
    those `after` it, whatever factors noise allows them.
    """

    prior: str
    pair: Pair
    record: int
    own: Leakage
    before: Leakage
    after: Leakage

    @property
    def upper(self) -> Fraction:
        """An upper bound of e^leakage."""
        parts = [part.upper or Fraction(1) for part in (self.own, self.before, self.after)]
        return prod(parts, start=Fraction(1))


@dataclass(frozen=True)
class NoiseBounds(LargestRatio):
    """What noise leaks, between bounds: `witness` reaches the lower one, the upper one is the
    least of the first of `accounts`, of `windows` and of `tilts`, of those that there are.

    `reason` says why the leakage was not computed exactly, where that was tried.
    """

    closest: ClassVar[bool] = False

    accounts: tuple[Account, ...]
    reason: str = ""
    windows: tuple[WindowBound, ...] = ()
    tilts: tuple[TiltedBound, ...] = ()
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, repr=False)

    @property
    def closes(self) -> bool:
        """Whether both bounds are one number to thirteen digits, as those of segments are."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper - lower <= lower / 10**13

    @property
    def meets(self) -> bool:
        """Whether both bounds are one number to all digits of an exact answer: 2^-60, relative."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and 1 < lower and upper - lower <= (lower - 1) / 2**60

    @property
    def account(self) -> Account | None:
        """The largest bound of all records, or None if other bounds were enough."""
        return self.accounts[0] if self.accounts else None

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, 0 if it is at most epsilon, or None if the
        level lies between the bounds.
        """
        sign = self.leakage.compare(level)
        kept = self.accounts and all(account.keeps(level) for account in self.accounts)
        return 0 if sign is None and kept else sign

    @property
    def near(self) -> bool:
        """Whether the bounds are as close as floats are."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper <= lower * _NEAR

    @property
    def closer(self) -> WindowBound | TiltedBound | None:
        """The bound of a window or of tilts, the lesser one, if it is less than that of quilts."""
        known = [each[0] for each in (self.tilts, self.windows) if each]
        first, account = min(known, key=lambda one: one.upper, default=None), self.account
        upper = None if account is None else account.bound.upper
        if first is None or upper is None or first.upper < upper:
            return first
        return None

    @property
    def window(self) -> WindowBound | None:
        """The largest bound of all windows, if no other bound is less."""
        return self.closer if isinstance(self.closer, WindowBound) else None

    def narrowed(
        self, claims: tuple[str, ...], windows: tuple[WindowBound, ...] = (), tilts: tuple[TiltedBound, ...] = ()
    ) -> "NoiseBounds":
        """Return these bounds with some from windows or from tilts, the largest first; `claims` are theirs."""
        found = replace(self, windows=windows or self.windows, tilts=tilts or self.tilts)
        first = found.closer
        if first is None or first is self.closer:
            return found
        lower = self.leakage.lower
        if lower is not None and lower > first.upper:
            raise AssertionError("a ratio that was evaluated exceeds an upper bound")
        return replace(found, leakage=Leakage(lower, first.upper), claims=claims)

    @property
    def theorems(self) -> Theorems:
        """What the upper bound rests on: registered claims, which `prove` examines."""
        if self.closer is not None:
            return Theorems(WINDOW_CLAIMS if self.window is not None else TILT_CLAIMS)
        if any(account.eliminated for account in self.accounts):
            return Theorems((*QUILT_CLAIMS, *ELIMINATION_CLAIMS))
        return Theorems(QUILT_CLAIMS)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures, and unless the level is exceeded the theorems
        of the upper bound.
        """
        return ("INTERVAL",) if self.exceeds(level) else ("INTERVAL", *self.theorems.trust)

    @property
    def upper_claims(self) -> tuple[str, ...]:
        """The claims that the upper bound rests on, with those of the engines of influence."""
        if self.closer is not None:
            return self.claims
        return united(self.claims, QUILT_CLAIMS, *map(_claims_of, self.accounts))

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on: none if the level is exceeded, as an output
        that is evaluated shows.
        """
        return () if self.exceeds(level) else self.upper_claims

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats, with the upper bound; nothing was checked one by one."""
        account = None if self.account is None else self.account.as_json()
        fields = {"checked": None, "bound": account}
        return super().as_json(level) | fields | self.closer_json()

    def closer_json(self) -> JsonObject:
        """Return the window or the tilts that give the upper bound, as the file formats have it."""
        closer = None if self.closer is None else self.closer.as_json()
        window = self.window is not None
        return {"window": closer if window else None, "tilted": None if window else closer}


def _claims_of(account: Account) -> tuple[str, ...]:
    """Return what the engine rests on that found an account: elimination, or an influence."""
    if account.eliminated:
        return ELIMINATION_CLAIMS
    if account.influence.ratio == 1:
        return ()
    return CHAINS_REST_ON if account.nodes is None else NETWORKS_REST_ON


def noise_bounds(framework: Framework, *queries: RecordQuery) -> NoiseBounds:
    """Return bounds of what a noisy query of a sequence of any length leaks, or several independent
    ones together.

    Args:
        framework: secrets about single records of a chain, of independent records, of a hidden
            Markov model, or of a Bayesian network.
        queries: sums, means or histograms with Laplace or geometric noise.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> records = Records(100_000, ("0", "1", "2"))
    >>> chain = MarkovChain("stationary", [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    >>> secrets = {"zero": (500, "0"), "two": (500, "2")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "two")], {"theta": chain})
    >>> largest = noise_bounds(framework, RecordQuery("histogram", Noise.laplace(40), records))
    >>> (largest.compare(Level(1)), largest.leakage.enclosure().lower[:6], largest.leakage.enclosure().upper[:6])
    (-1, '0.0836', '0.3430')

    Raises `ModelError` unless queries are about the records of the framework, noise has a decay,
    and there is something to check; `TooLargeError` beyond 2,000 secrets, times priors.
    """
    if (count := len(framework.places) * len(framework.priors)) > MAX_ACCOUNTS:
        raise TooLargeError(
            f"expected at most {MAX_ACCOUNTS} secrets, times priors, to bound, found {count}", "secrets"
        )
    places, scope = places_to_check(framework)
    wanted = dict.fromkeys((prior, framework.places[one][0]) for prior, (one, _) in places)
    quilts = partial(quilt_account, framework, queries)
    names = framework.expect_records().names
    accounts = tuple(
        replace(account, names=names) for account in network_accounts(framework, queries, list(wanted), quilts)
    )
    corner, witness = largest_corner(framework, queries, places)
    lower, upper = corner.lower or Fraction(1), accounts[0].bound.upper
    if upper is not None and lower > upper:
        raise AssertionError("a ratio that was evaluated exceeds the accountant's bound")
    return NoiseBounds(Leakage(lower, upper), witness, scope, accounts)


def places_to_check(framework: Framework) -> tuple[list[tuple[str, Pair]], Scope]:
    """Return the priors and pairs whose secrets are both possible, and what is left out."""
    records = sorted({record for record, _ in framework.places.values()})
    places = []
    for prior in framework.priors:
        possible = possible_values(framework, prior, records)
        for pair in framework.pairs:
            secrets = [framework.places[name] for name in pair]
            if all(value in possible[record] for record, value in secrets):
                places.append((prior, pair))
    if not places:
        raise nothing_to_check()
    seen = {pair for _, pair in places}
    never = tuple(pair for pair in framework.pairs if pair not in seen)
    return places, Scope(0, len(framework.priors) * len(framework.pairs) - len(places), never)


# What a noisy query of a chain leaks at most about a record, whatever factors the noise allows its other records.
#
# Let record t add c_t(x) to the query, tau(d) bound how far the density h changes if an output is moved by d, and
#
#     g_t(y; u) = E[h(u - c_(t+1)(X_(t+1)) - .. - c_n(X_n)) | X_t = y]
#               = sum_z P(y, z) g_(t+1)(z; u - c_(t+1)(z)).
#
# The last factor is g_(t+1)(z; u - o), tilted by at most tau(c_(t+1)(z) - o), for any o
# (`pufferproof.verify.noise.accounts.tilted`). Given X_i both sides of record i are independent:
#
#     f(w | v) / f(w | v') <= tau(c_i(v) - c_i(v')) before(v, v') after(v, v').
#
# Where one sign for every value is best at all records, an output at the ends reaches it. `o` is the middle value of
# every coordinate.

TILTS_RESTS_ON = ("worst.tilts", "song2017.x-markov", "noise.law")
_FAR = 1 + Fraction(1, 10**6)  # bounds that balls do not bring together
_MOST_CLOSEST = 40  # bounds of pairs that balls find again
_FINE_BITS = 192  # working precision of balls
_ONE = Fraction(1)


def with_tilts(framework: Framework, queries: Sequence[RecordQuery], bounds: NoiseBounds) -> NoiseBounds:
    """Return bounds by tilts as well as by quilts, if every prior is a chain that is not hidden.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> from pufferproof.verify.noise.ratio.bounds import noise_bounds
    >>> records = Records(100_000, ("0", "1", "2"))
    >>> chain = MarkovChain("stationary", [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    >>> secrets = {"zero": (500, "0"), "two": (500, "2")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "two")], {"theta": chain})
    >>> query = RecordQuery("histogram", Noise.laplace(40), records)
    >>> print(with_tilts(framework, [query], noise_bounds(framework, query)).leakage)
    ≈ 0.08369304 nats
    """
    if not framework.along_records:
        return bounds
    tilts: list[TiltedBound] = []
    pairs: dict[tuple[str, int], list[Pair]] = {}
    for prior, pair in places_to_check(framework)[0]:
        pairs.setdefault((prior, framework.places[pair[0]][0]), []).extend((pair, pair[::-1]))
    sides = {name: _sides(chain, queries) for name, chain in framework.chains.items()}
    for (prior, record), both in pairs.items():
        side = sides[prior]
        values = [(framework.places[one][1], framework.places[other][1]) for one, other in both]
        found = None if side is None else side.ratios(record, values)
        if found is None:
            return bounds
        for pair, (one, other), factors in zip(both, values, found):
            own = Fraction(_own(queries, record, (one, other)).ends()[1])
            parts = (own, *factors)
            told = (Leakage(_ONE, max(_ONE, part)) for part in parts)
            tilts.append(TiltedBound(prior, pair, record, *told))
    tilts.sort(key=lambda one: one.upper, reverse=True)
    return bounds.narrowed(TILTS_RESTS_ON, tilts=tuple(tilts))


def with_closest_tilts(framework: Framework, queries: Sequence[RecordQuery], bounds: NoiseBounds) -> NoiseBounds:
    """Return bounds that meet a corner, but for the floats of the largest of their tilts, with balls in their place.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> records = Records(365, ("0", "1", "2"))
    >>> chain = MarkovChain("stationary", [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    >>> secrets = {"zero": (50, "0"), "two": (50, "2")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "two")], {"theta": chain})
    >>> query = RecordQuery("histogram", Noise.laplace(9), records)
    >>> bounds = with_tilts(framework, [query], noise_bounds(framework, query))
    >>> found = with_closest_tilts(framework, [query], bounds)
    >>> bounds.near, float(found.leakage.upper / found.leakage.lower - 1) < 1e-20
    (True, True)
    """
    lower, tilts = bounds.leakage.lower or _ONE, list(bounds.tilts)
    sides: dict[str, TiltedSides | None] = {}
    closest: set[tuple[str, Pair]] = set()
    while tilts and len(closest) < _MOST_CLOSEST and tilts[0].upper <= lower * _FAR:
        first = tilts[0]
        if (first.prior, first.pair) in closest:
            break
        closest.add((first.prior, first.pair))
        if first.prior not in sides:
            sides[first.prior] = _sides(framework.chains[first.prior], queries)
        tilts[0] = _closest(first, sides[first.prior], queries, framework)
        tilts.sort(key=lambda one: one.upper, reverse=True)
    return bounds.narrowed(TILTS_RESTS_ON, tilts=tuple(tilts)) if closest else bounds


def _closest(
    tilt: TiltedBound, sides: TiltedSides | None, queries: Sequence[RecordQuery], framework: Framework
) -> TiltedBound:
    one, other = (framework.places[name][1] for name in tilt.pair)
    parts = []
    for later, told in enumerate((tilt.before, tilt.after)):
        known = told.upper or _ONE
        found = None if sides is None else sides.closest(tilt.record, (one, other), known, bool(later))
        parts.append(told if found is None else Leakage(_ONE, max(_ONE, min(found, known))))
    with ctx.workprec(_FINE_BITS):
        own = dyadic(_own(queries, tilt.record, (one, other)).ball().upper())
    return replace(tilt, own=Leakage(_ONE, max(_ONE, own)), before=parts[0], after=parts[1])


def _own(queries: Sequence[RecordQuery], record: int, values: tuple[int, int]) -> Power:
    """Return a bound of what a record tells of two of its values itself."""
    power, (one, other) = ONE, values
    for query in queries:
        if query.covers(record) and query.noise.decay is not None:
            adds = contributions(query)
            power = power.times(query.noise.decay.to(-distance(adds[one], adds[other])))
    return power


def _sides(chain: Chain, queries: Sequence[RecordQuery]) -> TiltedSides | None:
    import numpy as np

    tilts = []
    for first, last, covered in stretches(queries):
        # tau of what records of every value add, from the middle of every coordinate
        powers: list[Power] = []
        for query in (query for query, inside in zip(queries, covered) if inside):
            adds = contributions(query)
            middle = [sorted(set(column))[(len(set(column)) - 1) // 2] for column in zip(*adds)]
            decay, known = query.noise.decay or ONE, powers or [ONE] * len(adds)
            powers = [power.times(decay.to(-distance(row, middle))) for power, row in zip(known, adds)]
        powers = powers or [ONE] * len(chain.step)
        ends = [power.ends() for power in powers]
        inverse = [power.to(Fraction(-1)).ends() for power in powers]
        up, down = np.array([high for _, high in ends]), np.array([low for low, _ in inverse])
        tilts.append((first, last, Tilts(up, down, tuple(powers))))
    return TiltedSides.of(chain, tilts)


# Noise so small beside its values that no ratio of likelihoods can be written: what it leaks in nats.
#
# Of one value each, x given s and y given s', the ratio of likelihoods is at most, and at the output x equal to,
#
#     prod_k t_k^-|x_k - y_k|,  t_k the decay of number k,
#
# so that the leakage is the sum of |x_k - y_k| / scale_k, however large.

FAR_RESTS_ON = ("noise.attained",)
_BITS, _ACCURACY = 128, 96
_MOST_NATS = 1_000_000
_LEAST = Fraction(1 << 1_000_000)  # a ratio that every one of these is above


@dataclass(frozen=True, repr=False)
class FarLeakage(Leakage):
    """A leakage of more than 1,000,000 nats, between bounds in nats; as a ratio it has only a lower bound."""

    nats: tuple[Fraction, Fraction] = field(kw_only=True)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell."""
        low, high = self.nats
        if level.nats is not None:
            asked = level.nats, level.nats
        else:
            ratio = level.ratio or Fraction(1)
            asked = (Fraction(0),) * 2 if ratio == 1 else log_bounds(ratio, _ACCURACY)
        if low == high == asked[0] == asked[1]:
            return 0
        if low > asked[1]:
            return 1
        return -1 if high < asked[0] else None

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats as an enclosure."""
        return enclose(*self.nats)

    def __str__(self) -> str:
        return f"≈ {rounded(self.enclosure().lower, 7)} nats"


def far_ratio(decays: Sequence[Power], pairs: Sequence[LawPair], scope: Scope) -> GaussianBounds | None:
    """Return the largest ratio where every law has one value, if it is above e^1,000,000; else
    None.

    >>> one = Fraction(1)
    >>> pair = LawPair("theta", ("s", "t"), {(0 * one,): one}, {(one,): one})
    >>> found = far_ratio([Power.exp(-5_000_000 * one)], [pair], Scope(1, 0, ()))
    >>> str(found.leakage), found.witness.output
    ('≈ 5000000 nats', '0')
    """
    if not pairs or any(len(law) > 1 for pair in pairs for law in (pair.above, pair.below)):
        return None
    found = [(_nats(decays, pair), pair) for pair in pairs]
    low = max(bounds[0] for bounds, _ in found)
    if low <= _MOST_NATS:
        return None
    high = max(bounds[1] for bounds, _ in found)
    first = next(pair for bounds, pair in found if bounds[0] == low)
    output = ",".join(text_of(number) for number in next(iter(first.above)))
    leakage = FarLeakage(_LEAST, None, nats=(low, high))
    witness = Witness(first.prior, first.pair, output)
    return GaussianBounds(leakage, witness, scope, (), claims=FAR_RESTS_ON)


def _nats(decays: Sequence[Power], pair: LawPair) -> tuple[Fraction, Fraction]:
    (above,), (below,) = pair.above, pair.below
    total = Power()
    for decay, x, y in zip(decays, above, below):
        total = total.times(decay.to(-abs(x - y)))
    if not total.primes:
        return total.nats, total.nats
    with ctx.workprec(_BITS):
        value = ball(total.nats)
        for prime, exponent in total.primes:
            value += ball(exponent) * arb(prime).log()
        return dyadic(value.lower()), dyadic(value.upper())
