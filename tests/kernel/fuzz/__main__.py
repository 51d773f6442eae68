"""Fuzzing of the kernel: a million edited certificates, and some that are forged.

    python -m tests.kernel.fuzz --resume fuzz.db [--jobs N] [--times 1/10] [FAMILY ...]
    python -m tests.kernel.fuzz --again FAMILY SEED NUMBER

No input may crash the kernel, keep it for long or take much memory, and what it accepts must be
true. The first goes on where it stopped; the second writes the file of one input and says what
became of it.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.kernel.bench import FAMILIES
from tests.kernel.fuzz.forging import FORGERS
from tests.kernel.fuzz.units import BAD, EACH, counts, drawn_by, inputs, kernel, sources, verdict

from pufferproof.models.errors import PufferproofError
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.running import Failure
from pufferproof.models.interface.sweeps.units import Unit


def units_of(families: Sequence[str], seed: str, times: Fraction) -> list[Unit]:
    of = counts(times)
    return [
        Unit.of(inputs, family, seed, first, min(EACH, of[family] - first), sources())
        for first in range(0, max(of.values()), EACH)
        for family in families
        if first < of[family]
    ]


def tried(units: Sequence[Unit], sharing: Sharing) -> tuple[Counter[str], int]:
    """Try inputs, and print what became of them: how many came to what, and how many should not
    have.
    """
    totals, bad, peak = Counter[str](), 0, 0
    with opened(sharing, progress if sys.stderr.isatty() else lambda text: None) as sweep:
        for _, outcome in sweep.outcomes(units, len(units)):
            if isinstance(outcome, Failure):
                print(f"FAILED {outcome}", flush=True)
                bad += 1
                continue
            totals.update(outcome["counts"])
            peak = max(peak, outcome["peak"])
            for each in outcome["found"]:
                print(each, flush=True)
                bad += 1
    for name, count in sorted(totals.items()):
        print(f"{name:16}{count:10}")
    print(f"{'inputs':16}{sum(totals.values()):10}")
    print(f"{'peak memory':16}{peak:10} MB")
    return totals, bad


def fuzzed(families: Sequence[str], seed: str, times: Fraction, sharing: Sharing) -> int:
    """Try inputs; 1 if one is false, crashes, hangs or takes much memory."""
    totals, bad = tried(units_of(families, seed, times), sharing)
    return int(bad > 0 or not totals["refused"] or not totals["true"])


def progress(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def again(family: str, seed: str, number: str) -> int:
    data = drawn_by(f"{family} {seed} {number}")
    sys.stdout.buffer.write(data + b"\n")
    told = verdict(kernel(), data)
    print(told, file=sys.stderr)
    return int(told.partition(":")[0] in BAD)


def parser(program: str, what: str, names: Sequence[str]) -> argparse.ArgumentParser:
    """The options of a run, and the names that it may be of."""
    made = argparse.ArgumentParser(program)
    made.add_argument("names", nargs="*", metavar=what, help=", ".join(names))
    made.add_argument("--resume", metavar="STORE", help="the file that keeps what was tried")
    made.add_argument("--jobs", type=int, help="processes, by default one for each processor")
    made.add_argument("--scheduler", metavar="ADDRESS", help="a dask scheduler, in their place")
    made.add_argument("--times", type=Fraction, default=Fraction(1), help="how often as many")
    made.add_argument("--seed", default="0")
    made.add_argument("--again", nargs=3, metavar=(what, "SEED", "NUMBER"))
    return made


def carried_out(
    known: argparse.ArgumentParser,
    words: Sequence[str],
    names: Sequence[str],
    run: Callable[[Sequence[str], str, Fraction, Sharing], int],
    one: Callable[[str, str, str], int],
) -> int:
    """Do what the words of a command line ask for."""
    chosen = known.parse_args(words)
    if chosen.again:
        return one(*chosen.again)
    if unknown := {*chosen.names} - {*names}:
        known.error(f"expected {', '.join(names)}, found {', '.join(sorted(unknown))}")
    sharing = Sharing(chosen.jobs, chosen.scheduler, chosen.resume, 1800.0)
    try:
        return run(chosen.names or names, chosen.seed, chosen.times, sharing)
    except PufferproofError as error:
        print(error, file=sys.stderr)
        return 2


def main(words: Sequence[str]) -> int:
    families = (*FAMILIES, *FORGERS)
    known = parser("python -m tests.kernel.fuzz", "FAMILY", families)
    return carried_out(known, words, families, fuzzed, again)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
