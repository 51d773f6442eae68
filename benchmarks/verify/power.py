"""What `estimate` shows of samplers whose exact leakage is known: writes the table of
docs/guides/estimate.md.

Samplers run the published algorithms with NumPy, on five counting queries that each change by one;
noise is geometric, so that the exact leakage is that of the channels in `models/mechanisms/`, or
the level is known in closed form. Beside it is what the method of DP-Sniper (`sniper`) shows with
as many samples.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.verify.sniper import sniper_bound

import pufferproof as pp
from pufferproof.examples.builders.mechanisms import noisy_max, randomized_response, sparse_vector
from pufferproof.examples.builders.mechanisms.tails import OneSided, TwoSided
from pufferproof.verify.simulation.estimation.running import Options, estimate_with
from pufferproof.verify.simulation.estimation.samplers import Coins, Function
from pufferproof.verify.simulation.estimation.state import Estimate

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "estimate.md"
START, END = "<!-- power -->", "<!-- end of power -->"
SIZES = (10**4, 10**5, 10**6)
PAIR = pp.Framework(["a", "b"], {"a": ["a"], "b": ["b"]}, [("a", "b")], {"any": pp.Table({"a": "1/2", "b": "1/2"})})
MAXIMUM = {"a": (1, 1, 1, 1, 1), "b": (0, 2, 2, 2, 2)}
ABOVE = {"a": (0, 0, 0, 1, 1), "b": (1, 1, 1, 0, 0)}
Sampler = Callable[[str, int, Any], Any]


def two_sided(rng: Any, ratio: float, shape: tuple[int, ...]) -> Any:
    """Draw noise with P(k) proportional to ratio^-|k|."""
    return rng.geometric(1 - 1 / ratio, shape) - rng.geometric(1 - 1 / ratio, shape)


def one_sided(rng: Any, ratio: float, shape: tuple[int, ...]) -> Any:
    """Draw noise with P(k) proportional to ratio^-k, k >= 0."""
    return rng.geometric(1 - 1 / ratio, shape) - 1


def respond(database: str, size: int, rng: Any) -> Any:
    """Randomised response at log(4)."""
    return (rng.random(size) < 0.8) ^ (database == "b")


def largest(noise: Callable[..., Any], value: bool) -> Sampler:
    """Report noisy maximum: which query, or (incorrect) its value, clamped to 0 .. 3."""

    def sampler(database: str, size: int, rng: Any) -> Any:
        noisy = np.array(MAXIMUM[database]) + noise(rng, 2.0, (size, 5))
        return noisy.max(axis=1).clip(0, 3) if value else noisy.argmax(axis=1) + 1

    return sampler


def above(threshold: float, query: float | None, cutoff: int | None, shown: bool = False) -> Sampler:
    """Above threshold: its noise, that of the queries, after how many answers it stops, and
    whether values are shown, clamped to 0 .. 1.
    """

    def sampler(database: str, size: int, rng: Any) -> Any:
        limit = 1 + two_sided(rng, threshold, (size, 1))
        noisy = np.array(ABOVE[database]) + np.zeros((size, 1), dtype=np.int64)
        if query is not None:
            noisy = noisy + two_sided(rng, query, (size, 5))
        over = noisy >= limit
        if cutoff is not None:  # what follows the last answer is not shown
            ended = (over.cumsum(axis=1) - over) >= cutoff
        else:
            ended = np.zeros_like(over)
        answers = np.where(over, 2 + noisy.clip(0, 1) * shown, 1)
        return np.where(ended, 0, answers)

    return sampler


def noisy_count(database: str, size: int, rng: Any) -> Any:
    """The Laplace mechanism on a count, at level 1."""
    return rng.laplace(float(database == "a"), 1, size)


def noisy_histogram(database: str, size: int, rng: Any) -> Any:
    """A histogram of five bins with Laplace noise at level 1: one bin differs."""
    return np.array([database == "a", 0, 0, 0, 0]) + rng.laplace(0, 1, (size, 5))


def rappor(database: str, size: int, rng: Any) -> Any:
    """One-time RAPPOR with f = 3/4 on 20 bits, of which each value sets other four; floats, so
    that single lists are not tried as events.
    """
    bits = np.arange(20) // 4 == (database == "a")
    kept = rng.random((size, 20)) < 0.25
    return np.where(kept, bits, rng.random((size, 20)) < 0.5).astype(float)


_RAPPOR = Fraction(5, 3) ** 8  # eight bits differ, each 5/8 against 3/8


def cases() -> list[tuple[str, pp.Level, pp.Level | pp.Channel, Sampler]]:
    """Return the name, the claimed level, the exact leakage or the channel that has it, and the
    sampler of each.
    """
    known = [
        ("Laplace mechanism", pp.Level("1"), pp.Level("1"), noisy_count),
        ("noisy histogram", pp.Level("1"), pp.Level("1"), noisy_histogram),
        ("one-time RAPPOR", pp.Level.log(_RAPPOR), pp.Level.log(_RAPPOR), rappor),
    ]
    listed = [(name, pp.Level.log(n), exact, sampler) for name, n, exact, sampler in _listed()]
    return [listed[0], *known, *listed[1:]]


def _listed() -> list[tuple[str, int, pp.Channel, Sampler]]:
    variants = sparse_vector
    return [
        ("randomised response", 4, randomized_response.randomized_response(["a", "b"], 4), respond),
        ("noisy maximum", 4, noisy_max.noisy_max(MAXIMUM, TwoSided(2)), largest(two_sided, False)),
        ("noisy maximum, one-sided noise", 4, noisy_max.noisy_max(MAXIMUM, OneSided(2)), largest(one_sided, False)),
        (
            "noisy maximum, its value (incorrect)",
            4,
            noisy_max.noisy_max_value(MAXIMUM, TwoSided(2), 0, 3),
            largest(two_sided, True),
        ),
        ("sparse vector", 8, variants.sparse_vector(ABOVE, 1, 2, 2, 1), above(2, 2, 1)),
        ("sparse vector of Lee and Clifton (incorrect)", 16, variants.lee_clifton(ABOVE, 1, 2, 2), above(2, 8, 2)),
        ("sparse vector of Stoddard et al. (incorrect)", 4, variants.stoddard(ABOVE, 1, 2), above(2, None, None)),
        ("sparse vector of Chen et al. (incorrect)", 4, variants.chen(ABOVE, 1, 2), above(2, 2, None)),
        (
            "sparse vector of Roth's notes (incorrect)",
            4,
            variants.roth_notes(ABOVE, 1, 2, 1, 0, 1),
            above(2, 2, 1, True),
        ),
    ]


def _exact(known: pp.Level | pp.Channel) -> Fraction | None:
    """Return the ratio that is leaked, or just above it, None for infinite."""
    if isinstance(known, pp.Level):
        return known.bounds()[1]
    leaked = pp.audit(PAIR, known).leakage
    return None if leaked.infinite else leaked.ratio


def row(name: str, claimed: pp.Level, known: pp.Level | pp.Channel, sampler: Sampler) -> str:
    """Return the row of a sampler."""
    exact = _exact(known)
    shown = "infinite" if exact is None else f"{math.log(exact):.3f}"
    found = [_estimated(name, sampler, size) for size in SIZES]
    assert exact is None or all(each.ratio <= exact for each in found), name
    bounds = " | ".join(f"{math.log(each.ratio):.3f}" for each in found)
    others = " | ".join(f"{sniper_bound(sampler, size, 1):.3f}" for size in SIZES[1:])
    refuted = [size for size, each in zip(SIZES, found) if claimed.compare(each.ratio) > 0]
    said = f"refuted from {refuted[0]:,} samples" if refuted else "not refuted"
    level = f"{float(claimed.enclosure().lower):.3f}"
    text = "1" if claimed.ratio is None else f"{claimed} = {level}"
    return f"| {name} | {text} | {shown} | {bounds} | {others} | {said} |"


def _estimated(name: str, sampler: Sampler, size: int) -> Estimate:
    """Return what `estimate` shows, with the same coins each time the table is written."""
    options = replace(Options.of(None, size, 1, "95%"), coins=Coins(f"{name}, {size}"))
    return estimate_with(PAIR, Function(sampler, None, independent_draws=True), "", options)


def main() -> None:
    """Write the table."""
    rows = [
        "| sampler | claimed | exact leakage | 10^4 samples | 10^5 | 10^6 | DP-Sniper, 10^5 | 10^6 | claim |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    rows += [row(*case) for case in cases()]
    head, _, rest = GUIDE.read_text(encoding="utf-8").partition(START)
    tail = rest.partition(END)[2]
    table = "\n".join(rows)
    GUIDE.write_text(f"{head}{START}\n\n{table}\n\n{END}{tail}", encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
