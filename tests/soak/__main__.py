"""The soak: two computations of every exact quantity on a hundred thousand instances.

    python -m tests.soak --resume soak.db [--jobs N] [--times 1/10] [--seed WORDS] [QUANTITY ...]
    python -m tests.soak --again QUANTITY SEED NUMBER

The first compares the instances of one seed, shared among processes, and goes on where it stopped.
The second compares one instance, that a disagreement names, and shows the error.
"""

import argparse
import sys
from collections.abc import Sequence
from fractions import Fraction

from tests.soak.units import NAMED, QUANTITIES, disagreement, instances, judges

from pufferproof.models.errors import PufferproofError
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.running import Failure
from pufferproof.models.interface.sweeps.units import Unit

EACH = 200  # instances of a unit


def units_of(names: Sequence[str], seed: str, times: Fraction) -> list[Unit]:
    """The units of quantities: at least one each, never one half."""
    found = []
    for quantity, count in QUANTITIES.items():
        if quantity.__name__ in names:
            for first in range(0, max(1, int(count * times)), EACH):
                size = min(EACH, max(1, int(count * times)) - first)
                found.append(Unit.of(instances, quantity.__name__, seed, first, size, judges()))
    return found


def soaked(names: Sequence[str], seed: str, times: Fraction, sharing: Sharing) -> int:
    """Compare, and print a line for each quantity and each disagreement; 1 if there is one."""
    units = units_of(names, seed, times)
    counts = {name: [0, 0, 0] for name in names}
    with opened(sharing, progress if sys.stderr.isatty() else lambda text: None) as sweep:
        for place, outcome in sweep.outcomes(units, len(units)):
            told = counts[units[place].arguments.split('"')[1]]
            if isinstance(outcome, Failure):
                told[2] += 1
                print(f"FAILED {outcome}", flush=True)
                continue
            told[0] += outcome["agree"]
            told[1] += outcome["passed"]
            told[2] += len(outcome["wrong"])
            for each in outcome["wrong"]:
                print(f"DISAGREE {each}", flush=True)
    return summed(counts)


def progress(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def summed(counts: dict[str, list[int]]) -> int:
    """Print the table; 1 if anything disagrees, or nothing was compared."""
    print(f"{'quantity':16}{'agree':>9}{'disagree':>10}{'no instance':>13}")
    for name, (agree, passed, wrong) in counts.items():
        print(f"{name:16}{agree:9}{wrong:10}{passed:13}")
    agree, passed, wrong = (sum(column) for column in zip(*counts.values()))
    print(f"{'together':16}{agree:9}{wrong:10}{passed:13}")
    return int(wrong > 0 or min(each[0] for each in counts.values()) == 0)


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("python -m tests.soak")
    parser.add_argument("quantities", nargs="*", metavar="QUANTITY", help=", ".join(NAMED))
    parser.add_argument("--resume", metavar="STORE", help="the file that keeps what was compared")
    parser.add_argument("--jobs", type=int, help="processes, by default one for each processor")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a dask scheduler, in their place")
    parser.add_argument("--unit-seconds", type=float, default=600.0)
    parser.add_argument("--times", type=Fraction, default=Fraction(1), help="how many times as many")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--again", nargs=3, metavar=("QUANTITY", "SEED", "NUMBER"))
    chosen = parser.parse_args(words)
    if chosen.again:
        print(said := disagreement(chosen.again[0], " ".join(chosen.again)))
        return int(bool(said))
    unknown = {*chosen.quantities} - {*NAMED}
    if unknown:
        parser.error(f"no quantity {', '.join(sorted(unknown))}")
    sharing = Sharing(chosen.jobs, chosen.scheduler, chosen.resume, chosen.unit_seconds)
    try:
        return soaked(chosen.quantities or [*NAMED], chosen.seed, chosen.times, sharing)
    except PufferproofError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
