"""Fuzzing of the formats of files: edits of the files of `corpus`.

    python -m tests.models.files.fuzz --resume files.db [--jobs N] [--times 1/10] [FORMAT ...]
    python -m tests.models.files.fuzz --again FORMAT SEED NUMBER

A reader returns what the file says, or raises an error of the package in one line that names the
file, in time and in bounded memory; what is written of it reads as the same. The first goes on
where it stopped; the second writes the file of one input and says what became of it.
"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from tests.kernel.fuzz.__main__ import carried_out, parser, tried
from tests.models.files.fuzz.edits import edited
from tests.models.files.fuzz.formats import FORMATS
from tests.models.files.fuzz.units import BAD, EACH, INPUTS, bases, inputs, sources, verdict

from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.interface.sweeps.units import Unit


def units_of(names: Sequence[str], seed: str, times: Fraction) -> list[Unit]:
    count = max(1, int(INPUTS * times / len(FORMATS)))
    return [
        Unit.of(inputs, name, seed, first, min(EACH, count - first), sources())
        for first in range(0, count, EACH)
        for name in names
    ]


def fuzzed(names: Sequence[str], seed: str, times: Fraction, sharing: Sharing) -> int:
    """Try inputs; 1 if one crashes or hangs, or is read as what it is not."""
    totals, bad = tried(units_of(names, seed, times), sharing)
    return int(bad > 0 or not totals["refused"] or not totals["read"])


def again(name: str, seed: str, number: str) -> int:
    suffix, data = edited(bases(name), Random(f"{name} {seed} {number}"))
    sys.stdout.buffer.write(data + b"\n")
    told = verdict(name, suffix, data)
    print(f".{suffix}: {told}", file=sys.stderr)
    return int(told.partition(":")[0] in BAD)


def main(words: Sequence[str]) -> int:
    known = parser("python -m tests.models.files.fuzz", "FORMAT", [*FORMATS])
    return carried_out(known, words, [*FORMATS], fuzzed, again)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
