"""A unit of the fuzzing: some seeded inputs of one family, edited or forged, and what became of
each.
"""

import hashlib
import traceback
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from tests.kernel.bench import FAMILIES, Loaded, accepted_files, read
from tests.kernel.fuzz.edits import edited
from tests.kernel.fuzz.forging import FORGERS, forged
from tests.kernel.fuzz.statements import Unjudged, holds
from tests.kernel.fuzz.trying import Portion, TooHungry, TooLong, counted, limited
from tests.kernel.reading_list import KERNEL

INPUTS = 1_200_000  # edited ones of a whole run, as many of each family
FORGED = 60_000  # of each kind of forged ones
EACH = 2_000  # inputs of a unit
WORK = 3_000_000_000  # bit operations for one: what it needs more is no answer
SECONDS = 20.0  # of work after which an input keeps the kernel for too long
BAD = ("false", "crashed", "hung", "hungry", "judge failed")
LONGEST = 6_000  # bytes of a certificate that is edited


@cache
def kernel() -> Loaded:
    return Loaded()


@cache
def bases(family: str) -> list[Any]:
    """The certificates of a family that are edited."""
    return [read(path) for path in accepted_files(family) if path.stat().st_size < LONGEST]


@cache
def sources() -> str:
    """The hash of what a unit rests on beside the package: the kernel and its tests."""
    digest = hashlib.sha256()
    here = Path(__file__).parents[1]
    for path in sorted([*KERNEL.rglob("*.py"), *here.rglob("*.py"), *here.rglob("corpus.json")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def verdict(loaded: Loaded, data: bytes) -> str:
    """What becomes of an input: refused, large, not JSON; true, false or unjudged if accepted; or
    crashed, hung, hungry, "judge failed", with the reason.
    """
    try:
        with limited(SECONDS):
            loaded["__init__"].check_bytes(data, WORK)
    except loaded["__init__"].TooLarge:
        return "large"
    except loaded.Refused:
        return "refused"
    except loaded.NotJSON:
        return "not JSON"
    except TooLong:
        return "hung"
    except TooHungry as error:
        return f"hungry: {error}"
    except BaseException as error:
        return f"crashed: {error!r} {traceback.format_exc()[-300:]}"
    return judged(data)


def judged(data: bytes) -> str:
    """Whether the statement of an accepted certificate is true."""
    try:
        with limited(SECONDS, inf):
            return "true" if holds(data) else "false"
    except (Unjudged, TooLong):
        return "unjudged"
    except Exception:
        return f"judge failed: {traceback.format_exc()[-300:]}"


def inputs(family: str, seed: str, first: int, count: int, tests: str) -> Portion:
    """Try some inputs of a family: how many came to what, the words that draw each that should not
    have, and the most memory.

    Raises `ValueError` where the tests of the worker are others.
    """
    if tests != sources():
        raise ValueError("expected a worker with the tests of this machine")
    drawn = (f"{family} {seed} {number}" for number in range(first, first + count))
    return counted(drawn, lambda words: verdict(kernel(), drawn_by(words)), BAD)


def drawn_by(words: str) -> bytes:
    """The input of a family, a seed and a number: an edited certificate, or a forged one."""
    family, draw = words.partition(" ")[0], Random(words)
    return forged(family, draw) if family in FORGERS else edited(bases(family), draw)


def counts(times: Fraction) -> dict[str, int]:
    """How many inputs a run has of each family."""
    every = dict.fromkeys(FAMILIES, INPUTS // len(FAMILIES)) | dict.fromkeys(FORGERS, FORGED)
    return {family: max(1, int(count * times)) for family, count in every.items()}
