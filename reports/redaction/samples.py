"""Simulated redaction and redaction of a recorded sequence, as tables for people and as JSON.

Estimates carry the trust SAMPLING(risk): agreement with the exact values proves nothing. The
statistics are those of `verify/simulation/redaction.py` and `models/files/recorded/fit.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.redaction.strategies import Design
from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.doubts.order import first_order_test
from pufferproof.models.files.recorded.fit import StepCounts
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.simulation.redaction import (
    EventRatio,
    Simulation,
    expected_on_blocks,
    simulate,
    simulate_channel,
    simulate_on_blocks,
)

_ASSUMED = "          that the sequence is a first-order chain is assumed: all leakage below is that of the model"


@dataclass(frozen=True)
class Recorded:
    """A recorded sequence, cut into blocks of the chain's length (what is left over is not
    used), and how well a chain fits.
    """

    path: str
    values: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]
    steps: StepCounts
    test: Comparison

    @classmethod
    def of(cls, path: str, values: tuple[int, ...], length: int | None) -> "Recorded":
        """Cut a sequence into blocks, one block if no length is given."""
        size = len(values) if length is None else length
        if not 1 <= size <= len(values):
            raise ModelError(f"expected from 1 to {len(values)} records, as {path} has, found {size}", "--length")
        blocks = tuple(values[start : start + size] for start in range(0, len(values) - size + 1, size))
        return cls(path, values, blocks, StepCounts.of(values), first_order_test(values))

    def chain(self) -> BinaryChain:
        """Return the chain of maximum likelihood."""
        try:
            return self.steps.chain(len(self.blocks[0]))
        except ModelError as error:
            raise error.within(self.path) from None

    def as_json(self) -> JsonObject:
        """Return what was counted and estimated."""
        chain = self.chain()
        return {
            "records": len(self.values),
            "blocks": len(self.blocks),
            "steps": [list(row) for row in self.steps.counts],
            "alpha": text_of(chain.alpha),
            "beta": text_of(chain.beta),
            "first_order": {
                "statistic": text_of(self.test.statistic),
                "degrees": self.test.degrees,
                "p_value": f"{self.test.p_value:.6g}",
                "draws": self.test.draws,
            },
        }

    def lines(self) -> list[str]:
        """Return the same as text, and what it means."""
        (stay, leave), (back, remain) = self.steps.counts
        count, size = len(self.blocks), len(self.blocks[0])
        cut = f", cut into {count} blocks of {size}" if count > 1 else ""
        alpha = f"alpha = {leave}/{stay + leave}"
        lines = [f"sequence  {len(self.values)} records{cut}; by counting steps {alpha}, beta = {back}/{back + remain}"]
        if not self.test.degrees:
            return [*lines, "model     too short to compare second with first order", _ASSUMED]
        said = f"{self.test.text}: {self.test.against('order 1')}"
        return [*lines, f"model     second against first order: {said}", _ASSUMED]


@dataclass(frozen=True)
class Realised:
    """What a mechanism released of a recorded sequence: expected and drawn fraction, and with
    enough blocks estimates.
    """

    expected: Fraction
    drawn: Simulation
    blocks: int

    def as_json(self) -> JsonObject:
        """Return it as JSON."""
        answer: JsonObject = {"expected": text_of(self.expected), "released": text_of(self.drawn.released)}
        return answer | ({"estimate": simulation_json(self.drawn)} if self.blocks > 1 else {"estimate": None})


def realised(recorded: Recorded, chain: BinaryChain, private: int, design: Design, seed: int) -> Realised | None:
    """Redact a recorded sequence, block by block, or None if a strategy has no local mechanism."""
    if design.mechanism is None:
        return None
    drawn = simulate_on_blocks(chain, design.mechanism, private, recorded.blocks, seed)
    return Realised(expected_on_blocks(design.mechanism, recorded.blocks), drawn, len(recorded.blocks))


def simulated(chain: BinaryChain, private: int, design: Design, runs: int, seed: int) -> Simulation | None:
    """Simulate a design, local or not, or None if only its utility is known."""
    try:
        if design.mechanism is not None:
            return simulate(chain, design.mechanism, private, runs, seed)
        return None if design.channel is None else simulate_channel(chain, design.channel, private, runs, seed)
    except ModelError as error:
        raise error.within("--simulate") from None


def simulation_json(simulation: Simulation) -> dict[str, object]:
    """Return a simulation as JSON."""
    return {
        "runs": simulation.runs,
        "seed": simulation.seed,
        "trust": f"SAMPLING({text_of(simulation.risk)})",
        "released": text_of(simulation.released),
        "utility": {"lower": _text(simulation.utility_approx[0]), "upper": _text(simulation.utility_approx[1])},
        "worst": _event_json(simulation.worst),
        "chosen": _event_json(simulation.chosen),
        "consistent": not simulation.doubts,
        "doubts": list(simulation.doubts),
    }


def _event_json(ratio: EventRatio) -> dict[str, object]:
    return {
        "shown": {str(record): str(value) for record, value in ratio.event},
        "likelier": ratio.likelier,
        "seen": list(ratio.seen),
        "runs": list(ratio.runs),
        "epsilon": {"lower": _text(ratio.lower_approx), "upper": _text(ratio.upper_approx)},
    }


def _text(value: float) -> str:
    return f"{value:.12g}"


def simulation_lines(title: str, simulations: Sequence[tuple[str, Simulation]]) -> list[str]:
    """Return a table of simulations: intervals of utility and leakage, and whether they agree
    with the exact values.
    """
    if not simulations:
        return []
    header = ["strategy", "utility within", "worst event within", "leakage at least", "by", "agrees"]
    rows = [header, *(_cells(name, each) for name, each in simulations)]
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(header))]
    table = ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    risk = simulations[0][1].risk
    return [
        "",
        f"{title}; each row wrong with probability at most {brief(risk)}: trust SAMPLING({brief(risk)})",
        *table,
    ]


def _cells(name: str, simulation: Simulation) -> list[str]:
    low, high = simulation.utility_approx
    worst, chosen = simulation.worst, simulation.chosen
    within = (
        f"{_nats(max(worst.lower_approx, 0.0))} to {_nats(worst.upper_approx)}" if sum(worst.seen) else "never seen"
    )
    least = _nats(max(chosen.lower_approx, 0.0))
    return [
        name,
        f"{low:.4f} to {high:.4f}",
        within,
        least,
        (", ".join(f"X{record} = {value}" for record, value in chosen.event) or "nothing shown"),
        "NO: " * bool(simulation.doubts) + (", ".join(simulation.doubts) or "yes"),
    ]


def _nats(value: float) -> str:
    return "inf" if math.isinf(value) else f"{value:.4f}"


def realised_lines(releases: Sequence[tuple[str, Realised]], chain: BinaryChain, seed: int) -> list[str]:
    """Return a table of what was released of the recorded sequence."""
    if not releases:
        return []
    blocks = releases[0][1].blocks
    total = blocks * chain.length
    header = ["strategy", "expected on the sequence", f"released with seed {seed}"]
    rows = [header]
    for name, each in releases:
        count = int(each.drawn.released * total)
        rows.append([name, f"{float(each.expected):.6f}", f"{count} of {total} records"])
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(header))]
    table = ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    more = simulation_lines(f"estimates from {blocks} blocks, as if independent", [(n, r.drawn) for n, r in releases])
    return ["", *table, *(more if blocks > 1 else [])]
