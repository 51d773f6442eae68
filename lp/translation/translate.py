"""What per-record levels of differential privacy promise under a framework: the worst case over all
mechanisms of these levels, exactly where it can be computed, and the published bounds beside it.

Chains of two values, hidden chains of two states and independent records take one pass of any
length (`bits`); databases that can be listed a linear program (`listed`); longer chains with more
values an upper bound (`alphabets`) and a mechanism that shows how far it may be from the truth
(`products`).

Derived: worst.power-closed, worst.moebius-tree, worst.chain-interior, worst.moebius-upper.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import exp, inf, isfinite, nextafter
from typing import Any, Literal

from pufferproof.lp.records.stationary import LeakageBound
from pufferproof.lp.translation.alphabets import ChainBounds
from pufferproof.lp.translation.bits import emission_of, favoured, sides
from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.lp.translation.listed import Domain, worst_column
from pufferproof.lp.translation.products import responses
from pufferproof.lp.translation.quotients import fraction
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.signatures import checked
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along, Chain
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.record_laws import RecordLaws
from pufferproof.verify.leakage.ratio import Leakage

Attained = Literal["count", "alternating count", "linear program"]
EXACT_CLAIMS = ("worst.power-closed", "worst.moebius-tree", "worst.chain-interior")
UPPER_CLAIMS = ("worst.power-closed", "worst.moebius-upper")
LISTED_CLAIMS = ("worst.power-closed", "worst.columns")
_LISTED = 256  # databases for which linear programs are quick
_WRITTEN = 100_000  # records of a mechanism that is written to a file
_ONE = Fraction(1)


@dataclass(frozen=True, repr=False)
class WorstCase(Readable):
    """The largest leakage of mechanisms of per-record levels.

    `leakage` has equal ends or an enclosure where `exact`, else an upper bound and what a mechanism
    that was found leaks. It is that of `pair` under `prior`; `attained` says by which release, and
    `mechanism` makes one, None where none was made.
    """

    leakage: Leakage
    exact: bool
    prior: str
    pair: Pair
    attained: Attained | None
    mechanism: Callable[[], Channel | LocalMechanism] | None = field(default=None, repr=False)

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it rests on."""
        if self.attained == "linear program":
            return LISTED_CLAIMS
        return EXACT_CLAIMS if self.exact else UPPER_CLAIMS

    def __str__(self) -> str:
        one, other = self.pair
        where = f"for {one!r} against {other!r}, prior {self.prior!r}"
        how = f", attained by a {self.attained}" if self.attained else ""
        return f"leakage {self.leakage} over all mechanisms of these levels, {where}{how}"


@checked
def translate(
    framework: Framework,
    levels: Sequence[LevelLike],
    runs: int = 1,
    domain: Domain = "product",
) -> WorstCase:
    """Return what releases of per-record levels can leak at most together: the worst case over all
    mechanisms, adaptive ones included.

    Args:
        framework: of records.
        levels: of every release, for every record.
        runs: how often each level is spent.
        domain: which databases count as neighbours, all sequences ("product") or those that some
            prior allows ("possible").

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(
    ...     Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain}
    ... )
    >>> worst = translate(framework, ["0.1157"])
    >>> worst.exact, worst.attained, worst.leakage.enclosure().lower[:6]
    (True, 'count', '0.9997')

    Raises `ModelError` as `worst_case`, and unless there is a level and a positive number of runs.
    """
    known = Level.coerce_all(levels, "levels")
    if runs < 1:
        raise ModelError(f"expected at least one run, found {runs}", "runs")
    count = framework.expect_records().count
    return worst_case(framework, RecordLevels.uniform(count, known, runs), domain)


def worst_case(framework: Framework, levels: RecordLevels, domain: Domain = "product") -> WorstCase:
    """Return the worst case over all mechanisms of per-record levels.

    Args:
        framework: of records.
        levels: of every record, summed over releases.
        domain: which databases count as neighbours, all sequences or those that some prior allows.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (50, "0"), "one": (50, "1")}
    >>> framework = Framework.of_records(
    ...     Records(100, ("0", "1")), secrets, [("zero", "one")], {"theta": chain}
    ... )
    >>> worst = worst_case(framework, RecordLevels.uniform(100, ["log(2)"]))
    >>> worst.exact, worst.attained, worst.leakage.enclosure().lower[:6]
    (True, 'count', '3.7489')

    Raises `ModelError` unless there is one level per record, and the worst case can be computed or
    bounded.
    """
    count = framework.expect_records().count
    if levels.count != count:
        raise ModelError(f"expected {count} levels, one per record, found {levels.count}", "levels")
    if domain == "product" and framework.along_records:
        if all(_two_states(chain) for chain in framework.chains.values()):
            return _along_bits(framework, levels)
        if not _few(framework) and all(_bounded(framework, name) for name in framework.chains):
            return _along_alphabets(framework, levels)
    return _by_program(framework, levels, domain)


def _two_states(chain: Chain) -> bool:
    return chain.rows is not None or len(chain.step) == 2


def _bounded(framework: Framework, name: str) -> bool:
    """Whether a prior is bounded along records: hidden chains of three states are not."""
    return isinstance(framework.priors[name], MarkovChain) or _two_states(framework.chains[name])


def _few(framework: Framework) -> bool:
    records = framework.expect_records()
    return records.enumerable and len(records.alphabet) ** records.count <= _LISTED


@dataclass(frozen=True)
class _Bounds:
    """Bounds of the largest ratio for one ordered pair under one prior."""

    lower: Fraction | None
    upper: Fraction | None
    prior: str
    pair: Pair


def _largest(known: Sequence[_Bounds]) -> _Bounds:
    """Return bounds of the largest of several, with the place of the largest upper one."""
    if not known:
        raise ModelError(
            "nothing to check: under every prior, each pair has a secret of probability 0", "pairs"
        )
    top = max(known, key=lambda each: (each.upper is None, each.upper or _ONE))
    lows = [each.lower for each in known]
    lower = None if None in lows else max(low for low in lows if low is not None)
    return _Bounds(lower, top.upper, top.prior, top.pair)


def _orders(framework: Framework) -> Iterator[tuple[Pair, int, int, int]]:
    """List the ordered pairs with their record and the positions of both values."""
    for pair in framework.pairs:
        for order in framework.orders(pair):
            (record, one), (_, other) = (framework.places[secret] for secret in order)
            yield order, record, one, other


def _along_bits(framework: Framework, levels: RecordLevels) -> WorstCase:
    known = [each for name in framework.chains for each in _of_bits(framework, name, levels)]
    worst = _largest(known)
    chain = framework.chains[worst.prior]
    alternating = levels.count > 1 and chain.rows is None and _falling(chain)
    return WorstCase(
        Leakage(worst.lower, worst.upper),
        True,
        worst.prior,
        worst.pair,
        "alternating count" if alternating else "count",
        partial(_bit_responses, framework, levels, worst.prior, worst.pair),
    )


def _falling(chain: Chain) -> bool:
    """Whether the second eigenvalue is negative."""
    return chain.step[0][0] + chain.step[1][1] < 1


def _of_bits(framework: Framework, name: str, levels: RecordLevels) -> Iterator[_Bounds]:
    chain, orders = framework.chains[name], list(_orders(framework))
    if chain.rows is not None:
        for order, record, one, other in orders:
            if chain.rows[record - 1][one] and chain.rows[record - 1][other]:
                yield _Bounds(*levels.at(record).bounds(), name, order)
        return
    known, precision = sides(chain, levels, [record for _, record, _, _ in orders])
    shown = list(zip(*emission_of(chain)))
    for order, record, one, other in orders:
        ratio = known[record].ratio(shown[one], shown[other], precision)
        if ratio is not None:
            yield _Bounds(fraction(ratio.most_lower), fraction(ratio.most), name, order)


def _bit_responses(
    framework: Framework, levels: RecordLevels, name: str, pair: Pair
) -> LocalMechanism:
    """Return a randomised response of every record: it favours the values that speak for the first
    secret of the pair.
    """
    chain = framework.chains[name]
    (place, one), (_, other) = (framework.places[secret] for secret in pair)
    if chain.rows is not None:
        return _responses(framework, levels, {place: frozenset({one})})
    zero, first = emission_of(chain)
    rising = first[one] * zero[other] >= zero[one] * first[other]
    turned = _falling(chain)
    favours: dict[int, frozenset[int]] = {}
    for record in range(1, levels.count + 1):
        up = rising != (turned and (record - place) % 2 == 1)
        ratio = levels.at(record).bounds()[0]
        favours[record] = favoured(first, zero, ratio)[1] if up else favoured(zero, first, ratio)[1]
    return _responses(framework, levels, favours | {place: frozenset({one})})


def _responses(
    framework: Framework, levels: RecordLevels, favours: Mapping[int, frozenset[int]]
) -> LocalMechanism:
    """Return the mechanism in which record j says 1 with odds R_j to 1 on favoured values, and 0 so
    on others. Where R_j is irrational a rational just below takes its place.
    """
    alphabet = framework.expect_records().alphabet
    if levels.count > _WRITTEN:
        raise ModelError(
            f"expected at most {_WRITTEN} records for a mechanism that is written out, found "
            f"{levels.count}",
            "records.count",
        )
    half = (Fraction(1, 2), Fraction(1, 2))
    rows = {}

    def row(record: int) -> Any:
        chosen, ratio = favours.get(record), levels.at(record).rounded(upward=False).ratio
        if (chosen, ratio) not in rows:
            told = (1 / (ratio + 1), ratio / (ratio + 1))
            rows[chosen, ratio] = tuple(
                half if chosen is None else told if x in chosen else told[::-1]
                for x in range(len(alphabet))
            )
        return rows[chosen, ratio]

    records = tuple(row(record) for record in range(1, levels.count + 1))
    return LocalMechanism(alphabet, ("0", "1"), RecordLaws(records))


def _along_alphabets(framework: Framework, levels: RecordLevels) -> WorstCase:
    known, best = [], None
    for name, prior in framework.priors.items():
        if not isinstance(prior, MarkovChain):
            known += list(_of_bits(framework, name, levels))
            continue
        bounds, laws = ChainBounds(prior, levels), Along(prior, levels.count)
        anywhere = _anywhere(prior, levels)
        for order, record, one, other in _orders(framework):
            if {one, other} <= set(laws.possible(record)):
                shown = responses(laws, levels, record, one, other)
                upper = _finite(min(anywhere, bounds.ratio(record, one, other)))
                known.append(_Bounds(shown.ratio, upper, name, order))
                if best is None or shown.ratio > best.ratio:
                    best = shown
    worst = _largest(known)
    mechanism = None if best is None else partial(_responses, framework, levels, best.favoured)
    leakage = Leakage(worst.lower, worst.upper)
    return WorstCase(leakage, False, worst.prior, worst.pair, None, mechanism)


def _anywhere(chain: MarkovChain, levels: RecordLevels) -> float:
    """Return an upper bound of the ratio about any record, infinite where there is none: blocks of
    records that are hidden together, and worlds that meet.
    """
    laws = Along(chain, levels.count)
    if not levels.equal or not laws.stationary or len(laws.possible(1)) < laws.states:
        return inf
    stationary = MarkovChain("stationary", chain.transition)
    nats = LeakageBound(stationary, levels.count).nats(_above(levels.largest))
    return nextafter(exp(nats) * (1 + 2.0**-50), inf)


def _above(total: Total) -> float:
    """Return a float that is at least a level in nats."""
    return nextafter(float(Fraction(total.enclosure().upper)), inf)


def _finite(bound: float) -> Fraction | None:
    return Fraction(bound) if isfinite(bound) else None


def _by_program(framework: Framework, levels: RecordLevels, domain: Domain) -> WorstCase:
    """Return the worst case by linear programs, at rational levels on either side of irrational
    ones: it does not fall when levels rise.
    """
    low = worst_column(framework, levels.rounded(upward=False), domain)
    high = low if levels.exact else worst_column(framework, levels.rounded(upward=True), domain)
    prior, pair = low.laws.places[0]
    leakage = Leakage(low.ratio, high.ratio)
    return WorstCase(leakage, True, prior, pair, "linear program", low.mechanism)
