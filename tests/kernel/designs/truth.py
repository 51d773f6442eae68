"""Whether a certificate of designs is true, by enumeration.

A bound of 3R designs is held against what the optimum is known to be at least.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from tests.brute.redaction import INFINITE, largest_ratio, likelihoods, sequence_law, utility
from tests.kernel.changes import Change

from pufferproof.lp.redaction.central import central_optimum
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

WINDOWS: dict[str, Fraction] = {}  # the largest utilities, by chain, private record and level


def holds(change: Change) -> bool:
    return is_true(change.certificate, WINDOWS)


def best_window(chain: BinaryChain, private: int, level: Level) -> Fraction:
    """The largest utility of a deterministic pattern."""
    best = Fraction(0)
    for shown in product((0, 1), repeat=chain.length):
        pattern = LocalRedaction.releasing([t for t, show in enumerate(shown, 1) if show], chain.length)
        if keeps(largest_ratio(likelihoods(chain, pattern, private)), level):
            best = max(best, Fraction(sum(shown), chain.length))
    return best


def keeps(ratio: Fraction | None, level: Level) -> bool:
    return ratio is not INFINITE and level.compare(ratio) <= 0


def is_true(certificate: Any, windows: dict[str, Fraction]) -> bool:
    """Whether leakage, utility and the bound are true; a 3R bound is held against what the
    optimum is known to be at least.
    """
    of, claim = certificate["chain"], certificate["claim"]
    chain, private = (BinaryChain(exact(of["alpha"]), exact(of["beta"]), of["length"]), certificate["private"])
    level = (
        Level.log(exact(claim["level"]["log"])) if "log" in claim["level"] else Level.of_nats(claim["level"]["nats"])
    )
    for design in claim["designs"]:
        rows, released = design["redaction"], exact(design["utility"]["lower"])
        if isinstance(rows, dict):
            ratio, found = central_truth(chain, private, rows)
        else:
            profile = LocalRedaction([[exact(r) for r in row[1:]] for row in rows for _ in range(row[0])])
            ratio, found = (largest_ratio(likelihoods(chain, profile, private)), utility(chain, profile))
        low, high = map(exact, design["leakage"])
        if ratio is INFINITE or not (keeps(ratio, level) and low <= ratio <= high and found == released):
            return False
        if design["utility"]["upper"] is not None:
            least = found
            key = f"{of}{private}{level}{design['name'] in ('central-lp', 'local-optimal')}"
            if design["name"] == "data-independent":
                least = windows.setdefault(key, best_window(chain, private, level))
            elif design["name"] in ("central-lp", "local-optimal"):
                least = windows.setdefault(key, central_optimum(chain, private, level).lower)
            if exact(design["utility"]["upper"]) < least:
                return False
    return True


def central_truth(chain: BinaryChain, private: int, rows: Any) -> tuple[Fraction | None, Fraction]:
    sums: dict[str, list[Fraction]] = {}
    released, law = Fraction(0), sequence_law(chain)
    for x, weight in law.items():
        for y, share in rows["".join(map(str, x))].items():
            sums.setdefault(y, [Fraction(0), Fraction(0)])[x[private - 1]] += (
                weight * exact(share) / chain.law(private)[x[private - 1]]
            )
            released += weight * exact(share) * (chain.length - y.count("*"))
    return largest_ratio({y: (zero, one) for y, (zero, one) in sums.items()}), released / chain.length
