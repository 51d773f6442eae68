"""Black-box estimates of what a redaction mechanism releases and leaks, from samples, beside the
exact values.

Runs are drawn from the chain, or are the blocks of a recorded sequence. Utility: the mean fraction
of released records, with Hoeffding's interval. Leakage: an event is a set of outputs with one
likelihood ratio (which released records are nearest to p, and their values); its two probabilities
are counted, with Clopper-Pearson intervals. Tested are the exact worst event, and the event that
looked worst on samples of its own. Agreement proves nothing; a disagreement has a probability of at
most `risk` if all is as claimed. Trust: SAMPLING(risk).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.text import text_of
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.audit import audit
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage
from pufferproof.verify.simulation.draws import (
    Shown,
    WordStream,
    code_of,
    event_of,
    nearest_released,
    sampled_chains,
    sampler_of,
)

if TYPE_CHECKING:
    from pufferproof.verify.simulation.draws import Codes, Mask, Sampler, Values

RESTS_ON = ("redaction.events",)
RISK = Fraction(1, 100)
_CHUNK = 4_000_000  # records drawn at a time
_MOST_RECORDS = 2_000_000_000
_CHECKS = 3  # utility, worst event, chosen event: each has a third of the risk


@dataclass(frozen=True)
class EventRatio:
    """How often an event was seen given X_p = likelier and given the other value, and an
    interval of log(P / P') in nats.
    """

    event: Shown
    likelier: int
    seen: tuple[int, int]
    runs: tuple[int, int]
    lower_approx: float
    upper_approx: float


@dataclass(frozen=True, repr=False)
class Simulation(Readable):
    """Estimates beside exact values; `doubts` says which of them disagree, none if the samples are
    consistent.

    `released` is the mean fraction of released records, between the two `utility_approx` with high
    confidence. `worst` is the event that the exact leakage names; of `chosen`, chosen on other
    samples, only the lower bound speaks of the leakage.
    """

    runs: int
    seed: int
    risk: Fraction
    released: Fraction
    utility_approx: tuple[float, float]
    worst: EventRatio
    chosen: EventRatio
    doubts: tuple[str, ...]

    def __str__(self) -> str:
        said = f"doubts: {', '.join(self.doubts)}" if self.doubts else "no doubts"
        low, high = self.utility_approx
        worst = f"log ratio of the worst event from {self.worst.lower_approx:.4g} to {self.worst.upper_approx:.4g}"
        return f"{said} in {self.runs} runs: released {low:.4g} to {high:.4g} of the records, {worst} nats"


@dataclass(frozen=True)
class Claimed:
    """Exact values to compare with: utility, leakage, and where it is reached."""

    utility: Fraction
    leakage: Leakage
    code: int
    likelier: int


@dataclass(frozen=True)
class Samples:
    """The mean fraction of released records, and events counted given X_p = 0 and 1."""

    runs: int
    seed: int
    risk: Fraction
    released: Fraction
    choose: list["Counter[int]"]
    test: list["Counter[int]"]


def simulate(
    chain: BinaryChain,
    mechanism: LocalRedaction,
    private: int,
    runs: int,
    seed: int,
    risk: Fraction = RISK,
    sampler: "Sampler | None" = None,
) -> Simulation:
    """Draw runs of a stationary chain, redact them, and compare utility and leakage with the exact
    ones of `mechanism`.

    Args:
        runs: how many sequences are drawn for the utility; as many again, twice, given X_p = 0 and
            given X_p = 1.
        risk: the probability of a doubt where there is none to have, between 0 and 1.
        sampler: what redacts, as a function of values (runs x n) and of random words, to an array
            that says which records are released (runs x n, bool); `mechanism` itself if left out.

    >>> mechanism = LocalRedaction([["1", "1"], ["1/8", "1"]])
    >>> simulation = simulate(BinaryChain("1/4", "1/2", 2), mechanism, 1, runs=2000, seed=1)
    >>> (
    ...     simulation.doubts,
    ...     simulation.worst.event,
    ...     simulation.utility_approx[0] < 7 / 24 < simulation.utility_approx[1],
    ... )
    ((), (), True)

    Raises `ModelError` unless there is a run, the chain is stationary and fits, and the sampler
    returns such an array.
    """
    chain = check_type(chain, BinaryChain, "chain")
    mechanism = check_type(mechanism, LocalRedaction, "mechanism")
    private = check_type(private, int, "private")
    runs = check_type(runs, int, "runs")
    seed = check_type(seed, int, "seed")
    risk = check_type(risk, Fraction, "risk")
    if seed < 0:
        raise ModelError(f"expected a seed of at least 0, found {seed}", "seed")
    if not 0 < risk < 1:
        raise ModelError(f"expected a risk strictly between 0 and 1, found {text_of(risk)}", "risk")
    sampler = check_type(sampler, Callable[..., object] | None, "sampler")
    if runs < 1 or runs * chain.length > _MOST_RECORDS:
        most = _MOST_RECORDS // chain.length
        raise ModelError(f"expected from 1 to {most} runs of {chain.length} records, found {runs}", "runs")
    words, redact = WordStream(seed), sampler or sampler_of(mechanism)
    released = sum(int(shown.sum()) for _, shown in _drawn(chain, redact, runs, words))
    choose, test = (
        [_counted(_drawn(chain, redact, runs, words, private, value), private) for value in (0, 1)]
        for _ in ("choose", "test")
    )
    samples = Samples(runs, seed, risk, Fraction(released, runs * chain.length), choose, test)
    return compared(_claimed(chain, mechanism, private), samples, lambda code: event_of(code, private, chain.length))


def simulate_on_blocks(
    chain: BinaryChain,
    mechanism: LocalRedaction,
    private: int,
    blocks: Sequence[Sequence[int]],
    seed: int,
    risk: Fraction = RISK,
) -> Simulation:
    """Redact the blocks of a recorded sequence, each once, and compare with the exact values under
    the chain.

    Events are chosen on every other block and tested on the rest. The intervals suppose that blocks
    are independent draws of the chain, which neighbouring blocks of a sequence are not quite.
    """
    import numpy as np

    values = np.array(blocks, dtype=np.int8)
    if values.ndim != 2 or values.shape[1] != chain.length:
        raise ModelError(f"expected blocks of {chain.length} records", "blocks")
    shown = sampler_of(mechanism)(values, WordStream(seed))
    codes, own = nearest_released(values, shown, private), values[:, private - 1]
    turn = np.arange(len(values)) % 2
    choose, test = ([Counter(codes[(turn == half) & (own == x)].tolist()) for x in (0, 1)] for half in (0, 1))
    samples = Samples(len(values), seed, risk, Fraction(int(shown.sum()), shown.size), choose, test)
    return compared(_claimed(chain, mechanism, private), samples, lambda code: event_of(code, private, chain.length))


def expected_on_blocks(mechanism: LocalRedaction, blocks: Sequence[Sequence[int]]) -> Fraction:
    """Return the expected fraction of released records of a sequence's blocks, exactly."""
    total = Fraction(0)
    for index, row in enumerate(mechanism.rows):
        ones = sum(block[index] for block in blocks)
        total += (len(blocks) - ones) * (1 - row[0]) + ones * (1 - row[1])
    return total / (len(blocks) * mechanism.length)


def _counted(drawn: "Iterator[tuple[Values, Mask]]", private: int) -> "Counter[int]":
    import numpy as np

    counts: Counter[int] = Counter()
    for values, shown in drawn:
        codes, times = np.unique(nearest_released(values, shown, private), return_counts=True)
        counts.update(dict(zip(codes.tolist(), times.tolist())))
    return counts


def _drawn(
    chain: BinaryChain, redact: "Sampler", runs: int, words: WordStream, private: int = 1, value: int | None = None
) -> "Iterator[tuple[Values, Mask]]":
    """Yield values and which are released, so many runs at a time that memory stays small."""
    step = max(1, _CHUNK // chain.length)
    for start in range(0, runs, step):
        values = sampled_chains(chain, min(step, runs - start), words, private, value)
        released = redact(values, words)
        if getattr(released, "shape", None) != values.shape or released.dtype != bool:
            raise ModelError(
                f"expected a bool for every record of {len(values)} runs, found a {type(released).__name__}", "sampler"
            )
        yield values, released


def compared(claimed: Claimed, samples: Samples, named: Callable[[int], Shown]) -> Simulation:
    """Compare samples with what is claimed; `named` says what a code of an event stands for."""
    part, share = float(samples.risk) / _CHECKS, samples.released
    slack = math.sqrt(math.log(2 / part) / (2 * samples.runs))
    utility = max(0.0, float(share) - slack), min(1.0, float(share) + slack)
    both = [one + other for one, other in zip(samples.choose, samples.test)]
    worst = _ratio(named(claimed.code), claimed.code, claimed.likelier, both, part)
    code, likelier = _looks_worst(samples.choose, part)
    chosen = _ratio(named(code), code, likelier, samples.test, part)
    leaks = math.inf if claimed.leakage.infinite else float(claimed.leakage.enclosure().upper)
    doubts = []
    if not utility[0] <= float(claimed.utility) <= utility[1]:
        doubts.append("utility")
    if not worst.lower_approx <= leaks <= worst.upper_approx:
        doubts.append("leakage of the worst event")
    if chosen.lower_approx > leaks:
        doubts.append("leakage of the chosen event")
    return Simulation(samples.runs, samples.seed, samples.risk, share, utility, worst, chosen, tuple(doubts))


def _claimed(chain: BinaryChain, mechanism: LocalRedaction, private: int) -> Claimed:
    exact = redaction_leakage(chain, mechanism, private)
    event: Shown = ((exact.private, exact.likelier),)
    if not exact.revealed:  # the nearest released records of the exact worst output
        released = [(t, int(symbol)) for t, symbol in enumerate(exact.output, 1) if symbol != "*"]
        left = [place for place in released if place[0] < exact.private][-1:]
        event = (*left, *[place for place in released if place[0] > exact.private][:1])
    code = code_of(event, private, chain.length)
    return Claimed(mechanism.utility(chain), exact.leakage, code, exact.likelier)


def _looks_worst(counts: list["Counter[int]"], part: float) -> tuple[int, int]:
    """Return the event and value of X_p with the largest lower bound of its ratio."""
    codes = sorted(counts[0].keys() | counts[1].keys())
    if not codes:
        return 0, 0
    totals = [sum(counter.values()) for counter in counts]
    bounds = [_bounds([counter[code] for code in codes], total, part / 2) for counter, total in zip(counts, totals)]
    scores = {x: [_log(low) - _log(high) for low, high in zip(bounds[x][0], bounds[1 - x][1])] for x in (0, 1)}
    _, code, value = max((score, -codes[index], -x) for x in (0, 1) for index, score in enumerate(scores[x]))
    return -code, -value


def _ratio(event: Shown, code: int, likelier: int, counts: list["Counter[int]"], part: float) -> EventRatio:
    """Bound log(P(event | likelier) / P(event | other)), each with error part / 2."""
    order = (likelier, 1 - likelier)
    seen, totals = (tuple(counts[x][code] for x in order), tuple(sum(counts[x].values()) for x in order))
    (above, below) = (_bounds([k], n, part / 4) for k, n in zip(seen, totals))
    lower = _log(above[0][0]) - _log(below[1][0])
    upper = math.inf if below[0][0] == 0 else _log(above[1][0]) - _log(below[0][0])
    return EventRatio(event, likelier, (seen[0], seen[1]), (totals[0], totals[1]), lower, upper)


def _bounds(seen: Sequence[int], runs: int, tail: float) -> tuple[list[float], list[float]]:
    """Return Clopper-Pearson bounds of probabilities, each side missed with at most `tail`."""
    import numpy as np

    with extras:
        from scipy.stats import beta

    k = np.array(seen, dtype=float)
    with np.errstate(invalid="ignore"):
        lower = np.where(k > 0, beta.ppf(tail, k, runs - k + 1), 0.0)
        upper = np.where(k < runs, beta.ppf(1 - tail, k + 1, runs - k), 1.0)
    return lower.tolist(), upper.tolist()


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


# Black-box estimates of a redaction that sees the whole sequence before it decides, beside the exact values.
#
# As `pufferproof.verify.simulation.redaction`, with whole outputs as events: nothing is known of how records were
# redacted. Leakage and utility are exact, by enumeration; chains are as short as the channel is.

_MOST_RUNS = 20_000_000


def simulate_channel(
    chain: BinaryChain, channel: Channel, private: int, runs: int, seed: int, risk: Fraction = RISK
) -> Simulation:
    """Draw runs of a stationary chain, pass them through a channel to sequences over 0, 1 and *,
    and compare.

    >>> from pufferproof.models.sequences.redaction import LocalRedaction
    >>> mechanism = LocalRedaction([["1", "1"], ["1/8", "1"]])
    >>> simulate_channel(BinaryChain("1/4", "1/2", 2), mechanism.channel(), 1, runs=2000, seed=1).doubts
    ()

    Raises `ModelError` unless there is a run, and databases and outputs are sequences of the
    chain's length.
    """
    if not 1 <= runs <= _MOST_RUNS:
        raise ModelError(f"expected from 1 to {_MOST_RUNS} runs, found {runs}", "runs")
    if {len(label) for label in (*channel.databases, *channel.outputs)} != {chain.length}:
        raise ModelError(f"expected databases and outputs of {chain.length} symbols", "channel")
    words, rows = WordStream(seed), {label: row for row, label in enumerate(channel.databases)}

    def drawn(value: int | None) -> "Codes":
        return _outputs(channel, rows, sampled_chains(chain, runs, words, private, value), words)

    shown = [sum(symbol != "*" for symbol in output) for output in channel.outputs]
    released = sum(shown[code] for code in drawn(None).tolist())
    choose, test = ([Counter(drawn(value).tolist()) for value in (0, 1)] for _ in ("choose", "test"))
    samples = Samples(runs, seed, risk, Fraction(released, runs * chain.length), choose, test)
    framework = Framework.of_binary(chain, private)
    audited, law, utility = audit(framework, channel), framework.laws["chain"], Fraction(0)
    for x, label in enumerate(framework.databases):
        row = rows[label]
        kept = sum(int(number) * count for number, count in zip(channel.numerators_of(row), shown))
        utility += Fraction(law.weights[x], law.total) * Fraction(kept, channel.denominators[row])
    code, likelier = channel.outputs.index(audited.witness.output), int(audited.witness.pair[0][-1])

    def named(code: int) -> Shown:
        return tuple((t, int(symbol)) for t, symbol in enumerate(channel.outputs[code], 1) if symbol != "*")

    return compared(Claimed(utility / chain.length, audited.leakage, code, likelier), samples, named)


def _outputs(channel: Channel, rows: dict[str, int], values: "Values", words: WordStream) -> "Codes":
    """Draw an output for every run, by the row's cumulated probabilities."""
    import numpy as np

    length = values.shape[1]
    numbers = values.astype(np.int64) @ (1 << np.arange(length)[::-1])
    draws, codes = words.draw(len(values)), np.zeros(len(values), dtype=np.int64)
    for number in np.unique(numbers).tolist():
        row = rows[format(number, f"0{length}b")]
        total = channel.denominators[row]
        limits = [(at << 64) // total for at in accumulate(map(int, channel.numerators_of(row)))]
        chosen = numbers == number
        last = max(index for index, (low, high) in enumerate(pairwise([0, *limits])) if high > low)
        ends = np.array([min(limit, 2**64 - 1) for limit in limits[:last]], dtype=np.uint64)
        codes[chosen] = np.searchsorted(ends, draws[chosen], side="right")
    return codes
