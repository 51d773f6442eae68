"""Examining claims as the units of a sweep, each behind the portions of its instances."""

import gc
import json
import multiprocessing
import sysconfig
import time
import traceback
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from pufferproof.claims.language.statements import USUAL, Effort
from pufferproof.claims.language.statements.portions import Portion, joined, places
from pufferproof.claims.registry import Claim, claim_named, examine, load_extra, portion_of
from pufferproof.claims.run.results import Result, as_result, described, failed
from pufferproof.claims.vocabulary.coq import tie
from pufferproof.claims.vocabulary.coq.proved import digests
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.running import Failure
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.verify.proof.argument import EXHAUST_LIMITS
from pufferproof.verify.proof.smt import OutOfTime, bound_memory, ending

_ROOT = Path(__file__).resolve().parents[2]
_ALONE = Lock()  # solvers of one process have one context


@dataclass(frozen=True)
class How:
    """How claims are examined: how long an engine may take, on how many instances statements are
    tried, which files have claims that are not of this package, whether Python in these may run,
    and whether formulas are typeset.
    """

    timeout: float
    effort: Effort = USUAL
    extra: tuple[str, ...] = ()
    trust_code: bool = False
    typeset: bool = True

    @property
    def files(self) -> list[Any]:
        """The files, and whether their Python may run, as a worker is told."""
        return [[*self.extra], self.trust_code]


def examined(claims: Sequence[Claim], how: How, sharing: Sharing) -> Iterator[Result]:
    """Yield results as workers finish: fresh processes that load what they need of the claims.

    Only what portions of instances say is kept in a store. Raises `SweepError` where a scheduler
    goes away.
    """
    if not claims:
        return
    waiting = _Waiting(deque(claims), how)
    with opened(sharing, apart=True) as sweep:
        sweep.unkept, sweep.kept = "", _is_portion
        sweep.most = 1  # what one claim says is not held back by another
        for place, outcome in sweep.outcomes(waiting.units(), waiting.total):
            if (result := waiting.ended(place, outcome)) is not None:
                yield result


@dataclass(frozen=True)
class _Asked:
    """A portion of the instances of one statement of a claim."""

    claim: Claim
    key: str
    place: int


@dataclass
class _Waiting:
    """Claims that are handed out one after another, each behind the portions of instances that its
    statements are tried on.
    """

    claims: deque[Claim]
    how: How
    drawn: list[Claim | _Asked | None] = field(default_factory=list)
    asked: deque[_Asked] = field(default_factory=deque)
    found: dict[str, dict[tuple[str, int], Portion]] = field(default_factory=dict)
    ready: deque[Claim] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.left = len(self.claims)
        self.total = sum(1 + len(self._portions(each)) for each in self.claims)  # units

    def units(self) -> Iterator[Unit | None]:
        """Yield what can be done, None while there is nothing."""
        while self.left:
            following = self._following()
            self.drawn.append(following)
            self.left -= isinstance(following, Claim)
            yield None if following is None else self._unit(following)

    def _following(self) -> Claim | _Asked | None:
        """Take a claim whose portions are done, else a portion, else begin with another claim."""
        if self.ready:
            return self.ready.popleft()
        if not self.asked:
            if not self.claims:
                return None
            claim = self.claims.popleft()
            if not (portions := self._portions(claim)):
                return claim
            self.asked.extend(portions)
            self.found[claim.id] = {}
        return self.asked.popleft()

    def _portions(self, claim: Claim) -> list[_Asked]:
        numbers = places(self.how.effort)
        return [_Asked(claim, key, number) for key in claim.says for number in numbers]

    def _unit(self, following: Claim | _Asked) -> Unit:
        how, effort = self.how, [self.how.effort.instances, self.how.effort.seed]
        if isinstance(following, _Asked):
            name, key, number = following.claim.id, following.key, following.place
            return Unit.of(tried_apart, name, key, number, how.timeout, effort, how.files)
        found = self.found.pop(following.id, {})
        portions = {
            key: [*astuple(joined(found[key, number] for number in places(how.effort)))]
            for key in (following.says if found else ())
        }
        ties = digests(following.says.values())  # each is computed once in a run, and kept for the next
        given = how.timeout, effort, how.files, portions, how.typeset, ties
        return Unit.of(examined_apart, following.id, *given)

    def ended(self, place: int, outcome: Any) -> Result | None:
        """Take what became of a unit, and return the result of a claim."""
        ended = self.drawn[place]
        if ended is None:
            raise IndexError(place)
        if isinstance(ended, _Asked):
            self._tried(ended, outcome)
            return None
        if isinstance(outcome, Failure):
            return failed(ended.id, f"it {outcome.kind}: {outcome.said}")
        # a worker knows some families only, and not whose repair a claim is
        return {**outcome, **described(ended)}

    def _tried(self, asked: _Asked, outcome: Any) -> None:
        """Take a portion; one without an answer was not finished."""
        lost = isinstance(outcome, Failure)
        found = self.found[asked.claim.id]
        found[asked.key, asked.place] = Portion(*([0, 0, False, None] if lost else outcome))
        if len(found) == len(self._portions(asked.claim)):
            self.ready.append(asked.claim)


def _is_portion(unit: Unit) -> bool:
    return unit.function.endswith(f":{tried_apart.__name__}")


def tried_apart(
    identifier: str, key: str, place: int, timeout: float, effort: list[Any], files: list[Any]
) -> list[object]:
    """Try a statement of a claim on a portion of its instances in a worker.

    Raises `OutOfTime` where it is not finished: that is no answer to keep, but tried again.
    """
    with _ALONE, _ending(timeout, files):
        _load(tuple(files[0]), files[1])
        found = portion_of(claim_named(identifier), key, place, Effort(*effort), timeout)
    if not found.finished:
        raise OutOfTime(f"{found.tried} instances tried")
    return [*astuple(found)]


def examined_apart(
    identifier: str,
    timeout: float,
    effort: list[Any],
    files: list[Any],
    portions: dict[str, list[Any]],
    typeset: bool,
    ties: dict[str, str],
) -> Result:
    """Examine a claim in a worker, with digests of ties as computed; return its result."""
    with _ALONE, _ending(timeout, files):
        _load(tuple(files[0]), files[1])
        tie.DIGESTS.update(ties)
        tried = {key: Portion(*each) for key, each in portions.items()}
        result = examine_one(identifier, timeout, Effort(*effort), tried, typeset)
    plain: Result = json.loads(json.dumps(result))
    return plain


def _ending(timeout: float, files: list[Any]) -> AbstractContextManager[None]:
    """End a worker in which something of a file that is not of this package runs on and on."""
    return ending(EXHAUST_LIMITS * timeout + 1) if files[0] else nullcontext()


@cache
def _load(extra: tuple[str, ...], trust_code: bool) -> None:
    """Load what a worker needs, of which is known how long it takes; it seldom looks for garbage,
    of which formulas make little.
    """
    load_extra(extra, trust_code, seconds=None)
    if extra and multiprocessing.parent_process() is not None:
        bound_memory()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def examine_one(
    identifier: str,
    timeout: float,
    effort: Effort = USUAL,
    portions: Mapping[str, Portion] | None = None,
    typeset: bool = True,
) -> Result:
    """Examine a claim in this process; return its result. A claim that raises is OPEN."""
    start = time.perf_counter()
    try:
        check = examine(identifier, timeout, effort, portions)
    except (Exception, SystemExit) as error:  # it is shown, and the run goes on
        text = f"{type(error).__name__}: {error}{_place(identifier, error)}"
        return failed(identifier, text)
    return as_result(check, time.perf_counter() - start, typeset)


def _place(identifier: str, error: BaseException) -> str:
    """Say where an error was raised: in the claim's own file, and where that called something,
    there too.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = claim_named(identifier).function.__code__.co_filename
    inside = [frame for frame in frames if frame.filename == own]
    places = dict.fromkeys(f"{_shown(frame.filename)}:{frame.lineno}" for frame in [*inside[-1:], *frames[-1:]])
    return f" (at {', raised at '.join(places)})" if places else ""


def _shown(file: str) -> str:
    """Return the name of a source file: within this package, within a package that is
    installed, or as it was given.
    """
    for home in (_ROOT, *map(Path, (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")))):
        if Path(file).resolve().is_relative_to(home):
            return str(Path(file).resolve().relative_to(home))
    return file
