"""Exact leakage of a local mechanism about single records of a Bayesian network, of which few
records show anything that depends on their values.

    e^leakage = max over theta, p, values a != b in a pair, outputs y of
        P(y | X_p = a, theta) / P(y | X_p = b, theta)

A record whose rows are all equal says nothing, whatever it shows: its symbol multiplies both sides
by the same number. The law of X_p and of the symbols of the others, Y_t, is found by variable
elimination with a table C_t(x, y) for each of them, and only symbols that occur are counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.bayesian_network import MAX_TABLE, BayesianNetwork, Factor, eliminated, integers_in
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.sequences.leakage import LocalLeakage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    symbols = tuple(
        held if (held := best.shown.silent.get(t)) is not None else next(taken)
        for taken in [iter(_symbols(best))]
        for t in range(1, records.count + 1)
    )
    witness = Witness(best.prior, best.pair, _label(records, mechanism, best.shown, symbols))
    leakage = Leakage(best.value, best.value)
    revealing = _revealing(best, framework) if best.value is None else None
    scope, ends = Scope(checked, excluded, never), (best.value, best.value)
    names = records.names if best.shown.symbols else None
    return LocalLeakage(leakage, witness, scope, symbols, ends, best.record, revealing, names=names)


def _label(records: Records, mechanism: LocalMechanism, shown: _ShownLaw, symbols: Sequence[int]) -> str:
    """Return the label of an output; of records with names only those that show something, with
    their names.
    """
    if records.names is None or not shown.symbols:
        return mechanism.label(symbols)
    said = ((records.names[t - 1], mechanism.outputs[symbols[t - 1]]) for t in shown.symbols)
    return ", ".join(f"{name}={output}" for name, output in said)


def _symbols(best: _OutputRatio) -> list[int]:
    """Return the symbols of the records that show something, in the order of the records."""
    return [row[at] for row, at in zip(best.shown.symbols.values(), best.place)]


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
