"""Black-box estimates of a redaction that sees the whole sequence before it decides, beside the
exact values.

As `pufferproof.verify.simulation.redaction`, with whole outputs as events: nothing is known of how
records were redacted. Leakage and utility are exact, by enumeration; chains are as short as the
channel is.
"""

from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.audit import audit
from pufferproof.verify.simulation.draws import Shown, WordStream, sampled_chains
from pufferproof.verify.simulation.redaction import RISK, Claimed, Samples, Simulation, compared

if TYPE_CHECKING:
    from pufferproof.verify.simulation.draws import Codes, Values

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
    return compared(_claimed(chain, channel, private, shown), samples, lambda code: _event(channel.outputs[code]))


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


def _claimed(chain: BinaryChain, channel: Channel, private: int, shown: list[int]) -> Claimed:
    """Return the exact utility, leakage, and the output where it is reached."""
    framework = Framework.of_binary(chain, private)
    audited = audit(framework, channel)
    law, total = framework.laws["chain"], Fraction(0)
    rows = {label: row for row, label in enumerate(channel.databases)}
    for x, label in enumerate(framework.databases):
        row = rows[label]
        kept = sum(int(number) * count for number, count in zip(channel.numerators_of(row), shown))
        total += Fraction(law.weights[x], law.total) * Fraction(kept, channel.denominators[row])
    code, likelier = channel.outputs.index(audited.witness.output), int(audited.witness.pair[0][-1])
    return Claimed(total / chain.length, audited.leakage, code, likelier)


def _event(output: str) -> Shown:
    return tuple((t, int(symbol)) for t, symbol in enumerate(output, 1) if symbol != "*")
