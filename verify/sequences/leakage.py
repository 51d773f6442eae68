"""Exact leakage of a local mechanism about single records of a sequence, Markov or independent;
nothing is enumerated.

    e^leakage = max over theta, p, values a != b in a pair, outputs y of
        P(y | X_p = a, theta) / P(y | X_p = b, theta).

Given X_p the records left and right of p are independent, so that the largest ratio is that of p's
own channel times one for each side, which `local_sides` finds (for redaction of two values:
`redaction_leakage`, in time linear in the length). Exact rationals, or enclosures where those would
grow long. Independent records say nothing about each other: only p's own counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.bayesian_network import MAX_TABLE, BayesianNetwork, Factor, eliminated, integers_in
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.chain import Chain, expect_markov
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.sequences.redaction.leakage import RESTS_ON as REDACTION_RESTS_ON
from pufferproof.verify.sequences.redaction.leakage import NearRatio, left_side, right_side, toward
from pufferproof.verify.sequences.redaction.sides import RESTS_ON as EVENTS_REST_ON
from pufferproof.verify.sequences.redaction.sides import Reach as Event
from pufferproof.verify.sequences.sides import DIRECTIONS_RESTS_ON as DIRECTIONS_REST_ON
from pufferproof.verify.sequences.sides import (
    ONE,
    Bounds,
    Cones,
    Laws,
    Place,
    SideReach,
    Sides,
    after,
    before,
    completed,
    excluding_record,
    output_ratio,
)
from pufferproof.verify.sequences.sides import RESTS_ON as SIDES_REST_ON

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("song2017.x-markov",)
KEEP = 128  # bits of an enclosure, unless more are asked for
PRECISIONS = (KEEP, 4 * KEEP, 16 * KEEP)
_DOUBT = Fraction(1, 2**20)  # how far an output that was completed may stay behind an enclosure
_LONG = 60_000  # bits: a law of a record that is too long to be written down exactly


@dataclass(frozen=True)
class LocalLeakage(LargestRatio):
    """What a local mechanism leaks, where, and what was checked.

    `witness` names an output that reaches `leakage` (within its bounds where these differ),
    `symbols` its symbols by their position in the mechanism's outputs, `ratio` what it was found to
    reach when it was evaluated anew. `record` is the private record it speaks of; where the leakage
    is infinite, `revealing` is the nearest record that completes the exclusion of the other value.
    `names` are those of all records where the witness names the ones that show something.
    """

    symbols: tuple[int, ...]
    ratio: Bounds
    record: int
    revealing: int | None
    names: tuple[str, ...] | None = field(default=None, kw_only=True, repr=False)

    @property
    def reveals(self) -> str:
        """How the record is called that completes the exclusion: by its name, or `record 5`."""
        if self.names is None or self.revealing is None:
            return f"record {self.revealing}"
        return f'"{self.names[self.revealing - 1]}"'

    @property
    def output(self) -> tuple[int, ...]:
        """The symbols of the output, as a joint release takes them apart."""
        return self.symbols

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: interval arithmetic too if a number is enclosed."""
        exact = self.leakage.lower == self.leakage.upper
        return super().trust(level) if exact else ("EXACT", "INTERVAL")


@dataclass(frozen=True)
class _FoundFactors:
    """The largest ratio for an ordered pair in three factors: left of p, at p, and right."""

    prior: str
    pair: Pair
    place: tuple[int, int, int]  # p, a, b
    parts: tuple[SideReach, SideReach, SideReach]
    claims: tuple[str, ...]

    @property
    def bounds(self) -> Bounds:
        lower, upper = Fraction(1), Fraction(1)
        for part in self.parts:
            if part.lower is None or part.upper is None:
                return None, None
            lower, upper = lower * part.lower, upper * part.upper
        return lower, upper


def local_leakage(framework: Framework, mechanism: LocalMechanism, keep: int = KEEP) -> LocalLeakage:
    """Return the leakage of a local mechanism over all priors and pairs of a framework on
    sequences.

    `keep` is how many bits are kept where exact integers would grow long: the ratio is then
    enclosed, to about 2^-(keep / 2).

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    >>> framework = Framework.of_records(Records(2, ("0", "1")), secrets, "disjoint", {"theta": chain})
    >>> largest = local_leakage(framework, LocalMechanism.redacting(("0", "1"), [["1", "1"], ["1/8", "1"]]))
    >>> largest.leakage.ratio, largest.witness.pair, largest.witness.output
    (Fraction(18, 11), ('x1=1', 'x1=0'), '**')

    Raises `ModelError` unless sizes fit, priors are Markov chains or products, some pair has two
    secrets of positive probability under some prior, and there are not too many extreme directions
    to follow (three values or more).
    """
    mechanism.fits(framework.expect_records())
    expect_markov(framework.chains)
    ratios = [each for prior in framework.priors for each in _under(framework, mechanism, prior, keep)]
    checked = _scope(framework, {(each.prior, each.pair) for each in ratios}, mechanism)
    best = ratios[0]
    for each in ratios[1:]:
        best = each if _larger(each.bounds[0], best.bounds[0]) else best
    upper = None if any(each.bounds[1] is None for each in ratios) else max(each.bounds[1] or 0 for each in ratios)
    leakage = Leakage(best.bounds[0], upper if upper is None else Fraction(upper))
    record, a, b = best.place
    chain = framework.chains[best.prior]
    left, own, right = (part.symbols for part in best.parts)
    symbols = completed(chain, mechanism, record, (a, b), (left, own[0], right), keep)
    ratio = output_ratio(chain, mechanism, record, (a, b), symbols, keep)
    if _larger(best.bounds[0], ratio[1] and ratio[1] * (1 + _DOUBT)) or _larger(ratio[0], leakage.upper):
        raise AssertionError("an output that was evaluated anew reaches what was found")
    witness = Witness(best.prior, best.pair, mechanism.label(symbols))
    revealing = excluding_record(chain, mechanism, record, b, symbols) if leakage.infinite else None
    where = tuple(symbols), ratio, record, revealing
    claims = united(*(each.claims for each in ratios))
    return LocalLeakage(leakage, witness, checked, *where, claims=claims)


def refined_leakage(framework: Framework, mechanism: LocalMechanism, level: Level | None) -> LocalLeakage:
    """Return what `local_leakage` does, enclosed until a level is told from it."""
    for keep in PRECISIONS:
        largest = local_leakage(framework, mechanism, keep)
        if level is None or largest.compare(level) is not None:
            break
    return largest


def _under(framework: Framework, mechanism: LocalMechanism, prior: str, keep: int) -> list[_FoundFactors]:
    """Return the largest ratio of every ordered pair under one prior, in file order."""
    chain = framework.chains[prior]
    known: dict[int, tuple[Sides, Sides]] = {}
    places = _places(framework, chain)
    solver: _Independent | _Binary | _General
    if chain.rows is not None:
        solver = _Independent()
    elif _binary(chain, mechanism, places):
        solver = _Binary(chain, mechanism, keep)
    else:
        solver = _General(chain, mechanism, keep, len(places))
    ratios = []
    for pair in framework.pairs:
        record, a, b = (framework.places[pair[0]][0], framework.places[pair[0]][1], framework.places[pair[1]][1])
        if record not in places or (a, b) not in places[record]:
            continue
        if record not in known:
            known[record] = solver.sides(record, places[record])
        left, right = known[record]
        for ordered, (x, other) in ((pair, (a, b)), ((pair[1], pair[0]), (b, a))):
            parts = (left[x, other], _own(mechanism, record, x, other), right[x, other])
            ratios.append(_FoundFactors(prior, ordered, (record, x, other), parts, solver.claims))
    return ratios


def _places(framework: Framework, chain: Chain) -> dict[int, tuple[Place, ...]]:
    """Return the ordered pairs of values to compare, by record: those of positive probability."""
    laws = Laws(chain) if chain.rows is None else None
    supports: dict[int, frozenset[int]] = {}
    places: dict[int, dict[Place, None]] = {}
    for pair in framework.pairs:
        (record, a), (_, b) = framework.places[pair[0]], framework.places[pair[1]]
        if record not in supports:
            row = () if chain.rows is None else chain.rows[record - 1]
            supports[record] = frozenset(laws.support(record) if laws else (x for x, p in enumerate(row) if p))
        if {a, b} <= supports[record]:
            places.setdefault(record, {}).update({(a, b): None, (b, a): None})
    return {record: tuple(pairs) for record, pairs in places.items()}


class _Independent:
    """Sides of a record that is independent of all others."""

    claims = ()

    def sides(self, record: int, pairs: Sequence[Place]) -> tuple[Sides, Sides]:
        """Return a ratio of 1 for every pair."""
        return dict.fromkeys(pairs, ONE), dict.fromkeys(pairs, ONE)


class _General:
    """Sides of a record of a Markov chain, by extreme directions of cones."""

    claims = united(RESTS_ON, SIDES_REST_ON, DIRECTIONS_REST_ON)

    def __init__(self, chain: Chain, mechanism: LocalMechanism, keep: int, times: int) -> None:
        channels = list({id(channel): channel for channel in mechanism.records}.values())
        self.laws, self.records, self.keep = Laws(chain), mechanism.records, keep
        self.left = Cones(tuple(zip(*chain.step)), channels, times)
        self.right = Cones(chain.step, channels, times)
        telling = [t for t, channel in enumerate(self.records) if id(channel) not in self.right.flat]
        first = telling[0] if telling else len(self.records)
        self.first = first if chain.stationary else 0
        self.last = telling[-1] + 1 if telling else 0

    def sides(self, record: int, pairs: Sequence[Place]) -> tuple[Sides, Sides]:
        """Return the largest ratios left and right of a record, without silent ends."""
        left, right = dict.fromkeys(pairs, ONE), dict.fromkeys(pairs, ONE)
        if self.first < record - 1:
            nearest_first = self.records[self.first : record - 1][::-1]
            reaches = self.left.reaches(nearest_first, before(self.laws, record), pairs, self.keep)
            left = {pair: self._given(record, pair, reach) for pair, reach in reaches.items()}
        if record < self.last:
            beyond = self.records[record : self.last]
            right = self.right.reaches(beyond, after(self.laws.size), pairs, self.keep)
        return left, right

    def _given(self, record: int, pair: Place, reach: SideReach) -> SideReach:
        """Divide joint probabilities by those of the two values of X_p."""
        if reach.lower is None or reach.upper is None:
            return reach
        lower, upper = self.laws.ratio(record, pair[1], pair[0], self.keep)
        return SideReach(reach.lower * (lower or 0), reach.upper * (upper or 0), reach.symbols)


class _Binary:
    """Sides of a record of a binary chain under redaction, by nearest released records."""

    claims = united(RESTS_ON, REDACTION_RESTS_ON, EVENTS_REST_ON)

    def __init__(self, chain: Chain, mechanism: LocalMechanism, keep: int) -> None:
        self.chain = binary_chain(chain, mechanism.length)
        self.rows = LocalRedaction(mechanism.redaction or ()).rows
        self.precision = None if keep == KEEP else keep

    def sides(self, record: int, pairs: Sequence[Place]) -> tuple[Sides, Sides]:
        """Return the largest ratios left and right of a record, and the symbols up to them."""
        left = left_side(self.chain, self.rows, record, self.precision)
        right = right_side(self.chain, self.rows, record, self.precision)
        ratios = []
        for side, count in ((left, record - 1), (right, self.chain.length - record)):
            events = (side.largest, side.smallest)
            ratios.append({(a, b): _reached(toward(side, a), events[a], count) for a, b in pairs})
        return ratios[0], ratios[1]


def binary_chain(chain: Chain, length: int) -> BinaryChain:
    """Return a chain of two values as one. Raises `ModelError` unless all transitions have
    positive probability.
    """
    return BinaryChain(chain.step[0][1], chain.step[1][0], length, "stationary" if chain.stationary else chain.start)


def _reached(ratio: NearRatio, event: Event, count: int) -> SideReach:
    distance, value = event[2] or (count + 1, 2)
    symbols = (2,) * (distance - 1) + ((value,) if event[2] else ())
    return SideReach(ratio.ratio / (1 + ratio.slack), ratio.ratio * (1 + ratio.slack), symbols)


def _binary(chain: Chain, mechanism: LocalMechanism, places: Mapping[int, Sequence[Place]]) -> bool:
    """Whether a chain is positive, of two values, and with short laws."""
    if mechanism.redaction is None or len(chain.start) != 2 or any(0 in row for row in chain.step):
        return False
    return chain.stationary or Laws(chain).bits(max(places, default=1)) <= _LONG


def _own(mechanism: LocalMechanism, record: int, a: int, b: int) -> SideReach:
    """Return the largest ratio of a record's own channel, at the first output that reaches it."""
    best: tuple[Fraction | None, int] | None = None
    for symbol, (above, below) in enumerate(zip(mechanism.records[record - 1][a], mechanism.records[record - 1][b])):
        ratio = above / below if below else None
        if above and (best is None or _larger(ratio, best[0])):
            best = ratio, symbol
    if best is None:
        raise AssertionError("every record shows something")
    return SideReach(best[0], best[0], (best[1],))


def _larger(one: Fraction | None, other: Fraction | None) -> bool:
    """Whether one ratio exceeds another; None is infinite."""
    return other is not None and (one is None or one > other)


def _scope(framework: Framework, included: set[tuple[str, Pair]], mechanism: LocalMechanism) -> Scope:
    if not included:
        raise nothing_to_check()
    pairs, priors = framework.pairs, framework.priors
    never = tuple(pair for pair in pairs if not any((prior, pair) in included for prior in priors))
    checked = sum((prior, pair) in included for prior in priors for pair in pairs)
    inequalities = 2 * checked * len(mechanism.outputs) ** mechanism.length
    return Scope(inequalities, len(pairs) * len(priors) - checked, never)


# Exact leakage of a local mechanism about single records of a Bayesian network, of which few records show anything
# that depends on their values.
#
#     e^leakage = max over theta, p, values a != b in a pair, outputs y of
#         P(y | X_p = a, theta) / P(y | X_p = b, theta)
#
# A record whose rows are all equal says nothing, whatever it shows: its symbol multiplies both sides by the same
# number. The law of X_p and of the symbols of the others, Y_t, is found by variable elimination with a table C_t(x, y)
# for each of them, and only symbols that occur are counted.


@dataclass(frozen=True)
class _ShownLaw:
    """The law of a record and of the symbols of others, an axis each, as `symbols` names."""

    own: Sequence[int]
    symbols: dict[int, list[int]]
    silent: dict[int, int]  # a symbol of every other record, which tells nothing
    table: "NDArray[np.object_]"


@dataclass(frozen=True)
class _OutputRatio:
    """P(y | a) over P(y | b) at one output, or None if P(y | b) is 0."""

    value: Fraction | None
    prior: str
    pair: Pair
    record: int
    place: tuple[int, ...]
    shown: _ShownLaw

    @property
    def rank(self) -> tuple[bool, Fraction]:
        return self.value is None, self.value or Fraction(0)


def network_leakage(framework: Framework, mechanism: LocalMechanism) -> LocalLeakage:
    """Return the leakage of a local mechanism over all priors and pairs of a framework of Bayesian
    networks.

    Raises `ModelError` unless sizes fit, all priors are networks, and some pair has two secrets of
    positive probability under some prior; `TooLargeError` unless the symbols of the records that
    show something have at most 10^6 combinations, and tables of the elimination are as small.
    """
    records, networks = framework.expect_records(), framework.networks
    mechanism.fits(records)
    if others := [name for name in framework.priors if name not in networks]:
        raise ModelError(
            "beside a Bayesian network, expected networks only for a local mechanism", f"priors.{others[0]}"
        )
    best: _OutputRatio | None = None
    checked, seen = 0, set[tuple[str, Pair]]()
    for name, network in networks.items():
        for record in sorted({record for record, _ in framework.places.values()}):
            found = _shown(network, records, mechanism, record)
            for ratio in _ratios(framework, name, record, found):
                checked += 1
                seen.add((name, ratio.pair if ratio.pair in framework.pairs else ratio.pair[::-1]))
                best = ratio if best is None or ratio.rank > best.rank else best
    if best is None:
        raise nothing_to_check()
    excluded = len(networks) * len(framework.pairs) - len(seen)
    never = tuple(pair for pair in framework.pairs if pair not in {each for _, each in seen})
    telling = best.shown.symbols
    shown = best.shown.silent | {t: row[at] for (t, row), at in zip(telling.items(), best.place)}
    symbols = tuple(shown[t] for t in range(1, records.count + 1))
    witness = Witness(best.prior, best.pair, _label(records, mechanism, telling, symbols))
    leakage = Leakage(best.value, best.value)
    revealing = _revealing(best, framework) if best.value is None else None
    scope, ends = Scope(checked, excluded, never), (best.value, best.value)
    names = records.names if telling else None
    return LocalLeakage(leakage, witness, scope, symbols, ends, best.record, revealing, names=names)


def _label(records: Records, mechanism: LocalMechanism, telling: Iterable[int], symbols: Sequence[int]) -> str:
    """Return the label of an output; of records with names only those that show something."""
    shown = list(telling)
    if records.names is None or not shown:
        return mechanism.label(symbols)
    return ", ".join(f"{records.names[t - 1]}={mechanism.outputs[symbols[t - 1]]}" for t in shown)


def _shown(network: BayesianNetwork, records: Records, mechanism: LocalMechanism, record: int) -> _ShownLaw:
    import numpy as np

    own, sizes = network.own(records), network.sizes(records)
    symbols: dict[int, list[int]] = {}
    silent: dict[int, int] = {}
    factors: list[Factor] = []
    beyond = max(sizes)
    for t, (channel, values) in enumerate(zip(mechanism.records, own), 1):
        rows = [channel[value] for value in values]
        occur = [y for y in range(len(mechanism.outputs)) if any(row[y] for row in rows)]
        if all(row == rows[0] for row in rows):
            silent[t] = occur[0]
            continue
        symbols[t], sizes[beyond + t] = occur, len(occur)
        table = np.array([[row[y] for y in occur] for row in rows], dtype=object)
        factors.append(Factor((t, beyond + t), table))
    size = prod(map(len, symbols.values())) * len(own[record - 1])
    if size > MAX_TABLE:
        raise TooLargeError(
            f"{len(symbols)} records show something of their values, {shown(size)} combinations of "
            f"what they show and the values of record {record}: expected at most {MAX_TABLE}; "
            "let fewer records show something",
            "local",
        )
    factors += network.factors(records, network.ancestors([record, *symbols]))
    whole = [Factor(factor.scope, integers_in(factor.table)[0]) for factor in factors]
    wanted = (record, *(beyond + t for t in symbols))
    return _ShownLaw(own[record - 1], symbols, silent, eliminated(whole, wanted, sizes))


def _ratios(framework: Framework, prior: str, record: int, found: _ShownLaw) -> Iterator[_OutputRatio]:
    """Yield the ratio at every possible output, in both orders of pairs about a record."""
    import numpy as np

    rows = dict(zip(found.own, found.table))
    for pair in framework.pairs:
        places = [framework.places[name] for name in pair]
        if places[0][0] != record:
            continue
        laws = [rows[value] for _, value in places if value in rows]
        totals = [int(np.sum(law)) for law in laws]
        if len(laws) < 2 or not all(totals):
            continue
        for (above, below), (n, m), order in ((laws, totals, pair), (laws[::-1], totals[::-1], (pair[1], pair[0]))):
            for place, p in np.ndenumerate(np.array(above, dtype=object)):
                if p:
                    q = below[place] if place else below
                    value = Fraction(p * m, q * n) if q else None
                    yield _OutputRatio(value, prior, order, record, place, found)


def _revealing(best: _OutputRatio, framework: Framework) -> int:
    """Return the nearest record that completes the exclusion of the second secret."""
    value = framework.places[best.pair[1]][1]
    law = best.shown.table[list(best.shown.own).index(value)]
    axes = list(best.shown.symbols)
    near = sorted(axes, key=lambda t: (abs(t - best.record), t))
    for many in range(1, len(near) + 1):
        kept = near[:many]
        place = tuple(at if t in kept else slice(None) for t, at in zip(axes, best.place))
        entry = law[place]
        if not (entry.any() if hasattr(entry, "any") else entry):
            return near[many - 1]
    return near[-1]
