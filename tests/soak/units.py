"""A unit of the soak: some seeded instances of one quantity, each computed in two ways."""

import hashlib
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from tests.soak import leakages, noise, optima, sequences
from tests.soak.drawing import Passed

Both = tuple[object, object]
# the quantities, and how many instances of each a whole soak has: more where one costs less
QUANTITIES: dict[Callable[[Random], Both], int] = {
    leakages.leakages: 20_000,
    leakages.both_searches: 14_000,
    leakages.scopes: 4_000,
    leakages.tables: 4_000,
    leakages.deltas: 10_000,
    leakages.moments: 6_000,
    leakages.joint: 6_000,
    leakages.sums: 2_000,
    leakages.runs: 4_000,
    leakages.mixed: 2_000,
    leakages.certified: 3_000,
    sequences.quilts: 4_000,
    sequences.curves: 2_000,
    sequences.networks: 3_000,
    sequences.local: 3_000,
    sequences.redactions: 4_000,
    optima.together: 2_000,
    optima.per_record: 2_000,
    optima.designs: 600,
    optima.rates: 1_000,
    optima.closures: 4_000,
    optima.suprema: 4_000,
    optima.programs: 2_400,
    optima.logarithms: 6_000,
    noise.noises: 2_000,
    noise.distances: 4_000,
    noise.levels: 6_000,
}
NAMED = {quantity.__name__: quantity for quantity in QUANTITIES}
SHOWN = 2_000  # characters of a disagreement


@cache
def judges() -> str:
    """The hash of this folder and of the slow twins, which a unit rests on beside the package."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*here.glob("*.py"), *(here.parent / "brute").glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def instances(quantity: str, seed: str, first: int, count: int, twins: str) -> dict[str, int | list[str]]:
    """Compare some instances of a quantity: how many agree, how many drawings were no instance, and
    what disagrees, each with the words that draw it again.

    Raises `ValueError` where the twins of the worker are others.
    """
    if twins != judges():
        raise ValueError("expected a worker with the tests of this machine")
    agree, passed, wrong = 0, 0, []
    for number in range(first, first + count):
        said = disagreement(quantity, f"{quantity} {seed} {number}")
        agree += said == ""
        passed += said is None
        if said:
            wrong.append(f"{quantity} {seed} {number}: {said}"[:SHOWN])
    return {"agree": agree, "passed": passed, "wrong": wrong}


def disagreement(quantity: str, words: str) -> str | None:
    """How the two computations differ on the instance that words draw: "" if they agree, None if it
    is no instance. An error in either is a difference.
    """
    try:
        found, expected = NAMED[quantity](Random(words))
    except Passed:
        return None
    except Exception:
        return traceback.format_exc()[-SHOWN:]
    return "" if found == expected else f"found {found}, expected {expected}"
