"""A unit of the fuzzing of files: some seeded inputs of one format, and what became of each."""

import hashlib
import resource
import tempfile
import traceback
from functools import cache
from pathlib import Path
from random import Random

from tests.kernel.fuzz.trying import Portion, TooHungry, TooLong, counted, limited
from tests.models.files.fuzz.edits import Bases, bases_of, corpus, edited
from tests.models.files.fuzz.formats import FORMATS

from pufferproof.models.errors import ModelError, PufferproofError, lacks

INPUTS = 200_000  # of a whole run, as many of each format
EACH = 500  # inputs of a unit
SECONDS = 10.0  # of work after which an input keeps a reader for too long
MEMORY = 2 << 30  # bytes that reading may take
BAD = ("crashed", "hung", "hungry", "unsaid", "differs")


@cache
def bases(name: str) -> Bases:
    given = FORMATS[name].bases
    return bases_of(name) if given is None else given()


@cache
def sources() -> str:
    """The hash of what a unit rests on beside the package: this folder, and the edits of
    certificates.
    """
    digest = hashlib.sha256()
    here = Path(__file__).parent
    kernel = here.parents[2] / "kernel"
    files = [path for path in here.rglob("*") if path.suffix != ".pyc" and path.is_file()]
    for path in sorted(
        [*files, kernel / "changes.py", *(kernel / "fuzz" / name for name in ("edits.py", "trying.py"))]
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def verdict(name: str, suffix: str, data: bytes) -> str:
    """What becomes of an input: read, or refused; crashed, hung, hungry, "unsaid" where the error
    does not name the file or has several lines, or "differs" where what was read and written is not
    the same when it is read again; "slow" where a command computes for long; "large" where
    fractions that it is written in have more digits than are read.
    """
    limits = resource.getrlimit(resource.RLIMIT_AS)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / f"input.{suffix}"
        path.write_bytes(data)
        (Path(folder) / "rain.bif").write_bytes(corpus()["bif.rain.bif"])
        try:
            resource.setrlimit(resource.RLIMIT_AS, (used() + MEMORY, limits[1]))
            with limited(SECONDS):
                return tried(name, path)
        except TooLong:
            if FORMATS[name].computes:
                return "slow"
            return f"hung: {traceback.format_exc()[-300:]}"
        except TooHungry as error:
            return f"hungry: {error}"
        except BaseException as error:
            return f"crashed: {error!r} {traceback.format_exc()[-400:]}"
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)


def used() -> int:
    """The bytes of addresses that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def tried(name: str, path: Path) -> str:
    form = FORMATS[name]
    try:
        found = form.read(path)
    except PufferproofError as error:
        said = str(error)
        if lacks(MemoryError()) in said:
            return f"crashed: {said[:300]}"
        named = str(path.parent) in said or name in ("sampler", "family")
        return "refused" if named and len(said.splitlines()) == 1 else f"unsaid: {said[:300]!r}"
    once = form.write(found, path.parent / "written.json")
    if once is None:
        return "read"
    again = path.parent / "again" / "input.json"
    again.parent.mkdir()
    again.write_bytes(once if isinstance(once, bytes) else once.encode())
    try:
        twice = form.write(form.read(again), path.parent / "twice.json")
    except ModelError as error:
        return "large" if "digits, found" in str(error) else f"differs: {error}"
    return "read" if twice == once else f"differs: {str(once)[:200]} {str(twice)[:200]}"


def inputs(name: str, seed: str, first: int, count: int, tests: str) -> Portion:
    """Try some inputs of a format: how many came to what, the words that draw each that should not
    have, and the most memory.

    Raises `ValueError` where the tests of the worker are others.
    """
    if tests != sources():
        raise ValueError("expected a worker with the tests of this machine")
    drawn = (f"{name} {seed} {number}" for number in range(first, first + count))
    return counted(drawn, lambda words: verdict(name, *edited(bases(name), Random(words))), BAD)
